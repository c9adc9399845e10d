//! Which changes are suspects, the most suspicious first, and why.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::build_graph::BuildGraph;
use crate::error::Error;

/// What suspects are ranked by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heuristic {
    /// The sum of the weighted distances of the targets touched (Culprit Finder, Definition 11): all three heuristics.
    #[default]
    Suspiciousness,
    /// The number of files ("CL Size").
    Size,
    /// The weighted distance of the closest target touched ("Target Distance").
    Distance,
    /// Nothing but being a suspect at all ("Changelog", Definition 9): the newest first.
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

/// How to rank.
#[derive(Debug, Clone, Copy, Default)]
pub struct RankOptions<'a> {
    /// What to rank by.
    pub by: Heuristic,
    /// The build graph before the first change: files that were deleted, and dependencies that were lost, are looked up
    /// there.
    pub before: Option<&'a BuildGraph>,
    /// Build graphs right after some changes, by their ids: a change is looked up in its own and in its parents', too.
    pub graphs: &'a [(&'a str, &'a BuildGraph)],
}

/// Why a change is suspicious: it touches a target that a failing test depends on.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingReason {
    /// The files of the change that are in the target, as the change names them.
    pub files: Vec<String>,
    /// The target.
    pub target: String,
    /// The targets on a shortest path of dependencies, from the closest failing test to this one.
    pub path: Vec<String>,
    /// How many dependencies that is; 1 for the test itself.
    pub distance: u32,
    /// How many of the failing tests depend on it.
    pub tests: usize,
    /// What it adds to the score: the weighted distance (Definition 10), the mean over the failing tests.
    pub weight: f64,
    /// Whether it is so only in the graph of an earlier revision.
    #[serde(default)]
    pub before: bool,
}

/// A change that may have broken a failing test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// The change.
    pub change: String,
    /// What it was ranked by: higher is more suspicious, never below 0.
    pub score: f64,
    /// The sum of the weights of its reasons (Definition 11), whatever it was ranked by; of a change of n > 16 source files
    /// divided by (n / 16)^3, because one of everything touches what the tests depend on whatever it is about.
    pub suspiciousness: f64,
    /// The number of its files.
    pub size: usize,
    /// The distance of the closest target that it touches, 1 or above.
    pub distance: u32,
    /// How close it comes to the failing tests: the weighted distance of the closest target, the mean over the tests.
    pub closeness: f64,
    /// How many of the failing tests it may have broken.
    pub tests: usize,
    /// What it touches, the closest first.
    pub reasons: Vec<RankingReason>,
}

/// Suspects, the most suspicious first, and what became of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The build targets of the tests that fail, each once, in the order given.
    pub tests: Vec<String>,
    /// The changes that may have broken them. Ties go to the change with more files, then to the newer one.
    pub suspects: Vec<Suspect>,
    /// The changes that cannot have broken them, in the order given: by build graphs that know all inputs and have seen all
    /// of the change's files, it touches nothing the tests depend on.
    pub excluded: Vec<String>,
    /// The other changes of which nothing says that the tests depend on what they touch, in the order given: the graph does
    /// not know all inputs, or none has seen all their files.
    pub unlikely: Vec<String>,
    /// Files of the changes that are in no target, and count for nothing, in the order met.
    pub unplaced: Vec<String>,
    /// Groups of targets that depend on one another in a circle, and count as one target each.
    pub cycles: Vec<Vec<String>>,
    /// Whether the build graphs know all inputs of their targets, and may exclude a change.
    pub complete: bool,
    /// The same in a sentence or two, for people.
    #[serde(with = "crate::words::printable::words")]
    pub message: String,
}

impl Ranking {
    /// The place of a change, from 0; `None` if it is no suspect.
    #[must_use]
    pub fn place(&self, change: &str) -> Option<usize> {
        self.suspects.iter().position(|suspect| suspect.change == change)
    }
}
