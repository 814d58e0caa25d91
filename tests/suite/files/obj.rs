//! Triangles out of OBJ files, as an example reads them.

use support::obj::read;

#[test]
fn vertices_and_faces() {
    let text = b"# made by hand \xe9\r
mtllib none.mtl
v 0 0 0\r
v 1 0 0 1.0
v 1 1 0 0.5 0.5 0.5 # and a colour
vt 0 0
f 1/1/1 2//1 3/1
v 0 1 0
f -4 -3 -2 -1
usemtl none
";
    let (points, faces) = read(text, "a.obj").unwrap();
    let square = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    assert_eq!(points, square);
    assert_eq!(faces, [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
}

#[test]
fn errors_name_the_line() {
    let triangle = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
    let none =
        |corner: &str| format!("corner \"{corner}\" is none of the 3 vertices before this line");
    for (line, problem) in [
        (
            "v 1 2",
            "a vertex has three coordinates, but this one has 2".to_owned(),
        ),
        (
            "v # 1 2 3",
            "a vertex has three coordinates, but this one has 0".to_owned(),
        ),
        ("v 1 2 nan", "\"nan\" is not a finite number".to_owned()),
        ("v 1e999 2 3", "\"1e999\" is not a finite number".to_owned()),
        ("v 1,0 2 3", "\"1,0\" is not a finite number".to_owned()),
        (
            "f 1 2",
            "a face has three corners at least, but this one has 2".to_owned(),
        ),
        (
            "f",
            "a face has three corners at least, but this one has 0".to_owned(),
        ),
        ("f 1 2 4", none("4")),
        ("f 1 2 0", none("0")),
        ("f 1 2 -4/1", none("-4/1")),
        ("f 1 2 /3", none("/3")),
        ("f 1 2 3.0", none("3.0")),
        ("f 1 2 9223372036854775807", none("9223372036854775807")),
        ("f 1 2 -9223372036854775808", none("-9223372036854775808")),
    ] {
        let text = format!("{triangle}{line}\nf 1 2 3\n");
        let error = read(text.as_bytes(), "a.obj").unwrap_err();
        assert_eq!(error, format!("a.obj, line 4: {problem}"));
    }
    let error = read(triangle.as_bytes(), "a.obj").unwrap_err();
    assert_eq!(
        error,
        "a.obj: no faces, that is, lines that begin with \"f\""
    );
}
