//! The best tree of questions for the last few suspects: there the best next question alone is not good enough.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::graph::{CommitGraph, Node};
use crate::regression::costs::Costs;
use crate::regression::outcomes::View;

/// How many suspects are few enough for the best tree instead of the best next question: each is left, tested or
/// neither, so there are at most 3^10 states.
pub(super) const FEW: usize = 10;

/// The cheapest way to a clean answer among few suspects.
///
/// A culprit whose parents were tested on the way is an answer at once, any other takes a question for each parent
/// that is only cleared by others. Halving cannot see that, and where branches run side by side its halves are uneven.
pub(super) struct DecisionTree {
    members: Vec<Node>,
    weights: Vec<f64>,
    costs: Vec<f64>,
    /// Sets of places among the members: the ancestors of each, itself included, and its parents.
    below: Vec<u32>,
    parents: Vec<u32>,
    /// What the parents of each cost together that are no members and have no outcome.
    unchecked: Vec<f64>,
    /// By suspects and tested parents: what is still to be asked costs, weighed by mass, and the place to start with.
    known: HashMap<(u32, u32), (f64, usize)>,
}

impl DecisionTree {
    pub(super) fn new(
        graph: &CommitGraph,
        suspects: &FixedBitSet,
        weights: Vec<f64>,
        costs: &Costs,
        view: View<'_>,
    ) -> Self {
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let (mut below, mut parents, mut unchecked) = (Vec::new(), Vec::new(), Vec::new());
        for (place, &node) in members.iter().enumerate() {
            let inside = |parent: &Node| members.binary_search(parent).ok();
            let outside = |parent: &&Node| inside(parent).is_none() && view.outcome(**parent).is_none();
            let places = || graph.parents(node).iter().filter_map(inside);
            below.push(places().fold(1 << place, |set, parent| set | below[parent]));
            parents.push(places().fold(0, |set, parent| set | 1 << parent));
            unchecked.push(graph.parents(node).iter().filter(outside).map(|&parent| costs.at(parent)).sum());
        }
        let costs = members.iter().map(|&node| costs.at(node)).collect();
        DecisionTree { members, weights, costs, below, parents, unchecked, known: HashMap::new() }
    }

    /// The first question, the oldest of equals, with how likely it fails; `None` if one suspect is left.
    pub(super) fn first(&mut self) -> Option<(Node, f64)> {
        let last = self.members.len() - 1;
        if last == 0 {
            return None;
        }
        let all = (2 << last) - 1;
        let (_, place) = self.best(all, 0);
        Some((self.members[place], self.weight(self.below[place]) / self.weight(all)))
    }

    fn weight(&self, set: u32) -> f64 {
        places(set).map(|place| self.weights[place]).sum()
    }

    fn best(&mut self, set: u32, tested: u32) -> (f64, usize) {
        // The last place is the failing revision: all others are its ancestors.
        let bad = set.ilog2() as usize;
        if set == 1 << bad {
            let inside: f64 = places(self.parents[bad] & !tested).map(|place| self.costs[place]).sum();
            return (self.weights[bad] * (self.unchecked[bad] + inside), bad);
        }
        let tested = tested & places(set).fold(0, |parents, place| parents | self.parents[place]);
        if let Some(&known) = self.known.get(&(set, tested)) {
            return known;
        }
        let mut best = (f64::INFINITY, bad);
        for place in places(set & !(1 << bad)) {
            let cost = self.through(set, tested, place);
            if cost < best.0 {
                best = (cost, place);
            }
        }
        best.0 += self.weight(set);
        self.known.insert((set, tested), best);
        best
    }

    /// What is still to be asked after this place costs, with what it costs more than others.
    fn through(&mut self, set: u32, tested: u32, place: usize) -> f64 {
        let failing = set & self.below[place];
        let left = self.best(failing, tested).0 + self.best(set & !failing, tested | 1 << place).0;
        left + (self.costs[place] - 1.0) * self.weight(set)
    }
}

/// The members of a set, ascending: the oldest first.
fn places(set: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |place| set & (1 << place) != 0)
}
