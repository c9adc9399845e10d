//! FACF as an ask/tell algorithm (Algorithm 1).

use std::sync::Arc;

use super::belief::Belief;
use super::bound::is_too_flaky;
use super::config::{CulpritConfig, CulpritStrategy, Ends};
use super::costs::Costs;
use super::decision::{Decision, Due, decide, due_run};
use super::deflaked::{CERTAIN, Deflaked};
use super::guard::{Guard, Patience, Seen};
use super::information::{ExpectedInformation, information_at_good, is_useful, run_at};
use super::joint::joint_runs;
use super::message;
use super::model_check::ModelCheck;
use super::next_runs::{Measure, next_runs};
use super::report::CulpritReport;
use super::suspects::Suspects;
use super::verification::{Claim, Evidence, Short, without};
use crate::belief::{PriorWeights, Rate, Rates, RunCounts, Sought, named};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{Algorithm, CulpritQuestion, History, Ledger, Observation, Outcome, Posterior, Reading, Status};
use crate::suspicion::SelectionReason;

/// The algorithm behind a [`CulpritSearch`](super::CulpritSearch).
pub struct Culprit {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: CulpritConfig,
    pub(super) ends: Ends,
    space: History,
    costs: Costs,
    pub(super) prior: Option<PriorWeights>,
    rates: Arc<Rates>,
    belief: Belief,
    deflaked: Option<Deflaked>,
    pub(super) seen: Seen,
    check: Option<ModelCheck>,
    /// Whether the given rates fit the observations.
    pub(super) rates_consistent: bool,
    /// The belief with both rates unknown, used if the given rates do not fit.
    unknown: Option<Belief>,
    answers: u32,
    sought: Sought,
    pub(super) decision: Decision,
    /// The runs that the likely conclusion still needs. The decision stays open until they are done.
    missing: Vec<Node>,
    /// The belief of someone who doubts the given rates, if a flake still needs runs.
    doubted: Option<Belief>,
    pub(super) is_verified: bool,
    /// Whether a replay is in progress. A replay weighs the belief once, at its end.
    is_replaying: bool,
    /// Whether the replay has added outcomes that are not weighed yet.
    is_behind: bool,
}

impl Culprit {
    fn open(graph: Arc<CommitGraph>, mut config: CulpritConfig) -> Result<Self, Error> {
        config.check()?;
        let rates = Arc::new(config.rates()?);
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        let weights = config.weights(&graph)?;
        let node_costs = config.costs(&graph)?;
        // Store full ids, because a branch can move before the search is resumed.
        (config.bad, config.good) = ends.names(&graph);
        config.prior = config.prior.take().and_then(|given| given.settled(&graph, weights.as_ref()));
        config.costs = (!node_costs.is_empty()).then(|| named(&graph, &node_costs));
        let cleared = graph.ancestors(&ends.good);
        let is_cleared = |node: Node| cleared.contains(node as usize);
        let no_culprit = |count: usize| config.no_culprit(count);
        let suspects = match &weights {
            None => Suspects::new(Arc::clone(&graph), ends.bad, is_cleared, None, no_culprit),
            Some(weights) => {
                let weight = |node: Node| weights.weight(node);
                Suspects::new(Arc::clone(&graph), ends.bad, is_cleared, Some(&weight), no_culprit)
            }
        };
        if weights.as_ref().is_some_and(|all| suspects.nodes().iter().all(|&node| all.weight(node) == 0.0)) {
            let expected = "a weight above 0 for at least one of the suspects";
            return Err(Error::invalid("prior", "0 for every suspect", expected));
        }
        let deflaked = match config.strategy {
            CulpritStrategy::Bisect => {
                let even = |count: usize| 1.0 / (count as f64 + 1.0);
                let suspects = Suspects::new(Arc::clone(&graph), ends.bad, is_cleared, None, even);
                Some(Deflaked::new(suspects, config.reruns.unwrap_or(1))?)
            }
            _ => None,
        };
        let by_place = node_costs.iter().filter_map(|(&node, &cost)| Some((suspects.place(node)?, cost))).collect();
        let mut culprit = Culprit {
            space: History::new(Arc::clone(&graph), vec![ends.bad]),
            costs: Costs(Arc::new(by_place)),
            belief: Belief::new(Arc::new(suspects), Arc::clone(&rates), config.confidence),
            check: ModelCheck::new(&config, &rates).filter(|_| deflaked.is_none()),
            rates_consistent: true,
            unknown: None,
            seen: Seen::default(),
            answers: 0,
            sought: Sought::new(config.signature.clone()),
            decision: Decision::Open,
            missing: Vec::new(),
            doubted: None,
            is_verified: false,
            is_replaying: false,
            is_behind: false,
            prior: weights,
            rates,
            graph,
            config,
            ends,
            deflaked,
        };
        culprit.settle();
        Ok(culprit)
    }

    /// Adds an observation. Failures with another signature do not count.
    fn take(&mut self, revision: Node, observation: &Observation) {
        let tally = self.sought.tally(observation);
        if tally.runs() == 0 {
            self.belief.set_unresolved(revision);
            self.deflaked.iter_mut().for_each(|deflaked| deflaked.set_unresolved(revision));
        }
        self.seen.add(revision, tally);
        self.answers = self.answers.saturating_add(1);
        self.is_behind = self.is_replaying;
        if self.is_replaying {
            self.belief.note(revision, tally);
            self.deflaked.iter_mut().for_each(|deflaked| deflaked.note(revision, tally));
        } else {
            self.belief.observe(revision, tally);
            self.deflaked.iter_mut().for_each(|deflaked| deflaked.observe(revision, tally));
        }
    }

    fn clear(&mut self) {
        self.belief = Belief::new(Arc::clone(&self.belief.suspects), Arc::clone(&self.rates), self.config.confidence);
        self.deflaked.iter_mut().for_each(Deflaked::reset);
        self.unknown = None;
        self.seen.clear();
        self.answers = 0;
    }

    fn settle(&mut self) {
        let confidence = self.config.confidence;
        (self.missing, self.doubted, self.is_verified) = (Vec::new(), None, false);
        let instead = self.check.as_ref().and_then(|check| check.instead(&self.belief, confidence));
        self.rates_consistent = instead.as_ref().is_none_or(|instead| !instead.is_refuted);
        self.unknown = instead.filter(|_| self.config.verify).map(|instead| instead.unknown);
        let good: Vec<RunCounts> = self.good_runs().collect();
        let patience = match &self.deflaked {
            None => Patience::of(self.belief().rates(), confidence),
            Some(_) => Patience::Reruns(self.config.reruns.unwrap_or(1)),
        };
        let guard = Guard { seen: &self.seen, patience };
        self.decision = match &self.deflaked {
            None => decide(self.belief(), confidence, &good, self.asks_good(), &guard),
            Some(deflaked) if good.iter().any(|&runs| deflaked.is_failure(runs)) => Decision::GoodEndFails,
            // Bisection decides only when a single hypothesis is left.
            Some(deflaked) => decide(deflaked.belief(), CERTAIN, &[], false, &guard),
        };
        match (self.config.verify && self.deflaked.is_none(), &self.decision) {
            (true, _) => self.verify(),
            // With wrong rates, neither a culprit nor a flake can be trusted.
            (false, Decision::Culprit(_) | Decision::Flake) if !self.rates_consistent => {
                self.decision = Decision::Contradictory;
            }
            _ => {}
        }
        let takes_long = self.belief().rates().known().is_none() || !self.missing.is_empty() || self.doubted.is_some();
        if self.decision == Decision::Open && takes_long && is_too_flaky(self.belief(), self.answers) {
            self.decision = Decision::TooFlaky;
        }
    }

    /// Reopens a decision that still needs runs for its verification.
    fn verify(&mut self) {
        let culprit = match self.decision {
            Decision::Culprit(place) => Some(self.belief.suspects.node(place)),
            Decision::Flake => None,
            _ => return,
        };
        let claim = Claim { bad: self.ends.bad, good: Vec::new(), culprit };
        let doubted = || match (&self.unknown, &self.check) {
            (None, Some(check)) => check.doubted(&self.belief),
            _ => self.belief().clone(),
        };
        let short = claim.short(&Evidence {
            graph: &self.graph,
            belief: self.belief(),
            runs: &|node| self.seen.runs(node),
            is_untestable: &|node| self.seen.is_untestable(node),
            confidence: self.config.confidence,
            doubted: &doubted,
        });
        match short {
            Short::Holds => self.is_verified = true,
            Short::Untestable => {}
            // Even the maximum number of runs shows no difference.
            Short::Needs(missing) if missing.iter().any(|&node| self.is_worn_out(node)) => {
                self.decision = Decision::TooFlaky;
            }
            Short::Doubts(doubted) if doubted.is_enough_to_verify(self.seen.runs(self.ends.bad)) => {
                self.decision = Decision::TooFlaky
            }
            Short::Needs(missing) => (self.missing, self.decision) = (missing, Decision::Open),
            Short::Doubts(belief) => (self.doubted, self.decision) = (Some(belief), Decision::Open),
        }
    }

    /// Whether a revision has had so many runs that its verification gives up.
    fn is_worn_out(&self, node: Node) -> bool {
        self.belief().is_enough_to_verify(self.seen.runs(node))
    }

    /// The current belief, with the given rates or with both rates unknown.
    pub(super) fn belief(&self) -> &Belief {
        self.unknown.as_ref().unwrap_or(&self.belief)
    }

    pub(super) fn good_runs(&self) -> impl Iterator<Item = RunCounts> + '_ {
        self.ends.good.iter().map(|&good| self.seen.runs(good))
    }

    /// Whether a good revision can be run to estimate the flake rate.
    fn asks_good(&self) -> bool {
        let may_be_run =
            |&good: &Node| !self.seen.is_untestable(good) && !self.belief().is_enough(self.seen.runs(good));
        let is_unknown = self.config.flake_rate == Rate::Estimate || self.unknown.is_some();
        is_unknown && self.ends.good.first().is_some_and(may_be_run)
    }

    /// Whether the search still needs runs.
    fn is_open(&self) -> bool {
        match &self.decision {
            Decision::Open => true,
            Decision::Unproven(_, unproven) => !unproven.due.is_empty(),
            _ => false,
        }
    }

    /// Whether another run of a revision is useful.
    fn is_wanted(&self, revision: Node) -> bool {
        match &self.decision {
            Decision::Unproven(_, unproven) if unproven.due.contains(&revision) => return true,
            _ if !self.is_open() => return false,
            _ => {}
        }
        if !self.missing.is_empty() {
            return self.missing.contains(&revision);
        }
        let belief = match (&self.deflaked, &self.doubted) {
            (Some(deflaked), _) => deflaked.belief(),
            (None, doubted) => doubted.as_ref().unwrap_or(self.belief()),
        };
        match belief.suspects.place(revision) {
            Some(place) => is_useful(belief, place),
            None => self.asks_good() && self.ends.good.contains(&revision),
        }
    }

    /// The runs that FACF's thresholds choose, without useless ones. If passes can be false, the thresholds can choose revisions
    /// that every likely culprit breaks.
    fn by_threshold(&self, measure: Measure, want: usize, flying: &[usize]) -> Vec<usize> {
        let mut places = next_runs(self.belief(), measure, &self.costs, self.config.confidence, want, flying);
        places.retain(|&place| is_useful(self.belief(), place));
        places
    }

    /// The runs that a verification still needs, without those in flight.
    fn missing_runs(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let mut missing = without(&self.missing, in_flight);
        missing.truncate(want);
        missing
    }

    /// A run that must come before any other.
    fn due(&self) -> Option<Node> {
        let due = due_run(self.belief(), self.config.confidence, self.asks_good()).filter(|_| self.deflaked.is_none());
        match due? {
            Due::Suspect(place) => Some(self.belief().suspects.node(place)),
            Due::Good => self.ends.good.first().copied(),
        }
    }

    /// Replaces the least informative run by a run of the good revision, if that is more informative.
    fn with_good(&self, mut chosen: Vec<Node>, in_flight: &[Node]) -> Vec<Node> {
        let Some(&good) = self.ends.good.first() else { return chosen };
        if !self.asks_good() || in_flight.contains(&good) {
            return chosen;
        }
        let belief = self.belief();
        let told = |node: &Node| belief.suspects.place(*node).map_or(0.0, |place| run_at(belief, place).1);
        let least = chosen.iter().map(told).enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
        if let Some((least, _)) = least.filter(|&(_, bits)| information_at_good(belief) > bits) {
            chosen[least] = good;
        }
        chosen
    }
}

impl Algorithm for Culprit {
    type Config = CulpritConfig;
    type Report = CulpritReport;
    type Space = History;

    const NAME: &'static str = "culprit";

    fn new(graph: Arc<CommitGraph>, config: CulpritConfig) -> Result<Self, Error> {
        Culprit::open(graph, config)
    }

    fn space(&self) -> &History {
        &self.space
    }

    fn space_mut(&mut self) -> &mut History {
        &mut self.space
    }

    fn config(&self) -> &CulpritConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn absorb(&mut self, revision: Node, observation: &Observation) -> Reading {
        if revision == self.ends.bad && self.sought.learns_from(observation) {
            return Reading::Anew;
        }
        self.take(revision, observation);
        if !self.is_replaying {
            self.settle();
        }
        Reading::Stands
    }

    fn begin_rereading(&mut self) {
        // Weigh after each outcome, so that the report can show the last belief that explained the outcomes.
        (self.is_replaying, self.is_behind) = (false, false);
        self.clear();
    }

    fn begin_replay(&mut self) {
        self.is_replaying = true;
    }

    fn end_replay(&mut self) -> Reading {
        self.is_replaying = false;
        if !std::mem::take(&mut self.is_behind) {
            return Reading::Stands;
        }
        self.belief.weigh();
        self.deflaked.iter_mut().for_each(Deflaked::settle);
        self.settle();
        if self.belief.is_possible() { Reading::Stands } else { Reading::Anew }
    }

    fn is_other_failure(&self, observation: &Observation) -> bool {
        self.sought.is_other(observation)
    }

    fn reset(&mut self) {
        self.sought.forget();
        self.clear();
        self.settle();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        if let Decision::Unproven(_, unproven) = &self.decision {
            return unproven.due.iter().copied().filter(|due| !in_flight.contains(due)).take(want).collect();
        }
        if self.decision != Decision::Open {
            return Vec::new();
        }
        if !self.missing.is_empty() {
            return self.missing_runs(want, in_flight);
        }
        let suspects = Arc::clone(&self.belief.suspects);
        let flying: Vec<usize> = in_flight.iter().filter_map(|&node| suspects.place(node)).collect();
        let costs = &self.costs;
        if let Some(doubted) = &self.doubted {
            let places = joint_runs(doubted, costs, self.config.confidence, want, &flying);
            let mut chosen: Vec<Node> = places.into_iter().map(|place| suspects.node(place)).collect();
            if chosen.is_empty() && in_flight.is_empty() {
                chosen.push(self.ends.bad);
            }
            return chosen;
        }
        if let Some(due) = self.due().filter(|due| !in_flight.contains(due)) {
            let mut flying = in_flight.to_vec();
            flying.push(due);
            let mut chosen = vec![due];
            if want > 1 {
                chosen.extend(self.choose(want - 1, &flying));
            }
            return chosen;
        }
        let confidence = self.config.confidence;
        let places = match (&self.deflaked, self.config.strategy) {
            (Some(deflaked), _) => deflaked.next_runs(costs, want, &flying),
            (None, CulpritStrategy::Cdf) => self.by_threshold(Measure::Posterior, want, &flying),
            (None, CulpritStrategy::ExpectedGain) => self.by_threshold(Measure::ExpectedGain, want, &flying),
            (None, _) => joint_runs(self.belief(), costs, confidence, want, &flying),
        };
        let mut chosen: Vec<Node> = places.into_iter().map(|place| suspects.node(place)).collect();
        if chosen.is_empty() && in_flight.is_empty() {
            // The rule prefers a revision that cannot be run. Take the most informative of the others.
            chosen.extend(ExpectedInformation::new(self.belief()).best(costs).map(|place| suspects.node(place)));
        }
        if self.deflaked.is_some() { chosen } else { self.with_good(chosen, in_flight) }
    }

    fn wants(&self, in_flight: &[Node]) -> Vec<bool> {
        in_flight.iter().map(|&revision| self.is_wanted(revision)).collect()
    }

    fn status(&self) -> Status {
        match self.decision {
            _ if self.is_open() => Status::Running,
            Decision::Culprit(_) => Status::Found,
            Decision::Flake => Status::NotReproduced,
            Decision::Open | Decision::Unproven(..) | Decision::Inseparable(_) => Status::Ambiguous,
            Decision::Contradictory => Status::Contradictory,
            Decision::GoodEndFails => Status::GoodEndFails,
            Decision::TooFlaky => Status::TooFlaky,
        }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> CulpritReport {
        self.write_report(status, ledger)
    }

    fn sentences(report: &mut CulpritReport) -> Vec<&mut String> {
        std::iter::once(&mut report.message).chain(&mut report.warnings).collect()
    }

    fn best(report: &CulpritReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report, named)
    }

    fn question(&self) -> Option<CulpritQuestion> {
        let (graph, newer) = (Arc::clone(&self.graph), vec![self.ends.bad]);
        Some(CulpritQuestion { graph, newer, at_culprit: Outcome::Fail, halves: false })
    }

    fn posterior(&self) -> Option<Posterior> {
        Some(self.belief().posterior())
    }

    fn why(&self, revision: &str) -> Option<SelectionReason> {
        self.prior.as_ref()?.why(&self.graph, self.graph.get(revision)?)
    }
}
