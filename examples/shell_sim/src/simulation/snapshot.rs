//! Where the patches of both bodies are, what is nearest on them, and how far they have moved.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::AnyPatch;
use patch_ccd::{DistanceOptions, Error, Inclusion, closest_point_on};

use super::surfaces::{Body, Surfaces};

/// Another point than the one found may be nearer by a micrometre at most. Samples in the focus of
/// a bowl would take any number of boxes.
const NEAREST: DistanceOptions = DistanceOptions {
    tolerance: 1e-6,
    relative_tolerance: 0.0,
    max_distance: f64::INFINITY,
    max_boxes: 10_000,
    inclusion: Inclusion::Obb,
};

/// The patches of both bodies.
pub(super) struct Snapshot([Vec<AnyPatch>; 2]);

impl Snapshot {
    pub(super) fn new(surfaces: &Surfaces, q: &[Vector3<f64>]) -> Result<Self, Error> {
        Ok(Self(surfaces.patches(q)?))
    }

    /// The nearest point of a patch, if it is within reach.
    pub(super) fn nearest(
        &self,
        (body, patch): (Body, usize),
        point: Vector3<f64>,
        reach: f64,
    ) -> Result<Option<Nearest>, Error> {
        let options = DistanceOptions {
            max_distance: reach,
            ..NEAREST
        };
        let patch = &self.0[body as usize][patch];
        let distance = closest_point_on(Point3::from(point), patch, &options)?;
        Ok(distance.closest().map(|closest| Nearest {
            at: closest.parameters[1],
            apart: point - closest.points[1].coords,
        }))
    }
}

/// The nearest point of a patch to a sample.
pub(super) struct Nearest {
    pub(super) at: (f64, f64),
    /// From it to the sample.
    pub(super) apart: Vector3<f64>,
}

impl Nearest {
    /// Whether it is on the patch's border, so that the sample may be off to the side.
    pub(super) fn is_on_border(&self) -> bool {
        [self.at.0, self.at.1].iter().any(|&x| x <= 0.0 || x >= 1.0)
    }
}

/// How far the bodies move, at most: each patch of the sheet, and the solid.
pub(super) struct Ways {
    sheet: Vec<f64>,
    solid: f64,
}

impl Ways {
    /// For a change of the unknowns.
    pub(super) fn new(surfaces: &Surfaces, change: &[Vector3<f64>]) -> Result<Self, Error> {
        // A net is linear in the unknowns.
        let net = surfaces.sheet_net(change)?;
        let ways: Vec<_> = net.iter().map(|way| way.coords.norm()).collect();
        Ok(Self::of_points(
            surfaces,
            &ways,
            surfaces.solid_displacement(change).norm(),
        ))
    }

    /// Since the sheet's control points, and the solid, were there.
    pub(super) fn since(
        surfaces: &Surfaces,
        q: &[Vector3<f64>],
        net: &[Point3<f64>],
        solid_at: &Vector3<f64>,
    ) -> Result<Self, Error> {
        let now = surfaces.sheet_net(q)?;
        let ways: Vec<_> = now
            .iter()
            .zip(net)
            .map(|(now, then)| (now - then).norm())
            .collect();
        let solid = surfaces.solid_displacement(q) - solid_at;
        Ok(Self::of_points(surfaces, &ways, solid.norm()))
    }

    fn of_points(surfaces: &Surfaces, ways: &[f64], solid: f64) -> Self {
        let patches = surfaces.sheet_mesh.patches();
        let farthest = patches.map(|patch| {
            let points = patch.points.iter();
            points
                .map(|&point| ways[point as usize])
                .fold(0.0, f64::max)
        });
        Self {
            sheet: farthest.collect(),
            solid,
        }
    }

    pub(super) fn of(&self, (body, patch): (Body, usize)) -> f64 {
        match body {
            Body::Sheet => self.sheet[patch],
            Body::Solid => self.solid,
        }
    }
}
