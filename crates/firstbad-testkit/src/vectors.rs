//! The vectors in `tests/vectors`: what every language asks, is told and reports, step by step.
//!
//! A vector is a graph or a number of items, a configuration, and either the code of the error that this must raise or the steps to play
//! on the search. The runners in Rust, Python and Node read the same files.

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

/// The version of the files that this version reads.
const SCHEMA: u32 = 1;

/// How far probabilities may be apart, in any language and on any machine.
pub const TOLERANCE: f64 = 1e-9;

/// Whether a report's value is what is expected: fractional numbers within [`TOLERANCE`], all else exactly.
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

/// One file: one theme.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorFile {
    /// The version of its form.
    pub schema: u32,
    /// What it holds, in the order to be run.
    pub vectors: Vec<Vector>,
}

/// One scenario.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Its name, unique in its file.
    pub name: String,
    /// Where the expected values come from.
    pub why: String,
    /// The history, where the search is about one.
    pub graph: Option<History>,
    /// How many items there are, where the search is about sets of them.
    pub items: Option<usize>,
    /// Which search, by the name of its algorithm.
    pub algorithm: String,
    /// Its configuration, as JSON.
    pub configuration: Value,
    /// The code of the error that the graph or the search must raise; then there are no steps.
    pub error: Option<String>,
    /// What to do, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// A commit graph as it is given.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Ids with their parents.
    pub revisions: Vec<(String, Vec<String>)>,
    /// Times, parallel to the revisions.
    pub times: Option<Vec<i64>>,
}

/// One thing to do to a search, with what must come of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Step {
    /// Asks for `k` probes: exactly these revisions, or sets of changes, in this order, with the ids that come next.
    Ask {
        /// How many at most.
        k: usize,
        /// What must be asked.
        #[serde(alias = "changes")]
        revisions: Vec<String>,
    },
    /// Answers a probe.
    Tell {
        /// The probe.
        id: u64,
        /// The answer.
        observation: Observation,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Says that a probe will not be answered.
    Abandon {
        /// The probe.
        id: u64,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Tells what was known without being asked.
    Observe {
        /// The revision, or the set of changes.
        #[serde(flatten)]
        target: Target,
        /// What is known.
        observation: Observation,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Puts a suspect first.
    Enqueue {
        /// The revision, or the set of changes.
        #[serde(flatten)]
        target: Target,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Takes back the last answers.
    Undo {
        /// How many.
        answers: u32,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Whether a probe's answer is still of use.
    Wanted {
        /// The probe.
        id: u64,
        /// What must be said.
        is: bool,
    },
    /// Where the search stands.
    Status {
        /// What must be said.
        is: Status,
    },
    /// Sets the budget.
    Budget {
        /// The budget.
        budget: Budget,
    },
    /// Ends the search from outside.
    Stop {
        /// Why.
        reason: StopReason,
    },
    /// Goes on with a search restored from this one's snapshot, whose own snapshot must be equal.
    Restore {},
    /// Asks for `k` at a time and answers them in order, to the end.
    Drive {
        /// How many at a time.
        #[serde(default = "one")]
        k: usize,
        /// What the oracle would say.
        outcomes: Outcomes,
        /// What must be asked, in order.
        asks: Vec<String>,
    },
    /// Begins a run, as a driver does: the steps below are its.
    Run {
        /// How it is driven.
        #[serde(flatten)]
        options: RunOptions,
    },
    /// Takes probes for the places that are free: exactly these revisions, or sets of changes, in this order.
    Take {
        /// What must be taken.
        #[serde(alias = "changes", default)]
        revisions: Vec<String>,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Passes an answer on.
    Answered {
        /// The probe.
        id: u64,
        /// The answer.
        observation: Observation,
        /// Whether it must count.
        #[serde(default)]
        counts: bool,
        /// The code of the error that it must raise.
        error: Option<String>,
    },
    /// Gives a probe back whose worker failed.
    Retry {
        /// The probe.
        id: u64,
        /// Whether it may be asked again.
        again: bool,
    },
    /// The probes whose answers could not change anything any more.
    Useless {
        /// Their ids.
        are: Vec<u64>,
    },
    /// Gives up a probe whose test was told to stop.
    Cancelled {
        /// The probe.
        id: u64,
    },
    /// A test has ended.
    Ended {
        /// The probe.
        id: u64,
        /// Whether it must have been cancelled.
        is: bool,
    },
    /// Whether there is nothing more to do.
    Over {
        /// Whether the host's clock says that the time is up.
        #[serde(default)]
        late: bool,
        /// What must be said.
        is: bool,
    },
    /// Where the run stands, as far as given here.
    Progress {
        /// Values by key: `status`, `runs`, `asked`, `in_flight`, `revision`, `patch`, `suspects`, `likely_runs`,
        /// `worst_runs`, `best`.
        is: Map<String, Value>,
    },
    /// Gives back all that is in flight.
    GiveBack {},
    /// What is in flight.
    InFlight {
        /// The ids, oldest first.
        are: Vec<u64>,
    },
    /// What the search has to see before it can ask on.
    Reads {
        /// The reads as JSON, oldest first.
        are: Vec<Value>,
    },
    /// Hands over what a read asks for.
    Give {
        /// The read.
        id: u64,
        /// The content, as text.
        content: String,
    },
    /// What is believed.
    Posterior {
        /// The probability of suspects by their ids; those not given are not compared.
        is: BTreeMap<String, f64>,
        /// That there is no culprit.
        no_culprit: f64,
    },
    /// What a verification holds against its conclusion, in order.
    Reasons {
        /// The code and the revision of each.
        are: Vec<(String, String)>,
    },
    /// By what the findings of a regression search, or that of a culprit search, are known again.
    Fingerprints {
        /// One for each finding, in order.
        are: Vec<String>,
    },
    /// The report's JSON form, as far as given here. Fingerprints of points have a step of their own.
    Report {
        /// Values by key; those not given are not compared. Fractional numbers agree within [`TOLERANCE`].
        is: Map<String, Value>,
    },
}

fn one() -> usize {
    1
}

/// What an oracle answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcomes {
    /// For revisions in none of the lists.
    #[serde(default = "pass")]
    pub default: Outcome,
    /// Those that pass.
    #[serde(default)]
    pub pass: Vec<String>,
    /// Those that fail.
    #[serde(default)]
    pub fail: Vec<String>,
    /// Those that cannot be told.
    #[serde(default)]
    pub unresolved: Vec<String>,
    /// Which failure it is.
    #[serde(default)]
    pub signatures: BTreeMap<String, String>,
    /// With sets of changes: those that a set must hold to have the property.
    #[serde(default)]
    pub needed: Vec<usize>,
    /// With sets of changes: what each change needs, by its index as text; a set without it is unresolved.
    #[serde(default)]
    pub dependencies: BTreeMap<String, Vec<usize>>,
}

fn pass() -> Outcome {
    Outcome::Pass
}

impl Outcomes {
    /// The answer for what a probe tests.
    #[must_use]
    pub fn answer(&self, target: &Target) -> Observation {
        match target {
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
    /// What its search searches in.
    ///
    /// # Errors
    /// Those of [`GraphBuilder::build`]; [`Error::InvalidArgument`] where there is neither a graph nor a number of items.
    pub fn world(&self) -> Result<World, Error> {
        match (&self.graph, self.items) {
            (Some(history), None) => Ok(World::History(Arc::new(history.graph()?))),
            (None, Some(items)) => Ok(World::Items(items)),
            _ => Err(Error::invalid("vector", &self.name, "either a graph or a number of items")),
        }
    }
}

impl History {
    /// The graph.
    ///
    /// # Errors
    /// Those of [`GraphBuilder::build`].
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

/// The folder of this repository's vectors.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

/// All files of a folder by name, without their ending, in alphabetical order.
///
/// # Errors
/// [`Failure`] for a file that is not in the form above, with its name and the place.
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

/// Rankings and words of reports are no searches, and have files of their own form.
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
