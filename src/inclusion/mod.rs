//! Where can a piece of a patch be at time t?

mod axes;
mod lanes;
mod siblings;

pub(crate) use axes::{
    COORDINATE_AXES, Direction, Directions, box_axes, length_rounded_up, reciprocal_power_of_two,
    scaled,
};
pub(crate) use lanes::Lanes;
pub(crate) use siblings::{Axis, Pairs, SiblingNets, SiblingTest};
