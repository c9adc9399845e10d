//! Averages over instances and over projects.

use std::collections::BTreeMap;

/// An average, taken both ways: every instance alike, and every project alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Average {
    pub(crate) over_instances: f64,
    pub(crate) over_projects: f64,
    pub(crate) count: usize,
}

impl Average {
    /// The average of `(project, value)` pairs; no number where there are none.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let mut by_project: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        for (project, value) in values {
            let sum = by_project.entry(project).or_default();
            sum.0 += value;
            sum.1 += 1;
        }
        let count: usize = by_project.values().map(|(_, count)| count).sum();
        let sum: f64 = by_project.values().map(|(sum, _)| sum).sum();
        let means = by_project.values().map(|(sum, count)| sum / *count as f64);
        Average {
            over_instances: sum / count as f64,
            over_projects: means.sum::<f64>() / by_project.len() as f64,
            count,
        }
    }

    /// The ratio of two averages over the same instances.
    pub(crate) fn over(self, other: Average) -> Average {
        Average {
            over_instances: self.over_instances / other.over_instances,
            over_projects: self.over_projects / other.over_projects,
            count: self.count,
        }
    }
}

/// The value in the middle; no number where there is none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// The mean; no number where there is none.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
