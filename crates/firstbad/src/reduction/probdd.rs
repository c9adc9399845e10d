//! Probabilistic delta debugging (Wang et al. 2021): every unit has a probability of being needed; what goes next is
//! what promises the most units for one question.

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

/// The probability before anything is known (their experiments' value).
const PRIOR: f64 = 0.1;

/// From here on a unit is taken to be needed.
const SURE: f64 = 1.0 - 1e-9;

/// ProbDD on its way.
#[derive(Debug, Clone)]
pub(super) struct Probdd {
    kept: FixedBitSet,
    /// Units that may still go, those least likely needed first, with how likely they are.
    open: Vec<(u32, f64)>,
}

impl Probdd {
    /// Over the units of `kept`; `weights` are those of all units, 1 on average.
    pub(super) fn new(kept: &FixedBitSet, weights: Option<&[f64]>) -> Self {
        let prior = |unit: usize| weights.map_or(PRIOR, |weights| (PRIOR * weights[unit]).min(0.9));
        let mut open: Vec<(u32, f64)> = kept.ones().map(|unit| (unit as u32, prior(unit))).collect();
        open.reverse();
        let mut probdd = Probdd { kept: kept.clone(), open };
        probdd.sort();
        probdd
    }

    fn sort(&mut self) {
        self.open.retain(|&(_, chance)| chance < SURE);
        // Stable: the newest first among those as likely.
        self.open.sort_by(|one, other| one.1.total_cmp(&other.1));
    }

    /// How many of the first to take away: the most units expected to go.
    fn take_away(&self) -> usize {
        let mut best = (0.0, 1);
        let mut all_go = 1.0;
        for (place, &(_, chance)) in self.open.iter().enumerate() {
            all_go *= 1.0 - chance;
            let gain = (place + 1) as f64 * all_go;
            if gain > best.0 {
                best = (gain, place + 1);
            }
        }
        best.1
    }
}

impl Steps for Probdd {
    const LITERAL: bool = false;

    fn next(&self) -> Option<FixedBitSet> {
        if self.open.is_empty() {
            return None;
        }
        let mut wanted = self.kept.clone();
        self.open[..self.take_away()].iter().for_each(|&(unit, _)| wanted.remove(unit as usize));
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        if verdict == Verdict::Holds {
            self.kept.clone_from(kept);
            self.open.retain(|&(unit, _)| kept.contains(unit as usize));
            return;
        }
        let away = self.take_away();
        let all_go: f64 = self.open[..away].iter().map(|&(_, chance)| 1.0 - chance).product();
        self.open[..away].iter_mut().for_each(|(_, chance)| *chance = (*chance / (1.0 - all_go)).min(1.0));
        self.sort();
    }

    fn kept(&self) -> &FixedBitSet {
        &self.kept
    }
}
