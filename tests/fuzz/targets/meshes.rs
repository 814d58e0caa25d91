//! Meshes of both kinds: how they are built, how thick they are, and all queries.

use kit::check_outcome;
use nalgebra::Point3;
use patch_ccd::mesh::{
    AllImpacts, EarliestImpact, Element, Mesh, MeshOptions, MeshWorkspace, MovingMesh, PatchMesh,
    TriangleMesh, all_impacts, all_self_impacts, collision_free_self_step, collision_free_step,
    earliest_impact, earliest_self_impact,
};
use patch_ccd::{Error, Outcome};

use super::input::Input;
use super::outcomes::assert_clear_message;

/// Either kind of mesh.
pub(crate) enum Built {
    Patches(PatchMesh),
    Triangles(TriangleMesh),
}

impl Built {
    pub(crate) fn as_mesh(&self) -> Mesh<'_> {
        match self {
            Self::Patches(mesh) => mesh.into(),
            Self::Triangles(mesh) => mesh.into(),
        }
    }
}

fn indices<const N: usize>(input: &mut Input<'_>, points: usize) -> [u32; N] {
    let beyond = usize::from(input.is_wild() && input.chance(16));
    let most = (points + beyond).max(1);
    std::array::from_fn(|_| input.below(most) as u32)
}

pub(crate) fn build(input: &mut Input<'_>) -> Result<Built, Error> {
    let points = input.below(14);
    let elements = input.below(6);
    Ok(match input.below(5) {
        0 => Built::Triangles(TriangleMesh::new(points, &faces(input, elements, points))?),
        1 => {
            let edges = faces(input, elements, points);
            let faces: Vec<_> = faces(input, elements / 2, points);
            Built::Triangles(TriangleMesh::with_edges(points, &edges, &faces)?)
        }
        2 => Built::Patches(PatchMesh::from_triangles(
            points,
            &faces(input, elements, points),
        )?),
        3 => {
            let mut mesh = PatchMesh::from_quads(points, &faces(input, elements, points))?;
            weld(input, &mut mesh);
            let other = mesh.clone();
            if input.chance(4) {
                let first = mesh.append(&other)?;
                assert_eq!(first, (other.len() as u32, other.point_count() as u32));
                weld(input, &mut mesh);
            }
            Built::Patches(mesh)
        }
        _ => {
            let mut mesh = PatchMesh::new(points);
            for index in 0..elements {
                let shape = input.shape();
                let count = input.count(shape.count().min(40));
                let net: Vec<u32> = (0..count)
                    .flat_map(|_| indices::<1>(input, points))
                    .collect();
                let weights = input.chance(3).then(|| input.weights(count));
                let before = mesh.clone();
                match mesh.add(shape, &net, weights.as_deref()) {
                    Ok(added) => assert_eq!(added, mesh.len() as u32 - 1),
                    Err(error) => {
                        assert_clear_message(&error);
                        assert_eq!(mesh, before, "patch {index} was refused");
                    }
                }
            }
            weld(input, &mut mesh);
            Built::Patches(mesh)
        }
    })
}

/// A mesh that may have a thickness.
fn built(input: &mut Input<'_>) -> Result<Built, Error> {
    let mut built = build(input)?;
    if input.chance(3) {
        let whole = input.number();
        let each = [input.number().abs(), 0.0, input.number()];
        let of = |element: Element| each[element.index() as usize % 3].abs();
        let same = input.chance(2);
        match &mut built {
            Built::Patches(mesh) if same => mesh.set_half_thickness(whole.abs())?,
            Built::Patches(mesh) => mesh.set_half_thicknesses(of)?,
            Built::Triangles(mesh) if same => mesh.set_half_thickness(whole)?,
            Built::Triangles(mesh) => mesh.set_half_thicknesses(of)?,
        }
    }
    Ok(built)
}

fn faces<const N: usize>(input: &mut Input<'_>, count: usize, points: usize) -> Vec<[u32; N]> {
    if points == 0 && !input.is_wild() {
        return Vec::new();
    }
    (0..count).map(|_| indices(input, points)).collect()
}

fn weld(input: &mut Input<'_>, mesh: &mut PatchMesh) {
    let count = input.count(mesh.point_count());
    let points = input.points(count);
    let tolerance = match input.below(3) {
        0 => 0.0,
        1 => input.number(),
        _ => input.number().abs(),
    };
    match mesh.weld(&points, tolerance) {
        Ok(report) => {
            assert!(report.points >= 2 * report.groups && report.largest_distance <= tolerance);
            for [a, b] in report.layers {
                assert!(a < b && mesh.are_neighbours(a, b));
            }
        }
        Err(error) => assert_clear_message(&error),
    }
    for a in 0..mesh.len() as u32 {
        assert!(mesh.are_neighbours(a, a));
        for b in 0..a {
            assert_eq!(mesh.are_neighbours(a, b), mesh.are_neighbours(b, a));
        }
    }
}

pub(crate) fn moving<'a>(
    input: &mut Input<'_>,
    mesh: Mesh<'a>,
    start: &'a [Point3<f64>],
) -> Result<MovingMesh<'a>, Error> {
    let count = input.count(start.len());
    match input.below(4) {
        0 => MovingMesh::resting(mesh, start),
        1 => MovingMesh::between(mesh, start, &input.points(count)),
        _ => MovingMesh::with_velocities(mesh, start, &input.vectors(count)),
    }
}

/// One mesh against another and against itself.
pub fn mesh_queries(bytes: &[u8]) {
    if let Err(error) = run(&mut Input::new(bytes)) {
        assert_clear_message(&error);
    }
}

fn run(input: &mut Input<'_>) -> Result<(), Error> {
    let meshes = [built(input)?, built(input)?];
    let starts = meshes.each_ref().map(|mesh| {
        let count = input.count(mesh.as_mesh().point_count());
        input.points(count)
    });
    let a = moving(input, meshes[0].as_mesh(), &starts[0])?;
    let b = moving(input, meshes[1].as_mesh(), &starts[1])?;
    let divisor = 1 + input.below(4) as u32;
    let keep = |a: Element, b: Element| (a.index() + b.index()).is_multiple_of(divisor);
    let mut options = MeshOptions {
        query: input.options(150),
        filter: input.chance(4).then_some(&keep as _),
        ..MeshOptions::default()
    };
    if input.chance(8) {
        options.conservative_rescaling = input.number();
    }
    if input.chance(3) {
        options.query.shrink_separation = Some(input.share());
    }
    for t in [0.0, 0.5 * options.query.t_max] {
        assert_eq!(a.at(t).len(), starts[0].len());
        if let Err(error) = a.patches_at(t) {
            assert_clear_message(&error);
        }
    }
    let mut workspace = MeshWorkspace::new();
    check(
        &options,
        earliest_impact(&a, &b, &options)?,
        all_impacts(&a, &b, &options)?,
        collision_free_step(&a, &b, &options)?,
    );
    let candidates = workspace.candidates(&a, &b, &options)?;
    assert!(candidates.is_sorted_by_key(|candidate| candidate.interval[0]));
    check(
        &options,
        earliest_self_impact(&a, &options)?,
        all_self_impacts(&a, &options)?,
        collision_free_self_step(&a, &options)?,
    );
    workspace.self_candidates(&b, &options)?;
    // What is kept from other queries makes no difference.
    let kept = workspace.earliest_impact(&a, &b, &options)?;
    assert_eq!(kept.first, earliest_impact(&a, &b, &options)?.first);
    weights(input, a.mesh());
    Ok(())
}

/// Weights at any place on any element, in the mesh or not.
fn weights(input: &mut Input<'_>, mesh: Mesh<'_>) {
    let kinds = [
        Element::Patch,
        Element::Vertex,
        Element::Edge,
        Element::Face,
    ];
    for element in kinds.map(|kind| kind(input.below(8) as u32)) {
        match mesh.weights_at(element, (input.number(), input.number())) {
            Ok(weights) => {
                let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{weights:?}");
                let count = mesh.point_count();
                assert!(weights.iter().all(|&(point, w)| point < count && w >= 0.0));
            }
            Err(error) => assert_clear_message(&error),
        }
    }
}

/// The three answers agree.
fn check(options: &MeshOptions<'_>, earliest: EarliestImpact, all: AllImpacts, free: f64) {
    for pair in &all.pairs {
        check_outcome(&pair.outcome, &options.query);
        assert!(!matches!(pair.outcome, Outcome::Clear { .. }));
    }
    assert!(all.pairs.is_sorted_by_key(|pair| pair.toi()));
    let first = earliest.first.map(|pair| (pair.elements, pair.toi()));
    assert_eq!(
        first,
        all.pairs.first().map(|pair| (pair.elements, pair.toi()))
    );
    assert!((0.0..=1.0).contains(&earliest.fraction));
    assert_eq!(all.fraction, earliest.fraction);
    let rescaling = first.map_or(1.0, |_| options.conservative_rescaling);
    assert_eq!(free, earliest.fraction * rescaling);
}
