//! All algorithms by name: what the bindings and the journal make searches from.

use std::sync::Arc;

use serde_json::Value;

use crate::ask_tell::AskTell;
use crate::configuration::from_json;
use crate::culprit::{Culprit, Verification};
use crate::error::Error;
use crate::graph::CommitGraph;
use crate::regression::Regression;
use crate::search::{Algorithm, Search};
use crate::snapshot::algorithm_of;

/// A search by the name of its algorithm (`regression`, `culprit`, `verification`), with its configuration as JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name, and what the search itself raises.
pub fn open(algorithm: &str, graph: Arc<CommitGraph>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    match algorithm {
        Regression::NAME => opened::<Regression>(graph, configuration),
        Culprit::NAME => opened::<Culprit>(graph, configuration),
        Verification::NAME => opened::<Verification>(graph, configuration),
        other => {
            let known = [Regression::NAME, Culprit::NAME, Verification::NAME].map(|name| format!("{name:?}"));
            Err(Error::invalid("algorithm", other, format!("one of {}", known.join(", "))))
        }
    }
}

/// The search that a snapshot was taken of; its algorithm must be `algorithm`.
///
/// # Errors
/// [`Error::Snapshot`] where the text is no snapshot, or one of another algorithm or history.
pub fn restore(algorithm: &str, graph: Arc<CommitGraph>, snapshot: &str) -> Result<Box<dyn Search>, Error> {
    let theirs = algorithm_of(snapshot)?;
    if theirs != algorithm {
        return Err(Error::Snapshot { reason: format!("it belongs to {theirs:?}, not to {algorithm:?}") });
    }
    match algorithm {
        Regression::NAME => Ok(Box::new(AskTell::<Regression>::restore(graph, snapshot)?)),
        Culprit::NAME => Ok(Box::new(AskTell::<Culprit>::restore(graph, snapshot)?)),
        Verification::NAME => Ok(Box::new(AskTell::<Verification>::restore(graph, snapshot)?)),
        other => Err(Error::Snapshot { reason: format!("no algorithm is called {other:?}") }),
    }
}

fn opened<A: Algorithm + 'static>(graph: Arc<CommitGraph>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    Ok(Box::new(AskTell::<A>::new(graph, from_json(configuration)?)?))
}
