//! How does a step go? The solver proposes where the sheet is at its end; collision detection on
//! the true surfaces says whether it may go there, or what it runs into; what it runs into joins
//! the solver's constraints, and it proposes again. After too many proposals the step goes as far
//! as it is proven free, in time, and the rest of it follows. So no state is accepted in which
//! patches are nearer than the separation, but for patches that share a node, which always touch:
//! those are not tested against each other.

mod ccd;
mod check;
mod contact;
mod energy;
mod link;
mod objective;
mod probes;
mod snapshot;
mod step;
mod surfaces;

use std::collections::BTreeSet;

use nalgebra::Vector3;
use patch_ccd::geometry::HermiteNode;

use crate::shell::{KINDS, Matrix, Pattern, Sheet, unknowns};
use ccd::Detector;
pub use check::{Checker, FAR};
pub use contact::Contact;
pub use energy::Energy;
pub use step::Report;
pub use surfaces::{Solid, Surfaces};

/// What does not change during a simulation. SI units.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub gravity: Vector3<f64>,
    /// Deceleration by the air over speed, 1/s.
    pub air_drag: f64,
    /// Time constant of the material's viscosity, s.
    pub viscosity: f64,
    pub contact: Contact,
    /// Proposals to a step, at most.
    pub passes: usize,
    /// Pieces that a step is cut into, at most.
    pub cuts: usize,
    /// A step in which something goes farther than this before the first impact is cut before it,
    /// m: a step's end says what a body's speed is, so one that flies for most of a step and is
    /// stopped then would keep as much of it.
    pub flight: f64,
}

/// Why a step could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The input is not what the crate takes.
    #[error(transparent)]
    Input(#[from] patch_ccd::Error),
    #[error("the matrix of a Newton step is singular")]
    Singular,
    #[error("the structure of the matrix could not be factored: {0:?}")]
    Structure(faer::sparse::FaerError),
}

/// A sheet and a solid that move.
pub struct Simulation {
    pub surfaces: Surfaces,
    pub settings: Settings,
    pub q: Vec<Vector3<f64>>,
    pub velocity: Vec<Vector3<f64>>,
    pub time: f64,
    fixed: Vec<bool>,
    pattern: Pattern,
    mass: Matrix,
    weights: Vec<f64>,
    detector: Detector,
}

impl Simulation {
    pub fn new(
        sheet: Sheet,
        nodes: &[HermiteNode],
        solid: Solid,
        settings: Settings,
    ) -> Result<Self, StepError> {
        let half = 0.5 * sheet.material.thickness;
        let surfaces = Surfaces::new(sheet, solid)?;
        let mut q = unknowns(nodes);
        q.resize(surfaces.node_count() * KINDS, Vector3::zeros());
        // A solid has no tangents and no twist.
        let sheet_unknowns = surfaces.sheet.node_count() * KINDS;
        let fixed = (0..q.len()).map(|k| k > sheet_unknowns).collect();
        let mut weights = vec![0.0; q.len()];
        surfaces.sheet.add_weights(&mut weights);
        if let Some(mass) = surfaces.solid.mass {
            weights[sheet_unknowns] = mass;
        }
        let (pattern, mass) = structure(&surfaces, &BTreeSet::new())?;
        Ok(Self {
            velocity: vec![Vector3::zeros(); q.len()],
            detector: Detector::new([half, 2.0 * half]),
            time: 0.0,
            surfaces,
            settings,
            q,
            fixed,
            pattern,
            mass,
            weights,
        })
    }

    /// The distances that are never undercut: of the sheet's middle surface from the solid, and
    /// from itself.
    pub fn separations(&self) -> [f64; 2] {
        self.detector.separations
    }

    /// Holds a node's position.
    pub fn pin(&mut self, node: usize) {
        self.fixed[node * KINDS] = true;
    }

    /// Holds all of a node: its position, and the slopes of the sheet there.
    pub fn clamp(&mut self, node: usize) {
        self.fixed[node * KINDS..(node + 1) * KINDS].fill(true);
    }

    /// The position of a node.
    pub fn position(&self, node: usize) -> Vector3<f64> {
        self.q[node * KINDS]
    }

    /// Sets the velocity of the solid.
    pub fn shoot(&mut self, velocity: Vector3<f64>) {
        let unknown = self.surfaces.sheet.node_count() * KINDS;
        if let Some(of_solid) = self.velocity.get_mut(unknown) {
            *of_solid = velocity;
        }
    }

    pub fn solid_velocity(&self) -> Vector3<f64> {
        let unknown = self.surfaces.sheet.node_count() * KINDS;
        self.velocity.get(unknown).copied().unwrap_or_default()
    }
}

/// The structure of the matrices with these groups of nodes coupled too, and the mass matrix.
fn structure(
    surfaces: &Surfaces,
    coupled: &BTreeSet<Vec<usize>>,
) -> Result<(Pattern, Matrix), StepError> {
    let groups = surfaces
        .sheet
        .groups()
        .chain(coupled.iter().map(Vec::as_slice));
    let pattern = Pattern::new(surfaces.node_count(), groups).map_err(StepError::Structure)?;
    let mut mass = Matrix::zeros(&pattern);
    surfaces.sheet.add_mass(&pattern, &mut mass);
    if let Some(of_solid) = surfaces.solid.mass {
        let node = surfaces.sheet.node_count();
        mass.add_group(&pattern, &[node], |a, b| {
            nalgebra::Matrix3::identity() * if a == 0 && b == 0 { of_solid } else { 0.0 }
        });
    }
    Ok((pattern, mass))
}
