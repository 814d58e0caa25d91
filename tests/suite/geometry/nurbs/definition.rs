//! The definition of B-splines, and what SciPy made of it.

use nalgebra::{Point3, Vector3, Vector4, point};
use patch_ccd::geometry::{KnotVector, NurbsPatch, NurbsSurface, Patch};
use proptest::prelude::*;

/// The B-spline basis by its definition: the recursion of Cox and de Boor. At a knot it is the
/// limit from the right, or from the left if `LEFT`.
fn one_sided<const LEFT: bool>(knots: &[f64], i: usize, p: usize, u: f64) -> f64 {
    if p == 0 {
        let is_inside = if LEFT {
            knots[i] < u && u <= knots[i + 1]
        } else {
            knots[i] <= u && u < knots[i + 1]
        };
        return f64::from(u8::from(is_inside));
    }
    let term = |numerator: f64, denominator: f64, i: usize| {
        if denominator == 0.0 {
            return 0.0;
        }
        numerator / denominator * one_sided::<LEFT>(knots, i, p - 1, u)
    };
    term(u - knots[i], knots[i + p] - knots[i], i)
        + term(knots[i + p + 1] - u, knots[i + p + 1] - knots[i + 1], i + 1)
}

fn cox_de_boor(knots: &[f64], i: usize, p: usize, u: f64) -> f64 {
    one_sided::<false>(knots, i, p, u)
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

/// Random knots: spans of uneven width, knots repeated up to p times, or up to p + 2 times, so that
/// there are gaps; clamped, unclamped or periodic, over any range.
fn any_knots() -> impl Strategy<Value = KnotVector> {
    (1..=5_usize)
        .prop_flat_map(|p| {
            let spans = prop::collection::vec((0.05..1.0_f64, 1..=p + 2), 1..5);
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

/// Where to look at a surface, as parts of its domain and of its patches.
fn any_place() -> impl Strategy<Value = [f64; 2]> {
    prop::array::uniform2(0.0..=1.0_f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn splitting_and_evaluation_agree_with_the_definition(
        surface in any_surface(),
        [x, y] in prop::array::uniform2(0.0..1.0_f64),
    ) {
        let (u, v) = (inside(&surface.knots()[0], x), inside(&surface.knots()[1], y));
        let weighted = defined(&surface, [cox_de_boor; 2], u, v);
        let exact = Point3::from_homogeneous(weighted).unwrap();
        prop_assert!((surface.eval(u, v) - exact).norm() < 1e-13);
        let basis = surface.basis(u, v);
        let terms = basis.iter().map(|&(i, value)| surface.control_points()[i].coords * value);
        let sum = terms.fold(Vector3::zeros(), |sum, term| sum + term);
        prop_assert_eq!(Point3::from(sum), surface.eval(u, v));
        prop_assert!(basis.iter().all(|&(_, value)| (0.0..=1.0).contains(&value)));
        prop_assert!((basis.iter().map(|&(_, value)| value).sum::<f64>() - 1.0).abs() < 1e-14);
        let patches = surface.split().unwrap();
        let (NurbsPatch { patch, span }, (s, t)) = patch_at(&surface, &patches, (u, v));
        let found = patch.eval(s, t);
        prop_assert!((found - exact).norm() < 1e-13, "{found} {exact}");
        prop_assert_eq!(patch.weights().is_some(), surface.weights().is_some());
        let (back_u, back_v) = span.map(s, t);
        for (back, x, [start, end]) in [(back_u, u, span.u), (back_v, v, span.v)] {
            prop_assert!((back - x).abs() <= 4e-16 * (start.abs() + end.abs()), "{back} {x}");
        }

        // Derivatives by the span's own parameters, the one size that all ranges share.
        let (by_u, by_v) = surface.partials(u, v);
        let (by_s, by_t) = patch.partials(s, t);
        for (found, basis, [start, end], of_patch) in [
            (by_u, [cox_de_boor_derivative as Basis, cox_de_boor], span.u, by_s),
            (by_v, [cox_de_boor as Basis, cox_de_boor_derivative], span.v, by_t),
        ] {
            let derivative = defined(&surface, basis, u, v);
            let width = end - start;
            let exact = (derivative.xyz() - exact.coords * derivative.w) / weighted.w * width;
            let most = 1e-11 * (1.0 + exact.norm());
            prop_assert!((found * width - exact).norm() < most, "{found} {exact}");
            prop_assert!((of_patch - exact).norm() < most, "{of_patch} {exact}");
        }
    }

    /// At its ends a patch is the limit of the surface from within its span, on both sides of a gap
    /// too.
    #[test]
    fn patches_end_at_the_limits_of_the_definition(
        surface in any_surface(),
        [s, t] in prop::array::uniform2(0..=2_u8),
    ) {
        let [along_u, along_v] = surface.knots();
        let (right, left): (Basis, Basis) = (one_sided::<false>, one_sided::<true>);
        for NurbsPatch { patch, span } in surface.split().unwrap() {
            let at = |[start, end]: [f64; 2], place: u8| match place {
                0 => (0.0, start, right),
                1 => {
                    let u = 0.5 * start + 0.5 * end;
                    ((u - start) / (end - start), u, right)
                }
                _ => (1.0, end, left),
            };
            let ((s, u, by_u), (t, v, by_v)) = (at(span.u, s), at(span.v, t));
            let exact = Point3::from_homogeneous(defined(&surface, [by_u, by_v], u, v)).unwrap();
            let found = patch.eval(s, t);
            prop_assert!((found - exact).norm() < 1e-13, "{found} {exact}");
        }
        // There is a gap where no control point acts on both sides.
        let extraction = surface.extraction();
        for (knots, gaps) in [along_u, along_v].into_iter().zip(extraction.grid().gaps()) {
            let acts = |i: usize, u: f64, basis: Basis| {
                basis(knots.knots(), i, knots.degree(), u) > 0.0
            };
            let starts = knots.spans().map(|[start, _]| start).enumerate().skip(1);
            let expected = starts.filter(|&(_, u)| {
                let mut points = 0..knots.count();
                points.all(|i| !(acts(i, u, left) && acts(i, u, right)))
            });
            prop_assert_eq!(gaps, expected.map(|(before, _)| before).collect::<Vec<_>>());
        }
    }

    #[test]
    fn velocities_are_split_like_positions(
        surface in any_surface(),
        seed in -1.0..1.0_f64,
        t in 0.0..2.0_f64,
        [s, r] in any_place(),
    ) {
        let points = surface.control_points();
        let wave = |i: usize| {
            Vector3::from_fn(|c, _| (seed + 3.0 * i as f64 + c as f64).sin())
        };
        let velocities: Vec<_> = (0..points.len()).map(wave).collect();
        let at = |t: f64| -> Vec<_> {
            points.iter().zip(&velocities).map(|(p, v)| p + v * t).collect()
        };
        let knots = surface.knots().clone();
        let later = NurbsSurface::new(knots, &at(t), surface.weights()).unwrap().split().unwrap();
        let moving = surface.split_moving(&velocities).unwrap();
        let between = surface.split_between(&at(1.0)).unwrap();
        for ((expected, moving), between) in later.iter().zip(&moving).zip(&between) {
            let exact = expected.patch.eval(s, r);
            prop_assert_eq!(expected.span, moving.span);
            prop_assert!((moving.patch.eval(s, r, t) - exact).norm() < 1e-14);
            prop_assert!((between.patch.eval(s, r, t) - exact).norm() < 1e-14);
        }
        // The same by hand, on the whole net.
        let extraction = surface.extraction();
        let net = extraction.points(points).unwrap();
        let speeds = extraction.velocities(&velocities).unwrap();
        prop_assert_eq!(net.len(), extraction.grid().net().iter().product::<usize>());
        prop_assert_eq!(extraction.spans().len(), moving.len());
        for (patch, indices) in moving.iter().zip(extraction.grid().all_indices()) {
            let of_net: Vec<_> = indices.iter().map(|&i| net[i as usize]).collect();
            prop_assert_eq!(patch.patch.start().control_points(), &of_net[..]);
            let of_net: Vec<_> = indices.iter().map(|&i| speeds[i as usize]).collect();
            prop_assert_eq!(patch.patch.velocities(), Some(&of_net[..]));
        }
    }

    /// Weights, like points, don't leave the range of those given; however far apart they are,
    /// every patch can be built.
    #[test]
    fn weights_of_any_size_are_split(
        knots in [any_knots(), any_knots()],
        powers in prop::collection::vec(-99..=99_i32, 1..20),
        all in -200..=200_i32,
    ) {
        let count = knots[0].count() * knots[1].count();
        let powers = powers.iter().cycle().take(count);
        let weight = |power: &i32| 10.0_f64.powi((power + all).clamp(-307, 307));
        let weights: Vec<_> = powers.map(weight).collect();
        let x = |i: usize| i as f64 / count as f64;
        let points: Vec<_> = (0..count).map(|i| point![x(i), 1.0, -1.0]).collect();
        let surface = NurbsSurface::new(knots, &points, Some(&weights)).unwrap();
        let least = weights.iter().copied().fold(f64::MAX, f64::min);
        let most = weights.iter().copied().fold(0.0, f64::max);
        for NurbsPatch { patch, .. } in surface.split().unwrap() {
            for p in patch.control_points() {
                prop_assert!((p.y - 1.0).abs() < 1e-14 && (p.z + 1.0).abs() < 1e-14);
                prop_assert!((0.0..1.0).contains(&p.x));
            }
            let mut weights = patch.weights().into_iter().flatten();
            prop_assert!(weights.all(|w| (least..=most).contains(w)));
        }
    }
}

#[test]
fn scipy_agrees() {
    let fixture = include_str!("scipy.json");
    let surfaces: Vec<serde_json::Value> = serde_json::from_str(fixture).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        let values = value.as_array().unwrap().iter();
        values.map(|x| x.as_f64().unwrap()).collect()
    };
    let rows = |value: &serde_json::Value| -> Vec<Vec<f64>> {
        value.as_array().unwrap().iter().map(numbers).collect()
    };
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
                assert!((found - exact).norm() < 1e-13, "{found} {exact}");
            }
        }
    }
    assert_eq!(surfaces.len(), 12);
}
