//! The bodies of a scene as patches: the sheet, and one solid that rests or flies.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{AnyPatch, Patch};
use patch_ccd::mesh::{MovingMesh, PatchMesh};

use super::link::Site;
use crate::shell::{KINDS, Sheet, nodes};

/// A rigid body of patches that does not turn: an obstacle at rest or, with a mass, a projectile.
#[derive(Clone, Debug)]
pub struct Solid {
    pub mesh: PatchMesh,
    pub patches: Vec<AnyPatch>,
    points: Vec<Point3<f64>>,
    /// Which unknown is its displacement, if it can move.
    unknown: Option<usize>,
    pub mass: Option<f64>,
}

impl Solid {
    pub fn new(patches: Vec<AnyPatch>, mass: Option<f64>) -> Self {
        let (mesh, points) = PatchMesh::from_patches(&patches);
        Self {
            mesh,
            patches,
            points,
            unknown: None,
            mass,
        }
    }
}

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Sheet,
    Solid,
}

/// A place on one of them.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub body: Body,
    pub patch: usize,
    pub at: (f64, f64),
}

/// Both bodies.
#[derive(Clone, Debug)]
pub struct Surfaces {
    pub sheet: Sheet,
    pub solid: Solid,
    pub sheet_mesh: PatchMesh,
}

impl Surfaces {
    pub fn new(sheet: Sheet, mut solid: Solid) -> Result<Self, patch_ccd::Error> {
        solid.unknown = solid.mass.map(|_| sheet.node_count() * KINDS);
        Ok(Self {
            sheet_mesh: PatchMesh::from_grid(sheet.grid.grid(), None)?,
            sheet,
            solid,
        })
    }

    /// Number of nodes; a solid that can move is one more.
    pub fn node_count(&self) -> usize {
        self.sheet.node_count() + usize::from(self.solid.unknown.is_some())
    }

    /// The control points of the sheet.
    pub fn sheet_net(&self, q: &[Vector3<f64>]) -> Result<Vec<Point3<f64>>, patch_ccd::Error> {
        self.sheet
            .grid
            .points(&nodes(&q[..self.sheet.node_count() * KINDS]))
    }

    /// The control points of the solid.
    pub fn solid_net(&self, q: &[Vector3<f64>]) -> Vec<Point3<f64>> {
        let by = self.solid_displacement(q);
        self.solid.points.iter().map(|point| point + by).collect()
    }

    pub fn solid_displacement(&self, q: &[Vector3<f64>]) -> Vector3<f64> {
        self.solid.unknown.map_or(Vector3::zeros(), |at| q[at])
    }

    /// The patches of the sheet and of the solid.
    pub fn patches(&self, q: &[Vector3<f64>]) -> Result<[Vec<AnyPatch>; 2], patch_ccd::Error> {
        let (sheet, solid) = (self.sheet_net(q)?, self.solid_net(q));
        Ok([
            MovingMesh::resting(&self.sheet_mesh, &sheet)?.patches_at(0.0)?,
            MovingMesh::resting(&self.solid.mesh, &solid)?.patches_at(0.0)?,
        ])
    }

    /// The point at a place, as a function of the unknowns.
    pub fn site(&self, Place { body, patch, at }: Place) -> Site {
        match body {
            Body::Sheet => Site {
                offset: Vector3::zeros(),
                terms: self.sheet.grid.weights_at(patch, at).unwrap_or_default(),
            },
            Body::Solid => Site {
                offset: self.solid.patches[patch].eval(at.0, at.1).coords,
                terms: self
                    .solid
                    .unknown
                    .map(|index| (index, 1.0))
                    .into_iter()
                    .collect(),
            },
        }
    }
}
