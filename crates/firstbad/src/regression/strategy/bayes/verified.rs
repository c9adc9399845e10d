//! The short verification at the end of a search.

use super::{BayesSearch, BayesStep, Flaky};
use crate::culprit::{Belief, Evidence, Short, contrast, joint_runs};
use crate::graph::{CommitGraph, Node};
use crate::regression::outcomes::View;
use crate::search::Outcome;

impl BayesSearch {
    /// Returns the step, or the run that its result still needs.
    pub(super) fn verified(
        &mut self,
        step: BayesStep,
        graph: &CommitGraph,
        view: View<'_>,
        flaky: &Flaky,
    ) -> BayesStep {
        let step = match step {
            _ if !flaky.options.verify => return step,
            BayesStep::Culprit { node, probability, .. } => self.shown(graph, flaky, node, probability),
            BayesStep::Flake if self.is_end => self.acquitted(flaky),
            step => return step,
        };
        if let BayesStep::Ask { .. } = step {
            self.is_open = false;
        }
        match step {
            BayesStep::Contradictory => self.surely_failing(view, flaky).unwrap_or(step),
            step => step,
        }
    }

    /// Verifies a culprit by its own runs and those of its parents.
    fn shown(&mut self, graph: &CommitGraph, flaky: &Flaky, culprit: Node, probability: f64) -> BayesStep {
        let found = |told_apart| BayesStep::Culprit { node: culprit, probability, told_apart };
        match self.contrast(graph, flaky, culprit) {
            Short::Holds => found(self.to_tell_apart(graph, flaky, culprit)),
            Short::Untestable | Short::Doubts(_) => found(Vec::new()),
            Short::Needs(missing) if missing.iter().any(|&node| self.is_worn_out(flaky, node)) => {
                BayesStep::Contradictory
            }
            Short::Needs(missing) => {
                let Some(&node) = missing.first() else { return found(Vec::new()) };
                self.needs = missing;
                let fail_chance = if node == culprit { probability } else { 1.0 - probability };
                BayesStep::Ask { node, fail_chance }
            }
        }
    }

    /// Whether the runs of a culprit and its parents differ.
    pub(super) fn contrast(&self, graph: &CommitGraph, flaky: &Flaky, culprit: Node) -> Short {
        contrast(
            &Evidence {
                graph,
                belief: &self.belief,
                runs: &|node| flaky.runs(node),
                is_untestable: &|node| flaky.is_untestable(node) && flaky.runs(node).runs() == 0,
                confidence: flaky.confidence,
                doubted: &|| self.belief.clone(),
            },
            culprit,
            &self.to_tell_apart(graph, flaky, culprit),
        )
    }

    /// The parents that must differ from a culprit: all that are resolved, or one if the result need not be clean.
    fn to_tell_apart(&self, graph: &CommitGraph, flaky: &Flaky, culprit: Node) -> Vec<Node> {
        let parents = graph.parents(culprit).iter().copied();
        let may_pass = |&parent: &Node| match flaky.outcome(parent) {
            Some(Outcome::Pass) => true,
            // A failing parent is another point.
            Some(Outcome::Fail) => false,
            _ => !flaky.is_untestable(parent),
        };
        let mut parents: Vec<Node> = parents.filter(may_pass).collect();
        if !flaky.check_parents {
            parents.sort_by_key(|&parent| flaky.outcome(parent) != Some(Outcome::Pass));
            parents.truncate(1);
        }
        parents
    }

    /// Verifies a flake by the belief of someone who doubts the given rates.
    fn acquitted(&self, flaky: &Flaky) -> BayesStep {
        let Some(check) = flaky.check() else { return BayesStep::Flake };
        let doubted: Belief = check.doubted(&self.belief);
        if doubted.none().mass >= flaky.confidence || flaky.is_untestable(self.bad) {
            return BayesStep::Flake;
        }
        if doubted.is_enough_to_verify(flaky.runs(self.bad)) {
            return BayesStep::Contradictory;
        }
        let place = joint_runs(&doubted, &self.costs, flaky.confidence, 1, &[]).first().copied();
        let node = place.map_or(self.bad, |place| doubted.suspects.node(place));
        BayesStep::Ask { node, fail_chance: 0.5 }
    }

    /// Whether a revision has had so many runs that its verification gives up.
    fn is_worn_out(&self, flaky: &Flaky, node: Node) -> bool {
        self.belief.is_enough_to_verify(flaky.runs(node))
    }
}
