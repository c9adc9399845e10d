//! Searches for the commit that changed a number, compared with what people and tools do today.

mod play;
mod scenes;
mod table;
mod ways;
mod world;

use crate::options::Options;
use crate::parts::{self, Part};

const PARTS: [(&str, Part); 3] = [("table", table::run), ("scenes", scenes::run), ("decisions", scenes::decisions)];

/// Runs all parts, or the part of `--only`, and prints tables and targets.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    parts::run("Numbers", &PARTS, options)
}
