//! Triage of a red suite: finds the commits that broke many tests in one search. Start with `rule.rs`.

mod algorithm;
mod answer;
mod belief;
mod classes;
mod collect;
mod config;
mod evidence;
mod likelihood;
mod listing;
mod measured;
mod message;
mod next;
mod rates;
mod report;
mod reports;
mod rule;
mod settle;
mod space;
mod subject;
mod take;

pub use algorithm::Triage;
pub use config::{All, KeepBuilds, SuiteCosts, TriageConfig};
pub use report::{
    CulpritEvidence, People, RevisionRuns, SeparateEstimate, TestVerdict, TriageCulprit, TriageReport, Verdict,
};
pub use space::Suite;

use crate::search::AskTell;

/// A search for the culprits of many failing tests. See [`TriageConfig`] for the options.
///
/// Each probe names a revision and a set of tests ([`Target::tests`](crate::Target::tests)), so that one build serves many tests.
/// [`Inspect::tests`](crate::Inspect::tests) returns their ids. If neither the failing tests nor a report of last night are given,
/// the search first asks for the whole suite at the endpoints, with probes without a set of tests.
///
/// Tell the results by test ([`Observation::results`](crate::Observation::results)). Results of tests that the probe did not
/// ask for count as well, and results of unknown tests are dropped. Without results, the outcome is that of every test of the probe. An
/// outcome of a [stage](crate::Stage) before the test means that the revision cannot be built.
///
/// # Evidence
/// The search names a culprit only after a failure of the test at the culprit and a pass at each parent. A test that does not
/// exist at the good revision need not exist at the parents.
///
/// # Number of runs
/// Every search ends, whatever the outcomes. A test has at most 41 results, and at most 41 runs without a result, plus those in
/// flight at that moment.
///
/// # Errors
/// [`AskTell::new`] returns [`Error::InvalidArgument`](crate::Error::InvalidArgument) in these cases:
///
/// - A weight, cost, duration, or the confidence is out of range.
/// - There is not exactly one bad revision.
/// - A good revision is not the bad revision or an ancestor of it.
/// - A test is listed twice.
pub type TriageSearch = AskTell<Triage>;
