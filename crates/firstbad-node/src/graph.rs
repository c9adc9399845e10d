//! Commit graphs, built from compact parts and read one revision at a time or as one text.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Error, GraphBuilder};
use napi::bindgen_prelude::{Float64Array, Uint32Array};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::parsed;

/// The separator of ids. Passing many ids as one text is many times faster than passing them one by one.
const SEPARATOR: char = '\0';

/// A commit graph, shared with the searches on it.
#[napi]
pub struct BindingGraph {
    pub(crate) graph: Arc<CommitGraph>,
}

impl BindingGraph {
    pub(crate) fn new(graph: CommitGraph) -> Self {
        BindingGraph { graph: Arc::new(graph) }
    }

    fn node(&self, name: &str, argument: &str) -> napi::Result<Node> {
        firstbad_git::resolve(&self.graph, name, argument).map_err(thrown)
    }

    fn names(&self, nodes: impl Iterator<Item = Node>) -> Vec<String> {
        nodes.map(|node| self.graph.id(node).to_owned()).collect()
    }
}

/// Joins ids into one text.
pub(crate) fn joined<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for id in ids {
        text.push_str(id);
        text.push(SEPARATOR);
    }
    text.pop();
    text
}

/// Splits a text into `count` ids.
fn split(text: &str, count: usize) -> napi::Result<Vec<&str>> {
    let ids: Vec<&str> = if count == 0 { Vec::new() } else { text.split(SEPARATOR).collect() };
    if ids.len() == count {
        Ok(ids)
    } else {
        Err(thrown(Error::InvalidArgument {
            argument: "graph".into(),
            value: "an id that holds the character U+0000".into(),
            expected: "ids without it".into(),
        }))
    }
}

#[napi]
impl BindingGraph {
    /// Creates a graph from all ids, the number of parents of each, all parents' ids in that order, and optional times.
    #[napi(factory, catch_unwind)]
    pub fn from_parts(
        ids: String,
        counts: Uint32Array,
        parents: String,
        times: Float64Array,
    ) -> napi::Result<BindingGraph> {
        let total = counts.iter().map(|&count| count as usize).sum();
        let ids = split(&ids, counts.len())?;
        let mut parents = split(&parents, total)?.into_iter();
        let mut builder = GraphBuilder::new();
        for (id, &count) in ids.into_iter().zip(counts.iter()) {
            builder.revision(id, parents.by_ref().take(count as usize));
        }
        for &time in times.iter() {
            builder.time(time as i64);
        }
        builder.build().map(BindingGraph::new).map_err(thrown)
    }

    /// Creates a graph from `count` ids, oldest first.
    #[napi(factory, catch_unwind)]
    pub fn linear(ids: String, count: u32) -> napi::Result<BindingGraph> {
        CommitGraph::linear(split(&ids, count as usize)?).map(BindingGraph::new).map_err(thrown)
    }

    /// Creates a graph from `count` versions in any order, which `scheme` parses.
    #[napi(factory, catch_unwind)]
    pub fn from_versions(versions: String, count: u32, scheme: String) -> napi::Result<BindingGraph> {
        let scheme = scheme.parse().map_err(thrown)?;
        CommitGraph::from_versions(split(&versions, count as usize)?, scheme).map(BindingGraph::new).map_err(thrown)
    }

    /// Creates a graph from `count` ids, which are pairs of parent and child.
    #[napi(factory, catch_unwind)]
    pub fn from_edges(ids: String, count: u32) -> napi::Result<BindingGraph> {
        let ids = split(&ids, count as usize)?;
        let edges = ids.chunks_exact(2).map(|edge| (edge[0], edge[1]));
        CommitGraph::from_edges(edges).map(BindingGraph::new).map_err(thrown)
    }

    /// Creates a graph from the output of `toJson`.
    #[napi(factory, catch_unwind)]
    pub fn from_json(text: String) -> napi::Result<BindingGraph> {
        CommitGraph::from_json(&text).map(BindingGraph::new).map_err(thrown)
    }

    /// Returns the complete graph as JSON.
    #[napi(catch_unwind)]
    pub fn to_json(&self) -> napi::Result<String> {
        self.graph.to_json().map_err(thrown)
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.graph.len() as u32
    }

    /// Returns the path of the repository that the graph is from, if any.
    #[napi(getter)]
    pub fn repository(&self) -> Option<String> {
        self.graph.origin().map(|origin| origin.repository.clone())
    }

    /// Returns whether the graph follows only first parents.
    #[napi(getter)]
    pub fn first_parent(&self) -> bool {
        self.graph.origin().is_some_and(|origin| origin.first_parent)
    }

    #[napi(catch_unwind)]
    pub fn id(&self, place: u32) -> Option<String> {
        ((place as usize) < self.graph.len()).then(|| self.graph.id(place).to_owned())
    }

    /// Returns all ids as one text, parents first.
    #[napi(catch_unwind)]
    pub fn ids(&self) -> String {
        joined(self.graph.ids())
    }

    #[napi(catch_unwind)]
    pub fn has(&self, id: String) -> bool {
        self.graph.get(&id).is_some()
    }

    #[napi(catch_unwind)]
    pub fn resolve(&self, name: String) -> napi::Result<String> {
        Ok(self.graph.id(self.node(&name, "name")?).to_owned())
    }

    #[napi(catch_unwind)]
    pub fn parents(&self, id: String) -> napi::Result<Vec<String>> {
        let node = self.node(&id, "id")?;
        Ok(self.names(self.graph.parents(node).iter().copied()))
    }

    #[napi(catch_unwind)]
    pub fn children(&self, id: String) -> napi::Result<Vec<String>> {
        let node = self.node(&id, "id")?;
        Ok(self.names(self.graph.children(node).iter().copied()))
    }

    #[napi(catch_unwind)]
    pub fn roots(&self) -> Vec<String> {
        self.names(self.graph.roots())
    }

    #[napi(catch_unwind)]
    pub fn leaves(&self) -> Vec<String> {
        self.names(self.graph.leaves())
    }

    #[napi(catch_unwind)]
    pub fn is_ancestor(&self, ancestor: String, revision: String) -> napi::Result<bool> {
        Ok(self.graph.is_ancestor(self.node(&ancestor, "ancestor")?, self.node(&revision, "revision")?))
    }

    /// Returns the suspects of a search with these options.
    #[napi(catch_unwind)]
    pub fn suspects(&self, options: String) -> napi::Result<Vec<String>> {
        let config = firstbad::json::options(&parsed("options", &options)?);
        config.and_then(|config| firstbad_git::suspects(&self.graph, &config)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn distance(&self, ancestor: String, revision: String) -> napi::Result<Option<u32>> {
        Ok(self.graph.distance(self.node(&ancestor, "ancestor")?, self.node(&revision, "revision")?))
    }

    /// Returns the graph's card, or only its picture. A report, given by its algorithm and as JSON, is shown in the graph.
    #[napi(catch_unwind)]
    pub fn card(&self, algorithm: Option<String>, report: Option<String>, alone: bool) -> napi::Result<String> {
        let read = |(algorithm, text): (String, String)| firstbad::Report::from_json(&algorithm, &text);
        let report = algorithm.zip(report).map(read).transpose().map_err(thrown)?;
        let draw = if alone { firstbad_report::card::graph_svg } else { firstbad_report::card::graph };
        Ok(draw(&self.graph, report.as_ref()))
    }

    #[napi(catch_unwind)]
    pub fn dot(&self) -> String {
        firstbad_report::draw::dot(&self.graph)
    }

    #[napi(catch_unwind)]
    pub fn mermaid(&self) -> String {
        firstbad_report::draw::mermaid(&self.graph)
    }
}
