//! What is known of a flaky test, and every run of it.

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

/// What is known of a flaky test, and every run of it.
#[derive(Debug)]
pub(in crate::regression) struct Flaky {
    /// The rates that are reckoned with: those told or, where they became doubtful, both unknown.
    pub(super) rates: Arc<Rates>,
    told: Arc<Rates>,
    pub(super) confidence: f64,
    /// Other rates to hold those told against; `None` if nothing is verified, or nothing was told.
    check: Option<ModelCheck>,
    /// Whether it was said how often the test errs at the older ends, and not left to the default.
    is_told_of_older: bool,
    /// How many runs of one revision are enough.
    most_runs: u32,
    /// Whether every parent of an answer has to pass.
    pub(super) check_parents: bool,
    /// Whether each bad revision is to be run itself, and not only told by another one's answer.
    pub(super) each: bool,
    /// The ends that are said to pass.
    pub(super) older: Vec<Node>,
    /// The noise, as it was told.
    pub(super) options: CulpritConfig,
    pub(super) seen: Seen,
    /// The revisions whose outcome is known, each with what it adds to what is seen of the rates.
    known: HashMap<Node, Classed>,
    /// All of that together.
    all_known: Classed,
    /// The runs in the order told, for searches to read from where they left off.
    pub(super) log: Vec<(Node, RunCounts)>,
}

/// Runs at revisions that are healthy, and at those that are broken.
#[derive(Debug, Clone, Copy, Default)]
struct Classed {
    healthy: RunCounts,
    broken: RunCounts,
}

/// What a configuration says about flakes: the same questions as those of a culprit search have the same defaults.
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
    /// What a configuration says about flakes; `None` if its search takes every answer for the truth.
    /// `older` are the ends that are said to pass.
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
                        ": the other searches take every answer for the truth"
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
            // What is sought changes from fail to pass: a flake is then a broken revision's pass.
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

    /// What the rates told are held against; `None` as well once they are no longer reckoned with.
    pub(super) fn check(&self) -> Option<&ModelCheck> {
        self.check.as_ref().filter(|_| !self.gave_up_rates())
    }

    /// Reckons with unknown rates from now on, and says which outcomes there are by those, in the order in which revisions were
    /// first run.
    pub(in crate::regression) fn give_up_rates(&mut self) -> Vec<(Node, Outcome)> {
        let Some(check) = self.check() else { return Vec::new() };
        self.reckon_with(Arc::clone(check.unknown()));
        self.known.clear();
        self.all_known = Classed::default();
        let mut met = HashSet::new();
        let nodes: Vec<Node> = self.log.iter().map(|run| run.0).filter(|&node| met.insert(node)).collect();
        nodes.into_iter().filter_map(|node| Some((node, self.judge(node)?))).collect()
    }

    /// Whether the rates told are no longer reckoned with.
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

    /// Takes in an answer whose outcome means `effective` for the change that is sought; for a fix passes and failures
    /// are exchanged. Says what the revision's outcome is now, if that is known.
    pub(in crate::regression) fn learn(
        &mut self,
        node: Node,
        observation: &Observation,
        effective: Outcome,
        find: Find,
    ) -> Option<Outcome> {
        let mut tally = RunCounts::from(observation);
        if observation.outcome != Outcome::Unresolved && effective == Outcome::Unresolved {
            // Another failure than the one that is searched for.
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

    /// Says what a revision's outcome is by its runs, if that is known, and reads others in its light.
    fn judge(&mut self, node: Node) -> Option<Outcome> {
        let outcome = self.outcome(node);
        self.know(node, outcome);
        // Runs enough that do not settle it are as good as none: else an oracle could keep the search from its end.
        outcome.or_else(|| (self.runs(node).runs() >= self.most_runs).then_some(Outcome::Unresolved))
    }

    /// Keeps what an outcome says of the rates: those of other revisions are read in its light.
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

    /// What a culprit is named by.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard { seen: &self.seen, patience: Patience::of(&self.rates, self.confidence) }
    }

    /// Whether a revision may be named: it was seen to fail, and each parent to pass (or surely to fail: that is another
    /// point). Those that were told from it pass. Where the answer need not be clean, one passing parent is enough.
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

    /// Whether an answer said that it could not be tested.
    pub(in crate::regression) fn is_untestable(&self, node: Node) -> bool {
        self.seen.is_untestable(node)
    }

    /// Whether a run passed there; what was only declared did not.
    pub(in crate::regression) fn saw_pass(&self, node: Node) -> bool {
        self.runs(node).passes > 0
    }

    /// Whether a good end has been seen to pass, or never to pass, or cannot be tested.
    pub(in crate::regression) fn is_settled(&self, node: Node) -> bool {
        self.runs(node).passes > 0 || self.never_passes(node) || self.seen.is_untestable(node)
    }

    /// Whether a good end fails more often than flakes explain; to a doubter of the default, too, if nobody said more.
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

    /// How likely a revision is broken by its own runs alone, both being as likely beforehand, at rates as they were seen at other
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
            // At rates of 0 it cannot both pass and fail: a pass outweighs failures.
            return 0.0;
        }
        1.0 / (1.0 + (healthy.ln_likelihood - broken.ln_likelihood).exp())
    }

    /// How likely a revision is broken, and those of its parents healthy that are not known to be broken.
    pub(super) fn edge(&self, graph: &CommitGraph, node: Node) -> f64 {
        let healthy = |&parent: &Node| match self.outcome(parent) {
            Some(Outcome::Pass) => 1.0 - self.broken(parent),
            _ => 1.0,
        };
        self.broken(node) * graph.parents(node).iter().map(healthy).product::<f64>()
    }

    /// What a revision's own runs make of it: pass or fail; `None` if they do not suffice.
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

/// How many runs of one revision are enough: by itself it needs as much as the least likely of so many suspects.
fn enough(rates: &Rates, confidence: f64) -> u32 {
    most_runs(rates, WITHOUT_A_BELIEF, confidence)
}

/// The error that is put up with, in comparison, if a revision's own runs have to speak for themselves: of many healthy
/// ones one is soon seen to fail twice.
const WITHOUT_A_BELIEF: f64 = 0.1;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
