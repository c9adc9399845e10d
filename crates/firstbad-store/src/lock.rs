//! Waiting for other processes that have locked the file.

use std::time::{Duration, Instant};

pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

const LOCK_INTERVAL: Duration = Duration::from_millis(5);

/// Returns a busy handler that waits for up to `at_most`. SQLite's own handler waits longer and longer, which puts the longest
/// waiters at a disadvantage. This handler polls at a fixed interval.
pub(crate) fn waiting(at_most: Duration) -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |before| {
        if before == 0 {
            since = Instant::now();
        }
        std::thread::sleep(LOCK_INTERVAL);
        since.elapsed() < at_most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_limited_for_each_lock() {
        let mut waiting = waiting(Duration::from_millis(200));
        for _ in 0..2 {
            let times = (0..).take_while(|&before| waiting(before)).count();
            assert!((1..=40).contains(&times), "{times}");
        }
    }
}
