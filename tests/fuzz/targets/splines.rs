//! NURBS surfaces and curves, and Hermite grids.

use nalgebra::{Point3, Vector3, Vector4};
use patch_ccd::Error;
use patch_ccd::geometry::{
    HermiteGrid, HermiteNode, KnotVector, NurbsCurve, NurbsSurface, Patch, PatchGrid,
};
use patch_ccd::mesh::PatchMesh;

use super::input::{Input, Range};
use super::outcomes::assert_clear_message;

/// One surface or grid, and everything that can be done with it.
pub fn splines(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let done = match input.below(4) {
        0 => hermite(&mut input),
        1 => curve(&mut input),
        _ => surface(&mut input),
    };
    if let Err(error) = done {
        assert_clear_message(&error);
    }
}

fn knots(input: &mut Input<'_>) -> Result<KnotVector, Error> {
    let degree = match input.degree() {
        10..=30 => 9,
        degree => degree,
    };
    // Of a degree that is out of range, some.
    let about = degree.min(40);
    let count = 2 * (about + 1) + input.below(6);
    let count = input.count(count);
    let mut knots: Vec<f64> = if input.is_wild() && input.chance(2) {
        (0..count).map(|_| input.number()).collect()
    } else {
        let mut knot = input.number();
        let clamped = input.chance(2);
        let step = |(i, step): (usize, f64)| {
            let ends = i <= about || i + about >= count;
            knot += if clamped && ends && i != about + 1 {
                0.0
            } else {
                step
            };
            knot
        };
        let steps = (0..count).map(|_| [0.0, 0.25, 1.0, 3.0][input.below(4)]);
        steps
            .collect::<Vec<_>>()
            .into_iter()
            .enumerate()
            .map(step)
            .collect()
    };
    if input.chance(8) {
        knots.sort_unstable_by(f64::total_cmp);
    }
    let made = match input.chance(4) {
        true => KnotVector::from_opennurbs(degree, &knots),
        false => KnotVector::new(degree, &knots),
    }?;
    let [start, end] = made.domain();
    assert!(start < end);
    let spans: Vec<_> = made.spans().collect();
    assert_eq!((spans[0][0], spans[spans.len() - 1][1]), (start, end));
    assert!(spans.windows(2).all(|pair| pair[0][1] == pair[1][0]));
    assert!(made.span_at(input.number()) < spans.len());
    assert_eq!(made.knots().len(), made.count() + made.degree() + 1);
    Ok(made)
}

/// A basis is convex, wherever it is asked for.
fn assert_convex(basis: &[(usize, f64)], count: usize) {
    assert!(
        basis
            .iter()
            .all(|&(point, value)| point < count && (0.0..=1.0).contains(&value)),
        "{basis:?}"
    );
    let sum: f64 = basis.iter().map(|(_, value)| value).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{basis:?}");
}

fn parameter(input: &mut Input<'_>, [start, end]: [f64; 2]) -> f64 {
    let part = input.below(9) as f64 / 8.0;
    start * (1.0 - part) + end * part
}

fn surface(input: &mut Input<'_>) -> Result<(), Error> {
    let knots = [knots(input)?, knots(input)?];
    let count = input.count(knots[0].count() * knots[1].count());
    let points = input.points(count);
    let surface = if input.chance(4) {
        let weights = input.weights(count);
        let homogeneous = points
            .iter()
            .zip(&weights)
            .map(|(p, w)| Vector4::new(p.x, p.y, p.z, *w));
        NurbsSurface::from_homogeneous(knots, &homogeneous.collect::<Vec<_>>())?
    } else if input.chance(2) {
        let count = input.count(count);
        let weights = input.weights(count);
        NurbsSurface::new(knots, &points, Some(&weights))?
    } else {
        NurbsSurface::new(knots, &points, None)?
    };
    let points = surface.control_points().to_vec();
    let scale = points
        .iter()
        .fold(0.0, |most: f64, p| most.max(p.coords.amax()));
    let [u, v] = [0, 1].map(|side| match input.chance(4) {
        // NaN has no nearest parameter.
        true => Some(input.number()).filter(|x| !x.is_nan()).unwrap_or(0.0),
        false => parameter(input, surface.knots()[side].domain()),
    });
    assert_convex(&surface.basis(u, v), points.len());
    surface.eval(f64::NAN, u);
    surface.partials(u, v);
    let point = surface.eval(u, v);
    assert!(
        point.iter().all(|x| x.abs() <= scale * (1.0 + 1e-12)),
        "{point} of {surface:?}"
    );
    if let Some(normal) = surface.normal(u, v) {
        assert!((normal.norm() - 1.0).abs() < 1e-12);
    }
    let extraction = surface.extraction();
    grid(extraction.grid());
    let net = extraction.points(&points)?;
    assert_eq!(net.len(), extraction.grid().count());
    let patches = surface.split()?;
    assert_eq!(patches.len(), extraction.spans().len());
    for (number, patch) in patches.iter().enumerate() {
        let [u, v] = [parameter(input, [0.0, 1.0]), parameter(input, [0.0, 1.0])];
        let weights = extraction.weights_at(number, (u, v));
        assert_convex(&weights.expect("a place on a patch"), points.len());
        let (global_u, global_v) = patch.span.map(u, v);
        let apart = patch.patch.eval(u, v) - surface.eval(global_u, global_v);
        // At a gap the surface is the later piece.
        let [knots_u, knots_v] = surface.knots();
        let [start_u, start_v] = [patch.span.u[0], patch.span.v[0]];
        let is_there = knots_u.span_at(global_u) == knots_u.span_at(start_u)
            && knots_v.span_at(global_v) == knots_v.span_at(start_v);
        let has_gaps = extraction.grid().gaps().iter().any(|gaps| !gaps.is_empty());
        // Weights that differ by orders of magnitude make surfaces that change as fast.
        let is_tame = input.range == Range::Tame && surface.weights().is_none();
        if is_tame && (is_there || !has_gaps) {
            assert!(
                apart.amax() <= 1e-11 * scale,
                "{apart} at ({u}, {v}) of {patch:?} of {surface:?}"
            );
        }
    }
    let mesh = PatchMesh::from_nurbs(&extraction)?;
    assert_eq!((mesh.len(), mesh.point_count()), (patches.len(), net.len()));
    let count = input.count(points.len());
    let velocities = input.vectors(count);
    let moving = surface.split_moving(&velocities)?;
    assert_eq!(moving.len(), patches.len());
    surface.split_between(&input.points(count))?;
    extraction.velocities(&velocities)?;
    Ok(())
}

fn curve(input: &mut Input<'_>) -> Result<(), Error> {
    let knots = knots(input)?;
    let count = input.count(knots.count());
    let points = input.points(count);
    let weights = input.chance(2).then(|| input.weights(count));
    let curve = NurbsCurve::new(knots, &points, weights.as_deref())?;
    let u = parameter(input, curve.knots().domain());
    assert_convex(&curve.basis(u), points.len());
    let scale = points
        .iter()
        .fold(0.0, |most: f64, p| most.max(p.coords.amax()));
    assert!(
        curve
            .eval(u)
            .iter()
            .all(|x| x.abs() <= scale * (1.0 + 1e-12)),
        "{curve:?}"
    );
    curve.derivative(u);
    for piece in curve.split()? {
        piece.patch.eval(0.5, 0.0);
    }
    curve.split_moving(&input.vectors(count))?;
    curve.split_between(&input.points(count))?;
    PatchMesh::from_nurbs(&curve.extraction())?;
    Ok(())
}

fn hermite(input: &mut Input<'_>) -> Result<(), Error> {
    let widths = |input: &mut Input<'_>| -> Vec<f64> {
        let count = input.below(4);
        let width = |width: f64, wild| if wild { width } else { width.abs().max(0.1) };
        (0..count)
            .map(|_| width(input.number(), input.is_wild()))
            .collect()
    };
    let [along_u, along_v] = [widths(input), widths(input)];
    let made = HermiteGrid::new(&along_u, &along_v)?;
    grid(made.grid());
    let [a, b] = made.nodes();
    let count = input.count(a * b);
    let nodes: Vec<_> = (0..count)
        .map(|_| HermiteNode {
            position: Point3::from(input.vector()),
            along_u: input.vector(),
            along_v: input.vector(),
            twist: input.vector(),
        })
        .collect();
    for patch in 0..=made.grid().patches().iter().product() {
        let known = made.nodes_of(patch);
        assert_eq!(known.is_some(), made.grid().position(patch).is_some());
        assert!(known.is_none_or(|nodes| nodes.iter().all(|&node| node < a * b)));
    }
    assert_eq!(made.nodes_of(usize::MAX), None);
    let net = made.points(&nodes)?;
    assert_eq!(net.len(), made.grid().count());
    let velocities: Vec<HermiteNode<Vector3<f64>>> = nodes
        .iter()
        .map(|node| HermiteNode {
            position: node.position.coords,
            along_u: node.along_u,
            along_v: node.along_v,
            twist: node.twist,
        })
        .collect();
    made.velocities(&velocities)?;
    for (node, velocity) in nodes.iter().zip(&velocities) {
        let _ = node.advanced(velocity, input.number());
    }
    let count = input.count(net.len());
    let weights = input.chance(2).then(|| input.weights(count));
    PatchMesh::from_grid(made.grid(), weights.as_deref())?;
    Ok(())
}

/// Every patch of a grid has its control points in the net.
fn grid(grid: &PatchGrid) {
    let patches: usize = grid.patches().iter().product();
    let all: Vec<_> = grid.all_indices().collect();
    assert_eq!(all.len(), patches);
    for (patch, indices) in all.iter().enumerate() {
        assert_eq!(grid.indices(patch).as_ref(), Some(indices));
        assert_eq!(indices.len(), grid.shape().count());
        assert!(indices.iter().all(|&index| (index as usize) < grid.count()));
    }
    assert_eq!(grid.indices(patches), None);
    assert_eq!(grid.indices(usize::MAX), None);
}
