//! NURBS and their Bézier patches against exact surfaces, the definition of B-splines, and SciPy.
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

use nalgebra::{Point3, Vector3, Vector4, point, vector};
use patch_ccd::geometry::{
    AnyPatch, KnotVector, NurbsCurve, NurbsPatch, NurbsSurface, Patch, Shape,
};
use patch_ccd::{Moving, Options, time_of_impact};
use proptest::prelude::*;

/// The unit circle as four arcs: knots, and control points (x, y) with their weights.
fn arcs() -> (KnotVector, Vec<[f64; 3]>) {
    let w = 0.5_f64.sqrt();
    let (xs, ys) = (
        [1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0],
        [0.0, 1.0, 1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0],
    );
    let knots = [
        0.0, 0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0, 1.0,
    ];
    let weight = |k: usize| if k.is_multiple_of(2) { 1.0 } else { w };
    let points = (0..9).map(|k| [xs[k], ys[k], weight(k)]).collect();
    (KnotVector::new(2, &knots).unwrap(), points)
}

/// The surface of revolution about z of a curve in the x–z plane, and a curve in the x–y plane to turn it along.
fn revolved(
    (along_u, profile): (KnotVector, &[[f64; 3]]),
    (along_v, circle): (KnotVector, &[[f64; 3]]),
) -> NurbsSurface {
    let (mut points, mut weights) = (Vec::new(), Vec::new());
    for [radius, z, w_u] in profile {
        for [x, y, w_v] in circle {
            points.push(point![radius * x, radius * y, *z]);
            weights.push(w_u * w_v);
        }
    }
    NurbsSurface::new([along_u, along_v], &points, Some(&weights)).unwrap()
}

/// Radii 2 and 1: 9 × 9 control points.
fn torus() -> NurbsSurface {
    let (knots, circle) = arcs();
    let profile: Vec<_> = circle.iter().map(|[x, z, w]| [2.0 + x, *z, *w]).collect();
    revolved((knots.clone(), &profile), (knots, &circle))
}

/// The largest error over a raster of points of all patches.
fn worst(patches: &[NurbsPatch], error: impl Fn(Point3<f64>) -> f64) -> f64 {
    let raster = |k: usize| k as f64 / 16.0;
    let mut worst = 0.0_f64;
    for NurbsPatch { patch, .. } in patches {
        for (i, j) in (0..=16).flat_map(|i| (0..=16).map(move |j| (i, j))) {
            worst = worst.max(error(patch.eval(raster(i), raster(j))).abs());
        }
    }
    worst
}

#[test]
fn a_circle_is_split_into_quarters() {
    let (knots, points) = arcs();
    let weights: Vec<_> = points.iter().map(|[.., w]| *w).collect();
    let points: Vec<_> = points.iter().map(|[x, y, _]| point![*x, *y, 0.0]).collect();
    let patches = NurbsCurve::new(knots, &points, Some(&weights))
        .unwrap()
        .split()
        .unwrap();
    assert_eq!(patches.len(), 4);
    for (k, NurbsPatch { patch, span }) in patches.iter().enumerate() {
        // Knots of multiplicity p: the control points themselves.
        assert_eq!(patch.control_points(), &points[2 * k..][..3]);
        assert_eq!(patch.weights(), Some(&weights[2 * k..][..3]));
        assert!(matches!(patch, AnyPatch::RationalCurve(_)));
        assert_eq!(span.u, [k as f64 / 4.0, (k + 1) as f64 / 4.0]);
    }
    let worst = worst(&patches, |p| p.coords.norm() - 1.0);
    println!("circle: {worst:.1e}");
    assert!(worst < 1e-14);
}

/// A quarter of the unit circle with a knot at `a`: no control point of its pieces is one of its own but the ends.
fn quarter_with_knot(a: f64) -> (KnotVector, Vec<[f64; 3]>) {
    let w = 0.5_f64.sqrt();
    let [b0, b1, b2] = [
        vector![1.0, 0.0, 1.0],
        vector![w, w, w],
        vector![0.0, 1.0, 1.0],
    ];
    let homogeneous = [b0, b0.lerp(&b1, a), b1.lerp(&b2, a), b2];
    let knots = KnotVector::new(2, &[0.0, 0.0, 0.0, a, 1.0, 1.0, 1.0]).unwrap();
    let points = homogeneous.map(|p| [p.x / p.z, p.y / p.z, p.z]);
    (knots, points.to_vec())
}

#[test]
fn an_octant_lies_on_the_sphere() {
    let (along_u, profile) = quarter_with_knot(0.3);
    let (along_v, circle) = quarter_with_knot(0.6);
    let octant = revolved((along_u, &profile), (along_v, &circle));
    let patches = octant.split().unwrap();
    assert_eq!(patches.len(), 4);
    let worst = worst(&patches, |p| p.coords.norm() - 1.0);
    println!("octant: {worst:.1e}");
    assert!(worst < 1e-14);
}

#[test]
fn a_torus_is_split_into_sixteen_patches_on_it() {
    let torus = torus();
    let patches = torus.split().unwrap();
    assert_eq!(patches.len(), 16);
    let worst = worst(&patches, |p| (p.x.hypot(p.y) - 2.0).hypot(p.z) - 1.0);
    println!("torus: {worst:.1e}");
    assert!(worst < 1e-14);
    for (u, v) in [(0.1, 0.2), (0.25, 0.5), (0.6, 0.9), (1.0, 1.0)] {
        let p = torus.eval(u, v);
        let centre = 2.0 * vector![p.x, p.y, 0.0].normalize();
        let exact = p.coords - centre;
        let normal = torus.normal(u, v).unwrap();
        // u turns from outside to up, v from x to y: their product points inwards.
        assert!((normal + exact).norm() < 1e-14, "{normal} at {u}, {v}");
    }
}

#[test]
fn a_tilted_torus_falls_on_a_plane() {
    // Its lowest point is at -(2 sin + 1).
    let (sin, cos) = (0.28, 0.96);
    let tilt = |p: &Point3<f64>| point![cos * p.x + sin * p.z, p.y, cos * p.z - sin * p.x + 3.0];
    let upright = torus();
    let points: Vec<_> = upright.control_points().iter().map(tilt).collect();
    let knots = upright.knots().clone();
    let start = NurbsSurface::new(knots, &points, upright.weights()).unwrap();
    let end: Vec<_> = points.iter().map(|p| p - vector![0.0, 0.0, 2.0]).collect();
    let plane =
        [(-4.0, -4.0), (-4.0, 4.0), (4.0, -4.0), (4.0, 4.0)].map(|(x, y)| point![x, y, 0.0]);
    let plane = AnyPatch::from_shape(Shape::TensorProduct { n: 1, m: 1 }, &plane);
    let plane = Moving::resting(plane.unwrap());
    let mut first = f64::INFINITY;
    for NurbsPatch { patch, span } in start.split_between(&end).unwrap() {
        let outcome = time_of_impact(&patch, &plane, &Options::default()).unwrap();
        if let (Some(toi), Some(contact)) = (outcome.toi(), outcome.contact()) {
            first = first.min(toi);
            // The contact's parameters lead back to the NURBS.
            let (u, v) = contact.parameters[0];
            let (u, v) = span.map(u, v);
            let p = start.eval(u, v) - vector![0.0, 0.0, 2.0 * contact.time];
            assert!((p - contact.points[0]).norm() < 1e-14);
        }
    }
    let exact = (3.0 - (2.0 * sin + 1.0)) / 2.0;
    println!("torus on plane: {first} of {exact}");
    assert!(first <= exact + 1e-15 && first > exact - 2e-6);
}

/// The B-spline basis by its definition: the recursion of Cox and de Boor, continuous from the right.
fn cox_de_boor(knots: &[f64], i: usize, p: usize, u: f64) -> f64 {
    if p == 0 {
        return f64::from(u8::from(knots[i] <= u && u < knots[i + 1]));
    }
    let term = |numerator: f64, denominator: f64, i: usize| {
        if denominator == 0.0 {
            return 0.0;
        }
        numerator / denominator * cox_de_boor(knots, i, p - 1, u)
    };
    term(u - knots[i], knots[i + p] - knots[i], i)
        + term(knots[i + p + 1] - u, knots[i + p + 1] - knots[i + 1], i + 1)
}

fn cox_de_boor_derivative(knots: &[f64], i: usize, p: usize, u: f64) -> f64 {
    let term = |denominator: f64, i: usize| {
        if denominator == 0.0 {
            return 0.0;
        }
        p as f64 / denominator * cox_de_boor(knots, i, p - 1, u)
    };
    term(knots[i + p] - knots[i], i) - term(knots[i + p + 1] - knots[i + 1], i + 1)
}

type Basis = fn(&[f64], usize, usize, f64) -> f64;

/// Σ wᵢⱼ Nᵢ(u) Mⱼ(v) (pᵢⱼ, 1), by the definition.
fn defined(surface: &NurbsSurface, [n, m]: [Basis; 2], u: f64, v: f64) -> Vector4<f64> {
    let [along_u, along_v] = surface.knots();
    let values = |knots: &KnotVector, basis: Basis, x| -> Vec<f64> {
        let all = 0..knots.count();
        all.map(|i| basis(knots.knots(), i, knots.degree(), x))
            .collect()
    };
    let (by_u, by_v) = (values(along_u, n, u), values(along_v, m, v));
    let mut sum = Vector4::zeros();
    for (index, p) in surface.control_points().iter().enumerate() {
        let weight = surface.weights().map_or(1.0, |weights| weights[index]);
        let (i, j) = (index / along_v.count(), index % along_v.count());
        sum += p.to_homogeneous() * (weight * by_u[i] * by_v[j]);
    }
    sum
}

/// Random knots: spans of uneven width, knots repeated up to p times, clamped, unclamped or periodic, over any range.
fn any_knots() -> impl Strategy<Value = KnotVector> {
    (1..=5_usize)
        .prop_flat_map(|p| {
            let spans = prop::collection::vec((0.05..1.0_f64, 1..=p), 1..5);
            let outside = prop::collection::vec(0.0..1.0_f64, 2 * p);
            (
                Just(p),
                spans,
                outside,
                0..3_usize,
                -1e3..1e3_f64,
                -3..=3_i32,
            )
        })
        .prop_map(|(p, spans, outside, kind, shift, power)| {
            let (mut period, mut end) = (vec![0.0], 0.0);
            for (k, &(width, repeated)) in spans.iter().enumerate() {
                end += width;
                if k + 1 < spans.len() {
                    period.extend(vec![end; repeated]);
                }
            }
            let count = period.len() as isize;
            let knots: Vec<f64> = (-(p as isize)..=count + p as isize)
                .map(|i| match kind {
                    _ if (0..count).contains(&i) => period[i as usize],
                    0 if i < 0 => 0.0,
                    0 => end,
                    1 if i < 0 => -outside[..i.unsigned_abs()].iter().sum::<f64>(),
                    1 => end + outside[p..][..(i - count) as usize].iter().sum::<f64>(),
                    _ => period[i.rem_euclid(count) as usize] + end * i.div_euclid(count) as f64,
                })
                .map(|knot| shift + knot * 10.0_f64.powi(power))
                .collect();
            KnotVector::new(p, &knots).unwrap()
        })
}

fn any_surface() -> impl Strategy<Value = NurbsSurface> {
    [any_knots(), any_knots()].prop_flat_map(|knots| {
        let count = knots[0].count() * knots[1].count();
        let point = prop::array::uniform3(-1.0..1.0_f64).prop_map(Point3::from);
        let weights = prop_oneof![
            prop::collection::vec(0.1..10.0_f64, count).prop_map(Some),
            (0.1..10.0_f64).prop_map(move |weight| Some(vec![weight; count])),
            Just(None),
        ];
        (prop::collection::vec(point, count), weights).prop_map(move |(points, weights)| {
            NurbsSurface::new(knots.clone(), &points, weights.as_deref()).unwrap()
        })
    })
}

/// A parameter inside the domain, before its end.
fn inside(knots: &KnotVector, x: f64) -> f64 {
    let [start, end] = knots.domain();
    (start + x * (end - start)).clamp(start, end.next_down())
}

/// The patch at (u, v), and its own parameters there.
fn patch_at<'a, P>(
    surface: &NurbsSurface,
    patches: &'a [NurbsPatch<P>],
    (u, v): (f64, f64),
) -> (&'a NurbsPatch<P>, (f64, f64)) {
    let [along_u, along_v] = surface.knots();
    let patch = &patches[along_u.span_at(u) * along_v.spans().len() + along_v.span_at(v)];
    let own = |[start, end]: [f64; 2], x: f64| (x - start) / (end - start);
    (patch, (own(patch.span.u, u), own(patch.span.v, v)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn splitting_and_evaluation_agree_with_the_definition(surface in any_surface(), x in 0.0..1.0_f64, y in 0.0..1.0_f64) {
        let (u, v) = (inside(&surface.knots()[0], x), inside(&surface.knots()[1], y));
        let exact = Point3::from_homogeneous(defined(&surface, [cox_de_boor; 2], u, v)).unwrap();
        prop_assert!((surface.eval(u, v) - exact).norm() < 1e-13);
        let basis = surface.basis(u, v);
        let sum = |sum: Vector3<f64>, &(i, value): &(usize, f64)| sum + surface.control_points()[i].coords * value;
        prop_assert_eq!(Point3::from(basis.iter().fold(Vector3::zeros(), sum)), surface.eval(u, v));
        prop_assert!(basis.iter().all(|&(_, value)| (0.0..=1.0).contains(&value)));
        prop_assert!((basis.iter().map(|&(_, value)| value).sum::<f64>() - 1.0).abs() < 1e-14);
        let patches = surface.split().unwrap();
        let (NurbsPatch { patch, span }, (s, t)) = patch_at(&surface, &patches, (u, v));
        prop_assert!((patch.eval(s, t) - exact).norm() < 1e-13, "{} {exact}", patch.eval(s, t));
        prop_assert_eq!(patch.weights().is_some(), surface.weights().is_some());
        let (back_u, back_v) = span.map(s, t);
        for (back, x, [start, end]) in [(back_u, u, span.u), (back_v, v, span.v)] {
            prop_assert!((back - x).abs() <= 4e-16 * (start.abs() + end.abs()), "{back} {x}");
        }

        // Derivatives by the span's own parameters, the one size that all ranges share.
        let (by_u, by_v) = surface.partials(u, v);
        let weighted = defined(&surface, [cox_de_boor; 2], u, v);
        for (found, basis, [start, end], patch_partial) in [
            (by_u, [cox_de_boor_derivative as Basis, cox_de_boor], span.u, patch.partials(s, t).0),
            (by_v, [cox_de_boor as Basis, cox_de_boor_derivative], span.v, patch.partials(s, t).1),
        ] {
            let derivative = defined(&surface, basis, u, v);
            let exact = (derivative.xyz() - exact.coords * derivative.w) / weighted.w;
            let width = end - start;
            prop_assert!((found - exact).norm() * width < 1e-11 * (1.0 + exact.norm() * width), "{found} {exact}");
            prop_assert!((patch_partial - exact * width).norm() < 1e-11 * (1.0 + exact.norm() * width));
        }
    }

    #[test]
    fn velocities_are_split_like_positions(surface in any_surface(), seed in -1.0..1.0_f64, t in 0.0..2.0_f64, s in 0.0..=1.0_f64, r in 0.0..=1.0_f64) {
        let points = surface.control_points();
        let velocities: Vec<_> = (0..points.len())
            .map(|i| Vector3::from_fn(|c, _| (seed + 3.0 * i as f64 + c as f64).sin()))
            .collect();
        let moved: Vec<_> = points.iter().zip(&velocities).map(|(p, v)| p + v * t).collect();
        let later = NurbsSurface::new(surface.knots().clone(), &moved, surface.weights()).unwrap();
        let after: Vec<_> = points.iter().zip(&velocities).map(|(p, v)| p + v).collect();
        let moving = surface.split_moving(&velocities).unwrap();
        let between = surface.split_between(&after).unwrap();
        for ((expected, moving), between) in later.split().unwrap().iter().zip(&moving).zip(&between) {
            let exact = expected.patch.eval(s, r);
            prop_assert_eq!(expected.span, moving.span);
            prop_assert!((moving.patch.eval(s, r, t) - exact).norm() < 1e-14);
            prop_assert!((between.patch.eval(s, r, t) - exact).norm() < 1e-14);
        }
        // The same by hand, on the whole net.
        let extraction = surface.extraction();
        let (net, speeds) = (extraction.points(points).unwrap(), extraction.velocities(&velocities).unwrap());
        prop_assert_eq!(net.len(), extraction.grid().net().iter().product::<usize>());
        prop_assert_eq!(extraction.spans().len(), moving.len());
        for (patch, indices) in moving.iter().zip(extraction.grid().all_indices()) {
            let of_net: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
            prop_assert_eq!(patch.patch.start().control_points(), &of_net[..]);
            let of_net: Vec<_> = indices.iter().map(|&i| speeds[i as usize]).collect();
            prop_assert_eq!(patch.patch.velocities(), &of_net[..]);
        }
    }

    /// Weights, like points, don't leave the range of those given; however far apart they are, every patch can be built.
    #[test]
    fn weights_of_any_size_are_split(knots in [any_knots(), any_knots()], powers in prop::collection::vec(-99..=99_i32, 1..20), all in -200..=200_i32) {
        let count = knots[0].count() * knots[1].count();
        let powers = powers.iter().cycle().take(count);
        let weights: Vec<_> = powers.map(|power| 10.0_f64.powi((power + all).clamp(-307, 307))).collect();
        let points: Vec<_> = (0..count).map(|i| point![i as f64 / count as f64, 1.0, -1.0]).collect();
        let surface = NurbsSurface::new(knots, &points, Some(&weights)).unwrap();
        let (least, most) = weights.iter().fold((f64::MAX, 0.0_f64), |(least, most), &w| (least.min(w), most.max(w)));
        for NurbsPatch { patch, .. } in surface.split().unwrap() {
            for p in patch.control_points() {
                prop_assert!((p.y - 1.0).abs() < 1e-14 && (p.z + 1.0).abs() < 1e-14 && (0.0..1.0).contains(&p.x));
            }
            prop_assert!(patch.weights().is_none_or(|weights| weights.iter().all(|w| (least..=most).contains(w))));
        }
    }
}

#[test]
fn equal_weights_are_none() {
    let (knots, points) = arcs();
    let points: Vec<_> = points.iter().map(|[x, y, _]| point![*x, *y, 0.0]).collect();
    let curve = |weights| NurbsCurve::new(knots.clone(), &points, weights).unwrap();
    let spline = curve(None);
    assert_eq!(spline.weights(), None);
    assert_eq!(curve(Some(&[3.0; 9])), spline);
    let some = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0];
    let rational = curve(Some(&some));
    assert_eq!(rational.weights(), Some(&some[..]));
    assert_eq!(curve(rational.weights()), rational);
    // In the middle of the second arc: weights 1, 2, 1 times 1/4, 1/2, 1/4.
    assert_eq!(
        rational.basis(0.375),
        [(2, 1.0 / 6.0), (3, 2.0 / 3.0), (4, 1.0 / 6.0)]
    );
    assert_eq!(spline.basis(0.375), [(2, 0.25), (3, 0.5), (4, 0.25)]);
}

#[test]
fn scipy_agrees() {
    let fixture = include_str!("nurbs/scipy.json");
    let surfaces: Vec<serde_json::Value> = serde_json::from_str(fixture).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        let values = value.as_array().unwrap().iter();
        values.map(|x| x.as_f64().unwrap()).collect()
    };
    let rows = |value: &serde_json::Value| -> Vec<Vec<f64>> {
        value.as_array().unwrap().iter().map(numbers).collect()
    };
    let mut worst = 0.0_f64;
    for case in &surfaces {
        let degrees = numbers(&case["degrees"]);
        let knots = rows(&case["knots"]);
        let knots =
            [0, 1].map(|side| KnotVector::new(degrees[side] as usize, &knots[side]).unwrap());
        let points: Vec<_> = rows(&case["points"])
            .iter()
            .map(|p| Vector4::from_column_slice(p))
            .collect();
        let surface = NurbsSurface::from_homogeneous(knots, &points).unwrap();
        let patches = surface.split().unwrap();
        for (at, value) in rows(&case["parameters"]).iter().zip(rows(&case["values"])) {
            let exact = Point3::from_slice(&value);
            let (patch, (s, t)) = patch_at(&surface, &patches, (at[0], at[1]));
            for found in [patch.patch.eval(s, t), surface.eval(at[0], at[1])] {
                worst = worst.max((found - exact).norm());
            }
        }
    }
    println!(
        "{} surfaces, worst difference to SciPy {worst:.1e}",
        surfaces.len()
    );
    assert!(surfaces.len() == 12 && worst < 1e-13);
}

#[test]
fn extraction_of_high_degrees_takes_little_memory() {
    let degree = 20;
    let knots: Vec<f64> = (0..degree + 17 + degree).map(|k| k as f64).collect();
    let knots = KnotVector::new(degree, &knots).unwrap();
    let count = knots.count();
    let points: Vec<_> = (0..count * count)
        .map(|k| point![(k / count) as f64, (k % count) as f64, 0.0])
        .collect();
    let surface = NurbsSurface::new([knots.clone(), knots], &points, None).unwrap();
    let mut net = 0;
    let memory = allocation_counter::measure(|| {
        net = surface.extraction().points(&points).unwrap().len();
    });
    assert!(
        memory.bytes_max < 100 * net as u64 + 1_000_000,
        "{} {net}",
        memory.bytes_max
    );
}
