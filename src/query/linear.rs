//! Vertices, edges and triangles that move linearly: the queries of a cloth simulator.
//!
//! With [`Options::exact`] and without minimum separation they are decided exactly, without a
//! search.
//!
//! The plain functions work in memory that each thread keeps between calls. Otherwise these are
//! queries of patches of degree 0 and 1: the same search with two parameters instead of four, and
//! the same options, outcome and guarantees. The order of points is that of Tight-Inclusion and
//! ipctk, first all points at t = 0, then the same at t = 1.

use std::cell::RefCell;

use nalgebra::{Point3, Vector3};

use super::workspace::batch;
use super::{Outcome, Workspace};
use crate::Error;
use crate::geometry::{Shape, check_finite};
use crate::motion::MotionView;
use crate::options::Options;

/// The points of a linear query at the start of the step and at its end: `[start, end]`.
pub type Step<const N: usize> = [[Point3<f64>; N]; 2];

pub(crate) const VERTEX: Shape = Shape::TensorProduct { n: 0, m: 0 };
pub(crate) const EDGE: Shape = Shape::TensorProduct { n: 1, m: 0 };
pub(crate) const FACE: Shape = Shape::Triangular { n: 1 };

thread_local! {
    /// What the free functions work in, so that they do not allocate.
    pub(super) static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

macro_rules! linear_queries {
    ($($(#[$doc:meta])* $name:ident, $batch:ident, $points:literal: $first:ident, $second:ident;)+) => {
        $(
            $(#[$doc])*
            pub fn $name(step: &Step<$points>, options: &Options) -> Result<Outcome, Error> {
                WORKSPACE.with_borrow_mut(|workspace| workspace.$name(step, options))
            }

            #[doc = concat!("[`", stringify!($name), "`] of many steps at once: the same answers, in the order given.")]
            ///
            /// In parallel with the feature `rayon`.
            pub fn $batch(steps: &[Step<$points>], options: &Options) -> Vec<Result<Outcome, Error>> {
                batch(steps, |workspace, step| workspace.$name(step, options))
            }
        )+

        impl Workspace {
            $(
                #[doc = concat!("[`", stringify!($name), "`] in this workspace's memory.")]
                ///
                /// # Errors
                /// As there.
                pub fn $name(&mut self, step: &Step<$points>, options: &Options) -> Result<Outcome, Error> {
                    self.linear(step, [$first, $second], options)
                }
            )+
        }
    };
}

linear_queries! {
    /// The time of impact of two moving edges.
    ///
    /// Order of the points: a0, a1, b0, b1. In the contact, (u, 0) is a0 + u (a1 − a0) and b0 + u
    /// (b1 − b0).
    ///
    /// # Errors
    /// A coordinate that is not finite; an option out of range.
    ///
    /// ```
    /// use patch_ccd::{Options, edge_edge};
    /// use nalgebra::point;
    /// let (b0, b1) = (point![0.25, -1.0, 0.0], point![0.25, 1.0, 0.0]);
    /// let start = [point![0.0, 0.0, 1.0], point![1.0, 0.0, 1.0], b0, b1];
    /// let end = [point![0.0, 0.0, -1.0], point![1.0, 0.0, -1.0], b0, b1];
    /// let outcome = edge_edge(&[start, end], &Options::default())?;
    /// let toi = outcome.toi().unwrap();
    /// assert!(toi <= 0.5 && toi > 0.5 - 1e-6);
    /// let [(a, _), (b, _)] = outcome.contact().unwrap().parameters;
    /// assert!((a - 0.25).abs() < 1e-6 && (b - 0.5).abs() < 1e-6);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    edge_edge, edge_edge_batch, 4: EDGE, EDGE;

    /// The time of impact of a moving vertex and a moving triangle.
    ///
    /// Order of the points: v, f0, f1, f2. In the contact, (u, v) is f0 + u (f1 − f0) + v (f2 −
    /// f0), so the barycentric coordinates are (1 − u − v, u, v); see
    /// [`Contact::barycentric`](crate::Contact::barycentric).
    ///
    /// # Errors
    /// A coordinate that is not finite; an option out of range.
    ///
    /// ```
    /// use patch_ccd::{Options, vertex_face};
    /// use nalgebra::point;
    /// let face = [point![0.0, 0.0, 0.0], point![1.0, 0.0, 0.0], point![0.0, 1.0, 0.0]];
    /// let at = |z| [point![0.25, 0.25, z], face[0], face[1], face[2]];
    /// let outcome = vertex_face(&[at(0.75), at(-0.25)], &Options::default())?;
    /// assert!(outcome.toi().is_some_and(|toi| toi <= 0.75 && toi > 0.75 - 1e-6));
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    vertex_face, vertex_face_batch, 4: VERTEX, FACE;

    /// The time of impact of a moving vertex and a moving edge; of interest with minimum
    /// separation.
    ///
    /// Order of the points: v, e0, e1. In the contact, (u, 0) is e0 + u (e1 − e0).
    ///
    /// # Errors
    /// A coordinate that is not finite; an option out of range.
    vertex_edge, vertex_edge_batch, 3: VERTEX, EDGE;

    /// The time of impact of two moving vertices; of interest with minimum separation.
    ///
    /// # Errors
    /// A coordinate that is not finite; an option out of range.
    vertex_vertex, vertex_vertex_batch, 2: VERTEX, VERTEX;
}

impl Workspace {
    /// A query of two simplices whose points follow each other in `step`.
    fn linear<const N: usize>(
        &mut self,
        [start, end]: &Step<N>,
        shapes: [Shape; 2],
        options: &Options,
    ) -> Result<Outcome, Error> {
        check_finite("point at the start", start.iter().map(|p| &p.coords))?;
        check_finite("point at the end", end.iter().map(|p| &p.coords))?;
        let velocities: [Vector3<f64>; N] = std::array::from_fn(|i| end[i] - start[i]);
        check_finite("end − start of point", &velocities)?;
        let first = shapes[0].count();
        let view = |shape, points: std::ops::Range<usize>| MotionView {
            shape,
            points: &start[points.clone()],
            velocities: &velocities[points.clone()],
            ends: Some(&end[points]),
            weights: None,
        };
        self.query(
            &[view(shapes[0], 0..first), view(shapes[1], first..N)],
            options,
        )
    }
}
