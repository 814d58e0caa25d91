//! The page: one HTML file that needs nothing but the files beside it.

use std::fmt::{Display, Write};

const STYLE: &str = "\
body { font: 16px/1.45 system-ui, sans-serif; color: #24292f; max-width: 1360px; margin: 2rem auto;
  padding: 0 1rem }
h1 { font-size: 1.6rem }
h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; padding-bottom: .3rem;
  border-bottom: 1px solid #d8dee4 }
table { border-collapse: collapse }
td, th { padding: .25rem .9rem; border: 1px solid #d8dee4; text-align: left;
  font-variant-numeric: tabular-nums }
th { background: #f6f8fa; font-weight: 600 }
img { max-width: 100%; height: auto }
code { background: #f6f8fa; padding: .1rem .3rem }
.plots { display: flex; flex-wrap: wrap; gap: 1rem }
.plots a { flex: 1 1 480px; max-width: 660px }";

/// The parts of the page, put together by [`Page::html`].
pub(crate) struct Page {
    head: String,
    sheet: String,
    plots: String,
    extras: String,
}

/// Text in which `&`, `<`, `>` and `"` do not count as HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            _ => f.write_char(c),
        })
    }
}

impl Page {
    pub(crate) fn new(title: &str, summary: &[(String, String)]) -> Self {
        let title = Escaped(title);
        let mut head = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{STYLE}\n</style>\n<h1>{title}</h1>\n"
        );
        if !summary.is_empty() {
            head += "<table>\n";
            for (name, value) in summary {
                let (name, value) = (Escaped(name), Escaped(value));
                head += &format!("<tr><th>{name}</th><td>{value}</td></tr>\n");
            }
            head += "</table>\n";
        }
        Self {
            head,
            sheet: String::new(),
            plots: String::new(),
            extras: String::new(),
        }
    }

    pub(crate) fn contact_sheet(&mut self) {
        self.sheet = "<h2>Pictures</h2>
<p>Lines show where patches meet; red dots are contacts, where there are any, larger ones with a
greater force, drawn over whatever hides them.</p>
<a href=\"contact_sheet.png\"><img src=\"contact_sheet.png\" alt=\"pictures over the run\"></a>
"
        .to_owned();
    }

    pub(crate) fn plot(&mut self, title: &str, file: &str) {
        self.plots += &image(title, file);
    }

    pub(crate) fn extra_plot(&mut self, title: &str, file: &str) {
        self.extras += &format!("<h2>{}</h2>\n{}", Escaped(title), image(title, file));
    }

    pub(crate) fn table(&mut self, title: &str, head: &[String], rows: &[Vec<String>]) {
        let row = |tag: &str, cells: &[String]| {
            let cells = cells.iter().map(|cell| Escaped(cell));
            let cells: String = cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = rows.iter().map(|cells| row("td", cells)).collect();
        self.extras += &format!(
            "<h2>{}</h2>\n<table>\n{}{body}</table>\n",
            Escaped(title),
            row("th", head)
        );
    }

    /// The whole page, of a run with so many steps and frames.
    pub(crate) fn html(&self, steps: usize, frames: usize) -> String {
        let Self {
            head,
            sheet,
            plots,
            extras,
        } = self;
        let plots = if plots.is_empty() {
            String::new()
        } else {
            format!("<h2>Over time</h2>\n<div class=\"plots\">\n{plots}</div>\n")
        };
        format!(
            "{head}{sheet}{plots}{extras}{}</html>\n",
            files(steps, frames)
        )
    }
}

fn image(title: &str, file: &str) -> String {
    let (title, file) = (Escaped(title), Escaped(file));
    format!("<a href=\"plots/{file}.svg\"><img src=\"plots/{file}.svg\" alt=\"{title}\"></a>\n")
}

fn files(steps: usize, frames: usize) -> String {
    format!(
        "<h2>Files</h2>
<table>
<tr><th>file</th><th>what it is</th></tr>
<tr><td><a href=\"steps.csv\">steps.csv</a></td><td>one row a step: {steps} of them</td></tr>
<tr><td><a href=\"scene.pvd\">scene.pvd</a></td><td>{frames} frames with their times,
for ParaView</td></tr>
<tr><td><a href=\"vtu/\">vtu/</a></td>
<td>surfaces as Bézier cells, exact; contacts as points with the vector <code>force</code></td></tr>
<tr><td><a href=\"obj/\">obj/</a></td>
<td>surfaces as triangles with normals, one file a frame; what rests has one file</td></tr>
<tr><td><a href=\"plots/\">plots/</a></td><td>the plots above as SVG</td></tr>
</table>
<p><b>ParaView</b> (5.9 or newer): open <code>scene.pvd</code> and press Apply and Play. Bézier
cells look flat until “Nonlinear Subdivision Level” among the display properties is raised to 3 or
4. For arrows at contacts: Extract Block “contacts”, then Glyph, oriented and scaled by
<code>force</code>.</p>
<p><b>Blender</b>: File, Import, Wavefront (.obj), with Z as up axis and Y as forward axis. One
frame is one file; the add-on “Stop motion OBJ” plays a series of them.</p>
"
    )
}
