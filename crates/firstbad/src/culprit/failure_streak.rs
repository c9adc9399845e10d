//! Failures that come in a row: flakes that do not come one by one, as every rate takes for granted.

use hashbrown::HashSet;

use crate::belief::RunCounts;
use crate::graph::Node;
use crate::search::LedgerEntry;

/// How many failures came in a row at healthy revisions, if they are so many that neither the rate nor chance explains it;
/// `None` if they are not. Runs are in the order of their times, or of the answers where not all have one.
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
        // Of counts nobody knows in which order they came.
        row = if tally.passes == 0 { row.saturating_add(tally.fails) } else { 0 };
        most = most.max(row);
    }
    let all = tallies().fold(RunCounts::default(), |sum, tally| sum + tally);
    let places = f64::from(all.runs() - most + 1);
    let at_the_rate = places * flake.powi(most.try_into().unwrap_or(i32::MAX));
    // As many failures, spread over the runs at random.
    let left = |from: u32, gone: u32| f64::from(from.saturating_sub(gone));
    let by_chance = (0..most).fold(places, |chance, gone| chance * left(all.fails, gone) / left(all.runs(), gone));
    (most >= SEVERAL && at_the_rate.min(by_chance) <= 1.0 - confidence).then_some(most)
}

/// Fewer failures in a row are not worth a word.
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
    fn five_in_a_row_are_a_burst_and_five_here_and_there_are_none() {
        let nobody = HashSet::new();
        assert_eq!(failure_streak(&answers("PPPPPPFFFFFPPPPP"), &nobody, 0.3, 0.99), Some(5));
        assert_eq!(failure_streak(&answers("FPPFPPPFPPPFPPPF"), &nobody, 0.3, 0.99), None);
        // At a rate of a half three in a row are nothing; at 0.05 they are.
        assert_eq!(failure_streak(&answers("FPFFFPFP"), &nobody, 0.5, 0.99), None);
        assert_eq!(failure_streak(&answers("FPFFFPFP"), &nobody, 0.05, 0.99), Some(3));
        assert_eq!(failure_streak(&answers("PPPPPPFFFFFPPPPP"), &HashSet::from([1]), 0.3, 0.99), None);
    }

    #[test]
    fn the_clock_says_what_came_after_what() {
        let mut told = answers("PPPPPPFFFFFPPPPP");
        for (number, answer) in told.iter_mut().enumerate() {
            let started = Some((number * 5 % 16) as f64);
            answer.observation = Arc::new(Observation { started, ..(*answer.observation).clone() });
        }
        assert_eq!(failure_streak(&told, &HashSet::new(), 0.4, 0.99), None);
    }
}
