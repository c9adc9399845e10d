//! A second implementation of flake-aware culprit finding, straight from its definitions. Each hypothesis is computed separately,
//! and no code is shared with the core.

use std::sync::Arc;

use firstbad::culprit::{CulpritStrategy, NoCulprit, Rate};
use firstbad::{CommitGraph, CulpritConfig};
use proptest::prelude::*;
use proptest::sample::Index;

/// A history. Revision `i`, named `r{i}`, has parents among the revisions before it.
#[derive(Debug, Clone)]
pub(crate) struct History {
    pub(crate) parents: Vec<Vec<usize>>,
}

impl History {
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(crate) fn graph(&self) -> Arc<CommitGraph> {
        let revisions = self.parents.iter().enumerate();
        let pairs = revisions.map(|(i, parents)| (name(i), parents.iter().map(|&p| name(p)).collect::<Vec<_>>()));
        Arc::new(CommitGraph::new(pairs).expect("parents come first"))
    }

    /// Whether each revision is an ancestor of this one, itself included.
    pub(crate) fn ancestors(&self, of: usize) -> Vec<bool> {
        let mut met = vec![false; self.len()];
        met[of] = true;
        for place in (0..=of).rev() {
            if met[place] {
                self.parents[place].iter().for_each(|&parent| met[parent] = true);
            }
        }
        met
    }
}

pub(crate) fn name(place: usize) -> String {
    format!("r{place}")
}

pub(crate) fn place(name: &str) -> usize {
    name[1..].parse().expect("a name of this model")
}

/// Lists, and graphs with merges, octopuses, and several roots.
pub(crate) fn histories(most: usize) -> impl Strategy<Value = History> {
    let revision = (any::<Index>(), any::<Index>(), 0..20u8);
    (prop::collection::vec(revision, 2..most), any::<bool>()).prop_map(|(revisions, is_list)| {
        let mut parents: Vec<Vec<usize>> = Vec::new();
        for (i, (first, second, link)) in revisions.into_iter().enumerate() {
            let near = |index: Index| i - 1 - index.index(i.min(4));
            let mut own = match link {
                _ if i == 0 => vec![],
                _ if is_list => vec![i - 1],
                0 if i > 1 => vec![],
                0..=6 => vec![near(first), second.index(i)],
                7 => vec![near(first), second.index(i), first.index(i)],
                _ => vec![near(first)],
            };
            let mut seen = std::collections::HashSet::new();
            own.retain(|parent| seen.insert(*parent));
            parents.push(own);
        }
        History { parents }
    })
}

/// A search with its prior knowledge.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) history: History,
    pub(crate) bad: usize,
    pub(crate) good: Vec<usize>,
    pub(crate) flake: f64,
    pub(crate) false_pass: f64,
    pub(crate) nobody: f64,
    /// A weight for each revision, 0 to 4.
    pub(crate) weights: Option<Vec<u8>>,
}

pub(crate) fn cases(most: usize) -> impl Strategy<Value = Case> {
    let rates = (
        prop::sample::select(vec![0.0, 0.01, 0.1, 0.3, 0.5]),
        prop::sample::select(vec![0.0, 0.0, 0.0, 0.05, 0.2]),
        prop::sample::select(vec![0.4, 0.4, 0.0, 0.03, 0.9]),
    );
    let weights = prop::option::of(prop::collection::vec(0..5u8, most));
    (histories(most), any::<Index>(), prop::collection::vec(any::<Index>(), 0..3), rates, weights).prop_filter_map(
        "bad has ancestors that are no suspects",
        |(history, bad, good, (flake, false_pass, nobody), weights)| {
            let with_parents: Vec<usize> = (0..history.len()).filter(|&i| !history.parents[i].is_empty()).collect();
            // Usually near the end, so that there are suspects.
            let newest = &with_parents[with_parents.len().saturating_sub(4)..];
            let bad = *newest.get(bad.index(newest.len().max(1)))?;
            let before = history.ancestors(bad);
            let older: Vec<usize> = (0..bad).filter(|&i| before[i]).collect();
            // Old revisions, so that there are suspects.
            let oldest = &older[..older.len().div_ceil(3)];
            let mut named: Vec<usize> = good.iter().map(|good| oldest[good.index(oldest.len())]).collect();
            named.dedup();
            let case = Case { history, bad, good: named, flake, false_pass, nobody, weights };
            let suspects = case.suspects();
            let all = case.weights.as_ref().is_none_or(|w| suspects.iter().any(|&place| w[place] > 0));
            all.then_some(case)
        },
    )
}

impl Case {
    pub(crate) fn config(&self, choose: CulpritStrategy) -> CulpritConfig {
        CulpritConfig {
            false_pass_rate: Rate::Known(self.false_pass),
            prior_no_culprit: Some(NoCulprit::Probability(self.nobody)),
            prior: self
                .weights
                .as_ref()
                .map(|weights| (0..self.history.len()).map(|place| (name(place), f64::from(weights[place]))).collect()),
            // Test the belief at the given rates. Tests of the last stage enable it.
            verify: false,
            ..CulpritConfig::new(name(self.bad), Rate::Known(self.flake))
                .good(self.good.iter().map(|&place| name(place)))
                .strategy(choose)
        }
    }

    /// The good revisions, or the roots below `bad`.
    pub(crate) fn goods(&self) -> Vec<usize> {
        if !self.good.is_empty() {
            return self.good.clone();
        }
        let before = self.history.ancestors(self.bad);
        (0..self.history.len()).filter(|&i| before[i] && self.history.parents[i].is_empty()).collect()
    }

    /// `bad` and its ancestors without those of the good revisions, oldest first.
    pub(crate) fn suspects(&self) -> Vec<usize> {
        let mut left = self.history.ancestors(self.bad);
        for good in self.goods() {
            for (left, cleared) in left.iter_mut().zip(self.history.ancestors(good)) {
                *left &= !cleared;
            }
        }
        (0..left.len()).filter(|&place| left[place]).collect()
    }

    pub(crate) fn prior(&self) -> Prior {
        let suspects = self.suspects();
        let weight = |&place: &usize| self.weights.as_ref().map_or(1.0, |weights| f64::from(weights[place]));
        let total: f64 = suspects.iter().map(weight).sum();
        let each = suspects.iter().map(|place| weight(place) / total * (1.0 - self.nobody)).collect();
        Prior { each, nobody: self.nobody }
    }
}

/// A probability for each suspect and for "no culprit".
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prior {
    pub(crate) each: Vec<f64>,
    pub(crate) nobody: f64,
}

impl Prior {
    pub(crate) fn total(&self) -> f64 {
        self.each.iter().sum::<f64>() + self.nobody
    }
}

/// Runs of a revision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
    pub(crate) place: usize,
    pub(crate) passes: u32,
    pub(crate) fails: u32,
}

/// The probability of runs at healthy and at broken revisions, with unknown rates integrated out.
pub(crate) trait Likelihood {
    fn of(&self, healthy: (u32, u32), broken: (u32, u32)) -> f64;
}

/// Known rates.
pub(crate) struct Known {
    pub(crate) flake: f64,
    pub(crate) false_pass: f64,
}

impl Likelihood for Known {
    fn of(&self, healthy: (u32, u32), broken: (u32, u32)) -> f64 {
        let times = |p: f64, count: u32| (0..count).fold(1.0, |product, _| product * p);
        times(1.0 - self.flake, healthy.0)
            * times(self.flake, healthy.1)
            * times(self.false_pass, broken.0)
            * times(1.0 - self.false_pass, broken.1)
    }
}

/// A flake rate after past runs, with a uniform prior: the beta-binomial distribution in closed form.
pub(crate) struct After {
    pub(crate) passes: u32,
    pub(crate) fails: u32,
    pub(crate) false_pass: f64,
}

impl Likelihood for After {
    fn of(&self, healthy: (u32, u32), broken: (u32, u32)) -> f64 {
        let (mut passes, mut fails) = (f64::from(self.passes) + 1.0, f64::from(self.fails) + 1.0);
        let mut product = 1.0;
        for _ in 0..healthy.0 {
            product *= passes / (passes + fails);
            passes += 1.0;
        }
        for _ in 0..healthy.1 {
            product *= fails / (passes + fails);
            fails += 1.0;
        }
        let known = Known { flake: 0.0, false_pass: self.false_pass };
        product * known.of((0, 0), broken)
    }
}

/// Bayes' rule over all suspects and "no culprit". `None` if no hypothesis explains the runs.
pub(crate) fn posterior(case: &Case, likelihood: &impl Likelihood, seen: &[Seen]) -> Option<Prior> {
    let joint = joint(case, likelihood, seen);
    let total = joint.total();
    let each = joint.each.iter().map(|p| p / total).collect();
    (total > 0.0).then(|| Prior { each, nobody: joint.nobody / total })
}

/// The expected information of one more run about the culprit, in bits: the entropy minus the expected remaining entropy.
pub(crate) fn information(case: &Case, likelihood: &impl Likelihood, seen: &[Seen], place: usize) -> f64 {
    let all = joint(case, likelihood, seen).total();
    let left = |passes: u32, fails: u32| {
        let seen: Vec<Seen> = seen.iter().copied().chain([Seen { place, passes, fails }]).collect();
        let chance = joint(case, likelihood, &seen).total() / all;
        posterior(case, likelihood, &seen).map_or(0.0, |posterior| chance * entropy(&posterior))
    };
    posterior(case, likelihood, seen).map_or(0.0, |now| entropy(&now) - left(1, 0) - left(0, 1))
}

/// The joint probability of each hypothesis and all runs.
fn joint(case: &Case, likelihood: &impl Likelihood, seen: &[Seen]) -> Prior {
    let prior = case.prior();
    let suspects = case.suspects();
    let is_suspect = |place: usize| suspects.contains(&place);
    let before = case.history.ancestors(case.bad);
    let given = |culprit: Option<usize>| {
        let (mut healthy, mut broken) = ((0, 0), (0, 0));
        for one in seen {
            let below = case.history.ancestors(one.place);
            let breaks = culprit.is_some_and(|culprit| below[culprit]);
            let fails = match () {
                // Suspects and revisions before them.
                () if is_suspect(one.place) || before[one.place] => one.fails,
                // Descendants of the failing revision say nothing.
                () if below[case.bad] => continue,
                // A branch without suspects says nothing either. Of other branches, only passes count.
                () if suspects.iter().all(|&suspect| !below[suspect]) => continue,
                () => 0,
            };
            let to = if breaks { &mut broken } else { &mut healthy };
            *to = (to.0 + one.passes, to.1 + fails);
        }
        likelihood.of(healthy, broken)
    };
    let each: Vec<f64> = suspects.iter().zip(&prior.each).map(|(&s, p)| p * given(Some(s))).collect();
    Prior { each, nobody: prior.nobody * given(None) }
}

/// The shares of the suspects that the thresholds of NextRuns divide. The rest belongs to "no culprit".
pub(crate) fn shares(case: &Case, posterior: &Prior, choose: CulpritStrategy) -> Prior {
    if choose == CulpritStrategy::Cdf {
        return posterior.clone();
    }
    let sums = sums(case, &posterior.each);
    // A pass is worth 1 and a fail 1 - f. With mass t after a suspect, it passes with probability (1 - f) t.
    let worth = |after: f64| {
        let passes = (1.0 - case.flake) * after;
        passes + (1.0 - case.flake) * (1.0 - passes)
    };
    let each: Vec<f64> = posterior.each.iter().zip(&sums).map(|(p, sum)| p * worth(1.0 - sum)).collect();
    let nobody = posterior.nobody * worth(0.0);
    let total = each.iter().sum::<f64>() + nobody;
    Prior { each: each.iter().map(|p| p / total).collect(), nobody: nobody / total }
}

/// The sum over each suspect and the suspects before it.
pub(crate) fn sums(case: &Case, each: &[f64]) -> Vec<f64> {
    let suspects = case.suspects();
    let sum = |&suspect: &usize| {
        let below = case.history.ancestors(suspect);
        suspects.iter().zip(each).filter(|&(&other, _)| below[other]).map(|(_, p)| p).sum()
    };
    suspects.iter().map(sum).collect()
}

/// NextRuns (FACF, Algorithm 2) with its tweak, as indices of suspects. `None` if rounding would decide.
pub(crate) fn next_runs(case: &Case, posterior: &Prior, shares: &Prior, k: usize) -> Option<Vec<usize>> {
    let likely = sums(case, &posterior.each);
    let sums = sums(case, &shares.each);
    // With false passes, suspects with less than the error of a confidence of 0.99 count as excluded.
    let ruled_out = if case.false_pass > 0.0 { 0.01 } else { 0.0 };
    // The sum over all parents of a suspect.
    let before = |place: usize| likely[place] - posterior.each[place];
    let is_close =
        |place: usize| (before(place) - ruled_out).abs() < CLOSE || (likely[place] - ruled_out).abs() < CLOSE;
    if ruled_out > 0.0 && (0..likely.len()).any(is_close) {
        return None;
    }
    let last = sums.len() - 1;
    let mut runs: Vec<usize> = Vec::new();
    for i in 1..=k {
        let threshold = i as f64 / (k + 1) as f64;
        if sums.iter().any(|sum| (sum - threshold).abs() < CLOSE) {
            return None;
        }
        // The oldest suspect with the lowest sum that reaches the threshold, and its parent with the highest sum.
        let reached = sums.iter().copied().filter(|&sum| sum >= threshold).fold(f64::INFINITY, f64::min);
        let first = sums.iter().position(|sum| (sum - reached).abs() < CLOSE);
        let (parent, left) = match first {
            Some(first) => (heaviest_parent(case, &sums, first)?, before(first)),
            None => (Some(last), likely[last]),
        };
        let parent = parent.filter(|place| !runs.contains(place) && likely[*place] > 0.0 && left > ruled_out);
        runs.push(parent.or(first).unwrap_or(last));
    }
    Some(runs)
}

/// The parent of a suspect with the highest sum, as an index. `None` if rounding would decide.
fn heaviest_parent(case: &Case, sums: &[f64], of: usize) -> Option<Option<usize>> {
    let suspects = case.suspects();
    let numbers =
        case.history.parents[suspects[of]].iter().filter_map(|parent| suspects.iter().position(|s| s == parent));
    let mut parents: Vec<usize> = numbers.collect();
    parents.sort_by(|&one, &other| sums[other].total_cmp(&sums[one]));
    match parents[..] {
        [one, other, ..] if (sums[one] - sums[other]).abs() < CLOSE => None,
        _ => Some(parents.first().copied()),
    }
}

/// The tolerance for rounding errors.
const CLOSE: f64 = 1e-10;

/// The entropy over all hypotheses, in bits.
pub(crate) fn entropy(of: &Prior) -> f64 {
    let term = |&p: &f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    of.each.iter().chain([&of.nobody]).map(term).sum()
}
