//! Which of the runs that this process has at the same time a run is, for what they cannot share: ports, databases.

use std::sync::atomic::{AtomicBool, Ordering};

/// The variable with the number.
pub(crate) const VARIABLE: &str = "FIRSTBAD_JOB";

/// How many runs at the same time have a number of their own; all beyond them have this one.
const MOST: usize = 1024;

/// Which numbers runs have now. Without a lock, which a process that was forked meanwhile could wait for in vain.
static TAKEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// The least number from 0 that no other run of this process had when this one began; free when this is dropped.
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
