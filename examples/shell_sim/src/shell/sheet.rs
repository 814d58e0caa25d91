//! A shell of many elements.

use nalgebra::{Matrix3, Point3, Vector3};
use patch_ccd::geometry::{HermiteGrid, HermiteNode};
use rayon::prelude::*;

use super::density::{Material, Part};
use super::element::{Element, POINTS, Strain, Viscous};
use super::system::{Matrix, Pattern};

/// Vectors to a node: position, tangent along u, tangent along v, twist.
pub const KINDS: usize = 4;

/// A shell's elements, at rest in a shape of its own.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub grid: HermiteGrid,
    pub material: Material,
    elements: Vec<Element>,
}

/// What a step's viscosity needs of its start.
#[derive(Clone, Debug)]
pub struct StepStart {
    strains: Vec<Strain>,
    /// Time constant of viscosity over that of the step.
    factor: f64,
}

impl Sheet {
    /// A shell of elements of these widths along u and along v, without stress with these nodes.
    pub fn new(
        widths: [Vec<f64>; 2],
        rest: &[HermiteNode],
        material: Material,
    ) -> Result<Self, patch_ccd::Error> {
        let grid = HermiteGrid::new(&widths[0], &widths[1])?;
        grid.points(rest)?;
        let rest = unknowns(rest);
        let elements = (0..).map_while(|k| {
            let (nodes, widths) = (grid.nodes_of(k)?, grid.widths_of(k)?);
            Some(Element::new(nodes, widths, &rest))
        });
        Ok(Self {
            material,
            elements: elements.collect(),
            grid,
        })
    }

    /// A flat rectangle in the plane of x and y, from this corner on, with u along x.
    pub fn flat(
        [a, b]: [usize; 2],
        [width, height]: [f64; 2],
        corner: Point3<f64>,
        material: Material,
    ) -> Result<(Self, Vec<HermiteNode>), patch_ccd::Error> {
        let (along_u, along_v) = (width / a as f64, height / b as f64);
        let node = |i: usize, j: usize| HermiteNode {
            position: corner + Vector3::new(i as f64 * along_u, j as f64 * along_v, 0.0),
            along_u: Vector3::x(),
            along_v: Vector3::y(),
            twist: Vector3::zeros(),
        };
        let nodes: Vec<_> = (0..=a)
            .flat_map(|i| (0..=b).map(move |j| node(i, j)))
            .collect();
        let sheet = Self::new([vec![along_u; a], vec![along_v; b]], &nodes, material)?;
        Ok((sheet, nodes))
    }

    pub fn node_count(&self) -> usize {
        let [a, b] = self.grid.nodes();
        a * b
    }

    /// The nodes of each element.
    pub fn groups(&self) -> impl Iterator<Item = &[usize]> {
        self.elements.iter().map(|element| &element.nodes[..])
    }

    pub fn elastic_energy(&self, q: &[Vector3<f64>]) -> f64 {
        self.energy(q, |_| None)
    }

    fn energy<'a>(
        &self,
        q: &[Vector3<f64>],
        viscous: impl Fn(usize) -> Option<Viscous<'a>> + Sync,
    ) -> f64 {
        let elements = self.elements.par_iter().enumerate();
        let energies = elements.map(|(k, element)| element.energy(q, &self.material, viscous(k)));
        // Collected first, so that the order of the sum does not depend on the threads.
        energies.collect::<Vec<_>>().iter().sum()
    }

    /// What viscosity of this time constant, in seconds, needs to know of the start of a step.
    pub fn start_step(&self, q: &[Vector3<f64>], viscosity: f64, dt: f64) -> StepStart {
        let strains = self.elements.iter().flat_map(|element| element.strains(q));
        StepStart {
            strains: strains.collect(),
            factor: viscosity / dt,
        }
    }

    /// Elastic energy, and the viscous potential of the step.
    pub fn potential(&self, q: &[Vector3<f64>], start: &StepStart) -> f64 {
        self.energy(q, |k| Some(start.of(k)))
    }

    /// Adds the derivatives of [`Sheet::potential`].
    pub fn add_derivatives(
        &self,
        q: &[Vector3<f64>],
        start: &StepStart,
        part: Part,
        gradient: &mut [Vector3<f64>],
        pattern: &Pattern,
        matrix: &mut Matrix,
    ) {
        let elements = self.elements.par_iter().enumerate();
        let parts: Vec<_> = elements
            .map(|(k, element)| element.derivatives(q, &self.material, start.of(k), part))
            .collect();
        for (element, (by, block)) in self.elements.iter().zip(&parts) {
            for (i, part) in by.iter().enumerate() {
                gradient[element.nodes[i / KINDS] * KINDS + i % KINDS] += part;
            }
            matrix.add_group(pattern, &element.nodes, |a, b| block[a][b]);
        }
    }

    /// The consistent mass matrix.
    pub fn add_mass(&self, pattern: &Pattern, matrix: &mut Matrix) {
        let density = self.material.area_density();
        for element in &self.elements {
            let products = element.products();
            matrix.add_group(pattern, &element.nodes, |a, b| {
                Matrix3::identity() * (density * products[a][b])
            });
        }
    }

    /// How much each unknown weighs, in kilograms: the centre of mass is their weighted sum over
    /// the mass.
    pub fn add_weights(&self, weights: &mut [f64]) {
        for element in &self.elements {
            for (i, integral) in element.integrals().iter().enumerate() {
                weights[element.nodes[i / KINDS] * KINDS + i % KINDS] +=
                    self.material.area_density() * integral;
            }
        }
    }
}

impl StepStart {
    fn of(&self, element: usize) -> Viscous<'_> {
        Viscous {
            before: &self.strains[element * POINTS..(element + 1) * POINTS],
            factor: self.factor,
        }
    }
}

/// The vectors of some nodes.
pub fn unknowns(nodes: &[HermiteNode]) -> Vec<Vector3<f64>> {
    nodes
        .iter()
        .flat_map(|node| [node.position.coords, node.along_u, node.along_v, node.twist])
        .collect()
}

/// The nodes of some vectors.
pub fn nodes(unknowns: &[Vector3<f64>]) -> Vec<HermiteNode> {
    unknowns
        .chunks_exact(KINDS)
        .map(|of| HermiteNode {
            position: Point3::from(of[0]),
            along_u: of[1],
            along_v: of[2],
            twist: of[3],
        })
        .collect()
}
