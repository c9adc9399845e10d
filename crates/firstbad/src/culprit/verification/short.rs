//! The short verification at the end of a search: runs of the culprit and its parents, until they differ at any rates.

use super::claim::Claim;
use super::report::Role;
use crate::belief::{Rates, RunCounts};
use crate::culprit::belief::Belief;
use crate::graph::{CommitGraph, Node};

/// The observations that a short verification needs.
pub(crate) struct Evidence<'a> {
    pub(crate) graph: &'a CommitGraph,
    pub(crate) belief: &'a Belief,
    pub(crate) runs: &'a dyn Fn(Node) -> RunCounts,
    pub(crate) is_untestable: &'a dyn Fn(Node) -> bool,
    pub(crate) confidence: f64,
    /// The belief of someone who doubts the given rates.
    pub(crate) doubted: &'a dyn Fn() -> Belief,
}

/// The result of a short verification.
#[derive(Debug)]
pub(crate) enum Short {
    /// The conclusion holds.
    Holds,
    /// The conclusion depends on a revision that cannot be run.
    Untestable,
    /// The runs that are needed, in this order, if their outcomes are as expected.
    Needs(Vec<Node>),
    /// More runs must show whether there is a culprit. Choose them by this belief.
    Doubts(Belief),
}

impl Claim {
    /// Whether the runs suffice for this conclusion, and if not, which runs are missing.
    ///
    /// The alternative to a culprit is that it and its parent are alike, both broken or both healthy. Both then fail at the same
    /// rate: an arbitrary one, or the rate of the other broken or healthy revisions. The runs of the two must be less likely
    /// under the alternative by the factor `1 - confidence`. Runs for which the search may have selected the two do not count. A
    /// flake must reach the confidence in the belief of someone who doubts the given rates.
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

/// Whether the runs tell a culprit from these parents, and if not, which runs are missing. See [`Claim::short`]. The revision
/// with fewer runs is next, and the parent if both have the same number.
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

/// Removes the runs in `others` from `runs`, each as often as it occurs.
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

/// The maximum number of runs to plan ahead.
const AHEAD: usize = 64;

/// The runs of a culprit and one of its parents, without the runs for which the search selected them.
struct Contrast<'a> {
    belief: &'a Belief,
    culprit: RunCounts,
    parent: RunCounts,
    /// All other runs at healthy and at broken revisions, if it is the culprit.
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

    /// Whether the two differ after additional passes of the parent and failures of the culprit.
    fn differ(&self, passes: u32, fails: u32, confidence: f64) -> bool {
        let parent = self.parent + RunCounts { passes, fails: 0 };
        let culprit = self.culprit + RunCounts { passes: 0, fails };
        let rates = self.belief.rates();
        let rest = rates.fit(self.healthy, self.broken).ln_likelihood;
        let at_rates = |healthy, broken| rates.fit(self.healthy + healthy, self.broken + broken).ln_likelihood - rest;
        let (both, neither) = (parent + culprit, RunCounts::default());
        let apart = at_rates(parent, culprit);
        // Two alike revisions can both be healthy or both be broken. At known rates, only one of these is likely.
        let ways: f64 = if rates.known().is_some() { 1.0 } else { 2.0 };
        let alike = alike_ln(both).max(at_rates(both, neither)).max(at_rates(neither, both));
        alike + ways.ln() - apart <= (1.0 - confidence).ln()
    }
}

/// The number of passes of a parent and of failures of the culprit for which the search may have selected them. This is the
/// number that tells an outcome from an error, or two if both rates are unknown.
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

/// `log(0.01) / log(0.1)` can be slightly more than 2 in floating point.
const ROUNDING: f64 = 1e-6;

/// The logarithm of the likelihood of runs with one rate, averaged over all rates: `fails! passes! / (runs + 1)!`.
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
    fn three_passes_and_three_failures_have_probability_1_in_140() {
        assert!((alike_ln(RunCounts { passes: 3, fails: 3 }).exp() - 1.0 / 140.0).abs() < 1e-12);
        assert!((alike_ln(RunCounts { passes: 0, fails: 4 }).exp() - 0.2).abs() < 1e-12);
        assert!((alike_ln(RunCounts { passes: 4, fails: 1 }).exp() - 1.0 / 30.0).abs() < 1e-12);
    }

    /// The number of missing runs after these passes of the parent and failures of the culprit.
    fn missing(flake: Rate, false_pass: Rate, passes: u32, fails: u32) -> usize {
        needed(flake, false_pass, RunCounts { passes, fails: 0 }, RunCounts { passes: 0, fails }).len()
    }

    /// The missing runs of the culprit (2) and its parent (1), in order.
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
    fn an_unknown_rate_takes_more_runs_to_tell_two_revisions_apart() {
        let known = |passes, fails| missing(Rate::Known(0.0), Rate::Known(0.0), passes, fails);
        // Three runs each, besides the pass and the failure that selected the revisions: 1 / 140.
        assert_eq!((known(1, 1), known(3, 4), known(4, 4)), (6, 1, 0));
        // Twice 1 / 140 is more than 1 / 100, and twice 1 / 280 is less. At unknown rates, the two can also have mixed outcomes.
        let estimated = |passes, fails| missing(Rate::Estimate, Rate::Known(0.0), passes, fails);
        assert_eq!((estimated(1, 1), estimated(4, 4), estimated(5, 5)), (7, 1, 0));
        let unknown = |passes, fails| missing(Rate::Estimate, Rate::Estimate, passes, fails);
        assert_eq!((unknown(2, 2), unknown(5, 5), unknown(6, 6)), (7, 1, 0));
    }

    #[test]
    fn the_revision_with_fewer_runs_is_next() {
        let rates = (Rate::Known(0.1), Rate::Known(0.2));
        let next = |at_parent, at_culprit| needed(rates.0, rates.1, at_parent, at_culprit)[..2].to_vec();
        let passes = |passes, fails| RunCounts { passes, fails };
        assert_eq!(next(passes(3, 0), passes(0, 3)), [1, 2]);
        // The culprit has fewer failures than the parent has passes, but more runs.
        assert_eq!(next(passes(4, 0), passes(3, 3)), [1, 1]);
        assert_eq!(next(passes(3, 3), passes(0, 4)), [2, 2]);
    }
}
