//! The next runs while others are in flight.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::algorithm::Regression;
use super::config::SearchKind;
use super::rpa::{Next, Rpa};
use super::strategy::{DagSearch, Flaky, shares};
use crate::graph::Node;
use crate::search::Outcome;

impl Regression {
    /// The next runs with a reliable test. If the search is free to choose, these are the runs that leave the fewest rounds.
    /// Otherwise, these are the runs that its rules would request next.
    pub(super) fn side_by_side(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        match self.config.search {
            SearchKind::Auto | SearchKind::Weighted => self.round(want, in_flight),
            _ => self.speculate(Case::first(self.rpa.clone()), want, in_flight),
        }
    }

    /// Shares the runs among the bad revisions, as if each were searched alone.
    fn round(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let searches = self.searches(want + in_flight.len());
        let is_open = |rpa: &Rpa, node: Node| rpa.dag_search().is_none_or(|search| search.is_open(node));
        let part = |(needed, rpa): &(f64, Rpa)| (*needed, in_flight.iter().filter(|&&node| is_open(rpa, node)).count());
        let shares = shares(&searches.iter().map(part).collect::<Vec<_>>(), want);
        let jobs = want + in_flight.len();
        let mut flying = in_flight.to_vec();
        for ((_, rpa), share) in searches.into_iter().zip(shares).filter(|&(_, share)| share > 0) {
            let several = |search: &DagSearch| search.several(&self.graph, self.evidence.view(), share, &flying, jobs);
            let found = rpa.dag_search().and_then(several);
            let found = found.unwrap_or_else(|| self.speculate(Case::first(rpa), share, &flying));
            flying.extend(found);
        }
        // All suspects are in flight. Use the remaining runs for parents that a clean result may need.
        let left = jobs - flying.len();
        if left > 0 {
            flying.extend(self.speculate(Case::first(self.rpa.clone()), left, &flying));
        }
        flying.split_off(in_flight.len())
    }

    /// The searches for the current bad revision and for those after it, each with the probability that it is needed.
    fn searches(&self, most: usize) -> Vec<(f64, Rpa)> {
        let mut searches = Vec::new();
        let (mut rpa, mut needed) = (self.rpa.clone(), 1.0);
        while searches.len() < most.min(SEARCHES)
            && let Some(Next::Ask { .. }) = rpa.advance(self.evidence.view())
        {
            searches.push((needed, rpa.clone()));
            needed *= self.needed();
            if !rpa.set_aside() {
                break;
            }
        }
        searches
    }

    /// The probability that the next bad revision needs its own search.
    fn needed(&self) -> f64 {
        if self.config.propagates() { 0.3 } else { 0.95 }
    }

    /// The runs that would come next under supposed outcomes of the runs in flight, the most probable case first.
    fn speculate(&self, first: Case, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let suspects = self.open_suspects();
        let mut chosen: Vec<Node> = Vec::with_capacity(want);
        let mut cases = Cases::default();
        cases.suppose(first);
        // If few runs are left, cases repeat. The limit does not depend on `want`, so that requesting two runs twice equals
        // requesting four.
        let mut left = CASES;
        while chosen.len() < want
            && left > 0
            && let Some(mut case) = cases.heap.pop()
        {
            let view = self.evidence.supposing(&case.supposed);
            let Some(Next::Ask { node, fail_chance }) = case.rpa.advance(view) else { continue };
            debug_assert!((0.0..1.0 + 1e-9).contains(&fail_chance), "{fail_chance} is no probability");
            // Besides the certain run, request only runs that can be needed, so that they are not canceled at once.
            let is_useful = case.made == 1 || self.is_near(&suspects, node);
            if is_useful && !in_flight.contains(&node) && !chosen.contains(&node) {
                chosen.push(node);
            }
            left -= 1;
            let mut aside = case.rpa.clone();
            if aside.set_aside() {
                cases.suppose(Case { chance: case.chance * self.needed(), rpa: aside, ..case.clone() });
            }
            for (outcome, chance) in [(Outcome::Fail, fail_chance), (Outcome::Pass, 1.0 - fail_chance)] {
                let mut next = Case { chance: case.chance * chance, ..case.clone() };
                next.supposed.push((node, outcome));
                cases.suppose(next);
            }
        }
        chosen
    }

    /// The next runs with a flaky test, for the current bad revision and then for those after it.
    pub(super) fn runs_side_by_side(&self, flaky: &Flaky, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let mut flying = in_flight.to_vec();
        let mut chosen = Vec::with_capacity(want);
        let mut rpa = self.rpa.clone();
        while chosen.len() < want {
            let Some(Next::Ask { node, .. }) = rpa.advance(self.evidence.view()) else { break };
            let left = want - chosen.len();
            let more = match rpa.belief() {
                Some(belief) => belief.several(left, &flying, flaky),
                None if flying.contains(&node) => Vec::new(),
                None => vec![node],
            };
            flying.extend(&more);
            chosen.extend(more);
            if !rpa.set_aside() {
                break;
            }
        }
        chosen
    }

    /// Marks the runs of a flaky test that the next bad revisions need.
    pub(super) fn wanted_by_others(&self, in_flight: &[Node], wanted: &mut [bool]) {
        let mut rpa = self.rpa.clone();
        for _ in 0..SEARCHES {
            if wanted.iter().all(|&wanted| wanted) || !rpa.set_aside() {
                return;
            }
            let Some(Next::Ask { node, .. }) = rpa.advance(self.evidence.view()) else { return };
            let useful = |run: Node| rpa.belief().and_then(|belief| belief.is_useful(run)) == Some(true);
            for (&run, wanted) in in_flight.iter().zip(&mut *wanted) {
                *wanted = *wanted || run == node || useful(run);
            }
        }
    }
}

/// The maximum number of cases to look at.
const CASES: u32 = 256;

/// The maximum number of bad revisions that share the runs.
const SEARCHES: usize = 64;

/// The cases to look at, the most probable first.
#[derive(Default)]
struct Cases {
    heap: BinaryHeap<Case>,
    made: u32,
}

impl Cases {
    fn suppose(&mut self, case: Case) {
        self.made += 1;
        self.heap.push(Case { made: self.made, ..case });
    }
}

/// Supposed outcomes, and the search with these outcomes.
#[derive(Clone)]
struct Case {
    chance: f64,
    /// The number of the case, from 1.
    made: u32,
    rpa: Rpa,
    supposed: Vec<(Node, Outcome)>,
}

impl Case {
    /// The case without supposed outcomes.
    fn first(rpa: Rpa) -> Self {
        Case { chance: 1.0, made: 0, rpa, supposed: Vec::new() }
    }
}

impl Ord for Case {
    /// The most probable first, then the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then_with(|| other.made.cmp(&self.made))
    }
}

impl PartialOrd for Case {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Case {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Case {}
