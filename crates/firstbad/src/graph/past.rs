//! The suspects of a search with one bad revision, with sums over the past of each.

use std::collections::BinaryHeap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::{CommitGraph, Node};

const NONE: u32 = u32::MAX;

/// The suspects in topological order. The index of a suspect is its place. The past of a suspect includes the suspect.
pub(crate) struct Past {
    graph: Arc<CommitGraph>,
    members: Vec<Node>,
    /// The place of each revision of the graph, or `NONE`.
    places: Vec<u32>,
    /// The parent with the largest past, or `NONE`.
    base: Vec<u32>,
    /// The part of each past that the base lacks, without the suspect, in compressed rows. It is short unless branches are long.
    starts: Vec<u32>,
    rest: Vec<u32>,
}

impl Past {
    /// Creates the suspects: `bad` and its ancestors without `good` and their ancestors.
    pub(crate) fn new(graph: Arc<CommitGraph>, bad: Node, good: &[Node]) -> Self {
        let (mut suspects, cleared) = (graph.ancestors(&[bad]), graph.ancestors(good));
        suspects.difference_with(&cleared);
        let members: Vec<Node> = suspects.ones().map(|node| node as Node).collect();
        let mut places = vec![NONE; graph.len()];
        for (place, &node) in members.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        let mut past = Past { graph, members, places, base: Vec::new(), starts: vec![0], rest: Vec::new() };
        let mut sizes: Vec<u32> = Vec::with_capacity(past.len());
        let mut marks = vec![0u8; past.len()];
        for place in 0..past.len() {
            let parents: Vec<u32> = past.parents(place).collect();
            let base = parents
                .iter()
                .copied()
                .reduce(|best, next| if sizes[next as usize] > sizes[best as usize] { next } else { best });
            let others: Vec<u32> = parents.into_iter().filter(|&parent| Some(parent) != base).collect();
            let before = past.rest.len();
            if let Some(base) = base.filter(|_| !others.is_empty()) {
                let rest = past.beyond(base, &others, &mut marks);
                past.rest.extend(rest);
            }
            let below = base.map_or(0, |base| sizes[base as usize]);
            sizes.push(1 + below + (past.rest.len() - before) as u32);
            past.base.push(base.unwrap_or(NONE));
            past.starts.push(past.rest.len() as u32);
        }
        past
    }

    /// Returns the past of `others` without the past of `base`. It visits little else. `marks` must be all 0 and stays so.
    fn beyond(&self, base: u32, others: &[u32], marks: &mut [u8]) -> Vec<u32> {
        const BASE: u8 = 1;
        const OTHER: u8 = 2;
        let (mut heap, mut visited, mut beyond) = (BinaryHeap::new(), Vec::new(), Vec::new());
        // The number of waiting suspects that only `others` have reached.
        let mut open = 0usize;
        let mut reach = |place: u32, mark: u8, marks: &mut [u8], heap: &mut BinaryHeap<u32>, open: &mut usize| {
            let old = marks[place as usize];
            if old == 0 {
                heap.push(place);
                visited.push(place);
            }
            marks[place as usize] |= mark;
            *open += usize::from(old == 0 && mark == OTHER);
            *open -= usize::from(old == OTHER && mark == BASE);
        };
        reach(base, BASE, marks, &mut heap, &mut open);
        others.iter().for_each(|&other| reach(other, OTHER, marks, &mut heap, &mut open));
        while open > 0
            && let Some(place) = heap.pop()
        {
            // Children come later, so all marks of this suspect are known.
            let mark = if marks[place as usize] & BASE != 0 { BASE } else { OTHER };
            if mark == OTHER {
                open -= 1;
                beyond.push(place);
            }
            for parent in self.parents(place as usize) {
                reach(parent, mark, marks, &mut heap, &mut open);
            }
        }
        visited.into_iter().for_each(|place| marks[place as usize] = 0);
        beyond
    }

    fn parents(&self, place: usize) -> impl Iterator<Item = u32> + '_ {
        let parents = self.graph.parents(self.members[place]).iter();
        parents.map(|&parent| self.places[parent as usize]).filter(|&parent| parent != NONE)
    }

    /// Returns the number of suspects.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn node(&self, place: usize) -> Node {
        self.members[place]
    }

    /// Returns the place of a suspect, or `None` for other revisions.
    pub(crate) fn place(&self, node: Node) -> Option<usize> {
        self.places.get(node as usize).copied().filter(|&place| place != NONE).map(|place| place as usize)
    }

    /// Returns the parent with the largest past.
    pub(crate) fn base(&self, place: usize) -> Option<usize> {
        Some(self.base[place]).filter(|&base| base != NONE).map(|base| base as usize)
    }

    /// Returns, for each suspect, the sums of `weights` over its past.
    pub(crate) fn sums<const N: usize>(&self, weights: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut sums: Vec<[f64; N]> = Vec::with_capacity(self.len());
        for place in 0..self.len() {
            let mut sum = self.base(place).map_or([0.0; N], |base| sums[base]);
            let rest = &self.rest[self.starts[place] as usize..self.starts[place + 1] as usize];
            for other in std::iter::once(place).chain(rest.iter().map(|&other| other as usize)) {
                for (sum, weight) in sum.iter_mut().zip(&weights[other]) {
                    *sum += weight;
                }
            }
            sums.push(sum);
        }
        sums
    }

    /// Returns the suspects in the past of a revision, as places. The revision need not be a suspect.
    pub(crate) fn of(&self, node: Node) -> FixedBitSet {
        let mut past = FixedBitSet::with_capacity(self.len());
        let Some(place) = self.place(node) else {
            let ancestors = self.graph.ancestors(&[node]);
            (0..self.len())
                .filter(|&place| ancestors.contains(self.members[place] as usize))
                .for_each(|place| past.insert(place));
            return past;
        };
        past.insert(place);
        for place in (0..=place).rev() {
            if past.contains(place) {
                self.parents(place).for_each(|parent| past.insert(parent as usize));
            }
        }
        past
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

        #[test]
        fn sums_agree_with_the_past_of_each_suspect(
            links in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..4), 2..60),
            good in any::<prop::sample::Index>(),
        ) {
            let parents = |(place, links): (usize, &Vec<prop::sample::Index>)| {
                let mut parents: Vec<usize> = links.iter().map(|link| link.index(place.max(1))).collect();
                parents.sort_unstable();
                parents.dedup();
                parents.retain(|&parent| parent < place);
                (place.to_string(), parents.iter().map(ToString::to_string).collect::<Vec<_>>())
            };
            let graph = Arc::new(CommitGraph::new(links.iter().enumerate().map(parents)).expect("parents come first"));
            let bad = (graph.len() - 1) as Node;
            let past = Past::new(Arc::clone(&graph), bad, &[good.index(graph.len()) as Node]);
            let weights: Vec<[f64; 1]> = (0..past.len()).map(|place| [(place * place % 17) as f64]).collect();
            for (place, [sum]) in past.sums(&weights).into_iter().enumerate() {
                let of = past.of(past.node(place));
                let expected: f64 = of.ones().map(|other| weights[other][0]).sum();
                prop_assert!((sum - expected).abs() < 1e-9, "{sum} where {expected} is expected");
                let is_past = |other: usize| graph.is_ancestor(past.node(other), past.node(place));
                prop_assert!((0..past.len()).all(|other| of.contains(other) == is_past(other)));
            }
        }
    }
}
