//! Files for viewers: what they hold, read back by hand.

use kit::scenes::{octant, placed};
use kit::{Random, Unchecked};
use nalgebra::{Point3, Rotation3, Vector3, point, vector};
use patch_ccd::Contact;
use patch_ccd::geometry::{AnyPatch, Patch, Rational, Shape, TensorProductPatch, TriangularPatch};
use patch_ccd::io::{
    MAX_RESOLUTION, WriteError, write_contacts_obj, write_contacts_vtu, write_obj, write_vtu,
};

use super::{KINDS, bv};

fn text(write: impl FnOnce(&mut Vec<u8>) -> Result<(), WriteError>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// All patches of the file with every kind.
fn patches() -> Vec<AnyPatch> {
    let groups = bv(KINDS).unwrap();
    groups.into_iter().flat_map(|g| g.patches).collect()
}

/// Control points (0, 0, 0), (1, 1, 0), (2, 4, 0), … of any shape.
fn numbered(shape: Shape) -> Unchecked {
    let points = (0..shape.count()).map(|i| i as f64);
    let points: Vec<_> = points.map(|x| point![x, x * x, 0.0]).collect();
    Unchecked::new(shape, points)
}

fn contact() -> Contact {
    Contact {
        shapes: [
            Shape::TensorProduct { n: 3, m: 3 },
            Shape::Triangular { n: 1 },
        ],
        parameters: [(0.5, 0.25), (0.125, 0.75)],
        time: 0.5,
        points: [point![1.0, 2.0, 3.0], point![1.0, 2.0, 3.5]],
        normals: [None, Some(vector![0.0, 0.0, -1.0])],
        direction: Some(vector![0.0, 0.0, 1.0]),
        residual: 0.5,
    }
}

mod obj {
    use super::*;

    /// Vertices, normals, and faces as indices of both, from 0.
    #[derive(Default)]
    struct Mesh {
        vertices: Vec<Vector3<f64>>,
        normals: Vec<Vector3<f64>>,
        faces: Vec<[(usize, Option<usize>); 3]>,
        other: Vec<String>,
    }

    fn mesh<P: Patch>(patches: &[P], resolution: usize) -> Mesh {
        let mut mesh = Mesh::default();
        for line in text(|sink| write_obj(sink, patches, resolution)).lines() {
            let (keyword, rest) = line.split_once(' ').unwrap();
            let vector = || {
                let numbers = rest.split(' ').map(|word| word.parse().unwrap());
                Vector3::from_iterator(numbers)
            };
            match keyword {
                "v" => mesh.vertices.push(vector()),
                "vn" => mesh.normals.push(vector()),
                "f" => {
                    let corners: Vec<_> = rest
                        .split(' ')
                        .map(|corner| match corner.split_once("//") {
                            Some((v, n)) => (number(v), Some(number(n))),
                            None => (number(corner), None),
                        })
                        .collect();
                    mesh.faces.push(corners.try_into().unwrap());
                }
                _ => mesh.other.push(line.to_owned()),
            }
        }
        mesh
    }

    fn number(word: &str) -> usize {
        word.parse::<usize>().unwrap() - 1
    }

    #[test]
    fn faces_cover_the_patches_on_their_side() {
        let patches = patches();
        let mesh = mesh(&patches, 4);
        let names = (0..patches.len()).map(|i| format!("o patch_{i}"));
        assert_eq!(mesh.other, names.collect::<Vec<_>>());
        let quads = 4;
        assert_eq!(mesh.vertices.len(), 25 * quads + 15 * 2);
        assert_eq!(mesh.faces.len(), 32 * quads + 16 * 2);
        for face in &mesh.faces {
            let [a, b, c] = face.map(|(vertex, _)| mesh.vertices[vertex]);
            let across = (b - a).cross(&(c - a));
            assert!(across.norm() > 1e-3);
            for (vertex, normal) in face {
                let normal = mesh.normals[normal.unwrap()];
                assert!((normal.norm() - 1.0).abs() < 1e-15);
                assert!(normal.dot(&across) > 0.0, "{vertex}");
            }
        }
        // The whole parameter domain, and nothing twice: the projected areas of the first two.
        let area = |faces: &[[(usize, Option<usize>); 3]]| -> f64 {
            let corners = faces.iter().map(|face| face.map(|(v, _)| mesh.vertices[v]));
            corners
                .map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).z)
                .sum()
        };
        assert_eq!(area(&mesh.faces[..16]), 4.5);
        assert_eq!(area(&mesh.faces[16..48]), 6.0);
    }

    #[test]
    fn poles_of_octants_have_their_normal() {
        let mut random = Random::new(1);
        for _ in 0..50 {
            let turn = Rotation3::from_scaled_axis(random.vector(3.0));
            let octant = octant(Point3::origin(), 1.0, [1.0; 3]);
            let mesh = mesh(&[placed(&octant, |p| turn * p)], 4);
            assert_eq!(mesh.normals.len(), 25);
            for (vertex, normal) in mesh.vertices.iter().zip(&mesh.normals) {
                assert!((vertex - normal).norm() < 1e-12, "{vertex} {normal}");
            }
        }
    }

    #[test]
    fn the_tip_of_a_cone_has_the_normal_beside_it() {
        // A cone over z = 0 with its top at z = 1: the whole edge u = 1 is one point.
        let top = point![0.0, 0.0, 1.0];
        let cone = TensorProductPatch::new(
            1,
            2,
            &[
                point![1.0, 0.0, 0.0],
                point![1.0, 1.0, 0.0],
                point![0.0, 1.0, 0.0],
                top,
                top,
                top,
            ],
        )
        .unwrap();
        assert_eq!(cone.normal(1.0, 0.5), None);
        let mesh = mesh(&[cone], 2);
        assert_eq!(mesh.normals.len(), 9);
        // (top − q) × q' with q = (3/4, 3/4, 0) and q' = (−1, 1, 0).
        let expected = -vector![1.0, 1.0, 1.5].normalize();
        assert!((mesh.normals[7] - expected).norm() < 1e-9);
    }

    #[test]
    fn curves_and_points_and_patches_without_normals() {
        let curve = |n, m| numbered(Shape::TensorProduct { n, m });
        let written = text(|sink| write_obj(sink, &[curve(2, 0), curve(0, 1), curve(0, 0)], 2));
        let expected = "o patch_0\nv 0.0 0.0 0.0\nv 1.0 1.5 0.0\nv 2.0 4.0 0.0\nl 1 2 3\n\
            o patch_1\nv 0.0 0.0 0.0\nv 0.5 0.5 0.0\nv 1.0 1.0 0.0\nl 4 5 6\n\
            o patch_2\nv 0.0 0.0 0.0\np 7\n";
        assert_eq!(written, expected);

        let needle = TriangularPatch::new(1, &[point![0.0, 0.0, 0.0]; 3]).unwrap();
        let mesh = mesh(&[needle], 1);
        assert!(mesh.normals.is_empty());
        assert_eq!(mesh.faces, [[(0, None), (1, None), (2, None)]]);
    }

    #[test]
    fn contacts() {
        let expected = "o contact_0\nv 1.0 2.0 3.0\nv 1.0 2.0 3.5\np 1 2\n\
            o contact_1\nv 1.0 2.0 3.0\nv 1.0 2.0 3.5\np 3 4\n";
        let written = text(|sink| write_contacts_obj(sink, &[contact(), contact()]));
        assert_eq!(written, expected);
    }

    #[test]
    fn resolution_out_of_range() {
        for value in [0, MAX_RESOLUTION + 1, usize::MAX] {
            let error = write_obj(Vec::new(), &patches(), value).unwrap_err();
            let message = format!("the resolution is {value}, but must be from 1 to 1024");
            assert_eq!(error.to_string(), message);
        }
    }
}

mod vtu {
    use super::*;

    /// The numbers of a data array.
    fn array(text: &str, name: &str) -> Vec<f64> {
        let start = text.find(&format!("Name=\"{name}\"")).expect(name);
        let body = &text[start..][text[start..].find('>').unwrap() + 1..];
        let body = &body[..body.find('<').unwrap()];
        body.split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect()
    }

    #[test]
    fn control_points_are_in_vtks_order() {
        let triangle = |n| Shape::Triangular { n };
        let quad = |n, m| Shape::TensorProduct { n, m };
        // Corners, edges, interior; checked against VTK 9.7, which evaluates cells in this order as
        // the patches to 1e-15.
        let cases: [(_, _, _, &[usize]); 8] = [
            (quad(0, 0), 1, [0.0, 0.0], &[0]),
            (quad(3, 0), 75, [3.0, 0.0], &[0, 3, 1, 2]),
            (quad(0, 2), 75, [2.0, 0.0], &[0, 2, 1]),
            (quad(1, 1), 77, [1.0, 1.0], &[0, 2, 3, 1]),
            (
                quad(2, 3),
                77,
                [2.0, 3.0],
                &[0, 8, 11, 3, 4, 9, 10, 7, 1, 2, 5, 6],
            ),
            (triangle(1), 76, [1.0, 1.0], &[0, 1, 2]),
            (triangle(3), 76, [3.0, 3.0], &[0, 3, 9, 1, 2, 6, 8, 7, 4, 5]),
            (
                triangle(5),
                76,
                [5.0, 5.0],
                &[
                    0, 5, 20, 1, 2, 3, 4, 10, 14, 17, 19, 18, 15, 11, 6, 7, 9, 16, 8, 13, 12,
                ],
            ),
        ];
        let patches = cases.map(|(shape, ..)| numbered(shape));
        let text = text(|sink| write_vtu(sink, &patches));
        let order: Vec<_> = cases
            .iter()
            .flat_map(|(.., order)| *order)
            .map(|&i| i as f64)
            .collect();
        let points = array(&text, "Points");
        let along_x: Vec<_> = points.chunks(3).map(|point| point[0]).collect();
        assert_eq!(along_x, order);
        assert!(
            points
                .chunks(3)
                .all(|point| point[1] == point[0] * point[0])
        );
        let numbers = (0..order.len()).map(|i| i as f64);
        assert_eq!(array(&text, "connectivity"), numbers.collect::<Vec<_>>());
        assert_eq!(
            array(&text, "types"),
            cases.map(|(_, cell, ..)| f64::from(cell))
        );
        let degrees: Vec<_> = cases
            .iter()
            .flat_map(|(_, _, [n, m], _)| [*n, *m, 0.0])
            .collect();
        assert_eq!(array(&text, "HigherOrderDegrees"), degrees);
        assert_eq!(
            array(&text, "offsets"),
            [1.0, 5.0, 8.0, 12.0, 24.0, 27.0, 37.0, 58.0]
        );
        assert_eq!(
            array(&text, "patch"),
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
        );
        assert!(!text.contains("RationalWeights"));
        assert!(text.contains("NumberOfPoints=\"58\" NumberOfCells=\"8\""));
    }

    #[test]
    fn weights_are_separate() {
        let net = TriangularPatch::new(
            1,
            &[
                point![1.0, 0.0, 0.0],
                point![0.0, 1.0, 0.0],
                point![0.0, 0.1, 1e-300],
            ],
        )
        .unwrap();
        let rational = AnyPatch::from(Rational::new(net.clone(), &[1.0, 2.0, 0.1]).unwrap());
        let text = text(|sink| write_vtu(sink, &[net.into(), rational]));
        assert_eq!(
            array(&text, "RationalWeights"),
            [1.0, 1.0, 1.0, 1.0, 2.0, 0.1]
        );
        let points = array(&text, "Points");
        assert_eq!(points[..9], points[9..]);
        assert_eq!(
            points[..9],
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.1, 1e-300]
        );
    }

    #[test]
    fn nothing_is_a_grid_too() {
        let none: [AnyPatch; 0] = [];
        let text = text(|sink| write_vtu(sink, &none));
        assert!(text.contains("NumberOfPoints=\"0\" NumberOfCells=\"0\""));
    }

    #[test]
    fn contacts() {
        let text = text(|sink| write_contacts_vtu(sink, &[contact(), contact()]));
        let twice = |values: &[f64]| [values, values].concat();
        assert_eq!(
            array(&text, "Points"),
            twice(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.5])
        );
        assert_eq!(array(&text, "types"), [1.0; 4]);
        assert_eq!(array(&text, "contact"), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(array(&text, "side"), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(array(&text, "parameters"), twice(&[0.5, 0.25, 0.125, 0.75]));
        assert_eq!(
            array(&text, "normals"),
            twice(&[0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
        );
        assert_eq!(array(&text, "residual"), [0.5; 4]);
    }
}

/// A disk that is full.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("full"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn disks_that_are_full() {
    let groups = bv(KINDS).unwrap();
    for result in [
        patch_ccd::io::write_bv(Full, &groups),
        write_obj(Full, &patches(), 1),
        write_vtu(Full, &patches()),
        write_contacts_obj(Full, &[contact()]),
        write_contacts_vtu(Full, &[contact()]),
    ] {
        assert!(matches!(result, Err(WriteError::Io(_))));
    }
}
