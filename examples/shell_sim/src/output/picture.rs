//! Pixels, and what is drawn on them directly: dots and letters.

use std::error::Error;
use std::path::Path;

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

use support::make_file;

pub(crate) type Colour = [f64; 3];

pub(crate) fn mix(from: Colour, to: Colour, share: f64) -> Colour {
    std::array::from_fn(|c| from[c] + share * (to[c] - from[c]))
}

/// Rows of pixels, red, green and blue.
pub(crate) struct Picture {
    pub(crate) size: [usize; 2],
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub(crate) fn filled(size: [usize; 2], colour: [u8; 3]) -> Self {
        Self {
            size,
            pixels: vec![colour; size[0] * size[1]],
        }
    }

    /// Mixes a colour in; outside of the picture nothing happens.
    fn blend(&mut self, [x, y]: [usize; 2], colour: Colour, share: f64) {
        if x < self.size[0] && y < self.size[1] {
            let pixel = &mut self.pixels[y * self.size[0] + x];
            *pixel = mix(pixel.map(f64::from), colour, share).map(|c| c.round() as u8);
        }
    }

    pub(crate) fn copy(&mut self, other: &Self, [left, top]: [usize; 2]) {
        let width = other.size[0];
        for (row, pixels) in other.pixels.chunks(width).enumerate() {
            let start = (top + row) * self.size[0] + left;
            self.pixels[start..start + width].copy_from_slice(pixels);
        }
    }

    /// A disc with a white rim.
    pub(crate) fn dot(&mut self, [x, y]: [f64; 2], radius: f64, colour: Colour) {
        let reach = radius + 2.0;
        let [width, height] = self.size;
        let range = |centre: f64, end: usize| {
            let [from, to] = [centre - reach, centre + reach].map(|x| x.max(0.0) as usize);
            from..to.saturating_add(1).min(end)
        };
        for row in range(y, height) {
            for column in range(x, width) {
                let distance = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
                let covered = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
                self.blend([column, row], [255.0; 3], 0.8 * covered(radius + 0.8));
                self.blend([column, row], colour, covered(radius));
            }
        }
    }

    /// Writes in letters that come with the program, since a machine need not have any; those that
    /// it lacks become question marks.
    pub(crate) fn write(&mut self, [left, top]: [usize; 2], text: &str, colour: Colour) {
        let letter = |c| get_raster(c, FontWeight::Regular, RasterHeight::Size20);
        let mut x = left;
        for glyph in text
            .chars()
            .filter_map(|c| letter(c).or_else(|| letter('?')))
        {
            for (y, row) in glyph.rows().enumerate() {
                for (dx, &intensity) in row.iter().enumerate() {
                    self.blend([x + dx, top + y], colour, f64::from(intensity) / 255.0);
                }
            }
            x += glyph.width();
        }
    }

    pub(crate) fn save_png(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let [width, height] = self.size;
        let mut encoder =
            png::Encoder::new(make_file(path)?, width.try_into()?, height.try_into()?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(())
    }
}
