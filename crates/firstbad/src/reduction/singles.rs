//! Tests whether a result is 1-minimal by removing one unit at a time.

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

/// Removes each unit alone, newest first, until a full round changes nothing. Then it removes neighboring pairs.
#[derive(Debug, Clone)]
pub(super) struct Singles {
    kept: FixedBitSet,
    /// Units still to be tried in this round.
    open: FixedBitSet,
    /// The number of tests left. After that, all other units count as needed.
    left: usize,
    changed: bool,
    /// The units that can form pairs, each with the number of its row, and how many of them can still be the newer unit of a
    /// pair.
    row: Vec<(usize, usize)>,
    newer: usize,
    /// Whether any unit was removed.
    pub(super) found: bool,
}

impl Singles {
    pub(super) fn new(kept: &FixedBitSet, most: usize, rows: Vec<Vec<usize>>) -> Self {
        let numbered = |(number, row): (usize, Vec<usize>)| row.into_iter().map(move |unit| (unit, number));
        let row: Vec<(usize, usize)> = rows.into_iter().enumerate().flat_map(numbered).collect();
        let newer = row.len();
        Singles { kept: kept.clone(), open: kept.clone(), left: most, changed: false, row, newer, found: false }
    }

    /// Returns the remaining units that were tried in this round.
    pub(super) fn tried(&self) -> FixedBitSet {
        let mut tried = self.kept.clone();
        tried.difference_with(&self.open);
        tried
    }

    /// Returns the newest pair that was not tried.
    fn pair(&self) -> Option<[usize; 2]> {
        let mut there = self.row[..self.newer].iter().filter(|(unit, _)| self.kept.contains(*unit));
        let mut newer = there.next_back()?;
        loop {
            let older = there.next_back()?;
            if newer.1 == older.1 {
                return Some([newer.0, older.0]);
            }
            newer = older;
        }
    }
}

impl Steps for Singles {
    const LITERAL: bool = false;

    fn next(&self) -> Option<FixedBitSet> {
        let mut wanted = self.kept.clone();
        match self.open.maximum() {
            _ if self.left == 0 => return None,
            Some(unit) => wanted.remove(unit),
            None => self.pair()?.into_iter().for_each(|unit| wanted.remove(unit)),
        }
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        self.left = self.left.saturating_sub(1);
        match self.open.maximum() {
            Some(unit) => self.open.remove(unit),
            None => {
                let newer = self.pair().map(|[newer, _]| newer);
                self.newer =
                    self.row[..self.newer].iter().rposition(|&(unit, _)| Some(unit) == newer).unwrap_or_default();
            }
        }
        if verdict == Verdict::Holds {
            self.kept.clone_from(kept);
            self.open.intersect_with(kept);
            self.found = true;
            self.changed |= self.newer == self.row.len();
        }
        if self.open.is_clear() && self.changed {
            self.open.clone_from(&self.kept);
            self.changed = false;
        }
    }

    fn kept(&self) -> &FixedBitSet {
        &self.kept
    }
}
