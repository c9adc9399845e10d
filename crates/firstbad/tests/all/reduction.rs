//! What reductions promise, on random properties of random items, against the definitions spelt out beside them.

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

/// As many cases as the variable `REDUCTION_CASES` says, for a long run.
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
    fn any_oracle_comes_to_an_end(seed in any::<u64>(), most in 1..=40usize) {
        session::any_oracle_comes_to_an_end(seed, most);
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
    fn ddmin_is_zellers(seed in any::<u64>(), most in 1..=20usize) {
        promises::ddmin_is_zellers(seed, most);
    }

    #[test]
    fn dd_is_zellers(seed in any::<u64>(), most in 1..=20usize) {
        promises::dd_is_zellers(seed, most);
    }

    #[test]
    fn recursive_is_the_bisection_of_idd(seed in any::<u64>(), most in 1..=40usize) {
        promises::recursive_is_the_bisection_of_idd(seed, most);
    }

    #[test]
    fn weights_are_relative(seed in any::<u64>(), most in 1..=30usize) {
        promises::weights_are_relative(seed, most);
    }

    #[test]
    fn a_snapshot_is_the_search(seed in any::<u64>(), most in 1..=12usize) {
        session::a_snapshot_is_the_search(seed, most);
    }

    #[test]
    fn undone_answers_were_never_told(seed in any::<u64>(), most in 1..=9usize) {
        session::undone_answers_were_never_told(seed, most);
    }

    #[test]
    fn what_gave_way_is_forgotten(seed in any::<u64>()) {
        session::what_gave_way_is_forgotten(seed);
    }

    #[test]
    fn budgets_hold(seed in any::<u64>(), most in 1..=9usize) {
        session::budgets_hold(seed, most);
    }

    #[test]
    fn contradictions_lose_nothing(seed in any::<u64>(), most in 1..=9usize) {
        session::contradictions_lose_nothing(seed, most);
    }

    #[test]
    fn what_is_observed_is_known(seed in any::<u64>(), most in 1..=9usize) {
        session::what_is_observed_is_known(seed, most);
    }

    #[test]
    fn isolation_side_by_side(seed in any::<u64>(), most in 1..=70usize) {
        session::isolation_side_by_side(seed, most);
    }
}
