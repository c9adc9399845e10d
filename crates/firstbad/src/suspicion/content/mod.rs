//! Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph.
//!
//! A commit that touches source files is likelier to have broken a test than one that only touches documentation; one that
//! touches the file that the test is named after, or whose subject has the test's words, is likelier still. How much each
//! of that counts was fitted on recorded histories and on labelled pairs of culprit and fix; half of the mass is
//! shared by all, so that a wrong guess costs at most a run more or so.

mod classes;
mod command;
mod rank;
mod reason;
mod spread;
mod traits;
mod weights;
mod with_build_graph;
mod words;

pub use classes::is_test_file;
pub use command::tests_of_command;
pub use rank::{CommitRanking, CommitSuspect, ReasonedWeights, rank_commits, rank_commits_in};
pub use reason::{CommitReason, SelectionReason};
pub(super) use spread::lessening;
