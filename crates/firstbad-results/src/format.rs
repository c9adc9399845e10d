//! Report formats.

use serde::{Deserialize, Serialize};

/// The format of a test report. In JSON, its name in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JUnit XML.
    Junit,
    /// TAP 13 or 14 (Test Anything Protocol).
    Tap,
    /// The JSON of Jest and Vitest.
    Jest,
    /// The JSON of Mocha.
    Mocha,
    /// The lines of `go test -json`.
    Go,
    /// The lines of a Rust test binary (libtest), as `cargo test` prints them.
    Libtest,
    /// JSON lines with `id` and `outcome`, as firstbad's pytest plugin and custom runners write them.
    Jsonl,
}

impl Format {
    /// The names of all formats.
    pub const NAMES: [&str; 7] = ["junit", "tap", "jest", "mocha", "go", "libtest", "jsonl"];

    /// Returns the name of the format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Format::NAMES[self as usize]
    }
}

impl std::fmt::Display for Format {
    /// Writes the format as people name it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Junit => "JUnit XML",
            Format::Tap => "TAP",
            Format::Jest => "JSON of Jest or Vitest",
            Format::Mocha => "JSON of Mocha",
            Format::Go => "lines of go test -json",
            Format::Libtest => "lines of a Rust test binary",
            Format::Jsonl => "JSON lines",
        })
    }
}
