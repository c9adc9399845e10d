//! One unit less: is the result 1-minimal?

use fixedbitset::FixedBitSet;

use super::steps::Steps;
use super::verdicts::Verdict;

/// Tries to do without each unit alone, the newest first, until a whole round changed nothing.
#[derive(Debug, Clone)]
pub(super) struct Singles {
    kept: FixedBitSet,
    /// Units still to be tried in this round.
    open: FixedBitSet,
    /// How many are tried at most in all; the rest is taken for needed.
    left: usize,
    changed: bool,
    /// Whether any unit could go.
    pub(super) found: bool,
}

impl Singles {
    pub(super) fn new(kept: &FixedBitSet, most: usize) -> Self {
        Singles { kept: kept.clone(), open: kept.clone(), left: most, changed: false, found: false }
    }
}

impl Steps for Singles {
    const LITERAL: bool = false;

    fn next(&self) -> Option<FixedBitSet> {
        let unit = self.open.maximum().filter(|_| self.left > 0)?;
        let mut wanted = self.kept.clone();
        wanted.remove(unit);
        Some(wanted)
    }

    fn take(&mut self, kept: &FixedBitSet, verdict: Verdict) {
        self.left = self.left.saturating_sub(1);
        if let Some(unit) = self.open.maximum() {
            self.open.remove(unit);
        }
        if verdict == Verdict::Holds {
            self.kept.clone_from(kept);
            self.open.intersect_with(kept);
            self.changed = true;
            self.found = true;
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
