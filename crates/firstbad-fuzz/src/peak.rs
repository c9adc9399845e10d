//! How much memory a target takes.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory that was asked for since it was made, by all threads.
#[derive(Debug)]
pub struct Measured {
    before: usize,
}

impl Measured {
    /// Counts from now on.
    #[must_use]
    pub fn start() -> Measured {
        MEMORY.reset_peak_usage();
        Measured { before: MEMORY.current_usage() }
    }

    /// The most bytes at one time, beyond those at the start.
    #[must_use]
    pub fn peak(&self) -> usize {
        MEMORY.peak_usage().saturating_sub(self.before)
    }
}
