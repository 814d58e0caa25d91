//! Patches and what they are made of, each against a truth of its own: curves and rational patches
//! against the conics and quadrics they are, NURBS against the definition of B-splines and SciPy,
//! Hermite patches against derivatives and surfaces that they have to reproduce. Bad input is in
//! the hostile room.

mod curves;
mod hermite;
mod normals;
mod nurbs;
mod rational;

use nalgebra::Vector3;
use patch_ccd::geometry::Patch;
use patch_ccd::{Contact, Moving, Options, Outcome, time_of_impact};

/// The same patch elsewhere.
fn moved<P: Patch>(patch: &P, by: Vector3<f64>) -> P {
    let points: Vec<_> = patch.control_points().iter().map(|p| p + by).collect();
    patch.with_net(&points, None).unwrap()
}

/// A patch that moves as a whole.
fn translating<P: Patch>(patch: P, velocity: Vector3<f64>) -> Moving<P> {
    Moving::translating(patch, velocity).unwrap()
}

/// The contact of two patches that meet at a known time, whichever comes first.
#[track_caller]
fn assert_impact<A: Patch, B: Patch>(a: &Moving<A>, b: &Moving<B>, exact: f64) -> Contact {
    let options = Options::default();
    let [first, _] = [
        time_of_impact(a, b, &options).unwrap(),
        time_of_impact(b, a, &options).unwrap().swapped(),
    ]
    .map(|outcome| {
        let Outcome::Impact { toi, contact, .. } = outcome else {
            panic!("{outcome:?}");
        };
        let early = exact - toi;
        assert!((0.0..options.delta).contains(&early), "{toi} of {exact}");
        assert!(contact.residual < 1e-5, "{contact:?}");
        contact
    });
    first
}
