//! The position of a walk with its patch, and the next version (IDD, Figure 2 and Section 4.1).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config;
use super::failure::Kind;
use super::patches::Part;

/// A walk along a list of versions with a carried patch.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    way: Arc<Vec<String>>,
    /// The places of versions that were not skipped, ascending.
    live: Vec<usize>,
    /// The last places with the wanted outcome and with another one, as indices into `live`.
    kept: usize,
    missed: Option<usize>,
    step: usize,
    first_step: usize,
    gallops: bool,
    /// Whether the walk brings the fix forward instead of going back.
    pub(super) forward: bool,
    pub(super) patch: Part,
    /// Whether versions can be skipped.
    skips: bool,
    /// The skipped versions by place.
    skipped: BTreeMap<usize, String>,
}

impl Walk {
    /// Creates a walk whose first version has the wanted outcome with the patch. A gallop starts with a step of `first_step`
    /// versions.
    pub(super) fn new(way: Vec<String>, patch: Part, how: config::Walk, first_step: usize, forward: bool) -> Walk {
        let gallops = how == config::Walk::Gallop;
        let first_step = if gallops { first_step.max(1) } else { 1 };
        Walk {
            live: (0..way.len()).collect(),
            way: Arc::new(way),
            kept: 0,
            missed: None,
            step: first_step,
            first_step,
            gallops,
            forward,
            patch,
            skips: true,
            skipped: BTreeMap::new(),
        }
    }

    /// Returns the outcome that versions must have with the patch: that of the start, or a pass on the way forward.
    pub(super) fn original_result(&self) -> Kind {
        if self.forward { Kind::Pass } else { Kind::Same }
    }

    /// Returns the version to test now, or `None` at the end.
    pub(super) fn next(&self) -> Option<usize> {
        match self.missed {
            Some(missed) if missed == self.kept + 1 => Some(missed),
            Some(missed) => Some(self.kept + (missed - self.kept) / 2),
            None if self.kept + 1 == self.live.len() => None,
            None => Some(self.kept.saturating_add(self.step).min(self.live.len() - 1)),
        }
    }

    pub(super) fn revision(&self, place: usize) -> &str {
        &self.way[self.live[place]]
    }

    /// Returns the last version with the wanted outcome.
    pub(super) fn last(&self) -> &str {
        self.revision(self.kept)
    }

    pub(super) fn is_adjacent(&self, place: usize) -> bool {
        place == self.kept + 1
    }

    pub(super) fn is_end(&self, place: usize) -> bool {
        place + 1 == self.live.len()
    }

    /// Returns the nearest version after the last kept one that had another outcome.
    pub(super) fn missed(&self) -> Option<usize> {
        self.missed
    }

    /// Records the wanted outcome at a place.
    pub(super) fn keep(&mut self, place: usize) {
        self.kept = place;
        if self.gallops && self.missed.is_none() {
            self.step = self.step.saturating_mul(2);
        }
    }

    /// Records another outcome at a place.
    pub(super) fn miss(&mut self, place: usize) {
        self.missed = Some(place);
    }

    /// Records the wanted outcome at a place with another patch.
    pub(super) fn replace(&mut self, place: usize, patch: Part) {
        (self.kept, self.missed, self.step, self.patch) = (place, None, self.first_step, patch);
    }

    /// Takes longer steps from here on.
    pub(super) fn gallop(&mut self) {
        self.gallops = true;
    }

    /// Returns whether a version that does not build can be skipped.
    pub(super) fn may_skip(&self) -> bool {
        self.skips
    }

    /// Skips a version that does not build.
    pub(super) fn skip(&mut self, place: usize) {
        let at = self.live.remove(place);
        self.skipped.insert(at, self.way[at].clone());
        self.missed = match self.missed {
            Some(missed) if missed > place => Some(missed - 1),
            Some(missed) if missed == place => None,
            other => other,
        };
        if self.gallops {
            self.step = self.step.saturating_mul(2);
        }
    }

    /// Restores all skipped versions, which are then never skipped again. Returns false if there are none.
    pub(super) fn take_back(&mut self) -> bool {
        let from = self.live[self.kept];
        let back: Vec<usize> = self.skipped.range(from..).map(|(&at, _)| at).collect();
        if back.is_empty() {
            return false;
        }
        self.skips = false;
        for at in back {
            self.skipped.remove(&at);
            self.live.push(at);
        }
        self.live.sort_unstable();
        self.step = 1;
        true
    }

    /// Returns the skipped versions between the last wanted outcome and a place, in the order of the walk.
    pub(super) fn between(&self, place: usize) -> Vec<String> {
        self.skipped.range(self.live[self.kept]..self.live[place]).map(|(_, revision)| revision.clone()).collect()
    }

    /// Returns whether the outcome of a version can still be useful.
    pub(super) fn wants(&self, revision: &str) -> bool {
        let end = self.missed.map_or(self.live.len(), |missed| missed + 1);
        self.live[self.kept + 1..end].iter().any(|&at| self.way[at] == revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_block_that_is_skipped_never_leads_back() {
        let way = (0..300).map(|place| place.to_string()).collect();
        let mut walk = Walk::new(way, Part::default(), config::Walk::Gallop, 1, false);
        walk.kept = 3;
        for _ in 0..200 {
            let next = walk.next().unwrap();
            assert!(next > 3, "{next}");
            walk.skip(next);
        }
    }
}
