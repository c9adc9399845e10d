//! Builds that go on from what the last one left: among revisions that tell as much, the one with the fewest files changed
//! since the revision that was tested last, which a work tree holds.
//!
//! An incremental build costs about what it has to build anew. How many files that is follows from what each revision between
//! the two changes: the sum of it, so a file counts as often as it is changed. Along a line that puts revisions in the same
//! order as the files that differ do. Where several revisions are chosen to be tested side by side the trees are spread over
//! the suspects as these are, and nothing was saved by moving them nearer.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::belief::{ByNode, named, numbers};
use crate::error::Error;
use crate::graph::{AncestorSums, CommitGraph, Node, flood};

/// What a build has to do anew, where work trees keep what was built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid type, expected true, false, or the number of files that each revision changes")]
pub enum Incremental {
    /// Whether builds are incremental. In a git repository who opens a search reads how many files each revision changes, and
    /// puts that in its place; elsewhere each changes as much.
    Named(bool),
    /// How many files each revision changes, 0 or above; one that is not named changes 1.
    Files(BTreeMap<String, f64>),
}

/// What the revisions change, in the part of the history that is searched.
#[derive(Debug)]
pub(super) struct Builds {
    /// The newer ends and their ancestors, less the older ends and theirs.
    span: FixedBitSet,
    /// By revision; 1 for others.
    files: ByNode,
}

impl Builds {
    /// # Errors
    /// Those of [`numbers`].
    pub(super) fn new(
        graph: &CommitGraph,
        given: &Incremental,
        newer: &[Node],
        older: &[Node],
    ) -> Result<Option<Self>, Error> {
        let files = match given {
            Incremental::Named(false) => return Ok(None),
            Incremental::Named(true) => ByNode::new(),
            Incremental::Files(files) => {
                numbers(graph, "incremental", files, "a finite number of files, 0 or above", |files| files >= 0.0)?
            }
        };
        let mut span = graph.ancestors(newer);
        span.difference_with(&graph.ancestors(older));
        Ok(Some(Builds { span, files }))
    }

    /// The same as it was given, under full ids, which a branch that moves does not change.
    pub(super) fn named(&self, graph: &CommitGraph) -> Incremental {
        if self.files.is_empty() {
            return Incremental::Named(true);
        }
        Incremental::Files(named(graph, &self.files))
    }

    /// How far revisions are from the one that the work tree holds which was used last.
    pub(super) fn near(&self, graph: &CommitGraph, held: Node) -> Near {
        let mut below = graph.none();
        if self.span.contains(held as usize) {
            flood(&mut below, held, |node| graph.parents(node), |node| self.span.contains(node as usize));
        }
        let files = |node: usize| self.files.get(&(node as Node)).copied().unwrap_or(1.0);
        let signed = |node: usize| if below.contains(node) { -files(node) } else { files(node) };
        let weights: Vec<f64> = self.span.ones().map(signed).collect();
        Near(AncestorSums::new(graph, &self.span, &weights))
    }
}

/// How near revisions are to one: what each and its ancestors change and that one and its ancestors do not, less what both
/// change. With all that the one and its ancestors change added that is the number of files changed between the two.
pub(super) struct Near(AncestorSums);

impl Near {
    fn files(&self, node: Node) -> f64 {
        self.0.get(node).unwrap_or(f64::INFINITY)
    }

    /// The nearest of `best` and others that are as good; of equals the first.
    pub(super) fn nearest<T: Copy>(&self, best: T, others: impl Iterator<Item = T>, node: impl Fn(T) -> Node) -> T {
        let nearer = |(near, least): (T, f64), other: T| {
            let files = self.files(node(other));
            if files < least { (other, files) } else { (near, least) }
        };
        others.fold((best, self.files(node(best))), nearer).0
    }
}
