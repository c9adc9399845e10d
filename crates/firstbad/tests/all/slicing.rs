//! Promises of slicing: the paper's examples, and random histories compared with plain definitions.

use crate::random::seeded;
use firstbad::{ChangeSet, Outcome, Search as _, Slicer, SlicerConfig};
use proptest::prelude::*;

mod alike;
mod drive;
mod errors;
mod learning;
mod paper;
mod pick;
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
    fn given_changes_are_in_every_set(seed in any::<u64>(), most in 1..=14usize) {
        promises::picked(seed, most);
    }

    #[test]
    fn every_slicing_search_ends(seed in any::<u64>(), most in 1..=12usize) {
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
    fn every_test_in_flight_is_wanted(seed in any::<u64>(), most in 1..=14usize) {
        promises::proofs_want_what_they_ask(seed, most);
    }
}

#[test]
fn undone_outcomes_of_slices_leave_no_trace() {
    let conflicts: usize = (0..150).map(|seed| promises::undone(seed, 12)).sum();
    assert!(conflicts > 100, "{conflicts} conflicts were taken back");
}

/// Changes that a larger slice needed are tested last. Otherwise, each removal would repeat the runs for all of them.
#[test]
fn a_proof_continues_with_untested_changes_after_a_removal() {
    // The first 40 changes are needed. Eight layers of 12 follow, each change of which is removable once its counterpart in
    // the previous layer is gone.
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
    // It would be 1,283 if each proof started with the newest change.
    assert!(report.runs <= 541, "{}", report.runs);
}
