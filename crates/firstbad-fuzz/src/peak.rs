//! Memory of targets.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory that all threads have allocated since the start of the measurement.
#[derive(Debug)]
pub struct Measured {
    before: usize,
}

impl Measured {
    /// Starts a measurement.
    #[must_use]
    pub fn start() -> Measured {
        MEMORY.reset_peak_usage();
        Measured { before: MEMORY.current_usage() }
    }

    /// Returns the peak in bytes, minus the memory at the start.
    #[must_use]
    pub fn peak(&self) -> usize {
        MEMORY.peak_usage().saturating_sub(self.before)
    }
}
