//! The same answers as pair by pair, whatever the number of threads.

use std::mem::discriminant;

use kit::scenes::meshes::{sheet, stirred, triangles};
use nalgebra::vector;
use patch_ccd::geometry::AnyPatch;
use patch_ccd::mesh::{
    AllImpacts, Element, Mesh, MeshOptions, MeshWorkspace, MovingMesh, PairOutcome, all_impacts,
    all_self_impacts, earliest_impact, earliest_self_impact,
};
use patch_ccd::{Moving, Options, Outcome, Step, edge_edge, time_of_impact, vertex_face};

use super::{passing, with};

/// The element as a moving patch.
fn patch(mesh: &MovingMesh<'_>, element: Element) -> Moving<AnyPatch> {
    let [start, end] = [0.0, 1.0].map(|t| mesh.patches_at(t).unwrap());
    let index = element.index() as usize;
    Moving::between(start[index].clone(), &end[index]).unwrap()
}

/// The points of some vertices at the start and at the end.
fn step<const N: usize>(meshes: [&MovingMesh<'_>; 2], corners: [(usize, u32); N]) -> Step<N> {
    let point = |(side, at): (usize, u32), t: f64| {
        let mesh: &MovingMesh<'_> = meshes[side];
        mesh.start()[at as usize] + mesh.velocities().unwrap()[at as usize] * t
    };
    [0.0, 1.0].map(|t| corners.map(|corner| point(corner, t)))
}

/// The outcome of one pair, by the queries for pairs.
fn solve(meshes: [&MovingMesh<'_>; 2], elements: [Element; 2], options: &Options) -> Outcome {
    let corners = |side: usize| match (meshes[side].mesh(), elements[side]) {
        (_, Element::Vertex(index)) => vec![(side, index)],
        (Mesh::Triangles(mesh), Element::Edge(index)) => {
            mesh.edges()[index as usize].map(|at| (side, at)).to_vec()
        }
        (Mesh::Triangles(mesh), Element::Face(index)) => {
            mesh.faces()[index as usize].map(|at| (side, at)).to_vec()
        }
        _ => Vec::new(),
    };
    let all = |first: usize, second: usize| {
        let corners: Vec<_> = [corners(first), corners(second)].concat();
        step(meshes, <[_; 4]>::try_from(corners).unwrap())
    };
    match elements {
        [Element::Edge(_), Element::Edge(_)] => edge_edge(&all(0, 1), options),
        [Element::Vertex(_), Element::Face(_)] => vertex_face(&all(0, 1), options),
        [Element::Face(_), Element::Vertex(_)] => {
            vertex_face(&all(1, 0), options).map(Outcome::swapped)
        }
        [one, two] => time_of_impact(&patch(meshes[0], one), &patch(meshes[1], two), options),
    }
    .unwrap()
}

/// All pairs of elements that a query of two meshes has to consider.
fn pairs(meshes: [&MovingMesh<'_>; 2]) -> Vec<[Element; 2]> {
    let elements = |mesh: &MovingMesh<'_>| match mesh.mesh() {
        Mesh::Patches(mesh) => (0..mesh.len() as u32)
            .map(Element::Patch)
            .collect::<Vec<_>>(),
        Mesh::Triangles(mesh) => {
            let vertices = (0..mesh.vertex_count() as u32).map(Element::Vertex);
            let edges = (0..mesh.edges().len() as u32).map(Element::Edge);
            let faces = (0..mesh.faces().len() as u32).map(Element::Face);
            vertices.chain(edges).chain(faces).collect()
        }
        _ => unreachable!("two kinds of meshes"),
    };
    let (one, two) = (elements(meshes[0]), elements(meshes[1]));
    let all = one.iter().flat_map(|&a| two.iter().map(move |&b| [a, b]));
    let mixed = !matches!(
        [meshes[0].mesh(), meshes[1].mesh()],
        [Mesh::Triangles(_), Mesh::Triangles(_)]
    );
    all.filter(|pair| match pair {
        [Element::Edge(_), Element::Edge(_)]
        | [Element::Vertex(_), Element::Face(_)]
        | [Element::Face(_), Element::Vertex(_)] => !mixed,
        [
            Element::Patch(_) | Element::Face(_),
            Element::Patch(_) | Element::Face(_),
        ] => mixed,
        _ => false,
    })
    .collect()
}

/// Checks the answers for two meshes against all pairs one by one, each at the separation that its
/// elements have.
pub(super) fn compare(meshes: [&MovingMesh<'_>; 2], options: &Options) -> AllImpacts {
    let mesh_options = with(*options);
    let all = all_impacts(meshes[0], meshes[1], &mesh_options).unwrap();
    let earliest = earliest_impact(meshes[0], meshes[1], &mesh_options).unwrap();
    assert_eq!(earliest.first, all.pairs.first().copied());
    assert_eq!(earliest.fraction, all.fraction);
    assert!(earliest.counters.solved <= all.counters.solved);
    let mut found = all.pairs.clone();
    found.sort_by_key(|pair| pair.elements);
    let mut found = found.into_iter().peekable();
    for elements in pairs(meshes) {
        let thickness = [0, 1].map(|side| {
            let mesh = meshes[side].mesh();
            mesh.half_thickness_of(elements[side])
        });
        let alone = Options {
            min_separation: options.min_separation + thickness[0] + thickness[1],
            ..*options
        };
        let outcome = solve(meshes, elements, &alone);
        let mesh_outcome = found.next_if(|pair| pair.elements == elements);
        match (outcome.toi(), mesh_outcome) {
            (None, None) => {}
            (Some(toi), Some(pair)) => {
                let difference = (pair.toi() - toi).abs();
                let small = 2.0 * options.delta * options.t_max;
                assert!(difference <= small, "{elements:?}: {difference:e}");
            }
            (alone, of_mesh) => panic!("{elements:?}: {of_mesh:?}, but alone {alone:?}"),
        }
    }
    assert_eq!(found.next(), None, "not to be considered");
    all
}

#[test]
fn two_patch_meshes_answer_like_all_their_pairs() {
    let (upper, lower) = (sheet(3, 3, 0.5, 0.0), sheet(3, 4, 0.0, 2.0));
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    for min_separation in [0.0, 0.05] {
        let options = Options {
            min_separation,
            ..Options::default()
        };
        let all = compare([&upper, &lower], &options);
        assert!(all.pairs.len() > 10, "{}", all.pairs.len());
        assert!(all.counters.candidates < 100);
    }
    let short = Options {
        t_max: 0.25,
        ..Options::default()
    };
    compare([&upper, &lower], &short);
}

#[test]
fn two_triangle_meshes_answer_like_all_their_edges_vertices_and_faces() {
    let (upper, lower) = (triangles(5, 0.5, 0.0), triangles(6, 0.0, 2.0));
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    for min_separation in [0.0, 0.02] {
        let options = Options {
            min_separation,
            ..Options::default()
        };
        let all = compare([&upper, &lower], &options);
        for kind in [Element::Vertex(0), Element::Edge(0), Element::Face(0)] {
            let like = |pair: &PairOutcome| discriminant(&pair.elements[0]) == discriminant(&kind);
            assert!(all.pairs.iter().any(like), "no {kind}");
        }
    }
}

#[test]
fn patches_and_triangles_go_together() {
    let (upper, lower) = (triangles(3, 0.5, 0.0), sheet(3, 2, 0.0, 2.0));
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    for meshes in [[&upper, &lower], [&lower, &upper]] {
        let all = compare(meshes, &Options::default());
        assert!(!all.pairs.is_empty());
    }
}

#[test]
fn a_mesh_of_two_sheets_meets_itself_like_the_two_meet() {
    let (upper, lower) = (sheet(3, 3, 0.5, 0.0), sheet(3, 4, 0.0, 2.0));
    let (mut both, mut points) = upper.clone();
    let (first, _) = both.append(&lower.0).unwrap();
    points.extend(&lower.1);
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    let velocities = [upper.velocities().unwrap(), lower.velocities().unwrap()].concat();
    let both = MovingMesh::with_velocities(&both, &points, &velocities).unwrap();
    let options = MeshOptions::default();
    let of_two = all_impacts(&upper, &lower, &options).unwrap();
    let of_itself = all_self_impacts(&both, &options).unwrap();
    assert!(of_two.pairs.len() > 10);
    assert_eq!(of_two.pairs.len(), of_itself.pairs.len());
    for (one, two) in of_two.pairs.iter().zip(&of_itself.pairs) {
        let [a, b] = one.elements;
        assert_eq!(two.elements, [a, Element::Patch(b.index() + first)]);
        assert!((one.toi() - two.toi()).abs() <= 2e-6);
    }
    let earliest = earliest_self_impact(&both, &options).unwrap();
    assert_eq!(earliest.first.as_ref(), of_itself.pairs.first());
}

#[test]
fn the_number_of_threads_does_not_change_an_answer() {
    let (upper, lower) = (sheet(3, 8, 0.4, 0.0), sheet(3, 9, 0.0, 2.0));
    let (upper, lower) = (passing(&upper, -0.5), passing(&lower, 0.5));
    let options = MeshOptions::default();
    let answers = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut workspace = MeshWorkspace::new();
            let earliest = workspace.earliest_impact(&upper, &lower, &options).unwrap();
            let all = workspace.all_impacts(&upper, &lower, &options).unwrap();
            let candidates = workspace.candidates(&upper, &lower, &options).unwrap();
            (earliest.first, all, candidates)
        })
    };
    let one = answers(1);
    assert!(one.0.is_some());
    for threads in [2, 3, 8] {
        assert!(answers(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_kept_workspace_answers_like_a_fresh_one_step_after_step() {
    let ((one, mut upper), (two, lower)) = (triangles(6, 0.6, 0.0), triangles(7, 0.0, 2.0));
    let lower = MovingMesh::resting(&two, &lower).unwrap();
    let mut workspace = MeshWorkspace::new();
    let options = MeshOptions::default();
    for turn in 0..8 {
        let end: Vec<_> = upper
            .iter()
            .zip(stirred(upper.len(), vector![0.2, 0.0, -0.1], 0.1, turn))
            .map(|(p, v)| p + v)
            .collect();
        let moving = MovingMesh::between(&one, &upper, &end).unwrap();
        let kept = workspace
            .earliest_impact(&moving, &lower, &options)
            .unwrap();
        let fresh = earliest_impact(&moving, &lower, &options).unwrap();
        assert_eq!(kept.first, fresh.first);
        assert_eq!(kept.counters.candidates, fresh.counters.candidates);
        upper = end;
    }
}
