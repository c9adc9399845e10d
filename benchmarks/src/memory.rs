//! The memory of this process on Linux.

/// Returns a field of `/proc/self/status` in MiB.
pub(crate) fn status_mib(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    let kib = line.trim_start_matches(':').trim().split(' ').next().and_then(|kib| kib.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}

/// Resets the peak.
pub(crate) fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
