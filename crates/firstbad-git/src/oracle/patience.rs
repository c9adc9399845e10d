//! How long parts of a whole may run where the options do not say it: parts of a program hang.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many times as long as the whole a part may run, and how long at least.
const TIMES: u32 = 10;
const LEAST: Duration = Duration::from_secs(5);

/// How long a run of a part may take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limit {
    /// The test.
    pub(super) test: Option<Duration>,
    /// Each other stage.
    pub(super) stage: Option<Duration>,
}

/// What is known of the slowest run of each whole.
#[derive(Debug, Default)]
pub(super) struct Patience {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// By revision, the most changes that were on it, and how long the slowest run with these took.
    wholes: HashMap<String, (usize, Duration)>,
    /// How long the test of a whole took in an earlier process.
    before: Option<Duration>,
    /// How long the slowest test without a patch took.
    alone: Option<Duration>,
}

fn limit(took: Duration) -> Duration {
    took.saturating_mul(TIMES).max(LEAST)
}

impl Patience {
    /// Says how long the test of a whole took, in seconds, before this process began. The longest counts.
    pub(super) fn expect(&self, seconds: f64) {
        let Ok(took) = Duration::try_from_secs_f64(seconds) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.before = known.before.max(Some(took));
    }

    /// Says how long a run with so many changes on a revision took.
    pub(super) fn learn(&self, revision: &str, changes: usize, took: Duration) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (most, slowest) = known.wholes.entry(revision.to_owned()).or_insert((changes, took));
        if changes > *most {
            (*most, *slowest) = (changes, took);
        } else if changes == *most {
            *slowest = took.max(*slowest);
        }
    }

    /// How long a run with so many changes on a revision may take; the whole itself, as far as is known, any time.
    pub(super) fn limit(&self, revision: &str, changes: usize) -> Limit {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = known.wholes.get(revision).filter(|(most, _)| changes < *most).map(|(_, slowest)| *slowest);
        // How long the stages took before is not known.
        Limit { test: whole.max(known.before).map(limit), stage: whole.map(limit) }
    }

    /// Says how long a test without a patch took, in seconds.
    pub(super) fn expect_alone(&self, seconds: f64) {
        let Ok(took) = Duration::try_from_secs_f64(seconds) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.alone = known.alone.max(Some(took));
    }

    /// How long a test without a patch may take; the first one any time.
    pub(super) fn limit_alone(&self) -> Limit {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Limit { test: known.alone.max(known.before).map(limit), stage: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn parts_get_ten_times_the_slowest_run_of_the_whole_and_five_seconds_at_least() {
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
    fn what_an_earlier_process_saw_counts_for_the_test() {
        let patience = Patience::default();
        patience.expect(f64::NAN);
        patience.expect(3.0);
        assert_eq!(patience.limit("a", 3), Limit { test: Some(30 * SECOND), stage: None });
        patience.learn("a", 2, SECOND);
        assert_eq!(patience.limit("a", 1), Limit { test: Some(30 * SECOND), stage: Some(10 * SECOND) });
    }

    #[test]
    fn without_a_patch_the_first_run_is_not_limited() {
        let patience = Patience::default();
        assert_eq!(patience.limit_alone(), Limit::default());
        patience.expect_alone(2.0);
        patience.expect_alone(1.0);
        assert_eq!(patience.limit_alone(), Limit { test: Some(20 * SECOND), stage: None });
        assert_eq!(patience.limit("a", 1), Limit::default());
    }
}
