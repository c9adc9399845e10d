//! Who may have done it, and how likely each was before any test: Section 3's suspects, on any commit graph.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::graph::{CommitGraph, Node, flood};

/// The suspects in topological order, a place each from 0; the last one is the revision seen to fail.
#[derive(Debug)]
pub(crate) struct Suspects {
    pub(crate) graph: Arc<CommitGraph>,
    members: Vec<Node>,
    set: FixedBitSet,
    pub(crate) prior: Prior,
    /// The prior probability that there is no culprit.
    pub(crate) no_culprit: f64,
    /// Whether each suspect has the one before it, and no other, as a parent.
    pub(crate) is_line: bool,
}

/// Prior probabilities of suspects by their places.
#[derive(Debug)]
pub(crate) enum Prior {
    /// All alike.
    Even(f64),
    /// One each.
    Weighted(Weights),
}

/// A probability per suspect, with sums and maxima over ranges in O(log n).
#[derive(Debug)]
pub(crate) struct Weights {
    each: Vec<f64>,
    /// Sums of the first i weights, and of their squares.
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// A heap-shaped tree over the places: each entry names the heaviest place below it.
    heaviest: Vec<u32>,
}

/// Which suspects break a revision, if they are the culprit: its ancestors, itself included (DESIGN: FACF on a DAG).
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reach {
    /// On a line: the first so many.
    First(usize),
    /// Elsewhere: a set of places.
    Places(FixedBitSet),
}

impl Reach {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Reach::First(count) => *count == 0,
            Reach::Places(places) => places.is_clear(),
        }
    }
}

impl Suspects {
    /// The ancestors of `bad`, itself included, for which `cleared` does not hold; a weight each, scaled to sum to
    /// `1 - no_culprit`. O(V + E), once.
    pub(crate) fn new(
        graph: Arc<CommitGraph>,
        bad: Node,
        cleared: impl Fn(Node) -> bool,
        weight: Option<&dyn Fn(Node) -> f64>,
        no_culprit: impl Fn(usize) -> f64,
    ) -> Self {
        let mut set = graph.none();
        flood(&mut set, bad, |node| graph.parents(node), |node| !cleared(node));
        let members: Vec<Node> = set.ones().map(|node| node as Node).collect();
        let no_culprit = no_culprit(members.len());
        let prior = match weight {
            None => Prior::Even((1.0 - no_culprit) / members.len() as f64),
            Some(weight) => Prior::Weighted(Weights::new(members.iter().map(|&node| weight(node)), 1.0 - no_culprit)),
        };
        let is_line = graph.is_line(&set, &members);
        Suspects { graph, members, set, prior, no_culprit, is_line }
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn node(&self, place: usize) -> Node {
        self.members[place]
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.members
    }

    pub(crate) fn set(&self) -> &FixedBitSet {
        &self.set
    }

    /// The place of a suspect; nothing for other revisions.
    pub(crate) fn place(&self, node: Node) -> Option<usize> {
        self.set.contains(node as usize).then(|| self.members.partition_point(|&member| member < node))
    }

    /// The place of the revision seen to fail.
    pub(crate) fn last(&self) -> usize {
        self.members.len() - 1
    }

    /// Which suspects break `node`, if they are the culprit. O(log n) for suspects on a line.
    pub(crate) fn reach(&self, node: Node) -> Reach {
        if let (true, Some(place)) = (self.is_line, self.place(node)) {
            return Reach::First(place + 1);
        }
        let first = self.members[0];
        let mut met = self.graph.none();
        flood(&mut met, node, |node| self.graph.parents(node), |node| node >= first);
        if self.is_line {
            met.intersect_with(&self.set);
            return Reach::First(
                met.maximum().map_or(0, |node| self.members.partition_point(|&m| (m as usize) <= node)),
            );
        }
        let mut places = FixedBitSet::with_capacity(self.members.len());
        for (place, &member) in self.members.iter().enumerate() {
            places.set(place, met.contains(member as usize));
        }
        Reach::Places(places)
    }

    /// The sum of the priors of the first `count` suspects.
    pub(crate) fn prior_of_first(&self, count: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * count as f64,
            Prior::Weighted(weights) => weights.sums[count],
        }
    }

    /// The same of their squares.
    pub(crate) fn squares_of_first(&self, count: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * each * count as f64,
            Prior::Weighted(weights) => weights.squares[count],
        }
    }

    pub(crate) fn prior_at(&self, place: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => *each,
            Prior::Weighted(weights) => weights.each[place],
        }
    }

    /// The place with the highest prior in a range that is not empty, the first of equals.
    pub(crate) fn heaviest(&self, from: usize, to: usize) -> usize {
        match &self.prior {
            Prior::Even(_) => from,
            Prior::Weighted(weights) => weights.heaviest(from, to),
        }
    }
}

impl Weights {
    fn new(weights: impl Iterator<Item = f64>, total: f64) -> Self {
        let mut each: Vec<f64> = weights.collect();
        let sum: f64 = each.iter().sum();
        each.iter_mut().for_each(|weight| *weight *= total / sum);
        let running = |square: bool| {
            let mut sum = 0.0;
            let mut sums = Vec::with_capacity(each.len() + 1);
            sums.push(0.0);
            for weight in &each {
                sum += if square { weight * weight } else { *weight };
                sums.push(sum);
            }
            sums
        };
        let (sums, squares) = (running(false), running(true));
        let count = each.len();
        let mut heaviest: Vec<u32> = vec![0; count];
        heaviest.extend(0..count as u32);
        for node in (1..count).rev() {
            heaviest[node] = heavier(&each, heaviest[2 * node], heaviest[2 * node + 1]);
        }
        Weights { each, sums, squares, heaviest }
    }

    fn heaviest(&self, from: usize, to: usize) -> usize {
        let count = self.each.len();
        let (mut low, mut high) = (from + count, to + count);
        let mut best = from as u32;
        while low < high {
            if low & 1 == 1 {
                best = heavier(&self.each, best, self.heaviest[low]);
                low += 1;
            }
            if high & 1 == 1 {
                high -= 1;
                best = heavier(&self.each, best, self.heaviest[high]);
            }
            low /= 2;
            high /= 2;
        }
        best as usize
    }
}

/// The heavier of two places, the earlier of equals.
fn heavier(each: &[f64], one: u32, other: u32) -> u32 {
    let key = |place: u32| (each[place as usize], std::cmp::Reverse(place));
    if key(other) > key(one) { other } else { one }
}
