//! Triangles out of Wavefront OBJ files: of their lines, `v` and `f` are read, and all others left
//! out.

/// Coordinates of points, and the triangles between them, by index from 0.
pub type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// The vertices and the faces of an OBJ file, which errors call `file`; faces with more than three
/// corners become fans. What stands behind a slash in a corner, and behind three coordinates in a
/// vertex, is left out.
///
/// # Errors
/// A vertex without three finite coordinates, or a face without three corners that are vertices
/// before it: in words, with the line. A file without faces.
pub fn read(text: &[u8], file: impl std::fmt::Display) -> Result<Triangles, String> {
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        // Comments and names may have letters of any encoding.
        let line = String::from_utf8_lossy(line);
        let mut words = line
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let read = match words.next() {
            Some("v") => read_point(words).map(|point| points.push(point)),
            Some("f") => read_face(words, points.len()).map(|corners| {
                let sides = corners[1..].windows(2);
                faces.extend(sides.map(|side| [corners[0], side[0], side[1]]));
            }),
            _ => Ok(()),
        };
        read.map_err(|problem| format!("{file}, line {}: {problem}", number + 1))?;
    }
    if faces.is_empty() {
        return Err(format!(
            "{file}: no faces, that is, lines that begin with \"f\""
        ));
    }
    Ok((points, faces))
}

/// The first three of some coordinates.
fn read_point<'a>(words: impl Iterator<Item = &'a str>) -> Result<[f64; 3], String> {
    let mut point = [0.0; 3];
    let mut found = 0;
    for (coordinate, word) in point.iter_mut().zip(words) {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        *coordinate = number.ok_or_else(|| format!("{word:?} is not a finite number"))?;
        found += 1;
    }
    if found < 3 {
        return Err(format!(
            "a vertex has three coordinates, but this one has {found}"
        ));
    }
    Ok(point)
}

/// The vertices of a face's corners, which count from 1, or from -1 backwards.
fn read_face<'a>(words: impl Iterator<Item = &'a str>, count: usize) -> Result<Vec<u32>, String> {
    let corner = |word: &str| {
        let index: i64 = word.split('/').next()?.parse().ok()?;
        let from_zero = if index < 0 {
            i64::try_from(count).ok()?.checked_add(index)?
        } else {
            index - 1
        };
        let from_zero = u32::try_from(from_zero).ok()?;
        ((from_zero as usize) < count).then_some(from_zero)
    };
    let corners = words.map(|word| {
        corner(word).ok_or_else(|| {
            format!("corner {word:?} is none of the {count} vertices before this line")
        })
    });
    let corners = corners.collect::<Result<Vec<_>, _>>()?;
    if corners.len() < 3 {
        let found = corners.len();
        return Err(format!(
            "a face has three corners at least, but this one has {found}"
        ));
    }
    Ok(corners)
}
