use super::{CommitGraph, Node};
use crate::error::Error;
use crate::words::printable::as_given;

/// The endpoints of a search with one bad revision.
pub(crate) struct Ends {
    pub(crate) bad: Node,
    pub(crate) good: Vec<Node>,
}

impl Ends {
    /// Resolves the bad revision and the good ones, which are its ancestors or itself. The default is its roots.
    pub(crate) fn new(graph: &CommitGraph, bad: &[String], good: &[String]) -> Result<Self, Error> {
        let [bad] = bad else {
            return Err(Error::invalid("bad", bad, "exactly one revision"));
        };
        let (given, bad) = (bad, graph.resolve(bad, "bad")?);
        let mut ends = Ends { bad, good: Vec::new() };
        for name in good {
            let node = graph.resolve(name, "good")?;
            if !graph.is_ancestor(node, bad) {
                let as_bad = as_given(given, graph.id(bad));
                let expected = format!("bad, {as_bad}, or an ancestor of it: another branch says nothing about it");
                let value = as_given(name, graph.id(node));
                return Err(Error::InvalidArgument { argument: "good".to_owned(), value, expected });
            }
            if !ends.good.contains(&node) {
                ends.good.push(node);
            }
        }
        if ends.good.is_empty() {
            let history = graph.ancestors(&[bad]);
            ends.good = graph.roots().filter(|&root| history.contains(root as usize)).collect();
        }
        Ok(ends)
    }

    /// Returns the good revision that the search runs.
    pub(crate) fn first_good(&self) -> Node {
        self.good.first().copied().unwrap_or(self.bad)
    }
}
