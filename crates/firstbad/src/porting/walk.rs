//! From version to version with a patch: where the walk stands, and which version comes next (IDD, Figure 2 and Section
//! 4.1).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config;
use super::failure::Kind;
use super::patches::Part;

/// A walk along a way, carrying a patch.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    way: Arc<Vec<String>>,
    /// The places on the way that count, ascending: versions that do not build by themselves are left out.
    live: Vec<usize>,
    /// Where the wanted outcome was seen last, and where another one was, as places in `live`.
    kept: usize,
    missed: Option<usize>,
    step: usize,
    first_step: usize,
    gallops: bool,
    /// Whether the walk brings the fix forward, and does not go back in history.
    pub(super) forward: bool,
    pub(super) patch: Part,
    /// Whether versions may be left out.
    skips: bool,
    /// The versions left out, by their place on the way.
    skipped: BTreeMap<usize, String>,
}

impl Walk {
    /// A walk at its beginning, where the first version is known to have the wanted outcome with the patch. The way on
    /// is gone with `first_step` versions at once if it gallops.
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

    /// The result that versions are to have with the patch: that of the start, or a pass on the way forward.
    pub(super) fn original_result(&self) -> Kind {
        if self.forward { Kind::Pass } else { Kind::Same }
    }

    /// The version to look at now; `None` at the end of the way.
    pub(super) fn next(&self) -> Option<usize> {
        match self.missed {
            Some(missed) if missed == self.kept + 1 => Some(missed),
            Some(missed) => Some(self.kept + (missed - self.kept) / 2),
            None if self.kept + 1 == self.live.len() => None,
            None => Some((self.kept + self.step).min(self.live.len() - 1)),
        }
    }

    pub(super) fn revision(&self, place: usize) -> &str {
        &self.way[self.live[place]]
    }

    /// The last version with the wanted outcome.
    pub(super) fn last(&self) -> &str {
        self.revision(self.kept)
    }

    pub(super) fn is_adjacent(&self, place: usize) -> bool {
        place == self.kept + 1
    }

    /// Whether a place is the last one of the way.
    pub(super) fn is_end(&self, place: usize) -> bool {
        place + 1 == self.live.len()
    }

    /// The nearest version behind the last kept one where another outcome was seen.
    pub(super) fn missed(&self) -> Option<usize> {
        self.missed
    }

    /// The wanted outcome was seen there with the patch.
    pub(super) fn keep(&mut self, place: usize) {
        self.kept = place;
        if self.gallops && self.missed.is_none() {
            self.step = self.step.saturating_mul(2);
        }
    }

    /// Another outcome was seen there.
    pub(super) fn miss(&mut self, place: usize) {
        self.missed = Some(place);
    }

    /// The wanted outcome was seen there with another patch.
    pub(super) fn replace(&mut self, place: usize, patch: Part) {
        (self.kept, self.missed, self.step, self.patch) = (place, None, self.first_step, patch);
    }

    /// From here on several versions at once.
    pub(super) fn gallop(&mut self) {
        self.gallops = true;
    }

    /// Whether a version that does not build by itself may be left out.
    pub(super) fn may_skip(&self) -> bool {
        self.skips
    }

    /// That version does not build by itself, and says nothing.
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

    /// Nothing came behind the versions left out: takes them back, never to be left out again; false if there are none.
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

    /// The versions left out between the last one with the wanted outcome and a place, in the order of the way.
    pub(super) fn between(&self, place: usize) -> Vec<String> {
        self.skipped.range(self.live[self.kept]..self.live[place]).map(|(_, revision)| revision.clone()).collect()
    }

    /// Whether an answer about a version could still be of use.
    pub(super) fn wants(&self, revision: &str) -> bool {
        let end = self.missed.map_or(self.live.len(), |missed| missed + 1);
        self.live[self.kept + 1..end].iter().any(|&at| self.way[at] == revision)
    }
}
