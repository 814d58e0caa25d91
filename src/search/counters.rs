//! What a search did.

/// What a search did. For comparing methods; the answer does not depend on it.
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
    /// Deepest level of subdivision of a box tested.
    pub deepest_level: u32,
    /// Largest number of boxes waiting in the queue.
    pub peak_queue: usize,
}
