//! Suspects that differ only at revisions that cannot be run.

use std::collections::BTreeMap;

use super::belief::Belief;
use super::untestable::Untestable;

/// Suspects that no run can tell apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inseparable {
    /// The places of the suspects, ascending.
    pub(crate) places: Vec<usize>,
    /// Whether the set includes "no culprit", because no revision that the suspects break can be run.
    pub(crate) nobody: bool,
    /// The posterior probability of the set.
    pub(crate) mass: f64,
}

/// Returns the set that has reached the confidence, if any.
pub(crate) fn inseparable(belief: &Belief, confidence: f64) -> Option<Inseparable> {
    let untestable = Untestable::new(belief);
    if untestable.is_empty() {
        return None;
    }
    // A set has at most one member that can be run, or "no culprit".
    let most: f64 = untestable.newest_first().map(|place| belief.posterior_at(place)).sum();
    if most + belief.best().1.max(belief.none().mass) < confidence {
        return None;
    }
    sets(belief, &untestable).into_iter().find(|set| set.mass >= confidence)
}

/// The sets of at least two hypotheses.
///
/// A suspect that cannot be run shows only at its first descendants that can be run. Suspects with the same such descendants are
/// inseparable. If there is only one, it belongs to the same set.
fn sets(belief: &Belief, untestable: &Untestable<'_>) -> Vec<Inseparable> {
    let suspects = &belief.suspects;
    let graph = &suspects.graph;
    // From the newest to the oldest, so that descendants are known.
    let mut above: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for place in untestable.newest_first() {
        let mut first: Vec<usize> = Vec::new();
        for &child in graph.children(suspects.node(place)) {
            let Some(child) = suspects.place(child) else { continue };
            match above.get(&child) {
                Some(further) => first.extend(further),
                None => first.push(child),
            }
        }
        first.sort_unstable();
        first.dedup();
        // A descendant of another first descendant shows nothing more.
        let is_later = |place: usize, first: &[usize]| {
            first.iter().any(|&other| other < place && graph.is_ancestor(suspects.node(other), suspects.node(place)))
        };
        let is_first = |&place: &usize| first.len() == 1 || !is_later(place, &first);
        let kept: Vec<usize> = first.iter().copied().filter(is_first).collect();
        above.insert(place, kept);
    }
    let mut sets: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (place, first) in above {
        sets.entry(first).or_default().push(place);
    }
    let made = sets.into_iter().map(|(first, mut places)| {
        places.extend(Some(&first).filter(|first| first.len() == 1).map(|first| first[0]));
        places.sort_unstable();
        let nobody = first.is_empty();
        let mass = places.iter().map(|&place| belief.posterior_at(place)).sum::<f64>();
        Inseparable { places, nobody, mass: mass + if nobody { belief.none().mass } else { 0.0 } }
    });
    made.filter(|set| set.places.len() + usize::from(set.nobody) > 1).collect()
}
