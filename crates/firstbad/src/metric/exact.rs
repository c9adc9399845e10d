//! The search with numbers without noise, such as sizes.
//!
//! The history is halved where the number changes most, until a piece is a commit and its measured parents. So the first such
//! commit has the largest change. If all steps are wanted, the search goes on while a piece changes by what matters.

use std::sync::Arc;

use crate::graph::{CommitGraph, Node, Past};

/// What the search with exact numbers needs to know.
pub(super) struct Exact<'a> {
    pub(super) graph: &'a Arc<CommitGraph>,
    pub(super) good: &'a [Node],
    pub(super) bad: Node,
    pub(super) least: f64,
    pub(super) all_steps: bool,
    /// The level of a revision, if it is known.
    pub(super) level: &'a dyn Fn(Node) -> Option<f64>,
    pub(super) is_untestable: &'a dyn Fn(Node) -> bool,
    pub(super) weight: &'a dyn Fn(Node) -> f64,
}

/// The result so far.
#[derive(Debug, Default)]
pub(super) struct Halved {
    /// The revisions to measure next. Empty at the end.
    pub(super) missing: Vec<Node>,
    /// The commits that changed the number, with the change of their level.
    pub(super) steps: Vec<(Node, f64)>,
    /// The suspects of a change that no revision with a number separates.
    pub(super) set: Vec<Node>,
    /// The commit with the largest measured change below what matters.
    pub(super) largest: Option<(Node, f64)>,
}

/// A part of the history: the ancestors of `bad` that are not ancestors of `known`.
#[derive(Clone)]
struct Piece {
    bad: Node,
    known: Vec<Node>,
    members: Vec<Node>,
    change: f64,
}

impl Exact<'_> {
    pub(super) fn run(&self) -> Halved {
        let mut halved = Halved::default();
        let mut open: Vec<Piece> = self.piece(self.bad, self.good.to_vec(), &[]).into_iter().collect();
        while let Some(place) = self.next(&open) {
            let piece = open.swap_remove(place);
            if piece.change < self.least {
                break;
            }
            if let [commit] = piece.members[..] {
                self.close(commit, &piece, &mut halved);
                if !halved.missing.is_empty() || !halved.steps.is_empty() && !self.all_steps {
                    break;
                }
                let again = open.drain(..).filter_map(|piece| self.piece(piece.bad, piece.known, &halved.steps));
                open = again.collect();
                continue;
            }
            let Some(middle) = self.middle(&piece) else {
                halved.set = piece.members;
                break;
            };
            if (self.level)(middle).is_none() {
                halved.missing.push(middle);
                break;
            }
            let before = piece.known.iter().copied().filter(|&known| self.graph.is_ancestor(known, middle)).collect();
            let after = piece.known.into_iter().chain([middle]).collect();
            open.extend(self.piece(middle, before, &halved.steps));
            open.extend(self.piece(piece.bad, after, &halved.steps));
        }
        halved
    }

    /// Returns the place of the piece with the largest change. A merge comes last, because its parents may explain it.
    fn next(&self, open: &[Piece]) -> Option<usize> {
        let key = |piece: &Piece| {
            let is_merge = piece.members.len() == 1 && self.graph.parents(piece.bad).len() > 1;
            (piece.change >= self.least, !is_merge, piece.change)
        };
        let better = |best: usize, next: usize| {
            let (one, other) = (key(&open[best]), key(&open[next]));
            if (other.0, other.1).cmp(&(one.0, one.1)).then(other.2.total_cmp(&one.2)).is_gt() { next } else { best }
        };
        (0..open.len()).reduce(better)
    }

    /// Creates a piece. `None` without members or without a number at the bad end.
    fn piece(&self, bad: Node, known: Vec<Node>, steps: &[(Node, f64)]) -> Option<Piece> {
        let mut members = self.graph.ancestors(&[bad]);
        members.difference_with(&self.graph.ancestors(&known));
        let members: Vec<Node> = members.ones().map(|node| node as Node).collect();
        if members.is_empty() {
            return None;
        }
        let change = (self.level)(bad)? - self.expected(bad, known.iter().copied(), steps)?;
        Some(Piece { bad, known, members, change })
    }

    /// Returns the level that a revision would have with the known steps alone, in relation to older revisions.
    fn expected(&self, node: Node, older: impl Iterator<Item = Node>, steps: &[(Node, f64)]) -> Option<f64> {
        let of = |older: Node| {
            let between =
                |step: &&(Node, f64)| self.graph.is_ancestor(step.0, node) && !self.graph.is_ancestor(step.0, older);
            Some((self.level)(older)? + steps.iter().filter(between).map(|step| step.1).sum::<f64>())
        };
        older.filter_map(of).reduce(f64::max)
    }

    /// Measures the parents of a single commit, and adds its step.
    fn close(&self, commit: Node, piece: &Piece, halved: &mut Halved) {
        let parents = self.graph.parents(commit);
        let is_missing = |&&parent: &&Node| (self.level)(parent).is_none() && !(self.is_untestable)(parent);
        halved.missing = parents.iter().filter(is_missing).copied().collect();
        if !halved.missing.is_empty() {
            return;
        }
        let older = parents.iter().copied().filter(|&parent| (self.level)(parent).is_some());
        let expected = self.expected(commit, older, &halved.steps);
        let level = (self.level)(commit);
        let change = level.zip(expected).map_or(piece.change, |(level, expected)| level - expected);
        if change >= self.least {
            halved.steps.push((commit, change));
        } else if halved.largest.is_none_or(|largest| largest.1 < change) {
            halved.largest = Some((commit, change));
        }
    }

    /// Returns the revision whose past holds nearest to half of a piece. `None` if no revision inside can have a number.
    fn middle(&self, piece: &Piece) -> Option<Node> {
        let past = Past::new(Arc::clone(self.graph), piece.bad, &piece.known);
        let weights: Vec<[f64; 1]> = (0..past.len()).map(|place| [(self.weight)(past.node(place))]).collect();
        let all: f64 = weights.iter().map(|weight| weight[0]).sum();
        let off = past.sums(&weights).into_iter().map(|[sum]| (sum / all - 0.5).abs()).collect::<Vec<f64>>();
        (0..past.len())
            .filter(|&place| past.node(place) != piece.bad && !(self.is_untestable)(past.node(place)))
            .reduce(|best, next| if off[next] < off[best] { next } else { best })
            .map(|place| past.node(place))
    }
}
