//! Recorded histories: commit graphs of public projects with the measured outcome of real tests at every commit.
//!
//! The format is that of `benchmarks/record.py`.

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
    /// `owner/name`.
    pub repo: String,
    /// The head revision when it was recorded.
    pub head: String,
    /// The graph; a commit's node is its place in the file.
    pub graph: Arc<CommitGraph>,
    /// Where branches and pull requests end, each once, in the order of the file.
    pub tips: Vec<Node>,
    /// The distinct validity functions.
    pub functions: Vec<Function>,
}

/// One validity function: tests that had the same outcome everywhere.
#[derive(Debug)]
pub struct Function {
    /// The name of one of the tests.
    pub name: String,
    /// The revision that the test is taken from, wherever it runs; empty if the file does not say.
    pub tests_from: String,
    /// The outcome at every commit.
    pub outcomes: Vec<Outcome>,
}

/// How the older end of an instance is chosen. Roots often fail or are unresolved under tests of a newer revision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GoodEnd {
    /// The oldest passing ancestor in topological order, which is what somebody who looks for a good end finds.
    #[default]
    Oldest,
    /// All roots of the leaf, where all of them pass; other instances are left out.
    Roots,
}

/// Which instances are made of a history.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// At most so many functions, spread evenly over the list.
    pub functions: usize,
    /// At most so many leaves per function and polarity, spread evenly over the tips.
    pub tips: usize,
    /// The older end.
    pub good: GoodEnd,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { functions: 25, tips: 6, good: GoodEnd::Oldest }
    }
}

/// A search to be done: who fails, who passes, and all outcomes behind it.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The index of the function.
    pub function: usize,
    /// Whether pass and fail are exchanged.
    pub swapped: bool,
    /// Graph, outcomes and ends.
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

/// All `*.json.gz` of a folder, by name.
///
/// # Errors
/// [`Failure`] where the folder cannot be read or holds none.
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
    /// [`Failure`] where the file is not what it should be.
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

    /// Reads all of a folder, by file name.
    ///
    /// # Errors
    /// As [`files`] and [`History::read`].
    pub fn read_all(folder: &Path) -> Result<Vec<Self>, Failure> {
        files(folder)?.iter().map(|path| History::read(path)).collect()
    }

    /// The functions chosen, with the polarities: `(function, swapped)`.
    #[must_use]
    pub fn chosen_functions(&self, choice: &Choice) -> Vec<(usize, bool)> {
        spread(self.functions.len(), choice.functions).flat_map(|f| [(f, false), (f, true)]).collect()
    }

    /// The outcomes of a function; pass and fail exchanged on request.
    #[must_use]
    pub fn outcomes(&self, function: usize, swapped: bool) -> Arc<[Outcome]> {
        let recorded = self.functions[function].outcomes.iter();
        if swapped { recorded.map(|outcome| outcome.swapped()).collect() } else { recorded.copied().collect() }
    }

    /// Each tip that fails, with the good ends that its history offers.
    fn ends(&self, outcomes: &[Outcome], good: GoodEnd) -> Vec<(Node, Vec<Node>)> {
        let failing = self.tips.iter().filter(|&&tip| outcomes[tip as usize] == Outcome::Fail);
        failing
            .filter_map(|&tip| {
                let ancestors = self.graph.ancestors(&[tip]);
                let passes = |node: &usize| outcomes[*node] == Outcome::Pass;
                let goods: Vec<Node> = match good {
                    GoodEnd::Oldest => ancestors.ones().find(passes).map(|node| node as Node).into_iter().collect(),
                    GoodEnd::Roots => {
                        let roots = || ancestors.ones().filter(|&node| self.graph.parents(node as Node).is_empty());
                        if roots().all(|node| passes(&node)) {
                            roots().map(|node| node as Node).collect()
                        } else {
                            Vec::new()
                        }
                    }
                };
                (!goods.is_empty()).then_some((tip, goods))
            })
            .collect()
    }

    /// Searches with one leaf: every chosen leaf that fails and has a passing ancestor.
    #[must_use]
    pub fn single_leaf(&self, function: usize, swapped: bool, choice: &Choice) -> Vec<Instance> {
        let outcomes = self.outcomes(function, swapped);
        let ends = self.ends(&outcomes, choice.good);
        spread(ends.len(), choice.tips)
            .map(|place| {
                let (leaf, goods) = ends[place].clone();
                let case = Case { graph: self.graph.clone(), outcomes: outcomes.clone(), leaves: vec![leaf], goods };
                Instance { function, swapped, case }
            })
            .collect()
    }

    /// The search with all leaves that fail and have a passing ancestor, where there are two or more. The good ends
    /// are those of the leaves, each once.
    #[must_use]
    pub fn several_leaves(&self, function: usize, swapped: bool, choice: &Choice) -> Option<Instance> {
        let outcomes = self.outcomes(function, swapped);
        let ends = self.ends(&outcomes, choice.good);
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

/// At most `most` of `count` places, evenly spread, the first one included.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(most);
    (0..taken).map(move |i| i * count / taken)
}
