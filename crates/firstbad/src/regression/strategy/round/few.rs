//! A round for few suspects on a DAG: replaces chosen revisions by others as long as that leaves fewer rounds.

use super::many;
use super::parts::{AS_MUCH, Suspects, TEST, Wanted, alike, rounds, surprise};
use crate::graph::Node;

/// The maximum number of passes over all choices. Further passes save too little.
const PASSES: usize = 4;

/// The maximum number of places, because sets of places are bits.
const PLACES: usize = u128::BITS as usize;

/// The revisions to test on a DAG.
pub(in crate::regression) fn on_dag(suspects: &Suspects<'_>, wanted: Wanted<'_>) -> Vec<Node> {
    let first = many::places(suspects, wanted);
    match Few::new(suspects, wanted) {
        Some(few) => few.places(&first),
        None => first,
    }
}

/// Suspects and the parents that a clean result needs.
struct Few {
    /// The suspects in ascending order, then parents that are not suspects and have no outcome.
    nodes: Vec<Node>,
    weights: Vec<f64>,
    surprises: Vec<f64>,
    worth: Vec<f64>,
    /// For each node, the suspects among its ancestors, including itself, and its parents.
    below: Vec<u128>,
    parents: Vec<u128>,
    suspects: u128,
    /// The nodes with an outcome, or with a run in flight.
    tested: u128,
    /// The parts into which the runs in flight divide the suspects.
    parts: Vec<u128>,
    want: usize,
    jobs: usize,
}

impl Few {
    /// Returns `None` if there are too many suspects.
    fn new(suspects: &Suspects<'_>, wanted: Wanted<'_>) -> Option<Self> {
        let graph = suspects.graph;
        if suspects.set.count_ones(..) > PLACES {
            return None;
        }
        let mut nodes: Vec<Node> = suspects.set.ones().map(|node| node as Node).collect();
        let count = nodes.len();
        let (mut below, mut parents): (Vec<u128>, Vec<u128>) = (Vec::new(), Vec::new());
        for place in 0..count {
            let (mut ancestors, mut above) = (1 << place, 0);
            for &parent in graph.parents(nodes[place]) {
                let found = nodes[..count].binary_search(&parent).ok();
                let found =
                    found.or_else(|| nodes[count..].iter().position(|&other| other == parent).map(|at| count + at));
                let found = match found {
                    Some(found) => found,
                    None if suspects.view.outcome(parent).is_some() || nodes.len() == PLACES => continue,
                    None => {
                        nodes.push(parent);
                        nodes.len() - 1
                    }
                };
                ancestors |= below.get(found).copied().unwrap_or(0);
                above |= 1 << found;
            }
            below.push(ancestors);
            parents.push(above);
        }
        let outside = nodes.len() - count;
        let padded =
            |values: &[f64], rest: f64| values.iter().copied().chain(vec![rest; outside]).collect::<Vec<f64>>();
        below.resize(nodes.len(), 0);
        parents.resize(nodes.len(), 0);
        let is_tested = |node: Node| suspects.view.outcome(node).is_some() || wanted.tested.contains(&node);
        let tested = (0..nodes.len()).filter(|&place| is_tested(nodes[place])).fold(0, |set, place| set | 1 << place);
        let mut few = Few {
            weights: padded(suspects.weights, 0.0),
            surprises: padded(suspects.weights, 0.0).into_iter().map(surprise).collect(),
            worth: padded(suspects.worth, 1.0),
            below,
            parents,
            suspects: if count == PLACES { u128::MAX } else { (1 << count) - 1 },
            tested,
            parts: Vec::new(),
            want: wanted.want,
            jobs: wanted.jobs,
            nodes,
        };
        let flying = places(tested).filter(|&place| wanted.tested.contains(&few.nodes[place]));
        few.parts = few.parted(vec![few.suspects], flying);
        Some(few)
    }

    /// Improves a choice of revisions.
    fn places(&self, first: &[Node]) -> Vec<Node> {
        let mut chosen: Vec<usize> =
            first.iter().filter_map(|node| self.nodes.iter().position(|other| other == node)).collect();
        for _ in chosen.len()..self.want {
            let Some((place, _)) = self.best(&chosen) else { break };
            chosen.push(place);
        }
        for _ in 0..PASSES {
            let mut is_better = false;
            for at in 0..chosen.len() {
                let place = chosen.remove(at);
                let (parts, tested, before) = self.after(&chosen);
                let gain = self.gain(&parts, tested, before, place);
                let better = self.best(&chosen).filter(|&(_, best)| best > gain * AS_MUCH);
                is_better |= better.is_some();
                chosen.insert(at, better.map_or(place, |(place, _)| place));
            }
            if !is_better {
                break;
            }
        }
        chosen.into_iter().map(|place| self.nodes[place]).collect()
    }

    fn parted(&self, mut parts: Vec<u128>, cuts: impl Iterator<Item = usize>) -> Vec<u128> {
        for place in cuts {
            let below = self.below[place];
            for at in 0..parts.len() {
                let (under, over) = (parts[at] & below, parts[at] & !below);
                if under != 0 && over != 0 {
                    parts[at] = under;
                    parts.push(over);
                }
            }
        }
        parts
    }

    /// The parts, the tested nodes, and the remaining rounds after outcomes at these places.
    fn after(&self, chosen: &[usize]) -> (Vec<u128>, u128, f64) {
        let tested = chosen.iter().fold(self.tested, |set, place| set | 1 << place);
        let parts = self.parted(self.parts.clone(), chosen.iter().copied());
        let left = parts.iter().map(|&part| self.left(part, tested)).sum();
        (parts, tested, left)
    }

    /// The place that, in addition to these places, leaves the fewest rounds, and the rounds that it saves.
    fn best(&self, chosen: &[usize]) -> Option<(usize, f64)> {
        let (parts, tested, before) = self.after(chosen);
        let mut best = None;
        for place in (0..self.nodes.len()).filter(|place| tested & (1 << place) == 0) {
            let gain = self.gain(&parts, tested, before, place);
            // Ties go to the oldest.
            if gain > best.map_or(0.0, |(_, most)| most * AS_MUCH) {
                best = Some((place, gain));
            }
        }
        best
    }

    /// The rounds, weighted by probability, that one more run saves.
    fn gain(&self, parts: &[u128], tested: u128, before: f64, place: usize) -> f64 {
        let (below, now) = (self.below[place], tested | 1 << place);
        let after = |&part: &u128| match (part & below, part & !below) {
            (0, part) | (part, 0) => self.left(part, now),
            (under, over) => self.left(under, now) + self.left(over, now),
        };
        (before - parts.iter().map(after).sum::<f64>()) * self.worth[place]
    }

    /// The remaining rounds for a part, weighted by its probability.
    fn left(&self, part: u128, tested: u128) -> f64 {
        let (mut mass, mut surprises, mut needed) = (0.0, 0.0, part);
        for place in places(part) {
            mass += self.weights[place];
            surprises += self.surprises[place];
            needed |= self.parents[place];
        }
        let needed = (needed & !tested).count_ones() as usize;
        let least = match needed {
            0 => 0.0,
            _ if needed <= self.jobs => 1.0,
            _ => rounds(alike(mass, surprises), self.jobs).max(2.0 - self.jobs as f64 / needed as f64),
        };
        mass * (least + TEST * needed as f64)
    }
}

/// The members of a set, the oldest first.
fn places(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            place as usize
        })
    })
}
