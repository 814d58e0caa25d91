//! Where a picture is taken from: a direction is given, the distance follows from what has to be
//! seen. A lamp is one too.

use nalgebra::{Matrix3, Point3, Vector3};
use retrofire_core::math::{ProjMat3, perspective};
use retrofire_core::render::View;

/// Half the width of the picture against its distance: a lens of 28°, so that shapes are not
/// distorted.
const HALF_WIDTH: f64 = 0.25;
/// The part of the picture that what has to be seen fills.
const FILLED: f64 = 0.94;

#[derive(Clone)]
pub(crate) struct Camera {
    /// Rows: right, up, forward.
    rotation: Matrix3<f64>,
    /// Of what has to be seen, turned.
    centre: Vector3<f64>,
    distance: f64,
    /// Width against height.
    aspect: f64,
}

impl Camera {
    /// The camera that sees all points, as large as they can be.
    pub(crate) fn around<'a>(
        points: impl Iterator<Item = &'a Point3<f64>> + Clone,
        towards_eye: Vector3<f64>,
        aspect: f64,
    ) -> Self {
        let forward = -towards_eye
            .try_normalize(0.0)
            .unwrap_or_else(|| -Vector3::y());
        // Seen along z, y is up.
        let right = forward.cross(&Vector3::z()).try_normalize(1e-9);
        let right = right.unwrap_or_else(Vector3::x);
        let up = right.cross(&forward);
        let rotation =
            Matrix3::from_rows(&[right.transpose(), up.transpose(), forward.transpose()]);

        let turned = points.map(|point| rotation * point.coords);
        let (mut least, mut greatest) = (
            Vector3::repeat(f64::INFINITY),
            Vector3::repeat(f64::NEG_INFINITY),
        );
        for point in turned.clone() {
            (least, greatest) = (least.inf(&point), greatest.sup(&point));
        }
        if !(greatest - least).iter().all(|size| size.is_finite()) {
            (least, greatest) = (Vector3::repeat(-1.0), Vector3::repeat(1.0));
        }
        let centre = 0.5 * (least + greatest);
        let reach = |x: f64, y: f64| x.abs().max(y.abs() * aspect) / (FILLED * HALF_WIDTH);
        let distance = turned
            .map(|point| point - centre)
            .map(|p| reach(p.x, p.y) - p.z)
            .fold(1e-6, f64::max);
        Self {
            rotation,
            centre,
            distance,
            aspect,
        }
    }

    /// From the eye: to the right, upwards, forwards.
    pub(crate) fn seen(&self, point: Point3<f64>) -> Vector3<f64> {
        let mut seen = self.rotation * point.coords - self.centre;
        seen.z += self.distance;
        seen
    }

    pub(crate) fn eye(&self) -> Point3<f64> {
        let turned = self.centre - self.distance * Vector3::z();
        Point3::from(self.rotation.transpose() * turned)
    }

    pub(crate) fn towards_eye(&self) -> Vector3<f64> {
        -self.rotation.row(2).transpose()
    }

    /// A direction given from the eye, as a direction in the scene.
    pub(crate) fn in_scene(&self, direction: Vector3<f64>) -> Vector3<f64> {
        self.rotation.transpose() * direction
    }

    /// Where a point is in a picture of this size, in pixels from the upper left corner; `None`
    /// behind the eye.
    pub(crate) fn pixel(
        &self,
        point: Point3<f64>,
        [width, height]: [usize; 2],
    ) -> Option<[f64; 2]> {
        let seen = self.seen(point);
        let across = seen.x / (HALF_WIDTH * seen.z);
        let up = seen.y * self.aspect / (HALF_WIDTH * seen.z);
        (seen.z > 0.0).then_some([
            0.5 * (1.0 + across) * width as f64,
            0.5 * (1.0 - up) * height as f64,
        ])
    }

    /// The width of a pixel at distance 1.
    pub(crate) fn pixel_width(&self, width: usize) -> f64 {
        2.0 * HALF_WIDTH / width as f64
    }

    pub(crate) fn projection(&self) -> ProjMat3<View> {
        let depths = (0.02 * self.distance) as f32..(50.0 * self.distance) as f32;
        perspective((1.0 / HALF_WIDTH) as f32, self.aspect as f32, depths)
    }
}
