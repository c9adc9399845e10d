//! Checks whether memory stays constant.

/// The fraction of samples during which the allocator still gets new pages.
const WARM_UP: f64 = 0.2;

/// The allowed growth of resident memory after the warm-up in bytes, because allocators keep pages with blocks of many sizes. A
/// leak of 100 bytes per search would exceed it within a minute.
const SLACK: u64 = 4 << 20;

/// Returns the resident memory of the process in bytes, or `None` on systems other than Linux.
pub(crate) fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().split(' ').next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Returns the growth of memory after the warm-up in bytes: the median of the last fifth of the samples minus that of the first
/// fifth after the warm-up. Returns `None` if there are too few samples.
pub(crate) fn growth(samples: &[u64]) -> Option<i64> {
    let settled = &samples[(samples.len() as f64 * WARM_UP) as usize..];
    let fifth = settled.len() / 5;
    let median = |part: &[u64]| {
        let mut sorted = part.to_vec();
        sorted.sort_unstable();
        sorted[sorted.len() / 2] as i64
    };
    (fifth > 0).then(|| median(&settled[settled.len() - fifth..]) - median(&settled[..fifth]))
}

/// Returns whether a growth is larger than an allocator explains.
pub(crate) fn is_growing(growth: i64) -> bool {
    growth > SLACK as i64
}

#[cfg(test)]
mod tests {
    use super::{growth, is_growing};

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_warm_up_does_not_count_as_growth() {
        let samples: Vec<u64> = (0..100).map(|time| 20 * MIB + (time * 2).min(30) * MIB + (time % 3) * MIB).collect();
        assert!(!is_growing(growth(&samples).expect("enough samples")));
    }

    #[test]
    fn a_leak_counts_as_growth() {
        let samples: Vec<u64> = (0..100).map(|time| 20 * MIB + time * MIB / 10).collect();
        assert!(is_growing(growth(&samples).expect("enough samples")));
    }

    #[test]
    fn a_final_peak_does_not_count_as_growth() {
        let mut samples = vec![20 * MIB; 100];
        samples[99] = 90 * MIB;
        assert_eq!(growth(&samples), Some(0));
    }

    #[test]
    fn few_samples_have_no_growth() {
        assert_eq!(growth(&[1, 2, 3]), None);
    }
}
