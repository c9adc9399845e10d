//! Test data and tools for the tests and benchmarks of `firstbad`.
//!
//! - [`recorded`] has histories of public projects with measured outcomes at every commit, and [`bare_graph`] has larger ones
//!   without outcomes.
//! - [`simulated`] creates histories and outcomes from a seed.
//! - [`disk`] simulates disks and power cuts.
//! - [`git_bisect`] is an independent implementation of Git's bisection, [`git_run`] has complete runs of it, and
//!   [`git_repository`] has temporary repositories to compare it with `git bisect`.
//! - [`journal`] modifies journals.
//! - [`replay`] drives a search with known outcomes, and [`soundness`] judges its report.
//! - [`scenes`] opens searches of every kind from a number, and [`plays`] adds a test to them.
//! - [`markdown`] separates code spans from the rest.
//! - [`red_suite`] has a night after which tests of every verdict are red.
//! - [`sliced`] has histories of which a behavior needs a part.
//! - [`truth`] computes facts from all outcomes.
//! - [`vectors`] has the scenarios that all languages play.
//! - [`walk_back`] is a small algorithm that reads diffs and contains a reduction.

pub mod bare_graph;
pub mod disk;
pub mod generated;
pub mod git_bisect;
pub mod git_repository;
pub mod git_run;
pub mod journal;
pub mod markdown;
pub mod nights;
mod options;
pub mod plays;
pub mod recorded;
pub mod red_suite;
pub mod replay;
pub mod scenes;
pub mod simulated;
pub mod sliced;
pub mod soundness;
pub mod truth;
pub mod vectors;
pub mod walk_back;

pub use options::options;

/// A failure of something outside the test, such as a file or Git.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// Creates a failure of an action.
    pub fn new(action: &str, error: impl std::fmt::Display) -> Self {
        Failure(format!("{action}: {error}"))
    }
}
