//! The tables as text, with the paper's own figures.

use pairs::PairKind;
use patch_ccd::geometry::Shape;
use patch_ccd::{Inclusion, Method};

use crate::cell::{Cell, Way};
use crate::{DELTAS, WAYS};
use support::stats::Sample;
use support::table::{Table, markdown};

/// A row of the table in Chen et al. 2024: mean milliseconds over 1000 cases on a Ryzen 9 7950X,
/// with OBB, at δ = 1e-4 and 1e-6; SOSP is the sum-of-squares method of Marschner et al. 2021.
struct Paper {
    traditional: [f64; 2],
    time_dependent: [f64; 2],
    sosp: f64,
}

const fn paper(traditional: [f64; 2], time_dependent: [f64; 2], sosp: f64) -> Paper {
    Paper {
        traditional,
        time_dependent,
        sosp,
    }
}

/// In the order of [`PairKind::TABLE`].
const PAPER: [Paper; 6] = [
    paper([3.45, 6.85], [4.26, 6.68], 175.02),
    paper([61.20, 3264.07], [22.40, 90.87], 251.00),
    paper([203.21, 9974.95], [35.98, 131.30], 8755.73),
    paper([12.70, 619.46], [5.00, 22.13], 309.35),
    paper([133.04, 6858.91], [19.30, 62.12], 784.52),
    paper([205.46, 10962.40], [27.17, 79.40], 56056.00),
];

impl Paper {
    fn of(kind: PairKind) -> Option<&'static Self> {
        let index = PairKind::TABLE.iter().position(|&known| known == kind)?;
        PAPER.get(index)
    }

    fn figure(&self, method: Method, delta: f64) -> Option<f64> {
        let index = DELTAS.iter().position(|&known| known == delta)?;
        match method {
            Method::Traditional => Some(self.traditional[index]),
            Method::TimeDependent => Some(self.time_dependent[index]),
            Method::TwoSided => None,
        }
    }
}

/// The paper's name for a kind: T.1 to T.3, Q.1 to Q.3.
pub(crate) fn paper_name(kind: PairKind) -> String {
    match kind.shape() {
        Shape::Triangular { n } => format!("T.{n}"),
        Shape::TensorProduct { n, .. } => format!("Q.{n}"),
    }
}

/// All about the cells of one kind.
pub(crate) fn kind_table(kind: PairKind, cells: &[Cell]) -> Table {
    let mut table = markdown(
        1,
        [
            "method",
            "boxes",
            "δ",
            "cases",
            "runs",
            "mean ms",
            "median",
            "99 %",
            "worst",
            "boxes tested",
            "local solves",
            "collisions",
            "< 1 s",
            "over TD",
            "with *",
            "over trad.",
            "with *",
            "paper ms",
            "paper speed-up",
        ],
    );
    let paper = Paper::of(kind);
    for cell in cells {
        let ms: Sample = cell.solved.iter().map(|case| 1e3 * case.seconds).collect();
        let counters = || cell.solved.iter().map(|case| case.outcome.counters());
        let boxes: Sample = counters().map(|counters| counters.boxes as f64).collect();
        let solves: Sample = counters().map(|counters| counters.solves as f64).collect();
        let done = cell.solved.len();
        let quick = cell.solved.iter().filter(|c| c.seconds < 1.0).count();
        let in_paper = |method| {
            let obb = cell.way.inclusion == Inclusion::Obb;
            paper
                .filter(|_| obb)
                .and_then(|paper| paper.figure(method, cell.way.delta))
        };
        let [paper_ms, paper_traditional] = [cell.way.method, Method::Traditional].map(in_paper);
        let [over_time_dependent, over_traditional] = rivals(cell, cells).map(|rival| {
            let least = rival.and_then(|rival| least_speed_up(cell, rival));
            [
                rival.map_or_else(String::new, |rival| speed_up(cell, rival)),
                least.unwrap_or_default(),
            ]
        });
        let mut row = vec![
            cell.way.method.to_string(),
            cell.way.inclusion.to_string().to_uppercase(),
            format!("{:e}", cell.way.delta),
            cases_done(cell),
            cell.runs.to_string(),
            significant(ms.mean()),
            significant(ms.median()),
            significant(ms.quantile(0.99)),
            significant(ms.worst()),
            significant(boxes.mean()),
            match cell.way.method {
                Method::TwoSided => significant(solves.mean()),
                Method::TimeDependent | Method::Traditional => String::new(),
            },
            cell.solved
                .iter()
                .filter(|c| c.collides())
                .count()
                .to_string(),
            percent(quick, done),
        ];
        row.extend(over_time_dependent);
        row.extend(over_traditional);
        row.push(paper_ms.map_or_else(String::new, |ms| format!("{ms:.2}")));
        row.push(match (cell.way.method, paper_traditional, paper_ms) {
            (Method::TimeDependent, Some(traditional), Some(ms)) => {
                format!("{}×", significant(traditional / ms))
            }
            _ => String::new(),
        });
        table.add_row(row);
    }
    if let Some(paper) = paper {
        let mut row = vec![String::new(); 19];
        row[0] = "SOSP".into();
        row[17] = format!("{:.2}", paper.sosp);
        table.add_row(row);
    }
    table
}

/// The paper's table: mean milliseconds with OBB, here and there, behind those of the two-sided
/// method.
pub(crate) fn paper_table(cells: &[Cell]) -> Table {
    let ways = || {
        let methods = WAYS.iter().rev().filter(|way| way.1 == Inclusion::Obb);
        methods.flat_map(|way| DELTAS.map(|delta| obb(way.0, delta)))
    };
    let mut header = vec![String::new()];
    header.extend(ways().map(|way| format!("{} {:e}", way.method, way.delta)));
    header.push("SOSP".into());
    let mut table = markdown(1, header);
    for kind in PairKind::TABLE {
        let Some(paper) = Paper::of(kind) else {
            continue;
        };
        let mut row = vec![paper_name(kind)];
        row.extend(ways().map(|way| {
            let Some(cell) = find(cells, kind, way) else {
                return String::new();
            };
            let ours = significant(1e3 * cell.mean_of_first(cell.solved.len()));
            let partly = if cell.unfinished.is_some() { "*" } else { "" };
            match paper.figure(way.method, way.delta) {
                Some(theirs) => format!("{ours}{partly} / {theirs:.2}"),
                None => format!("{ours}{partly}"),
            }
        }));
        row.push(format!("{:.2}", paper.sosp));
        table.add_row(row);
    }
    table
}

/// How much faster each method with OBB is than those before it.
pub(crate) fn speed_up_table(cells: &[Cell]) -> Table {
    let comparisons = [
        ("TS", Method::TwoSided, "TD", Method::TimeDependent),
        ("TS", Method::TwoSided, "trad.", Method::Traditional),
        ("TD", Method::TimeDependent, "trad.", Method::Traditional),
    ];
    let mut header = vec![String::new()];
    for (name, _, rival, _) in comparisons {
        header.extend(DELTAS.map(|delta| format!("{name} over {rival} {delta:e}")));
    }
    let mut table = markdown(1, header);
    for kind in PairKind::TABLE {
        let mut row = vec![paper_name(kind)];
        for (_, method, _, rival) in comparisons {
            row.extend(DELTAS.map(|delta| {
                let [cell, rival] =
                    [method, rival].map(|method| find(cells, kind, obb(method, delta)));
                let (Some(cell), Some(rival)) = (cell, rival) else {
                    return String::new();
                };
                let figures = [Some(speed_up(cell, rival)), least_speed_up(cell, rival)];
                let known = figures.into_iter().flatten().filter(|f| !f.is_empty());
                known.collect::<Vec<_>>().join(", ")
            }));
        }
        table.add_row(row);
    }
    table
}

fn obb(method: Method, delta: f64) -> Way {
    Way {
        method,
        inclusion: Inclusion::Obb,
        delta,
    }
}

fn find(cells: &[Cell], kind: PairKind, way: Way) -> Option<&Cell> {
    cells
        .iter()
        .find(|cell| cell.kind == kind && cell.way == way)
}

/// The same cell by the time-dependent and the traditional method, as far as they are older than
/// the cell's own.
fn rivals<'a>(cell: &Cell, cells: &'a [Cell]) -> [Option<&'a Cell>; 2] {
    let by = |method| {
        let way = Way { method, ..cell.way };
        find(cells, cell.kind, way)
    };
    match cell.way.method {
        Method::TwoSided => [by(Method::TimeDependent), by(Method::Traditional)],
        Method::TimeDependent => [None, by(Method::Traditional)],
        Method::Traditional => [None, None],
    }
}

/// How much faster a cell is than another over the cases that both did, and over how many.
fn speed_up(cell: &Cell, rival: &Cell) -> String {
    let shared = cell.solved.len().min(rival.solved.len());
    if shared == 0 {
        return String::new();
    }
    let ratio = rival.mean_of_first(shared) / cell.mean_of_first(shared);
    format!("{}× ({shared})", significant(ratio))
}

/// The same with the case that the rival could not finish, if this cell did it: the rival needs
/// more than its failed attempt took, so this is a lower bound.
fn least_speed_up(cell: &Cell, rival: &Cell) -> Option<String> {
    let last = rival.solved.len();
    rival.unfinished.as_ref()?;
    cell.solved.get(last)?;
    let theirs: Option<f64> = (0..=last).map(|case| rival.seconds_at_least(case)).sum();
    let ours = cell.mean_of_first(last + 1) * (last + 1) as f64;
    Some(format!("≥ {}×", significant(theirs? / ours)))
}

fn cases_done(cell: &Cell) -> String {
    let partly = if cell.unfinished.is_some() { "*" } else { "" };
    format!("{}{partly}", cell.solved.len())
}

/// A share of a count, never rounded up to all of it.
fn percent(part: usize, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let percent = 100.0 * part as f64 / count as f64;
    format!("{} %", (10.0 * percent).floor() / 10.0)
}

/// Three significant digits, all of those before the point; "–" for no value.
fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let digits = if value == 0.0 {
        0
    } else {
        2 - value.abs().log10().floor() as i32
    };
    format!("{value:.*}", digits.max(0) as usize)
}
