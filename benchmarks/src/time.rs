//! How long something takes.

use std::time::Instant;

/// The seconds that some work takes, with its result.
pub(crate) fn seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The seconds of processor time that some work on this thread takes, with its result: on a shared machine the clock
/// on the wall measures the neighbours. It is the clock on the wall where Linux's account of a thread is missing.
pub(crate) fn processor_seconds<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let used = || -> Option<f64> {
        // Linux keeps this account up to date only at ticks and when a thread yields.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    };
    let before = used();
    let (wall, result) = seconds(work);
    let spent = before.zip(used()).map_or(wall, |(before, after)| after - before);
    (spent, result)
}
