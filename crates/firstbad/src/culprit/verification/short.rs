//! A short verification, the last stage of a search: enough runs of the culprit and of its parents to show that they
//! differ, whatever the rates.

use super::claim::Claim;
use super::report::Role;
use crate::belief::{Rates, RunCounts};
use crate::culprit::belief::Belief;
use crate::graph::{CommitGraph, Node};

/// What a search has seen, as far as a verification needs it.
pub(crate) struct Evidence<'a> {
    pub(crate) graph: &'a CommitGraph,
    pub(crate) belief: &'a Belief,
    pub(crate) runs: &'a dyn Fn(Node) -> RunCounts,
    pub(crate) is_untestable: &'a dyn Fn(Node) -> bool,
    pub(crate) confidence: f64,
    /// The belief of a doubter of the rates told.
    pub(crate) doubted: &'a dyn Fn() -> Belief,
}

/// What a short verification comes to.
#[derive(Debug)]
pub(crate) enum Short {
    /// The conclusion holds.
    Holds,
    /// It rests on a revision that cannot be tested.
    Untestable,
    /// Runs that are needed, in this order, if they come out as the conclusion says.
    Needs(Vec<Node>),
    /// Runs that tell whether anybody is to blame, by this belief.
    Doubts(Belief),
}

impl Claim {
    /// Whether the runs suffice for this conclusion, or which are missing.
    ///
    /// A culprit and a parent of it that are both broken, or both healthy, fail at one rate: at any, all being as likely, or at
    /// that of the other revisions which are. What was seen at the two must be less likely so than with the culprit as believed by
    /// the factor `1 - confidence`. What the search may have chosen the two for does not count. A flake has to be as likely as the
    /// confidence for a doubter of the rates told.
    pub(crate) fn short(&self, seen: &Evidence<'_>) -> Short {
        let Some(culprit) = self.culprit else {
            let doubted = (seen.doubted)();
            return match (seen.is_untestable)(self.bad) {
                _ if doubted.none().mass >= seen.confidence => Short::Holds,
                true => Short::Untestable,
                false => Short::Doubts(doubted),
            };
        };
        let parents = self.passing(seen.graph).into_iter().filter(|&(role, _)| role == Role::Parent);
        let parents: Vec<Node> = parents.map(|(_, node)| node).collect();
        contrast(seen, culprit, &parents)
    }
}

/// Whether the runs tell a culprit from such parents, or which are missing; see [`Claim::short`]. The one of two that was run
/// less often comes next, whatever its outcomes; the parent, if both were as often.
pub(crate) fn contrast(seen: &Evidence<'_>, culprit: Node, parents: &[Node]) -> Short {
    if parents.iter().chain([&culprit]).any(|&node| (seen.is_untestable)(node)) {
        return Short::Untestable;
    }
    let contrasts: Vec<Contrast> = parents.iter().map(|&parent| Contrast::new(seen, culprit, parent)).collect();
    let mut needs = Vec::new();
    let mut more_passes = vec![0; parents.len()];
    let mut more_fails = 0;
    while needs.len() < AHEAD {
        let open = (0..parents.len()).find(|&at| !contrasts[at].differ(more_passes[at], more_fails, seen.confidence));
        let Some(open) = open else { break };
        let Contrast { parent, culprit: of_culprit, .. } = contrasts[open];
        if parent.runs() + more_passes[open] <= of_culprit.runs() + more_fails {
            more_passes[open] += 1;
            needs.push(parents[open]);
        } else {
            more_fails += 1;
            needs.push(culprit);
        }
    }
    if needs.is_empty() { Short::Holds } else { Short::Needs(needs) }
}

/// Runs without others, each as often as it is among those.
pub(crate) fn without(runs: &[Node], others: &[Node]) -> Vec<Node> {
    let mut others = others.to_vec();
    let is_left = |node: &&Node| match others.iter().position(|other| other == *node) {
        Some(place) => {
            others.swap_remove(place);
            false
        }
        None => true,
    };
    runs.iter().filter(is_left).copied().collect()
}

/// How many runs are thought of ahead.
const AHEAD: usize = 64;

/// The runs of a culprit and of one of its parents, without those for which the search has chosen them.
struct Contrast<'a> {
    belief: &'a Belief,
    culprit: RunCounts,
    parent: RunCounts,
    /// All other runs at revisions that are healthy, and at those that are broken, if it is the culprit.
    healthy: RunCounts,
    broken: RunCounts,
}

impl<'a> Contrast<'a> {
    fn new(seen: &Evidence<'a>, culprit: Node, parent: Node) -> Self {
        let belief = seen.belief;
        let (of_culprit, of_parent) = ((seen.runs)(culprit), (seen.runs)(parent));
        let (healthy, broken) = match belief.suspects.place(culprit) {
            Some(place) => {
                let class = belief.class_at(place);
                (class.healthy, class.broken)
            }
            None => (RunCounts::default(), RunCounts::default()),
        };
        let (passes, fails) = chosen(belief.rates(), seen.confidence);
        let (chosen_pass, chosen_fail) = (RunCounts { passes, fails: 0 }, RunCounts { passes: 0, fails });
        Contrast {
            belief,
            healthy: healthy.without(of_parent) + of_parent.without(of_parent.without(chosen_pass)),
            broken: broken.without(of_culprit) + of_culprit.without(of_culprit.without(chosen_fail)),
            culprit: of_culprit.without(chosen_fail),
            parent: of_parent.without(chosen_pass),
        }
    }

    /// Whether both have been seen as they should be, and the two are not alike, with more passes of the parent and more
    /// failures of the culprit.
    fn differ(&self, passes: u32, fails: u32, confidence: f64) -> bool {
        let parent = self.parent + RunCounts { passes, fails: 0 };
        let culprit = self.culprit + RunCounts { passes: 0, fails };
        let rates = self.belief.rates();
        let rest = rates.fit(self.healthy, self.broken).ln_likelihood;
        let at_rates = |healthy, broken| rates.fit(self.healthy + healthy, self.broken + broken).ln_likelihood - rest;
        let (both, neither) = (parent + culprit, RunCounts::default());
        let apart = at_rates(parent, culprit);
        // Two that are alike may both be healthy or both be broken; at known rates only one of the two is likely.
        let ways: f64 = if rates.known().is_some() { 1.0 } else { 2.0 };
        let alike = alike_ln(both).max(at_rates(both, neither)).max(at_rates(neither, both));
        alike + ways.ln() - apart <= (1.0 - confidence).ln()
    }
}

/// For how many passes the search may have chosen a parent, and for how many failures the culprit: as many as it takes to
/// tell an outcome from an error, and two where both rates are unknown.
fn chosen(rates: &Rates, confidence: f64) -> (u32, u32) {
    let fails = match rates.known() {
        None if rates.is_one_sided() => 1,
        None => UNKNOWN,
        Some((flake, _)) if flake > 0.0 => ((1.0 - confidence).ln() / flake.ln() - ROUNDING).ceil().max(1.0) as u32,
        Some(_) => 1,
    };
    (if rates.is_one_sided() { 1 } else { UNKNOWN }, fails)
}

const UNKNOWN: u32 = 2;

/// `log(0.01) / log(0.1)` may be a little more than 2 in floating point.
const ROUNDING: f64 = 1e-6;

/// The logarithm of the likelihood of runs that share one rate, all rates being as likely: `fails! passes! / (runs + 1)!`.
fn alike_ln(runs: RunCounts) -> f64 {
    let factors = (1..=runs.passes.min(runs.fails)).map(|i| {
        // The inverse of a binomial coefficient, factor by factor.
        (f64::from(i) / (f64::from(runs.passes.max(runs.fails)) + f64::from(i))).ln()
    });
    factors.sum::<f64>() - (f64::from(runs.runs()) + 1.0).ln()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::belief::Rate;
    use crate::culprit::suspects::Suspects;

    #[test]
    fn three_of_each_are_alike_with_a_chance_of_one_in_140() {
        assert!((alike_ln(RunCounts { passes: 3, fails: 3 }).exp() - 1.0 / 140.0).abs() < 1e-12);
        assert!((alike_ln(RunCounts { passes: 0, fails: 4 }).exp() - 0.2).abs() < 1e-12);
        assert!((alike_ln(RunCounts { passes: 4, fails: 1 }).exp() - 1.0 / 30.0).abs() < 1e-12);
    }

    /// How many runs of a culprit and of its parent are missing beside so many passes and failures of the two.
    fn missing(flake: Rate, false_pass: Rate, passes: u32, fails: u32) -> usize {
        needed(flake, false_pass, RunCounts { passes, fails: 0 }, RunCounts { passes: 0, fails }).len()
    }

    /// The missing runs of a culprit (2) and of its parent (1), beside those that there were, in their order.
    fn needed(flake: Rate, false_pass: Rate, at_parent: RunCounts, at_culprit: RunCounts) -> Vec<Node> {
        let graph = Arc::new(CommitGraph::linear(["a", "b", "c", "d"]).unwrap());
        let (parent, culprit, bad) = (1, 2, 3);
        let suspects = Suspects::new(Arc::clone(&graph), bad, |node| node == 0, None, |_| 0.4);
        let rates = Arc::new(Rates::new(flake, 0.0, false_pass).unwrap());
        let mut belief = Belief::new(Arc::new(suspects), rates, 0.99);
        belief.observe(parent, at_parent);
        belief.observe(culprit, at_culprit);
        let evidence = Evidence {
            graph: &graph,
            belief: &belief,
            runs: &|node| if node == parent { at_parent } else { at_culprit },
            is_untestable: &|_| false,
            confidence: 0.99,
            doubted: &|| belief.clone(),
        };
        match contrast(&evidence, culprit, &[parent]) {
            Short::Needs(missing) => missing,
            Short::Holds => Vec::new(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn where_a_rate_is_unknown_two_may_be_alike_in_two_ways() {
        let known = |passes, fails| missing(Rate::Known(0.0), Rate::Known(0.0), passes, fails);
        // Three of each beside the pass and the failure that the search chose: 1 / 140.
        assert_eq!((known(1, 1), known(3, 4), known(4, 4)), (6, 1, 0));
        // Twice 1 / 140 is more than 1 / 100; twice 1 / 280 is less, but the two do not always do the same at unknown rates.
        let estimated = |passes, fails| missing(Rate::Estimate, Rate::Known(0.0), passes, fails);
        assert_eq!((estimated(1, 1), estimated(4, 4), estimated(5, 5)), (7, 1, 0));
        let unknown = |passes, fails| missing(Rate::Estimate, Rate::Estimate, passes, fails);
        assert_eq!((unknown(2, 2), unknown(5, 5), unknown(6, 6)), (7, 1, 0));
    }

    #[test]
    fn the_one_that_was_run_less_often_comes_next() {
        let rates = (Rate::Known(0.1), Rate::Known(0.2));
        let next = |at_parent, at_culprit| needed(rates.0, rates.1, at_parent, at_culprit)[..2].to_vec();
        let passes = |passes, fails| RunCounts { passes, fails };
        assert_eq!(next(passes(3, 0), passes(0, 3)), [1, 2]);
        // The culprit has failed less often than the parent has passed, but it was run more often.
        assert_eq!(next(passes(4, 0), passes(3, 3)), [1, 1]);
        assert_eq!(next(passes(3, 3), passes(0, 4)), [2, 2]);
    }
}
