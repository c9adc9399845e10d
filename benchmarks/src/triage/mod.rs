//! Triage of red nights, compared with one search for each test.

mod decisions;
mod large;
mod memory;
mod nights;
mod play;
mod separate;
mod table;
mod verdicts;

pub(crate) use memory::run as run_child;

use crate::options::Options;
use crate::parts::{self, Part};

const PARTS: [(&str, Part); 5] = [
    ("nights", nights::recorded),
    ("stress", nights::stress),
    ("workers", nights::workers),
    ("decisions", decisions::run),
    ("memory", memory::figures),
];

/// Runs all parts, or the part of `--only`, and prints tables and targets.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    parts::run("Triage", &PARTS, options)
}
