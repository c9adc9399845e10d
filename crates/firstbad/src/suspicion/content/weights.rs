//! How much each trait counts in the logarithm of a suspect's weight, fitted on recorded histories.

/// The weight of touching a source file. In a merge, only differences from all parents count, here and below.
pub(super) const SOURCE: f64 = 2.5;

/// The weight of log2(1 + L), with L added and deleted lines of source files. A renamed file counts as one line, a file of
/// a merge as at most 20. If a commit both adds and deletes more than 100 lines of a file, as a formatter does, L is divided
/// by (min(added, deleted) / 100)^3. If a test is known and the commit touches n > 16 source files, L is divided by
/// (n / 16)^3.
pub(super) const LINES: f64 = 0.25;

/// The weight of touching both source and test files, except in merges.
pub(super) const SOURCE_AND_TEST: f64 = 1.0;

/// The weight of the similarity, in [0, 1], between the source files of a commit and the name of the test's file. If the
/// commit touches n > 16 source files, the similarity is divided by n / 16.
pub(super) const PATH: f64 = 2.0;

/// The weight of the share, in [0, 1], of the test's words in the subject. Rare words count more.
pub(super) const SUBJECT: f64 = 5.0;

/// The part of the probability mass that all suspects share equally, in [0, 1].
pub(super) const FLOOR: f64 = 0.5;
