//! Which of the runs that this process has at the same time a run is, for what they cannot share: ports, databases.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The variable with the number.
pub(super) const VARIABLE: &str = "FIRSTBAD_JOB";

/// Which numbers runs have now.
static TAKEN: Mutex<Vec<bool>> = Mutex::new(Vec::new());

/// The least number from 0 that no other run of this process had when this one began; free when this is dropped.
#[derive(Debug)]
pub(super) struct Job(usize);

impl Job {
    pub(super) fn begin() -> Job {
        let mut taken = taken();
        let number = taken.iter().position(|is_taken| !is_taken).unwrap_or_else(|| {
            taken.push(false);
            taken.len() - 1
        });
        taken[number] = true;
        Job(number)
    }

    pub(super) fn number(&self) -> usize {
        self.0
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        taken()[self.0] = false;
    }
}

// Nothing can panic while the lock is held, so a poisoned one is as good.
fn taken() -> MutexGuard<'static, Vec<bool>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
