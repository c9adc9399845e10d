//! Waiting for other processes that have the file locked.

use std::time::{Duration, Instant};

/// How long to wait for other processes.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

/// How long to wait before looking again whether they are done.
const LOCK_INTERVAL: Duration = Duration::from_millis(5);

/// Waits for other processes, up to a time. SQLite's own waiting pauses longer and longer, up to a tenth of a second,
/// which leaves whoever waits longest the least chance against those that have just come; here all have the same.
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
    fn waiting_has_an_end_and_starts_anew_for_each_lock() {
        let mut waiting = waiting(Duration::from_millis(200));
        for _ in 0..2 {
            let times = (0..).take_while(|&before| waiting(before)).count();
            assert!((1..=40).contains(&times), "{times}");
        }
    }
}
