//! The targets of a triage: revisions with sets of tests.

use std::sync::Arc;

use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{ChangeSet, Key, Space, Target, Targets};

/// The revisions with the tests to run there, as indices into the configuration's list.
#[derive(Debug, Clone)]
pub struct Suite {
    targets: Targets,
    tests: usize,
}

impl Suite {
    pub(super) fn new(graph: Arc<CommitGraph>, tips: Vec<Node>, tests: usize) -> Self {
        Suite { targets: Targets::new(graph, tips), tests }
    }

    /// Returns the key of tests at a revision. A new target gets a new key.
    pub(super) fn key_of(&mut self, node: Node, tests: ChangeSet) -> Key {
        let target = Target { tests: Some(tests), ..self.targets.graph().id(node).into() };
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
        if let Some(tests) = target.tests.as_ref().filter(|tests| tests.end() > self.tests) {
            let expected = format!("indices below {}, the number of tests", self.tests);
            return Err(Error::InvalidArgument { argument: "tests".into(), value: tests.to_string(), expected });
        }
        let graph = self.targets.graph();
        let revision = graph.id(graph.resolve(revision, "revision")?).to_owned();
        Ok(self.targets.key_of(Target { revision: Some(revision), ..target.clone() }))
    }
}
