//! The suspects (FACF, Section 3) on any commit graph, with their prior probabilities.

use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;

use crate::graph::{CommitGraph, Node, flood};

/// The suspects in topological order, with places from 0. The last suspect is the bad revision.
#[derive(Debug)]
pub(crate) struct Suspects {
    pub(crate) graph: Arc<CommitGraph>,
    members: Vec<Node>,
    set: FixedBitSet,
    pub(crate) prior: Prior,
    /// The prior probability that there is no culprit.
    pub(crate) no_culprit: f64,
    /// Whether the only parent of each suspect is the suspect before it.
    pub(crate) is_line: bool,
    /// The revisions before the suspects, computed on first use.
    before: OnceLock<FixedBitSet>,
}

/// The prior probabilities of suspects by place.
#[derive(Debug)]
pub(crate) enum Prior {
    /// The same probability for all.
    Even(f64),
    /// A probability for each.
    Weighted(Weights),
}

/// A probability for each suspect, with sums and maxima over ranges in O(log n).
#[derive(Debug)]
pub(crate) struct Weights {
    each: Vec<f64>,
    /// Heap-shaped trees over the places, with the sums of the weights and of their squares below each entry.
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// The heaviest place below each entry.
    heaviest: Vec<u32>,
}

/// The suspects that break a revision: its ancestors, including itself. On a list, this is FACF, Section 3.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reach {
    /// On a line, the number of suspects, counted from the first.
    First(usize),
    /// On a DAG, a set of places.
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
    /// Creates the suspects: the ancestors of `bad`, including itself, that are not `cleared`. The weights are scaled to sum to
    /// `1 - no_culprit`. O(V + E).
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

    /// The place of a suspect, or `None` for other revisions.
    pub(crate) fn place(&self, node: Node) -> Option<usize> {
        self.set.contains(node as usize).then(|| self.members.partition_point(|&member| member < node))
    }

    /// Whether a revision is before the suspects, and so healthy under every hypothesis. O(V + E) on first use.
    pub(crate) fn is_before(&self, node: Node) -> bool {
        let before = || {
            let mut before = self.graph.ancestors(&[self.node(self.last())]);
            before.difference_with(&self.set);
            before
        };
        self.before.get_or_init(before).contains(node as usize)
    }

    /// The place of the bad revision.
    pub(crate) fn last(&self) -> usize {
        self.members.len() - 1
    }

    /// The suspects that break `node`. O(log n) for suspects on a line.
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

    /// The sum of the priors in a range of places.
    pub(crate) fn prior_between(&self, from: usize, to: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * (to - from) as f64,
            Prior::Weighted(weights) => range(from, to, weights.each.len(), 0.0, |sum, node| sum + weights.sums[node]),
        }
    }

    /// The sum of the squared priors in a range of places.
    pub(crate) fn squares_between(&self, from: usize, to: usize) -> f64 {
        match &self.prior {
            Prior::Even(each) => each * each * (to - from) as f64,
            Prior::Weighted(weights) => {
                range(from, to, weights.each.len(), 0.0, |sum, node| sum + weights.squares[node])
            }
        }
    }

    /// The prior of each suspect, if all are equal.
    pub(crate) fn even_prior(&self) -> Option<f64> {
        match &self.prior {
            Prior::Even(each) => Some(*each),
            Prior::Weighted(_) => None,
        }
    }

    /// The lowest prior above 0.
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

    /// The place with the highest prior in a nonempty range. Ties go to the first.
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

/// Folds the entries of a heap-shaped tree over a range of places. Unlike a difference of running sums, the sum of a range is
/// exact even after far heavier places.
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

/// The heavier of two places. Ties go to the earlier.
fn heavier(each: &[f64], one: u32, other: u32) -> u32 {
    let key = |place: u32| (each[place as usize], std::cmp::Reverse(place));
    if key(other) > key(one) { other } else { one }
}
