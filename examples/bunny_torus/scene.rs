//! The bodies, and how they fly.

use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use nalgebra::{Point3, Rotation3, Unit, Vector3, point, vector};
use patch_ccd::geometry::Shape;
use patch_ccd::mesh::PatchMesh;
use support::obj;

/// Frames, and seconds that each of them takes.
pub(crate) const FRAMES: usize = 50;
pub(crate) const FRAME_SECONDS: f64 = 0.02;

/// Points and the triangles between them.
type Triangles = (Vec<Point3<f64>>, Vec<[u32; 3]>);

/// A mesh that flies, falls and turns.
pub(crate) struct Body {
    pub(crate) mesh: PatchMesh,
    pub(crate) points: Vec<Point3<f64>>,
    /// How often each point counts in the mean that the body turns about.
    counts: Vec<f64>,
    velocity: Vector3<f64>,
    axis: Unit<Vector3<f64>>,
    turn: f64,
}

impl Body {
    /// The mean over the control points of all patches.
    fn middle(&self) -> Point3<f64> {
        let total: f64 = self.counts.iter().sum();
        let weighted = self.points.iter().zip(&self.counts);
        let sum: Vector3<f64> = weighted.map(|(p, &count)| p.coords * count).sum();
        Point3::from(sum / total)
    }

    fn rotate(&mut self, axis: Unit<Vector3<f64>>, angle: f64) {
        let (middle, rotation) = (self.middle(), Rotation3::from_axis_angle(&axis, angle));
        for p in &mut self.points {
            *p = middle + rotation * (*p - middle);
        }
    }

    fn shift(&mut self, by: Vector3<f64>) {
        self.points.iter_mut().for_each(|p| *p += by);
    }

    /// Moves on by one frame; within it every control point goes straight from where it was to
    /// where it is then.
    pub(crate) fn advance(&mut self, frame: usize) {
        let seconds = (frame + 1) as f64 * FRAME_SECONDS;
        self.shift(FRAME_SECONDS * (self.velocity + seconds * vector![0.0, -9.8, 0.0]));
        self.rotate(self.axis, FRAME_SECONDS * self.turn);
    }
}

/// The bunny, or what stands in for it, at (8, 0, 0).
pub(crate) fn flyer(obj: Option<&Path>) -> Result<Body, Box<dyn Error>> {
    let (points, faces) = match obj {
        Some(path) => read_obj(path)?,
        None => bumpy_ball(),
    };
    let mut counts = vec![0.0; points.len()];
    faces
        .iter()
        .flatten()
        .for_each(|&at| counts[at as usize] += 1.0);
    let mut body = Body {
        mesh: PatchMesh::from_triangles(points.len(), &faces)?,
        points,
        counts,
        velocity: vector![-16.0, 0.0, 0.0],
        axis: Unit::new_unchecked(vector![
            0.747_660_220_227_523_5_f64,
            -0.232_123_854_881_471_1,
            0.622_191_859_267_073_1
        ]),
        turn: FRAC_PI_2,
    };
    let middle = body.middle();
    body.shift(point![8.0, 0.0, 0.0] - middle);
    Ok(body)
}

/// A torus of 16 rational biquadratic patches, R = 2 and r = 1, upright at (−8, 0, 0).
pub(crate) fn torus() -> Result<Body, Box<dyn Error>> {
    // Control points of a quarter of the unit circle, and their weights.
    let arc = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let weights = [1.0, 0.5_f64.sqrt(), 1.0];
    let turned = |(x, y): (f64, f64), quarter: usize| match quarter {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    };
    // Half turns of both circles in steps of an eighth: every second point is on the circle.
    let ring = |k: usize| turned(arc[k % 2], (k / 2) % 4);
    let points = (0..64).map(|k| {
        let ((c, s), (a, b)) = (ring(k / 8), ring(k % 8));
        point![(2.0 + a) * c, (2.0 + a) * s, b]
    });
    let mut mesh = PatchMesh::new(64);
    let shape = Shape::TensorProduct { n: 2, m: 2 };
    for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
        let at = |k: usize| ((2 * i + k / 3) % 8 * 8 + (2 * j + k % 3) % 8) as u32;
        let net: [u32; 9] = std::array::from_fn(at);
        let weights: [f64; 9] = std::array::from_fn(|k| weights[k / 3] * weights[k % 3]);
        mesh.add(shape, &net, Some(&weights))?;
    }
    let mut counts = vec![0.0; 64];
    let nets = mesh.patches().flat_map(|patch| patch.points.iter());
    nets.for_each(|&at| counts[at as usize] += 1.0);
    let mut body = Body {
        points: points.collect(),
        mesh,
        counts,
        velocity: vector![16.0, 0.0, 0.0],
        axis: Unit::new_unchecked(vector![
            0.504_459_205_256_840_5_f64,
            0.695_815_828_098_400_8,
            -0.511_235_017_970_574_5
        ]),
        turn: -FRAC_PI_2,
    };
    let middle = body.middle();
    body.shift(point![-8.0, 0.0, 0.0] - middle);
    body.rotate(Vector3::x_axis(), -FRAC_PI_2);
    Ok(body)
}

/// The triangles of an OBJ file.
fn read_obj(path: &Path) -> Result<Triangles, String> {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (points, faces) = obj::read(&text, path.display())?;
    Ok((points.into_iter().map(Point3::from).collect(), faces))
}

/// An octahedron whose faces are split into 36 each, drawn onto a ball of radius 2 with bumps: 288
/// triangles.
fn bumpy_ball() -> Triangles {
    const PIECES: i32 = 6;
    let mut points: Vec<[i32; 3]> = Vec::new();
    let mut index = |corner: [i32; 3]| {
        let known = points.iter().position(|&point| point == corner);
        known.unwrap_or_else(|| {
            points.push(corner);
            points.len() - 1
        }) as u32
    };
    let mut faces = Vec::new();
    for signs in (0..8).map(|k| [0, 1, 2].map(|bit| if k >> bit & 1 == 0 { 1 } else { -1 })) {
        let mut at =
            |i: i32, j: i32| index([signs[0] * i, signs[1] * j, signs[2] * (PIECES - i - j)]);
        for (i, j) in (0..PIECES).flat_map(|i| (0..PIECES - i).map(move |j| (i, j))) {
            faces.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < PIECES {
                faces.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    let place = |corner: &[i32; 3]| {
        let p = Vector3::from(corner.map(f64::from)).normalize();
        let bumps = 1.0 + 0.15 * (5.0 * p.x).sin() * (4.0 * p.y + 1.0).cos() * (3.0 * p.z).cos();
        Point3::from(2.0 * bumps * p)
    };
    let points = points.iter().map(place).collect();
    (points, faces)
}
