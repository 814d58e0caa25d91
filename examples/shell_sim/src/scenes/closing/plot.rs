//! Speed-up against speed, and the time of a step against its length.

use plotters::style::RGBColor;

use super::SPEEDS;
use super::measure::{Cell, METHODS};
use crate::output::Extra;
use support::chart::{Axis, BLUE, Figure, GREEN, Line, Panel, Scale, Stroke, VERMILLION, short};
use support::machine;

/// Of the lines of step lengths, and of methods.
const SHADES: [RGBColor; 4] = [
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(40, 40, 40),
];
const COLOURS: [RGBColor; METHODS.len()] = [BLUE, GREEN, VERMILLION];

pub(crate) fn figure(cells: &[Cell], dts: &[f64]) -> Extra {
    let gains = dts
        .iter()
        .zip(SHADES.into_iter().cycle())
        .map(|(&dt, shade)| Line {
            stroke: Stroke::solid(shade).dotted(),
            points: cells
                .iter()
                .filter(|cell| cell.dt == dt)
                .map(|cell| (cell.speed, cell.gain(0)))
                .collect(),
        });
    let gains: Vec<_> = gains.collect();
    let times = COLOURS.into_iter().enumerate().map(|(method, colour)| {
        let mut points: Vec<_> = cells
            .iter()
            .map(|cell| {
                let seconds = cell.sums[method].seconds / cell.steps as f64;
                (cell.way(), 1e3 * seconds)
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Line {
            stroke: Stroke::solid(colour).dotted(),
            points,
        }
    });
    let times: Vec<_> = times.collect();
    let mut legend = Vec::new();
    for (line, dt) in gains.iter().zip(dts) {
        legend.push((line.stroke, format!("dt = {} ms", 1e3 * dt)));
    }
    for (line, method) in times.iter().zip(METHODS) {
        legend.push((line.stroke, method.to_string()));
    }
    let panel = |title: &str, x, y, lines: Vec<Line>, xs: Scale| Panel {
        title: title.to_owned(),
        x: Axis::new(x, xs, short),
        y: Axis::new(y, Scale::log_around_lines(&lines), short),
        lines,
    };
    let ways = Scale::log_around(cells.iter().map(Cell::way));
    let title = "A step in which two sheets meet";
    Extra::figure(
        title,
        "closing",
        Figure {
            title: title.to_owned(),
            subtitle: format!("{}, one thread", machine()),
            columns: 2,
            panels: vec![
                panel(
                    "traditional over two-sided time",
                    "relative speed, m/s",
                    "speed-up",
                    gains,
                    Scale::log_around(SPEEDS),
                ),
                panel(
                    "time of a step by method",
                    "way in a step, m",
                    "ms",
                    times,
                    ways,
                ),
            ],
            legend_columns: 4,
            legend,
        },
    )
}
