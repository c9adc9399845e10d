//! Triage as an ask/tell algorithm.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::belief::Belief;
use super::classes::Open;
use super::config::{Ends, TriageConfig};
use super::evidence::{Facts, Given, Pasts};
use super::listing::{Groups, subjects};
use super::message::{self, Why};
use super::past::Past;
use super::report::TriageReport;
use super::rule::{Case, Costs, Decided, Decision, KEPT, choose, prior};
use super::space::Suite;
use super::subject::Subject;
use crate::belief::{PriorWeights, RunCounts};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{
    Algorithm, ChangeSet, Key, Ledger, Observation, Outcome, Reading, Stage, Status, Target, TestResult,
};
use crate::suspicion::SelectionReason;

/// The algorithm behind a [`TriageSearch`](super::TriageSearch).
pub struct Triage {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: TriageConfig,
    pub(super) ends: Ends,
    space: Suite,
    pub(super) past: Past,
    pub(super) prior: Option<PriorWeights>,
    /// The prior of each suspect, with sum 1.
    shares: Vec<f64>,
    numbers: HashMap<String, usize>,
    pub(super) subjects: Vec<Subject>,
    groups: Groups,
    pasts: Pasts,
    /// The revisions that can be built, the last one last.
    built: Vec<Node>,
    /// The revisions without an outcome of the whole.
    unresolved: BTreeMap<Node, u32>,
    /// The revisions that say nothing about any test.
    untestable: Vec<Node>,
    measured: Measured,
    beliefs: HashMap<(Arc<Facts>, Arc<Decided>), Arc<Belief>>,
}

/// The durations in the observations, as sums with counts.
#[derive(Default, Clone, Copy)]
struct Measured {
    builds: (f64, u32),
    tests: (f64, u32),
}

/// The costs until they are measured.
const COSTS: (f64, f64) = (10.0, 1.0);

impl Triage {
    fn open(graph: Arc<CommitGraph>, mut config: TriageConfig) -> Result<Self, Error> {
        config.settle()?;
        let ends = Ends::new(&graph, &config)?;
        let weights = config.weights(&graph)?;
        // Store full ids, because a branch can move before the search is resumed.
        config.bad = vec![graph.id(ends.bad).to_owned()];
        config.good = ends.good.iter().map(|&node| graph.id(node).to_owned()).collect();
        config.prior = config.prior.take().and_then(|given| given.settled(&graph, weights.as_ref()));
        let past = Past::new(Arc::clone(&graph), ends.bad, &ends.good);
        let weight = |place: usize| weights.as_ref().map_or(1.0, |weights| weights.possible(past.node(place)));
        let all: f64 = (0..past.len()).map(weight).sum();
        let shares = (0..past.len()).map(|place| weight(place) / all).collect();
        let mut groups = Groups::default();
        let subjects = subjects(&config, &mut groups);
        let mut triage = Triage {
            space: Suite::new(Arc::clone(&graph), vec![ends.bad], config.tests.len()),
            numbers: config.tests.iter().enumerate().map(|(number, id)| (id.clone(), number)).collect(),
            pasts: Pasts::default(),
            built: Vec::new(),
            unresolved: BTreeMap::new(),
            untestable: Vec::new(),
            measured: Measured::default(),
            beliefs: HashMap::new(),
            prior: weights,
            graph,
            config,
            ends,
            past,
            shares,
            subjects,
            groups,
        };
        triage.settle();
        Ok(triage)
    }

    pub(super) fn good(&self) -> Node {
        self.ends.good.first().copied().unwrap_or(self.ends.bad)
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

    /// Adds an observation to the evidence.
    fn take(&mut self, key: Key, observation: &Observation) {
        let Some(node) = self.space.node(key) else { return };
        self.pasts.learn(&self.past, node);
        let asked = self.space.tests(key).cloned();
        let only_build = asked.as_ref().is_some_and(ChangeSet::is_empty);
        let asked = asked.unwrap_or_else(|| ChangeSet::all(self.config.tests.len()));
        let is_early = observation.stage.is_some_and(|stage| stage < Stage::Test);
        let has_results = !observation.results.is_empty();
        let is_failure = is_early || (only_build && observation.outcome == Outcome::Fail);
        let build = self.build();
        if observation.outcome != Outcome::Pass && is_failure && !has_results {
            self.see(build, node, RunCounts { passes: 0, fails: 1 });
            asked.iter().for_each(|test| self.subjects[test].evidence.fruitless += 1);
        } else if observation.outcome == Outcome::Unresolved && observation.stage.is_none() && !has_results {
            *self.unresolved.entry(node).or_default() += 1;
            self.miss(node, &asked);
        } else {
            self.see(build, node, RunCounts { passes: 1, fails: 0 });
            self.built.retain(|&other| other != node);
            self.built.push(node);
            self.measure(observation);
            match (has_results, observation.outcome) {
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
    }

    fn take_results(&mut self, node: Node, asked: &ChangeSet, results: &BTreeMap<String, TestResult>) {
        let numbers: Vec<(usize, &TestResult)> =
            results.iter().filter_map(|(id, result)| Some((*self.numbers.get(id)?, result))).collect();
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

    fn measure(&mut self, observation: &Observation) {
        let tests: Vec<f64> = observation.results.values().filter_map(|result| result.seconds).collect();
        let spent: f64 = tests.iter().sum();
        let Measured { builds, tests: all } = &mut self.measured;
        *all = (all.0 + spent, all.1 + tests.len() as u32);
        if let (Some(seconds), false, false) = (observation.seconds, observation.reused, tests.is_empty()) {
            *builds = (builds.0 + (seconds - spent).max(0.0), builds.1 + 1);
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

    /// Returns the decided tests that raise the prior of a subject.
    fn decided(&self, group: Option<u32>, found: &BTreeMap<(Option<u32>, usize), u32>) -> Decided {
        let by_signature = !self.groups.is_empty();
        if by_signature && group.is_none() {
            return Decided { by_signature, at: Vec::new() };
        }
        let mut at: BTreeMap<u32, u32> = BTreeMap::new();
        for (&(other, place), &tests) in found {
            if !by_signature || other == group {
                *at.entry(place as u32).or_default() += tests;
            }
        }
        Decided { by_signature, at: at.into_iter().collect() }
    }

    /// Decides about every test whose facts or prior changed, until nothing changes.
    fn settle(&mut self) {
        let searched = self.searched();
        for number in searched.clone() {
            self.refresh(number);
        }
        loop {
            let mut found: BTreeMap<(Option<u32>, usize), u32> = BTreeMap::new();
            for subject in &self.subjects[searched.clone()] {
                if let Some(place) = subject.culprit() {
                    *found.entry((subject.group, place)).or_default() += 1;
                }
            }
            let mut priors: HashMap<Option<u32>, Arc<Decided>> = HashMap::new();
            let mut named: BTreeMap<usize, u32> = BTreeMap::new();
            found.iter().for_each(|(&(_, place), &tests)| *named.entry(place).or_default() += tests);
            let mut changed = false;
            for number in searched.clone().filter(|&number| self.subjects[number].is_open()).collect::<Vec<_>>() {
                let group = self.subjects[number].group;
                let prior = priors.entry(group).or_insert_with(|| Arc::new(self.decided(group, &found)));
                let belief = self.belief(number, &Arc::clone(prior));
                let is_shared = |place: usize| named.get(&place).is_some_and(|&tests| tests >= 2);
                let decision = self.decide(number, &belief, &is_shared);
                let subject = &mut self.subjects[number];
                subject.belief = Some(belief);
                subject.decision = decision;
                if let Some(place) = subject.culprit() {
                    *named.entry(place).or_default() += 1;
                }
                changed |= !subject.is_open();
            }
            if !changed {
                break;
            }
        }
        self.beliefs.retain(|_, belief| Arc::strong_count(belief) > 1);
    }

    /// Computes the facts about a subject again if they changed, and opens it again.
    fn refresh(&mut self, number: usize) {
        let good = self.good();
        let subject = &mut self.subjects[number];
        if !std::mem::take(&mut subject.is_changed) || subject.listed.is_some() {
            return;
        }
        let (red_tonight, green_last, is_new) = (subject.red_tonight, subject.green_last, subject.is_new(good));
        let given = Given { bad: self.ends.bad, red_tonight, green_last, is_new };
        let (facts, older) = Facts::of(&subject.evidence, (&self.past, &self.pasts), given, &self.untestable);
        if *subject.facts != facts || subject.belief.is_none() {
            subject.facts = Arc::new(facts);
        }
        subject.older = older;
        subject.decision = Decision::Open(Vec::new());
    }

    fn belief(&mut self, number: usize, decided: &Arc<Decided>) -> Arc<Belief> {
        let key = (Arc::clone(&self.subjects[number].facts), Arc::clone(decided));
        let Triage { past, pasts, shares, beliefs, .. } = self;
        let belief = beliefs.entry(key).or_insert_with_key(|(facts, decided)| {
            Arc::new(Belief::new(past, pasts, facts, &prior(shares, decided)))
        });
        Arc::clone(belief)
    }

    fn decide(&self, number: usize, belief: &Belief, is_shared: &dyn Fn(usize) -> bool) -> Decision {
        let subject = &self.subjects[number];
        let case = Case {
            graph: &self.graph,
            past: &self.past,
            belief,
            evidence: &subject.evidence,
            bad: self.ends.bad,
            good: self.good(),
            confidence: self.config.confidence,
            red_tonight: subject.red_tonight,
            is_new: subject.is_new(self.good()),
            is_shared,
            is_unresolved: &|node| self.is_silent(node) || subject.evidence.is_unresolved(node),
        };
        case.decide()
    }

    fn is_silent(&self, node: Node) -> bool {
        self.untestable.binary_search(&node).is_ok()
    }

    /// Returns the costs of a build and of a test.
    fn costs(&self) -> (f64, f64) {
        let Measured { builds, tests } = self.measured;
        match self.config.costs {
            Some(costs) => (costs.build, costs.test),
            None if builds.0 > 0.0 && tests.0 > 0.0 => (builds.0 / f64::from(builds.1), tests.0 / f64::from(tests.1)),
            None => COSTS,
        }
    }

    fn is_kept(&self, node: Node) -> bool {
        self.built.iter().rev().take(self.config.keep_builds.count()).any(|&kept| kept == node)
    }

    /// Returns the next probe, given the probes in flight.
    fn next(&self, flying: &[(Node, ChangeSet)]) -> Option<(Node, ChangeSet)> {
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
        let mut met: hashbrown::HashSet<Option<u32>> =
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
        let (full_build, test) = self.costs();
        let build = |node: Node| if self.is_kept(node) { KEPT * full_build } else { full_build };
        let costs = Costs { build: &build, full_build, test, batch };
        choose((&self.past, &self.pasts, self.good()), (&tests, !self.groups.is_empty()), &costs)
    }

    /// Returns the revision of a key.
    pub(super) fn node(&self, key: Key) -> Option<Node> {
        self.space.node(key)
    }

    /// Returns the number of tests of a key.
    pub(super) fn tests_of(&self, key: Key) -> usize {
        self.space.tests(key).map_or(self.config.tests.len(), ChangeSet::len)
    }

    /// Returns the revision and the tests of a key.
    fn probe(&self, key: Key) -> Option<(Node, ChangeSet)> {
        let tests = self.space.tests(key).cloned();
        Some((self.space.node(key)?, tests.unwrap_or_else(|| ChangeSet::all(self.config.tests.len()))))
    }

    /// Returns why the search would ask for a target now.
    fn why_now(&self, target: &Target) -> Option<Why> {
        let (node, tests) = (self.graph.get(target.revision.as_deref()?)?, target.tests.as_ref()?);
        let at = |test: usize| self.subjects[test].evidence.at(node).runs() + self.subjects[test].evidence.missing(node);
        let is_due = |test: &usize| matches!(&self.subjects[*test].decision, Decision::Open(due) if due.contains(&node));
        let due = tests.iter().filter(is_due).count();
        Some(match tests.len() {
            0 => Why::Build,
            count if node == self.ends.bad && tests.iter().all(|test| at(test) == 0) => Why::Bad(count),
            count if node == self.good() && tests.iter().all(|test| at(test) == 0) => Why::Good(count),
            _ if due > 0 => Why::Due(due),
            count => {
                let groups: hashbrown::HashSet<_> = tests.iter().filter_map(|test| self.subjects[test].group).collect();
                let alone = tests.iter().filter(|&test| self.subjects[test].group.is_none()).count();
                Why::Halves(count, if self.groups.is_empty() { 1 } else { groups.len() + alone })
            }
        })
    }

    /// Whether the outcome of a probe can still change a verdict.
    fn is_wanted(&self, key: Key) -> bool {
        let Some((node, tests)) = self.probe(key) else { return false };
        let numbers = if tests.is_empty() { vec![self.build()] } else { tests.iter().collect() };
        let searched = self.searched();
        numbers.into_iter().any(|number| {
            let subject = &self.subjects[number];
            let Decision::Open(due) = &subject.decision else { return false };
            let column = if node == self.good() { Some(self.past.len()) } else { self.past.place(node) };
            let gain = subject.belief.as_ref().zip(column).map_or(0.0, |(belief, column)| belief.gains(&self.past).at[column]);
            let evidence = &subject.evidence;
            let is_first = evidence.at(node).runs() == 0 && (node == self.ends.bad || node == self.good());
            searched.contains(&number) && subject.is_open() && (due.contains(&node) || is_first || gain > 1e-6)
        })
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

    fn check(&self, _: Key, observation: &Observation) -> Result<(), Error> {
        match observation.results.keys().find(|id| !self.numbers.contains_key(*id)) {
            Some(id) => Err(Error::invalid("results", id, "results of tests in the configuration's list of tests")),
            None => Ok(()),
        }
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        self.take(key, observation);
        self.settle();
        Reading::Stands
    }

    fn reset(&mut self) {
        self.groups = Groups::default();
        self.subjects = subjects(&self.config, &mut self.groups);
        (self.built, self.unresolved, self.untestable) = (Vec::new(), BTreeMap::new(), Vec::new());
        self.measured = Measured::default();
        self.settle();
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let mut flying: Vec<(Node, ChangeSet)> = in_flight.iter().filter_map(|&key| self.probe(key)).collect();
        flying.iter().for_each(|(node, _)| self.pasts.learn(&self.past, *node));
        let mut keys = Vec::new();
        while keys.len() < want
            && let Some((node, tests)) = self.next(&flying)
        {
            self.pasts.learn(&self.past, node);
            flying.push((node, tests.clone()));
            keys.push(self.space.key_of(node, tests));
        }
        keys
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        in_flight.iter().map(|&key| self.is_wanted(key)).collect()
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
