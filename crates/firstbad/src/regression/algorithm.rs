//! RPA as an ask/tell algorithm.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::config::{RegressionConfig, SearchKind};
use super::ends::Ends;
use super::evidence::Evidence;
use super::failure_names::{FailureNames, Turn};
use super::message;
use super::reliability::Test;
use super::replacement::{ALIKE, FRUITLESS, Replacement, replacement};
use super::report::{LeafResult, RegressionReport};
use super::rpa::{Leaf, Next, Rpa};
use super::steps::Steps;
use super::strategy::BayesSearch;
use crate::error::Error;
use crate::finding::find::Find;
use crate::graph::{CommitGraph, Node, flood};
use crate::search::{Algorithm, Claim, CulpritQuestion, History, Ledger, Observation, Outcome, Reading, Status};
use crate::suspicion::SelectionReason;

/// The algorithm behind a [`RegressionSearch`](super::RegressionSearch).
pub struct Regression {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: Arc<RegressionConfig>,
    pub(super) evidence: Evidence,
    pub(super) rpa: Rpa,
    space: History,
    pub(super) ends: Ends,
    /// The replacement for each newer endpoint, in order. `None` if the endpoint needs no replacement.
    replaced: Vec<Option<Replacement>>,
    /// The steps to find an older endpoint. `None` if there is one, or if the roots are assumed to pass.
    steps: Option<Steps>,
    /// The steps between the newer endpoints and unresolved older ones. `None` if no older endpoint is known to be unresolved.
    within: Option<Steps>,
    /// The failure at each revision that failed.
    pub(super) failures: FailureNames,
    /// The failures that count.
    pub(super) turn: Turn,
    /// Whether all outcomes are being read again.
    is_rereading: bool,
    /// The next step of the search, or `None` if the endpoints come first.
    pub(super) next: Option<Next>,
    /// The number of outcomes at the last review.
    pub(super) reviewed: Option<usize>,
    /// Whether an outcome arrived that the search was not waiting for.
    pub(super) unordered: bool,
}

impl Regression {
    /// Returns the graph of the search.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        &self.graph
    }

    /// Forgets all outcomes except those at the endpoints.
    fn begin_anew(&mut self) {
        self.ends.settle_signature();
        self.evidence.begin_with(&self.ends);
        (self.reviewed, self.unordered) = (None, false);
    }

    /// Starts the search itself with all known outcomes.
    pub(super) fn begin_search(&mut self) {
        self.replaced = self.ends.newer.iter().map(|&end| self.replacement(end, Outcome::Fail)).collect();
        self.rpa.begin(self.leaves(), self.assumed(), self.evidence.view());
        self.settle();
    }

    /// Returns the roots that are assumed to pass.
    pub(super) fn assumed(&self) -> Vec<Node> {
        if self.ends.older.is_empty() && self.steps.is_none() {
            self.graph.roots().filter(|&root| self.evidence.outcomes.of(root).is_none()).collect()
        } else {
            Vec::new()
        }
    }

    /// Returns the newer endpoints or their replacements, to search from.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let leaf = |(&end, replaced): (&Node, &Option<Replacement>)| match replaced {
            None => Leaf::new(end, end, self.evidence.test.ending(&self.ends, end)),
            Some(Replacement::Found(node)) => Leaf::new(end, *node, LeafResult::Open),
            Some(Replacement::Missing(_) | Replacement::Ask(_)) => Leaf::new(end, end, LeafResult::Untestable),
        };
        self.ends.newer.iter().zip(&self.replaced).map(leaf).collect()
    }

    /// Advances the search as far as the known outcomes allow.
    fn settle(&mut self) {
        self.next = None;
        if self.contradicted_end().is_some() {
            return;
        }
        if self.is_fruitless() {
            self.next = Some(Next::Done);
            return;
        }
        self.look_within();
        if self.missing_ends().next().is_some() {
            return;
        }
        let replaced = |&end: &Node| self.replacement(end, Outcome::Fail);
        if !self.ends.newer.iter().map(replaced).eq(self.replaced.iter().copied()) {
            return self.begin_search();
        }
        self.next = self.rpa.advance(self.evidence.view());
        match self.next {
            None => {
                self.evidence.give_up_rates(&self.ends);
                self.begin_search();
            }
            Some(Next::Done) => self.review(),
            Some(Next::Ask { .. }) => {}
        }
    }

    /// Whether so many revisions were unresolved that the test itself must be broken.
    pub(super) fn is_fruitless(&self) -> bool {
        let most = if self.evidence.obstacle().is_some() { ALIKE } else { FRUITLESS };
        self.config.test_endpoints && self.evidence.none_testable().is_some_and(|tried| tried >= most)
    }

    /// The revisions to test before anything else: endpoints, and replacements for unresolved ones.
    fn missing_ends(&self) -> impl Iterator<Item = Node> + '_ {
        let test = &self.evidence.test;
        let is_needed = self.ends.newer.iter().any(|&end| test.ending(&self.ends, end) == LeafResult::Open);
        let older = self.ends.older.iter().filter(move |_| is_needed);
        let is_untested = move |&end: &Node| self.config.test_endpoints && test.is_untested(&self.ends, end);
        let untested = self.ends.newer.iter().chain(older).copied().filter(is_untested);
        let instead = self.ends.newer.iter().flat_map(|&end| self.to_ask_instead(end, Outcome::Fail));
        untested.chain(instead).chain(std::iter::once_with(|| self.older_to_ask()).flatten())
    }

    /// The revisions to test to find an older endpoint, the most useful first. The search looks between the given one and the
    /// newer endpoints, and then before it.
    fn older_to_ask(&self) -> Vec<Node> {
        let Some(steps) = self.steps.as_ref().or(self.within.as_ref()) else { return Vec::new() };
        let passing: Vec<Node> = self.evidence.view().passing().collect();
        let after = self.graph.descendants(&passing);
        let is_open =
            |end: Node| !after.contains(end as usize) && self.evidence.test.ending(&self.ends, end) == LeafResult::Open;
        let open = || self.ends.newer.iter().enumerate().filter(|(_, end)| is_open(**end));
        let between: Vec<Node> = open().flat_map(|(place, _)| steps.missing(self.evidence.view(), place)).collect();
        if !between.is_empty() || open().next().is_none() {
            return between;
        }
        self.ends.older.iter().flat_map(|&end| self.to_ask_instead(end, Outcome::Pass)).collect()
    }

    /// The revisions to test to find a replacement for an endpoint, each as if those before it were unresolved. Empty if no
    /// replacement is needed or the replacement is known.
    fn to_ask_instead(&self, end: Node, said: Outcome) -> impl Iterator<Item = Node> + '_ {
        let mut supposed: Vec<Node> = Vec::new();
        std::iter::from_fn(move || match self.replacement_if(end, said, &supposed)? {
            Replacement::Ask(node) => {
                supposed.push(node);
                Some(node)
            }
            Replacement::Found(_) | Replacement::Missing(_) => None,
        })
        .take(FRUITLESS)
    }

    /// Checks which older endpoints are unresolved.
    fn look_within(&mut self) {
        let is_untestable = |end: &Node| self.evidence.test.is_untestable(&self.ends, *end);
        let untestable: Vec<Node> = self.ends.older.iter().copied().filter(is_untestable).collect();
        if self.within.as_ref().map_or(&[][..], Steps::first) != untestable {
            let within = || Steps::within(&self.graph, &self.ends.newer, &untestable);
            self.within = (!untestable.is_empty()).then(within);
        }
    }

    /// The replacement for an unresolved endpoint, or `None` if it is not known to be unresolved.
    pub(super) fn replacement(&self, end: Node, said: Outcome) -> Option<Replacement> {
        self.replacement_if(end, said, &[])
    }

    /// The same replacement, if the revisions in `supposed` were unresolved.
    fn replacement_if(&self, end: Node, said: Outcome, supposed: &[Node]) -> Option<Replacement> {
        let is_cleared = |node: Node| said == Outcome::Fail && self.rpa.passing().clears(node);
        let outcome = |node: Node| {
            let known = self.evidence.outcomes.of(node).or_else(|| is_cleared(node).then_some(Outcome::Pass));
            known.or_else(|| supposed.contains(&node).then_some(Outcome::Unresolved))
        };
        let is_untestable = self.evidence.test.is_untestable(&self.ends, end)
            && self.evidence.test.ending(&self.ends, end) == LeafResult::Open;
        is_untestable.then(|| replacement(&self.graph, end, said, outcome))
    }

    /// An older endpoint with the opposite outcome.
    pub(super) fn contradicted_end(&self) -> Option<Node> {
        self.ends.older.iter().copied().find(|&end| self.evidence.test.contradicts(&self.ends, end))
    }

    /// The suspects of the current search and of the leaves after it.
    pub(super) fn open_suspects(&self) -> FixedBitSet {
        let belief = self.rpa.belief();
        let at_hand = self.rpa.at().map(|(_, bad)| bad).filter(|_| belief.is_none());
        let mut suspects = self.suspects_of(at_hand.into_iter().chain(self.rpa.unprocessed_leaves()));
        // With a flaky test, a failure excludes no suspect, even if another one is very probable.
        suspects.extend(belief.into_iter().flat_map(BayesSearch::possible).map(|node| node as usize));
        suspects
    }

    /// For each waiting leaf, its oldest failing ancestor, or the leaf. Until a revision passes, the search will start there.
    fn oldest_failing(&self) -> Vec<Node> {
        // Parents come first.
        let mut oldest: Vec<Option<Node>> = Vec::with_capacity(self.graph.len());
        for node in 0..self.graph.len() as Node {
            let before = self.graph.parents(node).iter().filter_map(|&parent| oldest[parent as usize]).min();
            let fails = || self.evidence.outcomes.of(node) == Some(Outcome::Fail);
            oldest.push(before.or_else(|| fails().then_some(node)));
        }
        let mut begin: Vec<Node> =
            self.rpa.unprocessed_leaves().map(|leaf| oldest[leaf as usize].unwrap_or(leaf)).collect();
        begin.sort_unstable();
        begin.dedup();
        begin
    }

    fn suspects_of(&self, bad: impl Iterator<Item = Node>) -> FixedBitSet {
        let passing = self.rpa.passing();
        let mut suspects = self.graph.none();
        for bad in bad {
            if passing.clears(bad) {
                suspects.union_with(&passing.suspects(&self.graph, self.evidence.view(), bad));
            } else {
                flood(&mut suspects, bad, |node| self.graph.parents(node), |node| !passing.clears(node));
            }
        }
        suspects
    }

    /// Whether the outcome of a revision matters.
    fn matters(&self, revision: Node) -> bool {
        match self.rpa.belief().and_then(|belief| belief.is_useful(revision)) {
            Some(true) => true,
            Some(false) => self.is_near(&self.suspects_of(self.rpa.unprocessed_leaves()), revision),
            None => self.is_near(&self.open_suspects(), revision),
        }
    }

    /// Whether a revision is a suspect or a parent of a suspect.
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
        let prior = config.weights(&graph)?.map(Arc::new);
        let costs = config.costs(&graph)?;
        let is_flaky = config.search == SearchKind::Bayes;
        let steps = Steps::new(&graph, config.find_good.as_ref(), &ends.newer, &ends.older, is_flaky)?;
        let config = Arc::new(ends.named(&graph, config, prior.as_deref(), &costs, steps.as_ref()));
        let evidence = Evidence::new(Test::of(&config, &ends)?, graph.len());
        let rpa = Rpa::new(Arc::clone(&graph), Arc::clone(&config), prior, costs, evidence.view());
        let mut regression = Regression {
            space: History::new(Arc::clone(&graph), ends.newer.clone()),
            graph,
            config,
            evidence,
            rpa,
            ends,
            replaced: Vec::new(),
            steps,
            within: None,
            failures: FailureNames::default(),
            turn: Turn::Any,
            is_rereading: false,
            next: None,
            reviewed: None,
            unordered: false,
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
        self.failures.see(revision, observation);
        let is_end = self.ends.contains(revision);
        if is_end {
            self.ends.see(revision, observation);
        }
        if !self.is_rereading && is_end && self.evidence.test.reads_anew(&self.ends, observation) {
            return Reading::Anew;
        }
        self.unordered |= self.next.is_some() && !matches!(self.next, Some(Next::Ask { node, .. }) if node == revision);
        self.evidence.learn(&self.ends, revision, observation);
        if self.is_rereading {
            return Reading::Stands;
        }
        self.settle();
        self.reconsider_failures()
    }

    fn begin_rereading(&mut self) {
        self.is_rereading = true;
        self.begin_anew();
    }

    fn end_rereading(&mut self) -> Reading {
        self.is_rereading = false;
        self.begin_search();
        self.reconsider_failures()
    }

    fn is_other_failure(&self, observation: &Observation) -> bool {
        self.ends.is_other_failure(observation)
    }

    fn reset(&mut self) {
        self.ends.forget();
        self.forget_failures();
        self.begin_anew();
        self.begin_search();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        match self.next {
            None if self.contradicted_end().is_some() => Vec::new(),
            None => {
                let mut chosen = Vec::with_capacity(want.min(self.ends.newer.len() + self.ends.older.len()));
                for end in self.missing_ends() {
                    if chosen.len() == want {
                        break;
                    }
                    if !in_flight.contains(&end) && !chosen.contains(&end) {
                        chosen.push(end);
                    }
                }
                chosen
            }
            Some(Next::Done) => Vec::new(),
            Some(Next::Ask { node, .. }) if want == 1 && !in_flight.contains(&node) => vec![node],
            Some(Next::Ask { node, .. }) => match &self.evidence.test {
                Test::Reliable => self.side_by_side(want, in_flight),
                Test::Flaky(flaky) => {
                    let runs = self.runs_side_by_side(flaky, want, in_flight);
                    if runs.is_empty() && in_flight.is_empty() { vec![node] } else { runs }
                }
            },
        }
    }

    fn wants(&self, in_flight: &[Node]) -> Vec<bool> {
        let is_wanted = |&revision: &Node| match self.next {
            None => self.missing_ends().any(|end| end == revision),
            Some(Next::Done) => false,
            Some(Next::Ask { node, .. }) => node == revision || self.matters(revision),
        };
        let mut wanted: Vec<bool> = in_flight.iter().map(is_wanted).collect();
        if let (Some(Next::Ask { .. }), Test::Flaky(_)) = (&self.next, &self.evidence.test) {
            self.wanted_by_others(in_flight, &mut wanted);
        }
        wanted
    }

    fn claims(&self) -> Vec<Claim> {
        self.claimed()
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

    fn sentences(report: &mut RegressionReport) -> Vec<&mut String> {
        std::iter::once(&mut report.message).chain(&mut report.warnings).collect()
    }

    fn best(report: &RegressionReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report, named)
    }

    fn question(&self) -> Option<CulpritQuestion> {
        let at_culprit = match self.config.find {
            Find::Regression => Outcome::Fail,
            Find::Fix => Outcome::Pass,
        };
        let halves = matches!(self.config.search, SearchKind::Auto | SearchKind::Bisect | SearchKind::Weighted);
        Some(CulpritQuestion { graph: Arc::clone(&self.graph), newer: self.ends.newer.clone(), at_culprit, halves })
    }

    fn suspects(&self) -> Option<FixedBitSet> {
        Some(match self.next {
            _ if self.contradicted_end().is_some() => self.graph.none(),
            None => self.suspects_of(self.oldest_failing().into_iter()),
            Some(_) => self.open_suspects(),
        })
    }

    fn weight(&self, suspect: Node) -> f64 {
        // Suspects of waiting leaves have no probability yet.
        self.rpa.belief().map_or(1.0, |belief| belief.probability(suspect).unwrap_or(0.0))
    }

    fn why(&self, revision: &str) -> Option<SelectionReason> {
        self.rpa.prior.as_ref()?.why(&self.graph, self.graph.get(revision)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regression::{LookBack, RegressionSearch};
    use crate::search::Search as _;

    #[test]
    fn a_failure_while_looking_back_leaves_only_its_ancestors() -> Result<(), Error> {
        let ids: Vec<String> = (0..200).map(|id| format!("c{id}")).collect();
        let config = RegressionConfig { find_good: Some(LookBack::Named(true)), ..RegressionConfig::new(["c199"]) };
        let mut search = RegressionSearch::new(CommitGraph::linear(&ids)?, config)?;
        let mut tell = |id: &str, outcome| -> Result<usize, Error> {
            search.observe(&id.to_owned().into(), Observation::from(outcome))?;
            Ok(search.inspect().suspects().map_or(0, |suspects| suspects.count_ones(..)))
        };
        assert_eq!(tell("c199", Outcome::Fail)?, 200);
        assert_eq!(tell("c150", Outcome::Fail)?, 151);
        assert_eq!(tell("c100", Outcome::Pass)?, 50);
        Ok(())
    }

    #[test]
    fn no_suspects_once_a_good_revision_fails() -> Result<(), Error> {
        let graph = CommitGraph::linear(["a", "b", "c"])?;
        let mut search = RegressionSearch::new(graph, RegressionConfig::new(["c"]).good(["a"]))?;
        for id in ["c", "a"] {
            search.observe(&id.to_owned().into(), Observation::from(Outcome::Fail))?;
        }
        assert_eq!(search.inspect().suspects().map(|suspects| suspects.count_ones(..)), Some(0));
        Ok(())
    }

    #[test]
    fn failing_endpoints_need_a_single_walk() -> Result<(), Error> {
        let ids = ["root", "good", "a", "b", "c"];
        let graph = CommitGraph::new(ids.map(|id| {
            (
                id,
                if id == "root" {
                    vec![]
                } else if id == "good" {
                    vec!["root"]
                } else {
                    vec!["good"]
                },
            )
        }))?;
        let mut search = RegressionSearch::new(graph, RegressionConfig::new(["a", "b", "c"]).good(["good"]))?;
        let mut walks = 0;
        let mut last = std::ptr::null();
        for id in ["good", "a", "b", "c"] {
            search.observe(
                &id.to_owned().into(),
                Observation::from(if id == "good" { Outcome::Pass } else { Outcome::Fail }),
            )?;
            let passing = std::ptr::from_ref(search.algorithm().rpa.passing());
            walks += usize::from(passing != last);
            last = passing;
        }
        assert_eq!(walks, 1);
        Ok(())
    }
}
