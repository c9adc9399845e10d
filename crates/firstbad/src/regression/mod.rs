//! Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories.

mod algorithm;
mod answer;
mod bayes;
mod config;
mod dag;
mod evidence;
mod explain;
mod ground;
mod halving;
mod line;
mod path;
mod plan;
mod report;
mod rpa;

pub use algorithm::Regression;
pub use config::{Prefer, RegressionConfig, SearchKind};
pub use explain::{Explanation, PointExplanation};
pub use report::{Ending, LeafReport, RegressionPoint, RegressionReport};

use crate::search::AskTell;

/// A search for regression points; see [`RegressionConfig`] for what it can be told.
///
/// [`AskTell::new`] raises [`Error::InvalidArgument`](crate::Error::InvalidArgument) where no newer end is given, where a
/// revision is both good and bad, or where an older end comes after a newer one.
pub type RegressionSearch = AskTell<Regression>;
