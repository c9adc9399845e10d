//! Cumulative sums over the ancestors of each suspect.

use super::belief::{Belief, Class, Partition};
use super::suspects::Suspects;
use crate::graph::AncestorSums;

/// For each suspect, the sum of a quantity over it and its ancestors among the suspects.
///
/// Within a class, the quantity is proportional to the prior. On a line, this takes O(tested revisions), and a lookup O(log n).
/// On a DAG, it takes one pass over all ancestors.
pub(crate) enum Cumulated<'a> {
    Line {
        belief: &'a Belief,
        ends: &'a [usize],
        /// Per class, the sum before it and the quantity per unit of prior.
        before: Vec<f64>,
        scales: Vec<f64>,
    },
    Dag {
        suspects: &'a Suspects,
        sums: Vec<f64>,
    },
}

/// The suspects next to a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Around {
    /// The suspect before `above`. On a DAG, its parent with the highest sum. Ties go to the newest.
    pub(crate) below: Option<usize>,
    /// The suspect with the lowest sum that reaches the threshold. Ties go to the oldest.
    pub(crate) above: Option<usize>,
}

impl<'a> Cumulated<'a> {
    /// Sums a quantity that is given per unit of prior.
    pub(crate) fn new(belief: &'a Belief, quantity: impl Fn(&Class) -> f64) -> Self {
        let scales: Vec<f64> = belief.classes().iter().map(quantity).collect();
        Self::of_scales(belief, scales)
    }

    pub(crate) fn of_scales(belief: &'a Belief, scales: Vec<f64>) -> Self {
        match belief.partition() {
            Partition::Line(ends) => {
                let mut sum = 0.0;
                let mut from = 0;
                let mut before = Vec::with_capacity(ends.len());
                for (&end, scale) in ends.iter().zip(&scales) {
                    before.push(sum);
                    sum += scale * belief.suspects.prior_between(from, end);
                    from = end;
                }
                Cumulated::Line { belief, ends, before, scales }
            }
            Partition::Dag(class_of) => {
                let weight = |place: usize| scales[class_of[place] as usize] * belief.suspects.prior_at(place);
                Self::weighing(belief, (0..belief.suspects.len()).map(weight).collect())
            }
        }
    }

    /// Sums weights of suspects on a DAG.
    pub(crate) fn weighing(belief: &'a Belief, weights: Vec<f64>) -> Self {
        let suspects = &*belief.suspects;
        // A suspect without mass needs no sum if its ancestors have none either. Leave both out.
        let mut alive = suspects.graph.none();
        let mut places = Vec::new();
        for place in 0..weights.len() {
            let node = suspects.node(place);
            let comes_after = || suspects.graph.parents(node).iter().any(|&parent| alive.contains(parent as usize));
            if belief.class_at(place).mass > 0.0 || comes_after() {
                alive.insert(node as usize);
                places.push(place);
            }
        }
        let of_alive: Vec<f64> = places.iter().map(|&place| weights[place]).collect();
        let mut sums = vec![0.0; weights.len()];
        let weighed = AncestorSums::new(&suspects.graph, &alive, &of_alive);
        for (&place, (_, sum)) in places.iter().zip(weighed.iter()) {
            sums[place] = sum;
        }
        Cumulated::Dag { suspects, sums }
    }

    pub(crate) fn at(&self, place: usize) -> f64 {
        match self {
            Cumulated::Line { ends, .. } => self.within(ends.partition_point(|&end| end <= place), place),
            Cumulated::Dag { sums, .. } => sums[place],
        }
    }

    /// Like [`Cumulated::at`], for a place whose class is known.
    pub(crate) fn within(&self, class: usize, place: usize) -> f64 {
        match self {
            Cumulated::Line { belief, ends, before, scales } => {
                let start = if class == 0 { 0 } else { ends[class - 1] };
                let suspects = &belief.suspects;
                before[class] + scales[class] * suspects.prior_between(start, place + 1)
            }
            Cumulated::Dag { sums, .. } => sums[place],
        }
    }

    /// The suspects next to a threshold on `value`, which must not decrease as sums grow.
    pub(crate) fn around(&self, threshold: f64, value: impl Fn(usize, f64) -> f64) -> Around {
        match self {
            Cumulated::Line { belief, ends, .. } => {
                // Find the class that reaches the threshold, then the place in the class.
                let falls_short = |place: usize| value(place, self.at(place)) < threshold;
                let reached = ends.iter().position(|&end| end > 0 && !falls_short(end - 1));
                let above = reached.map(|class| {
                    let (mut low, mut high) = (if class == 0 { 0 } else { ends[class - 1] }, ends[class] - 1);
                    while low < high {
                        let middle = low + (high - low) / 2;
                        if value(middle, self.within(class, middle)) < threshold {
                            low = middle + 1
                        } else {
                            high = middle
                        }
                    }
                    low
                });
                let below = match above {
                    Some(place) => place.checked_sub(1),
                    None => Some(belief.suspects.last()),
                };
                Around { below, above }
            }
            Cumulated::Dag { suspects, sums } => {
                let mut above: Option<(usize, f64)> = None;
                for (place, &sum) in sums.iter().enumerate() {
                    let value = value(place, sum);
                    if value >= threshold && above.is_none_or(|(_, best)| value < best) {
                        above = Some((place, value));
                    }
                }
                let parents = |place: usize| suspects.graph.parents(suspects.node(place)).iter();
                let below = match above {
                    Some((place, _)) => parents(place)
                        .filter_map(|&parent| suspects.place(parent))
                        .max_by(|&one, &other| sums[one].total_cmp(&sums[other]).then(one.cmp(&other))),
                    None => Some(suspects.last()),
                };
                Around { below, above: above.map(|found| found.0) }
            }
        }
    }
}
