//! What a person sees of a run: files for ParaView and Blender, pictures, plots, a table of all
//! steps, and one page with all of it.
//!
//! ```text
//! let view = View { title: "A cloth falls", separation: Some(1e-3), ..View::default() };
//! let mut recorder = Recorder::new(arguments.out.as_deref(), view)?;
//! loop {
//!     …
//!     recorder.step(Step { time, kinetic, ..Step::default() })?; // every step
//!     recorder.frame(time, &[cloth, teapot], &marks)?; // every k-th step, the whole scene
//! }
//! let summary = [("steps".into(), "400".into())];
//! let page = recorder.finish(&summary, vec![Extra::table(…), Extra::figure(…)])?;
//! ```
//!
//! Without a folder nothing is written, and calls cost nothing. A folder that exists is used again:
//! numbered files of an earlier run, its pictures and its page are removed, all else is written
//! over. The table of steps and the list of frames are on the disk after each call, so a run that
//! ends early can be looked at, but for the pictures, plots and page, which `finish` makes.
//!
//! | in the folder | | module |
//! |---|---|---|
//! | `report.html` | the page | `report` |
//! | `contact_sheet.png` | a dozen pictures over the run | `sheet`, from `render` |
//! | `plots/*.svg` | steps over time, and what the scene adds | `plots` |
//! | `steps.csv` | one row a step | `steps` |
//! | `scene.pvd`, `vtu/` | Bézier cells and contacts with times, for ParaView | `frames` |
//! | `obj/` | triangles, for Blender | `frames` |

mod camera;
mod frames;
mod picture;
mod plots;
mod render;
mod report;
mod shadow;
mod sheet;
mod steps;
mod tessellation;

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use nalgebra::{Point3, Vector3, vector};
use patch_ccd::geometry::AnyPatch;

use frames::FrameFiles;
use sheet::ContactSheet;
pub(crate) use steps::Step;
use steps::Steps;
use support::chart::{Drawn, Figure, Mark as LegendMark, Tile};
use support::make_folder;

/// How a run is shown.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) title: &'static str,
    /// From the scene towards the eye; z is up. How far away the eye is follows from the surfaces.
    pub(crate) towards_eye: Vector3<f64>,
    /// The separation that the run keeps, drawn beside the smallest distance.
    pub(crate) separation: Option<f64>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            title: "",
            towards_eye: vector![0.6, -1.0, 0.55],
            separation: None,
        }
    }
}

/// What a surface is in the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Thin and seen from both sides: a chequered pattern with lines where patches meet, so that
    /// folds can be read. What is no shell shows through.
    Shell,
    /// In one colour.
    Body,
    /// In one colour, and may reach out of the picture: a floor.
    Scenery,
}

/// A surface that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Of its files, so of letters, digits, `_` and `-`, and different for each surface of a scene.
    pub(crate) name: &'static str,
    pub(crate) patches: Vec<AnyPatch>,
    /// Red, green, blue.
    pub(crate) colour: [u8; 3],
    pub(crate) role: Role,
    /// Never moves, so one file is enough.
    pub(crate) rests: bool,
}

/// A contact, and the force on the first surface there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) point: Point3<f64>,
    /// In newtons.
    pub(crate) force: Vector3<f64>,
}

/// What a scene adds to the page.
pub(crate) enum Extra {
    Table {
        title: String,
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    Figure {
        title: String,
        /// Name of the file, without ending.
        file: String,
        save: Box<dyn FnOnce(&Path) -> Drawn>,
    },
}

impl Extra {
    pub(crate) fn table(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self::Table {
            title: title.to_owned(),
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows,
        }
    }

    pub(crate) fn figure<P, M>(title: &str, file: &str, figure: Figure<P, M>) -> Self
    where
        P: Tile + 'static,
        M: LegendMark + 'static,
    {
        Self::Figure {
            title: title.to_owned(),
            file: file.to_owned(),
            save: Box::new(move |path| figure.save(path)),
        }
    }
}

/// Writes a run into a folder, or nothing.
pub(crate) struct Recorder(Option<Recording>);

struct Recording {
    folder: PathBuf,
    view: View,
    steps: Steps,
    frames: FrameFiles,
    sheet: ContactSheet,
}

impl Recorder {
    pub(crate) fn new(out: Option<&Path>, view: View) -> Result<Self, Box<dyn Error>> {
        let Some(folder) = out else {
            return Ok(Self(None));
        };
        make_folder(folder)?;
        // They would tell of another run until this one has finished.
        for file in ["report.html", "contact_sheet.png"] {
            let path = folder.join(file);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(format!("{}: {error}", path.display()).into());
                }
                _ => {}
            }
        }
        Ok(Self(Some(Recording {
            steps: Steps::new(&folder.join("steps.csv"))?,
            frames: FrameFiles::new(folder)?,
            sheet: ContactSheet::new(view.towards_eye),
            folder: folder.to_owned(),
            view,
        })))
    }

    /// Whether anything is written: where not, surfaces need not be made.
    pub(crate) fn writes(&self) -> bool {
        self.0.is_some()
    }

    /// The whole scene at a time.
    pub(crate) fn frame(
        &mut self,
        time: f64,
        surfaces: &[Surface],
        marks: &[Mark],
    ) -> Result<(), Box<dyn Error>> {
        if let Some(recording) = &mut self.0 {
            recording.frames.write(time, surfaces, marks)?;
            recording.sheet.keep(time, surfaces, marks);
        }
        Ok(())
    }

    /// The figures of a step.
    pub(crate) fn step(&mut self, step: Step) -> Result<(), Box<dyn Error>> {
        match &mut self.0 {
            Some(recording) => recording.steps.push(step),
            None => Ok(()),
        }
    }

    /// Makes pictures, plots and the page, with a summary in rows of name and value; returns where
    /// the page is.
    pub(crate) fn finish(
        self,
        summary: &[(String, String)],
        extras: Vec<Extra>,
    ) -> Result<Option<PathBuf>, Box<dyn Error>> {
        match self.0 {
            Some(recording) => recording.finish(summary, extras).map(Some),
            None => Ok(None),
        }
    }
}

impl Recording {
    fn finish(
        self,
        summary: &[(String, String)],
        extras: Vec<Extra>,
    ) -> Result<PathBuf, Box<dyn Error>> {
        let plots_folder = self.folder.join("plots");
        make_folder(&plots_folder)?;
        let save = |file: &str, save: Box<dyn FnOnce(&Path) -> Drawn>| {
            let path = plots_folder.join(format!("{file}.svg"));
            save(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut page = report::Page::new(self.view.title, summary);
        if self
            .sheet
            .save(&self.folder.join("contact_sheet.png"), self.view.title)?
        {
            page.contact_sheet();
        }
        for plot in plots::all(self.steps.rows(), &self.view) {
            page.plot(plot.title, plot.file);
            save(plot.file, Box::new(move |path| plot.figure.save(path)))?;
        }
        for extra in extras {
            match extra {
                Extra::Table { title, head, rows } => page.table(&title, &head, &rows),
                Extra::Figure {
                    title,
                    file,
                    save: write,
                } => {
                    save(&file, write)?;
                    page.extra_plot(&title, &file);
                }
            }
        }
        let path = self.folder.join("report.html");
        std::fs::write(
            &path,
            page.html(self.steps.rows().len(), self.frames.count()),
        )
        .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}
