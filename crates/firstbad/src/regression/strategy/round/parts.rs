//! What parts of the suspects are worth: how many rounds they take, and how cuts are shared among them.

use fixedbitset::FixedBitSet;

use crate::graph::{CommitGraph, Node};
use crate::regression::outcomes::View;

/// What is to be asked, and beside what.
#[derive(Clone, Copy)]
pub(in crate::regression) struct Wanted<'a> {
    /// How many revisions at most.
    pub(in crate::regression) want: usize,
    /// What is being tested, or has been: each splits the suspects already.
    pub(in crate::regression) tested: &'a [Node],
    /// How many tests run side by side.
    pub(in crate::regression) jobs: usize,
}

/// Suspects on a DAG, of which the last one fails.
pub(in crate::regression) struct Suspects<'a> {
    pub(in crate::regression) graph: &'a CommitGraph,
    pub(in crate::regression) view: View<'a>,
    pub(in crate::regression) set: &'a FixedBitSet,
    /// Parallel to the set's members in ascending order: how likely each is the culprit, in any unit.
    pub(in crate::regression) weights: &'a [f64],
    /// Parallel to them: how likely the revision can be tested, per cost.
    pub(in crate::regression) worth: &'a [f64],
}

/// How many rounds of `jobs` tests it takes to find one of so many suspects that are all alike: the average depth of a
/// leaf in the shallowest tree in which a node has at most `jobs + 1` children.
///
/// Suspects that are not alike count as so many that are alike and as hard to tell apart: `e` to the power of their
/// entropy.
pub(in crate::regression) fn rounds(suspects: f64, jobs: usize) -> f64 {
    /// What the logarithm and the exponential function may be off.
    const OFF: f64 = 1e-9;
    if suspects <= 1.0 + OFF {
        return 0.0;
    }
    let (children, jobs) = (jobs as f64 + 1.0, jobs as f64);
    let depth = (suspects.ln() / children.ln() + OFF).floor();
    let leaves = children.powf(depth);
    // So many leaves of that depth become nodes, each of which has up to `jobs` leaves more than before.
    let nodes = ((suspects - leaves) / jobs - OFF).ceil().max(0.0);
    (suspects * depth + (suspects - leaves + nodes).max(0.0)) / suspects
}

/// What is more by less than this share is as much: logarithms are not the same to the last digit on every machine, and
/// choices are.
pub(super) const AS_MUCH: f64 = 1.0 + 1e-9;

/// `weight` as a term of an entropy.
pub(in crate::regression) fn surprise(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.ln() } else { 0.0 }
}

/// How many suspects, all alike, are as hard to tell apart as some with this mass and this sum of [`surprise`].
pub(in crate::regression) fn alike(mass: f64, surprises: f64) -> f64 {
    if mass > 0.0 { (mass.ln() - surprises / mass).exp() } else { 1.0 }
}

/// What a test that a later round needs counts against that round: of two choices that leave as many rounds, the one
/// that leaves fewer tests.
pub(super) const TEST: f64 = 1e-3;

/// Shares cuts among parts of which each has a mass and so many cuts already: so that as little as possible is left to
/// be told apart when each part is cut evenly.
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

/// `cuts` that are left for the two sides of a cut, where that many suspects are on each: as wished, less what a side
/// cannot use.
pub(super) fn sides(cuts: usize, wished_below: usize, below: usize, above: usize) -> (usize, usize) {
    let (most_below, most_above) = (below.saturating_sub(1), above.saturating_sub(1));
    let left = wished_below.min(cuts).min(most_below).max(cuts.saturating_sub(most_above).min(most_below));
    (left, (cuts - left).min(most_above))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by dynamic programming: the cheapest of all ways to part `n` suspects.
    fn optimal(most: usize, jobs: usize) -> Vec<f64> {
        let mut totals = vec![0.0, 0.0];
        for n in 2..=most {
            // `best[i]`: the least of all ways to part `i` suspects into the parts so far.
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
    fn cuts_go_where_most_is_left_to_tell_apart() {
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
