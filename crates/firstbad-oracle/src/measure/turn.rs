//! Measurements that never overlap.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use firstbad::Error;

/// The interval between calls of `keep_going` while a run waits.
const GLANCE: Duration = Duration::from_millis(50);

/// Whether a measurement runs.
#[derive(Debug, Default)]
pub(super) struct Turns {
    is_taken: Mutex<bool>,
    freed: Condvar,
}

/// The right to measure. Dropping it lets the next measurement start.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits until no other measurement runs.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if `keep_going` returns false.
    pub(super) fn take(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<Turn<'_>, Error> {
        let mut is_taken = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_taken {
            is_taken = self.freed.wait_timeout(is_taken, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
            if *is_taken && !keep_going() {
                return Err(Error::Interrupted);
            }
        }
        *is_taken = true;
        Ok(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.is_taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_measurement_waits_and_can_be_interrupted() {
        let turns = Turns::default();
        let first = turns.take(&mut || true).unwrap();
        assert_eq!(turns.take(&mut || false).err(), Some(Error::Interrupted));
        drop(first);
        assert!(turns.take(&mut || false).is_ok());
    }
}
