//! One picture of a scene, by software.
//!
//! Triangles are clipped, scanned and z-buffered by `retrofire-core`, which is kept, has no
//! dependencies and no `unsafe`, and takes shaders as closures. `euc`, the other such crate, has
//! had no release since 2021, and painting triangles sorted by depth with a 2D crate would go wrong
//! just where two surfaces nearly touch. What is left to do here is to say what colour a point has.
//! Edges are smooth because the picture is drawn larger and then reduced.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::Patch;
use retrofire_core::geom::{Tri, vertex};
use retrofire_core::math::{Color4, Vec2, Vec3, pt2, pt3, rgba, vec2, vec3, viewport};
use retrofire_core::render::{Colorbuf, Context, Frag, Framebuf, View, render, shader};
use retrofire_core::util::pixfmt::Rgba8888;
use retrofire_core::util::{Buf2, Dims};

use super::camera::Camera;
use super::picture::{Colour, Picture, mix};
use super::shadow::Shadow;
use super::tessellation::{Corner, Tessellation};
use super::{Mark, Role, Surface};

/// Pixels drawn for one of the picture, across and down.
const SAMPLES: usize = 3;
/// Half the width of lines where patches meet, in pixels of the picture.
const HALF_LINE: f64 = 0.6;
/// How much nearer shells are drawn, as a part of the distance: or flat triangles of a body, off
/// its curved surface, would come through a shell that lies on it.
const LIFT: f64 = 1e-3;
const TOP: Colour = [250.0, 251.0, 252.0];
const BOTTOM: Colour = [226.0, 231.0, 236.0];
const WHITE: Colour = [255.0; 3];
const MARK: Colour = [230.0, 20.0, 20.0];
/// Radius of a contact without force and of that with the greatest, in pixels.
const RADII: [f64; 2] = [1.2, 3.8];
/// The part of the lamp's light that gets into its shadow, by way of everything else: without it
/// forms are lost there.
const IN_SHADOW: f64 = 0.4;
/// How much a shell hides of a body behind it. A cloth that hid all of what it falls on would soon
/// be all that there is to see.
const OPACITY: f64 = 0.4;
/// Towards the lamp, seen from the eye: over the left shoulder.
const LAMP: [f64; 3] = [-0.5, 0.75, -0.45];

/// What is interpolated over a triangle: place, normal, and the distances to the sides, as in
/// [`Corner`].
type Varying = (Vec3, (Vec3, (Vec2, Vec2)));

/// How a surface looks at a point.
struct Paint<'a> {
    colour: Colour,
    role: Role,
    eye: Point3<f64>,
    shadow: &'a Shadow,
    /// At distance 1.
    half_line: f64,
}

/// The scene as the camera sees it. Radii of marks are relative to the greatest force.
pub(crate) fn picture(
    camera: &Camera,
    size: [usize; 2],
    surfaces: &[Surface],
    marks: &[Mark],
    greatest_force: f64,
) -> Picture {
    let tessellations: Vec<_> = surfaces
        .iter()
        .map(|surface| Tessellation::new(surface, camera, size))
        .collect();
    let of = |roles: &'static [Role]| {
        let both = surfaces.iter().zip(&tessellations);
        both.filter(|(surface, _)| roles.contains(&surface.role))
    };
    let casting = of(&[Role::Body, Role::Shell]);
    let lit = casting.clone().flat_map(|(surface, _)| &surface.patches);
    let lit = lit.flat_map(|patch| patch.control_points());
    let lamp = Camera::around(lit, camera.in_scene(Vector3::from(LAMP)), 1.0);
    let shadow = Shadow::cast(lamp.clone(), casting.map(|(_, tessellation)| tessellation));
    // Shells leave the bodies under them in the light, or little of those could be seen.
    let of_bodies = of(&[Role::Body]).map(|(_, tessellation)| tessellation);
    let shadow_of_bodies = Shadow::cast(lamp, of_bodies);

    let [width, height] = size.map(|pixels| (pixels * SAMPLES) as u32);
    let dims = Dims(width, height);
    let mut target = Framebuf {
        color_buf: Colorbuf {
            buf: Buf2::new_with(dims, |_, y| background(f64::from(y) / f64::from(height))),
            fmt: Rgba8888,
        },
        // Of 1 / depth.
        depth_buf: Buf2::new_with(dims, |_, _| 0.0_f32),
    };
    let context = Context {
        face_cull: None,
        ..Context::default()
    };
    let projection = camera.projection();
    // Shells come last, so that what is behind them is known.
    let mut in_order: Vec<_> = surfaces.iter().zip(&tessellations).collect();
    in_order.sort_by_key(|(surface, _)| surface.role == Role::Shell);
    let mut behind = None;
    for (surface, tessellation) in in_order {
        if surface.role == Role::Shell && behind.is_none() {
            let colours = target.color_buf.buf.data().to_vec();
            behind = Some((colours, target.depth_buf.data().to_vec()));
        }
        let paint = Paint {
            colour: surface.colour.map(f64::from),
            role: surface.role,
            eye: camera.eye(),
            shadow: match surface.role {
                Role::Body => &shadow_of_bodies,
                Role::Shell | Role::Scenery => &shadow,
            },
            half_line: HALF_LINE * camera.pixel_width(size[0]),
        };
        let lift = if surface.role == Role::Shell {
            LIFT
        } else {
            0.0
        };
        let vertices: Vec<_> = tessellation
            .corners
            .iter()
            .map(|corner| {
                let seen = (1.0 - lift) * camera.seen(corner.place);
                (<[f32; 3]>::from(seen.cast::<f32>()), varying(corner))
            })
            .collect();
        let triangles: Vec<_> = tessellation.triangles.iter().copied().map(Tri).collect();
        render(
            triangles,
            vertices,
            &shader::new(
                |([x, y, z], varying): ([f32; 3], Varying), _: &Paint<'_>| {
                    vertex(projection.apply(&pt3::<_, View>(x, y, z)), varying)
                },
                |fragment: Frag<Varying>, paint: &Paint<'_>| paint.shade(&fragment.var),
            ),
            &paint,
            // Rows are counted downwards.
            viewport(pt2(0, height)..pt2(width, 0)),
            &mut target,
            &context,
        );
    }
    if let Some((colours, depths)) = behind {
        let drawn = target.color_buf.buf.data_mut().iter_mut();
        let before = colours.into_iter().zip(depths);
        for ((colour, &depth), before) in drawn.zip(target.depth_buf.data()).zip(before) {
            let (behind, depth_behind) = before;
            if depth_behind > 0.0 && depth > depth_behind {
                *colour = mixed(*colour, behind, 1.0 - OPACITY);
            }
        }
    }
    let mut picture = reduced(target.color_buf.buf.data(), size);
    // Over everything: contacts are between surfaces and would be hidden.
    for mark in marks {
        if let Some(pixel) = camera.pixel(mark.point, size) {
            let share = if greatest_force > 0.0 {
                (mark.force.norm() / greatest_force).sqrt()
            } else {
                0.0
            };
            let radius = RADII[0] + share.clamp(0.0, 1.0) * (RADII[1] - RADII[0]);
            picture.dot(pixel, radius, MARK);
        }
    }
    picture
}

fn mixed(from: [u8; 4], to: [u8; 4], share: f64) -> [u8; 4] {
    std::array::from_fn(|c| {
        let [from, to] = [from[c], to[c]].map(f64::from);
        (from + share * (to - from)).round() as u8
    })
}

fn background(down: f64) -> [u8; 4] {
    let [r, g, b] = mix(TOP, BOTTOM, down).map(|c| c.round() as u8);
    [r, g, b, 255]
}

fn varying(corner: &Corner) -> Varying {
    let [x, y, z] = corner.place.cast::<f32>().into();
    let [nx, ny, nz] = corner.normal.cast::<f32>().into();
    let [u0, u1, v0, v1] = corner.to_sides.map(|x| x as f32);
    (
        vec3(x, y, z),
        (vec3(nx, ny, nz), (vec2(u0, u1), vec2(v0, v1))),
    )
}

impl Paint<'_> {
    fn shade(&self, (place, (normal, (u, v))): &Varying) -> Color4 {
        let place = Point3::from(place.0).cast::<f64>();
        let normal = Vector3::from(normal.0).cast::<f64>();
        let to_eye = self.eye - place;
        let distance = to_eye.norm();
        let to_eye = to_eye / distance;
        let normal = normal.try_normalize(1e-12).unwrap_or(to_eye);
        let facing = normal.dot(&to_eye);
        let normal = normal * facing.signum();

        let mut colour = self.colour;
        if self.role == Role::Shell {
            if facing < 0.0 {
                colour = mix(colour, WHITE, 0.45);
            }
            if (u.x() < u.y()) != (v.x() < v.y()) {
                colour = mix(colour, WHITE, 0.16);
            }
            let to_side = u.x().min(u.y()).min(v.x()).min(v.y());
            // Narrow patches keep some of their colour.
            let widest = 0.08 * (u.x() + u.y()).min(v.x() + v.y());
            if f64::from(to_side) < (self.half_line * distance).min(f64::from(widest)) {
                colour = mix(colour, [0.0; 3], 0.45);
            }
        }
        let to_lamp = self.shadow.towards_lamp();
        let lamp = normal.dot(&to_lamp).max(0.0);
        let lit = if lamp > 0.0 {
            self.shadow.light(place)
        } else {
            0.0
        };
        let lamp = lamp * (IN_SHADOW + (1.0 - IN_SHADOW) * lit);
        let light = 0.38 + 0.5 * lamp + 0.2 * facing.abs();
        let halfway = (to_lamp + to_eye).normalize();
        let shine = match self.role {
            Role::Body => 60.0,
            Role::Shell => 18.0,
            Role::Scenery => 0.0,
        };
        let gleam = shine * normal.dot(&halfway).max(0.0).powi(30);
        let [r, g, b] = colour.map(|c| (c * light + gleam).clamp(0.0, 255.0) as u8);
        rgba(r, g, b, 255)
    }
}

fn reduced(drawn: &[[u8; 4]], size: [usize; 2]) -> Picture {
    let mut picture = Picture::filled(size, [0; 3]);
    let across = size[0] * SAMPLES;
    for (index, pixel) in picture.pixels.iter_mut().enumerate() {
        let (x, y) = (index % size[0] * SAMPLES, index / size[0] * SAMPLES);
        let mut sums = [0_usize; 3];
        for row in y..y + SAMPLES {
            let start = row * across + x;
            for sample in &drawn[start..start + SAMPLES] {
                for (sum, &channel) in sums.iter_mut().zip(sample) {
                    *sum += usize::from(channel);
                }
            }
        }
        *pixel = sums.map(|sum| (sum / (SAMPLES * SAMPLES)) as u8);
    }
    picture
}
