//! What the test suite, the examples and the benches share: sets of patch pairs, sets of linear
//! queries, single hard cases, and random pairs. For the suite alone, [`scenes`] are of known form,
//! [`Random`] makes the numbers of random ones, and [`engines`] run all of them.
//!
//! [`PairReader`] reads raw sets of random pairs, [`RandomPairs`] makes them; [`Wang2021Reader`]
//! reads edge–edge and vertex–face queries with their exact answers, [`Case`] one case of JSON with
//! the answer that is [`Expect`]ed, [`SceneCase`] a file of scenes. [`data`] is where the files are. Reading and solving are
//! separate: a file that can't be read is a [`ReadError`], a case that can't be solved, because of
//! a control point that is NaN, say, a [`CaseError`], and may be just what the file expects.

mod case;
mod each_case;
mod engines;
mod error;
mod exact;
mod expect;
mod generator;
mod json;
pub mod linear;
mod nurbs_data;
pub mod oracle;
mod outcomes;
mod patch_data;
mod query;
mod scene_file;
pub mod scenes;
pub mod simplices;
mod text;
mod unchecked;
mod wang2021;

use std::path::{Path, PathBuf};

pub use case::{Case, CaseError, CaseKind};
pub use each_case::each_case;
pub use engines::{ENGINES, engines};
pub use error::ReadError;
pub use exact::exact;
pub use expect::{Collides, Expect};
pub use generator::{Random, cases};
pub use nurbs_data::NurbsData;
pub use outcomes::{assert_not_later, check_distance, check_outcome, is_inside};
pub use pairs::{PairError, PairKind, PairReader, RandomPairs};
pub use patch_data::{MotionData, PatchData};
pub use query::CaseQuery;
pub use scene_file::{SceneCase, SceneExpect, SceneQuery, TriangleData};
pub use unchecked::Unchecked;
pub use wang2021::{RowProblem, Wang2021Query, Wang2021Reader};

/// A path within `data/`.
pub fn data(path: impl AsRef<Path>) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../data").join(path)
}
