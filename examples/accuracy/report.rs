//! Tables and verdict of a study.

use std::io::{self, Write};

use patch_ccd::Method;

use crate::study::{
    Cell, DELTAS, METHODS, REFERENCE_DELTA, Study, TIME_DEPENDENT, TRADITIONAL, TWO_SIDED,
    shared_residuals,
};
use support::checks::Checks;
use support::stats::Sample;
use support::table::{Table, markdown};

/// How much later than the reference an answer may be: the reference is only a lower bound itself.
const LATEST: f64 = 1e-9;
/// How much earlier than the reference an upper bound may be: it is as good as the rounding of
/// points.
const EARLIEST: f64 = -1e-9;
/// Errors below this are those of the reference as much as of the answer.
const FLOOR: f64 = 10.0 * REFERENCE_DELTA;
/// The order of convergence that must be seen.
const LEAST_ORDER: f64 = 0.9;

type Statistic = (&'static str, fn(&Sample) -> f64);
const STATISTICS: [Statistic; 3] = [
    ("median", Sample::median),
    ("mean", Sample::mean),
    ("worst", Sample::worst),
];

/// Errors in toi per δ, a group of columns for each method.
pub(crate) fn error_table(study: &Study) -> Table {
    let columns = ["cases", "median", "mean", "worst", "worst/δ"];
    let mut header = vec!["δ".to_owned()];
    for method in METHODS {
        header.extend(columns.map(|column| format!("{} {column}", short(method))));
    }
    let mut table = markdown(1, header);
    for (delta, cells) in DELTAS.iter().zip(&study.cells) {
        let mut row = vec![format!("{delta:e}")];
        for cell in cells {
            let errors = cell.errors();
            row.push(cell.answers.len().to_string());
            row.extend(STATISTICS.map(|(_, statistic)| scientific(statistic(&errors))));
            row.push(decimal(errors.worst() / delta));
        }
        table.add_row(row);
    }
    let mut row = vec!["order".to_owned()];
    for method in 0..METHODS.len() {
        row.push(String::new());
        row.extend(
            STATISTICS.map(|(_, statistic)| {
                decimal(order(study, method, |cell| statistic(&cell.errors())))
            }),
        );
        row.push(String::new());
    }
    table.add_row(row);
    table
}

/// Widths from toi to toi_upper per δ; and of the two-sided method in how many cases a local solve
/// found the contact, and by how much toi_upper is later than the reference then.
pub(crate) fn bracket_table(study: &Study) -> Table {
    let mut header = vec!["δ".to_owned()];
    for method in METHODS {
        header.extend(STATISTICS.map(|(name, _)| format!("{} {name}", short(method))));
    }
    header.extend(["found", "later, median", "later, worst"].map(str::to_owned));
    let mut table = markdown(1, header);
    for (delta, cells) in DELTAS.iter().zip(&study.cells) {
        let mut row = vec![format!("{delta:e}")];
        for cell in cells {
            let widths = cell.widths();
            row.extend(STATISTICS.map(|(_, statistic)| scientific(statistic(&widths))));
        }
        let answers = &cells[TWO_SIDED].answers;
        let found: Vec<f64> = answers.values().filter_map(|a| a.lateness).collect();
        row.push(percent(found.len(), answers.len()));
        let later: Sample = found.into_iter().collect();
        row.extend([later.median(), later.worst()].map(scientific));
        table.add_row(row);
    }
    table
}

/// Residuals per δ of all methods over the same cases.
pub(crate) fn residual_table(study: &Study) -> Table {
    let mut header = vec!["δ".to_owned(), "cases".to_owned()];
    for (name, _) in STATISTICS {
        header.extend(METHODS.map(|method| format!("{} {name}", short(method))));
    }
    header.extend(["TD/trad. of means", "smaller in"].map(str::to_owned));
    let mut table = markdown(1, header);
    for (delta, cells) in DELTAS.iter().zip(&study.cells) {
        let shared = shared_residuals(cells);
        let samples = samples(&shared);
        let smaller = shared
            .iter()
            .filter(|case| case[TIME_DEPENDENT] < case[TRADITIONAL])
            .count();
        let mut row = vec![format!("{delta:e}"), shared.len().to_string()];
        for (_, statistic) in STATISTICS {
            row.extend(
                samples
                    .each_ref()
                    .map(|sample| scientific(statistic(sample))),
            );
        }
        row.push(decimal(
            samples[TIME_DEPENDENT].mean() / samples[TRADITIONAL].mean(),
        ));
        row.push(percent(smaller, shared.len()));
        table.add_row(row);
    }
    let mut row = vec!["order".to_owned(), String::new()];
    for (_, statistic) in STATISTICS {
        row.extend(
            (0..METHODS.len())
                .map(|method| decimal(order(study, method, |cell| statistic(&cell.residuals())))),
        );
    }
    table.add_row(row);
    table
}

/// By method.
fn samples(shared: &[[f64; METHODS.len()]]) -> [Sample; METHODS.len()] {
    std::array::from_fn(|method| shared.iter().map(|case| case[method]).collect())
}

/// What a study shows, and what it must show.
pub(crate) fn check(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    lower_bound(study, checks)?;
    upper_bound(study, checks)?;
    no_contact_missed(study, checks)?;
    orders(study, checks)?;
    residual_claim(study, checks)?;
    let unfinished: usize = cells(study).map(|(_, _, cell)| cell.unfinished).sum();
    let false_contacts: Vec<String> = cells(study)
        .filter(|(_, _, cell)| cell.false_contacts > 0)
        .map(|(delta, method, cell)| format!("{} ({method}, δ = {delta:e})", cell.false_contacts))
        .collect();
    checks.found(format_args!(
        "{}: contacts reported where there is none: {}; {unfinished} queries over the limit of \
         boxes",
        study.kind,
        if false_contacts.is_empty() {
            "none".to_owned()
        } else {
            false_contacts.join(", ")
        }
    ))
}

fn cells(study: &Study) -> impl Iterator<Item = (f64, Method, &Cell)> {
    DELTAS.iter().zip(&study.cells).flat_map(|(&delta, cells)| {
        METHODS
            .into_iter()
            .zip(cells)
            .map(move |(method, cell)| (delta, method, cell))
    })
}

fn lower_bound(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    let latest = cells(study)
        .flat_map(|(delta, method, cell)| {
            let answers = cell.answers.iter();
            answers.map(move |(case, answer)| (-answer.error, case, method, delta))
        })
        .max_by(|one, two| one.0.total_cmp(&two.0));
    let Some((lateness, case, method, delta)) = latest else {
        return checks.found(format!("{}: nothing solved", study.kind));
    };
    let worst = if lateness > 0.0 {
        format!("the latest, case {case} {method} at δ = {delta:e}, by {lateness:.1e}")
    } else {
        "none is later at all".to_owned()
    };
    checks.must(
        lateness <= LATEST,
        format!(
            "{}: no time of impact is later than the reference by over {LATEST:e}; {worst}",
            study.kind
        ),
    )
}

fn upper_bound(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    let answers = || {
        let cells = study.cells.iter().map(|cells| &cells[TWO_SIDED]);
        cells.flat_map(|cell| cell.answers.values())
    };
    let found = || answers().filter(|answer| answer.lateness.is_some());
    let lateness: Sample = found().filter_map(|answer| answer.lateness).collect();
    let residuals: Sample = found().map(|answer| answer.residual).collect();
    let earliest = lateness.quantile(0.0);
    if earliest.is_nan() {
        return checks.found(format!("{}: no contact by a local solve", study.kind));
    }
    let worst = if earliest < 0.0 {
        format!("the earliest by {:.1e}", -earliest)
    } else {
        "none is earlier at all".to_owned()
    };
    checks.must(
        earliest >= EARLIEST,
        format!(
            "{}: local solves found {} of {} contacts, none earlier than the reference by over \
             {:e}; {worst}; residuals \
             are {:.1e} at most",
            study.kind,
            found().count(),
            answers().count(),
            -EARLIEST,
            residuals.worst()
        ),
    )
}

fn no_contact_missed(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    let missed: Vec<String> = cells(study)
        .flat_map(|(delta, method, cell)| {
            let cases = cell.missed.iter();
            cases.map(move |case| format!("case {case} {method} at δ = {delta:e}"))
        })
        .collect();
    let list = if missed.is_empty() {
        String::new()
    } else {
        format!(": {}", missed.join(", "))
    };
    checks.must(
        missed.is_empty(),
        format!(
            "{}: {} contacts of the reference were called clear{list}",
            study.kind,
            missed.len()
        ),
    )
}

/// The paper: the error is at least linear in δ.
fn orders(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    let orders = |method| {
        STATISTICS.map(|(_, statistic)| order(study, method, |cell| statistic(&cell.errors())))
    };
    let text = |method: usize, [median, mean, worst]: [f64; 3]| {
        format!(
            "{}: {} error is of order {} in δ (mean), {} (worst), {} (median)",
            study.kind,
            METHODS[method],
            decimal(mean),
            decimal(worst),
            decimal(median)
        )
    };
    for method in 0..METHODS.len() {
        let orders = orders(method);
        let of_mean = orders[1];
        if method == TRADITIONAL {
            checks.found(text(method, orders))?;
        } else if of_mean.is_nan() {
            checks.found(format_args!(
                "{}: too few answers to see an order",
                study.kind
            ))?;
        } else {
            let text = text(method, orders);
            checks.must(
                of_mean >= LEAST_ORDER,
                format_args!("{text}; at least {LEAST_ORDER} is a must for the mean"),
            )?;
        }
    }
    Ok(())
}

/// The paper: the residual of the time-dependent method is below that of the traditional one at the
/// same δ.
fn residual_claim(study: &Study, checks: &mut Checks<impl Write>) -> io::Result<()> {
    let mut ratios = Vec::new();
    let mut against = Vec::new();
    for (delta, cells) in DELTAS.iter().zip(&study.cells) {
        let shared = shared_residuals(cells);
        let samples = samples(&shared);
        let of = |statistic: fn(&Sample) -> f64| {
            statistic(&samples[TIME_DEPENDENT]) / statistic(&samples[TRADITIONAL])
        };
        let ratio = of(Sample::mean);
        if ratio.is_nan() {
            continue;
        }
        ratios.push(ratio);
        if ratio >= 1.0 || of(Sample::median) >= 1.0 {
            against.push(format!("{delta:e}"));
        }
    }
    if ratios.is_empty() {
        return checks.found(format!("{}: no case was solved by all methods", study.kind));
    }
    let ratios: Sample = ratios.into_iter().collect();
    let range = format!(
        "mean residual, time-dependent / traditional, is {} … {} over the same cases",
        decimal(ratios.quantile(0.0)),
        decimal(ratios.worst())
    );
    checks.found(if against.is_empty() {
        format!(
            "{}: {range}: smaller at every δ, as the paper says",
            study.kind
        )
    } else {
        format!(
            "{}: {range}; unlike in the paper, mean or median is not smaller at δ = {}",
            study.kind,
            against.join(", ")
        )
    })
}

/// The slope of log value against log δ, by least squares over the values that mean something; NaN
/// without two of them.
fn order(study: &Study, method: usize, value: impl Fn(&Cell) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = DELTAS
        .iter()
        .zip(&study.cells)
        .map(|(delta, cells)| (delta.log10(), value(&cells[method])))
        .filter(|point| point.1 > FLOOR)
        .map(|(x, y)| (x, y.log10()))
        .collect();
    let count = points.len() as f64;
    let centre = [0, 1].map(|c| points.iter().map(|p| [p.0, p.1][c]).sum::<f64>() / count);
    let moment = |c: usize| {
        let products = points
            .iter()
            .map(|p| (p.0 - centre[0]) * ([p.0, p.1][c] - centre[c]));
        products.sum::<f64>()
    };
    moment(1) / moment(0)
}

/// For the heads of columns.
fn short(method: Method) -> &'static str {
    match method {
        Method::TwoSided => "TS",
        Method::TimeDependent => "TD",
        Method::Traditional => "trad.",
    }
}

fn percent(part: usize, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    format!("{:.0} %", 100.0 * part as f64 / count as f64)
}

fn scientific(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.1e}")
    } else {
        "–".into()
    }
}

fn decimal(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.2}")
    } else {
        "–".into()
    }
}
