//! Bayes' rule for the suspects of one search (FACF, Section 3), on a list and on any commit graph.
//!
//! Suspects that break the same tested revisions have the same likelihood and form a class. On a line, the classes are the ranges
//! between tested revisions, so an observation costs O(tested revisions). On a DAG, each tested revision splits classes, in
//! O(suspects).
//!
//! `posterior.rs` computes the same belief without classes. A property test compares the two.

use std::sync::Arc;

use crate::belief::{Fit, Rates, RunCounts};
use crate::graph::Node;
use crate::search::{Posterior, Shares};

use super::limit::{most_runs, most_verification_runs};
use super::suspects::{Reach, Suspects};

#[derive(Debug, Clone)]
struct Test {
    node: Node,
    /// On a line, the number of suspects that break this revision. They are the first ones.
    first: usize,
    tally: RunCounts,
}

/// How suspects are divided into classes.
#[derive(Debug, Clone)]
pub(crate) enum Partition {
    /// The end of each range between tested revisions, ascending.
    Line(Vec<usize>),
    /// The class of each suspect.
    Dag(Arc<Vec<u32>>),
}

/// A class on a DAG.
#[derive(Debug, Clone)]
struct Kind {
    /// A bit for each test that the members break.
    breaks: Vec<u64>,
    prior: f64,
    heaviest: u32,
}

/// Sums over the suspects of a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassShape {
    /// The sum of `p log2 p` over the suspects.
    pub(crate) order: f64,
    /// The highest posterior probability of a suspect.
    pub(crate) top: f64,
}

impl Kind {
    /// Whether the members break the test with this number.
    fn breaks(&self, number: usize) -> bool {
        self.breaks.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

/// Suspects with the same likelihood, or "no culprit".
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    /// The posterior probability of the class.
    pub(crate) mass: f64,
    /// The posterior divided by the prior, equal for all members.
    pub(crate) scale: f64,
    /// The probability that the next run of a healthy revision fails, if the culprit is in this class.
    pub(crate) flake: f64,
    /// The probability that the next run of a broken revision passes, if the culprit is in this class.
    pub(crate) false_pass: f64,
    /// The runs at healthy revisions, if the culprit is in this class.
    pub(crate) healthy: RunCounts,
    /// The runs at broken revisions, if the culprit is in this class.
    pub(crate) broken: RunCounts,
}

/// The belief about the suspects of a search.
#[derive(Debug, Clone)]
pub(crate) struct Belief {
    pub(crate) suspects: Arc<Suspects>,
    rates: Arc<Rates>,
    tests: Vec<Test>,
    partition: Partition,
    kinds: Vec<Kind>,
    /// Runs at revisions that are healthy under every hypothesis.
    background: RunCounts,
    /// The places of unresolved suspects, ascending.
    unresolved: Vec<usize>,
    /// The confidence at which the search ends.
    confidence: f64,
    /// The maximum number of runs of one revision.
    most_runs: u32,
    /// The maximum number of runs of one revision, verification included.
    most_verified_runs: u32,
    classes: Vec<Class>,
    none: Class,
    /// The natural logarithm of the probability of all observations. It is minus infinity if no hypothesis explains them.
    ln_evidence: f64,
}

impl Belief {
    /// The belief before any run, for a search that ends at `confidence`.
    pub(crate) fn new(suspects: Arc<Suspects>, rates: Arc<Rates>, confidence: f64) -> Self {
        let (partition, kinds) = if suspects.is_line {
            (Partition::Line(vec![suspects.len()]), Vec::new())
        } else {
            let prior = (0..suspects.len()).map(|place| suspects.prior_at(place)).sum();
            let heaviest = suspects.heaviest(0, suspects.len()) as u32;
            (Partition::Dag(Arc::new(vec![0; suspects.len()])), vec![Kind { breaks: Vec::new(), prior, heaviest }])
        };
        let nothing = Class {
            mass: 0.0,
            scale: 0.0,
            flake: 0.0,
            false_pass: 0.0,
            healthy: RunCounts::default(),
            broken: RunCounts::default(),
        };
        let mut belief = Belief {
            suspects,
            rates,
            tests: Vec::new(),
            partition,
            kinds,
            background: RunCounts::default(),
            unresolved: Vec::new(),
            confidence,
            most_runs: 0,
            most_verified_runs: 0,
            classes: Vec::new(),
            none: nothing,
            ln_evidence: 0.0,
        };
        belief.limit_runs();
        belief.weigh();
        belief
    }

    /// Sets the maximum number of runs of one revision for the current rates.
    fn limit_runs(&mut self) {
        self.most_runs = most_runs(&self.rates, self.suspects.least(), self.confidence);
        self.most_verified_runs = self.most_runs.saturating_add(most_verification_runs(&self.rates, self.confidence));
    }

    /// Adds the runs of a revision and weighs the classes.
    ///
    /// Runs at revisions before the suspects inform the flake rate. A pass on another branch clears the suspects among its
    /// ancestors, but a failure there can have another cause. Descendants of the bad revision are ignored, because a later commit
    /// can have fixed them.
    pub(crate) fn observe(&mut self, node: Node, tally: RunCounts) {
        if self.note(node, tally) {
            self.weigh();
        }
    }

    /// Like [`Belief::observe`], but does not weigh the classes. Returns whether they must be weighed.
    pub(crate) fn note(&mut self, node: Node, tally: RunCounts) -> bool {
        if tally == RunCounts::default() {
            return false;
        }
        let bad = self.suspects.node(self.suspects.last());
        if self.suspects.place(node).is_some() {
            let reach = self.test(node);
            self.tests[reach].tally += tally;
        } else if self.suspects.is_before(node) {
            self.background += tally;
        } else if !self.suspects.graph.is_ancestor(bad, node) && tally.passes > 0 {
            if self.tests.iter().all(|test| test.node != node) && self.suspects.reach(node).is_empty() {
                return false;
            }
            let place = self.test(node);
            self.tests[place].tally += RunCounts { passes: tally.passes, fails: 0 };
        } else {
            return false;
        }
        true
    }

    /// Marks a revision as unresolved. It remains a suspect.
    pub(crate) fn set_unresolved(&mut self, node: Node) {
        if let Some(place) = self.suspects.place(node)
            && let Err(at) = self.unresolved.binary_search(&place)
        {
            self.unresolved.insert(at, place);
        }
    }

    /// Splits the classes as if these revisions had been tested, so that the effect of their runs can be computed.
    pub(crate) fn split_at(&mut self, nodes: impl Iterator<Item = Node>) {
        let before = self.tests.len();
        for node in nodes {
            if self.suspects.place(node).is_some() {
                self.test(node);
            }
        }
        if self.tests.len() > before {
            self.weigh();
        }
    }

    /// The runs of a suspect.
    pub(crate) fn runs_at(&self, place: usize) -> RunCounts {
        let node = self.suspects.node(place);
        self.tests.iter().find(|test| test.node == node).map_or(RunCounts::default(), |test| test.tally)
    }

    /// Whether a revision with these runs is not run again.
    pub(crate) fn is_enough(&self, runs: RunCounts) -> bool {
        runs.runs() >= self.most_runs
    }

    /// Whether a revision with these runs is not run again, not even for a verification.
    pub(crate) fn is_enough_to_verify(&self, runs: RunCounts) -> bool {
        runs.runs() >= self.most_verified_runs
    }

    /// The places of suspects that are not run again.
    pub(crate) fn spent(&self) -> impl Iterator<Item = usize> + '_ {
        let spent = self.tests.iter().filter(|test| self.is_enough(test.tally));
        spent.filter_map(|test| self.suspects.place(test.node))
    }

    /// Returns the number of a test. Adds the test if it is new.
    fn test(&mut self, node: Node) -> usize {
        if let Some(known) = self.tests.iter().position(|test| test.node == node) {
            return known;
        }
        let made = Test { node, first: 0, tally: RunCounts::default() };
        match (self.suspects.reach(node), &mut self.partition) {
            (Reach::First(first), Partition::Line(ends)) => {
                let place = self.tests.partition_point(|test| test.first <= first);
                self.tests.insert(place, Test { first, ..made });
                ends.insert(place, first);
                // Both parts keep the values of the old class until the next weighing.
                self.classes.insert(place, self.classes[place]);
                place
            }
            (Reach::Places(places), Partition::Dag(class_of)) => {
                let number = self.tests.len();
                self.tests.push(made);
                let class_of = Arc::make_mut(class_of);
                let mut split: Vec<Option<u32>> = vec![None; self.kinds.len()];
                for place in places.ones() {
                    let old = class_of[place] as usize;
                    let new = *split[old].get_or_insert_with(|| {
                        let mut breaks = self.kinds[old].breaks.clone();
                        breaks.resize(number / 64 + 1, 0);
                        breaks[number / 64] |= 1 << (number % 64);
                        self.kinds.push(Kind { breaks, prior: 0.0, heaviest: place as u32 });
                        self.classes.push(self.classes[old]);
                        self.kinds.len() as u32 - 1
                    });
                    class_of[place] = new;
                }
                // Sum from scratch, so that a class without members has exactly 0.
                let mut met = vec![false; self.kinds.len()];
                self.kinds.iter_mut().for_each(|kind| kind.prior = 0.0);
                for (place, &class) in class_of.iter().enumerate() {
                    let kind = &mut self.kinds[class as usize];
                    let prior = self.suspects.prior_at(place);
                    kind.prior += prior;
                    if !std::mem::replace(&mut met[class as usize], true)
                        || prior > self.suspects.prior_at(kind.heaviest as usize)
                    {
                        kind.heaviest = place as u32;
                    }
                }
                number
            }
            _ => unreachable!("suspects on a line reach the first of them"),
        }
    }

    /// Computes the posterior of every class.
    pub(crate) fn weigh(&mut self) {
        let all = self.tests.iter().fold(self.background, |sum, test| sum + test.tally);
        let mut healthy: Vec<(f64, RunCounts, RunCounts)> = Vec::with_capacity(self.class_count());
        match &self.partition {
            Partition::Line(ends) => {
                let mut broken: RunCounts = self.tests.iter().fold(RunCounts::default(), |sum, test| sum + test.tally);
                let mut sound = self.background;
                let mut from = 0;
                for (class, &end) in ends.iter().enumerate() {
                    let prior = self.suspects.prior_between(from, end);
                    healthy.push((prior, sound, broken));
                    if let Some(test) = self.tests.get(class) {
                        sound += test.tally;
                        broken = broken.without(test.tally);
                    }
                    from = end;
                }
            }
            Partition::Dag(_) => {
                for kind in &self.kinds {
                    let (mut sound, mut broken) = (self.background, RunCounts::default());
                    for (number, test) in self.tests.iter().enumerate() {
                        if kind.breaks(number) {
                            broken += test.tally;
                        } else {
                            sound += test.tally;
                        }
                    }
                    healthy.push((kind.prior, sound, broken));
                }
            }
        }
        let fits: Vec<Fit> = healthy.iter().map(|&(_, sound, broken)| self.rates.fit(sound, broken)).collect();
        let none = self.rates.fit(all, RunCounts::default());
        let ln_none = self.suspects.no_culprit.ln() + none.ln_likelihood;
        let ln = |class: usize| healthy[class].0.ln() + fits[class].ln_likelihood;
        let most = (0..fits.len()).map(ln).fold(ln_none, f64::max);
        self.ln_evidence = most;
        if most == f64::NEG_INFINITY {
            // No hypothesis fits. Keep the last belief for the report.
            for (class, (prior, ..)) in self.classes.iter_mut().zip(healthy) {
                class.mass = class.scale * prior;
            }
            return;
        }
        let total: f64 = (ln_none - most).exp() + (0..fits.len()).map(|class| (ln(class) - most).exp()).sum::<f64>();
        let norm = most + total.ln();
        self.ln_evidence = norm;
        let class = |prior: f64, fit: Fit, healthy: RunCounts, broken: RunCounts| {
            let mass = if prior > 0.0 { (prior.ln() + fit.ln_likelihood - norm).exp() } else { 0.0 };
            let scale = if prior > 0.0 { mass / prior } else { 0.0 };
            Class { mass, scale, flake: fit.flake, false_pass: fit.false_pass, healthy, broken }
        };
        self.classes =
            healthy.iter().zip(&fits).map(|(&(prior, sound, broken), &fit)| class(prior, fit, sound, broken)).collect();
        self.none = class(self.suspects.no_culprit, none, all, RunCounts::default());
    }

    fn class_count(&self) -> usize {
        match &self.partition {
            Partition::Line(ends) => ends.len(),
            Partition::Dag(_) => self.kinds.len(),
        }
    }

    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    pub(crate) fn partition(&self) -> &Partition {
        &self.partition
    }

    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The hypothesis "no culprit".
    pub(crate) fn none(&self) -> &Class {
        &self.none
    }

    /// The runs at healthy and at broken revisions, for each class and for "no culprit".
    pub(crate) fn tallies(&self) -> impl Iterator<Item = (RunCounts, RunCounts)> + '_ {
        self.classes.iter().chain([&self.none]).map(|class| (class.healthy, class.broken))
    }

    pub(crate) fn unresolved(&self) -> &[usize] {
        &self.unresolved
    }

    /// Whether a run of this suspect can be useful: it is not unresolved and has not reached the maximum number of runs.
    pub(crate) fn may_be_run(&self, place: usize) -> bool {
        self.unresolved.binary_search(&place).is_err() && !self.is_enough(self.runs_at(place))
    }

    /// Whether any hypothesis explains all observations.
    pub(crate) fn is_possible(&self) -> bool {
        self.ln_evidence > f64::NEG_INFINITY
    }

    /// The natural logarithm of the probability of all observations.
    pub(crate) fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// The belief from the same observations with other rates.
    pub(crate) fn at_rates(&self, rates: &Arc<Rates>) -> Belief {
        let mut belief = Belief { rates: Arc::clone(rates), ..self.clone() };
        belief.limit_runs();
        belief.weigh();
        belief
    }

    /// The class of a suspect.
    pub(crate) fn class_at(&self, place: usize) -> &Class {
        &self.classes[self.partition.class(place)]
    }

    /// The posterior probability of a suspect.
    pub(crate) fn posterior_at(&self, place: usize) -> f64 {
        self.class_at(place).scale * self.suspects.prior_at(place)
    }

    /// A snapshot of the posterior. Taking it is cheap, and probabilities are computed on demand.
    pub(crate) fn posterior(&self) -> Posterior {
        let scales = self.classes.iter().map(|class| class.scale).collect();
        let standing = Standing { suspects: Arc::clone(&self.suspects), partition: self.partition.clone(), scales };
        Posterior::new(Arc::clone(&self.suspects.graph), Arc::new(standing), self.none.mass)
    }

    /// The most probable suspect and its probability. Ties go to the oldest.
    pub(crate) fn best(&self) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        let mut consider = |place: usize, scale: f64| {
            let probability = scale * self.suspects.prior_at(place);
            if probability > best.1 || probability == best.1 && place < best.0 {
                best = (place, probability);
            }
        };
        match &self.partition {
            Partition::Line(ends) => {
                let mut from = 0;
                for (class, &end) in self.classes.iter().zip(ends) {
                    if end > from {
                        consider(self.suspects.heaviest(from, end), class.scale);
                    }
                    from = end;
                }
            }
            Partition::Dag(_) => {
                for (class, kind) in self.classes.iter().zip(&self.kinds).filter(|(_, kind)| kind.prior > 0.0) {
                    consider(kind.heaviest as usize, class.scale);
                }
            }
        }
        best
    }

    /// The places of tested suspects.
    pub(crate) fn tested(&self) -> impl Iterator<Item = usize> + '_ {
        self.tests.iter().filter_map(|test| self.suspects.place(test.node))
    }

    /// For each class, whether its suspects break a place. The place must be tested or [split off](Belief::split_at).
    pub(crate) fn breaks(&self, place: usize) -> Vec<bool> {
        match &self.partition {
            Partition::Line(ends) => ends.iter().map(|&end| end <= place + 1).collect(),
            Partition::Dag(_) => {
                let node = self.suspects.node(place);
                let number = self.tests.iter().position(|test| test.node == node);
                let breaks = |kind: &Kind| number.is_some_and(|number| kind.breaks(number));
                self.kinds.iter().map(breaks).collect()
            }
        }
    }

    /// The shape of each class.
    pub(crate) fn class_shapes(&self) -> Vec<ClassShape> {
        let shape = |scale: f64, prior: f64, order: f64, heaviest: f64| ClassShape {
            // For a class with scale s, the sum of sp log2 sp is s times the sum of p log2 p, plus s log2 s times the sum of p.
            order: if scale > 0.0 { scale * (order + prior * scale.log2()) } else { 0.0 },
            top: scale * heaviest,
        };
        let of_range = |from: usize, to: usize| {
            (from..to)
                .map(|place| self.suspects.prior_at(place))
                .filter(|&p| p > 0.0)
                .map(|p| p * p.log2())
                .sum::<f64>()
        };
        let mut shapes = Vec::with_capacity(self.classes.len());
        match &self.partition {
            Partition::Line(ends) => {
                let mut from = 0;
                for (class, &end) in self.classes.iter().zip(ends) {
                    let prior = self.suspects.prior_between(from, end);
                    let (order, heaviest) = match (end > from, self.suspects.even_prior()) {
                        (false, _) => (0.0, 0.0),
                        (true, Some(each)) => (prior * each.log2(), each),
                        (true, None) => {
                            (of_range(from, end), self.suspects.prior_at(self.suspects.heaviest(from, end)))
                        }
                    };
                    shapes.push(shape(class.scale, prior, order, heaviest));
                    from = end;
                }
            }
            Partition::Dag(class_of) => {
                let mut orders = vec![0.0; self.kinds.len()];
                for (place, &class) in class_of.iter().enumerate() {
                    orders[class as usize] += of_range(place, place + 1);
                }
                for ((class, kind), order) in self.classes.iter().zip(&self.kinds).zip(orders) {
                    let heaviest = self.suspects.prior_at(kind.heaviest as usize);
                    shapes.push(shape(class.scale, kind.prior, order, heaviest));
                }
            }
        }
        shapes
    }

    /// The mean of a quantity over all hypotheses.
    pub(crate) fn mean(&self, quantity: impl Fn(&Class) -> f64) -> f64 {
        self.classes.iter().chain([&self.none]).map(|class| class.mass * quantity(class)).sum()
    }
}

impl Partition {
    /// The class of a suspect.
    pub(crate) fn class(&self, place: usize) -> usize {
        match self {
            Partition::Line(ends) => ends.partition_point(|&end| end <= place),
            Partition::Dag(class_of) => class_of[place] as usize,
        }
    }
}

/// The probabilities of the suspects at one moment.
#[derive(Debug)]
struct Standing {
    suspects: Arc<Suspects>,
    partition: Partition,
    scales: Vec<f64>,
}

impl Shares for Standing {
    fn count(&self) -> usize {
        self.suspects.len()
    }

    fn node(&self, place: usize) -> Node {
        self.suspects.node(place)
    }

    fn place(&self, node: Node) -> Option<usize> {
        self.suspects.place(node)
    }

    fn probability(&self, place: usize) -> f64 {
        self.scales[self.partition.class(place)] * self.suspects.prior_at(place)
    }
}
