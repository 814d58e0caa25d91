//! What a search did.

/// Statistics, for comparing methods: what a search did, or that there was none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Boxes (pairs of sub-patches) tested for overlap.
    pub boxes: u64,
    /// Boxes taken from the queue.
    pub popped: u64,
    /// Axes tested, over all boxes.
    pub axes: u64,
    /// Local solves for a contact.
    pub solves: u64,
    /// Most subdivisions in a row that led to a box tested, each in one to four of its parameters.
    pub deepest_level: u32,
    /// Largest number of boxes waiting in the queue.
    pub peak_queue: usize,
    /// What the answer comes from; without a search all figures above are 0.
    pub decision: Decision,
}

/// What an answer comes from. See [`Options::exact`](crate::Options::exact).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The search for boxes that overlap.
    #[default]
    Search,
    /// Exact mode, in floating point with error bounds.
    Filter,
    /// Exact mode: the times at which the two may touch came from floating point; whether they do
    /// at one of them took integers.
    RootInIntegers,
    /// Exact mode: times and touch both in integers, as for motions in a plane, segments and
    /// points, and double roots.
    StepInIntegers,
}
