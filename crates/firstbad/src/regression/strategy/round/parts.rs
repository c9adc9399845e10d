//! The rounds that parts of the suspects take, and the division of cuts among them.

use fixedbitset::FixedBitSet;

use crate::graph::{CommitGraph, Node};
use crate::regression::outcomes::View;

/// The number of revisions to choose, and those already tested.
#[derive(Clone, Copy)]
pub(in crate::regression) struct Wanted<'a> {
    /// The maximum number of revisions to choose.
    pub(in crate::regression) want: usize,
    /// The revisions that are tested or in flight. Each already divides the suspects.
    pub(in crate::regression) tested: &'a [Node],
    /// The number of parallel runs.
    pub(in crate::regression) jobs: usize,
}

/// Suspects on a DAG, of which the last one fails.
pub(in crate::regression) struct Suspects<'a> {
    pub(in crate::regression) graph: &'a CommitGraph,
    pub(in crate::regression) view: View<'a>,
    pub(in crate::regression) set: &'a FixedBitSet,
    /// The probability of each member in any unit, parallel to the members in ascending order.
    pub(in crate::regression) weights: &'a [f64],
    /// The probability that each member is resolved, per cost, parallel to the members.
    pub(in crate::regression) worth: &'a [f64],
}

/// The rounds of `jobs` runs that it takes to find one of this many equally likely suspects: the average depth of a leaf in the
/// shallowest tree with at most `jobs + 1` children for each node.
///
/// Other suspects count as an equivalent number of equally likely ones: `e` to the power of their entropy.
pub(in crate::regression) fn rounds(suspects: f64, jobs: usize) -> f64 {
    /// The maximum error of the logarithm and the exponential function.
    const OFF: f64 = 1e-9;
    if suspects <= 1.0 + OFF {
        return 0.0;
    }
    let (children, jobs) = (jobs as f64 + 1.0, jobs as f64);
    let depth = (suspects.ln() / children.ln() + OFF).floor();
    let leaves = children.powf(depth);
    // The number of leaves of that depth that become nodes. Each adds up to `jobs` leaves.
    let nodes = ((suspects - leaves) / jobs - OFF).ceil().max(0.0);
    (suspects * depth + (suspects - leaves + nodes).max(0.0)) / suspects
}

/// Smaller differences count as equal. The last digits of logarithms vary between machines, and choices must not.
pub(super) const AS_MUCH: f64 = 1.0 + 1e-9;

/// `weight` as a term of an entropy.
pub(in crate::regression) fn surprise(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.ln() } else { 0.0 }
}

/// The number of equally likely suspects with the same entropy as those with this mass and this sum of [`surprise`].
pub(in crate::regression) fn alike(mass: f64, surprises: f64) -> f64 {
    if mass > 0.0 { (mass.ln() - surprises / mass).exp() } else { 1.0 }
}

/// The penalty, in rounds, for a run that a later round needs. Of two choices with equal rounds, the one with fewer runs wins.
pub(super) const TEST: f64 = 1e-3;

/// Divides cuts among parts. Each part has a mass and a number of existing cuts. The result leaves the lowest entropy if each
/// part is cut evenly.
pub(in crate::regression) fn shares(parts: &[(f64, usize)], cuts: usize) -> Vec<usize> {
    let mut shares = vec![0; parts.len()];
    for _ in 0..cuts {
        let gain = |&part: &usize| parts[part].0 * (1.0 / ((parts[part].1 + shares[part]) as f64 + 1.0)).ln_1p();
        let first_of_best = |best: usize, part: usize| if gain(&part) > gain(&best) * AS_MUCH { part } else { best };
        let Some(best) = (0..parts.len()).reduce(first_of_best) else { break };
        shares[best] += 1;
    }
    shares
}

/// Divides the remaining `cuts` between the two sides of a cut, as wished, but without cuts that a side cannot use.
pub(super) fn sides(cuts: usize, wished_below: usize, below: usize, above: usize) -> (usize, usize) {
    let (most_below, most_above) = (below.saturating_sub(1), above.saturating_sub(1));
    let left = wished_below.min(cuts).min(most_below).max(cuts.saturating_sub(most_above).min(most_below));
    (left, (cuts - left).min(most_above))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The optimum by dynamic programming over all ways to divide `n` suspects.
    fn optimal(most: usize, jobs: usize) -> Vec<f64> {
        let mut totals = vec![0.0, 0.0];
        for n in 2..=most {
            // `best[i]` is the minimum over all ways to divide `i` suspects into the parts so far.
            let mut best = vec![f64::INFINITY; n + 1];
            best[0] = 0.0;
            for _ in 0..=jobs {
                let before = best.clone();
                for end in 1..=n {
                    for size in 1..=end.min(n - 1) {
                        best[end] = best[end].min(before[end - size] + totals[size]);
                    }
                }
            }
            totals.push(n as f64 + best[n]);
        }
        totals.iter().enumerate().map(|(n, total)| total / n.max(1) as f64).collect()
    }

    #[test]
    fn the_formula_is_the_optimum() {
        for jobs in [1, 2, 3, 4, 8] {
            for (n, expected) in optimal(90, jobs).into_iter().enumerate() {
                let found = rounds(n as f64, jobs);
                assert!((found - expected).abs() < 1e-6, "{n} suspects, {jobs} jobs: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn cuts_go_to_the_parts_with_the_highest_entropy() {
        assert_eq!(shares(&[(0.6, 0), (0.3, 0), (0.1, 0)], 4), [3, 1, 0]);
        assert_eq!(shares(&[(0.6, 3), (0.4, 0)], 2), [0, 2]);
        assert_eq!(shares(&[], 4), [0; 0]);
    }

    #[test]
    fn no_side_gets_more_cuts_than_it_can_use() {
        assert_eq!(sides(6, 3, 10, 10), (3, 3));
        assert_eq!(sides(6, 3, 2, 10), (1, 5));
        assert_eq!(sides(6, 3, 10, 1), (6, 0));
        assert_eq!(sides(6, 3, 2, 2), (1, 1));
    }
}
