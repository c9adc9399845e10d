//! The search for the changes of one metric.

use std::sync::Arc;

use hashbrown::HashMap;

use super::belief::Belief;
use super::config::{ChangeConfig, ChangeCosts, Exact as ExactMode, Sought};
use super::exact::Halved;
use super::likelihood::{Level, Limit, Model};
use super::noise::{ByRevision, Measured};
use super::part::Part;
use super::rule::{Next, Situation, Why};
use super::scale::Scale;
use crate::belief::PriorWeights;
use crate::graph::{CommitGraph, Ends, Node};

/// The number of measurements of each endpoint before the first decision.
const START: usize = 3;

/// The same for a part of the history.
const START_OF_PART: usize = 2;

/// The number of standard errors that separate a step from nothing.
const CERTAIN: f64 = 1.64;

/// The most measurements that decide whether a part has another change.
const MOST_FOR_REST: usize = 24;

/// The costs until they are known.
const COSTS: ChangeCosts = ChangeCosts { build: 0.25, measurement: 1.0 };

/// The most measurements at a time. With more of them, most would be guesses.
const MOST_IN_FLIGHT: usize = 12;

/// What all metrics of a search share.
pub(super) struct Shared {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) config: ChangeConfig,
    pub(super) ends: Ends,
    pub(super) prior: Option<PriorWeights>,
    /// The costs, as given or measured.
    pub(super) costs: Option<ChangeCosts>,
}

impl Shared {
    /// Returns the prior weight of a suspect.
    pub(super) fn weight(&self, node: Node) -> f64 {
        self.prior.as_ref().map_or(1.0, |weights| weights.possible(node))
    }

    pub(super) fn whole(&self) -> Part {
        Part::whole(Arc::clone(&self.graph), &self.ends.good, self.ends.bad, &|node| self.weight(node))
    }
}

/// A measured number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) node: Node,
    pub(super) number: f64,
    pub(super) control: Option<f64>,
    pub(super) censored: bool,
    /// The place of the observation in the ledger.
    pub(super) place: usize,
    /// Whether the run reused a build.
    pub(super) reused: bool,
}

/// A step that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) commit: Node,
    pub(super) probability: f64,
}

/// A part without a named step.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Note {
    /// The probability, unless the medians of the ends led to it.
    NoChange(Option<f64>),
    Spread(Option<Node>),
    Set(Vec<Node>, f64),
    Untestable,
}

/// What to do in a part of the history.
pub(super) enum Task {
    /// Find a step.
    Search(Part),
    /// Measure the step itself, to tell it from a ramp.
    Confirm(Part, Found),
    /// Decide whether enough changed here. The number counts the measurements before.
    Rest(Part, usize),
}

/// The search for the changes of one metric.
pub(super) struct Hunt {
    pub(super) sought: Sought,
    pub(super) numbers: Vec<Number>,
    pub(super) unresolved: HashMap<Node, usize>,
    pub(super) scale: Scale,
    pub(super) by_revision: ByRevision,
    pub(super) levels: Vec<Measured>,
    pub(super) tasks: Vec<Task>,
    /// The belief in the part of the last task, if it is a search.
    pub(super) belief: Option<Belief>,
    pub(super) found: Vec<Found>,
    pub(super) notes: Vec<Note>,
    /// The halves of a search with exact numbers.
    pub(super) exact: Option<Halved>,
    pub(super) is_noisy: bool,
    /// The probability of drift in the last belief.
    pub(super) drift: f64,
}

impl Hunt {
    pub(super) fn new(shared: &Shared, sought: Sought) -> Self {
        let mut hunt = Hunt {
            scale: Scale::new(&sought, shared.config.find, &mut std::iter::empty(), &[], &[]),
            sought,
            numbers: Vec::new(),
            unresolved: HashMap::new(),
            by_revision: ByRevision::default(),
            levels: Vec::new(),
            tasks: vec![Task::Search(shared.whole())],
            belief: None,
            found: Vec::new(),
            notes: Vec::new(),
            exact: None,
            is_noisy: shared.config.exact == ExactMode::Given(false),
            drift: 0.0,
        };
        hunt.settle(shared);
        hunt
    }

    pub(super) fn add(&mut self, shared: &Shared, number: Number) {
        self.numbers.push(number);
        self.measure(shared);
        self.settle(shared);
    }

    pub(super) fn add_unresolved(&mut self, shared: &Shared, node: Node) {
        *self.unresolved.entry(node).or_default() += 1;
        self.settle(shared);
    }

    /// Returns whether a revision has no number.
    pub(super) fn is_untestable(&self, node: Node) -> bool {
        /// The number of times that a revision with numbers can be without one.
        const LUCK: usize = 2;
        let (missing, seen) = (self.unresolved.get(&node).copied().unwrap_or(0), self.by_revision.count(node));
        if seen == 0 { missing > 0 } else { missing > seen + LUCK }
    }

    /// Returns whether the search is over.
    pub(super) fn is_done(&self, shared: &Shared) -> bool {
        self.tasks.is_empty() || self.is_exhausted(shared)
    }

    pub(super) fn is_exhausted(&self, shared: &Shared) -> bool {
        self.numbers.len() + self.unresolved.values().sum::<usize>() >= shared.config.max_measurements as usize
    }

    /// Recomputes the levels from the numbers.
    fn measure(&mut self, shared: &Shared) {
        let at =
            |node: Node| self.numbers.iter().filter(|one| one.node == node).map(|one| one.number).collect::<Vec<f64>>();
        let (good, bad) = (at(shared.ends.first_good()), at(shared.ends.bad));
        let mut all = self.numbers.iter().flat_map(|one| [Some(one.number), one.control]).flatten();
        self.scale = Scale::new(&self.sought, shared.config.find, &mut all, &good, &bad);
        let limit = if self.scale.is_lower_limit() { Limit::Lower } else { Limit::Upper };
        let level = |one: &Number| Level {
            level: self.scale.level(one.number, one.control),
            limit: one.censored.then_some(limit),
        };
        self.levels = self.numbers.iter().map(|one| Measured { node: one.node, seen: level(one) }).collect();
        self.by_revision = ByRevision::new(&self.levels);
    }

    /// Takes every step that needs no measurement.
    fn settle(&mut self, shared: &Shared) {
        self.belief = None;
        if self.settle_exact(shared) {
            return;
        }
        while !self.tasks.is_empty() && !self.is_exhausted(shared) {
            if !self.advance(shared) {
                break;
            }
        }
        if let Some(Task::Search(part)) = self.tasks.last()
            && self.is_exhausted(shared)
        {
            // The report has the best guess.
            self.belief = Some(self.belief_in(part));
        }
        if let Some(Task::Search(part)) = self.tasks.last()
            && self.drift < 0.5
            && self.is_gradual(shared, part)
        {
            self.notes.push(Note::Spread(None));
            self.tasks.pop();
        }
    }

    /// Finishes the last task and starts those after it, or returns false if the task needs a measurement.
    fn advance(&mut self, shared: &Shared) -> bool {
        match self.tasks.last() {
            Some(Task::Search(part)) => {
                let belief = self.belief_in(part);
                let next = self.in_part(shared, part, &belief, &[]);
                (self.drift, self.belief) = (belief.drift, Some(belief));
                self.end_search(next)
            }
            Some(Task::Confirm(part, found)) => match self.is_step(part, found.commit) {
                Known::Yes => {
                    self.found.push(*found);
                    let rest = if shared.config.all_steps { self.rest(shared, part, found.commit) } else { Vec::new() };
                    self.tasks.pop();
                    self.tasks.extend(rest);
                    true
                }
                Known::No => {
                    self.notes.push(Note::Spread(Some(found.commit)));
                    self.tasks.pop();
                    true
                }
                Known::Open => false,
            },
            Some(Task::Rest(part, since)) => match self.has_rest(part, *since) {
                Known::Open => false,
                known => {
                    let Some(Task::Rest(part, _)) = self.tasks.pop() else { return true };
                    if known == Known::Yes {
                        self.tasks.push(Task::Search(part));
                    }
                    true
                }
            },
            None => false,
        }
    }

    /// Ends the search in the last part, unless it needs a measurement.
    fn end_search(&mut self, next: Next) -> bool {
        let note = match next {
            Next::Measure(..) => return false,
            Next::Step(commit, probability) => {
                if let Some(Task::Search(part)) = self.tasks.pop() {
                    self.tasks.push(Task::Confirm(part, Found { commit, probability }));
                }
                return true;
            }
            Next::Set(members, probability) => Note::Set(members, probability),
            Next::NoChange(probability) => Note::NoChange(probability),
            Next::Untestable => Note::Untestable,
        };
        self.notes.push(note);
        self.tasks.pop();
        true
    }

    fn belief_in(&self, part: &Part) -> Belief {
        let measured = part.measured(&self.levels);
        Belief::new(part, &measured, Model { outliers_up: self.scale.outliers_up, mode: None }, self.scale.least)
    }

    /// Returns the costs until they are known. Builds cost more if they exceed those of a bisection, or if the machine drifts.
    fn usual_costs(&self, suspects: usize) -> ChangeCosts {
        let enough = (suspects as f64).log2() + 2.0;
        let factor = if self.by_revision.len() as f64 > enough {
            4.0
        } else if self.drift >= 0.5 {
            3.0
        } else {
            1.0
        };
        ChangeCosts { build: factor * COSTS.build, ..COSTS }
    }

    fn in_part(&self, shared: &Shared, part: &Part, belief: &Belief, flying: &[Node]) -> Next {
        let costs = shared.costs.unwrap_or_else(|| self.usual_costs(part.past.len()));
        let is_whole = self.found.is_empty() && self.notes.is_empty();
        let situation = Situation {
            part,
            belief,
            by_revision: &self.by_revision,
            count: part.measured(&self.levels).len(),
            confidence: shared.config.confidence,
            least: self.scale.least,
            control_every: shared.config.control_every as usize,
            start: if is_whole { START } else { START_OF_PART },
            is_untestable: &|node| self.is_untestable(node),
            cost: &|node| costs.measurement + if self.by_revision.count(node) == 0 { costs.build } else { 0.0 },
        };
        situation.next(flying)
    }

    /// Returns the suspects of the current part, the probability of each, and that of no change.
    pub(super) fn suspects(&self) -> Option<(Vec<Node>, Vec<f64>, f64)> {
        if let Some(Task::Confirm(_, Found { commit, probability })) = self.tasks.last() {
            return Some((vec![*commit], vec![*probability], 1.0 - probability));
        }
        let (Some(Task::Search(part)), Some(belief)) = (self.tasks.last(), &self.belief) else { return None };
        let nodes = (0..part.past.len()).map(|place| part.past.node(place)).collect();
        Some((nodes, belief.by_suspect(part), belief.no_change))
    }

    /// Returns the measured parent of a commit with the largest level, in the direction of the search.
    pub(super) fn parent(&self, shared: &Shared, commit: Node) -> Option<Node> {
        let parents = shared.graph.parents(commit).iter().copied();
        let level = |node: Node| self.by_revision.at(node).map(|at| at.level);
        let measured = parents.filter_map(|node| Some((node, level(node)?)));
        let closest = measured.reduce(|best, next| if next.1 > best.1 { next } else { best });
        closest.map(|(node, _)| node)
    }

    /// Whether a commit itself changed the number by what matters.
    fn is_step(&self, part: &Part, commit: Node) -> Known {
        let before = self.before(part, commit);
        let Some(change) = self.by_revision.change(before, commit) else { return Known::Open };
        let all = self.by_revision.change(part.low, part.high).map_or(change.level, |all| all.level);
        // A commit that explains little may be part of a ramp.
        let (errors, share) = if change.level < 0.5 * all { (2.58, 1.0) } else { (CERTAIN, 0.75) };
        if change.at_least(errors) > 0.5 * self.scale.least && change.level >= share * self.scale.least {
            Known::Yes
        } else if change.at_most(CERTAIN) < self.scale.least {
            Known::No
        } else {
            Known::Open
        }
    }

    /// Returns the revision that a step is compared to: the measured parent with the largest level, or the good end.
    fn before(&self, part: &Part, commit: Node) -> Node {
        let parents = part.graph.parents(commit).iter().copied();
        let level = |node: Node| self.by_revision.at(node).map(|at| at.level);
        let measured = parents.filter_map(|node| Some((node, level(node)?)));
        measured.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(part.low, |best| best.0)
    }

    /// Returns the parts before and after a step.
    fn rest(&self, shared: &Shared, part: &Part, commit: Node) -> Vec<Task> {
        let weight = |node: Node| shared.weight(node);
        let size = self.by_revision.change(self.before(part, commit), commit).map_or(0.0, |change| change.level);
        let before = part.graph.parents(commit).iter().filter_map(|&parent| part.before(parent, &weight));
        let parts: Vec<Part> = part.after(commit, size, &weight).into_iter().chain(before).collect();
        parts.into_iter().map(|part| Task::Rest(part, self.numbers.len())).collect()
    }

    /// Whether more than the smallest change is between the ends of a part.
    fn has_rest(&self, part: &Part, since: usize) -> Known {
        let Some(change) = self.by_revision.change(part.low, part.high) else { return Known::Open };
        let least = self.scale.least;
        let is_long = self.numbers.len() >= since + MOST_FOR_REST;
        if change.at_most(CERTAIN) < least {
            Known::No
        } else if change.at_least(1.96) > 0.3 * least || is_long && change.level > least {
            Known::Yes
        } else if is_long || self.is_untestable(part.low) || self.is_untestable(part.high) {
            Known::No
        } else {
            Known::Open
        }
    }

    /// Returns up to `want` revisions to measure, with the reason for each.
    pub(super) fn choose(&self, shared: &Shared, want: usize, in_flight: &[Node]) -> Vec<(Node, Why)> {
        if self.is_done(shared) {
            return Vec::new();
        }
        let spent = self.numbers.len() + self.unresolved.values().sum::<usize>() + in_flight.len();
        let left =
            (shared.config.max_measurements as usize).saturating_sub(spent).max(usize::from(in_flight.is_empty()));
        let left = left.min(MOST_IN_FLIGHT.saturating_sub(in_flight.len()));
        let mut flying = in_flight.to_vec();
        let mut chosen = Vec::new();
        let is_started = self.is_started(shared);
        while chosen.len() < want.min(left)
            && let Some((node, why)) = self.next(shared, &flying)
        {
            // Before the endpoints are known, every other measurement would be a guess.
            if !is_started && why != Why::Start {
                break;
            }
            flying.push(node);
            chosen.push((node, why));
        }
        chosen
    }

    /// Returns whether both endpoints were measured often enough for a decision.
    fn is_started(&self, shared: &Shared) -> bool {
        let least = if shared.config.exact == ExactMode::Given(true) { 1 } else { START };
        let (good, bad) = (shared.ends.first_good(), shared.ends.bad);
        self.exact.is_some() || self.by_revision.count(good).min(self.by_revision.count(bad)) >= least
    }

    fn next(&self, shared: &Shared, flying: &[Node]) -> Option<(Node, Why)> {
        if let Some(next) = self.next_exact(shared, flying) {
            return next;
        }
        let seen = |node: Node| self.by_revision.count(node) + flying.iter().filter(|&&other| other == node).count();
        let rarer = |one: Node, other: Node| if seen(one) <= seen(other) { one } else { other };
        match self.tasks.last()? {
            Task::Search(part) => match self.in_part(shared, part, self.belief.as_ref()?, flying) {
                Next::Measure(node, why) => Some((node, why)),
                _ => None,
            },
            Task::Confirm(part, found) => {
                let before = self.before(part, found.commit);
                let node = if self.is_untestable(before) { found.commit } else { rarer(before, found.commit) };
                Some((node, Why::Verify))
            }
            Task::Rest(part, _) => Some((rarer(part.low, part.high), Why::Rest)),
        }
    }
}

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    No,
    Open,
}
