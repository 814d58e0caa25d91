//! What a lamp does not reach: a picture of depths from the lamp, compared with how far from it a
//! point is.

use nalgebra::{Point3, Vector3};
use retrofire_core::geom::{Tri, vertex};
use retrofire_core::math::{Color4, pt2, pt3, rgba, viewport};
use retrofire_core::render::{Colorbuf, Context, Frag, Framebuf, View, render, shader};
use retrofire_core::util::pixfmt::Rgba8888;
use retrofire_core::util::{Buf2, Dims};

use super::camera::Camera;
use super::tessellation::Tessellation;

const SIZE: usize = 1024;
/// How much farther from the lamp than what it sees a point must be to lie in shadow, as a part of
/// the distance: triangles are flat, and pixels wide.
const MARGIN: f64 = 2e-3;

pub(crate) struct Shadow {
    lamp: Camera,
    /// 1 / depth, row by row.
    depths: Vec<f32>,
}

impl Shadow {
    pub(crate) fn cast<'a>(lamp: Camera, surfaces: impl Iterator<Item = &'a Tessellation>) -> Self {
        let side = SIZE as u32;
        let dims = Dims(side, side);
        let mut target = Framebuf {
            color_buf: Colorbuf {
                buf: Buf2::new_with(dims, |_, _| [0_u8; 4]),
                fmt: Rgba8888,
            },
            depth_buf: Buf2::new_with(dims, |_, _| 0.0_f32),
        };
        let context = Context {
            face_cull: None,
            color_write: false,
            ..Context::default()
        };
        let projection = lamp.projection();
        for surface in surfaces {
            let places: Vec<_> = surface
                .corners
                .iter()
                .map(|corner| <[f32; 3]>::from(lamp.seen(corner.place).cast::<f32>()))
                .collect();
            let triangles: Vec<_> = surface.triangles.iter().copied().map(Tri).collect();
            render(
                triangles,
                places,
                &shader::new(
                    |[x, y, z]: [f32; 3], (): ()| {
                        vertex(projection.apply(&pt3::<_, View>(x, y, z)), 0.0_f32)
                    },
                    |_: Frag<f32>, (): ()| -> Color4 { rgba(0, 0, 0, 0) },
                ),
                (),
                viewport(pt2(0, side)..pt2(side, 0)),
                &mut target,
                &context,
            );
        }
        Self {
            lamp,
            depths: target.depth_buf.data().to_vec(),
        }
    }

    /// The unit vector towards the lamp.
    pub(crate) fn towards_lamp(&self) -> Vector3<f64> {
        self.lamp.towards_eye()
    }

    /// How much of the lamp's light arrives, from 0 to 1; a point beyond what the lamp looks at is
    /// lit.
    pub(crate) fn light(&self, place: Point3<f64>) -> f64 {
        let Some([x, y]) = self.lamp.pixel(place, [SIZE, SIZE]) else {
            return 1.0;
        };
        let depth = self.lamp.seen(place).z * (1.0 - MARGIN);
        let (column, row) = (x.floor(), y.floor());
        // Of nine pixels, those at the border as far as they overlap with a square of two pixels
        // around the point.
        let share = [0.5 * (1.0 - (x - column)), 0.5, 0.5 * (x - column)];
        let share_down = [0.5 * (1.0 - (y - row)), 0.5, 0.5 * (y - row)];
        let mut light = 0.0;
        for (down, weight_down) in (-1..=1).zip(share_down) {
            for (across, weight) in (-1..=1).zip(share) {
                let nearest = self.at(column as i64 + across, row as i64 + down);
                if f64::from(nearest) * depth <= 1.0 {
                    light += weight * weight_down;
                }
            }
        }
        light
    }

    fn at(&self, column: i64, row: i64) -> f32 {
        let inside = |index: i64| usize::try_from(index).ok().filter(|&index| index < SIZE);
        match (inside(column), inside(row)) {
            (Some(column), Some(row)) => self.depths[row * SIZE + column],
            _ => 0.0,
        }
    }
}
