//! Outcomes that exist before a search begins, told once however often it is resumed.

use firstbad::{Error, Event, Observation, Search, Target};
use hashbrown::HashMap;

/// Tells a search what is known, but for what it was told already.
///
/// # Errors
/// Those of [`Search::observe`].
pub(crate) fn tell(search: &mut dyn Search, known: &[(Target, Observation)]) -> Result<(), Error> {
    // Events name revisions by their ids, and callers perhaps by a branch. All of them are looked up before any is told.
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
        let place = before.as_ref().and_then(|before| before.iter().position(|other| other == observation));
        match (before, place) {
            (Some(before), Some(place)) => {
                before.swap_remove(place);
            }
            _ => new.push(Event::Observed { target, observation: observation.clone() }),
        }
    }
    // Together: a belief is weighed once.
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
