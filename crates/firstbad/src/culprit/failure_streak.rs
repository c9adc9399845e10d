//! Bursts: failures in a row, which contradict the assumption that flakes are independent.

use hashbrown::HashSet;

use crate::belief::RunCounts;
use crate::graph::Node;
use crate::search::LedgerEntry;

/// Returns the length of the longest row of failures at healthy revisions, if neither the flake rate nor chance explains it.
///
/// Runs are ordered by start time, or by outcome if a start time is missing.
pub(super) fn failure_streak(
    answers: &[LedgerEntry],
    is_broken: &HashSet<Node>,
    flake: f64,
    confidence: f64,
) -> Option<u32> {
    let mut runs: Vec<&LedgerEntry> = answers.iter().filter(|answer| !is_broken.contains(&answer.key)).collect();
    let started = |answer: &&LedgerEntry| answer.observation.started;
    if runs.iter().all(|run| started(run).is_some()) {
        runs.sort_by(|one, other| started(one).partial_cmp(&started(other)).unwrap_or(std::cmp::Ordering::Equal));
    }
    let tallies = || runs.iter().map(|run| RunCounts::from(&*run.observation)).filter(|tally| tally.runs() > 0);
    let (mut most, mut row) = (0, 0u32);
    for tally in tallies() {
        // The order of the runs within one observation is unknown.
        row = if tally.passes == 0 { row.saturating_add(tally.fails) } else { 0 };
        most = most.max(row);
    }
    let all = tallies().fold(RunCounts::default(), |sum, tally| sum + tally);
    let places = f64::from(all.runs() - most + 1);
    let at_the_rate = places * flake.powi(most.try_into().unwrap_or(i32::MAX));
    // The probability of such a row if the same failures are spread over the runs at random.
    let left = |from: u32, gone: u32| f64::from(from.saturating_sub(gone));
    let by_chance = (0..most).fold(places, |chance, gone| chance * left(all.fails, gone) / left(all.runs(), gone));
    (most >= SEVERAL && at_the_rate.min(by_chance) <= 1.0 - confidence).then_some(most)
}

/// Shorter rows are not reported.
const SEVERAL: u32 = 3;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::search::{Observation, Outcome};

    fn answers(outcomes: &str) -> Vec<LedgerEntry> {
        let outcome = |letter| if letter == 'P' { Outcome::Pass } else { Outcome::Fail };
        let answer = |letter| LedgerEntry {
            key: 1,
            probe: None,
            observation: Arc::new(Observation::new(outcome(letter))),
            is_alone: true,
            confirms: false,
        };
        outcomes.chars().map(answer).collect()
    }

    #[test]
    fn five_failures_in_a_row_are_a_burst_and_five_scattered_ones_are_not() {
        let nobody = HashSet::new();
        assert_eq!(failure_streak(&answers("PPPPPPFFFFFPPPPP"), &nobody, 0.3, 0.99), Some(5));
        assert_eq!(failure_streak(&answers("FPPFPPPFPPPFPPPF"), &nobody, 0.3, 0.99), None);
        // Three failures in a row are likely at a rate of 0.5 and unlikely at 0.05.
        assert_eq!(failure_streak(&answers("FPFFFPFP"), &nobody, 0.5, 0.99), None);
        assert_eq!(failure_streak(&answers("FPFFFPFP"), &nobody, 0.05, 0.99), Some(3));
        assert_eq!(failure_streak(&answers("PPPPPPFFFFFPPPPP"), &HashSet::from([1]), 0.3, 0.99), None);
    }

    #[test]
    fn bursts_follow_the_order_of_start_times() {
        let mut told = answers("PPPPPPFFFFFPPPPP");
        for (number, answer) in told.iter_mut().enumerate() {
            let started = Some((number * 5 % 16) as f64);
            answer.observation = Arc::new(Observation { started, ..(*answer.observation).clone() });
        }
        assert_eq!(failure_streak(&told, &HashSet::new(), 0.4, 0.99), None);
    }
}
