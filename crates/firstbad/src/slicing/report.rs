use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::finding::commit::Commit;
use crate::reduction::Guarantee;
use crate::search::{ChangeSet, Outcome, Status, TargetObservation};

/// The evidence that one change of the slice is needed.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SliceEvidence {
    /// The index of the change.
    pub change: usize,
    /// The name of the change.
    pub name: String,
    /// The slice without the change. If that set could not be built, changes that depend on it are also removed.
    pub changes: ChangeSet,
    /// The index of the change that Git cannot apply without this one. None if a test shows that this change is needed.
    #[serde(default)]
    pub context_of: Option<usize>,
    /// The index of the observation in the report's observations. If the set was not tested, of the larger set in `alike`.
    pub observation: usize,
    /// The outcome of the set, which differs from the outcome to keep.
    pub outcome: Outcome,
    /// Whether the outcome took a run. Conflicts and earlier outcomes of equal files do not.
    pub ran: bool,
    /// The indices of earlier observations of larger sets that could not be built. The first one is the slice without the
    /// change alone.
    #[serde(default)]
    pub unbuilt: Vec<usize>,
    /// The indices of the observations of a larger and a smaller set that are unresolved in the same stage with the same
    /// signature. Sets between them count as unresolved and are not tested. Usually, the smaller set is the base. Empty if
    /// there are no such sets.
    #[serde(default)]
    pub alike: Vec<usize>,
}

/// The size of the slice after a run (Figure 13, "history reduction per test run").
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceSize {
    /// The number of runs so far.
    pub run: u64,
    /// The number of changes in the smallest set that was observed to hold.
    pub changes: usize,
}

/// The report of slicing: the smallest slice found, final or the best so far.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlicerReport {
    /// The status of the search.
    pub status: Status,
    /// The result in a few sentences.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The indices of the changes in the slice, oldest first. Contains all changes until the outcome of all changes together
    /// is known, and is empty if they do not hold together.
    pub kept: Vec<usize>,
    /// The names of the changes in the slice, oldest first: full shas, with the file and the hunk or definition if the history
    /// was divided more finely than into commits.
    pub names: Vec<String>,
    /// The indices of the changes that every set contains.
    #[serde(default)]
    pub always: Vec<usize>,
    /// The command that picks the commits of the slice, oldest first, with full shas. None if the slice is empty or has parts of
    /// commits.
    #[serde(default)]
    pub cherry_pick: Option<String>,
    /// The number of changes before the search.
    pub of: usize,
    /// The guarantee about the slice. `"1-minimal"` means that no change can be removed, alone or together with the changes
    /// that depend on it.
    pub guarantee: Guarantee,
    /// The evidence for each change of the slice that was shown to be needed so far, newest change first.
    pub why: Vec<SliceEvidence>,
    /// The number of changes left after each run that removed any.
    pub sizes: Vec<SliceSize>,
    /// Warnings about the result, in sentences.
    #[serde(with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes that took a run.
    pub runs: u64,
    /// The number of probes that got an outcome, with or without a run.
    pub asked: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Details of the commits in the result, by full id. Empty while the search runs, if the history is not from a
    /// repository, or if the repository cannot be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
}

impl SlicerReport {
    /// Returns the commits of the slice, oldest first. A commit with several parts in the slice occurs once.
    #[must_use]
    pub fn slice_commits(&self) -> Vec<&str> {
        let mut commits: Vec<&str> = self.names.iter().map(|name| change_parts(name).0).collect();
        commits.dedup();
        commits
    }

    /// Returns the number of changes that the slice needs besides those in every set.
    #[must_use]
    pub fn others(&self) -> usize {
        self.kept.iter().filter(|change| !self.always.contains(change)).count()
    }

    /// Returns whether changes are needed besides those in every set, such as other commits than the one to pick.
    #[must_use]
    pub fn needs_others(&self) -> bool {
        !self.always.is_empty() && self.others() > 0
    }

    /// Returns the changes of the slice.
    ///
    /// # Errors
    /// Returns [`Error::NotReproduced`] if there is no slice, because no set was observed to have the outcome to keep.
    pub fn slice(&self) -> Result<ChangeSet, Error> {
        if self.sizes.is_empty() {
            return Err(Error::NotReproduced { message: self.message.clone() });
        }
        Ok(self.kept.iter().copied().collect())
    }
}

/// Splits the name of a change into its commit and the part of the commit. The part is empty for a whole commit.
#[must_use]
pub fn change_parts(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or((name, ""))
}
