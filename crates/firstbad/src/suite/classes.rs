//! Open tests, and classes of open tests with equal gains.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;

use super::belief::Belief;
use super::evidence::Pasts;
use crate::belief::entropy;
use crate::graph::Node;
use crate::graph::Past;

/// A belief and the probes in flight, which determine gains.
type Split<'a> = (*const Belief, &'a [Node]);

/// The number of probes in flight of one test.
pub(super) const MOST_SPLITS: usize = 4;

/// Smaller gains count as none.
const NOTHING: f64 = 1e-6;

/// An open test.
pub(super) struct Open {
    pub(super) test: usize,
    pub(super) belief: Arc<Belief>,
    /// The group of its signature, or `None` without one.
    pub(super) group: Option<u32>,
    /// The runs without which it cannot be decided.
    pub(super) due: Vec<Node>,
    /// Its probes in flight.
    pub(super) flying: Vec<Node>,
}

/// Tests with the same gains and the same weight.
pub(super) struct Class<'a> {
    weight: f64,
    gains: Rc<Cow<'a, [f64]>>,
    /// The highest gain without regard to probes in flight.
    pub(super) best: f64,
    pub(super) tests: Vec<usize>,
}

impl Class<'_> {
    /// Returns w_t G_t(v) for the revision of a column, or `None` if it is nothing.
    pub(super) fn at(&self, column: Option<usize>) -> Option<(f64, &Self)> {
        let gain = self.weight * self.gains[column?];
        (gain > NOTHING).then_some((gain, self))
    }

    /// Returns the sum of w_t G_t(v) over its tests, for the revision of a column.
    pub(super) fn all_at(&self, column: Option<usize>) -> f64 {
        column.map_or(0.0, |column| self.weight * self.gains[column] * self.tests.len() as f64)
    }
}

/// Returns the tests with a missing run by its revision, and the classes of all others.
pub(super) fn classes<'a>(
    (past, pasts): (&Past, &Pasts),
    open: &'a [Open],
    weights: &[f64],
) -> (BTreeMap<Node, Vec<usize>>, Vec<Class<'a>>) {
    let mut due: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    let mut gains: HashMap<Split<'_>, Rc<Cow<'a, [f64]>>> = HashMap::new();
    let mut places: HashMap<(Split<'_>, u64), usize> = HashMap::new();
    let mut classes: Vec<Class<'a>> = Vec::new();
    for (one, &weight) in open.iter().zip(weights) {
        if !one.due.is_empty() {
            let missing = one.due.iter().filter(|node| !one.flying.contains(node));
            missing.for_each(|&node| due.entry(node).or_default().push(one.test));
            continue;
        }
        let split: Split<'_> = (Arc::as_ptr(&one.belief), &one.flying);
        let place = *places.entry((split, weight.to_bits())).or_insert_with(|| {
            let gains = gains.entry(split).or_insert_with(|| {
                Rc::new(match split.1 {
                    [] => Cow::Borrowed(&one.belief.gains(past).at[..]),
                    flying => Cow::Owned(gains_in_flight(&one.belief, past, pasts, flying)),
                })
            });
            let best = one.belief.gains(past).best;
            classes.push(Class { weight, gains: Rc::clone(gains), best, tests: Vec::new() });
            classes.len() - 1
        });
        classes[place].tests.push(one.test);
    }
    (due, classes)
}

/// Returns the gains of a test with probes in flight: of v given their splits.
fn gains_in_flight(belief: &Belief, past: &Past, pasts: &Pasts, flying: &[Node]) -> Vec<f64> {
    const PARTS: usize = 1 << (MOST_SPLITS - 1);
    let mut gains = belief.gains(past).at.clone();
    if flying.len() >= MOST_SPLITS {
        gains.fill(0.0);
        return gains;
    }
    let part = |place: usize| flying.iter().fold(0, |part, &node| 2 * part + usize::from(pasts.holds(node, place)));
    let split = |(place, &share): (usize, &f64)| {
        let part = part(place);
        std::array::from_fn(|lane| if lane == part { share } else { 0.0 })
    };
    let weights: Vec<[f64; PARTS]> = belief.culprit.iter().enumerate().map(split).collect();
    let whole = weights.iter().fold([0.0; PARTS], |sum, one| std::array::from_fn(|lane| sum[lane] + one[lane]));
    for (gain, inside) in gains.iter_mut().zip(past.sums(&weights)) {
        let parts = inside.iter().zip(&whole).filter(|(_, whole)| **whole > 1e-9);
        *gain = gain.min(parts.map(|(inside, whole)| whole * entropy((inside / whole).clamp(0.0, 1.0))).sum());
    }
    gains[past.len()] = 0.0;
    flying.iter().filter_map(|&node| past.place(node)).for_each(|place| gains[place] = 0.0);
    gains
}
