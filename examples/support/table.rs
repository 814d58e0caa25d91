//! Tables that read well on a terminal and as Markdown.

use comfy_table::{CellAlignment, presets};

pub use comfy_table::Table;

/// A table without rows. After so many columns of `words` come numbers, which stand on the right.
pub fn markdown<S: ToString>(words: usize, header: impl IntoIterator<Item = S>) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::ASCII_MARKDOWN)
        .set_header(header.into_iter().map(|title| title.to_string()));
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
