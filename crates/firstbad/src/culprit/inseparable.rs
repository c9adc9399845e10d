//! Hypotheses that no test can tell apart, because what lies between them cannot be tested.

use std::collections::BTreeMap;

use super::belief::Belief;
use super::untestable::Untestable;

/// Suspects that every testable revision treats alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inseparable {
    /// Places, ascending.
    pub(crate) places: Vec<usize>,
    /// Whether "no culprit" is one of them: nothing that it would break can be tested.
    pub(crate) nobody: bool,
    /// Their posterior probability, all together.
    pub(crate) mass: f64,
}

/// The set that has reached the confidence; `None` if there is none. Each holds a suspect that is not tested (any
/// more), and is one of two hypotheses or more.
pub(crate) fn inseparable(belief: &Belief, confidence: f64) -> Option<Inseparable> {
    let untestable = Untestable::new(belief);
    if untestable.is_empty() {
        return None;
    }
    // With them goes at most one that can be tested, or nobody.
    let most: f64 = untestable.newest_first().map(|place| belief.posterior_at(place)).sum();
    if most + belief.best().1.max(belief.none().mass) < confidence {
        return None;
    }
    sets(belief, &untestable).into_iter().find(|set| set.mass >= confidence)
}

/// The sets of two or more.
///
/// An untestable suspect shows only where a testable revision comes from it. Two are alike if the first such revisions
/// above them are the same; and if there is only one, it is alike to that revision itself.
fn sets(belief: &Belief, untestable: &Untestable<'_>) -> Vec<Inseparable> {
    let suspects = &belief.suspects;
    let graph = &suspects.graph;
    // From the newest to the oldest, so that what is above is known.
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
        // One that comes from another shows nothing more.
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
