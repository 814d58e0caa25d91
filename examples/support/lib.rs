//! What the examples share: charts and maps, tables, checks, statistics, arguments, triangles out
//! of OBJ files, a progress bar, the name of the machine.

#![allow(
    clippy::missing_errors_doc,
    reason = "all errors are those of writing to a file or a terminal"
)]

pub mod arguments;
pub mod chart;
pub mod checks;
pub mod map;
pub mod obj;
pub mod stats;
pub mod table;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use patch_ccd::Outcome;

/// What a program ends with; an error is told in words.
pub fn exit(result: Result<ExitCode, Box<dyn Error>>) -> ExitCode {
    result.unwrap_or_else(|error| {
        // Where nobody listens there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "error: {error}");
        ExitCode::FAILURE
    })
}

/// A success, or a failure.
pub fn verdict(holds: bool) -> ExitCode {
    ExitCode::from(u8::from(!holds))
}

/// A progress bar on stderr; hidden where that is not a terminal.
pub fn progress_bar(length: u64) -> Result<ProgressBar, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{msg:36} {wide_bar} {percent:>3} % {elapsed}")?;
    Ok(ProgressBar::new(length).with_style(style))
}

/// The processor, for the head of a report: times mean nothing without it.
pub fn machine() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
    let build = if cfg!(debug_assertions) {
        "; a DEBUG build: use --release"
    } else {
        ""
    };
    format!(
        "{} ({}){build}",
        model.as_deref().unwrap_or(std::env::consts::ARCH),
        std::env::consts::OS
    )
}

/// Makes a folder for results, unless it is there.
pub fn make_folder(path: &Path) -> Result<(), String> {
    if path.exists() && !path.is_dir() {
        return Err(format!("{}: not a folder", path.display()));
    }
    std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Makes a file for results, or makes it anew.
pub fn make_file(path: &Path) -> Result<BufWriter<File>, String> {
    let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufWriter::new(file))
}

/// How a query ended, in one word of a table.
pub fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Clear { .. } => "clear",
        Outcome::ContactAtStart { .. } | Outcome::Impact { .. } => "impact",
        Outcome::BudgetExhausted { .. } => "budget",
    }
}

/// What there is, or nothing, for a cell of a table.
pub fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
