//! What a search searches in: a history, or a number of items.

use std::sync::Arc;

use crate::error::Error;
use crate::graph::CommitGraph;

/// What a search searches in.
#[derive(Debug, Clone)]
pub enum World {
    /// A history.
    History(Arc<CommitGraph>),
    /// So many items.
    Items(usize),
}

impl From<Arc<CommitGraph>> for World {
    fn from(graph: Arc<CommitGraph>) -> Self {
        World::History(graph)
    }
}

impl From<usize> for World {
    fn from(items: usize) -> Self {
        World::Items(items)
    }
}

impl TryFrom<World> for Arc<CommitGraph> {
    type Error = Error;

    fn try_from(world: World) -> Result<Self, Error> {
        match world {
            World::History(graph) => Ok(graph),
            World::Items(items) => Err(Error::invalid("graph", items, "a commit graph")),
        }
    }
}

impl TryFrom<World> for usize {
    type Error = Error;

    fn try_from(world: World) -> Result<Self, Error> {
        match world {
            World::Items(items) => Ok(items),
            World::History(graph) => Err(Error::invalid("items", format!("{} revisions", graph.len()), "items")),
        }
    }
}
