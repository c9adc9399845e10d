//! A part of the history with a good and a bad end.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::likelihood::Level;
use super::noise::Measured;
use crate::graph::{CommitGraph, Node, Past};

/// The suspects between two measured revisions.
pub(super) struct Part {
    pub(super) graph: Arc<CommitGraph>,
    /// The revision that is measured at the good end.
    pub(super) low: Node,
    /// The revision at the bad end, a suspect itself.
    pub(super) high: Node,
    cleared: Vec<Node>,
    pub(super) past: Past,
    /// The prior of each suspect, with sum 1.
    pub(super) shares: Vec<f64>,
    /// The known steps at the good end, with their sizes. A side branch that starts before such a step lacks it.
    steps: Vec<(Node, f64)>,
    is_whole: bool,
}

impl Part {
    /// Creates the part of a whole search. `good` is not empty, and its first revision is measured.
    pub(super) fn whole(graph: Arc<CommitGraph>, good: &[Node], high: Node, weight: &dyn Fn(Node) -> f64) -> Part {
        Part::new(graph, good.to_vec(), good[0], high, weight, Vec::new(), true)
    }

    fn new(
        graph: Arc<CommitGraph>,
        cleared: Vec<Node>,
        low: Node,
        high: Node,
        weight: &dyn Fn(Node) -> f64,
        steps: Vec<(Node, f64)>,
        is_whole: bool,
    ) -> Part {
        let past = Past::new(Arc::clone(&graph), high, &cleared);
        let all: f64 = (0..past.len()).map(|place| weight(past.node(place))).sum();
        let shares = (0..past.len()).map(|place| weight(past.node(place)) / all).collect();
        Part { graph, low, high, cleared, past, shares, steps, is_whole }
    }

    /// Returns the part up to a parent of a step. `None` without suspects.
    pub(super) fn before(&self, parent: Node, weight: &dyn Fn(Node) -> f64) -> Option<Part> {
        self.past.place(parent)?;
        let (graph, steps) = (Arc::clone(&self.graph), self.steps.clone());
        Some(Part::new(graph, self.cleared.clone(), self.low, parent, weight, steps, self.is_whole))
    }

    /// Returns the part after a step of a size. `None` without suspects.
    pub(super) fn after(&self, step: Node, size: f64, weight: &dyn Fn(Node) -> f64) -> Option<Part> {
        let (mut cleared, mut steps) = (self.cleared.clone(), self.steps.clone());
        cleared.push(step);
        steps.push((step, size));
        (step != self.high).then(|| Part::new(Arc::clone(&self.graph), cleared, step, self.high, weight, steps, false))
    }

    /// Returns whether a revision shows the level of the good end, because it lies before the suspects.
    pub(super) fn is_low(&self, node: Node) -> bool {
        let is_before = || self.cleared.iter().any(|&good| self.graph.is_ancestor(node, good));
        node == self.low || self.is_whole && self.past.place(node).is_none() && is_before()
    }

    /// Returns the part's measurements in the order of time, with the steps at the good end evened out.
    pub(super) fn measured(&self, all: &[Measured]) -> Vec<Measured> {
        let within = |one: &Measured| {
            if self.is_low(one.node) {
                return Some(*one);
            }
            self.past.place(one.node)?;
            let lacks = |step: &&(Node, f64)| !self.graph.is_ancestor(step.0, one.node);
            let more: f64 = self.steps.iter().filter(lacks).map(|step| step.1).sum();
            Some(Measured { seen: Level { level: one.seen.level + more, ..one.seen }, ..*one })
        };
        all.iter().filter_map(within).collect()
    }

    /// Returns the suspects that change a revision of the part.
    pub(super) fn suspects_of(&self, node: Node) -> FixedBitSet {
        if self.past.place(node).is_some() { self.past.of(node) } else { FixedBitSet::with_capacity(self.past.len()) }
    }
}
