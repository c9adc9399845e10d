//! Promises of patches, compared with real Git.

// The programs and the file names are those of Unix systems.
#![cfg(unix)]

use crate::random::seeded;
use proptest::prelude::*;

mod errors;
mod formats;
mod properties;
mod random;
mod sandbox;
mod series;

use sandbox::Sandbox;

/// Returns the number of cases. The variable `PATCH_CASES` sets it for a long run.
fn cases() -> u32 {
    std::env::var("PATCH_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(30)
}

proptest! {
    #![proptest_config(seeded(cases(), 5))]

    #[test]
    fn every_subset_is_accepted_by_git(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::every_subset_is_accepted_by_git(sandbox, seed));
    }

    #[test]
    fn other_files_are_accepted_and_refused_as_by_git(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::other_files_are_accepted_and_refused_as_by_git(sandbox, seed));
    }

    #[test]
    fn closed_sets_stand(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::closed_sets_stand(sandbox, seed));
    }

    #[test]
    fn subsets_of_subsets_are_subsets(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::subsets_of_subsets_are_subsets(sandbox, seed));
    }

    #[test]
    fn damaged_patches_are_refused_or_still_patches(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::damaged_patches_are_refused_or_still_patches(sandbox, seed));
    }

    #[test]
    fn hunks_with_what_they_need_apply_without_the_rest(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| series::closed_sets_apply(sandbox, seed));
    }
}
