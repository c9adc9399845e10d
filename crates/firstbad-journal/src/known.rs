//! Outcomes that are known before a search starts. Resuming a search does not repeat them.

use firstbad::{Error, Event, Observation, Search, Target};
use hashbrown::HashMap;

/// Tells a search the known outcomes, except those that it already has.
///
/// # Errors
/// The errors of [`Search::observe`].
pub(crate) fn tell(search: &mut dyn Search, known: &[(Target, Observation)]) -> Result<(), Error> {
    // Events contain full ids, and callers may use branches. All names are resolved before any outcome is told.
    let known: Vec<(Target, &Observation)> = known
        .iter()
        .map(|(target, observation)| Ok((named(search, target)?, observation)))
        .collect::<Result<_, Error>>()?;
    let mut told: HashMap<Target, Vec<Observation>> = HashMap::new();
    if search.inspect().repeats() {
        for event in search.inspect().events(0) {
            if let Event::Observed { target, observation } = event {
                told.entry(target).or_default().push(observation);
            }
        }
    }
    let mut new = Vec::new();
    for (target, observation) in known {
        let before = told.get_mut(&target);
        // The search drops the results of unknown tests.
        let is_same = |other: &Observation| {
            other == observation || observation.clone().with_results(|id| other.results.contains_key(id)) == *other
        };
        let place = before.as_ref().and_then(|before| before.iter().position(is_same));
        match (before, place) {
            (Some(before), Some(place)) => {
                before.swap_remove(place);
            }
            _ => new.push(Event::Observed { target, observation: observation.clone() }),
        }
    }
    // One call updates the probabilities only once.
    search.apply_all(&mut new.iter())
}

fn named(search: &dyn Search, target: &Target) -> Result<Target, Error> {
    match (&target.revision, search.inspect().world()) {
        (Some(revision), firstbad::World::History(graph)) => {
            let id = graph.id(graph.resolve(revision, "known")?).to_owned();
            Ok(Target { revision: Some(id), ..target.clone() })
        }
        _ => Ok(target.clone()),
    }
}
