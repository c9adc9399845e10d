//! Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories.

mod algorithm;
mod answer;
mod bayes;
mod config;
mod dag;
mod decision_tree;
mod ends;
mod evidence;
mod explain;
mod halving;
mod known_passing;
mod line;
mod message;
mod outcomes;
mod path;
mod reliability;
mod replacement;
mod report;
mod rpa;
mod side_by_side;

pub use algorithm::Regression;
pub use config::{Prefer, RegressionConfig, SearchKind};
pub use explain::{Explanation, PointExplanation};
pub use report::{Ending, LeafReport, RegressionPoint, RegressionReport};

use crate::search::AskTell;

/// A search for regression points; see [`RegressionConfig`] for what it can be told.
///
/// [`AskTell::new`] raises [`Error::InvalidArgument`](crate::Error::InvalidArgument) if no newer end is given, if a
/// revision is both good and bad, or if an older end comes after a newer one.
pub type RegressionSearch = AskTell<Regression>;
