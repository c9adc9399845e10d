use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::build_graph::BuildGraph;
use crate::error::Error;

/// The order of suspects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heuristic {
    /// The sum of the weighted distances of the touched targets (Culprit Finder, Definition 11). It combines all three
    /// heuristics.
    #[default]
    Suspiciousness,
    /// The number of files ("CL Size").
    Size,
    /// The weighted distance of the closest touched target ("Target Distance").
    Distance,
    /// Only whether the change is a suspect, newest first ("Changelog", Definition 9).
    Changelog,
}

impl FromStr for Heuristic {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "suspiciousness" => Ok(Heuristic::Suspiciousness),
            "size" => Ok(Heuristic::Size),
            "distance" => Ok(Heuristic::Distance),
            "changelog" => Ok(Heuristic::Changelog),
            _ => Err(Error::invalid("by", name, "\"suspiciousness\", \"size\", \"distance\" or \"changelog\"")),
        }
    }
}

/// Options of [`rank`](fn@super::rank).
#[derive(Debug, Clone, Copy, Default)]
pub struct RankOptions<'a> {
    /// The order of the suspects.
    pub by: Heuristic,
    /// The build graph before the first change. It is used for deleted files and removed dependencies.
    pub before: Option<&'a BuildGraph>,
    /// Build graphs after single changes, by their ids. A change is looked up in its own graph and in those of its parents.
    pub graphs: &'a [(&'a str, &'a BuildGraph)],
}

/// A reason why a change is suspicious: it touches a target that a failing test depends on.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingReason {
    /// The files of the change that are in the target, with their paths in the change.
    pub files: Vec<String>,
    /// The touched target.
    pub target: String,
    /// The targets on a shortest path of dependencies, from the closest failing test to this target.
    pub path: Vec<String>,
    /// The number of dependencies on the path, or 1 for the test itself.
    pub distance: u32,
    /// The number of failing tests that depend on the target.
    pub tests: usize,
    /// The contribution to the score: the weighted distance (Definition 10), averaged over the failing tests.
    pub weight: f64,
    /// Whether the dependency exists only in the graph of an earlier revision.
    #[serde(default)]
    pub before: bool,
}

/// A change that may have broken a failing test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// The id of the change.
    pub change: String,
    /// The score under the chosen heuristic, at least 0. A higher score is more suspicious.
    pub score: f64,
    /// The sum of the weights of the reasons (Definition 11), under any heuristic. For a change of n > 16 source files, the sum
    /// is divided by (n / 16)^3, because mass changes touch the dependencies of every test.
    pub suspiciousness: f64,
    /// The number of files in the change.
    pub size: usize,
    /// The distance of the closest touched target, at least 1.
    pub distance: u32,
    /// The weighted distance of the closest touched target, averaged over the failing tests.
    pub closeness: f64,
    /// The number of failing tests that the change may have broken.
    pub tests: usize,
    /// The touched targets, closest first.
    pub reasons: Vec<RankingReason>,
}

/// The suspects, most suspicious first, and the other changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The build targets of the failing tests, each once, in the order given.
    pub tests: Vec<String>,
    /// The changes that may have broken the tests. Of equal changes, larger ones come first, then newer ones.
    pub suspects: Vec<Suspect>,
    /// The changes that cannot have broken the tests, in the order given. The build graphs know all inputs and all files of these
    /// changes, and no failing test depends on the files.
    pub excluded: Vec<String>,
    /// The other changes without a known effect on the tests, in the order given. The build graphs do not know all inputs or all
    /// files of these changes.
    pub unlikely: Vec<String>,
    /// Files of the changes that are in no target, in order of appearance. They have no effect on the ranking.
    pub unplaced: Vec<String>,
    /// Groups of targets that depend on one another. Each group counts as one target.
    pub cycles: Vec<Vec<String>>,
    /// Whether the build graphs know all inputs of their targets, so that a change can be excluded.
    pub complete: bool,
    /// A summary of the ranking in one or two sentences.
    #[serde(with = "crate::words::printable::words")]
    pub message: String,
}

impl Ranking {
    /// Returns the rank of a change, counted from 0, or `None` if the change is not a suspect.
    #[must_use]
    pub fn place(&self, change: &str) -> Option<usize> {
        self.suspects.iter().position(|suspect| suspect.change == change)
    }
}
