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

type Opened = Result<Box<dyn Search>, Error>;

/// How to make the searches of one algorithm.
struct Entry {
    name: &'static str,
    open: fn(Arc<CommitGraph>, &Value) -> Opened,
    restore: fn(Arc<CommitGraph>, &str) -> Opened,
}

const ALL: [Entry; 3] = [entry::<Regression>(), entry::<Culprit>(), entry::<Verification>()];

const fn entry<A: Algorithm + 'static>() -> Entry {
    Entry {
        name: A::NAME,
        open: |graph, configuration| Ok(Box::new(AskTell::<A>::new(graph, from_json(configuration)?)?)),
        restore: |graph, snapshot| Ok(Box::new(AskTell::<A>::restore(graph, snapshot)?)),
    }
}

fn named(algorithm: &str) -> Result<&'static Entry, Error> {
    ALL.iter().find(|entry| entry.name == algorithm).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().map(|entry| format!("{:?}", entry.name)).collect();
        Error::invalid("algorithm", algorithm, format!("one of {}", known.join(", ")))
    })
}

/// A search by the name of its algorithm (`regression`, `culprit`, `verification`), with its configuration as JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name, and what the search itself raises.
pub fn open(algorithm: &str, graph: Arc<CommitGraph>, configuration: &Value) -> Opened {
    (named(algorithm)?.open)(graph, configuration)
}

/// The search that a snapshot was taken of; its algorithm must be `algorithm`.
///
/// # Errors
/// [`Error::InvalidArgument`] for an unknown name; [`Error::Snapshot`] where the text is no snapshot, or one of another
/// algorithm or history.
pub fn restore(algorithm: &str, graph: Arc<CommitGraph>, snapshot: &str) -> Opened {
    let entry = named(algorithm)?;
    let theirs = algorithm_of(snapshot)?;
    if theirs != algorithm {
        return Err(Error::Snapshot { reason: format!("it belongs to {theirs:?}, not to {algorithm:?}") });
    }
    (entry.restore)(graph, snapshot)
}
