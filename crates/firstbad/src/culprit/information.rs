//! The test that is expected to tell most about the culprit (DESIGN, "FACF, the choice").

use super::askable::{Askable, Costs};
use super::belief::{Belief, Partition};
use super::cumulated::Cumulated;
use crate::belief::entropy;

/// What one more run anywhere would tell about the culprit.
///
/// With `F` the suspects that break the revision, the run fails with probability `q = sum over hypotheses of what
/// each predicts`, and tells `H(q)` less the entropy that is left once the hypothesis is known. Both are sums over `F`;
/// with known rates they are in proportion to its probability.
pub(crate) struct Outlook<'a> {
    belief: &'a Belief,
    /// The chance of a failure at a revision that nobody breaks, and what breaking adds to it.
    base: f64,
    added: Cumulated<'a>,
    /// The same for the entropy left; with known rates it follows from `added`.
    noise: f64,
    more_noise: Noise<'a>,
}

enum Noise<'a> {
    InProportion(f64),
    Apart(Cumulated<'a>),
}

impl<'a> Outlook<'a> {
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
        Outlook { belief, base, added, noise, more_noise }
    }

    /// How likely a run at a suspect fails.
    pub(crate) fn fail_chance(&self, place: usize) -> f64 {
        self.base + self.added.at(place)
    }

    /// What a run at a suspect tells about the culprit, in bits.
    pub(crate) fn information(&self, place: usize) -> f64 {
        let added = self.added.at(place);
        let more = match &self.more_noise {
            Noise::InProportion(ratio) => added * ratio,
            Noise::Apart(more) => more.at(place),
        };
        self.bits(added, more)
    }

    /// What a run at a revision that is healthy for sure tells, by way of the flake rate.
    pub(crate) fn information_at_good(&self) -> f64 {
        self.bits(0.0, 0.0)
    }

    fn bits(&self, added: f64, more_noise: f64) -> f64 {
        (entropy((self.base + added).clamp(0.0, 1.0)) - self.noise - more_noise).max(0.0)
    }

    /// The suspect whose test tells most per cost, with the information in bits per cost.
    pub(crate) fn best(&self, costs: &Costs) -> Option<(usize, f64)> {
        Askable::new(self.belief, costs).best(self.wishes().into_iter(), |place| self.information(place))
    }

    /// On a line: where the information is highest. With known rates it depends on the cumulated posterior alone; else
    /// each stretch between tested revisions has an optimum of its own.
    fn wishes(&self) -> Vec<usize> {
        let Partition::Line(ends) = self.belief.partition() else { return Vec::new() };
        let mut wishes = Vec::with_capacity(2 * ends.len());
        let mut wish = |place: Option<usize>| wishes.extend(place);
        match &self.more_noise {
            Noise::InProportion(ratio) => {
                let around = self.added.around(best_chance(*ratio) - self.base, |_, added| added);
                wish(around.below);
                wish(around.above);
            }
            Noise::Apart(more) => {
                let mut from = 0;
                for (class, &end) in ends.iter().enumerate() {
                    if end > from && self.belief.classes()[class].mass > 0.0 {
                        let (first, last) = (self.added.within(class, from), self.added.within(class, end - 1));
                        let slope = last - first;
                        let ratio = (more.within(class, end - 1) - more.within(class, from)) / slope;
                        let target = best_chance(ratio) - self.base;
                        // The sum is in proportion to the prior within a class: look there.
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

/// The chance of a failure at which `H(q)` less `ratio` times `q` is highest.
fn best_chance(ratio: f64) -> f64 {
    1.0 / (1.0 + ratio.exp2())
}
