//! `BuildGraph`: which files a test depends on; made by hand, of what tools print, or of a source tree.

use std::path::PathBuf;
use std::sync::Arc;

use firstbad::Error;
use firstbad::suspicion::{BuildGraphBuilder, Change, RankOptions, rank};
use firstbad_build::{Folder, Loaded, Snapshot, SourceOptions, build_target_of_test};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::ranking::Ranking;
use crate::repository::Repository;
use crate::work::interruptible;

/// Targets, their files, and what they depend on.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct BuildGraph {
    graph: Arc<firstbad::suspicion::BuildGraph>,
    warnings: Vec<String>,
}

/// A target's name, files, folders, build file and dependencies.
type Target = (String, Vec<String>, Vec<String>, Option<String>, Vec<String>);

impl BuildGraph {
    fn made<M>(py: Python<'_>, make: M) -> PyResult<Self>
    where
        M: FnOnce() -> Result<Loaded, Error> + Send + 'static,
    {
        let Loaded { graph, warnings } = interruptible(py, make, drop)?.or_raise(py)?;
        Ok(BuildGraph { graph: Arc::new(graph), warnings })
    }
}

#[pymethods]
impl BuildGraph {
    #[new]
    fn new(py: Python<'_>, targets: Vec<Target>) -> PyResult<Self> {
        let mut builder = BuildGraphBuilder::new();
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

    /// Of what a tool prints.
    #[staticmethod]
    fn load(py: Python<'_>, kind: String, text: String, prefix: String) -> PyResult<Self> {
        Self::made(py, move || firstbad_build::load(&kind, &text, &prefix))
    }

    /// Of a folder.
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
        Self::made(py, move || {
            let folder = Folder::open(folder)?;
            let mut loaded = firstbad_build::read(&kind, &folder, &options)?;
            loaded.warnings.extend_from_slice(folder.unread());
            Ok(loaded)
        })
    }

    /// Of a revision's files.
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
        Self::made(py, move || {
            let tree = repository.tree(&revision, |path| firstbad_build::is_read(&kind, path))?;
            let source = Snapshot { paths: tree.paths, contents: tree.contents };
            let mut loaded = firstbad_build::read(&kind, &source, &options)?;
            loaded.warnings.extend(tree.unread);
            Ok(loaded)
        })
    }

    fn __len__(&self) -> usize {
        self.graph.len()
    }

    /// What a loader could not use.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The targets' names.
    fn targets(&self) -> Vec<&str> {
        self.graph.targets().collect()
    }

    /// Groups of targets that depend on one another.
    fn cycles(&self) -> Vec<Vec<&str>> {
        self.graph.cycles()
    }

    /// How many dependencies, and how many files.
    fn counts(&self) -> (usize, usize) {
        (self.graph.dependency_count(), self.graph.file_count())
    }

    /// What a target depends on directly.
    fn dependencies(&self, py: Python<'_>, target: &str) -> PyResult<Vec<&str>> {
        self.graph.direct_dependencies(target).or_raise(py)
    }

    /// The targets that a file belongs to.
    fn targets_of(&self, file: &str) -> Vec<&str> {
        self.graph.targets_of(file).collect()
    }

    /// The changes as suspects.
    fn rank(
        &self,
        py: Python<'_>,
        changes: Vec<(String, Vec<String>)>,
        test: String,
        by: &str,
        before: Option<&BuildGraph>,
    ) -> PyResult<Ranking> {
        let by = by.parse().or_raise(py)?;
        let (graph, before) = (Arc::clone(&self.graph), before.map(|before| Arc::clone(&before.graph)));
        let work = move || {
            let changes: Vec<Change> = changes.into_iter().map(|(id, files)| Change { id, files }).collect();
            let test = build_target_of_test(&graph, &test).unwrap_or(test);
            rank(&graph, &changes, &test, &RankOptions { by, before: before.as_deref() })
        };
        Ok(Ranking { ranking: interruptible(py, work, drop)?.or_raise(py)? })
    }
}
