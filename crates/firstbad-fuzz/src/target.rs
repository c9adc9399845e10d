//! What is fuzzed, and within which limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peak::Measured;

/// How long one input may take before a run is ended: a thousand times what the slowest takes.
pub const WATCHDOG: Duration = Duration::from_secs(30);

/// The longest input, in bytes: as long as it has to be for what is quadratic to show.
pub const LONGEST: usize = 1 << 16;

/// Something that takes bytes from outside.
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// The most memory that it may take for an input of at most [`LONGEST`] bytes, in bytes.
    pub memory: usize,
    /// How many mutated inputs a test runs.
    pub iterations: usize,
    /// Takes the bytes, and panics where something is not as promised.
    pub(crate) take: fn(&[u8]),
    /// Inputs of the kind that it is made for.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
}

impl Target {
    /// Hands it an input, and looks at what memory that takes.
    ///
    /// # Panics
    /// Where something is not as promised.
    pub fn run(&self, input: &[u8]) {
        let measured = Measured::start();
        (self.take)(input);
        let peak = measured.peak();
        assert!(peak <= self.memory, "{}: {peak} bytes for an input of {} bytes", self.name, input.len());
    }

    /// Inputs of the kind that it is made for, those that fuzzing has left included, in the same order every time.
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

    /// The folder with the inputs that fuzzing has left: those that were mended, and those that cover most.
    #[must_use]
    pub fn corpus(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }
}
