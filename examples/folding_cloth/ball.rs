//! The ball: a sphere of NURBS patches, which waits and then goes through the scene.

use nalgebra::{Point3, Vector3, point};
use patch_ccd::Error;
use patch_ccd::geometry::{KnotVector, NurbsExtraction, NurbsSurface};
use patch_ccd::mesh::PatchMesh;

/// Control points and their velocities.
type MovingNet = (Vec<Point3<f64>>, Vec<Vector3<f64>>);

/// When it starts to move.
const WAITS: f64 = 0.4;

pub(crate) struct Ball {
    pub(crate) mesh: PatchMesh,
    net: Vec<Point3<f64>>,
    extraction: NurbsExtraction,
    centre: Vector3<f64>,
}

impl Ball {
    pub(crate) fn new(radius: f64, centre: Point3<f64>) -> Result<Self, Error> {
        let corner = 0.5_f64.sqrt();
        // A half circle from pole to pole, and a circle around the axis: distance or direction, and
        // weight.
        let up = [
            (0.0, -1.0, 1.0),
            (1.0, -1.0, corner),
            (1.0, 0.0, 1.0),
            (1.0, 1.0, corner),
            (0.0, 1.0, 1.0),
        ];
        let directions = [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
            (1, 0),
        ];
        let mut net = Vec::new();
        let mut weights = Vec::new();
        for (k, (x, y)) in directions.into_iter().enumerate() {
            for (out, z, weight) in up {
                let [x, y] = [x, y].map(|c| f64::from(c) * out);
                net.push(point![radius * x, radius * y, radius * z]);
                weights.push(weight * [1.0, corner][k % 2]);
            }
        }
        let around = [0., 0., 0., 1., 1., 2., 2., 3., 3., 4., 4., 4.];
        let along = [0., 0., 0., 1., 1., 2., 2., 2.];
        let knots = [KnotVector::new(2, &around)?, KnotVector::new(2, &along)?];
        let extraction = NurbsSurface::new(knots, &net, Some(&weights))?.extraction();
        Ok(Self {
            mesh: PatchMesh::from_nurbs(&extraction)?,
            net,
            extraction,
            centre: centre.coords,
        })
    }

    /// Its velocity in a step that starts at a time.
    pub(crate) fn velocity(&self, time: f64) -> Vector3<f64> {
        if time > WAITS {
            -Vector3::y()
        } else {
            Vector3::zeros()
        }
    }

    pub(crate) fn advance(&mut self, t: f64, velocity: Vector3<f64>) {
        self.centre += t * velocity;
    }

    /// Its control points where it is, and their velocities.
    pub(crate) fn net(&self, velocity: Vector3<f64>) -> Result<MovingNet, Error> {
        let net: Vec<_> = self.net.iter().map(|p| p + self.centre).collect();
        let velocities = vec![velocity; net.len()];
        Ok((
            self.extraction.points(&net)?,
            self.extraction.velocities(&velocities)?,
        ))
    }
}
