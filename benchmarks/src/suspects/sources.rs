//! The import graphs and changes of a project's repository.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use firstbad::suspicion::{BuildGraph, Changelist};
use firstbad_build::{Loaded, Snapshot, SourceOptions, is_read, read};
use firstbad_git::{Merges, Repository};

/// An import graph, or the reason why there is none.
type Graph = Result<Rc<Loaded>, String>;

/// A repository, and what was read from it so far.
pub(super) struct Sources {
    repository: Repository,
    snapshots: HashMap<(String, &'static str), Rc<Snapshot>>,
    graphs: HashMap<(String, String, String), Graph>,
}

/// The file of a test, and the folder of tests above it.
#[derive(Debug, Clone)]
pub(super) struct TestFile {
    pub(super) path: String,
    pub(super) folder: String,
    revision: String,
    kind: &'static str,
}

impl Sources {
    /// Opens a repository.
    pub(super) fn open(path: &Path) -> Result<Sources, String> {
        let repository = Repository::open(path).map_err(|error| error.to_string())?;
        Ok(Sources { repository, snapshots: HashMap::new(), graphs: HashMap::new() })
    }

    /// Returns the changes of commits, as `find_culprit` reads them, with ids of 12 digits, as recorded histories have them.
    pub(super) fn changes(&self, good: &str, bad: &str) -> Result<Vec<Changelist>, String> {
        let found = self.repository.changes(&[good.to_owned()], &[bad.to_owned()], Merges::Own);
        let mut found = found.map_err(|error| error.to_string())?;
        for change in &mut found {
            change.parents.iter_mut().chain([&mut change.id]).for_each(|id| id.truncate(12));
        }
        Ok(found)
    }

    fn snapshot(&mut self, revision: &str, kind: &'static str) -> Result<Rc<Snapshot>, String> {
        let key = (revision.to_owned(), kind);
        if let Some(known) = self.snapshots.get(&key) {
            return Ok(known.clone());
        }
        let tree = self.repository.tree(revision, |path| is_read(kind, path)).map_err(|error| error.to_string())?;
        let snapshot = Rc::new(Snapshot { paths: tree.paths, contents: tree.contents });
        self.snapshots.insert(key, snapshot.clone());
        Ok(snapshot)
    }

    /// Finds the file of a recorded test in its revision: at its path, below a folder of tests, or as the only file whose path
    /// ends with it.
    pub(super) fn locate(&mut self, file: &str, revision: &str) -> Result<TestFile, String> {
        let kind = if file.ends_with(".py") { "python" } else { "javascript" };
        let snapshot = self.snapshot(revision, kind)?;
        let known = |path: &String| snapshot.paths.contains(path);
        let beside = ["", "test/", "tests/"].iter().map(|folder| format!("{folder}{file}")).find(known);
        let ending = format!("/{file}");
        let mut alike = snapshot.paths.iter().filter(|path| path.ends_with(&ending));
        let only = || alike.next().filter(|_| alike.next().is_none()).cloned();
        let path = beside.or_else(only).ok_or_else(|| format!("no file for the test {file}"))?;
        let mut folder = String::new();
        for part in path.split('/') {
            folder.push_str(part);
            folder.push('/');
            if matches!(part, "test" | "tests") {
                break;
            }
        }
        if !path.starts_with(&folder) {
            return Err(format!("{path} is in no folder of tests"));
        }
        Ok(TestFile { path, folder, revision: revision.to_owned(), kind })
    }

    /// Returns the import graph at a revision, with the recorded tests in place of its own.
    pub(super) fn graph(&mut self, revision: &str, test: &TestFile) -> Graph {
        let key = (revision.to_owned(), test.revision.clone(), test.folder.clone());
        if let Some(known) = self.graphs.get(&key) {
            return known.clone();
        }
        let graph = self.graph_anew(revision, test);
        self.graphs.insert(key, graph.clone());
        graph
    }

    fn graph_anew(&mut self, revision: &str, test: &TestFile) -> Graph {
        let mut source = (*self.snapshot(revision, test.kind)?).clone();
        let tests = self.snapshot(&test.revision, test.kind)?;
        for path in tests.paths.iter().filter(|path| path.starts_with(&test.folder)) {
            if !source.paths.contains(path) {
                source.paths.push(path.clone());
            }
            if let Some(content) = tests.contents.get(path) {
                source.contents.insert(path.clone(), content.clone());
            }
        }
        let loaded = read(test.kind, &source, &SourceOptions::default()).map_err(|error| error.to_string())?;
        Ok(Rc::new(loaded))
    }
}

/// Returns the target of a test in a graph.
pub(super) fn target(graph: &BuildGraph, test: &TestFile) -> Result<String, String> {
    graph.target_of_test(&test.path).map(str::to_owned).ok_or_else(|| "the test is no target".to_owned())
}
