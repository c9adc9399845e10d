//! What a search for a slice promises: the paper's examples, and random histories against the definitions spelt out here.

use crate::random::seeded;
use firstbad::{ChangeSet, Outcome, Search as _, Slicer, SlicerConfig};
use proptest::prelude::*;

mod drive;
mod errors;
mod learning;
mod paper;
mod promises;
mod reports;
mod vectors;
mod world;

proptest! {
    #![proptest_config(seeded(400, 1))]

    #[test]
    fn every_slice_is_valid_and_one_minimal(seed in any::<u64>(), most in 1..=10usize) {
        promises::one_minimal(seed, most);
    }

    #[test]
    fn whatever_is_answered_it_ends(seed in any::<u64>(), most in 1..=12usize) {
        promises::ends(seed, most);
    }
}

proptest! {
    #![proptest_config(seeded(80, 2))]

    #[test]
    fn replays_and_snapshots_are_the_same_search(seed in any::<u64>(), most in 1..=14usize) {
        promises::replayed(seed, most);
    }

    #[test]
    fn what_is_asked_is_of_use(seed in any::<u64>(), most in 1..=14usize) {
        promises::proofs_want_what_they_ask(seed, most);
    }
}

#[test]
fn undone_answers_were_never_told() {
    let conflicts: usize = (0..150).map(|seed| promises::undone(seed, 12)).sum();
    assert!(conflicts > 100, "{conflicts} conflicts were taken back");
}

/// What a larger slice was shown to need is asked about last: else each change that can go after all costs a run for each of them.
#[test]
fn a_proof_that_found_something_goes_on_with_what_it_has_not_asked() {
    // After 40 that are needed eight layers of 12, of which each change can go once the one in its place in the layer before has gone.
    let (needed, layer, count) = (40, 12, 40 + 8 * 12);
    let holds = |kept: &ChangeSet| {
        (0..count).all(|change| {
            let uses = (change >= needed + layer).then(|| change - layer);
            kept.contains(change) || change >= needed && uses.is_none_or(|used| !kept.contains(used))
        })
    };
    let mut search = Slicer::new(count, SlicerConfig::default()).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let seen = if probe.changes().is_some_and(holds) { Outcome::Pass } else { Outcome::Fail };
        search.tell(probe.id, seen.into()).unwrap();
    }
    let report = search.report();
    assert_eq!(report.kept, (0..needed).collect::<Vec<_>>());
    // 1,283 where each proof begins with the newest.
    assert!(report.runs <= 541, "{}", report.runs);
}
