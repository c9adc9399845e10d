//! RPA as an ask-and-tell algorithm: the ends, the evidence, and what to ask while answers are awaited.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::bayes::Flaky;
use super::config::{RegressionConfig, SearchKind};
use super::evidence::{Evidence, View};
use super::report::{Ending, RegressionReport};
use super::rpa::{Leaf, Next, Rpa};
use crate::error::Error;
use crate::find::Find;
use crate::graph::{CommitGraph, Node, flood};
use crate::search::{Algorithm, CulpritQuestion, History, Ledger, Observation, Outcome, Reading, Status};

/// The algorithm behind a [`RegressionSearch`](super::RegressionSearch).
pub struct Regression {
    graph: Arc<CommitGraph>,
    space: History,
    config: Arc<RegressionConfig>,
    /// The ends that the search goes back from, and those that it stops at; with `find = "fix"` the outcomes are
    /// exchanged, so that the newer ones "fail" here too.
    newer: Vec<Node>,
    older: Vec<Node>,
    /// What was seen at the ends: it decides how everything else is read.
    seen_at_ends: HashMap<Node, Observation>,
    /// All answers are being read again.
    is_rereading: bool,
    /// The failure searched for: the one configured, or the one seen at the first failing end.
    signature: Option<String>,
    /// What is known of a flaky test, with `search = "bayes"`.
    flaky: Option<Flaky>,
    evidence: Evidence,
    rpa: Rpa,
    next: Option<Next>,
}

impl Regression {
    /// The graph that it searches.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        &self.graph
    }

    fn open(graph: Arc<CommitGraph>, config: RegressionConfig) -> Result<Self, Error> {
        let ends = |argument: &str, names: &[String]| -> Result<Vec<Node>, Error> {
            let mut nodes = Vec::with_capacity(names.len());
            for name in names {
                let node = graph.resolve(name, argument)?;
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
            Ok(nodes)
        };
        let (bad, good) = (ends("bad", &config.bad)?, ends("good", &config.good)?);
        let (newer, older, argument, older_argument) = match config.find {
            Find::Regression => (bad, good, "bad", "good"),
            Find::Fix => (good, bad, "good", "bad"),
        };
        if newer.is_empty() {
            let why = match config.find {
                Find::Regression => "at least one revision that fails",
                Find::Fix => "at least one revision that passes, the newer end of a search for a fix",
            };
            return Err(Error::invalid(argument, Vec::<String>::new(), why));
        }
        if let Some(&both) = newer.iter().find(|node| older.contains(node)) {
            let expected = "a revision that is not given as bad as well";
            return Err(Error::invalid("good", graph.id(both), expected));
        }
        let (after, before) = (graph.descendants(&newer), graph.ancestors(&newer));
        let late = |node: &&Node| after.contains(**node as usize) && !before.contains(**node as usize);
        if let Some(&late) = older.iter().find(late) {
            let swap = match config.find {
                Find::Regression => "exchange them, or use find=\"fix\" to search for what repaired it",
                Find::Fix => "with find=\"fix\", good is the newer end",
            };
            let expected = format!("a revision that does not come after every {argument} one; {swap}");
            return Err(Error::invalid(older_argument, graph.id(late), expected));
        }
        // Full ids from here on: a branch may move before a snapshot is taken up again.
        let names = |nodes: &[Node]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect();
        let (bad, good) = match config.find {
            Find::Regression => (names(&newer), names(&older)),
            Find::Fix => (names(&older), names(&newer)),
        };
        let config = Arc::new(RegressionConfig { bad, good, ..config });
        let evidence = Evidence::new(graph.len());
        let mut flaky = Flaky::of(&config)?;
        flaky.iter_mut().for_each(|flaky| flaky.older.clone_from(&older));
        let view = View { evidence: &evidence, flaky: flaky.as_ref(), supposed: &[] };
        let rpa = Rpa::new(Arc::clone(&graph), Arc::clone(&config), Vec::new(), Vec::new(), view);
        let mut regression = Regression {
            space: History::new(Arc::clone(&graph), newer.clone()),
            graph,
            config,
            newer,
            older,
            seen_at_ends: HashMap::new(),
            is_rereading: false,
            signature: None,
            flaky,
            evidence,
            rpa,
            next: None,
        };
        regression.reset();
        Ok(regression)
    }

    fn seen_at(&self, end: Node) -> Option<&Observation> {
        self.seen_at_ends.get(&end)
    }

    /// What an observation says about the change searched for: another failure says nothing, and for a fix the
    /// outcomes are exchanged.
    fn effective(&self, observation: &Observation) -> Outcome {
        let other = |wanted: &String| observation.signature.as_ref().is_some_and(|seen| seen != wanted);
        match (observation.outcome, self.config.find) {
            (Outcome::Fail, _) if self.signature.as_ref().is_some_and(other) => Outcome::Unresolved,
            (outcome, Find::Regression) => outcome,
            (outcome, Find::Fix) => outcome.swapped(),
        }
    }

    /// The failure that is meant: the one configured, or the one seen first at an end that fails.
    fn signature_meant(&self) -> Option<String> {
        let failing_ends = match self.config.find {
            Find::Regression => &self.newer,
            Find::Fix => &self.older,
        };
        let seen = || failing_ends.iter().find_map(|&end| self.seen_at(end)?.signature.clone());
        self.config.signature.clone().or_else(seen)
    }

    /// The newer ends, each with what follows from what was seen there.
    fn leaves(&self) -> Vec<Leaf> {
        let ending = |node: Node| {
            if self.flaky.is_some() {
                // What is seen there is evidence like any other.
                return Ending::Open;
            }
            let seen = self.seen_at(node);
            let effective = seen.map(|observation| self.effective(observation));
            let failed_otherwise =
                seen.is_some_and(|seen| seen.outcome != Outcome::Unresolved) && effective == Some(Outcome::Unresolved);
            // An end that cannot be tested is what the caller says it is.
            match effective {
                Some(Outcome::Pass) => Ending::NotReproduced,
                _ if failed_otherwise => Ending::NotReproduced,
                _ => Ending::Open,
            }
        };
        self.newer.iter().map(|&node| Leaf { node, ending: ending(node), points: Vec::new() }).collect()
    }

    /// Forgets all answers but those at the ends, and begins with what follows from the ends.
    fn begin_anew(&mut self) {
        self.signature = self.signature_meant();
        self.evidence = Evidence::new(self.graph.len());
        self.flaky.iter_mut().for_each(Flaky::clear);
        if self.flaky.is_none() {
            for leaf in self.leaves().iter().filter(|leaf| leaf.ending == Ending::Open) {
                self.evidence.add(leaf.node, Outcome::Fail);
            }
        }
        for &node in &self.older {
            let effective = self.seen_at(node).map(|observation| self.effective(observation));
            let effective = effective.filter(|_| self.flaky.is_none());
            if effective.is_none_or(|outcome| outcome == Outcome::Unresolved) {
                self.evidence.add(node, Outcome::Pass);
            }
        }
    }

    /// Begins the search itself, with all evidence that there is.
    fn begin_search(&mut self) {
        let assumed = if self.older.is_empty() {
            self.graph.roots().filter(|&root| self.evidence.outcome(root).is_none()).collect()
        } else {
            Vec::new()
        };
        let leaves = self.leaves();
        let view = View { evidence: &self.evidence, flaky: self.flaky.as_ref(), supposed: &[] };
        self.rpa = Rpa::new(Arc::clone(&self.graph), Arc::clone(&self.config), leaves, assumed, view);
        self.settle();
    }

    fn is_end(&self, revision: Node) -> bool {
        self.newer.contains(&revision) || self.older.contains(&revision)
    }

    /// Takes one answer as evidence.
    fn learn(&mut self, revision: Node, observation: &Observation) {
        let effective = self.effective(observation);
        match &mut self.flaky {
            None => self.evidence.add(revision, effective),
            Some(flaky) => {
                let known = flaky.learn(revision, observation, effective, self.config.find);
                known.into_iter().for_each(|outcome| self.evidence.add(revision, outcome));
            }
        }
    }

    /// Goes as far as what is known allows.
    fn settle(&mut self) {
        self.next = None;
        if self.good_end_that_fails().is_none() && self.untested_ends().next().is_none() {
            let view = View { evidence: &self.evidence, flaky: self.flaky.as_ref(), supposed: &[] };
            self.next = Some(self.rpa.advance(view));
        }
    }

    /// Ends that are to be tested before anything else.
    fn untested_ends(&self) -> impl Iterator<Item = Node> + '_ {
        let ends = self.newer.iter().chain(&self.older).copied();
        let is_untested = |end: Node| match &self.flaky {
            // A single failure proves nothing about a good end.
            Some(flaky) if self.older.contains(&end) => !flaky.is_settled(end),
            _ => self.seen_at(end).is_none(),
        };
        ends.filter(move |&end| self.config.verify_ends && is_untested(end))
    }

    /// An older end that is not what the caller said.
    fn good_end_that_fails(&self) -> Option<Node> {
        let fails = |end: &Node| match &self.flaky {
            Some(flaky) => flaky.never_passes(*end),
            None => self.seen_at(*end).is_some_and(|observation| self.effective(observation) == Outcome::Fail),
        };
        self.older.iter().copied().find(fails)
    }

    /// The suspects of the search at hand and of the leaves after it.
    fn suspects(&self) -> FixedBitSet {
        let view = View { evidence: &self.evidence, flaky: self.flaky.as_ref(), supposed: &[] };
        let ground = self.rpa.ground();
        let mut suspects = self.graph.none();
        for bad in self.rpa.at().map(|(_, bad)| bad).into_iter().chain(self.rpa.waiting_leaves()) {
            if ground.covers(bad) {
                suspects.union_with(&ground.suspects(&self.graph, view, bad));
            } else {
                flood(&mut suspects, bad, |node| self.graph.parents(node), |node| !ground.covers(node));
            }
        }
        suspects
    }

    /// Whether a revision is one of the suspects, or a parent of one: then its outcome matters.
    fn is_near(&self, suspects: &FixedBitSet, revision: Node) -> bool {
        suspects.contains(revision as usize)
            || self.graph.children(revision).iter().any(|&child| suspects.contains(child as usize))
    }

    /// What would be asked under suppositions about the answers in flight, the likeliest case first.
    fn speculate(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let suspects = self.suspects();
        let mut chosen: Vec<Node> = Vec::with_capacity(want);
        let mut cases = BinaryHeap::new();
        let mut made = 0;
        let mut suppose = |cases: &mut BinaryHeap<Case>, chance: f64, rpa: Rpa, supposed: Vec<(Node, Outcome)>| {
            made += 1;
            cases.push(Case { chance, made, rpa, supposed });
        };
        suppose(&mut cases, 1.0, self.rpa.clone(), Vec::new());
        // Where little is left to ask, cases repeat each other. The same number for every `want`, so that asking
        // twice for two is asking for four.
        let mut left = CASES;
        while let Some(mut case) = cases.pop() {
            let view = View { evidence: &self.evidence, flaky: self.flaky.as_ref(), supposed: &case.supposed };
            let Next::Ask { node, fail_chance } = case.rpa.advance(view) else { continue };
            // Beside what is needed for sure, only what could be wanted: nothing that is to be cancelled at once.
            let is_useful = case.made == 1 || self.is_near(&suspects, node);
            if is_useful && !in_flight.contains(&node) && !chosen.contains(&node) {
                chosen.push(node);
            }
            left -= 1;
            if chosen.len() == want || left == 0 {
                break;
            }
            let mut aside = case.rpa.clone();
            if aside.set_aside() {
                let needed = if self.config.propagates() { 0.3 } else { 0.95 };
                suppose(&mut cases, case.chance * needed, aside, case.supposed.clone());
            }
            for (outcome, chance) in [(Outcome::Fail, fail_chance), (Outcome::Pass, 1.0 - fail_chance)] {
                let mut supposed = case.supposed.clone();
                supposed.push((node, outcome));
                suppose(&mut cases, case.chance * chance, case.rpa.clone(), supposed);
            }
        }
        chosen
    }

    /// What is worth running beside what is in flight: for the bad revision at hand, then for those after it.
    fn several(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let view = View { evidence: &self.evidence, flaky: self.flaky.as_ref(), supposed: &[] };
        let mut flying = in_flight.to_vec();
        let mut chosen = Vec::with_capacity(want);
        let mut rpa = self.rpa.clone();
        while chosen.len() < want {
            let Next::Ask { node, .. } = rpa.advance(view) else { break };
            let left = want - chosen.len();
            let more = match rpa.belief().zip(self.flaky.as_ref()) {
                Some((belief, flaky)) if belief.is_open() => belief.several(left, &flying, flaky),
                _ if flying.contains(&node) => Vec::new(),
                _ => vec![node],
            };
            flying.extend(&more);
            chosen.extend(more);
            if !rpa.set_aside() {
                break;
            }
        }
        chosen
    }

    /// For the report.
    pub(super) fn parts(&self) -> (&Arc<CommitGraph>, &RegressionConfig, &Rpa, &Evidence) {
        (&self.graph, &self.config, &self.rpa, &self.evidence)
    }

    /// The older end that contradicts the caller, for the report.
    pub(super) fn failing_end(&self) -> Option<&str> {
        self.good_end_that_fails().map(|node| self.graph.id(node))
    }
}

/// How many cases are looked at to find probes that are useful side by side.
const CASES: u32 = 256;

/// A supposition about answers, with the machine as it would stand.
struct Case {
    chance: f64,
    made: u32,
    rpa: Rpa,
    supposed: Vec<(Node, Outcome)>,
}

impl Ord for Case {
    /// The likeliest first, then the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then_with(|| other.made.cmp(&self.made))
    }
}

impl PartialOrd for Case {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Case {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Case {}

impl Algorithm for Regression {
    type Config = RegressionConfig;
    type Report = RegressionReport;
    type Space = History;

    const NAME: &'static str = "regression";

    fn new(graph: Arc<CommitGraph>, config: RegressionConfig) -> Result<Self, Error> {
        Regression::open(graph, config)
    }

    fn space(&self) -> &History {
        &self.space
    }

    fn space_mut(&mut self) -> &mut History {
        &mut self.space
    }

    fn config(&self) -> &RegressionConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        self.flaky.is_some()
    }

    fn absorb(&mut self, revision: Node, observation: &Observation) -> Reading {
        let is_end = self.is_end(revision);
        if is_end {
            self.seen_at_ends.insert(revision, observation.clone());
        }
        if self.is_rereading {
            self.learn(revision, observation);
            return Reading::Stands;
        }
        // With a reliable test an end says how everything else is to be read, with a flaky one only which failure is meant.
        if is_end && (self.flaky.is_none() || self.signature.is_none() && observation.signature.is_some()) {
            return Reading::Anew;
        }
        self.learn(revision, observation);
        self.settle();
        Reading::Stands
    }

    fn begin_rereading(&mut self) {
        self.is_rereading = true;
        self.begin_anew();
    }

    fn end_rereading(&mut self) {
        self.is_rereading = false;
        self.begin_search();
    }

    fn reset(&mut self) {
        self.seen_at_ends.clear();
        self.begin_anew();
        self.begin_search();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        match self.next {
            None if self.good_end_that_fails().is_some() => Vec::new(),
            None => self.untested_ends().filter(|end| !in_flight.contains(end)).take(want).collect(),
            Some(Next::Done) => Vec::new(),
            Some(Next::Ask { node, .. }) if want == 1 && !in_flight.contains(&node) => vec![node],
            Some(Next::Ask { node, .. }) if self.flaky.is_some() => {
                let several = self.several(want, in_flight);
                if several.is_empty() && in_flight.is_empty() { vec![node] } else { several }
            }
            Some(Next::Ask { .. }) => self.speculate(want, in_flight),
        }
    }

    fn wants(&self, revision: Node) -> bool {
        match self.next {
            None => self.untested_ends().any(|end| end == revision),
            Some(Next::Done) => false,
            Some(Next::Ask { node, .. }) if node == revision => true,
            Some(Next::Ask { .. }) => {
                let suspects = self.suspects();
                self.is_near(&suspects, revision)
            }
        }
    }

    fn status(&self) -> Status {
        if self.good_end_that_fails().is_some() {
            return Status::GoodEndFails;
        }
        match self.next {
            Some(Next::Done) => self.outcome(),
            _ => Status::Running,
        }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> RegressionReport {
        self.write_report(status, ledger)
    }

    fn question(&self) -> Option<CulpritQuestion> {
        let at_culprit = match self.config.find {
            Find::Regression => Outcome::Fail,
            Find::Fix => Outcome::Pass,
        };
        let halves = matches!(self.config.search, SearchKind::Auto | SearchKind::Halving | SearchKind::Weighted);
        Some(CulpritQuestion { graph: Arc::clone(&self.graph), newer: self.newer.clone(), at_culprit, halves })
    }

    fn suspects(&self) -> Option<FixedBitSet> {
        Some(Regression::suspects(self))
    }
}
