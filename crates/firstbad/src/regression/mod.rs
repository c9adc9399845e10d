//! Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories.

mod algorithm;
mod answer;
mod blocks;
mod config;
mod dag;
mod evidence;
mod ground;
mod halving;
mod line;
mod path;
mod plan;
mod report;
mod rpa;

pub use algorithm::Regression;
pub use config::{Find, Prefer, RegressionConfig, SearchKind};
pub use report::{Ending, LeafReport, RegressionPoint, RegressionReport, RevisionObservation};

use std::sync::Arc;

use crate::ask_tell::AskTell;
use crate::error::Error;
use crate::graph::CommitGraph;

/// A search for regression points; see [`RegressionConfig`] for what it can be told.
pub type RegressionSearch = AskTell<Regression>;

impl RegressionSearch {
    /// A search on `graph`.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] where no newer end is
    /// given, where a revision is both good and bad, or where an older end comes after a newer one.
    pub fn regression(graph: Arc<CommitGraph>, config: RegressionConfig) -> Result<Self, Error> {
        Ok(AskTell::new(Regression::new(graph, config)?))
    }

    /// A search on `graph` as a snapshot has it: same configuration, same events.
    ///
    /// # Errors
    /// [`Error::Snapshot`] where the text is no snapshot of a regression search, or one of another history.
    pub fn restore(graph: Arc<CommitGraph>, snapshot: &str) -> Result<Self, Error> {
        let config = RegressionConfig::from_json(&Self::configuration_in(snapshot)?)?;
        let mut search = Self::regression(graph, config).map_err(|error| match error {
            Error::UnknownRevision { .. } => {
                Error::Snapshot { reason: format!("it was taken on another history: {error}") }
            }
            other => other,
        })?;
        search.apply_snapshot(snapshot)?;
        Ok(search)
    }
}
