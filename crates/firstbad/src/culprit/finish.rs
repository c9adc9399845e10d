//! The probability that a run ends the search.

use super::belief::{Belief, Partition};

/// For each suspect, the most probable hypothesis among those that break it and among the rest.
pub(crate) struct Finish<'a> {
    belief: &'a Belief,
    confidence: f64,
    flake: f64,
    false_pass: f64,
    shape: Shape,
}

enum Shape {
    /// The highest probability of a suspect in the classes before each class, and in the classes after it.
    Line { before: Vec<f64>, after: Vec<f64> },
    Dag {
        /// The highest probability of a suspect that breaks each place.
        inside: Vec<f64>,
        /// The most probable suspects, and the places that they break.
        top: Vec<(f64, fixedbitset::FixedBitSet)>,
    },
}

/// The number of most probable suspects that are tracked on a DAG. Each run is assumed to split off all others.
const FOLLOWED: usize = 4;

impl<'a> Finish<'a> {
    /// Returns `None` if a rate is unknown, because the effect of a run then also depends on the rate.
    pub(crate) fn new(belief: &'a Belief, confidence: f64) -> Option<Self> {
        let (flake, false_pass) = belief.rates().known()?;
        let shape = match belief.partition() {
            Partition::Line(ends) => {
                let mut most = Vec::with_capacity(ends.len());
                let mut from = 0;
                for (class, &end) in belief.classes().iter().zip(ends) {
                    let heaviest = || belief.suspects.prior_at(belief.suspects.heaviest(from, end));
                    most.push(if end > from && class.mass > 0.0 { class.scale * heaviest() } else { 0.0 });
                    from = end;
                }
                let running = |values: &mut dyn Iterator<Item = f64>| {
                    let mut highest = 0.0f64;
                    let before = |value: f64| {
                        let so_far = highest;
                        highest = highest.max(value);
                        so_far
                    };
                    values.map(before).collect::<Vec<f64>>()
                };
                let before = running(&mut most.iter().copied());
                let mut after = running(&mut most.iter().rev().copied());
                after.reverse();
                Shape::Line { before, after }
            }
            Partition::Dag(class_of) => {
                let suspects = &belief.suspects;
                let graph = &suspects.graph;
                let mut inside: Vec<f64> = Vec::with_capacity(class_of.len());
                for place in 0..class_of.len() {
                    let parents =
                        graph.parents(suspects.node(place)).iter().filter_map(|&parent| suspects.place(parent));
                    let above = parents.map(|parent| inside[parent]).fold(0.0, f64::max);
                    inside.push(belief.posterior_at(place).max(above));
                }
                let mut top: Vec<(f64, usize)> = Vec::with_capacity(FOLLOWED + 1);
                for place in 0..class_of.len() {
                    let probability = belief.posterior_at(place);
                    if top.len() < FOLLOWED || top.last().is_some_and(|last| probability > last.0) {
                        top.insert(top.partition_point(|other| other.0 >= probability), (probability, place));
                        top.truncate(FOLLOWED);
                    }
                }
                let top = top.into_iter().map(|(p, place)| (p, graph.descendants(&[suspects.node(place)]))).collect();
                Shape::Dag { inside, top }
            }
        };
        Some(Finish { belief, confidence, flake, false_pass, shape })
    }

    /// The probability that one run of a place lets a hypothesis reach the confidence. The place is broken with probability
    /// `broken`.
    pub(crate) fn chance(&self, place: usize, broken: f64) -> f64 {
        let (inside, outside) = self.most(place);
        let fails = self.flake + broken * (1.0 - self.false_pass - self.flake);
        let after_fail = (inside * (1.0 - self.false_pass)).max(outside * self.flake);
        let after_pass = (inside * self.false_pass).max(outside * (1.0 - self.flake));
        let reached = |most: f64, chance: f64| if most >= self.confidence * chance { chance } else { 0.0 };
        reached(after_fail, fails) + reached(after_pass, 1.0 - fails)
    }

    fn most(&self, place: usize) -> (f64, f64) {
        let none = self.belief.none().mass;
        match (&self.shape, self.belief.partition()) {
            (Shape::Line { before, after }, Partition::Line(ends)) => {
                let class = self.belief.partition().class(place);
                let start = if class == 0 { 0 } else { ends[class - 1] };
                let suspects = &self.belief.suspects;
                let scale = self.belief.classes()[class].scale;
                let own = |from: usize, to: usize| {
                    if to > from { scale * suspects.prior_at(suspects.heaviest(from, to)) } else { 0.0 }
                };
                let inside = before[class].max(own(start, place + 1));
                (inside, after[class].max(own(place + 1, ends[class])).max(none))
            }
            (Shape::Dag { inside, top }, _) => {
                let node = self.belief.suspects.node(place) as usize;
                let outside = top.iter().find(|(_, breaks)| !breaks.contains(node)).map_or(0.0, |top| top.0);
                (inside[place], outside.max(none))
            }
            (Shape::Line { .. }, Partition::Dag(_)) => (0.0, none),
        }
    }
}
