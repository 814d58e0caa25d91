//! The study as a drawing: error, bracket, residual and ratio of residuals against δ, a row of
//! panels for each kind.

use patch_ccd::Method;
use plotters::style::RGBColor;

use crate::study::{Cell, DELTAS, METHODS, Study, TIME_DEPENDENT, TRADITIONAL, shared_residuals};
use support::chart::{Axis, BLUE, Figure, GREEN, Line, Panel, Scale, Stroke, VERMILLION};
use support::stats::Sample;

/// For comparison: a line that is not measured.
const GUIDE: Stroke = Stroke::solid(RGBColor(150, 150, 150));

fn median_stroke(method: Method) -> Stroke {
    let color = match method {
        Method::TwoSided => GREEN,
        Method::TimeDependent => BLUE,
        Method::Traditional => VERMILLION,
    };
    Stroke::solid(color).dotted()
}

fn worst_stroke(method: Method) -> Stroke {
    median_stroke(method).dashed(true)
}

pub(crate) fn figure(studies: &[Study], subtitle: String) -> Figure {
    let panels = studies
        .iter()
        .flat_map(|study| {
            [
                error_panel(study),
                bracket_panel(study),
                residual_panel(study),
                ratio_panel(study),
            ]
        })
        .collect();
    let mut legend: Vec<(Stroke, String)> = METHODS
        .into_iter()
        .flat_map(|method| {
            [
                (median_stroke(method), format!("{method}, median")),
                (worst_stroke(method), format!("{method}, worst")),
            ]
        })
        .collect();
    legend.push((GUIDE, "δ itself; ratio 1".into()));
    Figure {
        title: "Accuracy against tolerance".into(),
        subtitle,
        columns: 4,
        panels,
        legend_columns: legend.len(),
        legend,
    }
}

fn error_panel(study: &Study) -> Panel {
    // Below the reference's own tolerance there is nothing to see, and 1 is the horizon.
    let y = Axis::new("reference − toi", Scale::Log(-12..0), scientific);
    let lines = with_guide(study, Cell::errors);
    panel(study, "error in the time of impact", y, lines)
}

/// Only the two-sided method's is one with a contact at its end; the others' are the accepted box's
/// interval.
fn bracket_panel(study: &Study) -> Panel {
    let lines = with_guide(study, Cell::widths);
    let y = Axis::new(
        "toi_upper − toi",
        Scale::log_around_lines(&lines),
        scientific,
    );
    panel(study, "width of the bracket", y, lines)
}

fn residual_panel(study: &Study) -> Panel {
    let lines = with_guide(study, Cell::residuals);
    let scale = Scale::log_around_lines(&lines);
    let y = Axis::new("|S1 − S2| at the contact", scale, scientific);
    panel(study, "residual", y, lines)
}

/// Residuals of the time-dependent method divided by the traditional one's, over the cases that all
/// solved.
fn ratio_panel(study: &Study) -> Panel {
    let curve = |statistic: fn(&Sample) -> f64| {
        curve(study, move |cells| {
            let shared = shared_residuals(cells);
            let sample = |method: usize| shared.iter().map(|case| case[method]).collect();
            statistic(&sample(TIME_DEPENDENT)) / statistic(&sample(TRADITIONAL))
        })
    };
    let lines = vec![
        Line {
            stroke: GUIDE,
            points: DELTAS.map(|delta| (delta, 1.0)).into(),
        },
        Line {
            stroke: worst_stroke(Method::TimeDependent),
            points: curve(Sample::worst),
        },
        Line {
            stroke: median_stroke(Method::TimeDependent),
            points: curve(Sample::median),
        },
    ];
    let scale = Scale::Linear(0.0..1.6, 0.2);
    let y = Axis::new("ratio of residuals", scale, |value| format!("{value:.1}"));
    panel(study, "residual, time-dependent ÷ traditional", y, lines)
}

fn panel(study: &Study, what: &str, y: Axis, lines: Vec<Line>) -> Panel {
    Panel {
        title: format!("{}: {what}", study.kind),
        x: Axis::new("tolerance δ", Scale::log_around(DELTAS), scientific),
        y,
        lines,
    }
}

/// Median and worst of all methods, the first one's on top, over a line at δ.
fn with_guide(study: &Study, sample: fn(&Cell) -> Sample) -> Vec<Line> {
    let mut lines = vec![Line {
        stroke: GUIDE,
        points: DELTAS.map(|delta| (delta, delta)).into(),
    }];
    for (index, method) in METHODS.into_iter().enumerate().rev() {
        lines.push(Line {
            stroke: worst_stroke(method),
            points: curve(study, |cells| sample(&cells[index]).worst()),
        });
        lines.push(Line {
            stroke: median_stroke(method),
            points: curve(study, |cells| sample(&cells[index]).median()),
        });
    }
    lines
}

/// A value against δ.
fn curve(study: &Study, value: impl Fn(&[Cell; METHODS.len()]) -> f64) -> Vec<(f64, f64)> {
    let cells = study.cells.iter();
    DELTAS.into_iter().zip(cells.map(value)).collect()
}

fn scientific(value: f64) -> String {
    format!("{value:.0e}")
}
