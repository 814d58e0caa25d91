//! Which points of a mesh count as one.

/// For each point the least one that it is welded to; empty while there are no welds.
///
/// While points are united, it is a forest of pointers towards that least one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Welds(Vec<u32>);

impl Welds {
    /// The point that stands for all that `point` is welded to, once [`Welds::settle`] was called.
    pub(super) fn representative(&self, point: u32) -> u32 {
        self.0.get(point as usize).copied().unwrap_or(point)
    }

    /// Takes in the welds of `count` points that follow after `own` points.
    pub(super) fn append(&mut self, own: usize, other: &Self, count: usize) {
        if self.0.is_empty() && other.0.is_empty() {
            return;
        }
        self.fill(own);
        let others = (0..count as u32).map(|point| own as u32 + other.representative(point));
        self.0.extend(others);
    }

    /// Makes room for `count` points, the new ones welded to none.
    pub(super) fn fill(&mut self, count: usize) {
        let known = self.0.len();
        self.0.extend(known as u32..count as u32);
    }

    /// Welds two points, and all that each of them is welded to.
    pub(super) fn unite(&mut self, pair: [u32; 2]) {
        let [a, b] = pair.map(|point| self.root(point));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The point that stands for all that `point` is welded to so far.
    fn root(&mut self, mut point: u32) -> u32 {
        while self.0[point as usize] != point {
            let next = self.0[self.0[point as usize] as usize];
            self.0[point as usize] = next;
            point = next;
        }
        point
    }

    /// Has every point know its representative, after some were united.
    pub(super) fn settle(&mut self) {
        for point in 0..self.0.len() as u32 {
            self.0[point as usize] = self.root(point);
        }
    }
}
