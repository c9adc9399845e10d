//! Measurements, and what they tell without a model.

use hashbrown::HashMap;

use super::likelihood::Level;
use super::scale::{median, quantile};
use crate::graph::Node;

/// A measurement of a revision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) node: Node,
    pub(super) seen: Level,
}

/// The smallest deviation that counts as noise.
const LEAST: f64 = 1e-4;

/// The ratio of a standard deviation to a mean absolute deviation, for normal noise.
const MEAN: f64 = 1.2533;

/// The ratio of a standard deviation to a median absolute deviation, for normal noise.
pub(super) const MEDIAN: f64 = 1.4826;

/// Returns the scale of noise from absolute deviations. Outliers count little, but more than in the median alone.
pub(super) fn robust(off: &[f64]) -> f64 {
    let mean = MEAN * off.iter().sum::<f64>() / off.len() as f64;
    ((MEDIAN * median(off)).max(0.3 * mean) * mean).sqrt()
}

/// Returns the scale of noise from the upper quartile of absolute deviations. It ignores outliers, but not a second mode.
fn upper_quartile(mut off: Vec<f64>) -> f64 {
    /// The upper quartile, for normal noise.
    const QUARTILE: f64 = 1.1503;
    off.sort_unstable_by(f64::total_cmp);
    quantile(&off, 0.75) / QUARTILE
}

/// Measurements by revision.
#[derive(Debug, Default)]
pub(super) struct ByRevision {
    levels: HashMap<Node, Vec<f64>>,
    /// The deviation of a measurement within a revision. `None` if no revision was measured twice.
    pub(super) deviation: Option<f64>,
}

impl ByRevision {
    pub(super) fn new(all: &[Measured]) -> Self {
        let mut levels: HashMap<Node, Vec<f64>> = HashMap::new();
        all.iter().for_each(|one| levels.entry(one.node).or_default().push(one.seen.level));
        let mut nodes: Vec<&Node> = levels.keys().filter(|node| levels[*node].len() > 1).collect();
        nodes.sort_unstable();
        // Deviations of few measurements from their own median are too small.
        let off: Vec<f64> = nodes
            .into_iter()
            .flat_map(|node| {
                let of = &levels[node];
                let (middle, count) = (median(of), of.len() as f64);
                of.iter().map(move |level| (level - middle).abs() * (count / (count - 1.0)).sqrt())
            })
            .collect();
        let deviation = (!off.is_empty()).then(|| upper_quartile(off));
        ByRevision { levels, deviation }
    }

    /// Returns the number of revisions.
    pub(super) fn len(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn count(&self, node: Node) -> usize {
        self.levels.get(&node).map_or(0, Vec::len)
    }

    /// Returns the median level of a revision with its standard error. `None` without a measurement.
    pub(super) fn at(&self, node: Node) -> Option<Estimate> {
        let of = self.levels.get(&node)?;
        let deviation = self.deviation.unwrap_or(0.01).max(LEAST);
        Some(Estimate { level: median(of), error: MEAN * deviation / (of.len() as f64).sqrt() })
    }

    /// Returns the change from one revision to another.
    pub(super) fn change(&self, before: Node, after: Node) -> Option<Estimate> {
        let (before, after) = (self.at(before)?, self.at(after)?);
        Some(Estimate { level: after.level - before.level, error: before.error.hypot(after.error) })
    }
}

/// A level, or a difference of levels, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) level: f64,
    pub(super) error: f64,
}

impl Estimate {
    /// Returns the level at a number of standard errors above.
    pub(super) fn at_most(&self, errors: f64) -> f64 {
        self.level + errors * self.error
    }

    /// Returns the level at a number of standard errors below.
    pub(super) fn at_least(&self, errors: f64) -> f64 {
        self.level - errors * self.error
    }
}
