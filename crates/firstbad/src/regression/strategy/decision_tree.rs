//! The cheapest decision tree for the last few suspects.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::graph::{CommitGraph, Node};
use crate::regression::costs::Costs;
use crate::regression::outcomes::View;

/// The maximum number of suspects for a decision tree. Each is left, tested, or neither, so there are at most 3^10 states.
pub(super) const FEW: usize = 10;

/// The cheapest way to a clean result among few suspects.
///
/// If all parents of the culprit were tested on the way, the result is clean at once. Otherwise, each remaining parent takes
/// another run. Halving cannot see that, and its halves are uneven on parallel branches.
pub(super) struct DecisionTree {
    members: Vec<Node>,
    weights: Vec<f64>,
    costs: Vec<f64>,
    /// Sets of places: the ancestors of each member, including itself, and its parents.
    below: Vec<u32>,
    parents: Vec<u32>,
    /// The total cost of each member's parents that are not members and have no outcome.
    unchecked: Vec<f64>,
    /// The cost of the remaining runs, weighted by probability, and the first place, by suspects and tested parents.
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

    /// The first revision to test (ties go to the oldest), and its probability of failing. `None` if one suspect is left.
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
        // The last place is the failing revision, and all others are its ancestors.
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

    /// The cost of the remaining runs after this place, including its extra cost.
    fn through(&mut self, set: u32, tested: u32, place: usize) -> f64 {
        let failing = set & self.below[place];
        let left = self.best(failing, tested).0 + self.best(set & !failing, tested | 1 << place).0;
        left + (self.costs[place] - 1.0) * self.weight(set)
    }
}

/// The members of a set, the oldest first.
fn places(set: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |place| set & (1 << place) != 0)
}
