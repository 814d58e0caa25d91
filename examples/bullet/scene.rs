//! The bullet and the wall, and when they meet by a closed form.

use nalgebra::{Point2, Point3, Vector2, point, vector};
use patch_ccd::Step;

const START: Point2<f64> = point![0.5, 3.5];
const WALL_HEIGHT: f64 = 5.0;

/// A point that moves in x, and a segment in the direction of y that may drift; t from 0 to 1 is
/// the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scene {
    /// How far the point moves in the step.
    pub(crate) travel: f64,
    /// The wall's foot at the start.
    pub(crate) wall: Point2<f64>,
    /// How far the wall moves in the step.
    pub(crate) drift: Vector2<f64>,
    /// The distance that counts as contact.
    pub(crate) radius: f64,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            travel: 9.0,
            wall: point![5.0, 1.0],
            drift: Vector2::zeros(),
            radius: 0.0,
        }
    }
}

impl Scene {
    /// The moving point at time t.
    pub(crate) fn bullet(&self, t: f64) -> Point2<f64> {
        START + self.velocity() * t
    }

    /// The wall's point with parameter s, 0 at its foot and 1 at its top, at time t.
    pub(crate) fn wall(&self, s: f64, t: f64) -> Point2<f64> {
        self.wall + self.drift * t + vector![0.0, WALL_HEIGHT] * s
    }

    pub(crate) fn velocity(&self) -> Vector2<f64> {
        vector![self.travel, 0.0]
    }

    /// The query for the crate: vertex, then edge.
    pub(crate) fn step(&self) -> Step<3> {
        [0.0, 1.0].map(|t| [self.bullet(t), self.wall(0.0, t), self.wall(1.0, t)].map(|p| lift(&p)))
    }

    pub(crate) fn distance(&self, t: f64) -> f64 {
        let offset = self.bullet(t) - self.wall(0.0, t);
        let nearest = vector![0.0, offset.y.clamp(0.0, WALL_HEIGHT)];
        (offset - nearest).norm()
    }

    /// The first time in the step at which the two are as close as `radius`: seen from the wall,
    /// the point moves along a line, and enters the region around the wall through one of two
    /// straight sides or two round ends.
    pub(crate) fn first_contact(&self, radius: f64) -> Option<f64> {
        if self.distance(0.0) <= radius {
            return Some(0.0);
        }
        let offset = self.bullet(0.0) - self.wall(0.0, 0.0);
        let velocity = self.velocity() - self.drift;
        let through_sides = [-radius, radius]
            .map(|side| (side - offset.x) / velocity.x)
            .into_iter()
            .filter(|t| (0.0..=WALL_HEIGHT).contains(&(offset.y + velocity.y * t)));
        let through_ends = [0.0, WALL_HEIGHT].into_iter().filter_map(|height| {
            let centre = offset - vector![0.0, height];
            let (a, b) = (velocity.norm_squared(), centre.dot(&velocity));
            let root = b * b - a * (centre.norm_squared() - radius * radius);
            (root >= 0.0).then(|| (-b - root.sqrt()) / a)
        });
        through_sides
            .chain(through_ends)
            .filter(|t| (0.0..=1.0).contains(t))
            .min_by(f64::total_cmp)
    }

    /// How much closer the two may get within a box whose widths are δ.
    pub(crate) fn slack(&self, delta: f64) -> f64 {
        delta * ((self.velocity() - self.drift).norm() + WALL_HEIGHT)
    }
}

/// A point of the plane in space, where the crate works.
pub(crate) fn lift(p: &Point2<f64>) -> Point3<f64> {
    point![p.x, p.y, 0.0]
}

impl std::fmt::Display for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pair = |p: Point2<f64>| format!("({}, {})", p.x, p.y);
        write!(
            f,
            "A point moves from {} to {} in one step; a wall from {} to {} ",
            pair(self.bullet(0.0)),
            pair(self.bullet(1.0)),
            pair(self.wall(0.0, 0.0)),
            pair(self.wall(1.0, 0.0)),
        )?;
        if self.drift == Vector2::zeros() {
            f.write_str("stands still")?;
        } else {
            write!(f, "moves by ({}, {})", self.drift.x, self.drift.y)?;
        }
        if self.radius > 0.0 {
            write!(f, "; a distance of {} counts as contact", self.radius)?;
        }
        f.write_str(".")
    }
}
