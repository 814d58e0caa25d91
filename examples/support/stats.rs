//! Mean, median and other quantiles of a sample.

/// A sample in ascending order. Without values every statistic is NaN.
#[derive(Clone, Debug)]
pub struct Sample(Vec<f64>);

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }
}

impl Sample {
    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The least value that a share `q` of the sample does not exceed.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = (q * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
    }

    /// The value that half of the sample does not exceed.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The greatest value.
    pub fn worst(&self) -> f64 {
        self.quantile(1.0)
    }
}
