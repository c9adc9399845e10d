//! Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories.

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

/// A search for regression points; see [`RegressionConfig`] for what it can be told.
///
/// With `search = "bayes"` nobody is named before a failure of the revision and a pass of each of its parents was seen
/// (of one, if the answer need not be clean): what cannot be had leaves the status at
/// [`Ambiguous`](crate::Status::Ambiguous), and so do suspects that no test can tell apart. It ends whatever the oracle
/// says: one revision is run at most as often as by a [`CulpritSearch`](crate::culprit::CulpritSearch), with 0.1 for `p`
/// if that is less, and counts as unresolved if it did not show by then what it is.
///
/// [`AskTell::new`] raises [`Error::InvalidArgument`](crate::Error::InvalidArgument) if no newer end is given, if a
/// revision is both good and bad, or if an older end comes after a newer one.
pub type RegressionSearch = AskTell<Regression>;
