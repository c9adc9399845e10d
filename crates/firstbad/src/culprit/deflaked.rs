//! Deflaked bisection, the paper's baseline (FACF, "Bisection"): a revision passes if one of its runs does, and fails
//! if `reruns` of them do; the first failure is sought after the last pass, and if there is none it was a flake.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::belief::Belief;
use super::costs::Costs;
use super::information::ExpectedInformation;
use super::suspects::Suspects;
use crate::belief::{Rate, Rates, RunCounts};
use crate::error::Error;
use crate::graph::Node;

/// A search by halving, in which only outcomes count that are final.
#[derive(Debug)]
pub(crate) struct Deflaked {
    reruns: u32,
    /// Every suspect and "no culprit" alike.
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

    /// Takes in runs, and leaves what follows from them for [`Deflaked::settle`].
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

    /// What the final outcomes leave possible.
    pub(crate) fn belief(&self) -> &Belief {
        &self.belief
    }

    /// Whether runs of one revision make a failure.
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
        // A failure before a pass was a flake after all.
        let cleared = |node: Node| passes.iter().any(|&pass| graph.is_ancestor(node, pass));
        let failing = self.runs.iter().filter(|&&(_, runs)| self.is_failure(runs));
        let mut failing: Vec<Node> = failing.map(|&(node, _)| node).filter(|&node| !cleared(node)).collect();
        failing.sort_unstable();
        for node in failing {
            // The first one; on a DAG also those beside it, as long as one culprit explains them all.
            let mut with = belief.clone();
            with.observe(node, RunCounts { passes: 0, fails: 1 });
            if with.is_possible() {
                belief = with;
            }
        }
        self.belief = belief;
    }

    /// The places to run next: the one that halves best as often as it takes, then those that would halve the rest.
    pub(crate) fn next_runs(&self, costs: &Costs, want: usize, flying: &[usize]) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut seen = FixedBitSet::with_capacity(self.suspects.len());
        let mut ahead = vec![self.belief.clone()];
        // What would be next after a failure, and after a pass, of what is chosen or in flight.
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

/// The posterior of the one hypothesis that bisection leaves.
pub(crate) const CERTAIN: f64 = 1.0 - 1e-9;

/// How many cases are looked ahead to.
const AHEAD: usize = 256;
