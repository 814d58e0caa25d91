//! The random numbers of tests, and how many cases they look at.

/// The number of cases that a test looks at. This is `usual`, unless the environment variable
/// `PROPTEST_CASES` is set. Then it is that number's share of 256, the default of proptest, times
/// `usual`, rounded up.
pub(crate) fn cases(usual: usize) -> usize {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|number| number.parse::<usize>().ok());
    asked.map_or(usual, |asked| (usual * asked).div_ceil(256))
}

/// Random numbers by SplitMix64 (Steele et al. 2014). A seed gives the same numbers on every
/// machine.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// An integer from 0 to n − 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// `true` in one of `one_in` cases.
    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// A number in [0, 1), with 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 0.5_f64.powi(53)
    }

    /// A number in [−1, 1).
    pub(crate) fn sign(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Any finite double of either sign, with all magnitudes equally likely.
    pub(crate) fn wild(&mut self) -> f64 {
        loop {
            let x = f64::from_bits(self.next());
            if x.is_finite() {
                return x;
            }
        }
    }
}
