//! Best-first branch and bound: the one loop behind every search of this crate.
//!
//! A *node* stands for a part of what is searched, and has a lower bound on the *objective* there:
//! the time of the first contact, or the distance. The node with the least bound is always next. It
//! may improve the *incumbent*, the best solution known so far, which bounds the objective from
//! above. Then it ends the search, or it is expanded: those of its children that can still matter
//! are queued, and the others are *pruned*.
//!
//! The bound of the next node holds for all nodes that are still queued. Together with what an
//! objective remembers of the pruned ones it is what the search has proven so far, however it ends.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::counters::Counters;

/// A node of a search.
pub(crate) trait SearchNode {
    /// The node's lower bound, and what decides among nodes with equal bounds.
    type Rank: Ord;

    /// The node with the least rank is the next.
    fn rank(&self) -> Self::Rank;
}

/// The nodes still to be looked at, the one with the least rank first.
#[derive(Debug)]
pub(crate) struct Queue<N: SearchNode>(BinaryHeap<Queued<N>>);

/// The greatest of a heap comes first, so this is ordered the other way round.
#[derive(Debug)]
struct Queued<N>(N);

impl<N: SearchNode> Ord for Queued<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.rank().cmp(&self.0.rank())
    }
}

impl<N: SearchNode> PartialOrd for Queued<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N: SearchNode> PartialEq for Queued<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<N: SearchNode> Eq for Queued<N> {}

impl<N: SearchNode> Default for Queue<N> {
    fn default() -> Self {
        Self(BinaryHeap::new())
    }
}

impl<N: SearchNode> FromIterator<N> for Queue<N> {
    fn from_iter<I: IntoIterator<Item = N>>(nodes: I) -> Self {
        Self(nodes.into_iter().map(Queued).collect())
    }
}

impl<N: SearchNode> Queue<N> {
    pub(crate) fn push(&mut self, node: N) {
        self.0.push(Queued(node));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a queued node comes before another one.
    fn is_before(&self, node: &N) -> bool {
        self.0
            .peek()
            .is_some_and(|next| next.0.rank() < node.rank())
    }

    /// All nodes, in the order in which they would have come.
    #[cfg(feature = "mesh")]
    pub(crate) fn into_sorted(self) -> impl Iterator<Item = N> {
        self.0
            .into_sorted_vec()
            .into_iter()
            .rev()
            .map(|node| node.0)
    }
}

/// What is searched for, and how its nodes are bounded and expanded.
pub(crate) trait Objective {
    type Node: SearchNode;
    /// The parts into which a node is split, before they are bounded.
    type Children;

    /// What is proven when `next` has the least bound of all queued nodes: no solution has an
    /// objective below this.
    fn proven(&self, next: &Self::Node) -> f64;

    /// Raises the bound of a node without splitting it, where that is worth the time.
    fn tighten(&mut self, _node: &mut Self::Node, _counters: &mut Counters) -> Tightening {
        Tightening::Kept
    }

    /// Looks for a better incumbent near a node, where that is worth the time.
    fn improve(&mut self, node: &Self::Node, counters: &mut Counters) -> bool;

    /// What becomes of a node.
    fn fate(&mut self, node: &mut Self::Node) -> Fate;

    /// Splits a node, and says how many boxes its children are.
    fn split(&mut self, node: &Self::Node) -> (Self::Children, u64);

    /// Bounds the children, prunes those that cannot matter and queues the others.
    fn expand(
        &mut self,
        node: &Self::Node,
        children: Self::Children,
        queue: &mut Queue<Self::Node>,
        counters: &mut Counters,
    );
}

/// What a closer look at a node has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tightening {
    /// Its bound stays as it is.
    Kept,
    /// Its bound is better now, so another node may be next.
    Raised,
    /// There is no solution in it.
    Pruned,
}

/// What becomes of a node that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is split further.
    Expand,
    /// It ends the search: its bound is so close to the incumbent that nothing better is of
    /// interest.
    Close,
    /// It ends the search: it is small enough for the tolerances, or cannot be split.
    Accept,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The search ends once it has proven that there is no solution up to here. A cutoff only ends
    /// the search early; until then it takes the same course for every cutoff.
    pub(crate) cutoff: f64,
    /// The search ends before more boxes than this are tested, those already counted included.
    pub(crate) max_boxes: u64,
}

/// How a search ended, with the node that ended it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending<N> {
    /// Every node was expanded or pruned.
    Empty,
    /// What is proven exceeds the cutoff: no solution has an objective below this.
    Beyond(f64),
    /// The incumbent and the node's bound are close.
    Closed(N),
    /// The node is small enough, or cannot be split.
    Accepted(N),
    /// The budget does not allow to expand the node.
    Exhausted(N),
}

/// Searches what is queued.
pub(crate) fn best_first<O: Objective>(
    objective: &mut O,
    queue: &mut Queue<O::Node>,
    limits: &Limits,
    counters: &mut Counters,
) -> Ending<O::Node> {
    while let Some(Queued(mut node)) = queue.0.pop() {
        let proven = objective.proven(&node);
        if proven > limits.cutoff {
            return Ending::Beyond(proven);
        }
        counters.popped += 1;
        match objective.tighten(&mut node, counters) {
            Tightening::Kept => {}
            Tightening::Raised => {
                if queue.is_before(&node) {
                    queue.push(node);
                    continue;
                }
            }
            Tightening::Pruned => continue,
        }
        if objective.improve(&node, counters) {
            queue.push(node);
            continue;
        }
        match objective.fate(&mut node) {
            Fate::Close => return Ending::Closed(node),
            Fate::Accept => return Ending::Accepted(node),
            Fate::Expand => {}
        }
        let (children, boxes) = objective.split(&node);
        if counters.boxes + boxes > limits.max_boxes {
            return Ending::Exhausted(node);
        }
        counters.boxes += boxes;
        objective.expand(&node, children, queue, counters);
        counters.peak_queue = counters.peak_queue.max(queue.len());
    }
    Ending::Empty
}
