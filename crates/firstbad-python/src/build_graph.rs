//! `BuildGraph`: the files that a test depends on, from targets, tool output, or a source tree.

use std::path::PathBuf;
use std::sync::Arc;

use firstbad::suspicion::{BuildGraphBuilder, BuildGraphKind, Changelist, PriorOptions, RankOptions, rank};
use firstbad::{Error, json};
use firstbad_build::{Loaded, Revisions, SourceOptions, Suspicion, content_beside, read_folder, suspects};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::graph::CommitGraph;
use crate::ranking::{CommitRanking, Ranking, Weights};
use crate::repository::Repository;
use crate::work::released;

/// Targets with their files and dependencies.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct BuildGraph {
    loaded: Arc<Loaded>,
    revisions: Option<Revisions>,
}

/// A build target's name, files, folders, build file, and dependencies.
type BuildTarget = (String, Vec<String>, Vec<String>, Option<String>, Vec<String>);

impl BuildGraph {
    fn made<M>(py: Python<'_>, make: M) -> PyResult<Self>
    where
        M: FnOnce() -> Result<Loaded, Error> + Send + 'static,
    {
        Self::sourced(py, move || Ok((make()?, None)))
    }

    /// Creates a graph that can be read again at other revisions, if it has a source.
    fn sourced<M>(py: Python<'_>, make: M) -> PyResult<Self>
    where
        M: FnOnce() -> Result<(Loaded, Option<Revisions>), Error> + Send + 'static,
    {
        let (loaded, revisions) = released(py, make, drop)?;
        Ok(BuildGraph { loaded: Arc::new(loaded), revisions })
    }

    pub(crate) fn graph(&self) -> &firstbad::suspicion::BuildGraph {
        &self.loaded.graph
    }
}

/// A ranking, an optional weight for each suspect, an optional warning, and an optional ranking by changed files.
type Suspected = (Ranking, Option<Weights>, Option<String>, Option<CommitRanking>);

/// Graphs at revisions.
pub(crate) type At<'py> = Vec<(String, PyRef<'py, BuildGraph>)>;

/// The graphs themselves.
pub(crate) type Graphs = Vec<(String, Arc<Loaded>)>;

pub(crate) fn graphs_at(given: &At<'_>) -> Graphs {
    given.iter().map(|(revision, graph)| (revision.clone(), Arc::clone(&graph.loaded))).collect()
}

pub(crate) fn named(graphs: &Graphs) -> Vec<(&str, &firstbad::suspicion::BuildGraph)> {
    graphs.iter().map(|(revision, loaded)| (revision.as_str(), &loaded.graph)).collect()
}

#[pymethods]
impl BuildGraph {
    #[new]
    fn new(py: Python<'_>, targets: Vec<BuildTarget>, partial: bool) -> PyResult<Self> {
        let mut builder = BuildGraphBuilder::new();
        builder.kind(if partial { BuildGraphKind::Partial } else { BuildGraphKind::Declared });
        for (name, files, folders, build_file, deps) in &targets {
            builder.target(name);
            for file in files {
                builder.file(file);
            }
            for folder in folders {
                builder.folder(folder);
            }
            if let Some(file) = build_file {
                builder.build_file(file);
            }
            for dep in deps {
                builder.dep(dep);
            }
        }
        Self::made(py, move || Ok(Loaded { graph: builder.build()?, warnings: Vec::new() }))
    }

    /// Creates a graph from the output of a tool.
    #[staticmethod]
    fn load(py: Python<'_>, kind: String, text: String, prefix: String) -> PyResult<Self> {
        Self::made(py, move || firstbad_build::load(&kind, &text, &prefix))
    }

    /// Reads the graph of a folder.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        kind: String,
        folder: PathBuf,
        roots: Vec<String>,
        data: bool,
        configuration: bool,
    ) -> PyResult<Self> {
        let options = SourceOptions { roots, data, configuration };
        Self::sourced(py, move || {
            let loaded = read_folder(&kind, &folder, &options)?;
            Ok((loaded, Revisions::of_folder(folder, kind, options)))
        })
    }

    /// Reads the graph of a revision.
    #[staticmethod]
    fn at(
        py: Python<'_>,
        repository: &Repository,
        revision: String,
        kind: String,
        roots: Vec<String>,
        data: bool,
        configuration: bool,
    ) -> PyResult<Self> {
        let options = SourceOptions { roots, data, configuration };
        let repository = repository.shared();
        Self::sourced(py, move || {
            let revisions = Revisions::new(repository, kind, options);
            Ok((revisions.at(&revision)?, Some(revisions)))
        })
    }

    /// Creates a graph from the output of `to_json`.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: String) -> PyResult<Self> {
        Self::sourced(py, move || Loaded::from_json(&text))
    }

    /// Returns the complete graph as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let (loaded, revisions) = (Arc::clone(&self.loaded), self.revisions.clone());
        released(py, move || loaded.to_json(revisions.as_ref()), drop)
    }

    fn __len__(&self) -> usize {
        self.graph().len()
    }

    /// Returns the warnings of the loader.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.loaded.warnings.clone()
    }

    /// Returns the names of the targets.
    fn targets(&self) -> Vec<&str> {
        self.graph().targets().collect()
    }

    /// Returns groups of targets that depend on each other.
    fn cycles(&self) -> Vec<Vec<&str>> {
        self.graph().cycles()
    }

    /// Returns the numbers of dependencies and of files.
    fn counts(&self) -> (usize, usize) {
        (self.graph().dependency_count(), self.graph().file_count())
    }

    /// Returns the direct dependencies of a target.
    fn dependencies(&self, py: Python<'_>, target: &str) -> PyResult<Vec<&str>> {
        self.graph().direct_dependencies(target).or_raise(py)
    }

    /// Returns the targets that contain a file.
    fn targets_of(&self, file: &str) -> Vec<&str> {
        self.graph().targets_of(file).collect()
    }

    /// Returns whether the graph has all inputs of its targets.
    #[getter]
    fn complete(&self) -> bool {
        self.graph().kind().knows_all_inputs()
    }

    /// Ranks changes, given as a JSON array.
    fn rank(
        &self,
        py: Python<'_>,
        changes: &str,
        tests: Vec<String>,
        by: &str,
        before: Option<&BuildGraph>,
        graphs: At<'_>,
    ) -> PyResult<Ranking> {
        let by = by.parse().or_raise(py)?;
        let changes: Vec<Changelist> = json::argument("changes", changes).or_raise(py)?;
        let (build, before) = (Arc::clone(&self.loaded), before.map(|before| Arc::clone(&before.loaded)));
        let graphs = graphs_at(&graphs);
        let work = move || {
            let before = before.as_ref().map(|before| &before.graph);
            rank(&build.graph, &changes, &tests, &RankOptions { by, before, graphs: &named(&graphs) })
        };
        Ok(Ranking { ranking: released(py, work, drop)? })
    }

    /// Returns the suspects of a search on `history`, an optional weight for each, an optional warning, and an optional ranking
    /// that also uses the changed files.
    #[allow(clippy::too_many_arguments, reason = "the Python face passes its options one by one")]
    fn suspects(
        &self,
        py: Python<'_>,
        history: &CommitGraph,
        changes: &str,
        tests: Vec<String>,
        bad: Vec<String>,
        good: Vec<String>,
        by: &str,
        exclude: bool,
        factors: Weights,
        before: Option<&BuildGraph>,
        graphs: At<'_>,
        prior: Option<&str>,
        are_read: bool,
    ) -> PyResult<Suspected> {
        let options = PriorOptions { by: by.parse().or_raise(py)?, exclude, factors, ..PriorOptions::default() };
        let changes: Vec<Changelist> = json::argument("changes", changes).or_raise(py)?;
        let content = content_beside(prior, are_read).or_raise(py)?;
        let (build, before) = (Arc::clone(&self.loaded), before.map(|before| Arc::clone(&before.loaded)));
        let (history, graphs, revisions) = (history.graph.clone(), graphs_at(&graphs), self.revisions.clone());
        let work = move || {
            let before = before.as_ref().map(|before| &before.graph);
            let (changes, tests, bad, good, options) = (&changes[..], &tests[..], &bad[..], &good[..], &options);
            let (build, revisions, graphs) = (&build.graph, revisions.as_ref(), &named(&graphs)[..]);
            suspects(
                &history,
                &Suspicion { build, revisions, before, graphs, changes, tests, bad, good, options, content },
            )
        };
        let found = released(py, work, drop)?;
        let content = found.content.map(CommitRanking::of);
        Ok((Ranking { ranking: found.ranking }, found.prior.weights, found.prior.warning, content))
    }
}

/// Returns the changes between two endpoints as a JSON array, or None if the graph is not from a repository.
#[pyfunction]
pub(crate) fn changes_between(
    py: Python<'_>,
    history: &CommitGraph,
    bad: Vec<String>,
    good: Vec<String>,
) -> PyResult<Option<String>> {
    let history = history.graph.clone();
    let found = released(py, move || firstbad_build::changes_between(&history, &bad, &good), drop)?;
    found.map(|found| json::text(&found)).transpose().or_raise(py)
}
