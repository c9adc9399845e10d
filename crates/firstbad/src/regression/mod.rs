//! Finds regression points in commit graphs: RPA (Bendík, Beneš, Černá 2018), extended for real histories.

mod algorithm;
mod answer;
mod config;
mod confirm;
mod costs;
mod distinguish;
mod ends;
mod evidence;
mod explain;
mod failure_names;
mod find_good;
mod known_passing;
mod message;
mod outcomes;
mod reliability;
mod replacement;
mod report;
mod review;
mod rpa;
mod side_by_side;
mod steps;
mod strategy;
mod this_failure;

pub use algorithm::Regression;
pub use config::{Prefer, RegressionConfig, SearchKind};
pub use distinguish::{Auto, DistinguishFailures};
pub use explain::{Explanation, PointExplanation, contradiction};
pub use find_good::LookBack;
pub use report::{LeafReport, LeafResult, RegressionPoint, RegressionReport};

use crate::search::AskTell;

/// A search for regression points. See [`RegressionConfig`] for the options.
///
/// # Flaky tests
/// With `search = "bayes"`, the search reports a culprit only after a failure of the culprit and a pass of each of its parents.
/// If `check_parents` is false, one parent is enough. If these runs cannot be obtained, or if no run can separate the suspects,
/// the status is [`Ambiguous`](crate::Status::Ambiguous).
///
/// Every search ends, whatever the outcomes. The maximum number of runs of one revision is that of a
/// [`CulpritSearch`](crate::culprit::CulpritSearch), with `p` at most 0.1. A revision that is not settled by then counts as
/// unresolved.
///
/// # Errors
/// [`AskTell::new`] returns [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there is no newer endpoint, if a
/// revision is both good and bad, or if an older endpoint comes after a newer one.
pub type RegressionSearch = AskTell<Regression>;
