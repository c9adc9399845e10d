//! The rates and runs of a flaky test.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::belief::{Rate, Rates, RunCounts};
use crate::culprit::{CulpritConfig, Guard, ModelCheck, Patience, Seen, most_runs};
use crate::error::Error;
use crate::finding::find::Find;
use crate::graph::{CommitGraph, Node};
use crate::option;
use crate::regression::config::{RegressionConfig, SearchKind};
use crate::search::{Observation, Outcome};

/// The rates and runs of a flaky test.
#[derive(Debug)]
pub(in crate::regression) struct Flaky {
    /// The current rates: the given ones, or both unknown if the given ones became doubtful.
    pub(super) rates: Arc<Rates>,
    told: Arc<Rates>,
    pub(super) confidence: f64,
    /// Alternatives to the given rates. `None` if no rate was given, or without verification.
    check: Option<ModelCheck>,
    /// Whether the error rate at the older endpoints was given, and is not the default.
    is_told_of_older: bool,
    /// The maximum number of runs of one revision.
    most_runs: u32,
    /// Whether every parent of a culprit must pass.
    pub(super) check_parents: bool,
    /// Whether each bad revision must be run, even if another one's culprit explains it.
    pub(super) each: bool,
    /// The endpoints that are given as passing.
    pub(super) older: Vec<Node>,
    /// The given options for noise.
    pub(super) options: CulpritConfig,
    pub(super) seen: Seen,
    /// The revisions with a known outcome, and the evidence of each about the rates.
    known: HashMap<Node, Classed>,
    /// The sum of that evidence.
    all_known: Classed,
    /// The runs in the order in which they were reported. Searches continue reading where they stopped.
    pub(super) log: Vec<(Node, RunCounts)>,
}

/// Runs at healthy and at broken revisions.
#[derive(Debug, Clone, Copy, Default)]
struct Classed {
    healthy: RunCounts,
    broken: RunCounts,
}

/// The options for noise, with the defaults of a culprit search.
pub(in crate::regression) fn noise(config: &RegressionConfig) -> CulpritConfig {
    let mut options = CulpritConfig::new("", config.flake_rate.unwrap_or(Rate::Estimate));
    options.min_flake_rate = config.min_flake_rate.unwrap_or(0.0);
    options.false_pass_rate = config.false_pass_rate.unwrap_or(options.false_pass_rate);
    options.prior_no_culprit = config.prior_no_culprit;
    options.confidence = config.confidence.unwrap_or(options.confidence);
    options.verify = config.verify.unwrap_or(options.verify);
    options
}

impl Classed {
    fn without(self, others: Classed) -> Classed {
        Classed { healthy: self.healthy.without(others.healthy), broken: self.broken.without(others.broken) }
    }
}

impl Flaky {
    /// Creates the flaky test of a configuration, or `None` if the search trusts every outcome. `older` are the endpoints that
    /// are given as passing.
    pub(in crate::regression) fn of(config: &RegressionConfig, older: Vec<Node>) -> Result<Option<Self>, Error> {
        let given = [
            ("flake_rate", config.flake_rate.as_ref().map(json)),
            ("min_flake_rate", config.min_flake_rate.as_ref().map(json)),
            ("false_pass_rate", config.false_pass_rate.as_ref().map(json)),
            ("prior_no_culprit", config.prior_no_culprit.as_ref().map(json)),
            ("confidence", config.confidence.as_ref().map(json)),
            ("verify", config.verify.as_ref().map(json)),
        ];
        if config.search != SearchKind::Bayes {
            return match given.into_iter().find_map(|(argument, value)| Some((argument, value?))) {
                Some((argument, value)) => {
                    let expected = concat!(
                        "nothing, or ",
                        option!(search = "bayes"),
                        ", because the other searches assume that every outcome is right"
                    );
                    Err(Error::InvalidArgument { argument: argument.into(), value, expected: expected.into() })
                }
                None => Ok(None),
            };
        }
        let options = noise(config);
        options.check()?;
        let rates = options.rates()?;
        let check = ModelCheck::new(&options, &rates).filter(|_| options.verify);
        let (rates, check) = match config.find {
            Find::Regression => (Arc::new(rates), check),
            // The search looks for a change from fail to pass, so a flake is a pass of a broken revision.
            Find::Fix => (Arc::new(rates.swapped()), check.map(|check| check.swapped())),
        };
        let confidence = options.confidence;
        let (check_parents, each) = (config.check_parents, !config.propagates());
        Ok(Some(Flaky {
            most_runs: enough(&rates, confidence),
            told: Arc::clone(&rates),
            rates,
            confidence,
            check,
            is_told_of_older: config.find == Find::Regression || config.false_pass_rate.is_some(),
            check_parents,
            each,
            older,
            options,
            seen: Seen::default(),
            known: HashMap::new(),
            all_known: Classed::default(),
            log: Vec::new(),
        }))
    }

    pub(in crate::regression) fn clear(&mut self) {
        self.reckon_with(Arc::clone(&self.told));
        self.seen.clear();
        self.known.clear();
        self.all_known = Classed::default();
        self.log.clear();
    }

    /// The alternatives to the given rates, as long as these are used.
    pub(super) fn check(&self) -> Option<&ModelCheck> {
        self.check.as_ref().filter(|_| !self.gave_up_rates())
    }

    /// Switches to unknown rates. Returns the outcomes at these rates, in the order in which the revisions were first run.
    pub(in crate::regression) fn give_up_rates(&mut self) -> Vec<(Node, Outcome)> {
        let Some(check) = self.check() else { return Vec::new() };
        self.reckon_with(Arc::clone(check.unknown()));
        self.known.clear();
        self.all_known = Classed::default();
        let mut met = HashSet::new();
        let nodes: Vec<Node> = self.log.iter().map(|run| run.0).filter(|&node| met.insert(node)).collect();
        nodes.into_iter().filter_map(|node| Some((node, self.judge(node)?))).collect()
    }

    /// Whether the given rates are no longer used.
    pub(in crate::regression) fn gave_up_rates(&self) -> bool {
        !Arc::ptr_eq(&self.rates, &self.told)
    }

    /// The revisions that were run.
    pub(in crate::regression) fn tested(&self) -> impl Iterator<Item = Node> + '_ {
        self.seen.nodes()
    }

    fn reckon_with(&mut self, rates: Arc<Rates>) {
        self.most_runs = enough(&rates, self.confidence);
        self.rates = rates;
    }

    /// Adds an observation and returns the outcome of its revision, if that is known. `effective` is the outcome for this search.
    /// For a fix, passes and failures are exchanged.
    pub(in crate::regression) fn learn(
        &mut self,
        node: Node,
        observation: &Observation,
        effective: Outcome,
        find: Find,
    ) -> Option<Outcome> {
        let mut tally = RunCounts::from(observation);
        if observation.outcome != Outcome::Unresolved && effective == Outcome::Unresolved {
            // The failure is not the one to search for.
            tally.fails = 0;
        }
        if find == Find::Fix {
            tally = tally.swapped();
        }
        self.seen.add(node, tally);
        if tally == RunCounts::default() {
            return Some(Outcome::Unresolved);
        }
        self.log.push((node, tally));
        self.judge(node)
    }

    /// Returns the outcome of a revision from its runs, if that is known, and updates the evidence about the rates.
    fn judge(&mut self, node: Node) -> Option<Outcome> {
        let outcome = self.outcome(node);
        self.know(node, outcome);
        // A revision at the maximum number of runs counts as unresolved, so that every search ends.
        outcome.or_else(|| (self.runs(node).runs() >= self.most_runs).then_some(Outcome::Unresolved))
    }

    /// Updates the evidence about the rates with the outcome of a revision.
    fn know(&mut self, node: Node, outcome: Option<Outcome>) {
        let runs = self.runs(node);
        let classed = match outcome {
            Some(Outcome::Pass) => Classed { healthy: runs, ..Classed::default() },
            Some(Outcome::Fail) => Classed { broken: runs, ..Classed::default() },
            Some(Outcome::Unresolved) | None => Classed::default(),
        };
        let others = self.all_known.without(self.known.insert(node, classed).unwrap_or_default());
        self.all_known = Classed { healthy: others.healthy + classed.healthy, broken: others.broken + classed.broken };
    }

    /// The guard for culprits.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard { seen: &self.seen, patience: Patience::of(&self.rates, self.confidence) }
    }

    /// Whether a revision can be reported as a culprit. It must have failed, and each parent must pass, or fail with certainty,
    /// which is another point. Parents that were distinguished from it pass. If the result need not be clean, one passing parent
    /// is enough.
    pub(in crate::regression) fn proves(&self, graph: &CommitGraph, bad: Node, told_apart: &[Node]) -> bool {
        let parents = graph.parents(bad);
        let outcome = |&parent: &Node| match told_apart.contains(&parent) {
            true => Some(Outcome::Pass),
            false => self.outcome(parent),
        };
        let outcomes = || parents.iter().map(outcome);
        let proved = match self.check_parents {
            true => outcomes().all(|outcome| outcome.is_some()),
            false => outcomes().any(|outcome| outcome == Some(Outcome::Pass)),
        };
        self.runs(bad).fails > 0 && (proved || parents.is_empty())
    }

    /// Whether the revision had an unresolved outcome.
    pub(in crate::regression) fn is_untestable(&self, node: Node) -> bool {
        self.seen.is_untestable(node)
    }

    /// Whether a run of the revision passed. A claim of the caller does not count.
    pub(in crate::regression) fn saw_pass(&self, node: Node) -> bool {
        self.runs(node).passes > 0
    }

    /// Whether a good revision has passed, never passes, or is unresolved.
    pub(in crate::regression) fn is_settled(&self, node: Node) -> bool {
        self.runs(node).passes > 0 || self.never_passes(node) || self.seen.is_untestable(node)
    }

    /// Whether a good revision fails more often than flakes explain, also to someone who doubts the default rate.
    pub(in crate::regression) fn never_passes(&self, node: Node) -> bool {
        let runs = self.runs(node);
        let check = self.check().filter(|_| !self.is_told_of_older);
        let rates = check.map_or(&*self.rates, ModelCheck::doubted_rates);
        let chance = rates.worst().0.powf(f64::from(runs.fails));
        runs.passes == 0 && runs.fails > 0 && chance <= 1.0 - self.confidence
    }

    pub(in crate::regression) fn runs(&self, node: Node) -> RunCounts {
        self.seen.runs(node)
    }

    /// The probability that a revision is broken, from its own runs and even odds. Unknown rates are estimated from other
    /// revisions.
    fn broken(&self, node: Node) -> f64 {
        let runs = self.runs(node);
        let others = match self.rates.known() {
            Some(_) => Classed::default(),
            None => self.all_known.without(self.known.get(&node).copied().unwrap_or_default()),
        };
        let healthy = self.rates.fit(others.healthy + runs, others.broken);
        let broken = self.rates.fit(others.healthy, others.broken + runs);
        if healthy.ln_likelihood == f64::NEG_INFINITY && broken.ln_likelihood == f64::NEG_INFINITY {
            // At rates of 0, a revision cannot both pass and fail. A pass outweighs failures.
            return 0.0;
        }
        1.0 / (1.0 + (healthy.ln_likelihood - broken.ln_likelihood).exp())
    }

    /// The probability that a revision is broken and its passing parents are healthy.
    pub(super) fn edge(&self, graph: &CommitGraph, node: Node) -> f64 {
        let healthy = |&parent: &Node| match self.outcome(parent) {
            Some(Outcome::Pass) => 1.0 - self.broken(parent),
            _ => 1.0,
        };
        self.broken(node) * graph.parents(node).iter().map(healthy).product::<f64>()
    }

    /// The outcome of a revision from its own runs, or `None` if they do not suffice.
    pub(in crate::regression) fn outcome(&self, node: Node) -> Option<Outcome> {
        if self.runs(node) == RunCounts::default() {
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

/// The maximum number of runs of one revision, for a prior probability of [`WITHOUT_A_BELIEF`].
fn enough(rates: &Rates, confidence: f64) -> u32 {
    most_runs(rates, WITHOUT_A_BELIEF, confidence)
}

/// The factor by which the accepted error is lower if a revision is judged by its own runs. Among many healthy revisions, one
/// soon fails twice.
const WITHOUT_A_BELIEF: f64 = 0.1;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
