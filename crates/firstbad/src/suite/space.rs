//! The targets of a triage: revisions with sets of tests.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{ChangeSet, Key, Space, Target, Targets};

/// The revisions with the tests to run there.
#[derive(Debug, Clone)]
pub struct Suite {
    targets: Targets,
    /// The ids of all tests that were ever searched. Undo takes back a report, but not the indices in it.
    ids: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Suite {
    pub(super) fn new(graph: Arc<CommitGraph>, tips: Vec<Node>) -> Self {
        Suite { targets: Targets::new(graph, tips), ids: Vec::new(), numbers: HashMap::new() }
    }

    /// Adds tests that are not known.
    pub(super) fn learn(&mut self, tests: &[String]) {
        for id in tests {
            self.numbers.entry_ref(id).or_insert_with(|| {
                self.ids.push(id.clone());
                self.ids.len() - 1
            });
        }
    }

    /// Returns the ids of the tests. The index of an id is the number of its test.
    pub(super) fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Returns the number of a test.
    pub(super) fn number(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied()
    }

    /// Returns the key of tests at a revision, or of the whole suite. A new target gets a new key.
    pub(super) fn key_of(&mut self, node: Node, tests: Option<ChangeSet>) -> Key {
        let target = Target { tests, ..self.targets.graph().id(node).into() };
        self.targets.key_of(target)
    }

    /// Returns the revision of a key.
    pub(super) fn node(&self, key: Key) -> Option<Node> {
        self.targets.graph().get(self.targets.get(key).revision.as_deref()?)
    }

    /// Returns the tests of a key, or `None` for all tests.
    pub(super) fn tests(&self, key: Key) -> Option<&ChangeSet> {
        self.targets.get(key).tests.as_ref()
    }
}

impl Space for Suite {
    type World = Arc<CommitGraph>;

    fn world(&self) -> Arc<CommitGraph> {
        self.targets.world()
    }

    fn fingerprint(&self) -> String {
        self.targets.fingerprint()
    }

    fn target(&self, key: Key) -> Target {
        self.targets.get(key).clone()
    }

    fn key(&mut self, target: &Target) -> Result<Key, Error> {
        let (Some(revision), None) = (&target.revision, &target.changes) else {
            let expected = "a revision with tests: this search tests whole revisions";
            return Err(Error::InvalidArgument {
                argument: "revision".into(),
                value: target.to_string(),
                expected: expected.into(),
            });
        };
        if let Some(tests) = target.tests.as_ref().filter(|tests| tests.end() > self.ids.len()) {
            let expected = format!("indices below {}, the number of tests", self.ids.len());
            return Err(Error::InvalidArgument { argument: "tests".into(), value: tests.to_string(), expected });
        }
        let graph = self.targets.graph();
        let revision = graph.id(graph.resolve(revision, "revision")?).to_owned();
        Ok(self.targets.key_of(Target { revision: Some(revision), ..target.clone() }))
    }
}
