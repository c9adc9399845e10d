//! Measurements at two sizes, and their growth.

use std::time::Instant;

use crate::{HEAP, Trouble};

/// Runs `work` at a tenth of a size and at full size, and prints its time, peak heap, and description for each.
pub(crate) fn at_two_sizes(
    name: &str,
    size: usize,
    mut work: impl FnMut(usize) -> Result<String, Trouble>,
) -> Result<(), Trouble> {
    let mut measure = |size| {
        HEAP.reset_peak_usage();
        let (before, start) = (HEAP.current_usage(), Instant::now());
        let words = work(size)?;
        let mib = (HEAP.peak_usage() - before) as f64 / f64::from(1 << 20);
        Ok::<_, Trouble>((start.elapsed().as_secs_f64(), mib, words))
    };
    let (small, _, _) = measure((size / 10).max(2))?;
    let (large, mib, words) = measure(size)?;
    println!("{name:34} {large:9.3} s  (x{:5.1} for ten times as much)  {mib:8.1} MiB  {words}", large / small);
    Ok(())
}
