//! Numbers that a caller gives for revisions.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// A number for some of the revisions.
pub(crate) type ByNode = hashbrown::HashMap<Node, f64>;

/// The numbers under the full ids of their revisions, which a branch that moves does not change.
pub(crate) fn named<'a>(
    graph: &CommitGraph,
    numbers: impl IntoIterator<Item = (&'a Node, &'a f64)>,
) -> BTreeMap<String, f64> {
    let named: Vec<_> = numbers.into_iter().map(|(&node, &number)| (graph.id(node).to_owned(), number)).collect();
    named.into_iter().collect()
}

/// Numbers by revision, each of which is right.
///
/// # Errors
/// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] for a number that is not right, and
/// two for one revision.
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
                format!("one number for each revision; another name there stands for {} too", graph.id(node));
            return Err(Error::invalid(argument, name, expected));
        }
    }
    Ok(numbers)
}
