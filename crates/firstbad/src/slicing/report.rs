//! What a search for a slice answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::finding::commit::Commit;
use crate::reduction::Guarantee;
use crate::search::{ChangeSet, Outcome, Status, TargetObservation};

/// What shows that one change of the slice is needed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The change, as an index.
    pub change: usize,
    /// Its name.
    pub name: String,
    /// The set that was asked: the slice without the change, and without those that rest on it where it could not be built
    /// with them.
    pub changes: ChangeSet,
    /// The number of the answer among the observations.
    pub observation: usize,
    /// What was seen of the set: not what is to be kept.
    pub outcome: Outcome,
    /// Whether that cost a run: a conflict does not, nor does what was seen of equal files before.
    pub ran: bool,
    /// The numbers of the answers before it, where sets with more changes could not be built: the slice without the change
    /// alone is the first of them.
    #[serde(default)]
    pub unbuilt: Vec<usize>,
}

/// How far the search was after a run (Figure 13, "history reduction per test run").
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceSize {
    /// How many answers had cost a run.
    pub run: u64,
    /// How many changes the smallest set had that was seen to hold.
    pub changes: usize,
}

/// The smallest slice that was found, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlicerReport {
    /// Where the search stands.
    pub status: Status,
    /// The same in some sentences, for people.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The changes of the slice, as indices, oldest first. All, before it is known whether they hold together; none if they
    /// do not.
    pub kept: Vec<usize>,
    /// Their names, oldest first: full shas, with the file and the hunk or the definition if the history was taken apart
    /// finer than commits.
    pub names: Vec<String>,
    /// How many changes there were.
    pub of: usize,
    /// What is certain about the slice. `"1-minimal"`: no change of it can go, neither alone nor with those that rest on it.
    pub guarantee: Guarantee,
    /// For each change of the slice the answer that shows that it is needed, newest first; only those that were shown so far.
    pub why: Vec<Why>,
    /// How many changes were left after each run that made them fewer.
    pub sizes: Vec<SliceSize>,
    /// Warnings about the result, in sentences.
    #[serde(with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// How many answers cost a run.
    pub queries: u64,
    /// How many answers came to probes, those that cost no run included.
    pub asked: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
    /// What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
    /// elsewhere, while the search runs, and where the repository could not say it.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl SlicerReport {
    /// The commits of the slice, oldest first: each once, where the slice has several parts of it.
    #[must_use]
    pub fn slice_commits(&self) -> Vec<&str> {
        let mut commits: Vec<&str> = self.names.iter().map(|name| change_parts(name).0).collect();
        commits.dedup();
        commits
    }

    /// The changes of the slice, to make something of it.
    ///
    /// # Errors
    /// [`Error::NotReproduced`] where there is none: no set was seen to show what is to be kept.
    pub fn slice(&self) -> Result<ChangeSet, Error> {
        if self.sizes.is_empty() {
            return Err(Error::NotReproduced { message: self.message.clone() });
        }
        Ok(self.kept.iter().copied().collect())
    }
}

/// The commit in the name of a change of a history, and which part of it; the part of a whole commit is empty.
#[must_use]
pub fn change_parts(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or((name, ""))
}
