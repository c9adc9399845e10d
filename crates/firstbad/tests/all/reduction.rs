//! Promises of reductions, tested with random properties of random items against plain definitions.

use crate::random::seeded;
use proptest::prelude::*;

mod brackets;
mod drive;
mod errors;
mod noise;
mod promises;
mod published;
mod session;
mod world;

/// Returns the number of cases. The variable `REDUCTION_CASES` overrides it for a long run.
fn cases(otherwise: u32) -> u32 {
    std::env::var("REDUCTION_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

proptest! {
    #![proptest_config(seeded(cases(60), 2))]

    #[test]
    fn monotonic_properties_are_reduced_to_the_minimum(seed in any::<u64>(), most in 1..=90usize) {
        promises::monotonic(seed, most);
    }

    #[test]
    fn every_reduction_ends_with_any_oracle(seed in any::<u64>(), most in 1..=40usize) {
        session::every_reduction_ends_with_any_oracle(seed, most);
    }
}

proptest! {
    #![proptest_config(seeded(cases(300), 1))]

    #[test]
    fn every_reduction_keeps_its_promises(seed in any::<u64>(), most in 1..=9usize) {
        promises::every_reduction(seed, most);
    }

    #[test]
    fn isolation_ends_with_a_minimal_difference(seed in any::<u64>(), most in 1..=9usize) {
        promises::isolation(seed, most);
    }

    #[test]
    fn ddmin_matches_the_paper(seed in any::<u64>(), most in 1..=20usize) {
        promises::ddmin_matches_the_paper(seed, most);
    }

    #[test]
    fn dd_matches_the_paper(seed in any::<u64>(), most in 1..=20usize) {
        promises::dd_matches_the_paper(seed, most);
    }

    #[test]
    fn recursive_matches_the_bisection_of_idd(seed in any::<u64>(), most in 1..=40usize) {
        promises::recursive_matches_the_bisection_of_idd(seed, most);
    }

    #[test]
    fn weights_are_relative(seed in any::<u64>(), most in 1..=30usize) {
        promises::weights_are_relative(seed, most);
    }

    #[test]
    fn a_restored_search_behaves_like_the_original(seed in any::<u64>(), most in 1..=12usize) {
        session::a_restored_search_behaves_like_the_original(seed, most);
    }

    #[test]
    fn undone_outcomes_leave_no_trace(seed in any::<u64>(), most in 1..=9usize) {
        session::undone_outcomes_leave_no_trace(seed, most);
    }

    #[test]
    fn undo_forgets_that_a_pass_gave_up(seed in any::<u64>()) {
        session::undo_forgets_that_a_pass_gave_up(seed);
    }

    #[test]
    fn budgets_stop_a_search_and_larger_ones_resume_it(seed in any::<u64>(), most in 1..=9usize) {
        session::budgets_stop_a_search_and_larger_ones_resume_it(seed, most);
    }

    #[test]
    fn contradictory_outcomes_are_rejected_without_effect(seed in any::<u64>(), most in 1..=9usize) {
        session::contradictory_outcomes_are_rejected_without_effect(seed, most);
    }

    #[test]
    fn observed_sets_are_not_tested_again(seed in any::<u64>(), most in 1..=9usize) {
        session::observed_sets_are_not_tested_again(seed, most);
    }

    #[test]
    fn parallel_isolation_reports_observed_sets(seed in any::<u64>(), most in 1..=70usize) {
        session::parallel_isolation_reports_observed_sets(seed, most);
    }
}
