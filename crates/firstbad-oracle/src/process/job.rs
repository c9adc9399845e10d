//! Numbers of concurrent runs, for resources that they cannot share, such as ports and databases.

use std::sync::atomic::{AtomicBool, Ordering};

/// The variable with the number.
pub(crate) const VARIABLE: &str = "FIRSTBAD_JOB";

/// The maximum number of runs with different numbers. All further runs have this number.
const MOST: usize = 1024;

/// The numbers in use. A lock could block forever in a forked process.
static TAKEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// The lowest number from 0 that no other run of this process has. Dropping it frees the number.
#[derive(Debug)]
pub(crate) struct Job(usize);

impl Job {
    pub(crate) fn begin() -> Job {
        Job(TAKEN.iter().position(|is_taken| !is_taken.swap(true, Ordering::AcqRel)).unwrap_or(MOST))
    }

    pub(crate) fn number(&self) -> usize {
        self.0
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(is_taken) = TAKEN.get(self.0) {
            is_taken.store(false, Ordering::Release);
        }
    }
}
