//! How wide a change is, and how much of a file it writes anew, for whoever looks for what broke one failing test.

use super::classes::FileClass;
use crate::suspicion::changelist::Changelist;

/// Up to so many source files, a commit that touches more of them is the more suspicious of one failing test.
const NARROW: f64 = 16.0;

/// Up to so many lines of a file that others take the place of, a commit that changes more of them is the more suspicious.
const REPLACED: f64 = 100.0;

/// By what to divide what speaks for a change of so many source files as far as that grows with them, at least 1. A change of
/// everything is rarely to blame for one failing test, however long it is, and it touches what that test depends on whatever it
/// is about.
pub(super) fn lessened(source_files: usize) -> f64 {
    spread(source_files).powi(3)
}

/// How many times as wide it is as one that counts in full, at least 1.
pub(super) fn spread(source_files: usize) -> f64 {
    (source_files as f64 / NARROW).max(1.0)
}

/// For how many lines of one file a change counts that adds and deletes `lines` of them together; `replaced` is the smaller of
/// both numbers. A file that is written anew from end to end was mostly formatted, or got other line ends, and what does nothing
/// else is rarely to blame.
pub(super) fn told_by(lines: u64, replaced: u64) -> f64 {
    lines as f64 / (replaced as f64 / REPLACED).max(1.0).powi(3)
}

/// The same of a change, by its files.
pub(in crate::suspicion) fn lessening(change: &Changelist) -> f64 {
    lessened(change.files.iter().filter(|file| FileClass::of(file) == FileClass::Source).count())
}
