//! What a search searches in, and what the keys of an algorithm stand for.

use std::sync::Arc;

use super::probe::Key;
use super::target::Target;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

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

/// What an algorithm searches in: what its keys stand for, and how the same world is known again.
pub trait Space: Send + Sync {
    /// What it is made of.
    type World: TryFrom<World, Error = Error> + Into<World>;

    /// What it was made of.
    fn world(&self) -> Self::World;

    /// A fingerprint over the part of the world that matters: a snapshot of another one is refused.
    fn fingerprint(&self) -> String;

    /// What a key stands for.
    fn target(&self, key: Key) -> Target;

    /// The key of a target that somebody names.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], [`Error::InvalidArgument`] for a target of another kind.
    fn key(&mut self, target: &Target) -> Result<Key, Error>;

    /// The error for a second answer that says otherwise, `first` and `second` in words.
    fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        Error::Contradiction { revision: self.target(key).to_string(), first, second }
    }
}

/// The revisions of a commit graph; a key is a [`Node`].
#[derive(Debug, Clone)]
pub struct History {
    graph: Arc<CommitGraph>,
    tips: Vec<Node>,
}

impl History {
    /// A history, of which the ancestors of `tips` matter.
    #[must_use]
    pub fn new(graph: Arc<CommitGraph>, tips: Vec<Node>) -> Self {
        History { graph, tips }
    }

    /// The graph.
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
            Target { revision: Some(revision), changes: None, .. } => self.graph.resolve(revision, "revision"),
            other => {
                Err(Error::invalid("revision", other.to_string(), "a revision: this search tests whole revisions"))
            }
        }
    }
}
