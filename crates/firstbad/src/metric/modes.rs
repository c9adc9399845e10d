//! A machine with two modes of speed.

use super::noise::{Measured, robust};
use super::scale::{median, quantile};
use crate::graph::Node;

/// Two modes of the noise, estimated from revisions that were measured several times.
pub(super) struct Modes {
    pub(super) distance: f64,
    pub(super) scale: f64,
}

impl Modes {
    /// Estimates the modes. `None` if the measurements do not show two.
    pub(super) fn new(measured: &[Measured]) -> Option<Self> {
        /// The smallest share of the measurements in a mode.
        const SHARE: f64 = 0.15;
        /// The smallest distance of the modes in scales.
        const APART: f64 = 3.0;
        /// The number of measurements above another one of the same revision that make an estimate.
        const ENOUGH: usize = 5;
        let lowest = |node: Node| {
            measured.iter().filter(|one| one.node == node).map(|one| one.seen.level).fold(f64::INFINITY, f64::min)
        };
        let above: Vec<f64> = measured.iter().map(|one| one.seen.level - lowest(one.node)).collect();
        // One zero for each revision is its lowest measurement.
        let mut above: Vec<f64> = above.into_iter().filter(|&above| above > 0.0).collect();
        if above.len() < ENOUGH {
            return None;
        }
        above.sort_unstable_by(f64::total_cmp);
        let off = |part: &[f64]| {
            let middle = median(part);
            part.iter().map(|one| (one - middle).abs()).collect::<Vec<f64>>()
        };
        let least = ((above.len() as f64 * SHARE).ceil() as usize).max(2);
        let cost = |cut: usize| {
            let (low, high) = above.split_at(cut);
            off(low).iter().chain(&off(high)).sum::<f64>()
        };
        let cut =
            (least..=above.len().saturating_sub(least)).min_by(|&one, &other| cost(one).total_cmp(&cost(other)))?;
        let (low, high) = above.split_at(cut);
        let distance = median(high) - median(low);
        let scale = robust(&off(low).into_iter().chain(off(high)).collect::<Vec<f64>>()).max(1e-4);
        (distance > APART * scale).then_some(Modes { distance: median(high) - 0.5 * median(low), scale })
    }

    /// Returns the level of the lower mode.
    pub(super) fn lower(&self, levels: impl Iterator<Item = f64>) -> f64 {
        let mut levels: Vec<f64> = levels.collect();
        levels.sort_unstable_by(f64::total_cmp);
        let bottom = quantile(&levels, 0.1);
        levels.retain(|level| *level < bottom + 0.5 * self.distance);
        median(&levels)
    }
}
