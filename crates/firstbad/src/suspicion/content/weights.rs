//! How much each trait counts in the logarithm of a suspect's weight, fitted on recorded histories.

/// Touching a source file. For a merge only what differs from all of its parents counts, here and below.
pub(super) const SOURCE: f64 = 2.5;

/// The logarithm to base 2 of one more than the lines of source files that a commit adds and deletes; a file that is only
/// renamed counts as one line, and one of a merge as 20 at most. Where it adds and deletes more than 100 lines of one file, as
/// one that formats it does, the file's lines are divided by the third power of how many times 100 the fewer of the two are.
/// Where a test is known and it touches more than 16 source files, the lines are divided by the third power of how many times
/// 16 they are.
pub(super) const LINES: f64 = 0.25;

/// Touching source and test files; not of merges.
pub(super) const SOURCE_AND_TEST: f64 = 1.0;

/// How well the source files that a commit touches fit the name of the test's file, in [0, 1]. Where they are more than 16, it
/// is divided by how many times 16 they are.
pub(super) const PATH: f64 = 2.0;

/// Which share of the test's words a commit's subject has, rare words counting more, in [0, 1].
pub(super) const SUBJECT: f64 = 5.0;

/// The part of the mass that all suspects share evenly.
pub(super) const FLOOR: f64 = 0.5;
