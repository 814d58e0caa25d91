//! Sums whose rounding is known.

/// The sum x + y for x, y ≥ 0, rounded so that it is never below the exact sum, and equal to it if
/// that is a double; ∞ if it is beyond the range of doubles.
///
/// With s = fl(x + y) and x ≥ y, both s − x and the remainder y − (s − x) = x + y − s are doubles
/// (Dekker 1971): so the sign of the remainder is exact, and tells whether s was rounded down.
/// Sums have no underflow.
pub(crate) fn sum_rounded_up(x: f64, y: f64) -> f64 {
    let (large, small) = (x.max(y), x.min(y));
    let sum = large + small;
    if small - (sum - large) > 0.0 {
        sum.next_up()
    } else {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::{Random, cases, exact};

    #[test]
    fn sums_are_the_least_doubles_not_below_the_exact_ones() {
        let mut random = Random::new(50);
        for case in 0..cases(20_000) {
            let x = random.wild().abs();
            let y = match case % 3 {
                0 => random.wild().abs(),
                1 => x * random.unit() * 0.5_f64.powi(random.below(60) as i32),
                _ => 0.0,
            };
            let (sum, exact_sum) = (sum_rounded_up(x, y), exact(x) + exact(y));
            if sum == f64::INFINITY {
                assert!(exact_sum > exact(f64::MAX), "{x:e} + {y:e}");
                continue;
            }
            assert!(exact(sum) >= exact_sum, "{x:e} + {y:e}");
            assert!(
                sum == 0.0 || exact(sum.next_down()) < exact_sum,
                "{x:e} + {y:e}"
            );
            assert_eq!(sum, sum_rounded_up(y, x));
        }
        assert_eq!(sum_rounded_up(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(sum_rounded_up(f64::MAX, f64::from_bits(1)), f64::INFINITY);
        assert_eq!(sum_rounded_up(1.0, f64::from_bits(1)), 1.0_f64.next_up());
    }
}
