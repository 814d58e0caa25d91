//! The files of the data set: DIR/FOLDER/{edge-edge,vertex-face}/*.csv.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use kit::{Wang2021Query, Wang2021Reader};

/// What the queries of a file are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    EdgeEdge,
    VertexFace,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::EdgeEdge, Self::VertexFace];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::EdgeEdge => "edge-edge",
            Self::VertexFace => "vertex-face",
        })
    }
}

/// The queries of one kind in one folder.
pub(crate) struct Set {
    pub(crate) folder: String,
    pub(crate) kind: Kind,
    pub(crate) files: Vec<(PathBuf, Vec<Wang2021Query>)>,
}

impl Set {
    pub(crate) fn len(&self) -> usize {
        self.files.iter().map(|(_, queries)| queries.len()).sum()
    }
}

/// Reads all files there are, in the order of their names.
pub(crate) fn read(root: &Path) -> Result<Vec<Set>, Box<dyn Error>> {
    let mut sets = Vec::new();
    for path in sorted_entries(root)? {
        for kind in Kind::ALL {
            let of_kind = path.join(kind.to_string());
            if !of_kind.is_dir() {
                continue;
            }
            let mut files = Vec::new();
            for file in sorted_entries(&of_kind)? {
                if file.extension().is_some_and(|extension| extension == "csv") {
                    let queries = read_file(&file)?;
                    files.push((file, queries));
                }
            }
            let folder = path.file_name().unwrap_or_default();
            sets.push(Set {
                folder: folder.to_string_lossy().into_owned(),
                kind,
                files,
            });
        }
    }
    if sets.iter().all(|set| set.len() == 0) {
        let layout = "FOLDER/{edge-edge,vertex-face}/*.csv";
        return Err(format!("{}: no queries in {layout}", root.display()).into());
    }
    Ok(sets)
}

fn read_file(path: &Path) -> Result<Vec<Wang2021Query>, String> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
    Wang2021Reader::new(BufReader::new(file), name)
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |error| format!("{}: {error}", folder.display());
    let mut entries = fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(fail))
        .collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    Ok(entries)
}
