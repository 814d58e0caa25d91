//! What a fuzzer's bytes stand for.

use nalgebra::{Point3, Vector3};
use patch_ccd::geometry::Shape;
use patch_ccd::{DistanceOptions, Inclusion, Options};

/// Finite numbers where something may end.
const EXTREMES: [f64; 24] = [
    0.0,
    -0.0,
    f64::from_bits(1),
    -f64::from_bits(1),
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    1e-310,
    1e-300,
    -1e-300,
    1e-150,
    1e-20,
    f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    1.0 + f64::EPSILON,
    1e16,
    -1e16,
    1e150,
    -1e150,
    1e200,
    1e300,
    -1e300,
    1e308,
    f64::MAX,
    f64::MIN,
];

/// How far numbers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Range {
    /// Multiples of 1/16 up to 5, or of 1/4096 up to 8.
    Tame,
    /// Extremes too.
    Finite,
    /// All doubles; and wrong counts and indices, degrees and options out of range.
    Wild,
}

/// Reads numbers off bytes. After the last byte comes the first again; of nothing come zeros.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) range: Range,
}

impl<'a> Input<'a> {
    /// The first byte says how far numbers go.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut input = Self {
            bytes,
            at: 0,
            range: Range::Tame,
        };
        input.range = match input.below(4) {
            0 | 1 => Range::Tame,
            2 => Range::Finite,
            _ => Range::Wild,
        };
        input
    }

    pub(crate) fn is_wild(&self) -> bool {
        self.range == Range::Wild
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).or(self.bytes.first()).copied();
        self.at = if self.at < self.bytes.len() {
            self.at + 1
        } else {
            1
        };
        byte.unwrap_or(0)
    }

    /// A number below `count`, which is at most 2¹⁶.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let low = usize::from(self.byte());
        let high = if count > 256 {
            usize::from(self.byte())
        } else {
            0
        };
        (low + 256 * high) % count
    }

    pub(crate) fn chance(&mut self, in_so_many: usize) -> bool {
        self.below(in_so_many) == in_so_many - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    pub(crate) fn number(&mut self) -> f64 {
        let byte = self.byte();
        match (byte, self.range) {
            (208..=231, Range::Finite | Range::Wild) => EXTREMES[usize::from(byte) - 208],
            (232..=247, Range::Wild) => f64::from_le_bytes(self.array()),
            (248..=255, Range::Wild) => self.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
            (160.., _) => f64::from(i16::from_le_bytes(self.array())) / 4096.0,
            _ => (f64::from(byte) - 80.0) / 16.0,
        }
    }

    pub(crate) fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.number())
    }

    pub(crate) fn vectors(&mut self, count: usize) -> Vec<Vector3<f64>> {
        (0..count).map(|_| self.vector()).collect()
    }

    pub(crate) fn points(&mut self, count: usize) -> Vec<Point3<f64>> {
        let vectors = self.vectors(count);
        vectors.into_iter().map(Point3::from).collect()
    }

    pub(crate) fn weights(&mut self, count: usize) -> Vec<f64> {
        let wild = self.is_wild();
        (0..count)
            .map(|_| match self.number() {
                weight if wild => weight,
                0.0 => 1.0,
                weight => weight.abs(),
            })
            .collect()
    }

    /// As many as there should be; wild, sometimes others.
    pub(crate) fn count(&mut self, right: usize) -> usize {
        match self.is_wild() && self.chance(16) {
            true => (right + self.below(3)).saturating_sub(1),
            false => right,
        }
    }

    /// A degree: up to 3 as a rule.
    pub(crate) fn degree(&mut self) -> usize {
        match self.byte() {
            byte @ 0..=223 => 1 + usize::from(byte % 3),
            byte @ 224..=239 => 4 + usize::from(byte % 4),
            240..=247 => 0,
            248..=253 => 9,
            254 => 30,
            255 if self.is_wild() => self.pick(&[31, 60, 1 << 32, usize::MAX]),
            255 => 16,
        }
    }

    pub(crate) fn shape(&mut self) -> Shape {
        let n = self.degree();
        match self.below(3) {
            0 => Shape::Triangular { n },
            1 => Shape::TensorProduct { n, m: n },
            _ => Shape::TensorProduct {
                n,
                m: self.degree(),
            },
        }
    }

    /// Options of a query with at most `most` boxes; all but the engine.
    pub(crate) fn options(&mut self, most: u64) -> Options {
        let mut options = Options {
            delta: self.pick(&[1e-6, 1.0, 0.5, 1e-2, 1e-4, 0.5_f64.powi(40)]),
            t_max: self.pick(&[1.0, 0.0, 0.5, 1.0 / 16.0, 2.0, 1.0]),
            min_separation: self.pick(&[0.0, 0.0, 0.0625, 1.0]),
            epsilon: self.pick(&[0.0, 0.0, 0.0, 1e-6, 0.125]),
            relative_epsilon: self.pick(&[0.0, 0.0, 0.0, 1e-4]),
            max_boxes: self.pick(&[1, 2, 17, 100, 500, 2000]),
            no_zero_toi: self.chance(4),
            ..Options::default()
        };
        if self.range >= Range::Finite {
            match self.below(8) {
                0 => options.t_max = self.number().abs(),
                1 => options.min_separation = self.number().abs(),
                2 => options.t_max = self.pick(&[f64::from_bits(1), 1e-300, 1e300, f64::MAX]),
                _ => {}
            }
        }
        if self.is_wild() {
            match self.below(8) {
                0 => options.delta = self.number(),
                1 => options.t_max = self.number(),
                2 => options.min_separation = self.number(),
                3 => options.epsilon = self.number(),
                4 => options.relative_epsilon = self.number(),
                5 => options.max_boxes = self.pick(&[0, (1 << 30) + 1, u64::MAX]),
                _ => {}
            }
        }
        if (1..1 << 30).contains(&options.max_boxes) {
            options.max_boxes = options.max_boxes.min(most);
        }
        options
    }

    /// What is kept of a distance that is less than the separation.
    pub(crate) fn share(&mut self) -> f64 {
        let share = self.pick(&[0.9, 0.5, 0.99, 1e-3, 1.0 - 1e-12]);
        if self.is_wild() && self.chance(4) {
            return self.number();
        }
        share
    }

    /// Options of a query for the distance with at most `most` boxes.
    pub(crate) fn distance_options(&mut self, most: u64) -> DistanceOptions {
        let mut options = DistanceOptions {
            tolerance: self.pick(&[0.0, 0.0, 1e-9, 1e-3, 0.25]),
            relative_tolerance: self.pick(&[1e-6, 0.0, 1e-12, 1e-2, 1.0]),
            max_distance: self.pick(&[f64::INFINITY, f64::INFINITY, 0.0, 0.5, 4.0]),
            max_boxes: self.pick(&[1, 2, 17, 100, 500, 2000]),
            inclusion: self.pick(&[Inclusion::Obb, Inclusion::Obb, Inclusion::Aabb]),
        };
        if self.range >= Range::Finite {
            match self.below(6) {
                0 => options.tolerance = self.number().abs(),
                1 => options.max_distance = self.number().abs(),
                _ => {}
            }
        }
        if self.is_wild() {
            match self.below(8) {
                0 => options.tolerance = self.number(),
                1 => options.relative_tolerance = self.number(),
                2 => options.max_distance = self.number(),
                3 => options.max_boxes = self.pick(&[0, (1 << 30) + 1, u64::MAX]),
                _ => {}
            }
        }
        if (1..1 << 30).contains(&options.max_boxes) {
            options.max_boxes = options.max_boxes.min(most);
        }
        options
    }
}
