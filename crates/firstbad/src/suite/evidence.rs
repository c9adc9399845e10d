//! What was seen of one test.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::belief::RunCounts;
use crate::graph::Node;
use crate::graph::Past;

/// The results of a test, by revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    runs: BTreeMap<Node, RunCounts>,
    /// The number of times that the test was asked for and had no result although the revision could be built.
    missing: BTreeMap<Node, u32>,
    /// The number of passes and failures.
    pub(super) results: u32,
    /// The number of times that the test was asked for in vain.
    pub(super) fruitless: u32,
}

impl Evidence {
    pub(super) fn add(&mut self, node: Node, counts: RunCounts) {
        *self.runs.entry(node).or_default() += counts;
        self.results = self.results.saturating_add(1);
    }

    pub(super) fn add_missing(&mut self, node: Node) {
        let missing = self.missing.entry(node).or_default();
        *missing = missing.saturating_add(1);
        self.fruitless = self.fruitless.saturating_add(1);
    }

    /// Returns the runs at a revision.
    pub(super) fn at(&self, node: Node) -> RunCounts {
        self.runs.get(&node).copied().unwrap_or_default()
    }

    /// Returns how often the test had no result at a revision.
    pub(super) fn missing(&self, node: Node) -> u32 {
        self.missing.get(&node).copied().unwrap_or_default()
    }

    /// Returns whether the test has no result at a revision, but was asked for there.
    pub(super) fn is_unresolved(&self, node: Node) -> bool {
        self.missing(node) > 0 && self.at(node).runs() == 0
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = (Node, RunCounts)> + '_ {
        self.runs.iter().map(|(&node, &runs)| (node, runs))
    }

    pub(super) fn unresolved(&self) -> impl Iterator<Item = Node> + '_ {
        self.missing.keys().copied().filter(|&node| self.at(node).runs() == 0)
    }

    /// Returns the revisions at which the test was asked for. A revision can occur twice.
    pub(super) fn asked(&self) -> impl Iterator<Item = Node> + '_ {
        self.runs.keys().chain(self.missing.keys()).copied()
    }

    /// Returns the sum of all runs.
    pub(super) fn total(&self) -> RunCounts {
        self.runs.values().fold(RunCounts::default(), |sum, &runs| sum + runs)
    }
}

/// The facts that determine a belief. Tests with equal facts share one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Facts {
    /// Whether the test failed at the bad revision last night.
    pub(super) red_tonight: bool,
    /// Whether the test passed at the good revision in the last green run.
    pub(super) green_last: bool,
    /// The passes and failures by revision.
    pub(super) runs: Vec<(Node, u32, u32)>,
    /// The suspects that say nothing, by place.
    pub(super) unresolved: Vec<u32>,
}

/// The pasts of the revisions that had a run.
#[derive(Default)]
pub(super) struct Pasts(HashMap<Node, FixedBitSet>);

impl Pasts {
    pub(super) fn learn(&mut self, past: &Past, node: Node) {
        self.0.entry(node).or_insert_with(|| past.of(node));
    }

    /// Returns whether the suspect at `place` is in the past of a revision that had a run.
    pub(super) fn holds(&self, node: Node, place: usize) -> bool {
        self.0.get(&node).is_some_and(|past| past.contains(place))
    }

    pub(super) fn get(&self, node: Node) -> Option<&FixedBitSet> {
        self.0.get(&node)
    }
}

/// The data of a test that do not come from its runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    pub(super) bad: Node,
    pub(super) red_tonight: bool,
    pub(super) green_last: bool,
    pub(super) is_new: bool,
}

impl Facts {
    /// Returns the facts about a test, and the revisions whose failures are left out because the test passed after them.
    /// `untestable` are the revisions that say nothing about any test.
    pub(super) fn of(
        evidence: &Evidence,
        (past, pasts): (&Past, &Pasts),
        Given { bad, red_tonight, green_last, is_new }: Given,
        untestable: &[Node],
    ) -> (Facts, Vec<Node>) {
        let is_before =
            |node: Node, later: Node| node != later && past.place(node).is_some_and(|place| pasts.holds(later, place));
        let intact = intact(evidence, &is_before);
        let is_older = |node: Node| node != bad && intact.iter().any(|&later| is_before(node, later));
        let (mut older, mut runs) = (Vec::new(), Vec::new());
        for (node, mut counts) in evidence.runs() {
            if counts.fails > 0 && is_older(node) {
                counts.fails = 0;
                older.push(node);
            }
            if counts.runs() > 0 {
                runs.push((node, counts.passes, counts.fails));
            }
        }
        // A new test does not fail where it does not exist yet.
        let absent = evidence.unresolved().filter(|&node| is_new && node != bad);
        runs.extend(absent.map(|node| (node, evidence.missing(node), 0)));
        runs.sort_unstable();
        let silent = evidence.unresolved().filter(|_| !is_new).chain(untestable.iter().copied());
        let mut unresolved: Vec<u32> = silent.filter_map(|node| Some(past.place(node)? as u32)).collect();
        unresolved.sort_unstable();
        unresolved.dedup();
        (Facts { red_tonight, green_last, runs, unresolved }, older)
    }
}

/// Returns the revisions after which an intermittent test was intact: two passes, no failure, and a failure at an ancestor.
fn intact(evidence: &Evidence, is_before: &dyn Fn(Node, Node) -> bool) -> Vec<Node> {
    let only_fails = |runs: RunCounts| runs.fails > 0 && runs.passes == 0;
    let fails_before = |node: Node| evidence.runs().any(|(older, runs)| only_fails(runs) && is_before(older, node));
    let passes = evidence.runs().filter(|(_, runs)| runs.passes >= 2 && runs.fails == 0);
    passes.map(|(node, _)| node).filter(|&node| fails_before(node)).collect()
}
