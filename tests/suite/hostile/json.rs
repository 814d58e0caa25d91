//! Cases of JSON: what is missing, mistyped or out of range is an error that names the field.

use kit::{Case, CaseKind, CaseQuery, ReadError};
use nalgebra::point;
use patch_ccd::query::LEAST_DELTA;
use patch_ccd::{Counters, Options};
use serde_json::{Value, json};

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
        "options": {
            "t_max": 1, "min_separation": 0.0, "tolerance": 1e-6, "max_iterations": 1000
        },
        "expect": {
            "collides": true, "toi_lower": 0.499997, "toi_upper": 0.5, "note": "gap 1 - 2t"
        }
    })
}

/// The example with one field changed, found by a JSON pointer.
fn changed(pointer: &str, value: Value) -> Value {
    let mut case = example();
    *case.pointer_mut(pointer).expect("a field") = value;
    case
}

/// The case without one field of an object within it.
fn without(case: &Value, object: &str, field: &str) -> Value {
    let mut case = case.clone();
    let object = case.pointer_mut(object).and_then(Value::as_object_mut);
    object.expect("an object").remove(field).expect("the field");
    case
}

fn read(case: &Value) -> Result<Case, ReadError> {
    Case::read(case.to_string().as_bytes())
}

#[track_caller]
fn assert_refused(case: &Value, text: &str) {
    let error = read(case).unwrap_err();
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, ReadError::Field { .. }), "{error:?}");
}

#[test]
fn as_it_should_be() {
    let case = read(&example()).unwrap();
    assert_eq!((&*case.id, case.kind), ("closing", CaseKind::QuadBezier));
    let options = Options {
        max_boxes: 1000,
        ..Options::default()
    };
    assert_eq!(case.options, options);
    let expect = case.expect.as_ref().expect("an expectation");
    assert_eq!(expect.toi, 0.499_997..=0.5);
    assert!(expect.budget);
    assert_eq!(expect.check(&case.solve()), Ok(()));
}

#[test]
fn junk() {
    let nested = "[".repeat(100_000);
    for text in [
        "",
        "{",
        "nonsense",
        "\u{0}",
        "{\"id\": NaN}",
        "{\"id\": 1e999}",
        "{} {}",
        &nested,
    ] {
        let read = Case::read(text.as_bytes());
        assert!(matches!(read, Err(ReadError::Json(_))), "{text}");
    }
    assert!(matches!(
        Case::read(&[0xff, 0xfe][..]),
        Err(ReadError::Json(_))
    ));
    for (text, found) in [
        ("[]", "sequence"),
        ("1", "integer `1`"),
        ("null", "null"),
        ("\"case\"", "string \"case\""),
    ] {
        let error = Case::read(text.as_bytes()).unwrap_err();
        let text = format!("field (whole file): invalid type: {found}, expected an object");
        assert_eq!(error.to_string(), text);
    }
    assert!(matches!(Case::open("no such file"), Err(ReadError::Io(_))));
}

#[test]
fn missing_field() {
    for (object, fields) in [
        ("", &["id", "kind", "query"][..]),
        ("query", &["degree1", "p1", "v1", "degree2", "p2", "v2"]),
        ("expect", &["collides"]),
    ] {
        for field in fields {
            let (pointer, within) = match object {
                "" => (String::new(), "(whole file)"),
                _ => (format!("/{object}"), object),
            };
            // Motion may be given in another way.
            let or = match *field {
                "v1" => " or `motion1`",
                "v2" => " or `motion2`",
                _ => "",
            };
            let text = format!("field {within}: missing field `{field}`{or}");
            assert_refused(&without(&example(), &pointer, field), &text);
        }
    }
}

#[test]
fn optional_fields() {
    let mut case = without(&example(), "", "options");
    case["expect"] = Value::Null;
    let case = read(&case).unwrap();
    assert_eq!(case.options, Options::default());
    assert_eq!(case.expect, None);
    let case = changed("/expect", json!({"collides": true, "toi_lower": null}));
    let expect = read(&case).unwrap().expect.expect("an expectation");
    assert_eq!(expect.toi, f64::NEG_INFINITY..=f64::INFINITY);
    assert_eq!(expect.note, "");
}

/// What errors say of a number, of a kind, and of whether there is a contact.
const NUMBER: &str = "a number, \"NaN\", \"Infinity\" or \"-Infinity\" expected";
const KIND: &str = "one of quad-bezier, tri-bezier, rational-quad-bezier, rational-tri-bezier, \
    edge-edge, vertex-face, nurbs expected";
const COLLIDES: &str = "true, false, \"either\" or \"error\" expected";

/// A field, a value that it can't have, and what the error says.
const MISTYPED: &str = r#"
/id                     | 7         | invalid type: integer `7`, expected a string
/kind                   | ["quad-bezier"]       | KIND
/kind                   | {"quad-bezier":null}  | KIND
/kind                   | "hexagon" | KIND
/query                  | "none"    | invalid type: string "none", expected an object
/query                  | [[1,1]]   | invalid type: sequence, expected an object
/query/degree1          | 1         | invalid type: integer `1`, expected an array of length 2
/query/degree1          | [1,1,1]   | invalid length 3, expected fewer elements in array
/query/degree2/1        | -1        | invalid value: integer `-1`, expected usize
/query/degree2/0        | 1.5       | invalid type: floating point `1.5`, expected usize
/query/p1               | 3         | invalid type: integer `3`, expected a sequence
/query/p1/3             | [1,2]     | invalid length 2, expected an array of length 3
/query/p2/1/2           | "nan"     | NUMBER
/query/v1/0             | [0,0,0,0] | invalid length 4, expected fewer elements in array
/query/v2/2/0           | null      | NUMBER
/query/v2/2/0           | [1]       | NUMBER
/options                | []        | invalid type: sequence, expected an object
/options                | [1,0,1]   | invalid type: sequence, expected an object
/options/t_max          | "one"     | NUMBER
/options/tolerance      | true      | NUMBER
/options/min_separation | {}        | NUMBER
/options/max_iterations | -1        | invalid value: integer `-1`, expected u64
/options/max_iterations | "NaN"     | invalid type: string "NaN", expected u64
/expect                 | true      | invalid type: boolean `true`, expected an object
/expect/collides        | "maybe"   | COLLIDES
/expect/toi_lower       | "0"       | NUMBER
/expect/toi_upper       | [0.5]     | NUMBER
/expect/note            | 1         | invalid type: integer `1`, expected a string
"#;

/// A pointer as errors write it: `query.p1[3][0]`.
fn field(pointer: &str) -> String {
    let parts = pointer[1..]
        .split('/')
        .map(|part| match part.parse::<usize>() {
            Ok(index) => format!("[{index}]"),
            Err(_) => format!(".{part}"),
        });
    parts.collect::<String>()[1..].to_owned()
}

#[test]
fn mistyped_field() {
    for row in MISTYPED.trim().lines() {
        let columns: Vec<_> = row.split(" | ").map(str::trim).collect();
        let [pointer, value, problem] = columns[..] else {
            panic!("{row}");
        };
        let problem = match problem {
            "NUMBER" => format!("{NUMBER}, but it is {value}"),
            "KIND" => format!("{KIND}, but it is {value}"),
            "COLLIDES" => format!("{COLLIDES}, but it is {value}"),
            plain => plain.to_owned(),
        };
        let case = changed(pointer, value.parse().unwrap());
        assert_refused(&case, &format!("field {}: {problem}", field(pointer)));
    }
}

/// The example with other options.
fn with_options(options: Value) -> Value {
    changed("/options", options)
}

#[test]
fn options() {
    let default = Options::default();
    let least = Options {
        delta: LEAST_DELTA,
        ..default
    };
    for (given, expected) in [
        (json!({}), default),
        (
            json!({"delta": 1e-3}),
            Options {
                delta: 1e-3,
                ..default
            },
        ),
        (
            json!({"tolerance": 1e-3}),
            Options {
                delta: 1e-3,
                ..default
            },
        ),
        (json!({"delta": 0}), least),
        (
            json!({"max_boxes": 7}),
            Options {
                max_boxes: 7,
                ..default
            },
        ),
        (
            json!({"max_iterations": 7}),
            Options {
                max_boxes: 7,
                ..default
            },
        ),
        (
            json!({"exact": true}),
            Options {
                exact: true,
                ..default
            },
        ),
        (
            json!({"exact": null, "max_boxes": null, "delta": null}),
            default,
        ),
    ] {
        let text = given.to_string();
        let case = read(&with_options(given)).unwrap();
        assert_eq!(case.options, expected, "{text}");
        // A budget of the case's own may be exhausted.
        let expect = case.expect.expect("an expectation");
        assert_eq!(expect.budget, case.options.max_boxes == 7, "{text}");
    }
    let text = "field options.exact: invalid type: integer `1`, expected a boolean";
    assert_refused(&with_options(json!({"exact": 1})), text);
}

/// A misspelt option would leave the case to its default.
#[test]
fn options_that_do_not_exist() {
    let known = "expected one of `t_max`, `min_separation`, `delta`, `tolerance`, `max_boxes`, \
        `max_iterations`, `exact`";
    for name in ["max_box", "Delta", "", "t max", "epsilon"] {
        let text = format!("field options.{name}: unknown field `{name}`, {known}");
        assert_refused(&with_options(json!({name: 1})), &text);
    }
    let error = read(&with_options(json!({"\u{1b}[31mred": 1}))).unwrap_err();
    assert!(!error.to_string().contains(char::is_control), "{error:?}");
    for (name, other) in [("delta", "tolerance"), ("max_boxes", "max_iterations")] {
        let text = format!("field options: duplicate field `{name}`");
        assert_refused(&with_options(json!({name: 1, other: 1})), &text);
    }
}

/// Two edges that pass each other by less than doubles can tell.
#[test]
fn exact_cases_have_no_false_positives() {
    let [mut edges, _] = linear_examples();
    edges["query"]["eb0_t0"] = json!([0, 1e-17, 0]);
    edges["query"]["eb0_t1"] = json!([0, 1e-17, 0]);
    let collides = |case: &Value| read(case).unwrap().solve().unwrap().contact().is_some();
    assert!(collides(&edges));
    edges["options"] = json!({"exact": true});
    assert!(!collides(&edges));
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

/// A field, a number that is read, and what is said of it when the case is solved.
const BAD_NUMBERS: &str = r#"
/query/p1/2/1           | "NaN"       | patch 1: control point 2: coordinate 1 is NaN
/query/p2/3/0           | "Infinity"  | patch 2: control point 3: coordinate 0 is inf
/query/v2/0/2           | "-Infinity" | patch 2: velocity 0: coordinate 2 is -inf
/query/degree1/0        | 0           | patch 1: degree in u is 0
/query/degree2          | [18446744073709551615,2] | patch 2: degree in u is 18446744073709551615
/query/p1               | [[0,0,0]]   | patch 1: control points: 1 given, but
/query/v2               | []          | patch 2: velocities: 0 given, but
/options/t_max          | "NaN"       | option t_max is NaN
/options/tolerance      | -1e-20      | option delta is -1e-20
/options/tolerance      | "NaN"       | option delta is NaN
/options/tolerance      | 1.5         | option delta is 1.5
/options/min_separation | "Infinity"  | option min_separation is inf
/options/max_iterations | 0           | option max_boxes is 0.0
"#;

#[test]
fn bad_numbers() {
    for row in BAD_NUMBERS.trim().lines() {
        let columns: Vec<_> = row.split(" | ").map(str::trim).collect();
        let case = changed(columns[0], columns[1].parse().unwrap());
        let error = read(&case).unwrap().solve().unwrap_err();
        assert!(error.to_string().starts_with(columns[2]), "{error}");
    }
    let mut case = changed("/query/v1/2/2", json!(1e300));
    assert_eq!(read(&case).unwrap().solve().map(drop), Ok(()));
    case["options"]["t_max"] = json!(1e10);
    let text = read(&case).unwrap().solve().unwrap_err().to_string();
    assert!(text.starts_with("patch 1: velocity 2:"), "{text}");
}

/// A tolerance finer than the crate has is answered as well as it can.
#[test]
fn tolerances_below_the_least_are_raised() {
    for given in [0.0, 1e-18, LEAST_DELTA.next_down(), LEAST_DELTA, 1e-11] {
        let case = read(&changed("/options/tolerance", json!(given))).unwrap();
        assert_eq!(case.options.delta, given.max(LEAST_DELTA), "{given}");
        let expect = case.expect.as_ref().expect("an expectation");
        assert_eq!(expect.check(&case.solve()), Ok(()));
    }
}

/// Two sheets of two spans that meet at t = 1/2, if they close at all.
fn nurbs_example(speed: i32, weights: &Value) -> Case {
    let surface = |height: i32, speed: i32| {
        let points = [0, 1, 2].map(|x| [[x, 0, height], [x, 1, height]]).concat();
        json!({
            "degrees": [1, 1], "knots_u": [0, 0, 1, 2, 2], "knots_v": [0, 0, 1, 1],
            "points": points, "velocities": vec![[0, 0, speed]; 6], "weights": weights
        })
    };
    let case = json!({
        "id": "sheets", "kind": "nurbs",
        "query": {"surface1": surface(0, speed), "surface2": surface(1, -speed)}
    });
    read(&case).unwrap()
}

#[test]
fn weights_of_nurbs_may_be_missing() {
    let [one, two] = [Value::Null, json!([2, 2, 2, 2, 2, 2])]
        .map(|weights| nurbs_example(1, &weights).solve().unwrap());
    assert!(one.toi().is_some());
    assert_eq!((one.toi(), one.contact()), (two.toi(), two.contact()));
    let kind = "NURBS surface of degree (1, 1) with 5 × 4 knots";
    let text = format!("patch 1: weights: 2 given, but the {kind} has 6");
    let error = nurbs_example(1, &json!([2, 2])).solve().unwrap_err();
    assert_eq!(error.to_string(), text);
}

#[test]
fn of_nurbs_only_boxes_are_counted() {
    for (speed, meet) in [(1, true), (0, false)] {
        let outcome = nurbs_example(speed, &Value::Null).solve().unwrap();
        assert_eq!(outcome.contact().is_some(), meet);
        let counters = *outcome.counters();
        assert!(!meet || counters.boxes > 0);
        let expected = Counters {
            boxes: counters.boxes,
            ..Counters::default()
        };
        assert_eq!(counters, expected);
    }
}

/// An edge-edge and a vertex-face case: both meet at t = 1/2.
fn linear_examples() -> [Value; 2] {
    let case = |kind: &str, query: Value| {
        let expect = json!({"collides": true, "toi_lower": 0.4999, "toi_upper": 0.5});
        json!({"id": kind, "kind": kind, "query": query, "expect": expect})
    };
    let edges = json!({
        "ea0_t0": [-1, 0, 1], "ea1_t0": [1, 0, 1], "eb0_t0": [0, -1, 0], "eb1_t0": [0, 1, 0],
        "ea0_t1": [-1, 0, -1], "ea1_t1": [1, 0, -1], "eb0_t1": [0, -1, 0], "eb1_t1": [0, 1, 0]
    });
    let face = json!({
        "v_t0": [0.25, 0.25, 1], "f0_t0": [0, 0, 0], "f1_t0": [1, 0, 0], "f2_t0": [0, 1, 0],
        "v_t1": [0.25, 0.25, -1], "f0_t1": [0, 0, 0], "f1_t1": [1, 0, 0], "f2_t1": [0, 1, 0]
    });
    [case("edge-edge", edges), case("vertex-face", face)]
}

#[test]
fn linear_queries() {
    let [edges, face] = linear_examples().map(|example| {
        let case = read(&example).unwrap();
        assert_eq!(case.kind.to_string(), case.id);
        let expect = case.expect.as_ref().expect("an expectation");
        assert_eq!(expect.check(&case.solve()), Ok(()));
        case.query
    });
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
        let points = example["query"].as_object().expect("an object");
        assert_eq!(points.len(), 8);
        for name in points.keys() {
            let missing = without(&example, "/query", name);
            assert_refused(&missing, &format!("field query: missing field `{name}`"));
            let mut flat = example.clone();
            flat["query"][name] = json!([0, 0]);
            let problem = "invalid length 2, expected an array of length 3";
            assert_refused(&flat, &format!("field query.{name}: {problem}"));
            // A number that is not finite is refused when the case is solved.
            let mut infinite = example.clone();
            infinite["query"][name][2] = json!("-Infinity");
            let text = read(&infinite).unwrap().solve().unwrap_err().to_string();
            assert!(text.contains("coordinate 2 is -inf"), "{text}");
        }
    }
}

/// Every digit counts in cases whose answer is exact.
#[test]
fn numbers_are_exact() {
    for number in [
        "2.10835646075301e-18",
        "1000000.0009765625",
        "0.44444444444444453",
        "-5e-324",
    ] {
        let text = example().to_string();
        let text = text.replace("[0,1,1]", &format!("[0,1,{number}]"));
        let CaseQuery::Patches([one, _]) = Case::read(text.as_bytes()).unwrap().query else {
            panic!("two patches");
        };
        assert_eq!(one.points[1], point![0.0, 1.0, number.parse().unwrap()]);
    }
}
