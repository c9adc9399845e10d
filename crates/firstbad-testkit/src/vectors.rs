//! The vectors in `tests/vectors`, which define the steps of searches in every language.
//!
//! A vector has a graph or a number of items, a configuration, and either the code of the expected error or the steps to play.
//! The runners in Rust, Python, and Node read the same files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use std::sync::Arc;

use firstbad::{
    Budget, ChangeSet, CommitGraph, Error, GraphBuilder, Observation, Outcome, RunOptions, Status, StopReason, Target,
    World,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Failure;

/// The supported version of the files.
const SCHEMA: u32 = 1;

/// The maximum difference of probabilities, in any language and on any machine.
pub const TOLERANCE: f64 = 1e-9;

/// Returns whether a report's value is as expected. Fractional numbers must agree within [`TOLERANCE`], all other values exactly.
#[must_use]
pub fn agrees(given: &Value, expected: &Value) -> bool {
    match (given, expected) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() <= TOLERANCE)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| agrees(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let agree = |(key, value): (&String, &Value)| other.get(key).is_some_and(|other| agrees(value, other));
            one.len() == other.len() && one.iter().all(agree)
        }
        _ => given == expected,
    }
}

/// A file with the vectors of one topic.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorFile {
    /// The version of the format.
    pub schema: u32,
    /// The vectors in order.
    pub vectors: Vec<Vector>,
}

/// One scenario.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The name, unique in its file.
    pub name: String,
    /// The source of the expected values.
    pub why: String,
    /// The history, if the search is in one.
    pub graph: Option<History>,
    /// The number of items, if the search is among sets of items.
    pub items: Option<usize>,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The configuration as JSON.
    pub configuration: Value,
    /// The code of the error that the graph or the search must raise. There are then no steps.
    pub error: Option<String>,
    /// The steps in order.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// A commit graph in a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The ids with their parents.
    pub revisions: Vec<(String, Vec<String>)>,
    /// The times, parallel to the revisions.
    pub times: Option<Vec<i64>>,
}

/// An operation on a search, with the expected result.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Step {
    /// Asks for `k` probes. They must be exactly these revisions or sets of changes, in this order, with the next ids. A revision
    /// with tests is `revision:tests`.
    Ask {
        /// The maximum number of probes.
        k: usize,
        /// The expected targets.
        #[serde(alias = "changes")]
        revisions: Vec<String>,
    },
    /// Tells the outcome of a probe.
    Tell {
        /// The probe.
        id: u64,
        /// The observation.
        observation: Observation,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Abandons a probe.
    Abandon {
        /// The probe.
        id: u64,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Tells an outcome that was not asked for.
    Observe {
        /// The revision, or the set of changes.
        #[serde(flatten)]
        target: Target,
        /// The observation.
        observation: Observation,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Makes a suspect the next one to ask.
    Enqueue {
        /// The revision, or the set of changes.
        #[serde(flatten)]
        target: Target,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Takes back the last outcomes.
    Undo {
        /// The number of outcomes.
        answers: u32,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Checks whether the outcome of a probe is still needed.
    Wanted {
        /// The probe.
        id: u64,
        /// The expected result.
        is: bool,
    },
    /// Checks the status.
    Status {
        /// The expected status.
        is: Status,
    },
    /// Sets the budget.
    Budget {
        /// The budget.
        budget: Budget,
    },
    /// Stops the search.
    Stop {
        /// The reason.
        reason: StopReason,
    },
    /// Restores the search from its snapshot, which must stay the same, and continues with the restored search.
    Restore {},
    /// Asks for `k` probes at a time and tells their outcomes in order, until the search ends.
    Drive {
        /// The number of probes at a time.
        #[serde(default = "one")]
        k: usize,
        /// The outcomes of the oracle.
        outcomes: Outcomes,
        /// The expected targets in order.
        asks: Vec<String>,
    },
    /// Starts a run, to which the following steps apply.
    Run {
        /// The options of the run.
        #[serde(flatten)]
        options: RunOptions,
    },
    /// Takes probes for the free jobs. They must be exactly these revisions or sets of changes, in this order.
    Take {
        /// The expected targets.
        #[serde(alias = "changes", default)]
        revisions: Vec<String>,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Tells an outcome to the run.
    Answered {
        /// The probe.
        id: u64,
        /// The observation.
        observation: Observation,
        /// Whether the outcome must count.
        #[serde(default)]
        counts: bool,
        /// The code of the expected error.
        error: Option<String>,
    },
    /// Returns a probe whose worker failed.
    Retry {
        /// The probe.
        id: u64,
        /// Whether the probe can be asked again.
        again: bool,
    },
    /// Checks which probes in flight are no longer needed.
    Useless {
        /// The ids of the probes.
        are: Vec<u64>,
    },
    /// Abandons a probe whose test was interrupted.
    Cancelled {
        /// The probe.
        id: u64,
    },
    /// Reports that a test has ended.
    Ended {
        /// The probe.
        id: u64,
        /// Whether the probe must have been cancelled.
        is: bool,
    },
    /// Checks whether the run is finished.
    Over {
        /// Whether the time of the run is over.
        #[serde(default)]
        late: bool,
        /// The expected result.
        is: bool,
    },
    /// Checks the progress of the run.
    Progress {
        /// The expected values by key: `status`, `runs`, `asked`, `in_flight`, `revision`, `patch`, `suspects`, `likely_runs`,
        /// `worst_runs`, `best`. Other values are not compared.
        is: Map<String, Value>,
    },
    /// Returns all probes in flight.
    GiveBack {},
    /// Checks the probes in flight.
    InFlight {
        /// The ids, oldest first.
        are: Vec<u64>,
    },
    /// Checks the reads that the search needs before it can continue.
    Reads {
        /// The reads as JSON, oldest first.
        are: Vec<Value>,
    },
    /// Provides the contents for a read.
    Give {
        /// The read.
        id: u64,
        /// The contents as text.
        content: String,
    },
    /// Checks the posterior probabilities.
    Posterior {
        /// The probabilities of suspects by id. Other suspects are not compared.
        is: BTreeMap<String, f64>,
        /// The probability of no culprit.
        no_culprit: f64,
    },
    /// Checks the reasons against the conclusion of a verification, in order.
    Reasons {
        /// The code and the revision of each reason.
        are: Vec<(String, String)>,
    },
    /// Checks the fingerprints of the findings of a search for regressions, a culprit, or a change.
    Fingerprints {
        /// The fingerprints in the order of the findings.
        are: Vec<String>,
    },
    /// Checks the report as JSON. Fingerprints of points and steps have a separate step.
    Report {
        /// The expected values by key. Other values are not compared. Fractional numbers must agree within [`TOLERANCE`].
        is: Map<String, Value>,
    },
}

fn one() -> usize {
    1
}

/// The outcomes of an oracle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcomes {
    /// The outcome of revisions that are in none of the lists.
    #[serde(default = "pass")]
    pub default: Outcome,
    /// The revisions that pass.
    #[serde(default)]
    pub pass: Vec<String>,
    /// The revisions that fail.
    #[serde(default)]
    pub fail: Vec<String>,
    /// The unresolved revisions.
    #[serde(default)]
    pub unresolved: Vec<String>,
    /// The signatures of failures by revision.
    #[serde(default)]
    pub signatures: BTreeMap<String, String>,
    /// For sets of changes, the changes that a set needs to have the property.
    #[serde(default)]
    pub needed: Vec<usize>,
    /// For sets of changes, the dependencies of each change by its index as text. A set without them is unresolved.
    #[serde(default)]
    pub dependencies: BTreeMap<String, Vec<usize>>,
    /// For sets of tests and whole suites, the tests in the order of the search. They pass where they do not fail.
    #[serde(default)]
    pub tests: Vec<FailingTest>,
    /// For searches for a change, the results of each revision in turn: numbers, null for an unresolved run, or observations.
    #[serde(default)]
    pub numbers: BTreeMap<String, Vec<Measured>>,
}

/// The result of a measurement.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Measured {
    /// A number, or null.
    Number(Option<f64>),
    /// An observation.
    Detailed(Box<Observation>),
}

impl From<&Measured> for Observation {
    fn from(measured: &Measured) -> Self {
        match measured {
            Measured::Number(Some(metric)) => Observation { metric: Some(*metric), ..Observation::new(Outcome::Pass) },
            Measured::Number(None) => Outcome::Unresolved.into(),
            Measured::Detailed(observation) => (**observation).clone(),
        }
    }
}

/// A test of a suite.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailingTest {
    /// The id of the test.
    pub id: String,
    /// The revisions at which the test fails.
    pub fail: Vec<String>,
}

fn pass() -> Outcome {
    Outcome::Pass
}

impl Outcomes {
    /// Returns the observation of a target, which was asked `before` times before.
    #[must_use]
    pub fn answer(&self, target: &Target, before: usize) -> Observation {
        let measured = target.revision.as_ref().and_then(|revision| self.numbers.get(revision));
        if let Some(measured) = measured.and_then(|turns| turns.get(before % turns.len().max(1))) {
            return measured.into();
        }
        match target {
            Target { revision: Some(revision), tests, .. } if !self.tests.is_empty() => {
                let whole = ChangeSet::all(self.tests.len());
                let outcome =
                    |test: &FailingTest| if test.fail.contains(revision) { Outcome::Fail } else { Outcome::Pass };
                let ran = tests.as_ref().unwrap_or(&whole).iter().filter_map(|test| self.tests.get(test));
                match self.of_revision(revision) {
                    whole if whole.outcome == Outcome::Unresolved => whole,
                    _ => Observation::of_results(ran.map(|test| (test.id.clone(), outcome(test).into()))),
                }
            }
            Target { revision: Some(revision), .. } => self.of_revision(revision),
            Target { changes, .. } => self.of_changes(changes.as_ref().unwrap_or(&ChangeSet::all(0))).into(),
        }
    }

    fn of_changes(&self, changes: &ChangeSet) -> Outcome {
        let whole = |index: usize| {
            let needs = self.dependencies.get(&index.to_string());
            needs.is_none_or(|needs| needs.iter().all(|&other| changes.contains(other)))
        };
        match changes.iter().all(whole) {
            false => Outcome::Unresolved,
            true if self.needed.iter().all(|&index| changes.contains(index)) => Outcome::Pass,
            true => Outcome::Fail,
        }
    }

    fn of_revision(&self, revision: &str) -> Observation {
        let lists = [(Outcome::Pass, &self.pass), (Outcome::Fail, &self.fail), (Outcome::Unresolved, &self.unresolved)];
        let listed = lists.into_iter().find(|(_, list)| list.iter().any(|id| id == revision));
        let outcome = listed.map_or(self.default, |(outcome, _)| outcome);
        Observation { signature: self.signatures.get(revision).cloned(), ..Observation::new(outcome) }
    }
}

impl Vector {
    /// Returns the world of the search.
    ///
    /// # Errors
    /// The errors of [`GraphBuilder::build`], and [`Error::InvalidArgument`] if there is neither a graph nor a number of items.
    pub fn world(&self) -> Result<World, Error> {
        match (&self.graph, self.items) {
            (Some(history), None) => Ok(World::History(Arc::new(history.graph()?))),
            (None, Some(items)) => Ok(World::Items(items)),
            _ => Err(Error::invalid("vector", &self.name, "either a graph or a number of items")),
        }
    }
}

impl History {
    /// Returns the graph.
    ///
    /// # Errors
    /// The errors of [`GraphBuilder::build`].
    pub fn graph(&self) -> Result<CommitGraph, Error> {
        let mut builder = GraphBuilder::new();
        for (id, parents) in &self.revisions {
            builder.revision(id, parents);
        }
        for &time in self.times.iter().flatten() {
            builder.time(time);
        }
        builder.build()
    }
}

/// Returns the folder of this repository's vectors.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

/// Reads all files of a folder by name, without their extension, in alphabetical order.
///
/// # Errors
/// [`Failure`] with the file and the position if a file is invalid.
pub fn read_all(folder: &Path) -> Result<BTreeMap<String, VectorFile>, Failure> {
    let reading = |error: std::io::Error| Failure::new(&format!("reading {}", folder.display()), error);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "json") && !NO_SEARCHES.contains(&name.as_str()) {
            files.insert(name, read(&path)?);
        }
    }
    Ok(files)
}

/// Files with rankings and words of reports, which have other formats.
const NO_SEARCHES: [&str; 3] = ["content", "suspicion", "words"];

fn read(path: &Path) -> Result<VectorFile, Failure> {
    let action = format!("reading {}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| Failure::new(&action, error))?;
    let file: VectorFile = serde_json::from_str(&text).map_err(|error| Failure::new(&action, error))?;
    if file.schema != SCHEMA {
        return Err(Failure::new(&action, format!("schema {} where {SCHEMA} is read", file.schema)));
    }
    let mut names = std::collections::BTreeSet::new();
    for vector in &file.vectors {
        let name = &vector.name;
        if !names.insert(name) {
            return Err(Failure::new(&action, format!("two vectors are called {name:?}")));
        }
        if vector.error.is_some() != vector.steps.is_empty() {
            return Err(Failure::new(&action, format!("{name:?} needs either an error or steps")));
        }
    }
    Ok(file)
}
