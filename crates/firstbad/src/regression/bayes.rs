//! FACF as a search of RPA: the culprit of one bad revision, by a belief over what was seen for all of them.
//!
//! One pass makes a revision known to pass, and Algorithm 5 goes on with it; failures only speak for one. With false
//! passes, both do.

use std::sync::Arc;

use hashbrown::HashMap;

use super::config::{Find, RegressionConfig, SearchKind};
use super::evidence::{Evidence, View};
use super::ground::Ground;
use crate::belief::{Rate, Rates, Tally};
use crate::culprit::{Belief, Costs, CulpritConfig, Due, Ending, Suspects, due_run, ending, joint_runs, run_at};
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::observation::{Observation, Outcome};

/// What is known of a flaky test, and every run of it.
#[derive(Debug)]
pub(super) struct Flaky {
    rates: Arc<Rates>,
    confidence: f64,
    /// Whether every parent of an answer has to pass.
    clean: bool,
    /// Whether each bad revision is to be run itself, and not only told by another one's answer.
    each: bool,
    /// The ends that are said to pass.
    pub(super) older: Vec<Node>,
    /// The same questions as those of a culprit search have the same defaults.
    options: CulpritConfig,
    runs: HashMap<Node, Tally>,
    /// What could not be tested.
    untestable: Vec<Node>,
    /// The runs in the order told, for searches to read from where they left off.
    log: Vec<(Node, Tally)>,
}

impl Flaky {
    /// What a configuration says about flakes; nothing where its search takes every answer for the truth.
    pub(super) fn of(config: &RegressionConfig) -> Result<Option<Self>, Error> {
        let given = [
            ("flake_rate", config.flake_rate.as_ref().map(json)),
            ("flake_rate_floor", config.flake_rate_floor.as_ref().map(json)),
            ("false_pass_rate", config.false_pass_rate.as_ref().map(json)),
            ("prior_no_culprit", config.prior_no_culprit.as_ref().map(json)),
            ("confidence", config.confidence.as_ref().map(json)),
        ];
        if config.search != SearchKind::Bayes {
            return match given.into_iter().find_map(|(argument, value)| Some((argument, value?))) {
                Some((argument, value)) => {
                    let expected = "nothing, or search=\"bayes\": the other searches take every answer for the truth";
                    Err(Error::InvalidArgument { argument: argument.into(), value, expected: expected.into() })
                }
                None => Ok(None),
            };
        }
        let mut options = CulpritConfig::new("", config.flake_rate.unwrap_or(Rate::Estimate));
        options.flake_rate_floor = config.flake_rate_floor.unwrap_or(0.0);
        options.false_pass_rate = config.false_pass_rate.unwrap_or(options.false_pass_rate);
        options.prior_no_culprit = config.prior_no_culprit;
        options.confidence = config.confidence.unwrap_or(options.confidence);
        options.check()?;
        options.rates()?;
        if config.find == Find::Fix {
            // What is sought changes from fail to pass: a flake is then a broken revision's pass.
            std::mem::swap(&mut options.flake_rate, &mut options.false_pass_rate);
            let floor = std::mem::take(&mut options.flake_rate_floor);
            if let Rate::Known(rate) = &mut options.false_pass_rate {
                *rate = rate.max(floor);
            }
        }
        let rates = Arc::new(options.rates()?);
        let confidence = options.confidence;
        let (clean, each) = (config.clean, !config.propagates());
        let older = Vec::new();
        Ok(Some(Flaky {
            rates,
            confidence,
            clean,
            each,
            older,
            options,
            runs: HashMap::new(),
            untestable: Vec::new(),
            log: Vec::new(),
        }))
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.untestable.clear();
        self.log.clear();
    }

    /// Takes in an answer whose outcome means `effective` for the change that is sought; for a fix passes and failures
    /// are exchanged.
    pub(super) fn learn(
        &mut self,
        evidence: &mut Evidence,
        node: Node,
        observation: &Observation,
        effective: Outcome,
        find: Find,
    ) {
        let mut tally = Tally::from(observation);
        if observation.outcome != Outcome::Unresolved && effective == Outcome::Unresolved {
            // Another failure than the one that is searched for.
            tally.fails = 0;
        }
        if find == Find::Fix {
            std::mem::swap(&mut tally.passes, &mut tally.fails);
        }
        if tally == Tally::default() {
            evidence.add(node, Outcome::Unresolved);
            self.untestable.push(node);
            return;
        }
        *self.runs.entry(node).or_default() += tally;
        self.log.push((node, tally));
        if let Some(outcome) = self.outcome(node) {
            evidence.add(node, outcome);
        }
    }

    /// Whether a good end has been seen to pass, or never to pass, or cannot be tested.
    pub(super) fn is_settled(&self, node: Node) -> bool {
        self.runs(node).passes > 0 || self.never_passes(node) || self.untestable.contains(&node)
    }

    /// Whether a good end fails more often than flakes explain.
    pub(super) fn never_passes(&self, node: Node) -> bool {
        let runs = self.runs(node);
        let chance = self.rates.worst().0.powf(f64::from(runs.fails));
        runs.passes == 0 && runs.fails > 0 && chance <= 1.0 - self.confidence
    }

    pub(super) fn runs(&self, node: Node) -> Tally {
        self.runs.get(&node).copied().unwrap_or_default()
    }

    /// How likely a revision is broken by its own runs alone, both being as likely beforehand.
    fn broken(&self, node: Node) -> f64 {
        let runs = self.runs(node);
        let nothing = Tally::default();
        let (healthy, broken) = (self.rates.fit(runs, nothing), self.rates.fit(nothing, runs));
        if healthy.ln_likelihood == f64::NEG_INFINITY && broken.ln_likelihood == f64::NEG_INFINITY {
            // At rates of 0 it cannot both pass and fail: a pass outweighs failures.
            return 0.0;
        }
        1.0 / (1.0 + (healthy.ln_likelihood - broken.ln_likelihood).exp())
    }

    /// How likely a revision is broken, and those of its parents healthy that are not known to be broken.
    fn edge(&self, graph: &CommitGraph, node: Node) -> f64 {
        let healthy = |&parent: &Node| match self.outcome(parent) {
            Some(Outcome::Pass) => 1.0 - self.broken(parent),
            _ => 1.0,
        };
        self.broken(node) * graph.parents(node).iter().map(healthy).product::<f64>()
    }

    /// What a revision's own runs make of it: pass or fail where they suffice.
    pub(super) fn outcome(&self, node: Node) -> Option<Outcome> {
        if self.runs(node) == Tally::default() {
            return None;
        }
        let broken = self.broken(node);
        if broken <= WITHOUT_A_BELIEF * (1.0 - self.confidence) {
            Some(Outcome::Pass)
        } else if broken >= 1.0 - WITHOUT_A_BELIEF * (1.0 - self.confidence) {
            Some(Outcome::Fail)
        } else {
            None
        }
    }
}

/// The error that is put up with, in comparison, where a revision's own runs have to speak for themselves: of many healthy
/// ones one is soon seen to fail twice.
const WITHOUT_A_BELIEF: f64 = 0.1;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What the search wants.
pub(super) enum BayesStep {
    /// One more run at a revision, which fails with this probability.
    Ask { node: Node, fail_chance: f64 },
    /// This revision is the culprit, with this probability; its parents pass, or fail for sure.
    Culprit { node: Node, probability: f64 },
    /// It was a flake.
    Flake,
    /// One of several that no test can tell apart, of which this is the newest.
    Inseparable { newest: Node, probability: f64 },
    /// No single culprit explains what was seen; this revision fails for sure, and a search below it may be clearer.
    Below(Node),
    /// No single culprit explains what was seen.
    Contradictory,
}

/// The belief about one bad revision.
#[derive(Debug, Clone)]
pub(super) struct BayesSearch {
    bad: Node,
    belief: Belief,
    /// How much of the runs, and of the outcomes, is taken into account.
    runs_seen: usize,
    outcomes_seen: usize,
    /// Whether the next run was chosen among all suspects, and not called for by one of them.
    is_open: bool,
}

impl BayesSearch {
    /// A search among `suspects`, of which `bad` is the newest.
    pub(super) fn new(graph: &Arc<CommitGraph>, flaky: &Flaky, bad: Node, suspects: &fixedbitset::FixedBitSet) -> Self {
        let options = &flaky.options;
        let cleared = |node: Node| !suspects.contains(node as usize);
        let suspects = Suspects::new(Arc::clone(graph), bad, cleared, None, |count| options.no_culprit(count));
        let belief = Belief::new(Arc::new(suspects), Arc::clone(&flaky.rates));
        BayesSearch { bad, belief, runs_seen: 0, outcomes_seen: 0, is_open: false }
    }

    /// The revision whose failure it is about.
    pub(super) fn bad(&self) -> Node {
        self.bad
    }

    /// The most probable culprit, with its probability.
    pub(super) fn best(&self) -> (Node, f64) {
        let (place, probability) = self.belief.best();
        (self.belief.suspects.node(place), probability)
    }

    /// Goes as far as what is known allows.
    pub(super) fn next(&mut self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, ground: &Ground) -> BayesStep {
        // A search that begins late takes all runs of a revision at once.
        let mut sums: Vec<(Node, Tally)> = Vec::new();
        if self.runs_seen == 0 {
            sums.extend(flaky.runs.iter().map(|(&node, &tally)| (node, tally)));
            sums.sort_unstable_by_key(|&(node, _)| node);
        }
        let news = if self.runs_seen == 0 { &sums } else { &flaky.log[self.runs_seen..] };
        for &(node, tally) in news {
            // What was left aside, because it never passed, is neither a suspect nor healthy.
            let is_aside = self.belief.suspects.place(node).is_none() && !ground.covers(node);
            if !is_aside || !graph.is_ancestor(node, self.bad) {
                self.belief.observe(node, tally);
            }
        }
        self.runs_seen = flaky.log.len();
        for (node, outcome) in view.since(self.outcomes_seen) {
            if outcome == Outcome::Unresolved {
                self.belief.set_unresolved(node);
            }
        }
        self.outcomes_seen = view.len();
        self.is_open = false;
        if view.outcome(self.bad) == Some(Outcome::Pass) {
            return BayesStep::Flake;
        }
        if flaky.each && flaky.runs(self.bad) == Tally::default() && view.outcome(self.bad).is_none() {
            return BayesStep::Ask { node: self.bad, fail_chance: 1.0 - self.belief.none().mass };
        }
        if let Some(good) = self.good_in_doubt(graph, flaky) {
            return BayesStep::Ask { node: good, fail_chance: 0.5 };
        }
        let suspects = Arc::clone(&self.belief.suspects);
        let node = |place: usize| suspects.node(place);
        match ending(&self.belief, flaky.confidence, &[], false) {
            // The prior alone acquits nobody.
            Ending::Flake if flaky.runs(self.bad) == Tally::default() && view.outcome(self.bad).is_none() => {
                BayesStep::Ask { node: self.bad, fail_chance: 0.5 }
            }
            Ending::Flake => BayesStep::Flake,
            Ending::Culprit(place) => self.settle(graph, view, flaky, node(place), self.belief.posterior_at(place)),
            Ending::Inseparable(set) => {
                let newest = set.places.last().map_or(self.bad, |&place| node(place));
                let nobody = if set.nobody { self.belief.none().mass } else { 0.0 };
                BayesStep::Inseparable { newest, probability: set.mass - nobody }
            }
            Ending::Open => match self.edge(graph, view, flaky, ground) {
                Some(step) => step,
                None => match self.choose(1, &[], flaky.confidence).first() {
                    Some(&place) => {
                        self.is_open = true;
                        BayesStep::Ask { node: node(place), fail_chance: run_at(&self.belief, place).0 }
                    }
                    None => BayesStep::Contradictory,
                },
            },
            Ending::Contradictory | Ending::GoodEndFails => {
                let below =
                    || self.failing(view, flaky).into_iter().find(|&node| node != self.bad).map(BayesStep::Below);
                self.edge(graph, view, flaky, ground).or_else(below).unwrap_or(BayesStep::Contradictory)
            }
        }
    }

    /// The good end that an answer would rest on, where no revision was seen to pass and the rate is unknown.
    fn good_in_doubt(&self, graph: &CommitGraph, flaky: &Flaky) -> Option<Node> {
        let rests = due_run(&self.belief, flaky.confidence, true) == Some(Due::Good);
        let untested = |good: &Node| !flaky.is_settled(*good) && graph.is_ancestor(*good, self.bad);
        flaky.older.iter().copied().filter(|_| rests).find(untested)
    }

    /// The culprit, once each of its parents passes, cannot be tested, or fails for sure.
    fn settle(&self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, culprit: Node, probability: f64) -> BayesStep {
        let parents = graph.parents(culprit);
        let passes = parents.iter().any(|&parent| view.outcome(parent) == Some(Outcome::Pass));
        match parents.iter().find(|&&parent| view.outcome(parent).is_none()) {
            Some(&parent) if flaky.clean || !passes => BayesStep::Ask { node: parent, fail_chance: 1.0 - probability },
            _ => BayesStep::Culprit { node: culprit, probability },
        }
    }

    /// A regression point by its own runs alone: a revision that surely fails, with a parent that passes. Where several
    /// revisions broke the test, or where it was repaired in between, no single one of them explains everything, and
    /// each is one of these. A parent that was not tested itself decides.
    fn edge(&self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, ground: &Ground) -> Option<BayesStep> {
        let suspects = &self.belief.suspects;
        // Ruled out, by a pass of what comes after it or because it never passed: a matter of its own.
        let is_aside = |parent: Node| {
            !ground.is_grounded(parent)
                || suspects.place(parent).is_none_or(|place| self.belief.posterior_at(place) == 0.0)
        };
        let step = |node: Node| {
            let parents = graph.parents(node);
            let undecided = |&&parent: &&Node| match view.outcome(parent) {
                Some(Outcome::Pass | Outcome::Unresolved) => false,
                Some(Outcome::Fail) => !is_aside(parent),
                None => true,
            };
            let passes = parents.iter().any(|&parent| view.outcome(parent) == Some(Outcome::Pass));
            match parents.iter().find(undecided) {
                _ if passes && !flaky.clean => Some(BayesStep::Culprit { node, probability: flaky.edge(graph, node) }),
                None if passes => Some(BayesStep::Culprit { node, probability: flaky.edge(graph, node) }),
                Some(&parent) if passes && view.outcome(parent).is_none() && is_aside(parent) => {
                    Some(BayesStep::Ask { node: parent, fail_chance: 0.5 })
                }
                _ => None,
            }
        };
        self.failing(view, flaky).into_iter().find_map(step)
    }

    /// The suspects that surely fail, oldest first.
    fn failing(&self, view: View<'_>, flaky: &Flaky) -> Vec<Node> {
        let fails =
            |node: &Node| self.belief.suspects.place(*node).is_some() && view.outcome(*node) == Some(Outcome::Fail);
        let mut failing: Vec<Node> = flaky.runs.keys().copied().filter(fails).collect();
        failing.sort_unstable();
        failing
    }

    /// The places to run next, in the light of those in flight.
    fn choose(&self, want: usize, flying: &[usize], confidence: f64) -> Vec<usize> {
        let due = match due_run(&self.belief, confidence, false) {
            Some(Due::Suspect(place)) if !flying.contains(&place) => Some(place),
            _ => None,
        };
        let mut chosen: Vec<usize> = due.into_iter().collect();
        if chosen.len() < want {
            let flying: Vec<usize> = flying.iter().chain(&chosen).copied().collect();
            chosen.extend(joint_runs(&self.belief, &Costs::default(), confidence, want - chosen.len(), &flying));
        }
        chosen
    }

    /// Whether the next run was chosen among all suspects: then others may be run beside it.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Several revisions to run next, each as often as it is named.
    pub(super) fn several(&self, want: usize, in_flight: &[Node], flaky: &Flaky) -> Vec<Node> {
        let flying: Vec<usize> = in_flight.iter().filter_map(|&node| self.belief.suspects.place(node)).collect();
        self.choose(want, &flying, flaky.confidence).into_iter().map(|place| self.belief.suspects.node(place)).collect()
    }
}
