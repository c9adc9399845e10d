//! Wall time and processor time.

use std::time::Instant;

/// Returns the seconds that some work takes, and its result.
pub(crate) fn seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// Returns the processor time in seconds that some work takes on this thread, and its result. Wall time would include other
/// processes. It replaces the processor time where Linux's account of a thread is missing.
pub(crate) fn processor_seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let used = || -> Option<f64> {
        // Linux updates this account only at ticks and when a thread yields.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    };
    let before = used();
    let (wall, result) = seconds(work);
    let spent = before.zip(used()).map_or(wall, |(before, after)| after - before);
    (spent, result)
}
