//! What end-of-step checks and triangles miss, and how wrong a hit's time and place are with
//! triangles: tables and a plot.

use crate::output::Extra;
use crate::scenes::table::Figures;
use support::chart::{Axis, BLUE, Figure, GREEN, Line, Panel, Scale, Stroke, VERMILLION, short};
use support::stats::Sample;

use super::DTS;
use super::shot::{Aim, Shot};
use super::ways::{Answers, CELLS};

/// A ballistic step, and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) dt: f64,
    pub(crate) shot: Shot,
    pub(crate) answers: Answers,
}

/// Errors of hits that the true surfaces and triangles both have.
struct Errors {
    /// Seconds, and metres of the bullet's way in them.
    time: Sample,
    way: Sample,
    /// Between the places, m.
    place: Sample,
}

impl Errors {
    /// Of the shots at the sheet.
    fn new(asked: &[Asked], k: usize) -> Self {
        let direct = asked.iter().filter(|asked| asked.shot.aim == Aim::Sheet);
        let both: Vec<_> = direct
            .filter_map(|asked| {
                let (truth, hit) = (asked.answers.truth?, asked.answers.triangles[k]?);
                let time = (hit.time - truth.time).abs() * asked.dt;
                let way = time * asked.shot.velocity.norm();
                Some([time, way, (hit.point - truth.point).norm()])
            })
            .collect();
        let [time, way, place] = [0, 1, 2].map(|c| both.iter().map(|error| error[c]).collect());
        Self { time, way, place }
    }
}

/// How many decisions are wrong: hits that are missed, of so many, and misses that are taken for
/// hits, of so many.
struct Wrong {
    hits: usize,
    missed: usize,
    misses: usize,
    hit: usize,
}

impl Wrong {
    fn new<'a>(asked: impl Iterator<Item = &'a Asked>, hits: impl Fn(&Answers) -> bool) -> Self {
        let mut wrong = Self {
            hits: 0,
            missed: 0,
            misses: 0,
            hit: 0,
        };
        for asked in asked {
            let says = hits(&asked.answers);
            if asked.answers.truth.is_some() {
                wrong.hits += 1;
                wrong.missed += usize::from(!says);
            } else {
                wrong.misses += 1;
                wrong.hit += usize::from(says);
            }
        }
        wrong
    }

    fn missed(&self) -> String {
        format!(
            "{:.1} %",
            100.0 * self.missed as f64 / self.hits.max(1) as f64
        )
    }

    fn cells(&self) -> [String; 4] {
        [
            self.hits.to_string(),
            format!("{} ({})", self.missed, self.missed()),
            self.misses.to_string(),
            self.hit.to_string(),
        ]
    }
}

fn name(aim: Aim) -> &'static str {
    match aim {
        Aim::Sheet => "at the sheet",
        Aim::Graze => "grazing",
    }
}

/// The tables.
pub(crate) fn tables(asked: &[Asked]) -> [Figures; 3] {
    let mut ends = Figures::new(
        "What checks at the end of the step miss",
        &["dt, shots", "hits", "missed", "misses", "taken for hits"],
    );
    for dt in DTS {
        let of = asked.iter().filter(|asked| asked.dt == dt);
        if of.clone().next().is_none() {
            continue;
        }
        for aim in [Aim::Sheet, Aim::Graze] {
            let of = of.clone().filter(|asked| asked.shot.aim == aim);
            let mut row = vec![format!("{} ms, {}", 1e3 * dt, name(aim))];
            row.extend(Wrong::new(of, |answers| answers.at_end).cells());
            ends.rows.push(row);
        }
    }
    let mut decisions = Figures::new(
        "What flat triangles miss, n × n × 2 of them to a patch, all steps",
        &["n, shots", "hits", "missed", "misses", "taken for hits"],
    );
    let mut errors = Figures::new(
        "How wrong hits are with triangles, of shots at the sheet that hit either way",
        &[
            "n",
            "median error in time",
            "largest",
            "of the bullet's way",
            "largest",
            "order",
            "of the place",
            "largest",
            "order",
        ],
    );
    let mut before: Option<[f64; 2]> = None;
    for (k, n) in CELLS.into_iter().enumerate() {
        for aim in [Aim::Sheet, Aim::Graze] {
            let of = asked.iter().filter(|asked| asked.shot.aim == aim);
            let mut row = vec![format!("{n}, {}", name(aim))];
            row.extend(Wrong::new(of, |answers| answers.triangles[k].is_some()).cells());
            decisions.rows.push(row);
        }
        let Errors { time, way, place } = Errors::new(asked, k);
        let medians = [way.median(), place.median()];
        let order = |c: usize| {
            before.map_or("".to_owned(), |before| {
                format!("{:.2}", (before[c] / medians[c]).log2())
            })
        };
        let millimetres = |value: f64| format!("{:.2e} mm", 1e3 * value);
        errors.rows.push(vec![
            n.to_string(),
            format!("{:.2e} µs", 1e6 * time.median()),
            format!("{:.2e} µs", 1e6 * time.worst()),
            millimetres(way.median()),
            millimetres(way.worst()),
            order(0),
            millimetres(place.median()),
            millimetres(place.worst()),
            order(1),
        ]);
        before = Some(medians);
    }
    [ends, decisions, errors]
}

/// Errors against n, and wrong decisions of grazing shots.
pub(crate) fn plot(asked: &[Asked]) -> Extra {
    let dotted = |color| Stroke::solid(color).dotted();
    let dashed = |color| Stroke::solid(color).dashed(true);
    let errors: Vec<_> = (0..CELLS.len()).map(|k| Errors::new(asked, k)).collect();
    let line = |stroke, value: &dyn Fn(&Errors) -> f64| Line {
        stroke,
        points: CELLS
            .into_iter()
            .zip(&errors)
            .map(|(n, errors)| (n as f64, value(errors)))
            .collect(),
    };
    let first = errors.first().map_or(1.0, |errors| errors.way.median());
    let guide = CELLS.map(|n| (n as f64, 0.5 * first / (n * n) as f64));
    let lines = vec![
        line(dotted(BLUE), &|errors| errors.way.median()),
        line(dotted(GREEN), &|errors| errors.place.median()),
        Line {
            stroke: dashed(BLUE),
            points: guide.to_vec(),
        },
    ];
    let wrong = |aim| Line {
        stroke: match aim {
            Aim::Sheet => dashed(VERMILLION),
            Aim::Graze => dotted(VERMILLION),
        },
        points: CELLS
            .into_iter()
            .enumerate()
            .map(|(k, n)| {
                let of = asked.iter().filter(|asked| asked.shot.aim == aim);
                let wrong = Wrong::new(of, |answers| answers.triangles[k].is_some());
                let all = (wrong.hits + wrong.misses).max(1);
                (
                    n as f64,
                    100.0 * (wrong.missed + wrong.hit) as f64 / all as f64,
                )
            })
            .collect(),
    };
    let decisions = vec![wrong(Aim::Graze), wrong(Aim::Sheet)];
    let legend = vec![
        (
            lines[0].stroke,
            "of the bullet's way until the hit".to_owned(),
        ),
        (lines[1].stroke, "of the place of the hit".to_owned()),
        (lines[2].stroke, "1 / n²".to_owned()),
        (
            decisions[0].stroke,
            "wrong decisions, grazing shots".to_owned(),
        ),
        (
            decisions[1].stroke,
            "the same, shots at the sheet".to_owned(),
        ),
    ];
    let panel = |title: &str, label, lines: Vec<Line>| Panel {
        title: title.to_owned(),
        x: Axis::new("n", Scale::Log(0..2), short),
        y: Axis::new(label, Scale::log_around_lines(&lines), short),
        lines,
    };
    Extra::figure(
        "Flat triangles in the place of curved patches",
        "triangles",
        Figure {
            title: "Flat triangles in the place of curved patches".to_owned(),
            subtitle: format!("n × n × 2 of them to a patch; {} shots", asked.len()),
            columns: 2,
            panels: vec![
                panel("median error of a hit", "m", lines),
                panel("hit or not: wrong decisions", "%", decisions),
            ],
            legend_columns: 3,
            legend,
        },
    )
}
