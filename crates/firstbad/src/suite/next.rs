//! The next probes.

use std::sync::Arc;

use hashbrown::HashSet;

use super::algorithm::Triage;
use super::classes::Open;
use super::measured::RunCosts;
use super::message::Why;
use super::rule::{Costs, Decision, choose};
use crate::graph::Node;
use crate::search::{ChangeSet, Key, Target};

/// The costs of a build and of a test until they are measured.
const COSTS: (f64, f64) = (10.0, 1.0);

impl Triage {
    pub(super) fn is_silent(&self, node: Node) -> bool {
        self.untestable.binary_search(&node).is_ok()
    }

    /// Returns the costs of a run.
    fn costs(&self) -> RunCosts {
        let given = self.config.costs.map(|costs| RunCosts::new(costs.build, costs.test));
        given.or_else(|| self.measured.costs()).unwrap_or_else(|| RunCosts::new(COSTS.0, COSTS.1))
    }

    /// Returns the revisions whose builds are kept.
    fn kept(&self) -> HashSet<Node> {
        self.built.iter().rev().take(self.config.keep_builds.count()).copied().collect()
    }

    /// Returns the next probe, given the probes in flight.
    pub(super) fn next(&self, flying: &[(Node, ChangeSet)]) -> Option<(Node, ChangeSet)> {
        let is_flying = |test: usize, node: Node| {
            let tests = if test == self.build() { None } else { Some(test) };
            flying.iter().any(|(other, set)| *other == node && tests.map_or(set.is_empty(), |test| set.contains(test)))
        };
        let open: Vec<usize> = self.searched().filter(|&number| self.subjects[number].is_open()).collect();
        let batch = self.config.batch.map_or(usize::MAX, |batch| batch as usize);
        let (node, tests) = self.start(&open, &is_flying).or_else(|| self.best(&open, flying, batch))?;
        Some((node, tests.into_iter().take(batch).filter(|&test| test != self.build()).collect()))
    }

    /// Returns the first probes: every test at the bad revision, then one test per signature at the good one.
    fn start(&self, open: &[usize], is_flying: &dyn Fn(usize, Node) -> bool) -> Option<(Node, Vec<usize>)> {
        let (bad, good) = (self.ends.bad, self.good());
        let is_asked = |number: usize, node: Node| {
            let evidence = &self.subjects[number].evidence;
            evidence.at(node).runs() > 0 || evidence.missing(node) > 0 || is_flying(number, node)
        };
        let at_bad: Vec<usize> = open.iter().copied().filter(|&number| !is_asked(number, bad)).collect();
        if !at_bad.is_empty() {
            return Some((bad, at_bad));
        }
        if good == bad || self.is_silent(good) {
            return None;
        }
        let group = |number: usize| self.subjects[number].group;
        let mut met: HashSet<Option<u32>> =
            self.searched().filter(|&number| is_asked(number, good)).map(group).collect();
        let mut is_first = |number: usize| match group(number) {
            _ if self.subjects[number].is_unknown_before => true,
            None if !self.groups.is_empty() => true,
            group => met.insert(group),
        };
        let waiting = open.iter().copied().filter(|&number| !is_asked(number, good));
        let at_good: Vec<usize> = waiting.filter(|&number| is_first(number)).collect();
        Some((good, at_good)).filter(|(_, tests)| !tests.is_empty())
    }

    fn best(&self, open: &[usize], flying: &[(Node, ChangeSet)], batch: usize) -> Option<(Node, Vec<usize>)> {
        let tests: Vec<Open> = open
            .iter()
            .filter_map(|&test| {
                let subject = &self.subjects[test];
                let of_build = test == self.build();
                let own = flying.iter().filter(|(_, set)| if of_build { set.is_empty() } else { set.contains(test) });
                Some(Open {
                    test,
                    belief: Arc::clone(subject.belief.as_ref()?),
                    group: subject.group,
                    due: if let Decision::Open(due) = &subject.decision { due.clone() } else { Vec::new() },
                    flying: own.map(|(node, _)| *node).collect(),
                })
            })
            .collect();
        let RunCosts { build: full_build, kept, test } = self.costs();
        let builds = self.kept();
        let build = |node: Node| if builds.contains(&node) { kept } else { full_build };
        let costs = Costs { build: &build, full_build, test, batch };
        choose((&self.past, &self.pasts, self.good()), (&tests, !self.groups.is_empty()), &costs)
    }

    /// Returns the revision and the tests of a key.
    pub(super) fn probe(&self, key: Key) -> Option<(Node, ChangeSet)> {
        let tests = self.space.tests(key).cloned();
        Some((self.space.node(key)?, tests.unwrap_or_else(|| ChangeSet::all(self.space.ids().len()))))
    }

    /// Returns why the search would ask for a target now.
    pub(super) fn why_now(&self, target: &Target) -> Option<Why> {
        let node = self.graph.get(target.revision.as_deref()?)?;
        let Some(tests) = &target.tests else {
            return self.unreported().contains(&node).then_some(Why::Suite { at_bad: node == self.ends.bad });
        };
        let at =
            |test: usize| self.subjects[test].evidence.at(node).runs() + self.subjects[test].evidence.missing(node);
        let is_due =
            |test: &usize| matches!(&self.subjects[*test].decision, Decision::Open(due) if due.contains(&node));
        let due = tests.iter().filter(is_due).count();
        Some(match tests.len() {
            0 => Why::Build,
            count if node == self.ends.bad && tests.iter().all(|test| at(test) == 0) => Why::Bad(count),
            count if node == self.good() && tests.iter().all(|test| at(test) == 0) => Why::Good(count),
            _ if due > 0 => Why::Due(due),
            count => {
                let groups: HashSet<_> = tests.iter().filter_map(|test| self.subjects[test].group).collect();
                let alone = tests.iter().filter(|&test| self.subjects[test].group.is_none()).count();
                Why::Halves(count, if self.groups.is_empty() { 1 } else { groups.len() + alone })
            }
        })
    }

    /// Whether the outcome of a probe can still change a verdict.
    pub(super) fn is_wanted(&self, key: Key) -> bool {
        let Some((node, tests)) = self.probe(key) else { return false };
        if self.space.tests(key).is_none() && self.unreported().contains(&node) {
            return true;
        }
        let numbers = if tests.is_empty() { vec![self.build()] } else { tests.iter().collect() };
        let searched = self.searched();
        numbers.into_iter().any(|number| {
            let subject = &self.subjects[number];
            let Decision::Open(due) = &subject.decision else { return false };
            let column = if node == self.good() { Some(self.past.len()) } else { self.past.place(node) };
            let gain =
                subject.belief.as_ref().zip(column).map_or(0.0, |(belief, column)| belief.gains(&self.past).at[column]);
            let evidence = &subject.evidence;
            let is_first = evidence.at(node).runs() == 0 && (node == self.ends.bad || node == self.good());
            searched.contains(&number) && subject.is_open() && (due.contains(&node) || is_first || gain > 1e-6)
        })
    }
}
