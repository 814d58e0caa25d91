//! The hard cases of `data/cases`, each against the answer its file expects.

use kit::Case;

/// `quad_parallel` is the case in `quad-parallel.json`.
fn file_name(test: &str) -> String {
    format!("{}.json", test.replace('_', "-"))
}

pub(super) fn case(test: &str) -> Case {
    let name = file_name(test);
    Case::open(kit::data("cases").join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// One test a file, and the list of them.
macro_rules! tests {
    ($($name:ident),+ $(,)?) => {
        const CASES: &[&str] = &[$(stringify!($name)),+];
        $(
            #[test]
            fn $name() {
                agrees(stringify!($name));
            }
        )+
    };
}

fn agrees(test: &str) {
    let case = case(test);
    let answer = case.solve();
    let expect = case.expect.expect("an expectation");
    if let Err(difference) = expect.check(&answer) {
        panic!("{difference}; {}", expect.note);
    }
}

tests! {
    ee_accd_adversarial_2e_27,
    ee_adversarial_1e_2,
    ee_adversarial_1e_8,
    ee_both_zero_length,
    ee_budget_exhausted,
    ee_coplanar_cross_midstep,
    ee_cross_corner,
    ee_cross_inside,
    ee_denormal_coordinates,
    ee_double_root_1,
    ee_double_root_2_050,
    ee_double_root_2_100,
    ee_double_root_sample1,
    ee_double_root_sample2,
    ee_far_offset,
    ee_identical_edges_same_velocity,
    ee_ipctk225_near_collinear,
    ee_ipctk39_squash_tet,
    ee_ipctk_slow1_miss_by_5e_7,
    ee_micro_edges_at_2e20_late_toi,
    ee_nano_edges_at_2e10_bad_alloc,
    ee_parallel_coplanar_sliding,
    ee_parry180_parallel_edges,
    ee_physx505_sphere_grazes_edge,
    ee_point_along_edge_line,
    ee_same_velocity_1e6,
    ee_sample_endpoint_overhang_2e_23,
    ee_separation_end,
    ee_shared_vertex,
    ee_slow_1,
    ee_static_separated,
    ee_static_touching,
    ee_stretch_contact_at_t1,
    ee_three_valid_roots,
    ee_zero_length,
    ee_zero_length_vs_degenerating_edge,
    nb_circle_cylinder_sisl7,
    nb_collapsed_last_row_geomdl168,
    nb_contact_only_at_last_parameter,
    nb_crease_double_knot,
    nb_decreasing_knots,
    nb_end_multiplicity_too_high_geomdl180,
    nb_gap_triple_knot,
    nb_knot_count_mismatch,
    nb_nan_control_point,
    nb_negative_and_shifted_knots,
    nb_periodic_tube_seam,
    nb_unclamped_uniform_geomdl115,
    nurbs_decreasing_knots,
    nurbs_flat_multi_span,
    nurbs_full_cylinder,
    poly_linear_in_disguise,
    poly_through_and_back,
    poly_triangle_turns_over,
    qb_all_control_points_coincide,
    qb_apex_at_non_dyadic_parameter,
    qb_arch_lands_on_four_corners,
    qb_contact_after_t_max,
    qb_coplanar_overlap_sliding,
    qb_coplanar_squares_slide_together,
    qb_corner_hits_interior_at_t1,
    qb_cusp_ridge,
    qb_flat_on_flat_area_contact,
    qb_generic_bicubic_a,
    qb_ms_quarter_over_plane,
    qb_paraboloid_on_plane,
    qb_same_velocity_1e6,
    qb_starts_intersecting,
    qb_static_intersecting_pair,
    qb_tangent_parabolas_dhermes10, // a line contact along u = 1/3,
    qb_teapot_knob_collapsed_rows,
    qb_thin_patch_speed_2e20,
    quad_beyond_t_max,
    quad_bullet,
    quad_coplanar_slide,
    quad_edge_on_face,
    quad_identical_static,
    quad_intersects_now,
    quad_min_separation,
    quad_nan,
    quad_paraboloid_far_away,
    quad_paraboloid_hair_miss,
    quad_paraboloid_on_plane,
    quad_paraboloid_third,
    quad_parallel,
    quad_points,
    quad_pole_on_plane,
    quad_ridge_line_contact,
    quad_ridge_third, // along u = 1/3,
    quad_separation_corner,
    quad_touch_at_end,
    quad_wrong_count,
    rational_cylinder_tangent, // along a line at 45°,
    rational_sphere_octant,
    rational_tri_flat,
    rational_wild_weights,
    rational_zero_weight,
    rigid_arm_reaches_ceiling,
    rigid_full_turn_through_post,
    rigid_many_turns_out_of_reach,
    rigid_roller_turns_in_place,
    rigid_screw_blade_on_plane,
    rqb_bullet2579_small_sphere_face,
    rqb_fcl11_box_face_cone,
    rqb_negative_inner_weight,
    rqb_sphere_grazes_plate_border, // a pole, and no slope in time,
    rqb_sphere_pole_on_plate,
    rqb_torus_lands_on_arc,
    rqb_weight_ratio_2e40,
    rqb_zero_corner_weight,
    rqb_zero_inner_weight,
    rtb_flat_with_uneven_weights,
    tb_apex_at_centroid,
    tb_two_triangles_fcl555,
    tri_bowl_on_plane,
    tri_needle,
    tri_parallel,
    vf_bullet,
    vf_coplanar_slide,
    vf_coplanar_through_triangle,
    vf_ipctk_no_zero_toi,
    vf_libccd55_distance_1e_8,
    vf_min_separation,
    vf_ms_reached_before_touch,
    vf_nan,
    vf_nan_input,
    vf_ncollide194_speed_1e5_corner,
    vf_no_zero_toi,
    vf_parry123_denormal_speed,
    vf_parry429_large_face_ms,
    vf_receding_at_ms_exact,
    vf_receding_inside_ms,
    vf_receding_just_outside_ms,
    vf_starts_on_corner_on,
    vf_static_touching,
    vf_t_max_before_contact,
    vf_t_max_equals_contact,
    vf_t_max_nan,
    vf_ti_issue1_zero_toi,
    vf_toi_2e_53,
    vf_touch_at_end,
    vf_touch_at_t1_after_1e6_travel,
    vf_touch_corner_t0_separating,
    vf_touching_start_face_interior,
    vf_triangle_flips_inside_out,
    vf_turning_face,
    vf_zero_area,
    vf_zero_area_face_collinear,
}

#[test]
fn every_file_is_tested() {
    let mut tested: Vec<String> = CASES.iter().map(|test| file_name(test)).collect();
    tested.sort();
    let entries = std::fs::read_dir(kit::data("cases")).expect("data/cases");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut there: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    there.sort();
    assert_eq!(there, tested);
}

#[test]
fn ids_are_the_names_of_the_files() {
    for test in CASES {
        assert_eq!(format!("{}.json", case(test).id), file_name(test));
    }
}
