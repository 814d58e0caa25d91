//! Tables that are printed as Markdown and shown on the page.

use std::io::{self, Write};

use support::table::markdown;

use crate::output::Extra;
use support::checks::Checks;

/// A table of text: names first, then figures.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Figures {
    pub(crate) fn new(title: &str, head: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn print<W: Write>(&self, out: &mut Checks<W>) -> io::Result<()> {
        let mut table = markdown(1, &self.head);
        table.add_rows(&self.rows);
        out.say(format_args!("{}\n\n{table}\n", self.title))
    }

    pub(crate) fn on_page(&self) -> Extra {
        let head: Vec<_> = self.head.iter().map(String::as_str).collect();
        Extra::table(&self.title, &head, self.rows.clone())
    }
}
