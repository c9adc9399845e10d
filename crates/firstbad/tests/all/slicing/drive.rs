//! Drives a search with an oracle and several probes in flight.

use std::collections::HashSet;

use firstbad::{ChangeSet, Observation, Outcome, Search, Slicer, SlicerConfig};
use firstbad_testkit::simulated::Random;

/// A finished search.
pub(crate) struct Driven {
    pub(crate) search: Slicer,
    /// The tested sets with their observations, in the order told.
    pub(crate) told: Vec<(ChangeSet, Observation)>,
}

impl Driven {
    /// Returns the number of outcomes that took a run.
    pub(crate) fn runs(&self) -> usize {
        self.told.iter().filter(|(_, observation)| observation.ran).count()
    }
}

/// Runs a search with up to `k` probes in flight and outcomes in any order. Checks that the current slice always was
/// observed to hold.
pub(crate) fn driven(
    count: usize,
    config: SlicerConfig,
    k: usize,
    random: &mut Random,
    oracle: &mut dyn FnMut(&ChangeSet) -> Observation,
) -> Driven {
    let keep = config.keep;
    let mut search = Slicer::new(count, config).expect("a configuration that can be meant");
    let mut flying = Vec::new();
    let mut told: Vec<(ChangeSet, Observation)> = Vec::new();
    let mut asked = HashSet::new();
    while !search.is_done() {
        for probe in search.ask(1 + random.below(k as u64) as usize).expect("k is no 0") {
            assert!(asked.insert(probe.target.clone()), "{} twice", probe.target);
            flying.push(probe);
        }
        assert!(!flying.is_empty(), "stuck: {:?}", search.report());
        let probe = flying.swap_remove(random.below(flying.len() as u64) as usize);
        let set = probe.changes().expect("a set of changes").clone();
        let observation = oracle(&set);
        search.tell(probe.id, observation.clone()).expect("an answer to what was asked");
        told.push((set, observation));
        is_valid(&search, keep, &told);
    }
    Driven { search, told }
}

/// Checks that the current slice was observed to hold, if all changes together hold.
fn is_valid(search: &Slicer, keep: Outcome, told: &[(ChangeSet, Observation)]) {
    let report = search.report();
    let full = ChangeSet::all(report.of);
    if told.iter().any(|(set, seen)| *set == full && seen.outcome == keep) {
        let kept: ChangeSet = report.kept.iter().copied().collect();
        let held = told.iter().any(|(set, seen)| *set == kept && seen.outcome == keep);
        assert!(held, "{kept} was not seen to hold");
    }
}
