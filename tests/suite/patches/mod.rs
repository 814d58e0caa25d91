//! Pairs of moving patches: when do they first touch?
//!
//! [`closed_form`] and [`degenerate`] have times that follow by hand, [`properties`] what must hold
//! for random patches, among them planted contacts, and [`brackets`] how narrow the bounds become
//! and how few boxes that takes. [`budgets`] ends searches early, and [`contact_sets`] asks for
//! several contacts of a pair. With a separation, [`separation`] has pairs whose distance is known,
//! [`planted`] random ones, and [`directions`] asks for the direction between them. In [`nearer`]
//! patches start nearer than their separation.

mod brackets;
mod budgets;
mod case;
mod closed_form;
mod contact_sets;
mod degenerate;
mod directions;
mod nearer;
mod planted;
mod properties;
mod separation;
mod strategies;

use kit::scenes::{Motion, level, paraboloid, resting};
use patch_ccd::geometry::{AnyPatch, Shape};
use patch_ccd::{Options, Outcome, time_of_impact};

/// The vertex of this paraboloid is at (u, v) = (1/3, 1/5), where x = y = 0.
fn bowl(shape: Shape, z0: f64) -> AnyPatch {
    paraboloid(shape, [-0.2, 0.4], [-0.2, 0.8], z0)
}

/// A floor in which x = y = 0 is at (u, v) = (2/5, 1/3).
fn floor(shape: Shape) -> Motion {
    resting(level(shape, [-0.4, 0.6], [-0.4, 0.8], 0.0))
}

fn solve([a, b]: &[Motion; 2], options: &Options) -> Outcome {
    time_of_impact(a, b, options).expect("an outcome")
}
