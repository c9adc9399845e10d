//! What a search for a slice promises: the paper's examples, and random histories against the definitions spelt out here.

#![allow(clippy::expect_used, reason = "a test may fail")]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[path = "slicing/drive.rs"]
mod drive;
#[path = "slicing/errors.rs"]
mod errors;
#[path = "slicing/learning.rs"]
mod learning;
#[path = "slicing/paper.rs"]
mod paper;
#[path = "slicing/promises.rs"]
mod promises;
#[path = "slicing/reports.rs"]
mod reports;
#[path = "slicing/vectors.rs"]
mod vectors;
#[path = "slicing/world.rs"]
mod world;

fn numbered(cases: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(numbered(400, 1))]

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
    #![proptest_config(numbered(80, 2))]

    #[test]
    fn replays_and_snapshots_are_the_same_search(seed in any::<u64>(), most in 1..=14usize) {
        promises::replayed(seed, most);
    }
}
