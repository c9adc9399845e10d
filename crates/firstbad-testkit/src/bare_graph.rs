//! Large commit graphs without outcomes, for measuring time and memory.

use std::path::Path;
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, GraphBuilder};
use serde::Deserialize;

use crate::Failure;
use crate::recorded::read;

#[derive(Deserialize)]
struct GraphFile {
    repo: String,
    head: String,
    head_index: Node,
    tips: Vec<Node>,
    time_first: i64,
    time_delta: Vec<i64>,
    parent_back_offsets: Vec<Vec<Node>>,
}

/// A graph without outcomes.
#[derive(Debug)]
pub struct BareGraph {
    /// The repository as `owner/name`.
    pub repo: String,
    /// The head revision at the time of recording.
    pub head: String,
    /// The node of the head.
    pub head_node: Node,
    /// The tips of branches.
    pub tips: Vec<Node>,
    /// The graph. Ids are derived from the commits' numbers.
    pub graph: Arc<CommitGraph>,
}

impl BareGraph {
    /// Reads one file.
    ///
    /// # Errors
    /// [`Failure`] if the file cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file: GraphFile = read(path)?;
        let mut builder = GraphBuilder::new();
        let mut time = file.time_first;
        for (i, (delta, offsets)) in file.time_delta.iter().zip(&file.parent_back_offsets).enumerate() {
            time += delta;
            let parents: Vec<Node> = offsets.iter().map(|offset| i as Node - offset).collect();
            builder.numbered_revision(&format!("{i:012x}"), &parents).time(time);
        }
        let graph = builder.build().map_err(|error| Failure::new(&format!("reading {}", path.display()), error))?;
        Ok(BareGraph {
            repo: file.repo,
            head: file.head,
            head_node: file.head_index,
            tips: file.tips,
            graph: graph.into(),
        })
    }
}
