//! RPA as an ask-and-tell algorithm.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::config::{RegressionConfig, SearchKind};
use super::ends::Ends;
use super::evidence::Evidence;
use super::reliability::Test;
use super::report::RegressionReport;
use super::rpa::{Leaf, Next, Rpa};
use crate::error::Error;
use crate::find::Find;
use crate::graph::{CommitGraph, Node, flood};
use crate::search::{Algorithm, CulpritQuestion, History, Ledger, Observation, Outcome, Reading, Status};

/// The algorithm behind a [`RegressionSearch`](super::RegressionSearch).
pub struct Regression {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: Arc<RegressionConfig>,
    pub(super) evidence: Evidence,
    pub(super) rpa: Rpa,
    space: History,
    ends: Ends,
    /// All answers are being read again.
    is_rereading: bool,
    /// `None` if the ends come first.
    next: Option<Next>,
}

impl Regression {
    /// The graph that it searches.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        &self.graph
    }

    /// Forgets all answers but those at the ends, and begins with what follows from the ends.
    fn begin_anew(&mut self) {
        self.ends.settle_signature();
        self.evidence.begin_with(&self.ends);
    }

    /// Begins the search itself, with all evidence that there is.
    fn begin_search(&mut self) {
        let assumed = if self.ends.older.is_empty() {
            self.graph.roots().filter(|&root| self.evidence.outcomes.of(root).is_none()).collect()
        } else {
            Vec::new()
        };
        let leaf = |&node: &Node| Leaf::new(node, self.evidence.test.ending(&self.ends, node));
        let leaves = self.ends.newer.iter().map(leaf).collect();
        self.rpa = Rpa::new(Arc::clone(&self.graph), Arc::clone(&self.config), leaves, assumed, self.evidence.view());
        self.settle();
    }

    /// Goes as far as what is known allows.
    fn settle(&mut self) {
        self.next = None;
        if self.contradicted_end().is_none() && self.untested_ends().next().is_none() {
            self.next = Some(self.rpa.advance(self.evidence.view()));
        }
    }

    /// Ends that are to be tested before anything else.
    fn untested_ends(&self) -> impl Iterator<Item = Node> + '_ {
        let is_untested = |end: &Node| self.config.verify_ends && self.evidence.test.is_untested(&self.ends, *end);
        self.ends.all().filter(is_untested)
    }

    /// An older end that is not what the caller said.
    pub(super) fn contradicted_end(&self) -> Option<Node> {
        self.ends.older.iter().copied().find(|&end| self.evidence.test.contradicts(&self.ends, end))
    }

    /// The suspects of the search at hand and of the leaves after it.
    pub(super) fn open_suspects(&self) -> FixedBitSet {
        let passing = self.rpa.passing();
        let mut suspects = self.graph.none();
        for bad in self.rpa.at().map(|(_, bad)| bad).into_iter().chain(self.rpa.waiting_leaves()) {
            if passing.clears(bad) {
                suspects.union_with(&passing.suspects(&self.graph, self.evidence.view(), bad));
            } else {
                flood(&mut suspects, bad, |node| self.graph.parents(node), |node| !passing.clears(node));
            }
        }
        suspects
    }

    /// Whether a revision is one of the suspects, or a parent of one: then its outcome matters.
    pub(super) fn is_near(&self, suspects: &FixedBitSet, revision: Node) -> bool {
        suspects.contains(revision as usize)
            || self.graph.children(revision).iter().any(|&child| suspects.contains(child as usize))
    }
}

impl Algorithm for Regression {
    type Config = RegressionConfig;
    type Report = RegressionReport;
    type Space = History;

    const NAME: &'static str = "regression";

    fn new(graph: Arc<CommitGraph>, config: RegressionConfig) -> Result<Self, Error> {
        let ends = Ends::new(&graph, &config)?;
        let config = Arc::new(ends.named(&graph, config));
        let evidence = Evidence::new(Test::of(&config, &ends)?, graph.len());
        let rpa = Rpa::new(Arc::clone(&graph), Arc::clone(&config), Vec::new(), Vec::new(), evidence.view());
        let mut regression = Regression {
            space: History::new(Arc::clone(&graph), ends.newer.clone()),
            graph,
            config,
            evidence,
            rpa,
            ends,
            is_rereading: false,
            next: None,
        };
        regression.reset();
        Ok(regression)
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
        matches!(self.evidence.test, Test::Flaky(_))
    }

    fn absorb(&mut self, revision: Node, observation: &Observation) -> Reading {
        let is_end = self.ends.contains(revision);
        if is_end {
            self.ends.see(revision, observation);
        }
        if !self.is_rereading && is_end && self.evidence.test.reads_anew(&self.ends, observation) {
            return Reading::Anew;
        }
        self.evidence.learn(&self.ends, revision, observation);
        if !self.is_rereading {
            self.settle();
        }
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
        self.ends.forget();
        self.begin_anew();
        self.begin_search();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        match self.next {
            None if self.contradicted_end().is_some() => Vec::new(),
            None => self.untested_ends().filter(|end| !in_flight.contains(end)).take(want).collect(),
            Some(Next::Done) => Vec::new(),
            Some(Next::Ask { node, .. }) if want == 1 && !in_flight.contains(&node) => vec![node],
            Some(Next::Ask { node, .. }) => match &self.evidence.test {
                Test::Reliable => self.speculate(want, in_flight),
                Test::Flaky(flaky) => {
                    let runs = self.runs_side_by_side(flaky, want, in_flight);
                    if runs.is_empty() && in_flight.is_empty() { vec![node] } else { runs }
                }
            },
        }
    }

    fn wants(&self, revision: Node) -> bool {
        match self.next {
            None => self.untested_ends().any(|end| end == revision),
            Some(Next::Done) => false,
            Some(Next::Ask { node, .. }) if node == revision => true,
            Some(Next::Ask { .. }) => self.is_near(&self.open_suspects(), revision),
        }
    }

    fn status(&self) -> Status {
        match self.next {
            _ if self.contradicted_end().is_some() => Status::GoodEndFails,
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
        Some(CulpritQuestion { graph: Arc::clone(&self.graph), newer: self.ends.newer.clone(), at_culprit, halves })
    }

    fn suspects(&self) -> Option<FixedBitSet> {
        Some(self.open_suspects())
    }
}
