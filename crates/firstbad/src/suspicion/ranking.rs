//! Which changes are suspects, the most suspicious first, and why.

use std::str::FromStr;

use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use super::build_graph::BuildGraph;
use super::changelist::Changelist;
use super::distance::{Distances, weighted_distance};
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
}

/// Why a change is suspicious: it touches a target that the test depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingReason {
    /// The files of the change that are in the target.
    pub files: Vec<String>,
    /// The target.
    pub target: String,
    /// The targets on a shortest path of dependencies, from the test to this one.
    pub path: Vec<String>,
    /// How many dependencies that is; 1 for the test itself.
    pub distance: u32,
    /// What it adds to the score (Definition 10).
    pub weight: f64,
    /// Whether it is so only in the graph before the changes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub before: bool,
}

/// A change that may have broken the test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// The change.
    pub change: String,
    /// What it was ranked by: higher is more suspicious, never below 0.
    pub score: f64,
    /// The sum of the weights of its reasons (Definition 11), whatever it was ranked by.
    pub suspiciousness: f64,
    /// The number of its files.
    pub size: usize,
    /// The distance of the closest target that it touches, 1 or above.
    pub distance: u32,
    /// What it touches, the closest first.
    pub reasons: Vec<RankingReason>,
}

/// Suspects, the most suspicious first, and what became of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The test that fails.
    pub test: String,
    /// The changes that may have broken it. Ties go to the change with more files, then to the newer one.
    pub suspects: Vec<Suspect>,
    /// The changes that touch nothing the test depends on, in the order given.
    pub excluded: Vec<String>,
    /// Files of the changes that are in no target, and count for nothing, in the order met.
    pub unplaced: Vec<String>,
    /// Groups of targets that depend on one another in a circle, and count as one target each.
    pub cycles: Vec<Vec<String>>,
    /// The same in a sentence or two, for people.
    pub message: String,
}

/// Ranks changes, older ones first in `changes`, by how suspicious they are of having broken `test`.
///
/// # Errors
/// [`Error::UnknownBuildTarget`] for a test that is no target, with the nearest names; [`Error::InvalidArgument`] for a change
/// that is given twice.
pub fn rank(
    graph: &BuildGraph,
    changes: &[Changelist],
    test: &str,
    options: &RankOptions<'_>,
) -> Result<Ranking, Error> {
    let mut seen = HashSet::with_capacity(changes.len());
    if let Some(twice) = changes.iter().find(|change| !seen.insert(&change.id)) {
        return Err(Error::invalid("changes", &twice.id, "each change once"));
    }
    let mut graphs =
        vec![Lens { distances: Distances::from(graph, graph.resolve(test, "test")?), graph, before: false }];
    // A test that is new had no dependencies before.
    if let Some((before, then)) = options.before.and_then(|before| Some((before, before.find(test)?))) {
        graphs.push(Lens { distances: Distances::from(before, then), graph: before, before: true });
    }
    let mut ranking = Ranking {
        test: test.to_owned(),
        suspects: Vec::new(),
        excluded: Vec::new(),
        unplaced: Vec::new(),
        cycles: graph.cycles().into_iter().map(|cycle| cycle.into_iter().map(str::to_owned).collect()).collect(),
        message: String::new(),
    };
    let mut placed: HashMap<&str, bool> = HashMap::new();
    let mut found = Vec::new();
    for (age, change) in changes.iter().enumerate() {
        for file in &change.files {
            placed.entry(file).or_insert_with(|| {
                let known = graph.owners.of(file).next().is_some()
                    || options.before.is_some_and(|before| before.owners.of(file).next().is_some());
                if !known {
                    ranking.unplaced.push(file.clone());
                }
                known
            });
        }
        let touched = touched(&graphs, change);
        if touched.is_empty() {
            ranking.excluded.push(change.id.clone());
        } else {
            found.push(Found::new(age, change, touched, options.by));
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.size.cmp(&a.size)).then(b.age.cmp(&a.age)));
    ranking.suspects = found.into_iter().map(|found| found.suspect(&graphs, &changes[found.age])).collect();
    ranking.message = message(&ranking, changes.len());
    Ok(ranking)
}

/// One of the graphs, seen from the test.
struct Lens<'a> {
    graph: &'a BuildGraph,
    distances: Distances<'a>,
    before: bool,
}

/// A target that a change touches and the test depends on.
#[derive(Clone, Copy)]
struct Touched {
    lens: usize,
    target: u32,
    distance: u32,
}

/// What a change touches of what the test depends on, each target (or circle of targets) once, however many files
/// (Definitions 8 and 11). The graph before counts if the present one has no path.
fn touched(graphs: &[Lens<'_>], change: &Changelist) -> Vec<Touched> {
    let mut found: Vec<Touched> = Vec::new();
    let mut now: HashSet<u32> = HashSet::new();
    let mut then: HashSet<u32> = HashSet::new();
    for (lens, at) in graphs.iter().enumerate() {
        for target in change.files.iter().flat_map(|file| at.graph.owners.of(file)) {
            let Some(distance) = at.distances.to(target) else { continue };
            let component = at.graph.components.of(target);
            let anew = if at.before {
                let today = graphs[0].graph;
                let counted = today.find(at.graph.name(target)).map(|target| today.components.of(target));
                counted.is_none_or(|component| !now.contains(&component)) && then.insert(component)
            } else {
                now.insert(component)
            };
            if anew {
                found.push(Touched { lens, target, distance });
            }
        }
    }
    found
}

struct Found {
    age: usize,
    score: f64,
    suspiciousness: f64,
    size: usize,
    distance: u32,
    touched: Vec<Touched>,
}

impl Found {
    fn new(age: usize, change: &Changelist, mut touched: Vec<Touched>, by: Heuristic) -> Found {
        touched.sort_by_key(|touched| touched.distance);
        let suspiciousness = touched.iter().map(|touched| weighted_distance(touched.distance)).sum();
        let distance = touched.first().map_or(1, |touched| touched.distance);
        let mut files: Vec<&String> = change.files.iter().collect();
        files.sort_unstable();
        files.dedup();
        let size = files.len();
        let score = match by {
            Heuristic::Suspiciousness => suspiciousness,
            Heuristic::Size => size as f64,
            Heuristic::Distance => weighted_distance(distance),
            Heuristic::Changelog => 1.0,
        };
        // The changelog alone tells no two suspects apart, so size must not either.
        let size_counts = if by == Heuristic::Changelog { 0 } else { size };
        Found { age, score, suspiciousness, size: size_counts, distance, touched }
    }

    fn suspect(&self, graphs: &[Lens<'_>], change: &Changelist) -> Suspect {
        let reason = |touched: &Touched| {
            let at = &graphs[touched.lens];
            let component = at.graph.components.of(touched.target);
            let inside = |file: &&String| at.graph.owners.of(file).any(|t| at.graph.components.of(t) == component);
            let mut seen = HashSet::new();
            let files = change.files.iter().filter(inside).filter(|&file| seen.insert(file)).cloned().collect();
            RankingReason {
                files,
                target: at.graph.name(touched.target).to_owned(),
                path: at.distances.path(touched.target),
                distance: touched.distance,
                weight: weighted_distance(touched.distance),
                before: at.before,
            }
        };
        let mut files: Vec<&String> = change.files.iter().collect();
        files.sort_unstable();
        files.dedup();
        Suspect {
            change: change.id.clone(),
            score: self.score,
            suspiciousness: self.suspiciousness,
            size: files.len(),
            distance: self.distance,
            reasons: self.touched.iter().map(reason).collect(),
        }
    }
}

fn message(ranking: &Ranking, changes: usize) -> String {
    let plural = |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
    let mut text = match (ranking.suspects.len(), changes) {
        (_, 0) => "there are no changes: the failure is not from a change in this graph".to_owned(),
        (0, _) => format!(
            "none of the {} touches anything that {} depends on: the failure is not from a change in this graph (the \
             environment, a dependency from outside, a flake, or a file that no target lists)",
            plural(changes, "change"),
            ranking.test
        ),
        (suspects, _) => {
            let verb = if suspects == 1 { "touches" } else { "touch" };
            format!("{suspects} of {} {verb} what {} depends on", plural(changes, "change"), ranking.test)
        }
    };
    if !ranking.unplaced.is_empty() {
        text.push_str(&format!("; {} of them in no target, not counted", plural(ranking.unplaced.len(), "file")));
    }
    if !ranking.cycles.is_empty() {
        text.push_str(&format!(
            "; {} of targets that depend on one another, each taken for one target",
            plural(ranking.cycles.len(), "circle")
        ));
    }
    text
}

impl Ranking {
    /// The place of a change, from 0; `None` if it is no suspect.
    #[must_use]
    pub fn place(&self, change: &str) -> Option<usize> {
        self.suspects.iter().position(|suspect| suspect.change == change)
    }
}
