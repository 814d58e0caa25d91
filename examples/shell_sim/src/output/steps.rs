//! The figures of a step, and the one list of columns from which both the table and the plots are
//! made: a new figure is a new field and a new row of [`COLUMNS`].

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use plotters::style::RGBColor;

use super::plots::Plot;
use support::chart::{BLUE, GREEN, VERMILLION};

const BLACK: RGBColor = RGBColor(60, 60, 60);
const PURPLE: RGBColor = RGBColor(204, 121, 167);

/// What there is to say of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Its number.
    pub(crate) number: usize,
    /// At its end, in seconds.
    pub(crate) time: f64,
    /// Energies in joules.
    pub(crate) kinetic: f64,
    pub(crate) elastic: f64,
    pub(crate) gravity: f64,
    /// All of it, with what the scene counts besides.
    pub(crate) total: f64,
    /// In kg·m/s.
    pub(crate) momentum: Vector3<f64>,
    /// Active at the end.
    pub(crate) contacts: usize,
    /// How often collisions were looked for.
    pub(crate) passes: usize,
    /// Iterations of Newton's method.
    pub(crate) newton: usize,
    /// Times in milliseconds.
    pub(crate) ccd_ms: f64,
    pub(crate) solver_ms: f64,
    /// The smallest between surfaces, where it is known; in metres.
    pub(crate) distance: Option<f64>,
}

/// A figure of a step.
pub(crate) struct Column {
    /// In the table, with its unit.
    pub(crate) name: &'static str,
    pub(crate) value: fn(&Step) -> Option<f64>,
    pub(crate) drawn: Option<Drawing>,
}

/// How a figure is drawn.
pub(crate) struct Drawing {
    pub(crate) plot: Plot,
    pub(crate) label: &'static str,
    pub(crate) colour: RGBColor,
}

const fn drawn(
    name: &'static str,
    value: fn(&Step) -> Option<f64>,
    plot: Plot,
    label: &'static str,
    colour: RGBColor,
) -> Column {
    let drawn = Some(Drawing {
        plot,
        label,
        colour,
    });
    Column { name, value, drawn }
}

const fn listed(name: &'static str, value: fn(&Step) -> Option<f64>) -> Column {
    let drawn = None;
    Column { name, value, drawn }
}

#[rustfmt::skip]
pub(crate) const COLUMNS: &[Column] = &[
    listed("step", |step| Some(step.number as f64)),
    listed("time_s", |step| Some(step.time)),
    drawn("kinetic_J", |step| Some(step.kinetic), Plot::Energy, "kinetic", VERMILLION),
    drawn("elastic_J", |step| Some(step.elastic), Plot::Energy, "elastic", GREEN),
    drawn("gravity_J", |step| Some(step.gravity), Plot::Energy, "gravity", BLUE),
    drawn("total_J", |step| Some(step.total), Plot::Energy, "total", BLACK),
    drawn("momentum_x_kgm/s", |step| Some(step.momentum.x), Plot::Momentum, "along x", VERMILLION),
    drawn("momentum_y_kgm/s", |step| Some(step.momentum.y), Plot::Momentum, "along y", GREEN),
    drawn("momentum_z_kgm/s", |step| Some(step.momentum.z), Plot::Momentum, "along z", BLUE),
    drawn("contacts", |step| Some(step.contacts as f64), Plot::Contacts, "contacts", VERMILLION),
    drawn("passes", |step| Some(step.passes as f64), Plot::Iterations,
        "passes of collision detection", BLUE),
    drawn("newton", |step| Some(step.newton as f64), Plot::Iterations,
        "iterations of Newton's method", PURPLE),
    drawn("ccd_ms", |step| Some(step.ccd_ms), Plot::Milliseconds, "collision detection", BLUE),
    drawn("solver_ms", |step| Some(step.solver_ms), Plot::Milliseconds, "solver", PURPLE),
    drawn("distance_m", |step| step.distance, Plot::Distance, "smallest distance", BLUE),
];

/// All steps, in memory for the plots and in a table on the disk.
pub(crate) struct Steps {
    path: PathBuf,
    table: csv::Writer<File>,
    rows: Vec<Step>,
}

impl Steps {
    pub(crate) fn new(path: &Path) -> Result<Self, Box<dyn Error>> {
        let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut steps = Self {
            path: path.to_owned(),
            table: csv::Writer::from_writer(file),
            rows: Vec::new(),
        };
        steps.write(COLUMNS.iter().map(|column| column.name.to_owned()))?;
        Ok(steps)
    }

    pub(crate) fn push(&mut self, step: Step) -> Result<(), Box<dyn Error>> {
        self.rows.push(step);
        // An empty cell where there is no value.
        self.write(COLUMNS.iter().map(|column| match (column.value)(&step) {
            Some(value) if value == 0.0 || (1e-3..1e9).contains(&value.abs()) => format!("{value}"),
            Some(value) => format!("{value:e}"),
            None => String::new(),
        }))
    }

    pub(crate) fn rows(&self) -> &[Step] {
        &self.rows
    }

    fn write(&mut self, cells: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
        let written = self.table.write_record(cells);
        let written = written.and_then(|()| Ok(self.table.flush()?));
        Ok(written.map_err(|error| format!("{}: {error}", self.path.display()))?)
    }
}
