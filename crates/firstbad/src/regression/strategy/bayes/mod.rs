//! FACF as a search of RPA: finds the culprit for one bad revision by a belief from all runs.
//!
//! Without false passes, one pass makes a revision known to pass, and Algorithm 5 uses it. Failures are only evidence. With false
//! passes, passes are also only evidence.

mod flaky;
mod verified;

pub(in crate::regression) use flaky::{Flaky, noise};

use std::sync::Arc;

use super::interface::{Found, Ground, Strategy};
use crate::belief::RunCounts;
use crate::culprit::{
    self, Belief, Decision, Due, Short, Suspects, Unproven, decide, due_run, is_useful, joint_runs, run_at,
    takes_too_long, without,
};
use crate::graph::{CommitGraph, Node};
use crate::regression::known_passing::KnownPassing;
use crate::regression::outcomes::View;
use crate::regression::report::LeafResult;
use crate::search::Outcome;

/// The next step of a search.
enum BayesStep {
    /// Run a revision once more. It fails with this probability.
    Ask { node: Node, fail_chance: f64 },
    /// This revision is the culprit, with this probability. The parents in `told_apart` pass, even if their own runs are
    /// inconclusive. Each other parent passes, certainly fails, or is unresolved.
    Culprit { node: Node, probability: f64, told_apart: Vec<Node> },
    /// The failure was a flake.
    Flake,
    /// One of these suspects is the culprit, or there is none, and no run can tell them apart. Oldest first, with their total
    /// probability.
    Inseparable { suspects: Vec<Node>, probability: f64 },
    /// No single culprit explains the runs, but this revision certainly fails. A search below it may have a result.
    Below(Node),
    /// No single culprit explains the runs.
    Contradictory,
    /// The given rates do not fit, so all runs must be read again at unknown rates.
    OtherRates,
}

/// The belief about one bad revision.
#[derive(Debug, Clone)]
pub(in crate::regression) struct BayesSearch {
    bad: Node,
    costs: culprit::Costs,
    belief: Belief,
    /// Whether the bad revision is an endpoint, so that its failure may be a flake.
    is_end: bool,
    /// How many of the runs and of the outcomes are included.
    runs_seen: usize,
    outcomes_seen: usize,
    /// The number of runs when the search started.
    began_at: usize,
    /// Whether the next run was chosen among all suspects, and not required for one of them.
    is_open: bool,
    /// The runs that one suspect still needs if all have the expected outcomes, the next one first.
    needs: Vec<Node>,
}

impl BayesSearch {
    /// The search below `bad`. A separate history that was merged can contain the culprit, unless it is known that it never
    /// passes.
    pub(super) fn below(ground: &Ground<'_>, flaky: &Flaky, bad: Node) -> Self {
        let mut suspects = if ground.has_sides {
            ground.suspects_above_passing(bad)
        } else {
            ground.passing.suspects_and_roots(ground.graph, ground.view, bad)
        };
        suspects.insert(bad as usize);
        let options = &flaky.options;
        let cleared = |node: Node| !suspects.contains(node as usize);
        let suspects = match ground.prior {
            None => Suspects::new(Arc::clone(ground.graph), bad, cleared, None, |count| options.no_culprit(count)),
            Some(prior) => {
                let weight = |node: Node| prior.possible(node);
                Suspects::new(Arc::clone(ground.graph), bad, cleared, Some(&weight), |count| options.no_culprit(count))
            }
        };
        let costs = ground.costs.by_place(|node| suspects.place(node));
        let belief = Belief::new(Arc::new(suspects), Arc::clone(&flaky.rates), flaky.confidence);
        let began_at = flaky.log.len();
        BayesSearch {
            bad,
            costs,
            belief,
            is_end: bad == ground.leaf,
            runs_seen: 0,
            outcomes_seen: 0,
            began_at,
            is_open: false,
            needs: Vec::new(),
        }
    }

    /// The most probable culprit and its probability.
    pub(in crate::regression) fn best(&self) -> (Node, f64) {
        let (place, probability) = self.belief.best();
        (self.belief.suspects.node(place), probability)
    }

    /// The probability that a suspect is the culprit, in [0, 1]. `None` if it is not a suspect of this search.
    pub(in crate::regression) fn probability(&self, node: Node) -> Option<f64> {
        let belief = &self.belief;
        belief.suspects.place(node).map(|place| belief.posterior_at(place))
    }

    /// Whether one more run of a revision gives information. `None` if it is not a suspect of this search.
    pub(in crate::regression) fn is_useful(&self, node: Node) -> Option<bool> {
        if self.needs.contains(&node) {
            return Some(true);
        }
        self.belief.suspects.place(node).map(|place| is_useful(&self.belief, place))
    }

    /// The suspects that are not ruled out, oldest first. With false passes, all of them.
    pub(in crate::regression) fn possible(&self) -> impl Iterator<Item = Node> + '_ {
        let belief = &self.belief;
        let places = (0..belief.suspects.len()).filter(|&place| belief.posterior_at(place) > 0.0);
        places.map(|place| belief.suspects.node(place))
    }

    /// Advances as far as the known runs allow.
    fn next(&mut self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, passing: &KnownPassing) -> BayesStep {
        // A search that starts late adds all runs of a revision at once.
        let mut sums: Vec<(Node, RunCounts)> = Vec::new();
        if self.runs_seen == 0 {
            sums.extend(flaky.seen.nodes().map(|node| (node, flaky.runs(node))));
            sums.sort_unstable_by_key(|&(node, _)| node);
        }
        let news = if self.runs_seen == 0 { &sums } else { &flaky.log[self.runs_seen..] };
        for &(node, tally) in news {
            if self.counts(node, graph, passing) {
                self.belief.observe(node, tally);
            }
        }
        self.runs_seen = flaky.log.len();
        for (node, outcome) in view.since(self.outcomes_seen) {
            if outcome == Outcome::Unresolved {
                self.belief.set_unresolved(node);
            }
        }
        self.outcomes_seen = view.len();
        self.is_open = false;
        self.needs.clear();
        if self.refutes_rates(graph, flaky, passing) {
            return BayesStep::OtherRates;
        }
        let step = self.step(graph, view, flaky, passing);
        match self.verified(step, graph, view, flaky) {
            // Give up if the rates are unknown and runs give too little information.
            BayesStep::Ask { .. } if self.takes_too_long(flaky) => {
                self.is_open = false;
                self.surely_failing(view, flaky).unwrap_or(BayesStep::Contradictory)
            }
            BayesStep::Ask { node, fail_chance } => {
                if !self.is_open && self.needs.first() != Some(&node) {
                    self.needs = vec![node];
                }
                BayesStep::Ask { node, fail_chance }
            }
            step => step,
        }
    }

    /// Whether the runs of a revision are evidence. A history that was set aside because it never passed is neither suspect nor
    /// healthy.
    fn counts(&self, node: Node, graph: &CommitGraph, passing: &KnownPassing) -> bool {
        let is_aside = self.belief.suspects.place(node).is_none() && !passing.clears(node);
        !is_aside || !graph.is_ancestor(node, self.bad)
    }

    /// Whether one culprit at unknown rates explains the runs better than one culprit at the given rates, and better than several
    /// changes at the given rates. With several changes, each revision is healthy or broken independently.
    fn refutes_rates(&self, graph: &CommitGraph, flaky: &Flaky, passing: &KnownPassing) -> bool {
        let Some(instead) = flaky.check().and_then(|check| check.instead(&self.belief, flaky.confidence)) else {
            return false;
        };
        let counted = flaky.seen.nodes().filter(|&node| self.counts(node, graph, passing));
        let mut runs: Vec<(Node, RunCounts)> = counted.map(|node| (node, flaky.runs(node))).collect();
        // Floating-point sums depend on the order.
        runs.sort_unstable_by_key(|&(node, _)| node);
        instead.unknown.ln_evidence() > flaky.rates.each_by_itself(runs.iter().map(|&(_, tally)| tally))
    }

    /// Whether the search would take too many runs at unknown rates.
    fn takes_too_long(&self, flaky: &Flaky) -> bool {
        let answers = (flaky.log.len() - self.began_at) as u32;
        self.belief.rates().known().is_none() && takes_too_long(&self.belief, answers)
    }

    /// The next step by the belief.
    fn step(&mut self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, passing: &KnownPassing) -> BayesStep {
        if view.outcome(self.bad) == Some(Outcome::Pass) {
            return BayesStep::Flake;
        }
        if flaky.each && flaky.runs(self.bad) == RunCounts::default() && view.outcome(self.bad).is_none() {
            return BayesStep::Ask { node: self.bad, fail_chance: 1.0 - self.belief.none().mass };
        }
        if let Some(good) = self.good_in_doubt(graph, flaky) {
            return BayesStep::Ask { node: good, fail_chance: 0.5 };
        }
        let suspects = Arc::clone(&self.belief.suspects);
        let node = |place: usize| suspects.node(place);
        match decide(&self.belief, flaky.confidence, &[], false, &flaky.guard()) {
            // The prior alone does not prove a flake.
            Decision::Flake if flaky.runs(self.bad) == RunCounts::default() && view.outcome(self.bad).is_none() => {
                BayesStep::Ask { node: self.bad, fail_chance: 0.5 }
            }
            Decision::Flake => BayesStep::Flake,
            Decision::Culprit(place) => self.settle(graph, view, flaky, place, None),
            Decision::Unproven(place, unproven) => self.settle(graph, view, flaky, place, Some(&unproven)),
            Decision::Inseparable(set) => {
                let nobody = if set.nobody { self.belief.none().mass } else { 0.0 };
                let suspects = set.places.iter().map(|&place| node(place)).collect();
                BayesStep::Inseparable { suspects, probability: set.mass - nobody }
            }
            Decision::Open => match self.edge(graph, view, flaky, passing) {
                Some(step) => step,
                None => match self.choose(1, &[], flaky.confidence).first() {
                    Some(&place) => {
                        self.is_open = true;
                        BayesStep::Ask { node: node(place), fail_chance: run_at(&self.belief, place).0 }
                    }
                    None => BayesStep::Contradictory,
                },
            },
            Decision::Contradictory | Decision::GoodEndFails | Decision::TooFlaky => {
                let edge = self.edge(graph, view, flaky, passing);
                edge.or_else(|| self.surely_failing(view, flaky)).unwrap_or(BayesStep::Contradictory)
            }
        }
    }

    /// A certainly failing revision to search below.
    fn surely_failing(&self, view: View<'_>, flaky: &Flaky) -> Option<BayesStep> {
        self.failing(view, flaky).into_iter().find(|&node| node != self.bad).map(BayesStep::Below)
    }

    /// The good revision that a result would depend on, if no revision has passed and the rate is unknown.
    fn good_in_doubt(&self, graph: &CommitGraph, flaky: &Flaky) -> Option<Node> {
        let rests = due_run(&self.belief, flaky.confidence, true) == Some(Due::Good);
        let untested = |good: &Node| !flaky.is_settled(*good) && graph.is_ancestor(*good, self.bad);
        flaky.older.iter().copied().filter(|_| rests).find(untested)
    }

    /// The culprit, after its failure and a pass of each parent, as far as these can be obtained.
    fn settle(
        &mut self,
        graph: &CommitGraph,
        view: View<'_>,
        flaky: &Flaky,
        place: usize,
        unproven: Option<&Unproven>,
    ) -> BayesStep {
        let (culprit, probability) = (self.belief.suspects.node(place), self.belief.posterior_at(place));
        let parents = graph.parents(culprit);
        let passes = parents.iter().any(|&parent| view.outcome(parent) == Some(Outcome::Pass));
        // With false passes, a parent must pass with the same confidence. A verification checks that by itself.
        let unknown = parents.iter().copied().filter(|&parent| view.outcome(parent).is_none() && !flaky.options.verify);
        let unknown = unknown.take(if flaky.check_parents { usize::MAX } else { usize::from(!passes) });
        let due = unproven.and_then(|unproven| self.due(graph, flaky, culprit, unproven));
        let mut needs: Vec<Node> = due.into_iter().collect();
        needs.extend(unknown.filter(|&parent| Some(parent) != due));
        let Some(&node) = needs.first() else {
            return BayesStep::Culprit { node: culprit, probability, told_apart: Vec::new() };
        };
        if flaky.options.verify
            && let Short::Needs(later) = self.contrast(graph, flaky, culprit)
        {
            let beside = without(&later, &needs);
            needs.extend(beside);
        }
        self.needs = needs;
        let fail_chance = if node == culprit { probability } else { 1.0 - probability };
        BayesStep::Ask { node, fail_chance }
    }

    /// The next run that a culprit requires. If the result need not be clean, one passing parent is enough.
    fn due(&self, graph: &CommitGraph, flaky: &Flaky, culprit: Node, unproven: &Unproven) -> Option<Node> {
        let passes = graph.parents(culprit).iter().any(|&parent| flaky.runs(parent).passes > 0);
        unproven.due.iter().copied().find(|&node| node == culprit || flaky.check_parents || !passes)
    }

    /// A regression point from the runs of single revisions: a revision that certainly fails, with a passing parent. If several
    /// revisions broke the test, or if it was fixed in between, no single culprit explains everything. A parent without an
    /// outcome must be tested first.
    fn edge(&self, graph: &CommitGraph, view: View<'_>, flaky: &Flaky, passing: &KnownPassing) -> Option<BayesStep> {
        let suspects = &self.belief.suspects;
        // A parent that was ruled out is a separate matter: a later pass cleared it, or it never passed.
        let is_aside = |parent: Node| {
            !passing.has_passing_ancestor(parent)
                || suspects.place(parent).is_none_or(|place| self.belief.posterior_at(place) == 0.0)
        };
        let step = |node: Node| {
            let parents = graph.parents(node);
            let due =
                || flaky.guard().unproven(graph, node).and_then(|unproven| self.due(graph, flaky, node, &unproven));
            let undecided = |&&parent: &&Node| match view.outcome(parent) {
                Some(Outcome::Pass | Outcome::Unresolved) => false,
                Some(Outcome::Fail) => !is_aside(parent),
                None => true,
            };
            let passes = parents.iter().any(|&parent| view.outcome(parent) == Some(Outcome::Pass));
            match parents.iter().filter(|_| flaky.check_parents).find(undecided) {
                None if passes => Some(match due() {
                    Some(due) => BayesStep::Ask { node: due, fail_chance: 0.5 },
                    None => BayesStep::Culprit { node, probability: flaky.edge(graph, node), told_apart: Vec::new() },
                }),
                Some(&parent) if passes && view.outcome(parent).is_none() && is_aside(parent) => {
                    Some(BayesStep::Ask { node: parent, fail_chance: 0.5 })
                }
                _ => None,
            }
        };
        self.failing(view, flaky).into_iter().find_map(step)
    }

    /// The suspects that certainly fail, oldest first.
    fn failing(&self, view: View<'_>, flaky: &Flaky) -> Vec<Node> {
        let fails =
            |node: &Node| self.belief.suspects.place(*node).is_some() && view.outcome(*node) == Some(Outcome::Fail);
        let mut failing: Vec<Node> = flaky.seen.nodes().filter(fails).collect();
        failing.sort_unstable();
        failing
    }

    /// The next places to run, given the runs in flight.
    fn choose(&self, want: usize, flying: &[usize], confidence: f64) -> Vec<usize> {
        let due = match due_run(&self.belief, confidence, false) {
            Some(Due::Suspect(place)) if !flying.contains(&place) => Some(place),
            _ => None,
        };
        let mut chosen: Vec<usize> = due.into_iter().collect();
        if chosen.len() < want {
            let flying: Vec<usize> = flying.iter().chain(&chosen).copied().collect();
            chosen.extend(joint_runs(&self.belief, &self.costs, confidence, want - chosen.len(), &flying));
        }
        chosen
    }

    /// The next revisions to run. A revision can occur several times.
    pub(in crate::regression) fn several(&self, want: usize, in_flight: &[Node], flaky: &Flaky) -> Vec<Node> {
        if !self.is_open {
            let mut needs = without(&self.needs, in_flight);
            needs.truncate(want);
            return needs;
        }
        let flying: Vec<usize> = in_flight.iter().filter_map(|&node| self.belief.suspects.place(node)).collect();
        self.choose(want, &flying, flaky.confidence).into_iter().map(|place| self.belief.suspects.node(place)).collect()
    }
}

impl Strategy for BayesSearch {
    fn advance(&mut self, ground: &Ground<'_>) -> Found {
        let Some(flaky) = ground.view.flaky else { return Found::NoAnswer(LeafResult::Contradictory) };
        match self.next(ground.graph, ground.view, flaky, ground.passing) {
            BayesStep::Ask { node, fail_chance } => Found::Ask { node, fail_chance },
            BayesStep::Culprit { node, probability, told_apart } => {
                Found::Culprit { node, probability: Some(probability), told_apart }
            }
            BayesStep::Inseparable { suspects, probability } => Found::Inseparable { suspects, probability },
            BayesStep::Below(node) => Found::Below(node),
            BayesStep::OtherRates => Found::OtherRates,
            BayesStep::Flake if self.bad == ground.leaf => Found::NoAnswer(LeafResult::NotReproduced),
            // A parent that seemed to fail passes, so the search returns to the leaf.
            BayesStep::Flake if ground.view.outcome(self.bad) == Some(Outcome::Pass) => Found::Below(ground.leaf),
            BayesStep::Flake | BayesStep::Contradictory => Found::NoAnswer(LeafResult::Contradictory),
        }
    }

    /// Returns the most probable culprit.
    fn bad(&self) -> Node {
        self.best().0
    }

    /// A belief also tests whether an ancestor passes.
    fn rests_on_passing(&self) -> bool {
        false
    }
}
