//! `CommitGraph`: a graph of the core, shared without a copy.

use firstbad::json;
use std::sync::Arc;

use firstbad::graph::Node;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::graph_input;
use crate::work::{LARGE, released};

/// A directed acyclic graph of revisions.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct CommitGraph {
    pub(crate) graph: Arc<firstbad::CommitGraph>,
}

impl CommitGraph {
    /// Creates a graph without the interpreter's lock.
    pub(crate) fn make<M>(py: Python<'_>, make: M) -> PyResult<Self>
    where
        M: FnOnce() -> Result<firstbad::CommitGraph, firstbad::Error> + Send + 'static,
    {
        let graph = released(py, make, drop)?;
        Ok(CommitGraph { graph: Arc::new(graph) })
    }

    fn names(&self, nodes: &[Node]) -> Vec<&str> {
        nodes.iter().map(|&node| self.graph.id(node)).collect()
    }

    fn node(&self, py: Python<'_>, name: &str, argument: &str) -> PyResult<Node> {
        firstbad_git::resolve(&self.graph, name, argument).or_raise(py)
    }

    fn walk<T, W>(&self, py: Python<'_>, work: W) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&firstbad::CommitGraph) -> Result<T, firstbad::Error> + Send + 'static,
    {
        let graph = Arc::clone(&self.graph);
        if graph.len() < LARGE { work(&graph).or_raise(py) } else { released(py, move || work(&graph), drop) }
    }
}

#[pymethods]
impl CommitGraph {
    #[new]
    #[pyo3(signature = (revisions, times=None))]
    fn new(revisions: &Bound<'_, PyAny>, times: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let builder = graph_input::revisions(revisions, times)?;
        Self::make(revisions.py(), move || builder.build())
    }

    /// Creates a graph from a list of ids, oldest first.
    #[staticmethod]
    fn linear(ids: &Bound<'_, PyAny>) -> PyResult<Self> {
        let names = graph_input::ids(ids, "ids")?;
        Self::make(ids.py(), move || firstbad::CommitGraph::linear(names))
    }

    /// Creates a graph from versions in any order, which `scheme` parses.
    #[staticmethod]
    fn from_versions(versions: &Bound<'_, PyAny>, scheme: &str) -> PyResult<Self> {
        let scheme = scheme.parse().or_raise(versions.py())?;
        let names = graph_input::ids(versions, "versions")?;
        Self::make(versions.py(), move || firstbad::CommitGraph::from_versions(names, scheme))
    }

    /// Creates a graph from (parent, child) pairs.
    #[staticmethod]
    fn from_edges(edges: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pairs = graph_input::edges(edges)?;
        Self::make(edges.py(), move || firstbad::CommitGraph::from_edges(pairs))
    }

    /// Creates a graph from the output of `to_json`.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: String) -> PyResult<Self> {
        Self::make(py, move || firstbad::CommitGraph::from_json(&text))
    }

    /// Returns the complete graph as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.walk(py, firstbad::CommitGraph::to_json)
    }

    /// The path of the repository that the graph is from, or `None`.
    #[getter]
    fn repository(&self) -> Option<&str> {
        self.graph.origin().map(|origin| origin.repository.as_str())
    }

    /// Whether the graph follows only first parents.
    #[getter]
    fn first_parent(&self) -> bool {
        self.graph.origin().is_some_and(|origin| origin.first_parent)
    }

    fn __len__(&self) -> usize {
        self.graph.len()
    }

    fn __contains__(&self, id: &str) -> bool {
        self.graph.get(id).is_some()
    }

    /// Returns the ids with the ranks from `start` to `stop`, parents first.
    fn ids(&self, start: usize, stop: usize) -> Vec<&str> {
        let stop = stop.min(self.graph.len());
        (start.min(stop)..stop).map(|node| self.graph.id(node as Node)).collect()
    }

    /// Returns the rank of exactly this id.
    fn rank(&self, id: &str) -> Option<u32> {
        self.graph.get(id)
    }

    /// Returns the time of the revision with this rank.
    fn time(&self, rank: u32) -> Option<i64> {
        ((rank as usize) < self.graph.len()).then(|| self.graph.time(rank))
    }

    /// Returns the id for a name.
    fn resolve(&self, py: Python<'_>, name: &str) -> PyResult<&str> {
        Ok(self.graph.id(self.node(py, name, "name")?))
    }

    /// Returns the parents' ids in their order.
    fn parents(&self, py: Python<'_>, revision: &str) -> PyResult<Vec<&str>> {
        Ok(self.names(self.graph.parents(self.node(py, revision, "revision")?)))
    }

    /// Returns the children's ids, oldest first.
    fn children(&self, py: Python<'_>, revision: &str) -> PyResult<Vec<&str>> {
        Ok(self.names(self.graph.children(self.node(py, revision, "revision")?)))
    }

    /// Returns the ids without parents.
    fn roots(&self) -> Vec<&str> {
        self.graph.roots().map(|node| self.graph.id(node)).collect()
    }

    /// Returns the ids without children.
    fn leaves(&self) -> Vec<&str> {
        self.graph.leaves().map(|node| self.graph.id(node)).collect()
    }

    /// Returns the number of edges on a shortest path from the ancestor to the revision.
    fn distance(&self, py: Python<'_>, ancestor: &str, revision: &str) -> PyResult<Option<u32>> {
        let (from, to) = (self.node(py, ancestor, "ancestor")?, self.node(py, revision, "revision")?);
        self.walk(py, move |graph| Ok(graph.distance(from, to)))
    }

    /// Returns the suspects of a search with these options.
    fn suspects(&self, py: Python<'_>, options: String) -> PyResult<Vec<String>> {
        self.walk(py, move |graph| {
            firstbad_git::suspects(graph, &json::options(&json::argument("options", &options)?)?)
        })
    }

    /// Returns the graph's card, or only its picture. A report, given by its algorithm and as JSON, is shown in the graph.
    #[pyo3(signature = (report, alone))]
    fn card(&self, py: Python<'_>, report: Option<(String, String)>, alone: bool) -> PyResult<String> {
        let read = |(algorithm, text): (String, String)| firstbad::Report::from_json(&algorithm, &text);
        let report = report.map(read).transpose().or_raise(py)?;
        let draw = if alone { firstbad_report::card::graph_svg } else { firstbad_report::card::graph };
        self.walk(py, move |graph| Ok(draw(graph, report.as_ref())))
    }

    /// Returns the graph in Graphviz's language.
    fn dot(&self, py: Python<'_>) -> PyResult<String> {
        self.walk(py, |graph| Ok(firstbad_report::draw::dot(graph)))
    }

    /// Returns the graph in Mermaid's language.
    fn mermaid(&self, py: Python<'_>) -> PyResult<String> {
        self.walk(py, |graph| Ok(firstbad_report::draw::mermaid(graph)))
    }
}
