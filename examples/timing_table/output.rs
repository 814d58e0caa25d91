//! The files: every case as CSV, the distribution of times as SVG.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use pairs::PairKind;
use patch_ccd::{Inclusion, Method, Outcome};
use plotters::style::RGBColor;

use crate::cell::{Cell, Solved};
use crate::table::paper_name;
use crate::{DELTAS, WAYS};
use support::chart::{Axis, BLUE, Figure, GREEN, Line, Panel, Scale, Stroke, VERMILLION};
use support::{make_file, name, or_empty};

const SKY: RGBColor = RGBColor(86, 180, 233);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const PURPLE: RGBColor = RGBColor(204, 121, 167);

/// Writes every case, those not finished too.
pub(crate) fn write_csv(path: &Path, cells: &[Cell]) -> Result<(), Box<dyn Error>> {
    let mut file = make_file(path)?;
    writeln!(
        file,
        "kind,method,inclusion,delta,case,outcome,toi,toi_upper,boxes,popped,axes,solves,runs,\
         seconds,slowest_run"
    )?;
    for cell in cells {
        for (case, solved) in cell.solved.iter().chain(&cell.unfinished).enumerate() {
            let Solved {
                outcome,
                seconds,
                slowest,
            } = solved;
            let toi_upper = match outcome {
                Outcome::Impact { toi_upper, .. } => Some(*toi_upper),
                _ => None,
            };
            let counters = outcome.counters();
            let row = [
                cell.kind.to_string(),
                cell.way.method.to_string(),
                cell.way.inclusion.to_string(),
                format!("{:e}", cell.way.delta),
                case.to_string(),
                name(outcome).to_owned(),
                or_empty(outcome.toi()),
                or_empty(toi_upper),
                counters.boxes.to_string(),
                counters.popped.to_string(),
                counters.axes.to_string(),
                counters.solves.to_string(),
                cell.runs.to_string(),
                format!("{seconds:e}"),
                format!("{slowest:e}"),
            ];
            writeln!(file, "{}", row.join(","))?;
        }
    }
    file.flush()?;
    Ok(())
}

/// Draws the cumulative distribution of the times over all cases, of which there are `count` of a
/// kind, a panel for each kind.
pub(crate) fn draw_distribution(
    path: &Path,
    cells: &[Cell],
    count: usize,
    subtitle: String,
) -> Result<(), Box<dyn Error>> {
    let all = || cells.iter().flat_map(|cell| &cell.solved);
    let panels = PairKind::TABLE.map(|kind| Panel {
        title: format!("{} ({kind})", paper_name(kind)),
        x: Axis {
            label: "time of a case, ms",
            scale: Scale::log_around(all().map(|case| 1e3 * case.seconds)),
            format: |value| format!("{}", (1e6 * value).round() / 1e6),
        },
        y: Axis {
            label: "share of all cases",
            scale: Scale::Linear(0.0..1.0, 0.2),
            format: |value| format!("{:.0} %", 100.0 * value),
        },
        lines: cells
            .iter()
            .filter(|cell| cell.kind == kind)
            .map(|cell| distribution(cell, count))
            .collect(),
    });
    let legend = WAYS
        .into_iter()
        .rev()
        .flat_map(|(method, inclusion)| {
            DELTAS.map(|delta| {
                let name = inclusion.to_string().to_uppercase();
                let label = format!("{method}, {name}, δ = {delta:e}");
                (stroke(method, inclusion, delta), label)
            })
        })
        .collect();
    Figure {
        title: "How many of the cases are solved within a time?".into(),
        subtitle: format!("{subtitle}; a line ends where that was up"),
        columns: 3,
        panels: panels.into(),
        // A method a row.
        legend_columns: 2 * DELTAS.len(),
        legend,
    }
    .save(path)
}

/// Cases that were not done count, too: the line ends at the share of those that were.
fn distribution(cell: &Cell, count: usize) -> Line {
    const POINTS: usize = 200;
    let mut ms: Vec<f64> = cell.solved.iter().map(|case| 1e3 * case.seconds).collect();
    ms.sort_by(f64::total_cmp);
    let step = ms.len().div_ceil(POINTS).max(1);
    let share = |rank: usize| (rank + 1) as f64 / count as f64;
    let points = (0..ms.len())
        .filter(|rank| rank % step == 0 || rank + 1 == ms.len())
        .scan(0.0, |below, rank| {
            let foot = std::mem::replace(below, share(rank));
            Some([(ms[rank], foot), (ms[rank], share(rank))])
        })
        .flatten()
        .collect();
    Line {
        stroke: stroke(cell.way.method, cell.way.inclusion, cell.way.delta),
        points,
    }
}

fn stroke(method: Method, inclusion: Inclusion, delta: f64) -> Stroke {
    let color = match (method, inclusion) {
        (Method::TwoSided, Inclusion::Obb) => GREEN,
        (Method::TwoSided, Inclusion::Aabb) => PURPLE,
        (Method::TimeDependent, Inclusion::Obb) => BLUE,
        (Method::TimeDependent, Inclusion::Aabb) => SKY,
        (Method::Traditional, Inclusion::Obb) => VERMILLION,
        (Method::Traditional, Inclusion::Aabb) => ORANGE,
    };
    Stroke::solid(color).dashed(delta == DELTAS[0])
}
