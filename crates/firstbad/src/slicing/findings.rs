//! The parts of a report: the evidence, the sizes, the warnings, and the command that picks the slice.

use hashbrown::HashMap;

use super::algorithm::Slice;
use super::config::SlicerConfig;
use super::message;
use super::proof::Shown;
use super::report::{SliceEvidence, SliceSize, change_parts};
use crate::reduction::Verdict;
use crate::search::{Key, Ledger};

impl Slice {
    pub(super) fn names(&self, changes: &[usize]) -> Vec<String> {
        changes.iter().map(|&change| self.name(change)).collect()
    }

    fn name(&self, change: usize) -> String {
        self.config.changes.get(change).cloned().unwrap_or_else(|| change.to_string())
    }

    /// Returns the evidence that changes are needed, for the report.
    pub(super) fn why(&self, shown: &[Shown], ledger: &Ledger) -> Vec<SliceEvidence> {
        let mut number: HashMap<Key, usize> = HashMap::new();
        for (place, answer) in ledger.answers().iter().enumerate() {
            number.entry(answer.key).or_insert(place);
        }
        let numbers = |keys: &[Key]| -> Vec<usize> { keys.iter().filter_map(|key| number.get(key).copied()).collect() };
        let reason = |shown: &Shown| {
            let alike = shown.alike.map_or_else(Vec::new, |alike| numbers(&alike));
            let mut unbuilt = numbers(&shown.sets);
            let is_last = |&last: &usize| *self.tested.items.set(ledger.answers()[last].key) == shown.without;
            let tested = unbuilt.pop_if(|last| is_last(last));
            let observation = tested.or_else(|| alike.first().copied())?;
            let seen = &ledger.answers()[observation].observation;
            // The first set lacks only this change.
            let alone = shown.sets.first().copied();
            Some(SliceEvidence {
                context_of: alone.and_then(|alone| self.unresolved.conflict(alone)),
                change: shown.change,
                name: self.name(shown.change),
                changes: shown.without.clone(),
                observation,
                outcome: seen.outcome,
                ran: seen.ran && tested.is_some(),
                unbuilt,
                alike,
            })
        };
        shown.iter().filter_map(reason).collect()
    }

    /// Returns the command that picks these changes, if they are whole commits of a repository.
    pub(super) fn cherry_pick(&self, kept: &[usize]) -> Option<String> {
        let SlicerConfig { changes, joined, merges, .. } = &self.config;
        let is_whole = |&change: &usize| changes.get(change).is_some_and(|name| change_parts(name).1.is_empty());
        if kept.is_empty() || self.config.history.is_none() || !kept.iter().all(is_whole) {
            return None;
        }
        let mut words = vec!["git cherry-pick -x"];
        // Commits that are not merges also accept this option.
        words.extend(kept.iter().any(|change| merges.contains(change)).then_some("-m 1"));
        for change in kept {
            words.extend(joined.get(change).into_iter().flatten().map(String::as_str));
            words.push(&changes[*change]);
        }
        Some(words.join(" "))
    }

    /// Returns the number of changes left after each run.
    pub(super) fn sizes(&self, ledger: &Ledger) -> Vec<SliceSize> {
        let (mut sizes, mut run, mut least) = (Vec::new(), 0, usize::MAX);
        for answer in ledger.answers() {
            run += u64::from(answer.probe.is_some() && answer.observation.ran);
            let set = self.tested.items.set(answer.key);
            let holds = self.tested.verdicts.of(answer.key) == Some(Verdict::Holds);
            if holds && set.len() < least {
                least = set.len();
                sizes.push(SliceSize { run, changes: least });
            }
        }
        sizes
    }

    pub(super) fn warnings(&self, shown: &[Shown]) -> Vec<String> {
        let is_unbuilt = |shown: &&Shown| {
            shown.sets.last().is_some_and(|&key| self.tested.verdicts.of(key) == Some(Verdict::Unresolved))
        };
        let unbuilt: Vec<usize> = shown.iter().filter(is_unbuilt).map(|shown| shown.change).collect();
        let mut warnings = self.warnings.clone();
        if !unbuilt.is_empty() {
            warnings.push(message::not_built(&self.names(&unbuilt)));
        }
        warnings
    }
}
