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
    fn git_accepts_every_subset(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::git_accepts_every_subset(sandbox, seed));
    }

    #[test]
    fn apply_agrees_with_git_on_other_files(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::apply_agrees_with_git_on_other_files(sandbox, seed));
    }

    #[test]
    fn standing_changes_are_closed_and_complete(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::standing_changes_are_closed_and_complete(sandbox, seed));
    }

    #[test]
    fn subsets_of_subsets_are_subsets(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::subsets_of_subsets_are_subsets(sandbox, seed));
    }

    #[test]
    fn damaged_patches_are_rejected_or_valid(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| properties::damaged_patches_are_rejected_or_valid(sandbox, seed));
    }

    #[test]
    fn hunks_apply_with_only_their_dependencies(seed in any::<u64>()) {
        Sandbox::shared(|sandbox| series::closed_sets_apply(sandbox, seed));
    }
}
