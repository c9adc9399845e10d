//! Processor time and memory of a process, including C code, on Linux only.

use std::time::Duration;

/// The maximum processor time for 64 KB. An unoptimized build takes several times as long.
const TIME: Duration = if cfg!(fuzzing) { Duration::from_millis(500) } else { Duration::from_secs(5) };
/// The maximum memory for 64 KB, in KB.
const MEMORY: u64 = 200 << 10;

/// The cost of the process so far.
#[derive(Debug)]
pub(crate) struct Cost {
    time: Option<Duration>,
    memory: Option<u64>,
}

impl Cost {
    /// Starts a measurement.
    #[must_use]
    pub(crate) fn start() -> Cost {
        // Resets the peak of the memory.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        Cost { time: time(), memory: memory("VmRSS:") }
    }

    /// Ends the measurement.
    ///
    /// # Panics
    /// If `what` exceeded a limit.
    pub(crate) fn check(&self, what: &str) {
        if let (Some(before), Some(after)) = (self.time, time()) {
            let taken = after.saturating_sub(before);
            assert!(taken <= TIME, "{what}: {taken:?} of processor time");
        }
        if let (Some(before), Some(most)) = (self.memory, memory("VmHWM:")) {
            assert!(most.saturating_sub(before) <= MEMORY, "{what}: {} KB of memory", most - before);
        }
    }
}

/// Returns the processor time of all threads, in ticks of 10 ms.
fn time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<Option<u64>>()?))
}

fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}
