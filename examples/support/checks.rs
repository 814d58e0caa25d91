//! Figures that an example prints, and those of them that must come out.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints figures with a verdict on each, and counts those that did not come out.
pub struct Checks<W> {
    out: W,
    failed: usize,
}

impl<W: Write> Checks<W> {
    /// Checks that are printed there.
    pub fn new(out: W) -> Self {
        Self { out, failed: 0 }
    }

    /// A figure that must come out.
    pub fn must(&mut self, holds: bool, text: impl Display) -> io::Result<()> {
        self.failed += usize::from(!holds);
        let verdict = if holds { "ok" } else { "FAILED" };
        writeln!(self.out, "{verdict:6} {text}")
    }

    /// A figure that is worth knowing.
    pub fn found(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "found  {text}")
    }

    /// Anything else that there is to say.
    pub fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// What the program ends with: a failure, if a figure did not come out.
    pub fn verdict(&self) -> ExitCode {
        crate::verdict(self.failed == 0)
    }
}
