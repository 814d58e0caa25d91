//! A circle among solid blocks: what the crate is asked, and what can be said without it.

use nalgebra::{Point2, Point3, Vector2, point};
use patch_ccd::{Error, Options, Outcome, Step, Workspace};

pub(crate) const RADIUS: f64 = 0.25;

/// Metres that a wall reaches up and down: more than anything here moves in a tick.
const REACH: f64 = 20.0;

/// A solid rectangle with sides along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) least: Point2<f64>,
    pub(crate) greatest: Point2<f64>,
}

/// One side of a block.
pub(crate) type Face = [Point2<f64>; 2];

impl Block {
    /// A wall, solid for x in [0, thickness].
    pub(crate) fn wall(thickness: f64) -> Self {
        Self {
            least: point![0.0, -REACH],
            greatest: point![thickness, REACH],
        }
    }

    pub(crate) fn faces(&self) -> [Face; 4] {
        let (a, c) = (self.least, self.greatest);
        let (b, d) = (point![c.x, a.y], point![a.x, c.y]);
        [[d, a], [b, c], [a, b], [c, d]]
    }

    /// How deep a circle overlaps the block: by how much its radius exceeds the distance of its
    /// centre, which counts negative inside.
    pub(crate) fn penetration(&self, centre: &Point2<f64>) -> f64 {
        let beyond = (self.least - centre).sup(&(centre - self.greatest));
        let distance = if beyond.max() > 0.0 {
            beyond.map(|x| x.max(0.0)).norm()
        } else {
            beyond.max()
        };
        (RADIUS - distance).max(0.0)
    }
}

/// The point of a face, which is along an axis, that is nearest to `p`.
pub(crate) fn nearest([a, b]: &Face, p: &Point2<f64>) -> Point2<f64> {
    p.sup(&a.inf(b)).inf(&a.sup(b))
}

/// When does the circle, a vertex with a minimum separation, meet a face, an edge at rest? A step's
/// two states are one unit of time apart, here a second; `t_max` ends the query with the tick.
pub(crate) fn time_of_impact(
    centre: &Point2<f64>,
    velocity: &Vector2<f64>,
    face: &Face,
    seconds: f64,
    delta: f64,
    workspace: &mut Workspace,
) -> Result<Outcome, Error> {
    let [a, b] = face.map(lift);
    let step: Step<3> = [[lift(*centre), a, b], [lift(centre + velocity), a, b]];
    let options = Options {
        t_max: seconds,
        min_separation: RADIUS,
        delta,
        ..Options::default()
    };
    workspace.vertex_edge(&step, &options)
}

fn lift(p: Point2<f64>) -> Point3<f64> {
    point![p.x, p.y, 0.0]
}
