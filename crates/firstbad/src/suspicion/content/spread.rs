//! Corrections for mass changes and reformatted files, which rarely break a single test.

use super::classes::FileClass;
use crate::suspicion::changelist::Changelist;

/// The number of source files up to which more files make a commit more suspicious.
const NARROW: f64 = 16.0;

/// The number of replaced lines of a file up to which more lines make a commit more suspicious.
const REPLACED: f64 = 100.0;

/// Returns the divisor, at least 1, for evidence that grows with the number of source files. A mass change touches the
/// dependencies of every test but rarely breaks a single one.
pub(super) fn lessened(source_files: usize) -> f64 {
    spread(source_files).powi(3)
}

/// Returns the width of a change relative to `NARROW`, at least 1.
pub(super) fn spread(source_files: usize) -> f64 {
    (source_files as f64 / NARROW).max(1.0)
}

/// Returns the number of lines that count for a file with `lines` added and deleted lines. `replaced` is the smaller of the two
/// numbers. A file that is replaced completely was mostly reformatted, which rarely breaks a test.
pub(super) fn told_by(lines: u64, replaced: u64) -> f64 {
    lines as f64 / (replaced as f64 / REPLACED).max(1.0).powi(3)
}

/// Returns the divisor of [`lessened`] for a changelist.
pub(in crate::suspicion) fn lessening(change: &Changelist) -> f64 {
    lessened(change.files.iter().filter(|file| FileClass::of(file) == FileClass::Source).count())
}
