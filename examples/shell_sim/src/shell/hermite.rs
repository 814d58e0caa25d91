//! The shape functions of a bicubic Hermite element, and Gauss points.

/// Values and derivatives by u, v, uu, vv and uv of the sixteen functions of an element at one
/// place, by the element's own lengths: corner · 4 + kind, with the corners (u, v) = (0, 0), (0,
/// 1), (1, 0), (1, 1) and the kinds position, tangent along u, tangent along v, twist.
pub(super) struct Weights {
    pub(super) value: [f64; 16],
    pub(super) derivatives: [[f64; 5]; 16],
}

/// The cubic functions of one end (0 or 1) of an interval of this width: for its value and its
/// slope, each with its first two derivatives by length, at the fraction s.
fn cubic(end: usize, width: f64, s: f64) -> [[f64; 3]; 2] {
    // Those of the end at 1 are the mirror images.
    let (s, sign) = if end == 0 { (s, 1.0) } else { (1.0 - s, -1.0) };
    let value = [
        1.0 - s * s * (3.0 - 2.0 * s),
        sign * 6.0 * s * (s - 1.0) / width,
        (12.0 * s - 6.0) / (width * width),
    ];
    let slope = [
        sign * s * (1.0 - s) * (1.0 - s) * width,
        (1.0 - s) * (1.0 - 3.0 * s),
        sign * (6.0 * s - 4.0) / width,
    ];
    [value, slope]
}

/// The shape functions of an element of these widths at (u, v) in [0, 1]².
pub(super) fn weights_at(widths: [f64; 2], (u, v): (f64, f64)) -> Weights {
    let along_u = [0, 1].map(|end| cubic(end, widths[0], u));
    let along_v = [0, 1].map(|end| cubic(end, widths[1], v));
    let mut weights = Weights {
        value: [0.0; 16],
        derivatives: [[0.0; 5]; 16],
    };
    for i in 0..16 {
        let (corner, kind) = (i / 4, i % 4);
        let f = along_u[corner / 2][kind % 2];
        let g = along_v[corner % 2][kind / 2];
        weights.value[i] = f[0] * g[0];
        weights.derivatives[i] = [
            f[1] * g[0],
            f[0] * g[1],
            f[2] * g[0],
            f[0] * g[2],
            f[1] * g[1],
        ];
    }
    weights
}

/// Four Gauss points on [0, 1] and their weights: exact to degree 7.
pub(super) const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];
