//! Deflaked bisection, the paper's baseline (FACF, "Bisection").
//!
//! One pass makes a revision pass, and `reruns` failures make it fail. The culprit is the first failing revision after the last
//! passing one. If there is none, the failure was a flake.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::belief::Belief;
use super::costs::Costs;
use super::information::ExpectedInformation;
use super::suspects::Suspects;
use crate::belief::{Rate, Rates, RunCounts};
use crate::error::Error;
use crate::graph::Node;

/// A search by halving that counts final outcomes only.
#[derive(Debug)]
pub(crate) struct Deflaked {
    reruns: u32,
    /// The suspects with equal priors, also for "no culprit".
    suspects: Arc<Suspects>,
    rates: Arc<Rates>,
    runs: Vec<(Node, RunCounts)>,
    unresolved: Vec<Node>,
    belief: Belief,
}

impl Deflaked {
    pub(crate) fn new(suspects: Suspects, reruns: u32) -> Result<Self, Error> {
        let suspects = Arc::new(suspects);
        let rates = Arc::new(Rates::new(Rate::Known(0.0), 0.0, Rate::Known(0.0))?);
        let belief = Belief::new(Arc::clone(&suspects), Arc::clone(&rates), CERTAIN);
        Ok(Deflaked { reruns, suspects, rates, runs: Vec::new(), unresolved: Vec::new(), belief })
    }

    pub(crate) fn observe(&mut self, node: Node, tally: RunCounts) {
        self.note(node, tally);
        self.settle();
    }

    /// Adds runs without updating the belief. Call [`Deflaked::settle`] afterwards.
    pub(crate) fn note(&mut self, node: Node, tally: RunCounts) {
        match self.runs.iter_mut().find(|(other, _)| *other == node) {
            Some((_, known)) => *known += tally,
            None => self.runs.push((node, tally)),
        }
    }

    pub(crate) fn set_unresolved(&mut self, node: Node) {
        self.unresolved.push(node);
        self.belief.set_unresolved(node);
    }

    pub(crate) fn reset(&mut self) {
        self.runs.clear();
        self.unresolved.clear();
        self.settle();
    }

    /// The belief from the final outcomes.
    pub(crate) fn belief(&self) -> &Belief {
        &self.belief
    }

    /// Whether the runs of one revision count as a failure.
    pub(crate) fn is_failure(&self, runs: RunCounts) -> bool {
        runs.passes == 0 && runs.fails >= self.reruns
    }

    pub(crate) fn settle(&mut self) {
        let graph = Arc::clone(&self.suspects.graph);
        let mut belief = Belief::new(Arc::clone(&self.suspects), Arc::clone(&self.rates), CERTAIN);
        self.unresolved.iter().for_each(|&node| belief.set_unresolved(node));
        let passes: Vec<Node> = self.runs.iter().filter(|(_, runs)| runs.passes > 0).map(|&(node, _)| node).collect();
        for &node in &passes {
            belief.observe(node, RunCounts { passes: 1, fails: 0 });
        }
        // A failure before a pass was a flake.
        let cleared = |node: Node| passes.iter().any(|&pass| graph.is_ancestor(node, pass));
        let failing = self.runs.iter().filter(|&&(_, runs)| self.is_failure(runs));
        let mut failing: Vec<Node> = failing.map(|&(node, _)| node).filter(|&node| !cleared(node)).collect();
        failing.sort_unstable();
        for node in failing {
            // Use the first failure. On a DAG, also use failures on other branches, as long as one culprit explains them all.
            let mut with = belief.clone();
            with.observe(node, RunCounts { passes: 0, fails: 1 });
            if with.is_possible() {
                belief = with;
            }
        }
        self.belief = belief;
    }

    /// The next places to run: all missing reruns of the best halving place, then the best places after each of its outcomes.
    pub(crate) fn next_runs(&self, costs: &Costs, want: usize, flying: &[usize]) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut seen = FixedBitSet::with_capacity(self.suspects.len());
        let mut ahead = vec![self.belief.clone()];
        // Look ahead to a failure and to a pass of each chosen run.
        for _ in 0..AHEAD {
            if ahead.is_empty() || chosen.len() >= want {
                break;
            }
            let belief = ahead.remove(0);
            let Some(place) = ExpectedInformation::new(&belief).best(costs) else { continue };
            let node = self.suspects.node(place);
            if !seen.put(place) {
                let done = self.runs.iter().find(|(other, _)| *other == node).map_or(0, |(_, runs)| runs.fails);
                let out = flying.iter().filter(|&&other| other == place).count();
                let left = (self.reruns.saturating_sub(done) as usize).saturating_sub(out);
                chosen.extend(std::iter::repeat_n(place, left.min(want - chosen.len())));
            }
            for tally in [RunCounts { passes: 0, fails: 1 }, RunCounts { passes: 1, fails: 0 }] {
                let mut next = belief.clone();
                next.observe(node, tally);
                if next.is_possible() {
                    ahead.push(next);
                }
            }
        }
        chosen
    }
}

/// The confidence at which bisection has a single hypothesis left.
pub(crate) const CERTAIN: f64 = 1.0 - 1e-9;

/// The maximum number of cases to look ahead to.
const AHEAD: usize = 256;
