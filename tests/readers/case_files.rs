//! Cases as JSON.

use kit::{Case, CaseKind, CaseQuery};
use nalgebra::point;
use serde_json::{Value, json};

use super::*;

fn example() -> Value {
    json!({
        "id": "closing", "kind": "quad-bezier", "description": "ignored", "color": [1, 2],
        "query": {
            "degree1": [1, 1],
            "p1": [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]],
            "v1": [[0, 0, -2], [0, 0, -2], [0, 0, -2], [0, 0, -2]],
            "degree2": [1, 1],
            "p2": [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]],
            "v2": [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
            "order": "ignored"
        },
        "options": {"t_max": 1, "min_separation": 0.0, "tolerance": 1e-6, "max_iterations": 1000, "ignored": 1},
        "expect": {"collides": true, "toi_lower": 0.499997, "toi_upper": 0.5, "note": "gap 1 - 2t"}
    })
}

/// The example with one field changed, found by a JSON pointer.
fn changed(pointer: &str, value: Value) -> Value {
    let mut case = example();
    *case.pointer_mut(pointer).expect("a field") = value;
    case
}

fn read(case: &Value) -> Result<Case, ReadError> {
    Case::read(case.to_string().as_bytes())
}

#[test]
fn as_it_should_be() {
    let case = read(&example()).expect("a case");
    assert_eq!((&*case.id, case.kind), ("closing", CaseKind::QuadBezier));
    assert_eq!(
        case.options,
        Options {
            max_boxes: 1000,
            ..Options::default()
        }
    );
    let expect = case.expect.as_ref().expect("an expectation");
    assert_eq!(expect.toi, 0.499_997..=0.5);
    assert!(expect.budget);
    assert_eq!(expect.check(&case.solve()), Ok(()));
}

#[test]
fn cut_short() {
    let text = example().to_string();
    for length in 0..text.len() {
        let error = Case::read(&text.as_bytes()[..length]).unwrap_err();
        assert!(matches!(error, ReadError::Json(_)), "{length}: {error}");
    }
}

#[test]
fn junk() {
    for text in [
        "",
        "{",
        "nonsense",
        "\u{0}",
        "{\"id\": NaN}",
        "{\"id\": 1e999}",
        "{} {}",
    ] {
        assert!(
            matches!(Case::read(text.as_bytes()), Err(ReadError::Json(_))),
            "{text}"
        );
    }
    assert!(matches!(
        Case::read(&[0xff, 0xfe][..]),
        Err(ReadError::Json(_))
    ));
    let nested = "[".repeat(100_000);
    assert!(matches!(
        Case::read(nested.as_bytes()),
        Err(ReadError::Json(_))
    ));
    for (text, found) in [
        ("[]", "sequence"),
        ("1", "integer `1`"),
        ("null", "null"),
        ("\"case\"", "string \"case\""),
    ] {
        let error = Case::read(text.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("field (whole file): invalid type: {found}, expected an object")
        );
    }
    let missing = Case::open("no such file");
    assert!(matches!(missing, Err(ReadError::Io(_))));
}

#[test]
fn missing_field() {
    for field in [
        "id",
        "kind",
        "query",
        "query.degree1",
        "query.p1",
        "query.v1",
        "query.degree2",
        "query.p2",
        "query.v2",
        "expect.collides",
    ] {
        let (within, name) = field.rsplit_once('.').unwrap_or(("", field));
        let parent = if within.is_empty() {
            String::new()
        } else {
            format!("/{within}")
        };
        let mut case = example();
        let object = case
            .pointer_mut(&parent)
            .and_then(Value::as_object_mut)
            .expect("an object");
        object.remove(name).expect("the field");
        let error = read(&case).unwrap_err();
        let within = if within.is_empty() {
            "(whole file)"
        } else {
            within
        };
        let text = format!("field {within}: missing field `{name}`");
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn optional_fields() {
    let mut case = example();
    let object = case.as_object_mut().expect("an object");
    object.remove("options");
    object.insert("expect".into(), Value::Null);
    let case = read(&case).expect("a case");
    assert_eq!(case.options, Options::default());
    assert_eq!(case.expect, None);
    let case = changed("/expect", json!({"collides": true, "toi_lower": null}));
    let expect = read(&case).expect("a case").expect.expect("an expectation");
    assert_eq!(expect.toi, f64::NEG_INFINITY..=f64::INFINITY);
    assert_eq!(expect.note, "");
}

/// What errors say of a number, of a kind, and of whether there is a contact.
const NUMBER: &str = "a number, \"NaN\", \"Infinity\" or \"-Infinity\" expected";
const KIND: &str = "one of quad-bezier, tri-bezier, rational-quad-bezier, rational-tri-bezier, \
    edge-edge, vertex-face, nurbs expected";
const COLLIDES: &str = "true, false, \"either\" or \"error\" expected";

#[test]
fn mistyped_field() {
    for (pointer, value, field, problem) in [
        (
            "/id",
            json!(7),
            "id",
            "invalid type: integer `7`, expected a string",
        ),
        ("/kind", json!(["quad-bezier"]), "kind", KIND),
        ("/kind", json!({"quad-bezier": null}), "kind", KIND),
        ("/kind", json!("hexagon"), "kind", KIND),
        (
            "/query",
            json!("none"),
            "query",
            "invalid type: string \"none\", expected an object",
        ),
        (
            "/query",
            json!([[1, 1]]),
            "query",
            "invalid type: sequence, expected an object",
        ),
        (
            "/query/degree1",
            json!(1),
            "query.degree1",
            "invalid type: integer `1`, expected an array of length 2",
        ),
        (
            "/query/degree1",
            json!([1, 1, 1]),
            "query.degree1",
            "invalid length 3, expected fewer elements in array",
        ),
        (
            "/query/degree2/1",
            json!(-1),
            "query.degree2[1]",
            "invalid value: integer `-1`, expected usize",
        ),
        (
            "/query/degree2/0",
            json!(1.5),
            "query.degree2[0]",
            "invalid type: floating point `1.5`, expected usize",
        ),
        (
            "/query/p1",
            json!(3),
            "query.p1",
            "invalid type: integer `3`, expected a sequence",
        ),
        (
            "/query/p1/3",
            json!([1, 2]),
            "query.p1[3]",
            "invalid length 2, expected an array of length 3",
        ),
        ("/query/p2/1/2", json!("nan"), "query.p2[1][2]", NUMBER),
        (
            "/query/v1/0",
            json!([0, 0, 0, 0]),
            "query.v1[0]",
            "invalid length 4, expected fewer elements in array",
        ),
        ("/query/v2/2/0", json!(null), "query.v2[2][0]", NUMBER),
        ("/query/v2/2/0", json!([1]), "query.v2[2][0]", NUMBER),
        (
            "/options",
            json!([]),
            "options",
            "invalid type: sequence, expected an object",
        ),
        (
            "/options",
            json!([1, 0, 1e-6, 1000]),
            "options",
            "invalid type: sequence, expected an object",
        ),
        ("/options/t_max", json!("one"), "options.t_max", NUMBER),
        (
            "/options/tolerance",
            json!(true),
            "options.tolerance",
            NUMBER,
        ),
        (
            "/options/min_separation",
            json!({}),
            "options.min_separation",
            NUMBER,
        ),
        (
            "/options/max_iterations",
            json!(-1),
            "options.max_iterations",
            "invalid value: integer `-1`, expected u64",
        ),
        (
            "/options/max_iterations",
            json!("NaN"),
            "options.max_iterations",
            "invalid type: string \"NaN\", expected u64",
        ),
        (
            "/expect",
            json!(true),
            "expect",
            "invalid type: boolean `true`, expected an object",
        ),
        (
            "/expect/collides",
            json!("maybe"),
            "expect.collides",
            COLLIDES,
        ),
        ("/expect/toi_lower", json!("0"), "expect.toi_lower", NUMBER),
        (
            "/expect/toi_upper",
            json!([0.5]),
            "expect.toi_upper",
            NUMBER,
        ),
        (
            "/expect/note",
            json!(1),
            "expect.note",
            "invalid type: integer `1`, expected a string",
        ),
    ] {
        let found = match problem {
            NUMBER | KIND | COLLIDES => format!(", but it is {value}"),
            _ => String::new(),
        };
        let error = read(&changed(pointer, value)).unwrap_err();
        let text = format!("field {field}: {problem}{found}");
        assert_eq!(error.to_string(), text);
        assert!(matches!(error, ReadError::Field { .. }), "{error:?}");
    }
}

#[test]
fn long_values_are_cut_short() {
    for (pointer, expected) in [
        ("/kind", KIND),
        ("/query", "expected an object"),
        ("/query/p1", "expected a sequence"),
        ("/options/t_max", NUMBER),
    ] {
        let error = read(&changed(pointer, json!("ü".repeat(1000)))).unwrap_err();
        let text = error.to_string();
        assert!(text.len() < 300 && text.contains(expected), "{text}");
    }
}

/// Bad numbers are read, and refused when the case is solved.
#[test]
fn bad_numbers() {
    let solve = |pointer, value| read(&changed(pointer, value)).expect("a case").solve();
    for (pointer, value, text) in [
        (
            "/query/p1/2/1",
            json!("NaN"),
            "patch 1: control point 2: coordinate 1 is NaN",
        ),
        (
            "/query/p2/3/0",
            json!("Infinity"),
            "patch 2: control point 3: coordinate 0 is inf",
        ),
        (
            "/query/v2/0/2",
            json!("-Infinity"),
            "patch 2: velocity 0: coordinate 2 is -inf",
        ),
        ("/query/degree1/0", json!(0), "patch 1: degree in u is 0"),
        (
            "/query/degree2",
            json!([u64::MAX, 2]),
            "patch 2: degree in u is 18446744073709551615",
        ),
        (
            "/query/p1",
            json!([[0, 0, 0]]),
            "patch 1: control points: 1 given, but",
        ),
        ("/query/v2", json!([]), "patch 2: velocities: 0 given, but"),
        ("/options/t_max", json!("NaN"), "option t_max is NaN"),
        (
            "/options/tolerance",
            json!(-1e-20),
            "option delta is -1e-20",
        ),
        ("/options/tolerance", json!("NaN"), "option delta is NaN"),
        ("/options/tolerance", json!(1.5), "option delta is 1.5"),
        (
            "/options/min_separation",
            json!("Infinity"),
            "option min_separation is inf",
        ),
        (
            "/options/max_iterations",
            json!(0),
            "option max_boxes is 0.0",
        ),
    ] {
        let error = solve(pointer, value).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    }
    let error = solve("/query/v1/2/2", json!(1e300)).map(drop);
    assert_eq!(error, Ok(()));
    let mut case = changed("/query/v1/2/2", json!(1e300));
    case["options"]["t_max"] = json!(1e10);
    let error = read(&case).expect("a case").solve().unwrap_err();
    assert!(
        error.to_string().starts_with("patch 1: velocity 2:"),
        "{error}"
    );
}

/// A tolerance finer than the crate has is answered as well as it can.
#[test]
fn tolerances_below_the_least_are_raised() {
    let least = 2.0_f64.powi(-40);
    for (given, used) in [
        (0.0, least),
        (1e-18, least),
        (least.next_down(), least),
        (least, least),
        (1e-11, 1e-11),
    ] {
        let case = read(&changed("/options/tolerance", json!(given))).expect("a case");
        assert_eq!(case.options.delta, used, "{given}");
        let agrees = case.expect.as_ref().expect("an expectation");
        assert_eq!(agrees.check(&case.solve()), Ok(()));
    }
}

/// Two sheets of two spans that meet at t = 1/2, if they close at all.
fn nurbs_example(speed: i32, weights: &Value) -> Value {
    let surface = |height: i32, speed: i32| {
        let points = [0, 1, 2].map(|x| [[x, 0, height], [x, 1, height]]).concat();
        json!({
            "degrees": [1, 1], "knots_u": [0, 0, 1, 2, 2], "knots_v": [0, 0, 1, 1],
            "points": points, "velocities": vec![[0, 0, speed]; 6], "weights": weights
        })
    };
    json!({
        "id": "sheets", "kind": "nurbs",
        "query": {"surface1": surface(0, speed), "surface2": surface(1, -speed)}
    })
}

#[test]
fn weights_of_nurbs_may_be_missing() {
    let without = read(&nurbs_example(1, &Value::Null)).expect("a case");
    let equal = read(&nurbs_example(1, &json!([2, 2, 2, 2, 2, 2]))).expect("a case");
    let [one, two] = [without, equal].map(|case| case.solve().expect("an answer"));
    assert!(one.toi().is_some());
    assert_eq!((one.toi(), one.contact()), (two.toi(), two.contact()));
    let wrong = read(&nurbs_example(1, &json!([2, 2]))).expect("a case");
    let text =
        "patch 1: weights: 2 given, but the NURBS surface of degree (1, 1) with 5 × 4 knots has 6";
    assert_eq!(wrong.solve().unwrap_err().to_string(), text);
}

#[test]
fn of_nurbs_only_boxes_are_counted() {
    for (speed, meet) in [(1, true), (0, false)] {
        let case = read(&nurbs_example(speed, &Value::Null)).expect("a case");
        let outcome = case.solve().expect("an answer");
        assert_eq!(outcome.contact().is_some(), meet);
        let counters = *outcome.counters();
        assert!(!meet || counters.boxes > 0);
        let boxes = counters.boxes;
        assert_eq!(
            counters,
            Counters {
                boxes,
                ..Counters::default()
            }
        );
    }
}

/// An edge-edge and a vertex-face case: both meet at t = 1/2.
fn linear_examples() -> [Value; 2] {
    let case = |kind: &str, query: Value| json!({"id": kind, "kind": kind, "query": query, "expect": {"collides": true, "toi_lower": 0.4999, "toi_upper": 0.5}});
    [
        case(
            "edge-edge",
            json!({
                "ea0_t0": [-1, 0, 1], "ea1_t0": [1, 0, 1], "eb0_t0": [0, -1, 0], "eb1_t0": [0, 1, 0],
                "ea0_t1": [-1, 0, -1], "ea1_t1": [1, 0, -1], "eb0_t1": [0, -1, 0], "eb1_t1": [0, 1, 0]
            }),
        ),
        case(
            "vertex-face",
            json!({
                "v_t0": [0.25, 0.25, 1], "f0_t0": [0, 0, 0], "f1_t0": [1, 0, 0], "f2_t0": [0, 1, 0],
                "v_t1": [0.25, 0.25, -1], "f0_t1": [0, 0, 0], "f1_t1": [1, 0, 0], "f2_t1": [0, 1, 0]
            }),
        ),
    ]
}

#[test]
fn linear_queries() {
    for example in linear_examples() {
        let case = read(&example).expect("a case");
        assert_eq!(case.kind.to_string(), case.id);
        let expect = case.expect.as_ref().expect("an expectation");
        assert_eq!(expect.check(&case.solve()), Ok(()));
    }
    let [edges, face] = linear_examples().map(|example| read(&example).expect("a case").query);
    let CaseQuery::EdgeEdge([start, end]) = edges else {
        panic!("two edges");
    };
    assert_eq!(start[1], point![1.0, 0.0, 1.0]);
    assert_eq!(end[2], point![0.0, -1.0, 0.0]);
    let CaseQuery::VertexFace([start, end]) = face else {
        panic!("a vertex and a face");
    };
    assert_eq!(end[0], point![0.25, 0.25, -1.0]);
    assert_eq!(start[3], point![0.0, 1.0, 0.0]);
}

#[test]
fn points_of_linear_queries() {
    for example in linear_examples() {
        let names: Vec<String> = example["query"]
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        assert_eq!(names.len(), 8);
        for name in &names {
            let mut missing = example.clone();
            missing["query"]
                .as_object_mut()
                .expect("an object")
                .remove(name);
            let error = read(&missing).unwrap_err();
            let text = format!("field query: missing field `{name}`");
            assert_eq!(error.to_string(), text);
            let mut flat = example.clone();
            flat["query"][name] = json!([0, 0]);
            let error = read(&flat).unwrap_err();
            let text =
                format!("field query.{name}: invalid length 2, expected an array of length 3");
            assert_eq!(error.to_string(), text);
        }
        // A number that is not finite is refused when the case is solved.
        let mut infinite = example.clone();
        infinite["query"][&names[7]][2] = json!("-Infinity");
        let error = read(&infinite).expect("a case").solve().unwrap_err();
        let text = error.to_string();
        assert!(text.contains("coordinate 2 is -inf"), "{text}");
    }
}

/// Every digit counts in cases whose answer is exact.
#[test]
fn numbers_are_exact() {
    for text in [
        "2.10835646075301e-18",
        "1000000.0009765625",
        "0.44444444444444453",
        "-5e-324",
    ] {
        let case = example()
            .to_string()
            .replace("[0,1,1]", &format!("[0,1,{text}]"));
        let case = Case::read(case.as_bytes()).expect("a case");
        let CaseQuery::Patches([one, _]) = case.query else {
            panic!("two patches");
        };
        assert_eq!(
            one.points[1],
            point![0.0, 1.0, text.parse().expect("a number")]
        );
    }
}
