//! The rule for the next measurement in one part of the history.
//!
//! ```text
//! start  both ends three times, in turn (g b b g g b)
//! next   no change is more likely: the end that was measured less often
//!        every third time: an end, in turn, because the machine may drift, and half as often once it is known to be steady
//!        no change is more likely than any rival of the best suspect: the end on the less measured side of the best split
//!        otherwise: the revision with the most information about the suspects per cost
//! stop   a suspect has the confidence, and it and each parent were measured three times
//!        no change has the confidence, or the ends differ by less than the smallest change that matters
//!        suspects have the confidence that no revision with a number separates
//! ```
//!
//! `belief.rs` has the probabilities. The page about algorithms in `docs/` explains the method.

use super::belief::{Belief, first_largest};
use super::noise::ByRevision;
use super::part::Part;
use crate::belief::entropy;
use crate::graph::Node;

/// The number of measurements of the culprit, and of each parent, before the search names it.
const VERIFIED: usize = 3;

/// The number of standard errors that separate the change between the ends from one that matters.
const SMALLER: f64 = 2.58;

/// The number of measurements of each end that show its noise. Fewer can all come from the same mode.
const ENOUGH: usize = 8;

/// The number of measurements, and the probability of drift, from which a machine counts as steady.
const STEADY: (usize, f64) = (24, 0.1);

/// What the rule needs to know.
pub(super) struct Situation<'a> {
    pub(super) part: &'a Part,
    pub(super) belief: &'a Belief,
    /// The measurements of the whole search, by revision.
    pub(super) by_revision: &'a ByRevision,
    /// The number of measurements in this part.
    pub(super) count: usize,
    pub(super) confidence: f64,
    pub(super) least: f64,
    pub(super) control_every: usize,
    /// The number of measurements of each end before the first decision.
    pub(super) start: usize,
    pub(super) is_untestable: &'a dyn Fn(Node) -> bool,
    /// The cost of a measurement of a revision.
    pub(super) cost: &'a dyn Fn(Node) -> f64,
}

/// The next step in a part.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    Measure(Node, Why),
    /// The step is here, with this probability.
    Step(Node, f64),
    /// The step is at one of these suspects, with this probability.
    Set(Vec<Node>, f64),
    /// Nothing changed by what matters, with this probability, or as the medians of the ends show.
    NoChange(Option<f64>),
    /// An end has no number.
    Untestable,
}

/// The reason for a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The endpoints come first.
    Start,
    /// It is not yet known whether the endpoints differ.
    Ends,
    /// The machine may drift.
    Control,
    /// The best split needs more measurements at this end.
    Side,
    /// It halves the suspects.
    Halves,
    /// The likely culprit and its parents need more measurements.
    Verify,
    /// It shows whether more changed than the steps explain.
    Rest,
}

impl Situation<'_> {
    /// Returns the next step, with the revisions in flight.
    pub(super) fn next(&self, flying: &[Node]) -> Next {
        let part = self.part;
        if (self.is_untestable)(part.low) || (self.is_untestable)(part.high) {
            return Next::Untestable;
        }
        if let Some(end) = self.missing_end(flying) {
            return Next::Measure(end, Why::Start);
        }
        let best = self.belief.best();
        let (likely, no_change) = (self.belief.each[best], self.belief.no_change);
        let is_single = self.belief.classes.sizes[best] == 1;
        if no_change >= self.confidence || self.is_smaller() {
            return Next::NoChange((no_change >= self.confidence).then_some(no_change));
        }
        if likely >= self.confidence {
            let settled = if is_single { self.verified(best, flying) } else { self.set(best) };
            if let Some(next) = settled {
                return next;
            }
        }
        let turn = (self.count + flying.len()).saturating_sub(2 * self.start) + 1;
        if no_change > 0.5 {
            return Next::Measure(self.less_measured(flying), Why::Ends);
        }
        let every = if self.is_steady() { 2 * self.control_every } else { self.control_every };
        if every > 0 && turn.is_multiple_of(every) {
            let end = if (turn / every) % 2 == 1 { part.low } else { part.high };
            return Next::Measure(end, Why::Control);
        }
        let suspects = self.belief.by_suspect(part);
        if no_change > 1.0 - no_change - suspects[first_largest(&suspects)] {
            return Next::Measure(self.thin_side(best), Why::Side);
        }
        match self.most_informative(&suspects, flying) {
            Some(node) => Next::Measure(node, Why::Halves),
            None => Next::Measure(self.less_measured(flying), Why::Ends),
        }
    }

    /// Whether many measurements show no drift.
    fn is_steady(&self) -> bool {
        self.count >= STEADY.0 && self.belief.drift < STEADY.1
    }

    fn seen(&self, node: Node, flying: &[Node]) -> usize {
        self.by_revision.count(node) + flying.iter().filter(|&&other| other == node).count()
    }

    /// Returns an end that has too few measurements for a decision: g b b g g b.
    fn missing_end(&self, flying: &[Node]) -> Option<Node> {
        let Part { low, high, .. } = *self.part;
        let (good, bad) = (self.seen(low, flying), self.seen(high, flying));
        if good.min(bad) >= self.start {
            return None;
        }
        let low_first = if good == bad { good % 2 == 0 } else { good < bad };
        Some(if low_first { low } else { high })
    }

    /// Whether the ends differ by less than the smallest change that matters.
    fn is_smaller(&self) -> bool {
        let Part { low, high, .. } = *self.part;
        let is_known = self.by_revision.count(low).min(self.by_revision.count(high)) >= ENOUGH;
        is_known && self.by_revision.change(low, high).is_some_and(|change| change.at_most(SMALLER) < self.least)
    }

    fn less_measured(&self, flying: &[Node]) -> Node {
        let Part { low, high, .. } = *self.part;
        if self.seen(low, flying) <= self.seen(high, flying) { low } else { high }
    }

    /// Returns the end on the side of the best split with fewer measurements.
    fn thin_side(&self, best: usize) -> Node {
        let classes = &self.belief.classes;
        let count = |is_changed: bool| -> usize {
            let of = |(index, &node): (usize, &Node)| {
                if classes.changes[best].contains(index) == is_changed { self.by_revision.count(node) } else { 0 }
            };
            classes.nodes.iter().enumerate().map(of).sum()
        };
        if count(false) <= count(true) { self.part.low } else { self.part.high }
    }

    /// Returns the step at a suspect, or the measurement that is missing to name it.
    fn verified(&self, best: usize, flying: &[Node]) -> Option<Next> {
        let place = self.belief.classes.members(best).next()?;
        let culprit = self.part.past.node(place);
        let parents = self.part.graph.parents(culprit).iter().copied();
        let needed: Vec<Node> =
            std::iter::once(culprit).chain(parents).filter(|&node| !(self.is_untestable)(node)).collect();
        let short = needed.into_iter().min_by_key(|&node| self.seen(node, flying));
        match short {
            Some(node) if self.by_revision.count(node) < VERIFIED => Some(Next::Measure(node, Why::Verify)),
            _ => Some(Next::Step(culprit, self.belief.each[best])),
        }
    }

    /// Returns the set, unless a revision with a number may split it.
    fn set(&self, best: usize) -> Option<Next> {
        let (part, classes) = (self.part, &self.belief.classes);
        let mut inside = vec![[0.0]; part.past.len()];
        classes.members(best).for_each(|place| inside[place] = [1.0]);
        let all = f64::from(classes.sizes[best]);
        let splits = |(place, [sum]): (usize, &[f64; 1])| {
            *sum > 0.5 && *sum < all - 0.5 && !(self.is_untestable)(part.past.node(place))
        };
        if part.past.sums(&inside).iter().enumerate().any(splits) {
            return None;
        }
        let members = classes.members(best).map(|place| part.past.node(place)).collect();
        Some(Next::Set(members, self.belief.each[best]))
    }

    /// Returns the revision whose number tells most about the suspects per cost, given those in flight.
    fn most_informative(&self, suspects: &[f64], flying: &[Node]) -> Option<Node> {
        let part = self.part;
        let all: f64 = suspects.iter().sum();
        let mut gains = vec![0.0; part.past.len()];
        for cell in cells(part, flying) {
            let within: Vec<[f64; 1]> =
                suspects.iter().zip(&cell).map(|(&one, &is_in)| [if is_in { one / all } else { 0.0 }]).collect();
            let total: f64 = within.iter().map(|one| one[0]).sum();
            if total > 0.0 {
                for (gain, [sum]) in gains.iter_mut().zip(part.past.sums(&within)) {
                    *gain += total * entropy((sum / total).clamp(0.0, 1.0));
                }
            }
        }
        let usable = |&place: &usize| {
            let node = part.past.node(place);
            !(self.is_untestable)(node) && !flying.contains(&node) && gains[place] > 1e-9
        };
        let value = |place: usize| gains[place] / (self.cost)(part.past.node(place));
        (0..part.past.len())
            .filter(usable)
            .reduce(|best, next| if value(next) > value(best) { next } else { best })
            .map(|place| part.past.node(place))
    }
}

/// Returns the suspects by the revisions in flight that they change. Each cell has a flag for each suspect.
fn cells(part: &Part, flying: &[Node]) -> Vec<Vec<bool>> {
    /// The number of revisions in flight that count. Each one doubles the work.
    const MOST: usize = 5;
    let mut cells = vec![vec![true; part.past.len()]];
    for &node in flying.iter().take(MOST) {
        let changed = part.suspects_of(node);
        let half = |cell: &Vec<bool>, side: bool| -> Vec<bool> {
            cell.iter().enumerate().map(|(place, &is_in)| is_in && changed.contains(place) == side).collect()
        };
        cells = cells.iter().flat_map(|cell| [half(cell, true), half(cell, false)]).collect();
        cells.retain(|cell| cell.contains(&true));
    }
    cells
}
