//! Triage as an ask/tell algorithm.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::belief::Belief;
use super::config::TriageConfig;
use super::evidence::{Facts, Pasts};
use super::likelihood::Cells;
use super::listing::{Groups, subjects};
use super::measured::Measured;
use super::message;
use super::report::TriageReport;
use super::reports::{Missing, Reports};
use super::rule::Decided;
use super::space::Suite;
use super::subject::Subject;
use crate::belief::PriorWeights;
use crate::error::Error;
use crate::graph::{CommitGraph, Ends, Node, Past};
use crate::search::{Algorithm, ChangeSet, Key, Ledger, Observation, Reading, Status, Target};
use crate::suspicion::SelectionReason;

/// The algorithm behind a [`TriageSearch`](super::TriageSearch).
pub struct Triage {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: TriageConfig,
    pub(super) ends: Ends,
    pub(super) space: Suite,
    pub(super) past: Past,
    pub(super) prior: Option<PriorWeights>,
    /// The prior of each suspect, with sum 1.
    pub(super) shares: Vec<f64>,
    pub(super) reports: Reports,
    pub(super) missing: Missing,
    pub(super) subjects: Vec<Subject>,
    pub(super) groups: Groups,
    pub(super) pasts: Pasts,
    /// The revisions that can be built, the last one last.
    pub(super) built: Vec<Node>,
    /// The revisions without an outcome of the whole.
    pub(super) unresolved: BTreeMap<Node, u32>,
    /// The revisions that say nothing about any test.
    pub(super) untestable: Vec<Node>,
    pub(super) measured: Measured,
    pub(super) beliefs: HashMap<(Arc<Facts>, Arc<Decided>), Arc<Belief>>,
    pub(super) cells: HashMap<Arc<Facts>, Arc<Cells>>,
}

impl Triage {
    fn open(graph: Arc<CommitGraph>, mut config: TriageConfig) -> Result<Self, Error> {
        config.settle()?;
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        let weights = config.weights(&graph)?;
        // Store full ids, because a branch can move before the search is resumed.
        config.bad = vec![graph.id(ends.bad).to_owned()];
        config.good = ends.good.iter().map(|&node| graph.id(node).to_owned()).collect();
        config.prior = config.prior.take().and_then(|given| given.settled(&graph, weights.as_ref()));
        let past = Past::new(Arc::clone(&graph), ends.bad, &ends.good);
        let weight = |place: usize| weights.as_ref().map_or(1.0, |weights| weights.possible(past.node(place)));
        let all: f64 = (0..past.len()).map(weight).sum();
        let shares = (0..past.len()).map(|place| weight(place) / all).collect();
        let mut triage = Triage {
            space: Suite::new(Arc::clone(&graph), vec![ends.bad]),
            reports: Reports::of(&config),
            missing: Missing::of(&config, ends.bad, ends.first_good()),
            pasts: Pasts::default(),
            built: Vec::new(),
            unresolved: BTreeMap::new(),
            untestable: Vec::new(),
            measured: Measured::default(),
            beliefs: HashMap::new(),
            cells: HashMap::new(),
            prior: weights,
            graph,
            config,
            ends,
            past,
            shares,
            subjects: Vec::new(),
            groups: Groups::default(),
        };
        triage.restart();
        Ok(triage)
    }

    /// Forgets all outcomes except for the reports.
    fn restart(&mut self) {
        self.space.learn(&self.reports.tests);
        self.missing = Missing::of(&self.config, self.ends.bad, self.good());
        self.groups = Groups::default();
        self.subjects = subjects(&self.config, &self.reports, self.space.ids(), &mut self.groups);
        (self.built, self.unresolved, self.untestable) = (Vec::new(), BTreeMap::new(), Vec::new());
        self.measured = Measured::default();
        self.settle();
    }

    pub(super) fn good(&self) -> Node {
        self.ends.first_good()
    }

    /// The number of the build among the subjects.
    pub(super) fn build(&self) -> usize {
        self.subjects.len() - 1
    }

    /// Whether the bad revision cannot be built. The build then is the only subject.
    pub(super) fn is_build_broken(&self) -> bool {
        let at_bad = self.subjects[self.build()].evidence.at(self.ends.bad);
        at_bad.fails > 0 && at_bad.passes == 0
    }

    /// Returns the subjects that the search is about now.
    pub(super) fn searched(&self) -> std::ops::Range<usize> {
        if self.is_build_broken() { self.build()..self.build() + 1 } else { 0..self.build() }
    }

    /// Returns the revision of a key.
    pub(super) fn node(&self, key: Key) -> Option<Node> {
        self.space.node(key)
    }

    /// Returns the number of tests of a key.
    pub(super) fn tests_of(&self, key: Key) -> usize {
        self.space.tests(key).map_or(self.space.ids().len(), ChangeSet::len)
    }
}

impl Algorithm for Triage {
    type Config = TriageConfig;
    type Report = TriageReport;
    type Space = Suite;

    const NAME: &'static str = "triage";

    fn new(graph: Arc<CommitGraph>, config: TriageConfig) -> Result<Self, Error> {
        Triage::open(graph, config)
    }

    fn space(&self) -> &Suite {
        &self.space
    }

    fn space_mut(&mut self) -> &mut Suite {
        &mut self.space
    }

    fn config(&self) -> &TriageConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn relevant(&self, observation: Observation) -> Result<Observation, Error> {
        // The failing tests are not known before the last report.
        let is_early = !self.unreported().is_empty();
        Ok(observation.with_results(|id| is_early || self.space.number(id).is_some()))
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        if !self.take(key, observation) {
            return Reading::Anew;
        }
        self.settle();
        Reading::Stands
    }

    fn begin_rereading(&mut self) {
        self.restart();
    }

    fn reset(&mut self) {
        self.reports = Reports::of(&self.config);
        self.restart();
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let mut flying: Vec<(Node, ChangeSet)> = in_flight.iter().filter_map(|&key| self.probe(key)).collect();
        flying.iter().for_each(|(node, _)| self.pasts.learn(&self.past, *node));
        let unreported = self.unreported();
        if !unreported.is_empty() {
            let mut keys: Vec<Key> = unreported.into_iter().map(|node| self.space.key_of(node, None)).collect();
            keys.retain(|key| !in_flight.contains(key));
            keys.truncate(want);
            return keys;
        }
        let mut keys = Vec::new();
        while keys.len() < want
            && let Some((node, tests)) = self.next(&flying)
        {
            self.pasts.learn(&self.past, node);
            flying.push((node, tests.clone()));
            keys.push(self.space.key_of(node, Some(tests)));
        }
        keys
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        in_flight.iter().map(|&key| self.is_wanted(key)).collect()
    }

    fn tests(&self, target: &Target) -> Option<Vec<String>> {
        let ids = self.space.ids();
        match &target.tests {
            Some(tests) => Some(tests.iter().filter_map(|test| ids.get(test).cloned()).collect()),
            None if self.unreported().is_empty() => {
                let is_searched = |&number: &usize| self.subjects[number].listed.is_none();
                Some((0..ids.len()).filter(is_searched).map(|number| ids[number].clone()).collect())
            }
            None => None,
        }
    }

    fn status(&self) -> Status {
        self.verdict_status()
    }

    fn report(&self, status: Status, ledger: &Ledger) -> TriageReport {
        self.write_report(status, ledger)
    }

    fn sentences(report: &mut TriageReport) -> Vec<&mut String> {
        std::iter::once(&mut report.message).chain(&mut report.warnings).collect()
    }

    fn best(report: &TriageReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report, named)
    }

    fn reason(&self, target: &Target) -> Option<String> {
        self.why_now(target).map(message::reason)
    }

    fn why(&self, revision: &str) -> Option<SelectionReason> {
        self.prior.as_ref()?.why(&self.graph, self.graph.get(revision)?)
    }
}
