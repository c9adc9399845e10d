//! When to go to the network again after it was away.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use firstbad::Error;

/// How long the first pause is; each further one in a row is twice as long.
const FIRST: Duration = Duration::from_secs(1);

/// How often it is doubled at most.
const DOUBLED: u32 = 4;

/// How often it is looked whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// Whether the network was away, and until when it is left alone.
#[derive(Debug, Default)]
pub(crate) struct Network(Mutex<Away>);

#[derive(Debug, Default)]
struct Away {
    /// How many pauses there were in a row.
    row: u32,
    until: Option<Instant>,
}

impl Network {
    /// It was away.
    pub(crate) fn failed(&self) {
        self.failed_at(Instant::now());
    }

    fn failed_at(&self, now: Instant) {
        let mut away = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Runs side by side see the same trouble.
        if away.until.is_none_or(|until| until <= now) {
            away.until = Some(now + FIRST * 2_u32.pow(away.row.min(DOUBLED)));
            away.row += 1;
        }
    }

    /// It was there, or nobody needed it.
    pub(crate) fn answered(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Away::default();
    }

    fn left(&self, now: Instant) -> Duration {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner).until;
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }

    /// Waits until the pause is over; returns at once if there is none.
    ///
    /// # Errors
    /// [`Error::Interrupted`] where it is not to be gone on with.
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
    fn pauses_grow_and_end_with_the_trouble() {
        let (network, mut now) = (Network::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..7 {
            network.failed_at(now);
            // Another run saw it, too.
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
    fn nobody_waits_without_need_or_longer_than_wanted() {
        let network = Network::default();
        assert_eq!(network.wait(&mut || false), Ok(()));
        network.failed();
        assert_eq!(network.wait(&mut || false), Err(Error::Interrupted));
    }
}
