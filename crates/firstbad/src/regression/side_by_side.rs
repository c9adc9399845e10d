//! What to ask while answers are awaited.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::algorithm::Regression;
use super::bayes::Flaky;
use super::rpa::{Next, Rpa};
use crate::graph::Node;
use crate::search::Outcome;

impl Regression {
    /// With a reliable test: what would be asked under suppositions about the answers in flight, the likeliest case
    /// first.
    pub(super) fn speculate(&self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let suspects = self.open_suspects();
        let mut chosen: Vec<Node> = Vec::with_capacity(want);
        let mut cases = Cases::default();
        cases.suppose(1.0, self.rpa.clone(), Vec::new());
        // If little is left to ask, cases repeat each other. The same number for every `want`, so that asking twice for
        // two is asking for four.
        let mut left = CASES;
        while let Some(mut case) = cases.heap.pop() {
            let view = self.evidence.supposing(&case.supposed);
            let Next::Ask { node, fail_chance } = case.rpa.advance(view) else { continue };
            // Beside what is needed for sure only what may be needed, so that nothing has to be cancelled at once.
            let is_useful = case.made == 1 || self.is_near(&suspects, node);
            if is_useful && !in_flight.contains(&node) && !chosen.contains(&node) {
                chosen.push(node);
            }
            left -= 1;
            if chosen.len() == want || left == 0 {
                break;
            }
            let mut aside = case.rpa.clone();
            if aside.set_aside() {
                let needed = if self.config.propagates() { 0.3 } else { 0.95 };
                cases.suppose(case.chance * needed, aside, case.supposed.clone());
            }
            for (outcome, chance) in [(Outcome::Fail, fail_chance), (Outcome::Pass, 1.0 - fail_chance)] {
                let mut supposed = case.supposed.clone();
                supposed.push((node, outcome));
                cases.suppose(case.chance * chance, case.rpa.clone(), supposed);
            }
        }
        chosen
    }

    /// With a flaky test: what is worth running beside what is in flight, for the bad revision at hand, then for those
    /// after it.
    pub(super) fn runs_side_by_side(&self, flaky: &Flaky, want: usize, in_flight: &[Node]) -> Vec<Node> {
        let mut flying = in_flight.to_vec();
        let mut chosen = Vec::with_capacity(want);
        let mut rpa = self.rpa.clone();
        while chosen.len() < want {
            let Next::Ask { node, .. } = rpa.advance(self.evidence.view()) else { break };
            let left = want - chosen.len();
            let more = match rpa.belief() {
                Some(belief) if belief.is_open() => belief.several(left, &flying, flaky),
                _ if flying.contains(&node) => Vec::new(),
                _ => vec![node],
            };
            flying.extend(&more);
            chosen.extend(more);
            if !rpa.set_aside() {
                break;
            }
        }
        chosen
    }
}

/// How many cases are looked at to find probes that are useful side by side.
const CASES: u32 = 256;

/// The cases to look at, the likeliest first.
#[derive(Default)]
struct Cases {
    heap: BinaryHeap<Case>,
    made: u32,
}

impl Cases {
    fn suppose(&mut self, chance: f64, rpa: Rpa, supposed: Vec<(Node, Outcome)>) {
        self.made += 1;
        self.heap.push(Case { chance, made: self.made, rpa, supposed });
    }
}

/// A supposition about answers, with the search as it would stand then.
struct Case {
    chance: f64,
    /// Its number, from 1.
    made: u32,
    rpa: Rpa,
    supposed: Vec<(Node, Outcome)>,
}

impl Ord for Case {
    /// The likeliest first, then the oldest.
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
