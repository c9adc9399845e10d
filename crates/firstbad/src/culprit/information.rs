//! The run with the highest expected information about the culprit: the mutual information of its outcome and the culprit.

use super::belief::{Belief, Class, Partition};
use super::costs::Costs;
use super::cumulated::Cumulated;
use super::finish::Finish;
use super::suspects::Reach;
use super::testable::Testable;
use crate::belief::entropy;

/// The expected information of one more run of each suspect.
///
/// A run fails with probability `q`, the sum over the hypotheses of the failures that they predict. Its information is `H(q)`
/// minus the entropy that remains when the hypothesis is known. Both are sums over the suspects that break the revision. With
/// known rates, the sums are proportional to the probability of these suspects.
pub(crate) struct ExpectedInformation<'a> {
    belief: &'a Belief,
    /// The probability of a failure at a healthy revision, and what a broken revision adds to it.
    base: f64,
    added: Cumulated<'a>,
    /// The added probability of a failure per probability of being broken. Only with known rates.
    per_broken: f64,
    /// The remaining entropy in the same form. With known rates, it follows from `added`.
    noise: f64,
    more_noise: Noise<'a>,
}

enum Noise<'a> {
    InProportion(f64),
    Apart(Cumulated<'a>),
}

impl<'a> ExpectedInformation<'a> {
    pub(crate) fn new(belief: &'a Belief) -> Self {
        let added = Cumulated::new(belief, |class| class.scale * (1.0 - class.false_pass - class.flake));
        let base = belief.mean(|class| class.flake);
        let noise = belief.mean(|class| entropy(class.flake));
        let more_noise = match belief.rates().known() {
            Some((flake, false_pass)) => {
                let more = entropy(false_pass) - entropy(flake);
                Noise::InProportion(more / (1.0 - false_pass - flake))
            }
            None => Noise::Apart(Cumulated::new(belief, |class| {
                class.scale * (entropy(class.false_pass) - entropy(class.flake))
            })),
        };
        let per_broken = belief.rates().known().map_or(1.0, |(flake, false_pass)| 1.0 - flake - false_pass);
        ExpectedInformation { belief, base, added, per_broken, noise, more_noise }
    }

    /// The information of a run of a suspect about the culprit, in bits.
    pub(crate) fn information(&self, place: usize) -> f64 {
        let added = self.added.at(place);
        let more = match &self.more_noise {
            Noise::InProportion(ratio) => added * ratio,
            Noise::Apart(more) => more.at(place),
        };
        self.bits(added, more)
    }

    fn bits(&self, added: f64, more_noise: f64) -> f64 {
        bits(self.base + added, self.noise + more_noise)
    }

    /// The suspect with the most information per cost.
    pub(crate) fn best(&self, costs: &Costs) -> Option<usize> {
        let testable = Testable::new(self.belief, costs);
        testable.best(&self.wishes(&[0.0]), |place| self.information(place))
    }

    /// The suspect whose run brings the end nearest, per cost.
    ///
    /// The value of a run is its information in runs at full capacity, plus a share for the chance that it ends the search.
    /// Information alone misses that a pass of the bad revision can end the search.
    pub(crate) fn best_with_end_in_sight(&self, costs: &Costs, confidence: f64) -> Option<usize> {
        let Some(finish) = Finish::new(self.belief, confidence) else { return self.best(costs) };
        let capacity = self.capacity();
        let value = |place: usize| {
            let broken = self.added.at(place) / self.per_broken;
            self.information(place) / capacity + END * finish.chance(place, broken)
        };
        let mut wishes = self.wishes(&[0.0, -NEARBY, NEARBY]);
        wishes.push(self.belief.suspects.last());
        Testable::new(self.belief, costs).best(&wishes, value)
    }

    /// The maximum information of one run at the likely rates, in bits.
    pub(crate) fn capacity(&self) -> f64 {
        capacity(self.base, self.belief.mean(|class| class.false_pass))
    }

    /// On a line, the places with the highest information. With known rates, information depends only on the cumulative
    /// posterior, and each value in `offs` adds the places at that distance. With unknown rates, each range between tested
    /// revisions has its own optimum.
    fn wishes(&self, offs: &[f64]) -> Vec<usize> {
        let Partition::Line(ends) = self.belief.partition() else { return Vec::new() };
        let mut wishes = Vec::with_capacity(2 * ends.len());
        let mut wish = |place: Option<usize>| wishes.extend(place);
        match &self.more_noise {
            Noise::InProportion(ratio) => {
                let target = best_chance(*ratio) - self.base;
                for off in offs {
                    let around = self.added.around(target + off * self.per_broken, |_, added| added);
                    wish(around.above);
                    wish(around.below);
                }
            }
            Noise::Apart(more) => {
                let mut from = 0;
                for (class, &end) in ends.iter().enumerate() {
                    if end > from && self.belief.classes()[class].mass > 0.0 {
                        let (first, last) = (self.added.within(class, from), self.added.within(class, end - 1));
                        let slope = last - first;
                        let ratio = (more.within(class, end - 1) - more.within(class, from)) / slope;
                        let target = best_chance(ratio) - self.base;
                        // Within a class, the sum is proportional to the prior, so bisect.
                        let (mut low, mut high) = (from, end - 1);
                        while low < high && slope > 0.0 {
                            let middle = low + (high - low) / 2;
                            if self.added.within(class, middle) < target { low = middle + 1 } else { high = middle }
                        }
                        wish(Some(low));
                        wish(low.checked_sub(1).filter(|&place| place >= from));
                    }
                    from = end;
                }
            }
        }
        wishes
    }
}

/// The maximum information of one run of a test with these rates, in bits.
pub(crate) fn capacity(flake: f64, false_pass: f64) -> f64 {
    let noise = entropy(flake);
    let ratio = (entropy(false_pass) - noise) / (1.0 - false_pass - flake);
    let chance = best_chance(ratio);
    (entropy(chance) - noise - (chance - flake) * ratio).max(f64::MIN_POSITIVE)
}

/// A run with less information than this many bits is useless.
const USELESS: f64 = 1e-9;

/// Whether one more run of a suspect gives information.
pub(crate) fn is_useful(belief: &Belief, place: usize) -> bool {
    belief.may_be_run(place) && run_at(belief, place).1 > USELESS
}

/// For a single run, the probability of a failure and the information in bits. On a DAG, this is cheaper than
/// [`ExpectedInformation`], which weighs the ancestors of all suspects.
pub(crate) fn run_at(belief: &Belief, place: usize) -> (f64, f64) {
    let (mut chance, mut noise) = (belief.mean(|class| class.flake), belief.mean(|class| entropy(class.flake)));
    let mut breaks = |class: &Class, prior: f64| {
        let mass = class.scale * prior;
        chance += mass * (1.0 - class.false_pass - class.flake);
        noise += mass * (entropy(class.false_pass) - entropy(class.flake));
    };
    match (belief.suspects.reach(belief.suspects.node(place)), belief.partition()) {
        (Reach::First(count), Partition::Line(ends)) => {
            let mut from = 0;
            for (class, &end) in belief.classes().iter().zip(ends) {
                if from < count {
                    breaks(class, belief.suspects.prior_between(from, end.min(count)));
                }
                from = end;
            }
        }
        (Reach::Places(places), Partition::Dag(_)) => {
            places.ones().for_each(|place| breaks(belief.class_at(place), belief.suspects.prior_at(place)));
        }
        _ => {}
    }
    (chance, bits(chance, noise))
}

/// The information that a run of a healthy revision gives through the flake rate.
pub(crate) fn information_at_good(belief: &Belief) -> f64 {
    bits(belief.mean(|class| class.flake), belief.mean(|class| entropy(class.flake)))
}

/// The entropy of an outcome with this probability of failure, minus the entropy that remains when the culprit is known.
fn bits(chance: f64, noise: f64) -> f64 {
    (entropy(chance.clamp(0.0, 1.0)) - noise).max(0.0)
}

/// The value of ending the search, in runs. Tuned on exact optima for up to 32 suspects. Values from 0.1 to 0.3 perform alike.
const END: f64 = 0.3;

/// The distance from the most informative place at which other places are tried, in probability.
const NEARBY: f64 = 0.1;

/// The probability of a failure at which `H(q) - ratio * q` is highest.
fn best_chance(ratio: f64) -> f64 {
    1.0 / (1.0 + ratio.exp2())
}
