//! A piece of cloth falls on a round cushion: when and where do they first touch?
//!
//! ```text
//! cargo run --release --example quickstart
//! ```

use std::error::Error;
use std::io::Write;

use nalgebra::{Point3, point, vector};
use patch_ccd::geometry::TensorProductPatch;
use patch_ccd::{Moving, Options, Outcome, time_of_impact};

fn main() -> Result<(), Box<dyn Error>> {
    // A bicubic patch is 4 × 4 control points, here over a square of side 3; y runs fastest.
    let bicubic = |height: fn(f64, f64) -> f64| {
        let net: Vec<Point3<f64>> = (0..16)
            .map(|k| (f64::from(k / 4), f64::from(k % 4)))
            .map(|(x, y)| point![x, y, height(x, y)])
            .collect();
        TensorProductPatch::new(3, 3, &net)
    };
    let cushion = bicubic(|x, y| x * (3.0 - x) * y * (3.0 - y) / 2.0)?;
    let cloth = bicubic(|x, y| 2.0 + 0.1 * (x - y))?;

    // It moves at one velocity, or one for each control point, or into a shape at the end of the
    // step.
    let falling = Moving::translating(cloth, vector![0.3, 0.0, -2.0])?;
    let outcome = time_of_impact(&falling, &Moving::resting(cushion), &Options::default())?;

    let mut out = std::io::stdout().lock();
    match outcome {
        Outcome::Impact { toi, contact, .. } => {
            let ([(u, v), _], [p, _]) = (contact.parameters, contact.points);
            writeln!(out, "free to move until t = {toi:.6}")?;
            writeln!(out, "the cloth touches at (u, v) = ({u:.3}, {v:.3})")?;
            writeln!(out, "in the point ({:.3}, {:.3}, {:.3})", p.x, p.y, p.z)?;
            Ok(())
        }
        other => Err(format!("the cloth should land, but: {other:?}").into()),
    }
}
