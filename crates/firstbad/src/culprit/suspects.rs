//! Who may have done it, and how likely each was before any test: Section 3's suspects, on any commit graph.

use std::sync::{Arc, OnceLock};

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
    /// What comes before the suspects; made when it is first asked for.
    before: OnceLock<FixedBitSet>,
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
    /// Heap-shaped trees over the places: the sums of the weights below each entry, and of their squares,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// and the heaviest place there.
    heaviest: Vec<u32>,
}

/// Which suspects break a revision, if they are the culprit: its ancestors, itself included. On a list that is what the
/// paper says (FACF, Section 3).
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
        Suspects { graph, members, set, prior, no_culprit, is_line, before: OnceLock::new() }
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

    /// The place of a suspect; nothing for other revisions.
    pub(crate) fn place(&self, node: Node) -> Option<usize> {
        self.set.contains(node as usize).then(|| self.members.partition_point(|&member| member < node))
    }

    /// Whether a revision comes before the suspects, so that it is healthy whoever it was. O(V + E) the first time.
    pub(crate) fn is_before(&self, node: Node) -> bool {
        let before = || {
            let mut before = self.graph.ancestors(&[self.node(self.last())]);
            before.difference_with(&self.set);
            before
        };
        self.before.get_or_init(before).contains(node as usize)
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

    /// The sum of the priors of the suspects in a range of places.
    pub(crate) fn prior_between(&self, from: usize, to: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * (to - from) as f64,
            Prior::Weighted(weights) => range(from, to, weights.each.len(), 0.0, |sum, node| sum + weights.sums[node]),
        }
    }

    /// The same of their squares.
    pub(crate) fn squares_between(&self, from: usize, to: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * each * (to - from) as f64,
            Prior::Weighted(weights) => {
                range(from, to, weights.each.len(), 0.0, |sum, node| sum + weights.squares[node])
            }
        }
    }

    /// The prior of each suspect, where all are alike.
    pub(crate) fn even_prior(&self) -> Option<f64> {
        match &self.prior {
            Prior::Even(each) => Some(*each),
            Prior::Weighted(_) => None,
        }
    }

    /// The prior of the least likely suspect that is possible at all.
    pub(crate) fn least(&self) -> f64 {
        match &self.prior {
            Prior::Even(each) => *each,
            Prior::Weighted(weights) => weights.each.iter().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min),
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
        let count = each.len();
        let tree = |leaf: &dyn Fn(f64) -> f64| {
            let mut tree = vec![0.0; count];
            tree.extend(each.iter().map(|&weight| leaf(weight)));
            for node in (1..count).rev() {
                tree[node] = tree[2 * node] + tree[2 * node + 1];
            }
            tree
        };
        let (sums, squares) = (tree(&|weight| weight), tree(&|weight| weight * weight));
        let mut heaviest: Vec<u32> = vec![0; count];
        heaviest.extend(0..count as u32);
        for node in (1..count).rev() {
            heaviest[node] = heavier(&each, heaviest[2 * node], heaviest[2 * node + 1]);
        }
        Weights { each, sums, squares, heaviest }
    }

    fn heaviest(&self, from: usize, to: usize) -> usize {
        let join = |best: u32, node: usize| heavier(&self.each, best, self.heaviest[node]);
        range(from, to, self.each.len(), from as u32, join) as usize
    }
}

/// Joins what a heap-shaped tree over so many places holds for a range of them. Unlike differences of running sums,
/// sums over a range are exact even if what comes before it is far heavier.
fn range<T>(from: usize, to: usize, count: usize, start: T, join: impl Fn(T, usize) -> T) -> T {
    let (mut low, mut high) = (from + count, to + count);
    let mut joined = start;
    while low < high {
        if low & 1 == 1 {
            joined = join(joined, low);
            low += 1;
        }
        if high & 1 == 1 {
            high -= 1;
            joined = join(joined, high);
        }
        low /= 2;
        high /= 2;
    }
    joined
}

/// The heavier of two places, the earlier of equals.
fn heavier(each: &[f64], one: u32, other: u32) -> u32 {
    let key = |place: u32| (each[place as usize], std::cmp::Reverse(place));
    if key(other) > key(one) { other } else { one }
}
