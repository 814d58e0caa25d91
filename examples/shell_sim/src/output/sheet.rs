//! A dozen pictures over the run on one sheet, all from the same place.
//!
//! Where to look from is known only at the end. Until then evenly spaced frames are kept, every
//! other one dropped when there are too many: memory stays bounded however long the run.

use std::error::Error;
use std::path::Path;

use nalgebra::Vector3;
use patch_ccd::geometry::Patch;

use super::camera::Camera;
use super::picture::Picture;
use super::render::picture;
use super::{Mark, Role, Surface};
use support::chart::short;

const PICTURES: usize = 12;
const COLUMNS: usize = 4;
const SIZE: [usize; 2] = [400, 320];
const GAP: usize = 10;
const CAPTION: usize = 26;
const TITLE: usize = 34;
const TEXT: [f64; 3] = [40.0, 45.0, 50.0];

struct Kept {
    time: f64,
    surfaces: Vec<Surface>,
    marks: Vec<Mark>,
}

pub(crate) struct ContactSheet {
    towards_eye: Vector3<f64>,
    kept: Vec<Kept>,
    /// Frames from one that is kept to the next.
    stride: usize,
    frames: usize,
    /// The last frame, unless it is in `kept`.
    last: Option<Kept>,
}

impl ContactSheet {
    pub(crate) fn new(towards_eye: Vector3<f64>) -> Self {
        Self {
            towards_eye,
            kept: Vec::new(),
            stride: 1,
            frames: 0,
            last: None,
        }
    }

    pub(crate) fn keep(&mut self, time: f64, surfaces: &[Surface], marks: &[Mark]) {
        let frame = Kept {
            time,
            surfaces: surfaces.to_vec(),
            marks: marks.to_vec(),
        };
        if self.frames.is_multiple_of(self.stride) {
            self.kept.push(frame);
            self.last = None;
        } else {
            self.last = Some(frame);
        }
        self.frames += 1;
        if self.kept.len() > 4 * PICTURES {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Draws the sheet; whether there was anything to draw.
    pub(crate) fn save(self, path: &Path, title: &str) -> Result<bool, Box<dyn Error>> {
        let mut frames = self.kept;
        frames.extend(self.last);
        if frames.is_empty() {
            return Ok(false);
        }
        let count = frames.len().min(PICTURES);
        let steps = (count - 1).max(1);
        let chosen: Vec<&Kept> = (0..count)
            .map(|i| &frames[(i * (frames.len() - 1) + steps / 2) / steps])
            .collect();
        let sheet = drawn(&chosen, self.towards_eye, title);
        sheet
            .save_png(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(true)
    }
}

fn drawn(chosen: &[&Kept], towards_eye: Vector3<f64>, title: &str) -> Picture {
    let in_view = chosen
        .iter()
        .flat_map(|frame| &frame.surfaces)
        .filter(|surface| surface.role != Role::Scenery)
        .flat_map(|surface| &surface.patches)
        .flat_map(|patch| patch.control_points());
    let aspect = SIZE[0] as f64 / SIZE[1] as f64;
    let camera = Camera::around(in_view, towards_eye, aspect);
    let forces = chosen.iter().flat_map(|frame| &frame.marks);
    let greatest = forces.map(|mark| mark.force.norm()).fold(0.0, f64::max);

    let columns = COLUMNS.min(chosen.len());
    let rows = chosen.len().div_ceil(columns);
    let [width, height] = [SIZE[0] + GAP, SIZE[1] + CAPTION + GAP];
    let whole = [columns * width + GAP, TITLE + rows * height];
    let mut sheet = Picture::filled(whole, [255; 3]);
    sheet.write([GAP, 8], title, TEXT);
    for (number, frame) in chosen.iter().enumerate() {
        let left = GAP + number % columns * width;
        let top = TITLE + number / columns * height;
        let drawn = picture(&camera, SIZE, &frame.surfaces, &frame.marks, greatest);
        sheet.copy(&drawn, [left, top]);
        let contacts = match frame.marks.len() {
            0 => String::new(),
            1 => ", 1 contact".to_owned(),
            many => format!(", {many} contacts"),
        };
        let caption = format!("t = {} s{contacts}", short(frame.time));
        sheet.write([left, top + SIZE[1] + 2], &caption, TEXT);
    }
    sheet
}
