//! Fuzz targets and their limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peak::Measured;

/// The maximum time for one input, a thousand times that of the slowest one.
pub const WATCHDOG: Duration = Duration::from_secs(30);

/// The maximum input length in bytes, long enough to reveal quadratic costs.
pub const LONGEST: usize = 1 << 16;

/// Code that reads untrusted bytes.
pub struct Target {
    /// The name of the target and of its folder in `corpus/`.
    pub name: &'static str,
    /// The maximum memory in bytes for an input of at most [`LONGEST`] bytes.
    pub memory: usize,
    /// The number of mutated inputs in a test.
    pub iterations: usize,
    /// Reads the bytes, and panics if a promise is broken.
    pub(crate) take: fn(&[u8]),
    /// Returns valid inputs.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
}

impl Target {
    /// Runs the target on an input and checks its memory.
    ///
    /// # Panics
    /// If a promise or the memory limit is broken.
    pub fn run(&self, input: &[u8]) {
        let measured = Measured::start();
        (self.take)(input);
        let peak = measured.peak();
        assert!(peak <= self.memory, "{}: {peak} bytes for an input of {} bytes", self.name, input.len());
    }

    /// Returns the seeds and the corpus of the target, always in the same order.
    #[must_use]
    pub fn inputs(&self) -> Vec<Vec<u8>> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.corpus())
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.sort_unstable();
        let kept = files.iter().filter_map(|file| std::fs::read(file).ok());
        (self.seeds)().into_iter().chain(kept).collect()
    }

    /// Returns the folder with inputs from fuzzing: those that revealed bugs, and those with the highest coverage.
    #[must_use]
    pub fn corpus(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }
}
