//! Two NURBS shells of several spans close on each other: a quarter of a torus falls on a wavy
//! sheet that comes up.
//!
//! ```text
//! cargo run --release --example nurbs_shells
//! cargo run --release --example nurbs_shells -- --out out
//! ```
//!
//! Prints how each surface splits into Bézier patches, then the first contact in the parameters of
//! the surfaces, with normals and residual. `--out` writes the shells at the start and at the
//! contact as VTK grids of Bézier cells (ParaView 5.9 or newer) and as OBJ, and the contact points.
//!
//! Checks: split and unsplit surfaces agree, at the contact too; nowhere on a fine grid of points
//! are the surfaces through each other just before the contact; the touch is tangential, its
//! normals parallel.

mod shells;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bpaf::Parser;
use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::{KnotVector, NurbsExtraction, NurbsSurface, Patch};
use patch_ccd::io::{write_contacts_obj, write_contacts_vtu, write_obj, write_vtu};
use patch_ccd::mesh::{MeshOptions, MovingMesh, PairOutcome, PatchMesh, earliest_impact};
use patch_ccd::{Contact, Outcome};

use shells::Shell;
use support::arguments::{self, folder};
use support::checks::Checks;

/// A shell and the patches that it is made of.
struct Split {
    shell: Shell,
    extraction: NurbsExtraction,
    mesh: PatchMesh,
    net: Vec<Point3<f64>>,
    net_velocities: Vec<Vector3<f64>>,
}

impl Split {
    fn new(shell: Shell) -> Result<Self, patch_ccd::Error> {
        let extraction = shell.surface.extraction();
        Ok(Self {
            mesh: PatchMesh::from_nurbs(&extraction)?,
            net: extraction.points(shell.surface.control_points())?,
            net_velocities: extraction.velocities(&shell.velocities)?,
            extraction,
            shell,
        })
    }

    fn moving(&self) -> Result<MovingMesh<'_>, patch_ccd::Error> {
        MovingMesh::with_velocities(&self.mesh, &self.net, &self.net_velocities)
    }

    /// The surface itself at time `t`, unsplit.
    fn surface_at(&self, t: f64) -> Result<NurbsSurface, patch_ccd::Error> {
        let surface = &self.shell.surface;
        let points = surface.control_points().iter().zip(&self.shell.velocities);
        let points: Vec<_> = points.map(|(p, v)| p + v * t).collect();
        NurbsSurface::new(surface.knots().clone(), &points, surface.weights())
    }

    /// The contact's parameters on the surface.
    fn parameters(&self, pair: &PairOutcome, contact: &Contact, side: usize) -> (f64, f64) {
        let (u, v) = contact.parameters[side];
        self.extraction.spans()[pair.elements[side].index() as usize].map(u, v)
    }
}

fn main() -> ExitCode {
    let out = folder("Folder for files to look at").optional();
    arguments::run("Two NURBS shells close on each other", out, run)
}

fn run(out: Option<PathBuf>) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(out) = &out {
        support::make_folder(out)?;
    }
    let mut checks = Checks::new(std::io::stdout().lock());
    let shells = [
        Split::new(shells::quarter_torus()?)?,
        Split::new(shells::wavy_sheet()?)?,
    ];
    for split in &shells {
        describe(split, &mut checks)?;
    }
    let moving = [shells[0].moving()?, shells[1].moving()?];
    let earliest = earliest_impact(&moving[0], &moving[1], &MeshOptions::default())?;
    let counters = earliest.counters;
    checks.say(format_args!(
        "{} of {} pairs of patches left by the broad phase, {} solved with {} boxes\n",
        counters.candidates,
        shells[0].mesh.len() * shells[1].mesh.len(),
        counters.solved,
        counters.boxes
    ))?;
    let Some((pair, Outcome::Impact { toi, contact, .. })) =
        earliest.first.map(|pair| (pair, pair.outcome))
    else {
        checks.must(false, "the shells should touch within the step")?;
        return Ok(ExitCode::FAILURE);
    };
    report(&shells, &pair, toi, &contact, &mut checks)?;
    if let Some(out) = &out {
        for path in write_files(&shells, toi, &contact, out)? {
            checks.say(format_args!("       {}", path.display()))?;
        }
    }
    Ok(checks.verdict())
}

/// The surface and its patches, and that they are the same.
fn describe<W: Write>(split: &Split, checks: &mut Checks<W>) -> Result<(), Box<dyn Error>> {
    let (surface, grid) = (&split.shell.surface, split.extraction.grid());
    let [along_u, along_v] = surface.knots();
    checks.say(format_args!(
        "{}: degrees ({}, {}), {} × {} control points, {}",
        split.shell.name,
        along_u.degree(),
        along_v.degree(),
        along_u.count(),
        along_v.count(),
        if surface.weights().is_some() {
            "rational"
        } else {
            "polynomial"
        },
    ))?;
    let [a, b] = grid.patches();
    checks.say(format_args!(
        "       {a} × {b} Bézier patches over {} shared control points; u splits at {}, v at {}",
        grid.count(),
        ends(along_u.spans()),
        ends(along_v.spans()),
    ))?;
    let mut worst = 0.0_f64;
    for (patch, span) in split
        .moving()?
        .patches_at(0.0)?
        .iter()
        .zip(split.extraction.spans())
    {
        for k in 0..121 {
            let (u, v) = (f64::from(k / 11) / 10.0, f64::from(k % 11) / 10.0);
            let (on_u, on_v) = span.map(u, v);
            worst = worst.max((patch.eval(u, v) - surface.eval(on_u, on_v)).norm());
        }
    }
    checks.must(
        worst < 1e-14,
        format_args!("patches and surface agree to {worst:.1e}\n"),
    )?;
    Ok(())
}

fn ends(spans: impl Iterator<Item = [f64; 2]>) -> String {
    let inner: Vec<_> = spans.skip(1).map(|[start, _]| start.to_string()).collect();
    if inner.is_empty() {
        "nothing".to_owned()
    } else {
        inner.join(", ")
    }
}

fn report<W: Write>(
    shells: &[Split; 2],
    pair: &PairOutcome,
    toi: f64,
    contact: &Contact,
    checks: &mut Checks<W>,
) -> Result<(), Box<dyn Error>> {
    checks.say(format_args!("first contact at t = {toi:.9}"))?;
    let mut worst = 0.0_f64;
    for (side, split) in shells.iter().enumerate() {
        let (u, v) = split.parameters(pair, contact, side);
        let (p, unsplit) = (
            contact.points[side],
            split.surface_at(contact.time)?.eval(u, v),
        );
        worst = worst.max((p - unsplit).norm());
        checks.say(format_args!(
            "       {:13} (u, v) = ({u:.6}, {v:.6}) on {}: ({:.6}, {:.6}, {:.6})",
            split.shell.name, pair.elements[side], p.x, p.y, p.z
        ))?;
    }
    checks.must(
        worst < 1e-13,
        format_args!("these are points of the surfaces to {worst:.1e}"),
    )?;
    checks.must(
        contact.residual < 1e-4,
        format_args!("residual {:.1e}", contact.residual),
    )?;
    if let [Some(one), Some(two)] = contact.normals {
        let sine = one.cross(&two).norm();
        checks.must(
            sine < 1e-3,
            format_args!("tangential: the sine between the normals is {sine:.1e}"),
        )?;
    }
    let gap = |t| -> Result<f64, Box<dyn Error>> { Ok(least_gap(shells, t)?) };
    let (before, after) = (gap(toi)?, gap(toi + 1e-3)?);
    checks.must(
        before > -1e-12 && after < 0.0,
        format_args!(
            "least height of torus over sheet at grid points: {before:.1e} at the \
        contact, {after:.1e} a thousandth later"
        ),
    )?;
    Ok(())
}

/// The least height of a grid of points of the torus over the sheet. The sheet is a graph over x
/// and y: x depends on u alone, y on v, so that its point below is found along each of them.
fn least_gap(shells: &[Split; 2], t: f64) -> Result<f64, patch_ccd::Error> {
    const STEPS: u32 = 200;
    let [torus, sheet] = [shells[0].surface_at(t)?, shells[1].surface_at(t)?];
    let at =
        |[start, end]: [f64; 2], k: u32| start + (end - start) * f64::from(k) / f64::from(STEPS);
    let [u, v] = [0, 1].map(|side| torus.knots()[side].domain());
    let mut least = f64::INFINITY;
    for (i, j) in (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |j| (i, j))) {
        let p = torus.eval(at(u, i), at(v, j));
        let [along_u, along_v] = sheet.knots().each_ref().map(KnotVector::domain);
        let on_u = root(along_u, |u| {
            (sheet.eval(u, 0.0).x - p.x, sheet.partials(u, 0.0).0.x)
        });
        let on_v = root(along_v, |v| {
            (sheet.eval(0.0, v).y - p.y, sheet.partials(0.0, v).1.y)
        });
        if let (Some(u), Some(v)) = (on_u, on_v) {
            least = least.min(p.z - sheet.eval(u, v).z);
        }
    }
    Ok(least)
}

/// Where a rising function, given with its slope, is zero: by Newton's method, or by halves where
/// that would leave the interval.
fn root([mut low, mut high]: [f64; 2], f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    if f(low).0 > 0.0 || f(high).0 < 0.0 {
        return None;
    }
    let mut at = 0.5 * (low + high);
    for _ in 0..52 {
        let (value, slope) = f(at);
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let next = at - value / slope;
        if (next - at).abs() <= f64::EPSILON * high {
            break;
        }
        at = if low < next && next < high {
            next
        } else {
            0.5 * (low + high)
        };
    }
    Some(at)
}

fn write_files(
    shells: &[Split; 2],
    toi: f64,
    contact: &Contact,
    out: &Path,
) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    let mut create = |name: String| {
        paths.push(out.join(name));
        support::make_file(&paths[paths.len() - 1])
    };
    for (moment, t) in [("start", 0.0), ("contact", toi)] {
        let mut patches = shells[0].moving()?.patches_at(t)?;
        patches.extend(shells[1].moving()?.patches_at(t)?);
        write_vtu(create(format!("nurbs_shells-{moment}.vtu"))?, &patches)?;
        write_obj(create(format!("nurbs_shells-{moment}.obj"))?, &patches, 16)?;
    }
    write_contacts_vtu(
        create("nurbs_shells-contact-points.vtu".to_owned())?,
        &[*contact],
    )?;
    write_contacts_obj(
        create("nurbs_shells-contact-points.obj".to_owned())?,
        &[*contact],
    )?;
    Ok(paths)
}
