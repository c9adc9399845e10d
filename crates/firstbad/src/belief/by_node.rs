//! Numbers that the caller gives by revision.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// A number for some revisions.
pub(crate) type ByNode = hashbrown::HashMap<Node, f64>;

/// The numbers under full ids, which stay the same if a branch moves.
pub(crate) fn named<'a>(
    graph: &CommitGraph,
    numbers: impl IntoIterator<Item = (&'a Node, &'a f64)>,
) -> BTreeMap<String, f64> {
    let named: Vec<_> = numbers.into_iter().map(|(&node, &number)| (graph.id(node).to_owned(), number)).collect();
    named.into_iter().collect()
}

/// Resolves the revisions of `given` and checks their numbers.
///
/// # Errors
/// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for a name that is not one revision. [`Error::InvalidArgument`] for
/// an invalid number, and for two names of one revision.
pub(crate) fn numbers(
    graph: &CommitGraph,
    argument: &str,
    given: &BTreeMap<String, f64>,
    expected: &str,
    is_right: impl Fn(f64) -> bool,
) -> Result<ByNode, Error> {
    let mut numbers = ByNode::with_capacity(given.len());
    for (name, &number) in given {
        let node = graph.resolve(name, argument)?;
        if !number.is_finite() || !is_right(number) {
            return Err(Error::invalid(format!("{argument}[{name:?}]"), number, expected));
        }
        if numbers.insert(node, number).is_some() {
            let expected =
                format!("one number for each revision, but another name there also means {}", graph.id(node));
            return Err(Error::invalid(argument, name, expected));
        }
    }
    Ok(numbers)
}
