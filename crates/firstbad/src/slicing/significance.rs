//! How much each change matters, learnt from facts (Section 4, rules pass, fail-1 and fail-n).

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::facts::Facts;
use crate::reduction::Verdict;

/// The scores of all changes.
#[derive(Debug)]
pub(super) struct Significance {
    /// 0 at first; below for what seems to matter less, above for what seems to matter more.
    pub(super) scores: Vec<i64>,
    /// The last passing run, and the facts that it showed.
    last: Option<(FixedBitSet, Facts)>,
}

impl Significance {
    pub(super) fn new(count: usize) -> Self {
        Significance { scores: vec![0; count], last: None }
    }

    pub(super) fn forget(&mut self) {
        self.scores.fill(0);
        self.last = None;
    }

    /// The changes that facts of the last passing run are charged to; `None` if it showed none.
    pub(super) fn charged(&self) -> Option<HashSet<usize>> {
        self.last.as_ref().map(|(_, facts)| facts.charged()).filter(|charged| !charged.is_empty())
    }

    /// Learns from what a set showed; whether scores changed.
    pub(super) fn learn(&mut self, set: &FixedBitSet, verdict: Verdict, facts: Option<Facts>) -> bool {
        let Some(facts) = facts else { return false };
        let Some((base, before)) = &self.last else {
            if verdict == Verdict::Holds {
                self.last = Some((set.clone(), facts));
            }
            return false;
        };
        // Answers that come late may be about larger sets, of which nothing was reverted.
        if !set.is_subset(base) {
            return false;
        }
        let reverted = base.difference_count(set);
        let step = match verdict {
            Verdict::Holds => -1,
            Verdict::Fails if reverted == 1 => 1,
            Verdict::Fails | Verdict::Unresolved => return false,
        };
        let charged = before.without(&facts);
        for &change in &charged {
            self.scores[change] += step;
        }
        if verdict == Verdict::Holds {
            self.last = Some((set.clone(), facts));
        }
        !charged.is_empty()
    }
}
