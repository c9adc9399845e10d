//! What the tests and benchmarks of `firstbad` stand on: histories with known outcomes, and a judge.
//!
//! - [`recorded`]: histories of public projects with the measured outcome of real tests at every commit, and
//!   [`bare_graph`]: larger ones without outcomes;
//! - [`simulated`]: histories and outcomes made from a seed;
//! - [`disk`]: what was done to a disk, and what of it outlives a power cut;
//! - [`git_bisect`]: git's bisection written down a second time, independently of the core's, [`git_run`]: whole runs
//!   of it, and [`git_repository`]: throw-away repositories to hold it against the real `git bisect`;
//! - [`journal`]: journals that a test has changed;
//! - [`replay`]: drives a search with known outcomes, and [`soundness`] judges what it answered;
//! - [`scenes`]: searches of every kind, each opened from a number, and [`plays`]: these with a test that answers;
//! - [`sliced`]: histories of which a behaviour needs a part;
//! - [`truth`]: what can be told from outside, with every outcome known;
//! - [`vectors`]: the scenarios that every language plays alike;
//! - [`walk_back`]: a small algorithm that reads diffs and contains a reduction.

pub mod bare_graph;
pub mod disk;
pub mod generated;
pub mod git_bisect;
pub mod git_repository;
pub mod git_run;
pub mod journal;
mod options;
pub mod plays;
pub mod recorded;
pub mod replay;
pub mod scenes;
pub mod simulated;
pub mod sliced;
pub mod soundness;
pub mod truth;
pub mod vectors;
pub mod walk_back;

pub use options::options;

/// Something outside (a file, git) did not do what it should.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// A failure of an action on something.
    pub fn new(action: &str, error: impl std::fmt::Display) -> Self {
        Failure(format!("{action}: {error}"))
    }
}
