//! The engines that one table of cases is run on.

use patch_ccd::{Inclusion, Method, Options};

/// All methods with both inclusions, the default first.
pub const ENGINES: [(Method, Inclusion); 6] = [
    (Method::TwoSided, Inclusion::Obb),
    (Method::TwoSided, Inclusion::Aabb),
    (Method::TimeDependent, Inclusion::Obb),
    (Method::TimeDependent, Inclusion::Aabb),
    (Method::Traditional, Inclusion::Obb),
    (Method::Traditional, Inclusion::Aabb),
];

/// The same options for every engine, the default one first.
pub fn engines(options: &Options) -> impl Iterator<Item = Options> {
    let options = *options;
    ENGINES.into_iter().map(move |(method, inclusion)| Options {
        method,
        inclusion,
        ..options
    })
}
