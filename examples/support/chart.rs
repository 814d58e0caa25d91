//! Figures as SVG: panels in rows, one title above and one legend below them all. Panels are line
//! charts, or maps (see `map.rs`).

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const HEAD: u32 = 64;
const LEGEND_ROW: u32 = 24;
/// The font of all words.
pub const FONT: &str = "sans-serif";
const GRID: RGBColor = RGBColor(225, 225, 225);

/// One of the colours that colour-blind readers can tell apart (Okabe and Ito 2008), as those that
/// follow.
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
/// See [`BLUE`].
pub const VERMILLION: RGBColor = RGBColor(213, 94, 0);
/// See [`BLUE`].
pub const GREEN: RGBColor = RGBColor(0, 158, 115);

/// What is drawn on, in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What is drawn on, in values on two scales.
pub type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Scale, Scale>>;
/// Whether it could be drawn.
pub type Drawn = Result<(), Box<dyn Error>>;

/// What a figure is made of.
pub trait Tile {
    /// Width and height in pixels.
    const SIZE: (u32, u32);

    /// Draws it all over the area.
    fn draw(&self, area: &Area<'_>) -> Drawn;
}

/// What stands for an entry of the legend.
pub trait Mark {
    /// Draws it from `left` to 34 pixels further on, around the height of `left`.
    fn draw(&self, area: &Area<'_>, left: (i32, i32)) -> Drawn;
}

/// What a line looks like.
#[derive(Clone, Copy)]
pub struct Stroke {
    /// Of the line and its dots.
    pub color: RGBColor,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Mark each point of the line.
    pub dots: bool,
}

/// A line through points.
pub struct Line {
    /// What it looks like.
    pub stroke: Stroke,
    /// What it goes through, in order; what is not on the panel's scales is left out.
    pub points: Vec<(f64, f64)>,
}

/// The values along an axis.
#[derive(Clone)]
pub enum Scale {
    /// The range in powers of ten, a tick at each.
    Log(Range<i32>),
    /// The range, and the distance of ticks, which are at its multiples.
    Linear(Range<f64>, f64),
}

/// An axis of a panel.
pub struct Axis {
    /// What it says beside the axis.
    pub label: &'static str,
    /// Which values it has.
    pub scale: Scale,
    /// How the value of a tick is written.
    pub format: fn(f64) -> String,
}

/// A line chart.
pub struct Panel {
    /// Above it.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Later ones lie over earlier ones.
    pub lines: Vec<Line>,
}

/// Panels with a title and a legend.
pub struct Figure<P = Panel, M = Stroke> {
    /// Above them all.
    pub title: String,
    /// Below it, in smaller letters.
    pub subtitle: String,
    /// Panels side by side.
    pub columns: usize,
    /// Row by row.
    pub panels: Vec<P>,
    /// Entries side by side.
    pub legend_columns: usize,
    /// Row by row.
    pub legend: Vec<(M, String)>,
}

impl Stroke {
    /// A plain line.
    pub const fn solid(color: RGBColor) -> Self {
        Self {
            color,
            dashed: false,
            dots: false,
        }
    }

    /// The same in dashes, or not.
    pub const fn dashed(self, dashed: bool) -> Self {
        Self { dashed, ..self }
    }

    /// The same with a dot at each point.
    pub const fn dotted(self) -> Self {
        Self { dots: true, ..self }
    }
}

impl Axis {
    /// An axis of all that it is made of.
    pub fn new(label: &'static str, scale: Scale, format: fn(f64) -> String) -> Self {
        Self {
            label,
            scale,
            format,
        }
    }
}

impl Scale {
    /// The scale in powers of ten that holds all points of some lines, in y.
    pub fn log_around_lines(lines: &[Line]) -> Self {
        let points = lines.iter().flat_map(|line| &line.points);
        Self::log_around(points.map(|point| point.1))
    }

    /// The scale in powers of ten that holds all values; zeros and the like do not count.
    pub fn log_around(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|v| *v > 0.0 && v.is_finite()) {
            least = least.min(value.log10());
            greatest = greatest.max(value.log10());
        }
        if least > greatest {
            (least, greatest) = (0.0, 1.0);
        }
        let from = least.floor() as i32;
        Self::Log(from..(greatest.ceil() as i32).max(from + 1))
    }

    /// The scale with round ends that holds all values, those at an end not on its border unless
    /// they are 0.
    pub fn linear_around(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|v| v.is_finite()) {
            least = least.min(value);
            greatest = greatest.max(value);
        }
        if least > greatest {
            (least, greatest) = (0.0, 1.0);
        } else if greatest - least <= 1e-9 * greatest.abs().max(least.abs()) {
            // A single value, to rounding: drawn in the middle.
            let margin = if greatest == 0.0 {
                1.0
            } else {
                0.5 * greatest.abs()
            };
            (least, greatest) = (least - margin, greatest + margin);
        }
        let margin = 0.03 * (greatest - least);
        let beyond = |end: f64, margin: f64| if end == 0.0 { 0.0 } else { end + margin };
        (least, greatest) = (beyond(least, -margin), beyond(greatest, margin));
        let step = round_up((greatest - least) / 7.0);
        let ends = (least / step).floor() * step..(greatest / step).ceil() * step;
        Self::Linear(ends, step)
    }

    /// The value's place on the scale, 0 at its start and 1 at its end.
    fn place(&self, value: f64) -> f64 {
        let (value, start, end) = match self {
            Self::Log(decades) => (
                value.log10(),
                f64::from(decades.start),
                f64::from(decades.end),
            ),
            Self::Linear(range, _) => (value, range.start, range.end),
        };
        (value - start) / (end - start)
    }

    /// Whether a value is on the scale; one that is not can't be drawn.
    fn holds(&self, value: f64) -> bool {
        (0.0..=1.0).contains(&self.place(value))
    }

    fn ticks(&self) -> Vec<f64> {
        match self {
            Self::Log(decades) => {
                // At most about eight of them, or their labels would touch.
                let step = (decades.len() / 9 + 1) as i32;
                (decades.start..=decades.end)
                    .filter(|decade| decade % step == 0)
                    .map(|decade| 10_f64.powi(decade))
                    .collect()
            }
            Self::Linear(range, step) => {
                let first = (range.start / step - 1e-9).ceil();
                (0..)
                    .map(|k| (first + f64::from(k)) * step)
                    .take_while(|&tick| tick <= range.end + 1e-9 * step)
                    .collect()
            }
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, &value: &f64, limit: (i32, i32)) -> i32 {
        limit.0 + (self.place(value) * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        match self {
            Self::Log(decades) => 10_f64.powi(decades.start)..10_f64.powi(decades.end),
            Self::Linear(range, _) => range.clone(),
        }
    }
}

impl<P: Tile, M: Mark> Figure<P, M> {
    /// Writes the figure to an SVG file.
    pub fn save(&self, path: &Path) -> Drawn {
        let columns = self.columns.max(1);
        let rows = self.panels.len().div_ceil(columns);
        let legend_columns = self.legend_columns.max(1);
        let legend_height = LEGEND_ROW * self.legend.len().div_ceil(legend_columns) as u32 + 12;
        let width = P::SIZE.0 * columns as u32;
        let body = P::SIZE.1 * rows as u32;
        let root = SVGBackend::new(path, (width, HEAD + body + legend_height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, rest) = root.split_vertically(HEAD);
        let (body, legend) = rest.split_vertically(body);

        let middle = width as i32 / 2;
        write_centred(&head, &self.title, 22, (middle, 20))?;
        write_centred(&head, &self.subtitle, 14, (middle, 46))?;
        for (panel, area) in self.panels.iter().zip(body.split_evenly((rows, columns))) {
            panel.draw(&area)?;
        }
        self.draw_legend(&legend, width as i32)?;
        root.present()?;
        Ok(())
    }

    fn draw_legend(&self, area: &Area<'_>, width: i32) -> Drawn {
        let columns = self.legend_columns.max(1);
        let cell = (width - 60) / columns as i32;
        let style = (FONT, 14)
            .into_text_style(area)
            .pos(Pos::new(HPos::Left, VPos::Center));
        for (index, (mark, label)) in self.legend.iter().enumerate() {
            let x = 60 + (index % columns) as i32 * cell;
            let y = (index / columns) as i32 * LEGEND_ROW as i32 + 12;
            mark.draw(area, (x, y))?;
            area.draw(&Text::new(label.as_str(), (x + 42, y), style.clone()))?;
        }
        Ok(())
    }
}

impl Mark for Stroke {
    fn draw(&self, area: &Area<'_>, (x, y): (i32, i32)) -> Drawn {
        let ends = [(x, y), (x + 34, y)];
        let style = self.color.stroke_width(2);
        if self.dashed {
            area.draw(&DashedPathElement::new(ends, 5, 4, style))?;
        } else {
            area.draw(&PathElement::new(ends, style))?;
        }
        if self.dots {
            area.draw(&Circle::new((x + 17, y), 3, self.color.filled()))?;
        }
        Ok(())
    }
}

impl Tile for Panel {
    const SIZE: (u32, u32) = (440, 320);

    fn draw(&self, area: &Area<'_>) -> Drawn {
        self.draw_over(area, |_| Ok(()))
    }
}

impl Panel {
    /// Draws the panel, its lines over what `under` draws.
    pub fn draw_over<'a>(
        &self,
        area: &Area<'a>,
        under: impl FnOnce(&mut Chart<'a>) -> Drawn,
    ) -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 17))
            .margin(10)
            .margin_right(22)
            .x_label_area_size(44)
            .y_label_area_size(62)
            .build_cartesian_2d(self.x.scale.clone(), self.y.scale.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(BLACK.mix(0.6))
            .label_style((FONT, 13))
            .axis_desc_style((FONT, 14))
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .x_label_formatter(&|&value| (self.x.format)(value))
            .y_label_formatter(&|&value| (self.y.format)(value))
            .draw()?;
        under(&mut chart)?;
        for line in &self.lines {
            let places: Vec<(f64, f64)> = line
                .points
                .iter()
                .copied()
                .filter(|&(x, y)| self.x.scale.holds(x) && self.y.scale.holds(y))
                .collect();
            let style = line.stroke.color.stroke_width(2);
            if line.stroke.dashed {
                let dashes = DashedLineSeries::new(places.iter().copied(), 5, 4, style);
                chart.draw_series(dashes)?;
            } else {
                chart.draw_series(LineSeries::new(places.iter().copied(), style))?;
            }
            if line.stroke.dots {
                let dot = |&place| Circle::new(place, 3, line.stroke.color.filled());
                chart.draw_series(places.iter().map(dot))?;
            }
        }
        Ok(())
    }
}

/// The next number of the form 1, 2 or 5 times a power of ten.
pub fn round_up(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let rounded = [1.0, 2.0, 5.0].map(|digit| digit * decade);
    let found = rounded.into_iter().find(|&rounded| rounded >= value);
    found.unwrap_or(10.0 * decade)
}

/// The value of a tick in four digits, in powers of ten where it would be long otherwise.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded != 0.0 && !(1e-3..1e5).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        format!("{rounded}")
    }
}

fn write_centred(area: &Area<'_>, text: &str, size: u32, place: (i32, i32)) -> Drawn {
    let style = (FONT, size)
        .into_text_style(area)
        .pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text, place, style))?;
    Ok(())
}
