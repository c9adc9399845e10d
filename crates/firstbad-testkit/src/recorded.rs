//! Recorded histories: commit graphs of public projects with the measured outcomes of real tests at every commit. The format is
//! that of `benchmarks/record.py`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, GraphBuilder, Outcome};
use serde::Deserialize;

use crate::Failure;
use crate::replay::Case;

/// A project's history with the outcomes of its tests.
#[derive(Debug)]
pub struct History {
    /// The repository as `owner/name`.
    pub repo: String,
    /// The head revision at the time of recording.
    pub head: String,
    /// The graph. A commit's node is its position in the file.
    pub graph: Arc<CommitGraph>,
    /// The tips of branches and pull requests without duplicates, in the order of the file.
    pub tips: Vec<Node>,
    /// The distinct validity functions.
    pub functions: Vec<Function>,
}

/// A validity function: tests that had the same outcome at every commit.
#[derive(Debug)]
pub struct Function {
    /// The name of one of the tests.
    pub name: String,
    /// The revision whose version of the test runs everywhere, or an empty string if the file does not contain it.
    pub tests_from: String,
    /// The outcome at every commit.
    pub outcomes: Vec<Outcome>,
}

/// The choice of instances of a history.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The maximum number of functions, spread evenly over the list.
    pub functions: usize,
    /// The maximum number of leaves per function and polarity, spread evenly over the tips.
    pub tips: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { functions: 25, tips: 6 }
    }
}

/// A search problem with all of its outcomes.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The index of the function.
    pub function: usize,
    /// Whether pass and fail are exchanged.
    pub swapped: bool,
    /// The graph, outcomes, and endpoints.
    pub case: Case,
}

#[derive(Deserialize)]
struct HistoryFile {
    repo: String,
    head: String,
    tips: Vec<Tip>,
    commits: Vec<Commit>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Tip {
    index: Node,
}

#[derive(Deserialize)]
struct Commit {
    id: String,
    parents: Vec<Node>,
    time: i64,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    #[serde(default)]
    tests_from: String,
    outcomes: String,
}

/// Returns all `*.json.gz` files of a folder, sorted by name.
///
/// # Errors
/// [`Failure`] if the folder cannot be read or has no such file.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failure = |error: std::io::Error| Failure::new(&format!("reading the folder {}", folder.display()), error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        if path.to_string_lossy().ends_with(".json.gz") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(Failure(format!("no *.json.gz in {}", folder.display())));
    }
    Ok(paths)
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let action = format!("reading {}", path.display());
    let file = std::fs::File::open(path).map_err(|error| Failure::new(&action, error))?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).map_err(|error| Failure::new(&action, error))?;
    serde_json::from_str(&text).map_err(|error| Failure::new(&action, error))
}

impl History {
    /// Reads one file.
    ///
    /// # Errors
    /// [`Failure`] if the file cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file: HistoryFile = read(path)?;
        let mut builder = GraphBuilder::new();
        for commit in &file.commits {
            builder.numbered_revision(&commit.id, &commit.parents).time(commit.time);
        }
        let graph = builder.build().map_err(|error| Failure::new(&format!("reading {}", path.display()), error))?;
        let keeps_order = file.commits.iter().zip(graph.ids()).all(|(commit, id)| commit.id == id);
        let functions: Option<Vec<Function>> = file.tests.into_iter().map(|test| function(test, graph.len())).collect();
        let (true, Some(functions)) = (keeps_order, functions) else {
            return Err(Failure(format!(
                "{}: commits must have parents first, and outcomes one of P, F, U per commit",
                path.display()
            )));
        };
        let mut tips: Vec<Node> = Vec::new();
        for tip in file.tips {
            if !tips.contains(&tip.index) {
                tips.push(tip.index);
            }
        }
        Ok(History { repo: file.repo, head: file.head, graph: graph.into(), tips, functions })
    }

    /// Reads all files of a folder, sorted by name.
    ///
    /// # Errors
    /// The errors of [`files`] and [`History::read`].
    pub fn read_all(folder: &Path) -> Result<Vec<Self>, Failure> {
        files(folder)?.iter().map(|path| History::read(path)).collect()
    }

    /// Returns the chosen functions with both polarities: `(function, swapped)`.
    #[must_use]
    pub fn chosen_functions(&self, choice: &Choice) -> Vec<(usize, bool)> {
        spread(self.functions.len(), choice.functions).flat_map(|f| [(f, false), (f, true)]).collect()
    }

    /// Returns the outcomes of a function, with pass and fail exchanged if `swapped` is set.
    #[must_use]
    pub fn outcomes(&self, function: usize, swapped: bool) -> Arc<[Outcome]> {
        let recorded = self.functions[function].outcomes.iter();
        if swapped { recorded.map(|outcome| outcome.swapped()).collect() } else { recorded.copied().collect() }
    }

    /// Returns each failing tip with its good revision, the oldest passing ancestor. Roots often fail or are unresolved with tests of
    /// a newer revision.
    fn ends(&self, outcomes: &[Outcome]) -> Vec<(Node, Vec<Node>)> {
        let failing = self.tips.iter().filter(|&&tip| outcomes[tip as usize] == Outcome::Fail);
        let oldest = |tip: Node| self.graph.ancestors(&[tip]).ones().find(|&node| outcomes[node] == Outcome::Pass);
        failing.filter_map(|&tip| Some((tip, vec![oldest(tip)? as Node]))).collect()
    }

    /// Returns a search for each chosen leaf that fails and has a passing ancestor.
    #[must_use]
    pub fn single_leaf(&self, function: usize, swapped: bool, choice: &Choice) -> Vec<Instance> {
        let outcomes = self.outcomes(function, swapped);
        let ends = self.ends(&outcomes);
        spread(ends.len(), choice.tips)
            .map(|place| {
                let (leaf, goods) = ends[place].clone();
                let case = Case { graph: self.graph.clone(), outcomes: outcomes.clone(), leaves: vec![leaf], goods };
                Instance { function, swapped, case }
            })
            .collect()
    }

    /// Returns the search with all leaves that fail and have a passing ancestor, if there are at least two. The good revisions
    /// are those of all leaves.
    #[must_use]
    pub fn several_leaves(&self, function: usize, swapped: bool) -> Option<Instance> {
        let outcomes = self.outcomes(function, swapped);
        let ends = self.ends(&outcomes);
        if ends.len() < 2 {
            return None;
        }
        let leaves = ends.iter().map(|(leaf, _)| *leaf).collect();
        let mut goods: Vec<Node> = ends.into_iter().flat_map(|(_, goods)| goods).collect();
        goods.sort_unstable();
        goods.dedup();
        Some(Instance { function, swapped, case: Case { graph: self.graph.clone(), outcomes, leaves, goods } })
    }
}

fn function(test: Test, commits: usize) -> Option<Function> {
    let outcome = |letter| match letter {
        'P' => Some(Outcome::Pass),
        'F' => Some(Outcome::Fail),
        'U' => Some(Outcome::Unresolved),
        _ => None,
    };
    let outcomes: Option<Vec<Outcome>> = test.outcomes.chars().map(outcome).collect();
    let Test { name, tests_from, .. } = test;
    outcomes.filter(|outcomes| outcomes.len() == commits).map(|outcomes| Function { name, tests_from, outcomes })
}

/// Returns at most `most` of `count` positions, evenly spread and starting with the first.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(most);
    (0..taken).map(move |i| i * count / taken)
}
