//! Vertices, edges and triangles whose points move linearly: the queries of a cloth simulator.
//!
//! They are queries of patches of degree 0 and 1, with the same options, outcomes and guarantees as
//! other patches. The search is the same, too, but has at most two parameters instead of four.
//! With [`Options::exact`] and without minimum separation they are decided exactly, without a
//! search.
//!
//! The order of the points is that of Tight-Inclusion and ipctk: first all points at t = 0, then
//! the same points at t = 1. The free functions use a workspace that each thread keeps between
//! calls.

use std::cell::RefCell;

use nalgebra::{Point3, Vector3};

use super::workspace::batch;
use super::{Outcome, Workspace};
use crate::Error;
use crate::geometry::{Shape, check_finite};
use crate::motion::{LinearMotion, MotionOfView, MotionView};
use crate::options::Options;

/// The N points of a linear query: `[start, end]`, at t = 0 and at t = 1. The order of the points
/// is the same at both times, and each query says which it is.
///
/// Between the two times, and after t = 1 if [`Options::t_max`] is larger than 1, every point moves
/// along the straight line from its start to its end at constant velocity.
pub type Step<const N: usize> = [[Point3<f64>; N]; 2];

thread_local! {
    /// The workspace of the free functions, so that they do not allocate scratch in each call.
    pub(super) static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

macro_rules! linear_queries {
    ($(
        $(#[$doc:meta])*
        $name:ident, $batch:ident, $points:literal: $first:ident, $second:ident;
    )+) => {
        $(
            $(#[$doc])*
            pub fn $name(step: &Step<$points>, options: &Options) -> Result<Outcome, Error> {
                WORKSPACE.with_borrow_mut(|workspace| workspace.$name(step, options))
            }

            #[doc = concat!("[`", stringify!($name), "`] of many steps at once.")]
            ///
            /// There is one answer for each step, in the order of the steps. It is the same as that
            /// of a single call, errors included. With the feature `rayon` the steps are solved in
            /// parallel.
            pub fn $batch(
                steps: &[Step<$points>],
                options: &Options,
            ) -> Vec<Result<Outcome, Error>> {
                batch(steps, |workspace, step| workspace.$name(step, options))
            }
        )+

        impl Workspace {
            $(
                #[doc = concat!("[`", stringify!($name), "`] with this workspace's scratch space.")]
                ///
                /// # Errors
                #[doc = concat!("The same as [`", stringify!($name), "`]'s.")]
                pub fn $name(
                    &mut self,
                    step: &Step<$points>,
                    options: &Options,
                ) -> Result<Outcome, Error> {
                    self.linear(step, [Shape::$first, Shape::$second], options)
                }
            )+
        }
    };
}

linear_queries! {
    /// The time of impact of two moving edges.
    ///
    /// The points are a0, a1, b0, b1: the ends of the first edge, then those of the second one. The
    /// parameters (u, 0) of the contact stand for a0 + u (a1 − a0) on the first edge and for
    /// b0 + u (b1 − b0) on the second one.
    ///
    /// # Errors
    /// - [`Error::NonFinite`] if a coordinate is NaN or infinite, or the displacement of a point is
    ///   too large for a double.
    /// - [`Error::Option`] if an option is out of its range.
    /// - [`Error::Patch`] if a point leaves the range of doubles before `t_max`.
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
    /// The points are p, f0, f1, f2: the vertex, then the corners of the triangle. The parameters
    /// (u, v) of the contact on the triangle stand for f0 + u (f1 − f0) + v (f2 − f0), so its
    /// barycentric coordinates are (1 − u − v, u, v); see
    /// [`Contact::barycentric`](crate::Contact::barycentric).
    ///
    /// # Errors
    /// - [`Error::NonFinite`] if a coordinate is NaN or infinite, or the displacement of a point is
    ///   too large for a double.
    /// - [`Error::Option`] if an option is out of its range.
    /// - [`Error::Patch`] if a point leaves the range of doubles before `t_max`.
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

    /// The time of impact of a moving vertex and a moving edge. It is mostly of interest with a
    /// minimum separation.
    ///
    /// The points are p, e0, e1: the vertex, then the ends of the edge. The parameters (u, 0) of
    /// the contact on the edge stand for e0 + u (e1 − e0).
    ///
    /// # Errors
    /// - [`Error::NonFinite`] if a coordinate is NaN or infinite, or the displacement of a point is
    ///   too large for a double.
    /// - [`Error::Option`] if an option is out of its range.
    /// - [`Error::Patch`] if a point leaves the range of doubles before `t_max`.
    vertex_edge, vertex_edge_batch, 3: VERTEX, EDGE;

    /// The time of impact of two moving vertices. It is mostly of interest with a minimum
    /// separation.
    ///
    /// The points are p, q: the first vertex, then the second one.
    ///
    /// # Errors
    /// - [`Error::NonFinite`] if a coordinate is NaN or infinite, or the displacement of a point is
    ///   too large for a double.
    /// - [`Error::Option`] if an option is out of its range.
    /// - [`Error::Patch`] if a point leaves the range of doubles before `t_max`.
    vertex_vertex, vertex_vertex_batch, 2: VERTEX, VERTEX;
}

impl Workspace {
    /// A query of two simplices. In `step` the points of the first one come first, then those of
    /// the second one.
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
            motion: MotionOfView::Linear(LinearMotion {
                velocities: &velocities[points.clone()],
                ends: Some(&end[points]),
            }),
            weights: None,
        };
        self.query(
            &[view(shapes[0], 0..first), view(shapes[1], first..N)],
            options,
        )
    }
}
