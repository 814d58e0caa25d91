//! The boxes of both searches in the (t, s) square, whole and near the contact, and how many there
//! are on each level.

use std::ops::Range;

use plotters::style::RGBColor;

use crate::Study;
use crate::search::{Answer, Search};
use support::chart::{Axis, Figure, Panel, Scale, VERMILLION, round_up};
use support::map::{Map, Note, Paint, Rect, ramp};

const BORDER: RGBColor = RGBColor(90, 90, 90);
const WHITE: RGBColor = RGBColor(255, 255, 255);
const GREY: RGBColor = RGBColor(205, 205, 205);
const ZOOM: f64 = 64.0;
/// Pixels below which a box is not drawn.
const TOO_SMALL: f64 = 1.0 / 500.0;

pub(crate) fn figure(study: &Study, bisected: &Search, replayed: &Search) -> Figure<Map, Paint> {
    let searches = [
        ("classical bisection", bisected),
        ("time-dependent search", replayed),
    ];
    let levels = searches
        .iter()
        .flat_map(|(_, search)| search.tested.iter().map(|tested| tested.level))
        .max()
        .unwrap_or(0)
        .max(1);
    let mut panels: Vec<Map> = searches
        .iter()
        .map(|(name, search)| {
            let title = format!("{name}: {} boxes", search.tested.len());
            let mut map = square(title, search, [0.0..1.0, 0.0..1.0], 0.2, levels);
            map.notes.extend(first_cut(search));
            map
        })
        .collect();
    if let Some(centre) = searches.iter().find_map(|(_, search)| place(search)) {
        panels.extend(searches.iter().map(|(name, search)| {
            let windows = centre.map(|x| {
                let half = 0.5 / ZOOM;
                let middle = (x * 4.0 * ZOOM).round() / (4.0 * ZOOM);
                let middle = middle.clamp(half, 1.0 - half);
                middle - half..middle + half
            });
            let title = format!("{name}, enlarged {ZOOM} times");
            square(title, search, windows, 0.25 / ZOOM, levels)
        }));
    }
    let most = searches
        .iter()
        .flat_map(|(_, search)| per_level(search, levels))
        .map(|[all, _]| all)
        .max()
        .unwrap_or(1);
    panels.extend(
        searches
            .iter()
            .map(|(name, search)| bars(name, search, levels, most)),
    );

    let mut legend: Vec<(Paint, String)> = (0..=4)
        .map(|quarter| {
            let level = (f64::from(levels) * f64::from(quarter) / 4.0).round() as u32;
            let text = format!("ruled out on level {level}");
            (Paint::filled(color(level, levels)), text)
        })
        .collect();
    legend.push((Paint::filled(VERMILLION), "accepted (not to scale)".into()));
    legend.push((Paint::filled(GREY), "not ruled out".into()));
    legend.push((
        Paint::filled(WHITE).bordered(BORDER),
        "in the queue, not halved (on the right drawn 9 px wide at least)".into(),
    ));
    Figure {
        title: "A bullet and a wall: boxes in the square of time t and place s on the wall".into(),
        subtitle: format!(
            "δ = {:e}; the boxes on the right are replayed with the crate's inclusion test",
            study.options.delta
        ),
        columns: 2,
        panels,
        legend_columns: 5,
        legend,
    }
}

/// Light on level 0, dark on the deepest.
fn color(level: u32, levels: u32) -> RGBColor {
    ramp(1.0 - f64::from(level) / f64::from(levels))
}

/// Where in (t, s) a search ended.
fn place(search: &Search) -> Option<[f64; 2]> {
    match search.answer {
        Answer::Contact { t, s } => Some([t[0], 0.5 * (s[0] + s[1])]),
        Answer::Clear | Answer::Exhausted { .. } => None,
    }
}

/// Names what the first test alone rules out, where that is a part of the square to write on.
fn first_cut(search: &Search) -> Vec<Note> {
    let Some(left) = search.tested.first().and_then(|root| root.left) else {
        return Vec::new();
    };
    [(0.0..left[0], "before"), (left[1]..1.0, "after")]
        .into_iter()
        .filter(|(part, _)| part.end - part.start > 0.3)
        .flat_map(|(part, side)| {
            let x = 0.5 * (part.start + part.end);
            let lines = [
                "ruled out by the first test:",
                side,
                "the point can reach the wall",
            ];
            let lines = match side {
                "before" => [lines[0], "too early to reach", "the wall's line"],
                _ => [lines[0], "already beyond", "the wall's line"],
            };
            (0..3).zip(lines).map(move |(k, line)| Note {
                place: (x, 0.75 - 0.05 * f64::from(k)),
                text: line.to_owned(),
            })
        })
        .collect()
}

/// The boxes in a window: each test paints its box in the colour of its level and what it leaves
/// white; the tests of that part's halves paint over it.
fn square(title: String, search: &Search, [x, y]: [Range<f64>; 2], step: f64, levels: u32) -> Map {
    let size = x.end - x.start;
    let visible =
        |[from, to]: [f64; 2], window: &Range<f64>| from <= window.end && to >= window.start;
    let mut tests: Vec<_> = search
        .tested
        .iter()
        .filter(|test| visible(test.t, &x) && visible(test.s, &y))
        .filter(|test| test.s[1] - test.s[0] > TOO_SMALL * size)
        .collect();
    tests.sort_by_key(|test| test.level);
    let mut rects = Vec::new();
    for test in tests {
        let thin = test.t[1] - test.t[0] < TOO_SMALL * size;
        let rect = |t: [f64; 2], fill| Rect {
            x: t[0]..t[1],
            y: test.s[0]..test.s[1],
            paint: Paint::filled(fill).bordered(BORDER),
            least: if thin || t != test.t { [9, 1] } else { [1, 1] },
        };
        rects.push(rect(test.t, color(test.level, levels)));
        rects.extend(test.left.map(|left| rect(left, WHITE)));
    }
    if let Answer::Contact { t, s } = search.answer {
        rects.push(Rect {
            x: t[0]..t[1],
            y: s[0]..s[1],
            paint: Paint::filled(VERMILLION),
            least: [7, 7],
        });
    }
    let axis = |label, range, format| Axis::new(label, Scale::Linear(range, step), format);
    let format: fn(f64) -> String = if size < 1.0 {
        |value| format!("{value:.4}")
    } else {
        |value| format!("{value:.1}")
    };
    Map {
        panel: Panel {
            title,
            x: axis("time t, in steps", x, format),
            y: axis("place s on the wall", y, format),
            lines: Vec::new(),
        },
        rects,
        notes: Vec::new(),
    }
}

/// For each level, how many boxes were tested and how many of them were not ruled out.
fn per_level(search: &Search, levels: u32) -> Vec<[usize; 2]> {
    (0..=levels)
        .map(|level| {
            let on_level = || search.tested.iter().filter(|test| test.level == level);
            let left = on_level().filter(|test| test.left.is_some()).count();
            [on_level().count(), left]
        })
        .collect()
}

fn bars(name: &str, search: &Search, levels: u32, most: usize) -> Map {
    let bar = |level: u32, from: usize, to: usize, fill| Rect {
        x: f64::from(level) - 0.4..f64::from(level) + 0.4,
        y: from as f64..to as f64,
        paint: Paint::filled(fill).bordered(BORDER),
        least: [1, 1],
    };
    let rects = (0..=levels)
        .zip(per_level(search, levels))
        .filter(|(_, [all, _])| *all > 0)
        .flat_map(|(level, [all, left])| {
            let ruled_out = (left < all).then(|| bar(level, left, all, color(level, levels)));
            let stays = (left > 0).then(|| bar(level, 0, left, GREY));
            stays.into_iter().chain(ruled_out)
        })
        .collect();
    let whole: fn(f64) -> String = |value| format!("{value:.0}");
    let (levels, most) = (f64::from(levels), most as f64);
    Map {
        panel: Panel {
            title: format!("{name}: boxes tested on each level"),
            x: Axis::new(
                "level: how many halvings led to the box",
                Scale::Linear(-0.7..levels + 0.7, (levels / 14.0).ceil()),
                whole,
            ),
            // Three to six ticks.
            y: Axis::new(
                "boxes",
                Scale::Linear(0.0..1.1 * most, round_up(most / 6.0).max(1.0)),
                whole,
            ),
            lines: Vec::new(),
        },
        rects,
        notes: Vec::new(),
    }
}
