//! The bisection of IDD (Artho 2011, Section 3.1 and Figure 3): at most 2n - 1 tests for n units.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

#[derive(Debug, Clone)]
pub(super) struct Recursive {
    /// The units in ascending order, with their cumulative weights.
    units: Vec<u32>,
    weights: Option<Vec<f64>>,
    /// The stretches still to be tried, newest last.
    open: Vec<Range<usize>>,
    kept: FixedBitSet,
    /// Units known to be needed.
    proved: FixedBitSet,
}

impl Recursive {
    /// Creates the recursion over the units of `kept` that are not `fixed`, which are known to be needed. `weights` are
    /// those of all units.
    pub(super) fn new(kept: &FixedBitSet, fixed: &FixedBitSet, weights: Option<&[f64]>) -> Self {
        let units: Vec<u32> = kept.difference(fixed).map(|unit| unit as u32).collect();
        let mut sum = 0.0;
        let cumulated = |weights: &[f64]| {
            let add = |&unit: &u32| {
                sum += weights[unit as usize];
                sum
            };
            units.iter().map(add).collect()
        };
        Recursive {
            weights: weights.map(cumulated),
            open: std::iter::once(0..units.len()).filter(|all| !all.is_empty()).collect(),
            units,
            kept: kept.clone(),
            proved: fixed.clone(),
        }
    }

    /// Returns the first and the last unit to try next, if there are at most two.
    pub(super) fn piece(&self) -> Option<(usize, usize)> {
        let stretch = self.units[self.open.last()?.clone()].iter().map(|&unit| unit as usize);
        let mut there = stretch.filter(|&unit| self.kept.contains(unit));
        let first = there.next()?;
        let last = there.next();
        there.next().is_none().then_some((first, last.unwrap_or(first)))
    }

    /// Records that these units are left.
    pub(super) fn keep(&mut self, kept: &FixedBitSet) {
        self.kept.clone_from(kept);
    }

    /// Records that this unit is needed.
    pub(super) fn prove(&mut self, unit: usize) {
        self.proved.insert(unit);
    }

    /// Halves a stretch by number, or by weight.
    fn middle(&self, of: &Range<usize>) -> usize {
        let half = of.start.midpoint(of.end);
        let Some(weights) = &self.weights else { return half };
        let before = if of.start == 0 { 0.0 } else { weights[of.start - 1] };
        let target = before.midpoint(weights[of.end - 1]);
        let place = of.start + weights[of.clone()].partition_point(|&sum| sum <= target);
        place.clamp(of.start + 1, of.end - 1)
    }
}

impl Steps for Recursive {
    const LITERAL: bool = false;

    fn next(&self) -> Option<FixedBitSet> {
        let stretch = self.open.last()?;
        let mut wanted = self.kept.clone();
        self.units[stretch.clone()].iter().for_each(|&unit| wanted.remove(unit as usize));
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        let Some(stretch) = self.open.pop() else { return };
        match verdict {
            Verdict::Holds => self.kept.clone_from(kept),
            Verdict::Fails if stretch.len() == 1 => self.proved.insert(self.units[stretch.start] as usize),
            Verdict::Fails | Verdict::Unresolved if stretch.len() > 1 => {
                let middle = self.middle(&stretch);
                self.open.push(stretch.start..middle);
                self.open.push(middle..stretch.end);
            }
            _ => {}
        }
        let is_left = |stretch: &Range<usize>, units: &[u32], kept: &FixedBitSet| {
            units[stretch.clone()].iter().any(|&unit| kept.contains(unit as usize))
        };
        while self.open.last().is_some_and(|stretch| !is_left(stretch, &self.units, &self.kept)) {
            self.open.pop();
        }
    }

    fn kept(&self) -> &FixedBitSet {
        &self.kept
    }

    fn proved(&self) -> Option<&FixedBitSet> {
        Some(&self.proved)
    }
}
