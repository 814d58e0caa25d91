//! What is refused when a mesh is made, or given its points.

use crate::Error;
use crate::geometry::check_count;

/// Refuses indices of points that a mesh does not have.
pub(crate) fn check_indices(
    argument: &'static str,
    indices: &[u32],
    points: usize,
) -> Result<(), Error> {
    match indices.iter().position(|&index| index as usize >= points) {
        Some(position) => Err(Error::PointIndex {
            argument,
            position,
            value: indices[position],
            points,
        }),
        None => Ok(()),
    }
}

/// Refuses a wrong number of points, or of what belongs to them.
pub(crate) fn check_points(
    argument: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), Error> {
    check_count(argument, &"mesh", expected, found)
}

/// Refuses more than 32 bits can number.
pub(crate) fn check_size(argument: &'static str, found: usize) -> Result<(), Error> {
    if found > u32::MAX as usize {
        return Err(Error::MeshSize { argument, found });
    }
    Ok(())
}
