//! Maps: a panel of coloured rectangles.

use std::ops::Range;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::chart::{Area, Chart, Drawn, FONT, Mark, Panel, Scale, Tile};

/// What a rectangle looks like.
#[derive(Clone, Copy, Default)]
pub struct Paint {
    /// All over it.
    pub fill: Option<RGBColor>,
    /// One pixel wide.
    pub border: Option<RGBColor>,
}

/// A rectangle on a map; what lies beyond the map's scales is cut off.
pub struct Rect {
    /// From left to right.
    pub x: Range<f64>,
    /// From bottom to top.
    pub y: Range<f64>,
    /// What it looks like.
    pub paint: Paint,
    /// Pixels that it is drawn wide, and high, at least.
    pub least: [u32; 2],
}

/// Words on a map, centred at a place.
pub struct Note {
    /// Their middle.
    pub place: (f64, f64),
    /// What they say.
    pub text: String,
}

/// A panel with rectangles under its lines, and words over them. Its scales are linear.
pub struct Map {
    /// Its axes, title and lines.
    pub panel: Panel,
    /// Later ones lie over earlier ones.
    pub rects: Vec<Rect>,
    /// Over all else.
    pub notes: Vec<Note>,
}

impl Tile for Map {
    const SIZE: (u32, u32) = (540, 460);

    fn draw(&self, area: &Area<'_>) -> Drawn {
        self.panel.draw_over(area, |chart| {
            let (width, height) = chart.plotting_area().dim_in_pixel();
            for rect in &self.rects {
                let x = shown(&rect.x, &self.panel.x.scale, width, rect.least[0]);
                let y = shown(&rect.y, &self.panel.y.scale, height, rect.least[1]);
                if let (Some(x), Some(y)) = (x, y) {
                    rect.paint
                        .draw(chart, [(x.start, y.start), (x.end, y.end)])?;
                }
            }
            let style = (FONT, 13)
                .into_text_style(area)
                .pos(Pos::new(HPos::Center, VPos::Center));
            for note in &self.notes {
                let text = Text::new(note.text.clone(), note.place, style.clone());
                chart.draw_series([text])?;
            }
            Ok(())
        })
    }
}

/// The part of a range that is on the scale, widened to so many pixels; `None` when nothing is.
fn shown(range: &Range<f64>, scale: &Scale, pixels: u32, least: u32) -> Option<Range<f64>> {
    let Scale::Linear(whole, _) = scale else {
        return None;
    };
    let least = (whole.end - whole.start) / f64::from(pixels.max(1)) * f64::from(least);
    let missing = (least - (range.end - range.start)).max(0.0);
    let start = (range.start - 0.5 * missing).max(whole.start);
    let end = (range.end + 0.5 * missing).min(whole.end);
    (start <= end).then_some(start..end)
}

impl Paint {
    /// One colour all over.
    pub const fn filled(color: RGBColor) -> Self {
        Self {
            fill: Some(color),
            border: None,
        }
    }

    /// The same with a border.
    pub const fn bordered(self, color: RGBColor) -> Self {
        Self {
            border: Some(color),
            ..self
        }
    }

    fn draw(self, chart: &mut Chart<'_>, corners: [(f64, f64); 2]) -> Drawn {
        if let Some(fill) = self.fill {
            chart.draw_series([Rectangle::new(corners, fill.filled())])?;
        }
        if let Some(border) = self.border {
            chart.draw_series([Rectangle::new(corners, border.stroke_width(1))])?;
        }
        Ok(())
    }
}

impl Mark for Paint {
    fn draw(&self, area: &Area<'_>, (x, y): (i32, i32)) -> Drawn {
        let corners = [(x + 12, y - 8), (x + 34, y + 8)];
        if let Some(fill) = self.fill {
            area.draw(&Rectangle::new(corners, fill.filled()))?;
        }
        if let Some(border) = self.border {
            area.draw(&Rectangle::new(corners, border.stroke_width(1)))?;
        }
        Ok(())
    }
}

/// A colour from dark blue at 0 through green to yellow at 1, ever lighter (after viridis).
pub fn ramp(share: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [253.0, 231.0, 37.0],
    ];
    between(&STOPS, share)
}

/// A blue, dark at 0 and light at 1. No colour of it is one of [`greens`], so that both can stand
/// in one figure, for two quantities.
pub fn blues(share: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 3] = [
        [8.0, 40.0, 105.0],
        [55.0, 130.0, 195.0],
        [175.0, 210.0, 240.0],
    ];
    between(&STOPS, share)
}

/// A green, dark at 0 and light at 1; see [`blues`].
pub fn greens(share: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 3] = [
        [0.0, 60.0, 25.0],
        [60.0, 150.0, 60.0],
        [190.0, 225.0, 120.0],
    ];
    between(&STOPS, share)
}

/// The colour at a share of the way along some colours.
fn between(stops: &[[f64; 3]], share: f64) -> RGBColor {
    let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let stop = (place as usize).min(stops.len() - 2);
    let part = place - stop as f64;
    let [r, g, b] = std::array::from_fn(|c| {
        (stops[stop][c] + part * (stops[stop + 1][c] - stops[stop][c])).round() as u8
    });
    RGBColor(r, g, b)
}
