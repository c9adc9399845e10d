//! Numbers that a caller gives for revisions.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// A number for some of the revisions.
pub(crate) type ByNode = hashbrown::HashMap<Node, f64>;

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

/// How likely each revision is the culprit, before anything is asked: weights as they were given.
#[derive(Debug, Clone)]
pub(crate) struct PriorWeights {
    weights: ByNode,
    /// The weight of what is not named: the least one above 0.
    least: f64,
    sum: f64,
}

/// The part of the mass that is spread evenly where no revision may be impossible.
const EVEN: f64 = 0.01;

impl PriorWeights {
    /// # Errors
    /// As [`numbers`], about the argument `prior`.
    pub(crate) fn of(graph: &CommitGraph, prior: &BTreeMap<String, f64>) -> Result<Self, Error> {
        let weights = numbers(graph, "prior", prior, "a finite weight, 0 or above", |weight| weight >= 0.0)?;
        let least = weights.values().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        let sum = weights.values().sum();
        Ok(PriorWeights { weights, least, sum })
    }

    /// The weights as they were given, under full ids.
    pub(crate) fn named(&self, graph: &CommitGraph) -> BTreeMap<String, f64> {
        self.weights.iter().map(|(&node, &weight)| (graph.id(node).to_owned(), weight)).collect()
    }

    /// The weight of a revision, 0 or above.
    pub(crate) fn weight(&self, node: Node) -> f64 {
        self.weights.get(&node).copied().unwrap_or(self.least)
    }

    /// The weight of a revision, above 0: no prior makes a search blind.
    pub(crate) fn possible(&self, node: Node) -> f64 {
        if self.sum > 0.0 && self.sum.is_finite() {
            (1.0 - EVEN) * self.weight(node) / self.sum + EVEN / self.weights.len() as f64
        } else {
            1.0
        }
    }
}
