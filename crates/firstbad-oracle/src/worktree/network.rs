//! Pauses after network failures.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;

/// The length of the first pause. Each further pause in a row is twice as long.
const FIRST: Duration = Duration::from_secs(1);

/// The maximum number of times that a pause is doubled.
const DOUBLED: u32 = 4;

/// The interval between calls of `keep_going`.
const LOOK: Duration = Duration::from_millis(50);

/// The state of the network: whether it failed, and until when to wait.
#[derive(Debug, Default)]
pub(crate) struct Network(Mutex<Away>);

#[derive(Debug, Default)]
struct Away {
    /// The number of pauses in a row.
    row: u32,
    until: Option<Instant>,
}

impl Network {
    /// Records a failure of the network.
    pub(crate) fn failed(&self) {
        self.failed_at(Instant::now());
    }

    fn failed_at(&self, now: Instant) {
        let mut away = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Parallel runs report the same failure.
        if away.until.is_none_or(|until| until <= now) {
            away.until = Some(now + FIRST * 2_u32.pow(away.row.min(DOUBLED)));
            away.row += 1;
        }
    }

    /// Records that the network worked or was not needed.
    pub(crate) fn answered(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Away::default();
    }

    fn left(&self, now: Instant) -> Duration {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner).until;
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }

    /// Waits until the current pause ends, if there is one.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if `keep_going` returns false.
    pub(crate) fn wait(&self, keep_going: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        loop {
            let left = self.left(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            if !keep_going() {
                return Err(Error::Interrupted);
            }
            std::thread::sleep(left.min(LOOK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_pauses_grow_and_end_with_the_failure() {
        let (network, mut now) = (Network::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..7 {
            network.failed_at(now);
            // A parallel run reports the same failure.
            network.failed_at(now);
            let pause = network.left(now);
            pauses.push(pause.as_secs());
            now += pause;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 16, 16]);
        network.answered();
        assert_eq!(network.left(now), Duration::ZERO);
    }

    #[test]
    fn network_pauses_are_short_and_interruptible() {
        let network = Network::default();
        assert_eq!(network.wait(&mut || false), Ok(()));
        network.failed();
        assert_eq!(network.wait(&mut || false), Err(Error::Interrupted));
    }
}
