//! NURBS surfaces and curves in motion, split into moving Bézier patches.

use nalgebra::{Point3, Vector3};

use super::Moving;
use crate::Error;
use crate::geometry::{AnyPatch, NurbsCurve, NurbsPatch, NurbsSurface, check_count, check_finite};

impl NurbsSurface {
    /// The Bézier patches of the moving surface whose control points are these at t = 0 and have
    /// one velocity each. Velocities are Euclidean, in the order of the control points and per unit
    /// of time; the horizon is [`t_max`](crate::Options::t_max).
    ///
    /// # Errors
    /// A wrong number of velocities; a coordinate that is not finite; a control point that rounds
    /// to infinity.
    ///
    /// ```
    /// use patch_ccd::geometry::{KnotVector, NurbsSurface};
    /// use nalgebra::{point, vector};
    /// let along_u = KnotVector::new(1, &[0.0, 0.0, 2.0, 3.0, 3.0])?;
    /// let along_v = KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0])?;
    /// let points = [0.0, 2.0, 3.0].map(|x| [point![x, 0.0, 0.0], point![x, 1.0, 0.0]]).concat();
    /// let surface = NurbsSurface::new([along_u, along_v], &points, None)?;
    /// let moving = surface.split_moving(&[vector![0.0, 0.0, 1.0]; 6])?;
    /// let (u, v) = moving[1].span.map(0.5, 0.5);
    /// assert_eq!((u, v), (2.5, 0.5));
    /// let lifted = surface.eval(u, v) + vector![0.0, 0.0, 2.0];
    /// assert_eq!(moving[1].patch.eval(0.5, 0.5, 2.0), lifted);
    /// # Ok::<(), patch_ccd::Error>(())
    /// ```
    pub fn split_moving(
        &self,
        velocities: &[Vector3<f64>],
    ) -> Result<Vec<NurbsPatch<Moving<AnyPatch>>>, Error> {
        let extraction = self.extraction();
        let net = extraction.points(&self.points)?;
        let velocities = extraction.velocities(velocities)?;
        let patches = extraction.patches(&net).map(|patch| {
            let (NurbsPatch { patch, span }, indices) = patch?;
            let velocities: Vec<_> = indices.iter().map(|&i| velocities[i as usize]).collect();
            let patch = Moving::with_velocities(patch, &velocities)?;
            Ok(NurbsPatch { patch, span })
        });
        patches.collect()
    }

    /// The Bézier patches of the moving surface whose control points are these at t = 0 and `end`
    /// at t = 1, in the same order.
    ///
    /// # Errors
    /// A wrong number of end points; an end point that is not finite, or farther from its start
    /// than doubles reach; a control point that rounds to infinity.
    pub fn split_between(
        &self,
        end: &[Point3<f64>],
    ) -> Result<Vec<NurbsPatch<Moving<AnyPatch>>>, Error> {
        check_count("end points", &self.net, self.net.count(), end.len())?;
        check_finite("end point", end.iter().map(|p| &p.coords))?;
        let motion = self.points.iter().zip(end).map(|(p, q)| q - p);
        let velocities: Vec<_> = motion.collect();
        check_finite("end − start of control point", &velocities)?;
        self.split_moving(&velocities)
    }
}

impl NurbsCurve {
    /// The Bézier curves of the moving curve whose control points are these at t = 0 and have one
    /// velocity each; see [`NurbsSurface::split_moving`].
    ///
    /// # Errors
    /// The same as the surface's: a wrong number of points or velocities; a coordinate that is not
    /// finite; a control point that rounds to infinity.
    pub fn split_moving(
        &self,
        velocities: &[Vector3<f64>],
    ) -> Result<Vec<NurbsPatch<Moving<AnyPatch>>>, Error> {
        self.surface.split_moving(velocities)
    }

    /// The Bézier curves of the moving curve whose control points are these at t = 0 and `end` at
    /// t = 1; see [`NurbsSurface::split_between`].
    ///
    /// # Errors
    /// The same as the surface's: a wrong number of points or velocities; a coordinate that is not
    /// finite; a control point that rounds to infinity.
    pub fn split_between(
        &self,
        end: &[Point3<f64>],
    ) -> Result<Vec<NurbsPatch<Moving<AnyPatch>>>, Error> {
        self.surface.split_between(end)
    }
}
