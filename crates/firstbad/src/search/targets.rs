use std::sync::Arc;

use hashbrown::HashMap;

use super::probe::Key;
use super::space::{History, Space};
use super::target::Target;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// The targets of an algorithm that tests revisions and changes on revisions. The key of a target is its number in order of first
/// use. The [universe](Target::universe) gives the indices of changes their meaning.
#[derive(Debug, Clone)]
pub struct Targets {
    history: History,
    targets: Vec<Target>,
    keys: HashMap<Target, Key>,
}

impl Targets {
    /// Creates a space in which only `tips` and their ancestors matter.
    #[must_use]
    pub fn new(graph: Arc<CommitGraph>, tips: Vec<Node>) -> Self {
        Targets { history: History::new(graph, tips), targets: Vec::new(), keys: HashMap::new() }
    }

    /// Returns the commit graph.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        self.history.graph()
    }

    /// Returns the key of a target, whose revision must be a full id. A new target gets a new key.
    pub fn key_of(&mut self, target: Target) -> Key {
        if let Some(&key) = self.keys.get(&target) {
            return key;
        }
        let key = self.targets.len() as Key;
        self.targets.push(target.clone());
        self.keys.insert(target, key);
        key
    }

    /// Returns the target of a key.
    #[must_use]
    pub fn get(&self, key: Key) -> &Target {
        &self.targets[key as usize]
    }
}

impl Space for Targets {
    type World = Arc<CommitGraph>;

    fn world(&self) -> Arc<CommitGraph> {
        self.history.world()
    }

    fn fingerprint(&self) -> String {
        self.history.fingerprint()
    }

    fn target(&self, key: Key) -> Target {
        self.get(key).clone()
    }

    fn key(&mut self, target: &Target) -> Result<Key, Error> {
        let (Some(revision), None) = (&target.revision, &target.tests) else {
            return Err(Error::invalid("revision", target.to_string(), "a revision, with changes on it or without"));
        };
        let graph = self.graph();
        let revision = graph.id(graph.resolve(revision, "revision")?).to_owned();
        Ok(self.key_of(Target { revision: Some(revision), ..target.clone() }))
    }

    fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        match self.get(key) {
            Target { changes: None, .. } => Error::Contradiction { revision: self.get(key).to_string(), first, second },
            target => Error::NonDeterministic { changes: target.to_string(), first, second },
        }
    }
}
