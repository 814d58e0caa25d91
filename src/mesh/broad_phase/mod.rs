//! Which pairs of elements may touch, and from when on?
//!
//! Every group of elements has a tree ([`VolumeTree`]) of bounding boxes that move linearly
//! ([`MovingBox`]). The [`Forest`] holds the trees of a query and keeps them from step to step. A
//! [`BroadPhase`] goes down two trees at once: it expands pairs of nodes ([`NodePair`]) into pairs
//! of their children, and in the end into pairs of elements, without neighbours and what the caller
//! filters out. In which order, and how far, is for the queries to say; where order is of no
//! importance, threads share the pairs of nodes ([`SharedPairs`]).
//!
//! The trees also find the points of one mesh that are to be welded.

mod forest;
mod moving_box;
mod shared_pairs;
mod traversal;
mod tree;
mod weld;

pub(crate) use forest::{Forest, Within};
use moving_box::MovingBox;
pub(crate) use shared_pairs::SharedPairs;
pub(crate) use traversal::{BroadPhase, NodePair, OverlappingPair};
pub use traversal::{Candidate, PairFilter};
use tree::VolumeTree;
pub use weld::WeldReport;
