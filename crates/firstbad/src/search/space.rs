use std::sync::Arc;

use super::probe::Key;
use super::target::Target;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// The world in which a search looks for its result.
#[derive(Debug, Clone)]
pub enum World {
    /// A history.
    History(Arc<CommitGraph>),
    /// A number of items.
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

/// The meaning of an algorithm's keys, with a fingerprint of the world.
pub trait Space: Send + Sync {
    /// The kind of world.
    type World: TryFrom<World, Error = Error> + Into<World>;

    /// Returns the world.
    fn world(&self) -> Self::World;

    /// Returns a fingerprint of the part of the world that affects the search. A snapshot with another fingerprint is rejected.
    fn fingerprint(&self) -> String;

    /// Returns the target of a key.
    fn target(&self, key: Key) -> Target;

    /// Returns the key of a target.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if the target does not name one revision.
    /// [`Error::InvalidArgument`] if the target is of another kind.
    fn key(&mut self, target: &Target) -> Result<Key, Error>;

    /// Creates the error for a second outcome that differs from the first one. `first` and `second` describe both outcomes.
    fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        Error::Contradiction { revision: self.target(key).to_string(), first, second }
    }
}

/// The revisions of a commit graph. Keys are [nodes](Node).
#[derive(Debug, Clone)]
pub struct History {
    graph: Arc<CommitGraph>,
    tips: Vec<Node>,
}

impl History {
    /// Creates a space in which only `tips` and their ancestors matter.
    #[must_use]
    pub fn new(graph: Arc<CommitGraph>, tips: Vec<Node>) -> Self {
        History { graph, tips }
    }

    /// Returns the commit graph.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        &self.graph
    }
}

impl Space for History {
    type World = Arc<CommitGraph>;

    fn world(&self) -> Arc<CommitGraph> {
        Arc::clone(&self.graph)
    }

    fn fingerprint(&self) -> String {
        self.graph.fingerprint(&self.tips)
    }

    fn target(&self, key: Key) -> Target {
        self.graph.id(key).into()
    }

    fn key(&mut self, target: &Target) -> Result<Key, Error> {
        match target {
            Target { revision: Some(revision), changes: None, tests: None, .. } => {
                self.graph.resolve(revision, "revision")
            }
            other => {
                Err(Error::invalid("revision", other.to_string(), "a revision: this search tests whole revisions"))
            }
        }
    }
}
