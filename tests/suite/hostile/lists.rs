//! Lists of points, velocities and nodes: every call that takes one, with each number that is not
//! finite in each place, and with more or fewer than there should be.

use kit::Unchecked;
use kit::linear::{EDGE_EDGE, Linear, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX};
use nalgebra::{Point3, Vector3, Vector4};
use patch_ccd::geometry::{
    AnyPatch, HermiteGrid, HermiteNode, HermitePatch, KnotVector, NurbsCurve, NurbsSurface, Patch,
};
use patch_ccd::mesh::{Mesh, MovingMesh, PatchMesh, TriangleMesh};
use patch_ccd::{DistanceOptions, Moving, Options, Step, closest_point_on};

use super::{AllTold, Calls, NOT_FINITE, SHAPES, Told, asked_of, net, told};

/// A list that some calls take.
struct List {
    /// What errors call one of its members.
    member: String,
    /// What they call all of them, and whose they are; nothing where any number will do.
    all: Option<(&'static str, String)>,
    /// How many there should be.
    count: usize,
    /// The place that errors tell of, for a place in the list.
    place: fn(usize) -> usize,
    calls: Calls<Vector3<f64>>,
}

impl List {
    fn new(
        member: impl Into<String>,
        count: usize,
        calls: impl Fn(&[Vector3<f64>]) -> AllTold + 'static,
    ) -> Self {
        Self {
            member: member.into(),
            all: None,
            count,
            place: |index| index,
            calls: Box::new(calls),
        }
    }

    /// Their number is checked.
    fn counted(mut self, all: &'static str, owner: impl Into<String>) -> Self {
        self.all = Some((all, owner.into()));
        self
    }

    #[track_caller]
    fn assert_refused(&self, list: &[Vector3<f64>], text: &str) {
        for (within, told) in (self.calls)(list) {
            assert_eq!(told.expect_err(text), format!("{within}{text}"));
        }
    }
}

fn vectors(count: usize) -> Vec<Vector3<f64>> {
    net(count).into_iter().map(|p| p.coords).collect()
}

fn points(list: &[Vector3<f64>]) -> Vec<Point3<f64>> {
    list.iter().map(|&v| v.into()).collect()
}

fn plain<const N: usize>(told: [Told; N]) -> AllTold {
    told.map(|told| ("", told)).into()
}

/// Control points of all shapes and their velocities.
fn of_patches() -> Vec<List> {
    let of = |shape: patch_ccd::geometry::Shape| {
        let (count, owner) = (shape.count(), shape.to_string());
        let ones = vec![1.0; count];
        let patch = AnyPatch::from_shape(shape, &net(count)).unwrap();
        let rational = AnyPatch::rational_from_shape(shape, &net(count), &ones).unwrap();
        let start = patch.clone();
        [
            List::new("control point", count, move |list| {
                let points = points(list);
                let mut calls = plain([
                    told(AnyPatch::from_shape(shape, &points)),
                    told(AnyPatch::rational_from_shape(shape, &points, &ones)),
                    told(patch.with_net(&points, None)),
                    told(rational.with_net(&points, None)),
                ]);
                calls.extend(asked_of(&Unchecked::new(shape, points)));
                calls
            })
            .counted("control points", &owner),
            List::new("velocity", count, move |list| {
                plain([
                    told(Moving::with_velocities(start.clone(), list)),
                    told(Moving::with_velocities(Unchecked::new(shape, []), list)),
                ])
            })
            .counted("velocities", owner),
            List::new("end − start of control point", count, move |list| {
                let [start, end] = [net(count), points(list)];
                let [start, end] = [start, end].map(|points| Unchecked::new(shape, points));
                plain([told(Moving::between(start, &end))])
            }),
        ]
    };
    let mut lists: Vec<_> = SHAPES.into_iter().flat_map(of).collect();
    lists.push(List::new("velocity", 1, |list| {
        plain([told(Moving::translating(
            Unchecked::new(SHAPES[0], net(2)),
            list[0],
        ))])
    }));
    lists.push(List::new("patch 1: point", 1, |list| {
        let patch = Unchecked::new(SHAPES[0], net(2));
        let options = DistanceOptions::default();
        plain([told(closest_point_on(list[0].into(), &patch, &options))])
    }));
    lists
}

/// Vertices, edges and faces.
fn of_simplices() -> Vec<List> {
    fn of<const N: usize>(query: Linear<N>) -> [List; 2] {
        ["point at the start", "point at the end"].map(|member| {
            List::new(member, N, move |list| {
                let right: [Point3<f64>; N] = net(N).try_into().unwrap();
                let given: [Point3<f64>; N] = points(list).try_into().unwrap();
                let step: Step<N> = match member {
                    "point at the start" => [given, right],
                    _ => [right, given],
                };
                let answers = query.ask(&step, &Options::default()).into_iter();
                answers.map(|answer| ("", told(answer))).collect()
            })
        })
    }
    let mut lists = Vec::from(of(EDGE_EDGE));
    lists.extend(of(VERTEX_FACE));
    lists.extend(of(VERTEX_EDGE));
    lists.extend(of(VERTEX_VERTEX));
    lists
}

/// Knots of a surface with 4 × 2 control points, and of a curve with 4.
fn knots() -> [KnotVector; 2] {
    [
        KnotVector::new(2, &[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0]).unwrap(),
        KnotVector::new(1, &[0.0, 0.0, 1.0, 1.0]).unwrap(),
    ]
}

fn of_nurbs() -> Vec<List> {
    let surface = || NurbsSurface::new(knots(), &net(8), None).unwrap();
    let curve = || NurbsCurve::new(knots()[0].clone(), &net(4), None).unwrap();
    let homogeneous =
        |list: &[Vector3<f64>]| -> Vec<Vector4<f64>> { list.iter().map(|v| v.push(1.0)).collect() };
    let of_surface = "NURBS surface of degree (2, 1) with 7 × 4 knots";
    let of_curve = "NURBS curve of degree 2 with 7 knots";
    vec![
        List::new("control point", 8, move |list| {
            let (points, weights) = (points(list), [1.0; 8]);
            plain([
                told(NurbsSurface::new(knots(), &points, None)),
                told(NurbsSurface::new(knots(), &points, Some(&weights))),
                told(surface().extraction().points(&points)),
            ])
        })
        .counted("control points", of_surface),
        List::new("control point", 4, move |list| {
            let (points, [knots, _]) = (points(list), knots());
            plain([
                told(NurbsCurve::new(knots.clone(), &points, None)),
                told(NurbsCurve::new(knots, &points, Some(&[1.0; 4]))),
                told(curve().extraction().points(&points)),
            ])
        })
        .counted("control points", of_curve),
        List::new("homogeneous control point", 8, move |list| {
            plain([told(NurbsSurface::from_homogeneous(
                knots(),
                &homogeneous(list),
            ))])
        })
        .counted("control points", of_surface),
        List::new("homogeneous control point", 4, move |list| {
            let [knots, _] = knots();
            plain([told(NurbsCurve::from_homogeneous(
                knots,
                &homogeneous(list),
            ))])
        })
        .counted("control points", of_curve),
        List::new("velocity", 8, move |list| {
            plain([
                told(surface().split_moving(list)),
                told(surface().extraction().velocities(list)),
            ])
        })
        .counted("velocities", of_surface),
        List::new("velocity", 4, move |list| {
            plain([
                told(curve().split_moving(list)),
                told(curve().extraction().velocities(list)),
            ])
        })
        .counted("velocities", of_curve),
        List::new("end point", 8, move |list| {
            plain([told(surface().split_between(&points(list)))])
        })
        .counted("end points", of_surface),
        List::new("end point", 4, move |list| {
            plain([told(curve().split_between(&points(list)))])
        })
        .counted("end points", of_curve),
    ]
}

/// The four vectors of Hermite nodes, and of their velocities.
fn of_hermite() -> Vec<List> {
    const PARTS: [&str; 4] = ["position", "tangent along u", "tangent along v", "twist"];
    let grid = || HermiteGrid::new(&[1.0, 2.0], &[1.0]).unwrap();
    let owner = "grid of 2 × 1 Hermite elements";
    let rates = |list: &[Vector3<f64>], part: usize| -> Vec<HermiteNode<Vector3<f64>>> {
        let node = |&v: &Vector3<f64>| {
            let mut parts = [Vector3::x(); 4];
            parts[part] = v;
            let [position, along_u, along_v, twist] = parts;
            HermiteNode {
                position,
                along_u,
                along_v,
                twist,
            }
        };
        list.iter().map(node).collect()
    };
    let nodes = move |list: &[Vector3<f64>], part: usize| -> Vec<HermiteNode> {
        let node = |rate: HermiteNode<Vector3<f64>>| HermiteNode {
            position: rate.position.into(),
            along_u: rate.along_u,
            along_v: rate.along_v,
            twist: rate.twist,
        };
        rates(list, part).into_iter().map(node).collect()
    };
    let of = |part: usize| {
        let name = PARTS[part];
        let velocity = match part {
            0 => "velocity of node".to_owned(),
            _ => format!("velocity of the {name} of node"),
        };
        [
            List::new(format!("{name} of node"), 6, move |list| {
                plain([told(grid().points(&nodes(list, part)))])
            })
            .counted("nodes", owner),
            List::new(format!("{name} of node"), 4, move |list| {
                let nodes = nodes(list, part).try_into().unwrap();
                plain([told(HermitePatch { nodes }.to_bezier())])
            }),
            List::new(velocity, 6, move |list| {
                plain([told(grid().velocities(&rates(list, part)))])
            })
            .counted("nodes", owner),
        ]
    };
    (0..4).flat_map(of).collect()
}

/// Points of meshes, by their vertices, and of patches by their control points, which are in
/// another order here.
fn of_meshes() -> Vec<List> {
    type Call = fn(Mesh<'_>, &[Vector3<f64>]) -> Told;
    let calls: [(&str, &'static str, Call); 5] = [
        ("point", "points", |mesh, list| {
            told(MovingMesh::resting(mesh, &points(list)))
        }),
        ("point", "start", |mesh, list| {
            told(MovingMesh::between(mesh, &points(list), &net(3)))
        }),
        ("point", "start", |mesh, list| {
            told(MovingMesh::with_velocities(
                mesh,
                &points(list),
                &vectors(3),
            ))
        }),
        ("point at the end", "end", |mesh, list| {
            told(MovingMesh::between(mesh, &net(3), &points(list)))
        }),
        ("velocity", "velocities", |mesh, list| {
            told(MovingMesh::with_velocities(mesh, &net(3), list))
        }),
    ];
    let of = |(member, all, call): (&str, &'static str, Call)| {
        let vertices = List::new(member, 3, move |list| {
            let mesh = TriangleMesh::new(3, &[[0, 1, 2]]).unwrap();
            plain([call(Mesh::from(&mesh), list)])
        });
        let mut patches = List::new(format!("patch 0: {member}"), 3, move |list| {
            let mesh = PatchMesh::from_triangles(3, &[[2, 1, 0]]).unwrap();
            plain([call(Mesh::from(&mesh), list)])
        });
        patches.place = |index| 2 - index;
        [vertices, patches].map(|list| list.counted(all, "mesh"))
    };
    let mut lists: Vec<_> = calls.into_iter().flat_map(of).collect();
    let weld = List::new("point", 4, |list| {
        let mut mesh = PatchMesh::from_quads(4, &[[0, 1, 2, 3]]).unwrap();
        plain([told(mesh.weld(&points(list), 0.0))])
    });
    lists.push(weld.counted("points", "mesh"));
    lists
}

fn check(lists: Vec<List>) {
    for list in lists {
        let good = vectors(list.count);
        for (_, told) in (list.calls)(&good) {
            assert_eq!(told, Ok(()), "{}", list.member);
        }
        let last = list.count - 1;
        let places = (0..=last).filter(|&place| last < 40 || [0, 1, last].contains(&place));
        for (index, coordinate) in places.flat_map(|index| [0, 1, 2].map(|c| (index, c))) {
            for value in NOT_FINITE {
                let mut bad = good.clone();
                bad[index][coordinate] = value;
                let is = format!("coordinate {coordinate} is {value}, not a finite number");
                let text = format!("{} {}: {is}", list.member, (list.place)(index));
                list.assert_refused(&bad, &text);
            }
        }
        let Some((all, owner)) = &list.all else {
            continue;
        };
        for count in [0, 1, last, last + 2, 2000] {
            if count != list.count {
                let text = format!("{all}: {count} given, but the {owner} has {}", list.count);
                list.assert_refused(&vectors(count), &text);
            }
        }
    }
}

#[test]
fn points_of_patches() {
    check(of_patches());
}

#[test]
fn points_of_simplices() {
    check(of_simplices());
}

#[test]
fn points_of_nurbs() {
    check(of_nurbs());
}

#[test]
fn nodes_of_hermite_grids() {
    check(of_hermite());
}

#[test]
fn points_of_meshes() {
    check(of_meshes());
}
