//! Plots of all steps over time, one for each kind of figure that the list of columns has.

use super::View;
use super::steps::{COLUMNS, Step};
use support::chart::{
    Area, Axis, Drawn, Figure, Line, Panel, Scale, Stroke, Tile, VERMILLION, short,
};

/// More points than this can't be told apart on a line.
const MOST_POINTS: usize = 2000;

/// What is drawn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plot {
    Energy,
    Momentum,
    Contacts,
    Iterations,
    Milliseconds,
    Distance,
}

const PLOTS: [Plot; 6] = [
    Plot::Energy,
    Plot::Momentum,
    Plot::Contacts,
    Plot::Distance,
    Plot::Milliseconds,
    Plot::Iterations,
];

/// A plot to be saved.
pub(crate) struct Ready {
    pub(crate) title: &'static str,
    /// Name of the file, without ending.
    pub(crate) file: &'static str,
    pub(crate) figure: Figure<Wide>,
}

/// A panel wide enough for a run.
pub(crate) struct Wide(Panel);

impl Tile for Wide {
    const SIZE: (u32, u32) = (640, 320);

    fn draw(&self, area: &Area<'_>) -> Drawn {
        self.0.draw(area)
    }
}

impl Plot {
    fn title(self) -> &'static str {
        match self {
            Self::Energy => "Energy",
            Self::Momentum => "Momentum",
            Self::Contacts => "Number of contacts",
            Self::Iterations => "Iterations in a step",
            Self::Milliseconds => "Time that a step takes",
            Self::Distance => "Smallest distance",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Momentum => "momentum",
            Self::Contacts => "contacts",
            Self::Iterations => "iterations",
            Self::Milliseconds => "milliseconds",
            Self::Distance => "distance",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Energy => "J",
            Self::Momentum => "kg·m/s",
            Self::Contacts | Self::Iterations => "",
            Self::Milliseconds => "ms",
            Self::Distance => "m",
        }
    }

    /// Whether values differ by powers of ten.
    fn is_log(self) -> bool {
        matches!(self, Self::Milliseconds | Self::Distance)
    }

    fn counts(self) -> bool {
        matches!(self, Self::Contacts | Self::Iterations)
    }
}

/// The plots that have something to show.
pub(crate) fn all(steps: &[Step], view: &View) -> Vec<Ready> {
    PLOTS
        .into_iter()
        .filter_map(|plot| ready(plot, steps, view))
        .collect()
}

fn ready(plot: Plot, steps: &[Step], view: &View) -> Option<Ready> {
    let mut lines = Vec::new();
    let mut legend = Vec::new();
    for column in COLUMNS {
        let Some(drawing) = column.drawn.as_ref().filter(|drawn| drawn.plot == plot) else {
            continue;
        };
        let stroke = Stroke::solid(drawing.colour);
        let points: Vec<_> = thinned(steps)
            .filter_map(|step| Some((step.time, (column.value)(step)?)))
            .collect();
        if !points.is_empty() {
            lines.push(Line { stroke, points });
            legend.push((stroke, drawing.label.to_owned()));
        }
    }
    let time = time_scale(steps);
    if let (Plot::Distance, Some(separation), Scale::Linear(range, _)) =
        (plot, view.separation, &time)
        && !lines.is_empty()
    {
        let stroke = Stroke::solid(VERMILLION).dashed(true);
        let points = vec![(range.start, separation), (range.end, separation)];
        lines.push(Line { stroke, points });
        legend.push((stroke, format!("separation kept: {} m", short(separation))));
    }
    let values = || lines.iter().flat_map(|line| &line.points).map(|p| p.1);
    if !values().any(|value| value.is_finite() && value != 0.0) {
        return None;
    }
    let scale = if plot.is_log() {
        // So that the least is above the border.
        Scale::log_around(values().chain(values().map(|value| 0.7 * value)))
    } else if plot.counts() {
        Scale::linear_around(values().chain([0.0, 7.0]))
    } else {
        Scale::linear_around(values().chain([0.0]))
    };
    Some(Ready {
        title: plot.title(),
        file: plot.file(),
        figure: Figure {
            title: plot.title().to_owned(),
            subtitle: view.title.to_owned(),
            columns: 1,
            legend_columns: legend.len().min(4),
            legend,
            panels: vec![Wide(Panel {
                title: String::new(),
                x: Axis::new("time, s", time, short),
                y: Axis::new(plot.label(), scale, short),
                lines,
            })],
        },
    })
}

/// From the start of the run to its end, not beyond.
fn time_scale(steps: &[Step]) -> Scale {
    let end = steps.last().map_or(0.0, |step| step.time);
    match Scale::linear_around([0.0, end]) {
        Scale::Linear(_, step) if end > 0.0 => Scale::Linear(0.0..end, step),
        whole => whole,
    }
}

/// All steps, or evenly chosen ones; always with the last.
fn thinned(steps: &[Step]) -> impl Iterator<Item = &Step> {
    let stride = steps.len().div_ceil(MOST_POINTS).max(1);
    let last = steps.len().saturating_sub(1);
    let chosen = move |i: &usize| i.is_multiple_of(stride) || *i == last;
    (0..steps.len()).filter(chosen).map(|i| &steps[i])
}
