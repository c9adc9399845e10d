//! Takes observations into account.

use std::collections::BTreeMap;

use super::algorithm::Triage;
use crate::belief::RunCounts;
use crate::graph::Node;
use crate::search::{ChangeSet, Key, Observation, Outcome, Stage, TestResult};

impl Triage {
    /// Adds an observation to the evidence. Returns false if it is a report that changes the meaning of earlier observations.
    pub(super) fn take(&mut self, key: Key, observation: &Observation) -> bool {
        let Some(node) = self.space.node(key) else { return true };
        let is_report = self.is_report(key, node);
        self.pasts.learn(&self.past, node);
        let asked = self.space.tests(key).cloned();
        let only_build = asked.as_ref().is_some_and(ChangeSet::is_empty);
        let tests = if is_report { 0 } else { self.space.ids().len() };
        let asked = asked.unwrap_or_else(|| ChangeSet::all(tests));
        let is_early = observation.stage.is_some_and(|stage| stage < Stage::Test);
        let has_results = !observation.results.is_empty();
        let is_failure = is_early || (only_build && observation.outcome == Outcome::Fail);
        let build = self.build();
        if observation.outcome != Outcome::Pass && is_failure && !has_results {
            let is_built = self.subjects[build].evidence.at(node).passes > 0;
            self.see(build, node, RunCounts { passes: 0, fails: 1 });
            match is_built {
                // Other tests ran there, so these tests cannot start, or the build is flaky.
                true => self.miss(node, &asked),
                false => asked.iter().for_each(|test| self.subjects[test].evidence.fruitless += 1),
            }
        } else if observation.outcome == Outcome::Unresolved && observation.stage.is_none() && !has_results {
            *self.unresolved.entry(node).or_default() += 1;
            self.miss(node, &asked);
        } else {
            self.see(build, node, RunCounts { passes: 1, fails: 0 });
            self.built.retain(|&other| other != node);
            self.built.push(node);
            self.measured.add(observation);
            match (has_results, observation.outcome) {
                _ if is_report => {}
                (true, _) => self.take_results(node, &asked, &observation.results),
                (false, Outcome::Unresolved) => self.miss(node, &asked),
                (false, _) => asked.iter().for_each(|test| self.see(test, node, RunCounts::from(observation))),
            }
        }
        let silent = self.silent();
        if silent != self.untestable {
            self.untestable = silent;
            self.subjects.iter_mut().for_each(|subject| subject.is_changed = true);
        }
        !is_report || self.collect(node, observation)
    }

    fn take_results(&mut self, node: Node, asked: &ChangeSet, results: &BTreeMap<String, TestResult>) {
        let numbers: Vec<(usize, &TestResult)> =
            results.iter().filter_map(|(id, result)| Some((self.space.number(id)?, result))).collect();
        let mut without = asked.clone();
        for &(test, result) in &numbers {
            let (passes, fails) = result.counts();
            if passes + fails > 0 {
                self.see(test, node, RunCounts { passes, fails });
            }
            if fails > 0 && node == self.ends.bad && self.subjects[test].signature.is_none() {
                let group = result.signature.as_deref().map(|signature| self.groups.of(signature));
                let subject = &mut self.subjects[test];
                (subject.signature, subject.group) = (result.signature.clone(), group);
            }
        }
        let seen: ChangeSet =
            numbers.iter().filter(|(_, result)| result.counts() != (0, 0)).map(|(test, _)| *test).collect();
        without = without.iter().filter(|&test| !seen.contains(test)).collect();
        self.miss(node, &without);
    }

    fn see(&mut self, subject: usize, node: Node, counts: RunCounts) {
        self.subjects[subject].evidence.add(node, counts);
        self.subjects[subject].is_changed = true;
    }

    fn miss(&mut self, node: Node, tests: &ChangeSet) {
        for test in tests.iter() {
            self.subjects[test].evidence.add_missing(node);
            self.subjects[test].is_changed = true;
        }
    }

    /// Returns the revisions without a build, which say nothing about any test.
    fn silent(&self) -> Vec<Node> {
        let build = &self.subjects[self.build()].evidence;
        let failed = build.runs().filter(|(_, runs)| runs.passes == 0).map(|(node, _)| node);
        let unresolved = self.unresolved.keys().copied().filter(|&node| build.at(node).passes == 0);
        let mut silent: Vec<Node> = failed.chain(unresolved).filter(|&node| node != self.ends.bad).collect();
        silent.sort_unstable();
        silent.dedup();
        silent
    }
}
