//! Targets of any kind, each met once: for algorithms that test changes on revisions.

use std::sync::Arc;

use hashbrown::HashMap;

use super::probe::Key;
use super::space::{History, Space};
use super::target::Target;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// Targets in a history: revisions, or changes on them; a key is the number of a target in the order in which they were met. What
/// the indices of changes name is the [universe](Target::universe)'s.
#[derive(Debug, Clone)]
pub struct Targets {
    history: History,
    targets: Vec<Target>,
    keys: HashMap<Target, Key>,
}

impl Targets {
    /// Targets in a history, of which the ancestors of `tips` matter.
    #[must_use]
    pub fn new(graph: Arc<CommitGraph>, tips: Vec<Node>) -> Self {
        Targets { history: History::new(graph, tips), targets: Vec::new(), keys: HashMap::new() }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Arc<CommitGraph> {
        self.history.graph()
    }

    /// The key of a target whose revision is a full id; a new one if it was never met.
    pub fn key_of(&mut self, target: Target) -> Key {
        if let Some(&key) = self.keys.get(&target) {
            return key;
        }
        let key = self.targets.len() as Key;
        self.targets.push(target.clone());
        self.keys.insert(target, key);
        key
    }

    /// The target that a key stands for.
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
        let Some(revision) = &target.revision else {
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
