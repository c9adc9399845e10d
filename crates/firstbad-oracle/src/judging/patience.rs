//! Default time limits for parts of a patch or file, because parts of a program can hang.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The limit of a part as a multiple of the time of the whole, and the minimum limit.
const TIMES: u32 = 10;
const LEAST: Duration = Duration::from_secs(5);

/// The time limits of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Limit {
    /// The limit of the test.
    pub(crate) test: Option<Duration>,
    /// The limit of each other stage.
    pub(crate) stage: Option<Duration>,
}

/// The slowest known runs of each whole.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// For each revision, the largest number of changes, and the time of the slowest run with that number.
    wholes: HashMap<String, (usize, Duration)>,
    /// The time of the test of the whole in an earlier process.
    before: Option<Duration>,
    /// The time of the slowest test without a patch.
    alone: Option<Duration>,
}

fn limit(took: Duration) -> Duration {
    took.saturating_mul(TIMES).max(LEAST)
}

impl Patience {
    /// Records how many seconds the test of the whole took in an earlier process. The longest time counts.
    pub(crate) fn expect(&self, seconds: f64) {
        let Ok(took) = Duration::try_from_secs_f64(seconds) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.before = known.before.max(Some(took));
    }

    /// Records the time of a run with `changes` changes on a revision.
    pub(crate) fn learn(&self, revision: &str, changes: usize, took: Duration) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (most, slowest) = known.wholes.entry(revision.to_owned()).or_insert((changes, took));
        if changes > *most {
            (*most, *slowest) = (changes, took);
        } else if changes == *most {
            *slowest = took.max(*slowest);
        }
    }

    /// Returns the limits of a run with `changes` changes on a revision. The whole has no limit unless its time is known from an
    /// earlier process.
    pub(crate) fn limit(&self, revision: &str, changes: usize) -> Limit {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = known.wholes.get(revision).filter(|(most, _)| changes < *most).map(|(_, slowest)| *slowest);
        // Earlier processes do not record the time of the stages.
        Limit { test: whole.max(known.before).map(limit), stage: whole.map(limit) }
    }

    /// Records how many seconds a test without a patch took.
    pub(crate) fn expect_alone(&self, seconds: f64) {
        let Ok(took) = Duration::try_from_secs_f64(seconds) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.alone = known.alone.max(Some(took));
    }

    /// Returns the limits of a test without a patch. The first test has no limit.
    pub(crate) fn limit_alone(&self) -> Limit {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Limit { test: known.alone.max(known.before).map(limit), stage: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn parts_get_ten_times_the_slowest_whole_run_and_at_least_five_seconds() {
        let patience = Patience::default();
        assert_eq!(patience.limit("a", 3), Limit::default());
        patience.learn("a", 9, SECOND);
        patience.learn("a", 9, 2 * SECOND);
        patience.learn("a", 3, 100 * SECOND);
        assert_eq!(patience.limit("a", 3), Limit { test: Some(20 * SECOND), stage: Some(20 * SECOND) });
        assert_eq!(patience.limit("a", 9), Limit::default(), "the whole itself");
        assert_eq!(patience.limit("b", 3), Limit::default(), "another whole");
        patience.learn("b", 4, SECOND / 100);
        assert_eq!(patience.limit("b", 3).test, Some(5 * SECOND));
    }

    #[test]
    fn times_of_an_earlier_process_count() {
        let patience = Patience::default();
        patience.expect(f64::NAN);
        patience.expect(3.0);
        assert_eq!(patience.limit("a", 3), Limit { test: Some(30 * SECOND), stage: None });
        patience.learn("a", 2, SECOND);
        assert_eq!(patience.limit("a", 1), Limit { test: Some(30 * SECOND), stage: Some(10 * SECOND) });
    }

    #[test]
    fn the_first_run_without_a_patch_has_no_limit() {
        let patience = Patience::default();
        assert_eq!(patience.limit_alone(), Limit::default());
        patience.expect_alone(2.0);
        patience.expect_alone(1.0);
        assert_eq!(patience.limit_alone(), Limit { test: Some(20 * SECOND), stage: None });
        assert_eq!(patience.limit("a", 1), Limit::default());
    }
}
