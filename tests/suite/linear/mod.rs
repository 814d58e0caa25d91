//! Edges, vertices and faces: known answers, pairs nearer than their separation, degenerate input, contacts, budgets and batches, and
//! hard queries of all sorts against the exact oracle.

mod answers;
mod degenerate;
mod nearer;
mod oracle;
mod separation;

use kit::simplices::Kind;
use nalgebra::{Point3, Vector3};
pub(crate) use oracle::found;
use patch_ccd::Step;

/// A query of a table, and what stands before it there.
struct Row {
    name: &'static str,
    kind: Kind,
    step: Step<4>,
}

/// Queries in text, one a row: `name: kind points by displacement`, where the first simplex moves,
/// or `name: kind points to points`. The kind is ee, vf, ve or vv. Where one simplex moves, a
/// second query has the other one move instead.
fn table(text: &'static str) -> Vec<Row> {
    let rows = text.lines().map(str::trim);
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.flat_map(|row| read(row).unwrap_or_else(|| panic!("{row}")))
        .collect()
}

fn read(row: &'static str) -> Option<Vec<Row>> {
    let (name, query) = row.split_once(": ")?;
    let (kind, motion) = query.split_once(' ')?;
    let kind = match kind {
        "ee" => Kind::EdgeEdge,
        "vf" => Kind::VertexFace,
        "ve" => Kind::VertexEdge,
        "vv" => Kind::VertexVertex,
        _ => return None,
    };
    let row = |step| Row { name, kind, step };
    if let Some((start, end)) = motion.split_once(" to ") {
        return Some(vec![row([points(start)?, points(end)?])]);
    }
    let (start, by) = motion.split_once(" by ")?;
    let (start, by) = (points(start)?, points(by)?[0].coords);
    let count = kind.simplices(&start)[0].len();
    let moved = |first: Vector3<f64>, second: Vector3<f64>| {
        std::array::from_fn(|k| start[k] + if k < count { first } else { second })
    };
    let rest = Vector3::zeros();
    Some(vec![
        row([start, moved(by, rest)]),
        row([start, moved(rest, -by)]),
    ])
}

/// Four points, of which the last may not be given.
fn points(text: &str) -> Option<[Point3<f64>; 4]> {
    let mut points = [Point3::origin(); 4];
    for (point, text) in points.iter_mut().zip(text.split(',')) {
        let numbers = text.split_whitespace().map(|word| word.parse().ok());
        let numbers: Option<Vec<f64>> = numbers.collect();
        let numbers: [f64; 3] = numbers?.try_into().ok()?;
        *point = numbers.into();
    }
    Some(points)
}
