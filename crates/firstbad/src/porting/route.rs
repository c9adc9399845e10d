//! The revisions that a search walks along, back and forward.

use super::config::PorterConfig;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// Returns the revisions from the start back, the start first.
pub(super) fn back(graph: &CommitGraph, start: Node, config: &PorterConfig) -> Result<Vec<Node>, Error> {
    if let Some(revisions) = &config.revisions {
        return listed(graph, start, revisions);
    }
    let oldest = config.oldest.as_ref().map(|name| ancestor(graph, start, "oldest", name)).transpose()?;
    let good = config.good.first().map(|name| ancestor(graph, start, "good", name)).transpose()?;
    if let (Some(good), Some(oldest)) = (good, oldest)
        && !graph.is_ancestor(oldest, good)
    {
        return Err(Error::invalid(
            "oldest",
            graph.id(oldest),
            format!("an ancestor of the good revision {}", graph.id(good)),
        ));
    }
    Ok(path(graph, start, good.or(oldest)))
}

/// Returns the revisions from the start to the target of the fix, the start first. If the target is on the way back, they continue
/// from there.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if the revision is neither an ancestor on the walk nor a descendant.
pub(super) fn onward(graph: &CommitGraph, back: &[Node], name: &str) -> Result<Vec<Node>, Error> {
    let to = graph.resolve(name, "forward")?;
    let start = back[0];
    if let Some(place) = back.iter().position(|&node| node == to) {
        return Ok(back[..=place].to_vec());
    }
    if !graph.is_ancestor(start, to) {
        let expected = format!("{}, a descendant of it, or a revision on the walk back from it", graph.id(start));
        return Err(Error::invalid("forward", name, expected));
    }
    let mut way = path(graph, to, Some(start));
    way.reverse();
    Ok(way)
}

fn ancestor(graph: &CommitGraph, start: Node, argument: &str, name: &str) -> Result<Node, Error> {
    let node = graph.resolve(name, argument)?;
    if node == start || !graph.is_ancestor(node, start) {
        return Err(Error::invalid(argument, name, format!("an ancestor of the start {}", graph.id(start))));
    }
    Ok(node)
}

/// Returns first parents from `from` on. With an `end`, it follows the first parent that descends from it.
fn path(graph: &CommitGraph, from: Node, end: Option<Node>) -> Vec<Node> {
    let newer = end.map(|end| graph.descendants(&[end]));
    let leads = |node: Node| newer.as_ref().is_none_or(|newer| newer.contains(node as usize));
    let mut way = vec![from];
    let mut at = from;
    while Some(at) != end
        && let Some(&parent) = graph.parents(at).iter().find(|&&parent| leads(parent))
    {
        way.push(parent);
        at = parent;
    }
    way
}

fn listed(graph: &CommitGraph, start: Node, revisions: &[String]) -> Result<Vec<Node>, Error> {
    let mut way = vec![start];
    for (place, name) in revisions.iter().enumerate() {
        let argument = format!("revisions[{place}]");
        let node = graph.resolve(name, &argument)?;
        let newer = way[way.len() - 1];
        if node == newer && place == 0 {
            continue;
        }
        if node == newer || !graph.is_ancestor(node, newer) {
            return Err(Error::invalid(argument, name, format!("an ancestor of {}, newest first", graph.id(newer))));
        }
        way.push(node);
    }
    if way.len() == 1 {
        return Err(Error::invalid("revisions", graph.id(start), "at least one revision older than the start"));
    }
    Ok(way)
}
