//! Files of a frame: surfaces as Bézier cells and as triangles, contacts as points with forces, and
//! the list of all frames with their times, which is all that ParaView needs to open.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use patch_ccd::io::{write_obj, write_vtu};

use super::{Mark, Surface};
use support::{make_file, make_folder};

/// Pieces along a side of a patch in files of triangles: a moving surface is written often and is
/// made of many patches.
const PIECES_MOVING: usize = 6;
const PIECES_RESTING: usize = 12;

pub(crate) struct FrameFiles {
    folder: PathBuf,
    frames: usize,
    /// Names of surfaces that rest and have their file.
    written: BTreeSet<&'static str>,
    /// Lines of `scene.pvd`.
    listed: String,
}

impl FrameFiles {
    pub(crate) fn new(folder: &Path) -> Result<Self, Box<dyn Error>> {
        for kind in ["vtu", "obj"] {
            make_folder(&folder.join(kind))?;
        }
        remove_earlier(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            frames: 0,
            written: BTreeSet::new(),
            listed: String::new(),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.frames
    }

    pub(crate) fn write(
        &mut self,
        time: f64,
        surfaces: &[Surface],
        marks: &[Mark],
    ) -> Result<(), Box<dyn Error>> {
        let frame = self.frames;
        for (part, surface) in surfaces.iter().enumerate() {
            let (name, pieces) = if surface.rests {
                (surface.name.to_owned(), PIECES_RESTING)
            } else {
                (format!("{}_{frame:04}", surface.name), PIECES_MOVING)
            };
            if !surface.rests || self.written.insert(surface.name) {
                let path = self.path("obj", &name);
                write_obj(make_file(&path)?, &surface.patches, pieces)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
                let path = self.path("vtu", &name);
                write_vtu(make_file(&path)?, &surface.patches)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
            self.list(time, part, surface.name, &name)?;
        }
        let name = format!("contacts_{frame:04}");
        let path = self.path("vtu", &name);
        write_marks(make_file(&path)?, marks)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        self.list(time, surfaces.len(), "contacts", &name)?;
        self.frames += 1;
        let path = self.folder.join("scene.pvd");
        let text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" \
             byte_order=\"LittleEndian\">\n\
             <Collection>\n{}</Collection>\n</VTKFile>\n",
            self.listed
        );
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(())
    }

    fn path(&self, kind: &str, name: &str) -> PathBuf {
        self.folder.join(kind).join(format!("{name}.{kind}"))
    }

    fn list(&mut self, time: f64, part: usize, surface: &str, file: &str) -> std::fmt::Result {
        writeln!(
            self.listed,
            "<DataSet timestep=\"{time:?}\" group=\"\" part=\"{part}\" name=\"{surface}\" \
             file=\"vtu/{file}.vtu\"/>"
        )
    }
}

/// Removes the numbered files of an earlier run, which are those that its list names: a longer one
/// would leave some among ours.
fn remove_earlier(folder: &Path) -> io::Result<()> {
    let listed = match fs::read_to_string(folder.join("scene.pvd")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        listed => listed?,
    };
    let files = listed.split("file=\"vtu/").skip(1);
    let stems = files.filter_map(|rest| rest.split_once(".vtu\"").map(|(stem, _)| stem));
    let is_ours = |stem: &&str| {
        let number = stem.rsplit_once('_').map(|(_, number)| number);
        number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
            && !stem.contains(['/', '\\'])
    };
    for stem in stems.filter(is_ours) {
        for kind in ["vtu", "obj"] {
            match fs::remove_file(folder.join(kind).join(format!("{stem}.{kind}"))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Points with the point data `force`, in newtons, for ParaView's arrows.
fn write_marks(mut sink: impl io::Write, marks: &[Mark]) -> io::Result<()> {
    let count = marks.len();
    let array = |kind: &str, name: &str, components: usize, values: Vec<String>| {
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
             format=\"ascii\">\n{}\n\
             </DataArray>",
            values.join("\n")
        )
    };
    let triples = |of: fn(&Mark) -> [f64; 3]| {
        let line = |mark| of(mark).map(|x| format!("{x:?}")).join(" ");
        marks.iter().map(line).collect()
    };
    let indices = |from: usize| (from..from + count).map(|i| i.to_string()).collect();
    let points = array("Float64", "Points", 3, triples(|mark| mark.point.into()));
    let forces = array("Float64", "force", 3, triples(|mark| mark.force.into()));
    let connectivity = array("Int64", "connectivity", 1, indices(0));
    let offsets = array("Int64", "offsets", 1, indices(1));
    // Type 1 is a vertex.
    let types = array("UInt8", "types", 1, vec!["1".to_owned(); count]);
    write!(
        sink,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
         byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{count}\" NumberOfCells=\"{count}\">\n\
         <PointData Vectors=\"force\">\n{forces}\n</PointData>\n<Points>\n{points}\n</Points>\n\
         <Cells>\n{connectivity}\n{offsets}\n{types}\n</Cells>\n</Piece>\n\
         </UnstructuredGrid>\n</VTKFile>\n"
    )?;
    sink.flush()
}
