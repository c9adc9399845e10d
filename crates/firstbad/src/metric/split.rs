//! The best split of the measurements, without a model.

use super::classes::Classes;
use super::likelihood::{Level, Model};
use super::noise::{MEDIAN, Measured, robust};
use super::scale::median;

/// The split of the measurements with the smallest absolute deviations.
pub(super) struct Split {
    pub(super) class: usize,
    pub(super) good: f64,
    bad: f64,
    pub(super) scale: f64,
}

impl Split {
    pub(super) fn new(classes: &Classes, measured: &[Measured], places: &[usize]) -> Option<Self> {
        let mut best: Option<(f64, Split)> = None;
        for (class, changes) in classes.changes.iter().enumerate() {
            let (mut low, mut high) = (Vec::new(), Vec::new());
            for (one, &place) in measured.iter().zip(places) {
                if changes.contains(place) { &mut high } else { &mut low }.push(one.seen.level);
            }
            if low.is_empty() || high.is_empty() {
                continue;
            }
            let good = median(&low);
            let bad = median(&high).max(good);
            let off = low.iter().map(|level| (level - good).abs()).chain(high.iter().map(|level| (level - bad).abs()));
            let off: Vec<f64> = off.collect();
            let sum: f64 = off.iter().sum();
            if best.as_ref().is_none_or(|best| sum < best.0) {
                let scale = robust(&off).max(1e-4) * (1.0 + 1.5 / off.len() as f64);
                best = Some((sum, Split { class, good, bad, scale }));
            }
        }
        best.map(|(_, split)| split)
    }

    /// Returns the levels without outliers. An outlier differs from its neighbors in time, once the change is taken out.
    pub(super) fn without_outliers(
        &self,
        classes: &Classes,
        measured: &[Measured],
        places: &[usize],
        model: Model,
    ) -> Vec<Measured> {
        /// How many measurements before and after count as neighbors.
        const NEAR: usize = 2;
        /// The smallest distance of an outlier, in deviations.
        const FAR: f64 = 5.0;
        let level = |&place: &usize| if classes.changes[self.class].contains(place) { self.bad } else { self.good };
        let rest: Vec<f64> = measured.iter().zip(places).map(|(one, place)| one.seen.level - level(place)).collect();
        let usual = |at: usize| median(&rest[at.saturating_sub(NEAR)..(at + NEAR + 1).min(rest.len())]);
        let off: Vec<f64> = (0..rest.len()).map(|at| rest[at] - usual(at)).collect();
        let far = FAR * MEDIAN * median(&off.iter().map(|one| one.abs()).collect::<Vec<f64>>());
        let is_outlier = |off: f64| if model.outliers_up { off > far } else { off < -far };
        let kept = |(one, &off): (&Measured, &f64)| {
            let level = if is_outlier(off) { one.seen.level - off } else { one.seen.level };
            Measured { seen: Level { level, ..one.seen }, ..*one }
        };
        measured.iter().zip(&off).map(kept).collect()
    }
}
