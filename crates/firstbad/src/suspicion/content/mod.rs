//! A prior from `git log` and the name of the failing test, without a build graph.
//!
//! A commit that touches source files is more likely to break a test than a commit that touches only documentation. It is even
//! more likely if it touches the file that the test is named after, or if its subject contains words of the test. The weights
//! were fitted on recorded histories and on labeled pairs of culprits and fixes. All suspects share half of the probability, so that a
//! wrong guess costs only about one run.

mod classes;
mod command;
mod rank;
mod reason;
mod spread;
mod traits;
mod weights;
mod with_build_graph;
mod words;

pub use classes::{is_documentation, is_test_file};
pub use command::tests_of_command;
pub use rank::{CommitRanking, CommitSuspect, ReasonedWeights, rank_commits, rank_commits_in};
pub use reason::{CommitReason, SelectionReason};
pub(super) use spread::lessening;
