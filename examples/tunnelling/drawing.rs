//! The cases as two heat maps, speed against thickness of the wall: how deep the circle is in the
//! wall at the end of the tick, in blue, and when it touches it, in green.

use plotters::style::RGBColor;

use crate::START;
use crate::sweep::Case;
use crate::wall::RADIUS;
use support::chart::{Axis, Figure, Panel, Scale, VERMILLION};
use support::map::{Map, Paint, Rect, blues, greens};

const GREY: RGBColor = RGBColor(225, 225, 225);
const BORDER: RGBColor = RGBColor(255, 255, 255);
/// Entries of the legend side by side.
const COLUMNS: usize = 4;
/// Half a cell: speeds are 5 m/s apart, thicknesses 5 cm.
const HALF: [f64; 2] = [2.5, 2.5];

pub(crate) fn figure(cases: &[Case]) -> Figure<Map, Paint> {
    let deepest = cases.iter().filter_map(|case| case.overlap_at_end);
    let deepest = deepest.fold(0.0, f64::max);
    let times = || cases.iter().filter_map(|case| case.toi);
    let soonest = times().fold(f64::INFINITY, f64::min);
    let latest = times().fold(0.0, f64::max);
    // Dark is deep, and soon.
    let by_depth = |depth: f64| blues(1.0 - depth / deepest);
    let by_time = |toi: f64| greens((toi - soonest) / (latest - soonest));

    let at_end = map(
        "A check for overlap at the end of the tick: how deep?",
        cases,
        |case| match case.overlap_at_end {
            Some(depth) => by_depth(depth),
            None if case.passes() => VERMILLION,
            None => GREY,
        },
    );
    let continuous = map("The continuous query: when?", cases, |case| {
        match case.toi {
            Some(toi) => by_time(toi),
            None if case.passes() => VERMILLION,
            None => GREY,
        }
    });
    let missed = |found: fn(&Case) -> bool| {
        let missed = cases.iter().filter(|case| case.passes() && !found(case));
        missed.count()
    };
    // What both panels have, then a row for each quantity.
    let none = (Paint::default(), String::new());
    let mut legend = vec![
        (Paint::filled(GREY), "does not touch the wall".into()),
        (Paint::filled(VERMILLION), "through, and missed".into()),
    ];
    legend.resize(COLUMNS, none);
    let shares = || (0..COLUMNS).map(|k| k as f64 / (COLUMNS - 1) as f64);
    legend.extend(shares().map(|share| {
        let depth = share * deepest;
        let text = format!("{depth:.3} m in the wall at the end");
        (Paint::filled(by_depth(depth)), text)
    }));
    legend.extend(shares().map(|share| {
        let toi = soonest + share * (latest - soonest);
        let text = format!("touches it at {:.2} ms", 1e3 * toi);
        (Paint::filled(by_time(toi)), text)
    }));
    Figure {
        title: format!(
            "A circle against walls, {} cases: missed by the check at the end {}, by the \
             continuous query {}",
            cases.len(),
            missed(|case| case.overlap_at_end.is_some()),
            missed(|case| case.toi.is_some()),
        ),
        subtitle: format!(
            "radius {RADIUS} m, from x = {START} m, one tick of 1/60 s; the wall begins at x = 0"
        ),
        columns: 2,
        panels: vec![at_end, continuous],
        legend_columns: COLUMNS,
        legend,
    }
}

fn map(title: &str, cases: &[Case], color: impl Fn(&Case) -> RGBColor) -> Map {
    let around = |value: f64, half: f64| value - half..value + half;
    let rects = cases
        .iter()
        .map(|case| Rect {
            x: around(case.speed, HALF[0]),
            y: around(100.0 * case.thickness, HALF[1]),
            paint: Paint::filled(color(case)).bordered(BORDER),
            least: [1, 1],
        })
        .collect();
    let axis = |label| {
        let scale = Scale::Linear(2.5..102.5, 10.0);
        Axis::new(label, scale, |value| format!("{value:.0}"))
    };
    Map {
        panel: Panel {
            title: title.to_owned(),
            x: axis("speed, m/s"),
            y: axis("thickness of the wall, cm"),
            lines: Vec::new(),
        },
        rects,
        notes: Vec::new(),
    }
}
