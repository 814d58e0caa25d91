//! Patches by themselves: constructors, evaluation, subdivision, motion, and all writers.

use nalgebra::Point3;
use patch_ccd::geometry::{AnyPatch, HermitePatch, Patch, Shape, TensorProductPatch};
use patch_ccd::io::{
    BvGroup, MAX_RESOLUTION, read_bv, write_bv, write_contacts_obj, write_contacts_vtu, write_obj,
    write_vtu,
};
use patch_ccd::{Moving, Options, time_of_impact};

use super::input::{Input, Range};
use super::outcomes::assert_clear_message;

/// One patch of any kind, and everything that can be done with it.
pub fn patches(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let shape = input.shape();
    let count = input.count(shape.count().min(1000));
    let points = input.points(count);
    let patch = match input.chance(2) {
        true => AnyPatch::rational_from_shape(shape, &points, &input.weights(count)),
        false => AnyPatch::from_shape(shape, &points),
    };
    match patch {
        Ok(patch) => use_patch(&mut input, &patch),
        Err(error) => assert_clear_message(&error),
    }
}

fn use_patch(input: &mut Input<'_>, patch: &AnyPatch) {
    let tame = input.range == Range::Tame;
    let scale = patch
        .control_points()
        .iter()
        .fold(0.0, |most: f64, p| most.max(p.coords.amax()));
    let [u, v] = [input.number(), input.number()];
    let inside = [0, 1].map(|_| input.below(9) as f64 / 16.0);
    patch.eval(u, v);
    patch.partials(u, v);
    let point = patch.eval(inside[0], inside[1]);
    assert!(
        point.iter().all(|x| x.abs() <= scale * (1.0 + 1e-12)),
        "{point} of {patch:?}"
    );
    if let Some(normal) = patch.normal(inside[0], inside[1]) {
        assert!((normal.norm() - 1.0).abs() < 1e-12, "{normal} of {patch:?}");
    }
    // The documentation promises that.
    let children = patch.subdivide().expect("a patch of this crate");
    assert_eq!(children.len(), patch.shape().children());
    for (child, cell) in &children {
        let (u, v) = cell.map(inside[0], inside[1]);
        let apart = child.eval(inside[0], inside[1]) - patch.eval(u, v);
        if tame {
            assert!(
                apart.amax() <= 1e-12 * scale,
                "{apart} in {cell:?} of {patch:?}"
            );
        }
    }
    in_motion(input, patch);
    write(input, patch);
    if let Ok(bicubic) = TensorProductPatch::new(3, 3, patch.control_points()) {
        match HermitePatch::from_bezier(&bicubic).and_then(|hermite| hermite.to_bezier()) {
            Ok(again) if tame => {
                let pairs = again.control_points().iter().zip(bicubic.control_points());
                pairs.for_each(|(a, b)| assert!((a - b).amax() <= 1e-12 * scale));
            }
            Ok(_) => {}
            Err(error) => assert_clear_message(&error),
        }
    }
}

fn in_motion(input: &mut Input<'_>, patch: &AnyPatch) {
    let velocity = input.vector();
    let t = input.number();
    let count = input.count(patch.shape().count());
    let end = input.points(count);
    let end = patch.with_net(&end, patch.weights());
    let between = end.and_then(|end| Moving::between(patch.clone(), &end));
    for moving in [Moving::translating(patch.clone(), velocity), between] {
        match moving {
            Ok(moving) => {
                moving.eval(0.25, 0.5, t);
                moving.normal(0.25, 0.5, t);
                if let Err(error) = moving.at(t) {
                    assert_clear_message(&error);
                }
            }
            Err(error) => assert_clear_message(&error),
        }
    }
}

fn write(input: &mut Input<'_>, patch: &AnyPatch) {
    let resolution = match input.below(8) {
        0 => 0,
        1 => MAX_RESOLUTION + 1,
        few => few,
    };
    let patches = [patch.clone(), patch.clone()];
    let mut text = Vec::new();
    match write_obj(&mut text, &patches, resolution) {
        Ok(()) => assert!((1..=MAX_RESOLUTION).contains(&resolution)),
        Err(error) => assert_clear_message(&error),
    }
    write_vtu(&mut Vec::new(), &patches).expect("a patch of this crate");
    let name = ["", "a", "# a", "a b", "\u{a0}", "é"][input.below(6)].to_owned();
    let groups = [BvGroup {
        name,
        color: -1,
        patches: patches.to_vec(),
    }];
    text.clear();
    match write_bv(&mut text, &groups) {
        Ok(()) => {
            let again = read_bv(&text[..], "a.bv").expect("what was written");
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].patches.len(), 2);
        }
        Err(error) => assert_clear_message(&error),
    }
    let still = Moving::resting(patch.clone());
    let options = Options {
        max_boxes: 20,
        delta: 0.5,
        ..Options::default()
    };
    if let Ok(outcome) = time_of_impact(&still, &still, &options) {
        let contacts: Vec<_> = outcome.contact().copied().into_iter().collect();
        write_contacts_obj(&mut Vec::new(), &contacts).expect("room");
        write_contacts_vtu(&mut Vec::new(), &contacts).expect("room");
        for contact in contacts {
            let triangle = matches!(patch.shape(), Shape::Triangular { .. });
            assert_eq!(contact.barycentric(0).is_some(), triangle);
            assert_eq!(contact.barycentric(usize::MAX), None);
        }
    }
    assert_ne!(patch.control_points(), &[] as &[Point3<f64>]);
}
