use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::charges::Charge;
use crate::error::Error;
use crate::option;
use crate::reduction::{Guarantee, Method, Need, ReductionConfig, kept};
use crate::search::{ChangeSet, Outcome};
use crate::words::json;

/// The algorithm that finds the smallest slice.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliceMethod {
    /// Adaptive group testing. It also tests the removals that facts suggest.
    #[default]
    Auto,
    /// Dynamic delta refinement with the rules of the paper (DEFINER, Figure 9).
    Definer,
    /// Only the start, tested once and not reduced (CSlicer).
    Coverage,
    /// The ddmin algorithm, which tests subsets, then complements, and then cuts the changes into more parts (Zeller and
    /// Hildebrandt 2002).
    Ddmin,
    /// Recursive bisection with at most 2n - 1 tests for n changes (IDD, Section 3.1).
    Recursive,
}

impl SliceMethod {
    fn as_str(self) -> &'static str {
        match self {
            SliceMethod::Auto => "auto",
            SliceMethod::Definer => "definer",
            SliceMethod::Coverage => "coverage",
            SliceMethod::Ddmin => "ddmin",
            SliceMethod::Recursive => "recursive",
        }
    }

    /// Returns the algorithm of the reduction inside, or `None` if there is no reduction.
    pub(super) fn reduction(self) -> Option<Method> {
        match self {
            SliceMethod::Auto => Some(Method::Auto),
            SliceMethod::Definer | SliceMethod::Coverage => None,
            SliceMethod::Ddmin => Some(Method::Ddmin),
            SliceMethod::Recursive => Some(Method::Recursive),
        }
    }
}

/// The changes that dynamic delta refinement reverts first, by score (Section 5.2, Experiment 3).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Random parts, regardless of scores.
    Random,
    /// Changes with a score below 0. This is the paper's default.
    Neg,
    /// Changes with a score of at most 0.
    Nonpos,
    /// The third of the changes with the lowest scores.
    Low,
    /// `"neg"`, `"nonpos"`, and `"low"` in turn.
    #[default]
    Combined,
}

/// The size of the changes that a history is divided into.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliceGranularity {
    /// Commits. A merge is one change relative to its first parent.
    #[default]
    Commit,
    /// The changes of each commit in one file.
    File,
    /// The single hunks and header changes of each commit.
    Hunk,
    /// The changes of each commit in one definition (atomic changes). A file without a grammar is one change.
    Definition,
}

/// The part of a repository's history that is sliced.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "SlicedHistory")))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlicedHistory {
    /// The revision before the first change. It must be a first-parent ancestor of `tip`. Default: with `onto`, the newest
    /// first parent of `tip` that `onto` has.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub base: String,
    /// The revision with all changes.
    pub tip: String,
    /// The branch to pick the commits for, such as a release branch. Sets of changes are applied to it, and every set contains
    /// the changes of `tip`. Commits that the branch already has, by patch-id or by a line of `git cherry-pick -x`, are left
    /// out. Default: none, and sets of changes are applied to `base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onto: Option<String>,
    /// The files and folders to slice, relative to the top of the repository. These are names, not patterns. Everything else
    /// stays as it is at `base`. Default: all files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Files and folders, such as tests, to copy from `tip` into every set of changes. They are not part of any change.
    /// Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// The size of the changes that the history is divided into. Default: `"commit"`.
    #[serde(default)]
    pub granularity: SliceGranularity,
}

/// The configuration of a [`Slicer`](super::Slicer). Every field has a default.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlicerConfig {
    /// The names of the changes, oldest first, for example full commit ids. Probes refer to changes by their index in this
    /// list. Default: each change is named by its index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// The history that the changes come from, with full commit ids. The search only stores it for the code that builds
    /// trees from sets of changes. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<SlicedHistory>,
    /// The other commits that each change is from, by change index, such as earlier commits that do not parse. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joined: BTreeMap<usize, Vec<String>>,
    /// The indices of the changes that are merge commits. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merges: Vec<usize>,
    /// The outcome to keep: `"pass"` or `"fail"`. Default: `"pass"`.
    #[serde(default = "pass", deserialize_with = "kept")]
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub keep: Outcome,
    /// The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the failure of all changes
    /// together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The algorithm that finds the slice. Default: `"auto"`.
    #[serde(default)]
    pub algorithm: SliceMethod,
    /// The changes that `"definer"` reverts first. Default: `"combined"`.
    #[serde(default)]
    pub scheme: Scheme,
    /// The indices of the changes that each change is predicted to depend on, by change index. A list among them means that
    /// any one of its members is enough. firstbad postpones sets that lack a predicted dependency, and tests them only if
    /// the result depends on them. Default: no dependencies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// The indices of changes that may be sufficient, such as the changes that a test covers. firstbad tests them once,
    /// together with their predicted dependencies, and ignores them if they are not sufficient. Default: no start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<usize>>,
    /// The indices of changes that every set contains. The search then starts with these changes alone. It adds first the
    /// changes that they are predicted to depend on, then more of the newest ones, until the test passes. Only for `keep`
    /// `"pass"`, and not for the algorithms `"definer"` and `"coverage"`. Default: no changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<usize>,
    /// Whether to learn from facts in `signals` which changes matter. Default: true.
    #[serde(default = "yes")]
    pub learn: bool,
    /// The changes that flow into variables and results. Each entry has a `file`, the qualified `name` of a definition, a
    /// `variable` (`"return"` for the result), and the indices of the `changes`. Facts that do not name changes count for or
    /// against these. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<Charge>,
    /// Warnings to include in the report, in sentences. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The guarantee to reach. Default: `"1-minimal"`.
    #[serde(default = "one_minimal")]
    pub guarantee: Guarantee,
    /// The seed for the random choices of `"definer"`. Default: 0.
    #[serde(default)]
    pub seed: u64,
}

fn pass() -> Outcome {
    Outcome::Pass
}

fn yes() -> bool {
    true
}

fn one_minimal() -> Guarantee {
    Guarantee::OneMinimal
}

impl Default for SlicerConfig {
    fn default() -> Self {
        SlicerConfig {
            changes: Vec::new(),
            history: None,
            joined: BTreeMap::new(),
            merges: Vec::new(),
            keep: Outcome::Pass,
            signature: None,
            algorithm: SliceMethod::Auto,
            scheme: Scheme::Combined,
            dependencies: BTreeMap::new(),
            start: None,
            always: Vec::new(),
            learn: true,
            charges: Vec::new(),
            warnings: Vec::new(),
            guarantee: Guarantee::OneMinimal,
            seed: 0,
        }
    }
}

impl SlicedHistory {
    /// Reads only the `history` of a search's JSON options.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] with the field, its value, and the expected value if the history is invalid.
    pub fn from_options(options: &Value) -> Result<Self, Error> {
        match options.get("history").filter(|history| !history.is_null()) {
            Some(history) => {
                let history: SlicedHistory = json::options(history)?;
                if history.base.is_empty() && history.onto.is_none() {
                    let expected =
                        format!("the revision before the first change, or the branch to pick for as {}", option!(onto));
                    return Err(Error::invalid("base", "", expected));
                }
                Ok(history)
            }
            None => Err(Error::invalid("history", "null", "a base and a tip")),
        }
    }
}

impl SlicerConfig {
    /// The most changes of a search, because its memory grows with the square of their number.
    pub const MOST_CHANGES: usize = 1 << 14;

    /// Sets the names of the changes, oldest first.
    #[must_use]
    pub fn changes<I: IntoIterator<Item = S>, S: Into<String>>(mut self, names: I) -> Self {
        self.changes = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: SliceMethod) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Sets the predicted dependencies.
    #[must_use]
    pub fn dependencies(mut self, dependencies: BTreeMap<usize, Vec<Need>>) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// Sets the changes that every set contains.
    #[must_use]
    pub fn always(mut self, always: impl IntoIterator<Item = usize>) -> Self {
        self.always = always.into_iter().collect();
        self
    }

    /// Sets the start.
    #[must_use]
    pub fn start(mut self, start: impl IntoIterator<Item = usize>) -> Self {
        self.start = Some(start.into_iter().collect());
        self
    }

    /// Checks the options for `count` changes, except those in [`SlicerConfig::judged`].
    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        if count == 0 || count > SlicerConfig::MOST_CHANGES {
            let expected = format!("at least one change and at most {}", SlicerConfig::MOST_CHANGES);
            return Err(Error::invalid("changes", count, expected));
        }
        if !self.changes.is_empty() && self.changes.len() != count {
            return Err(Error::invalid(
                "changes",
                self.changes.len(),
                format!("a name for each of the {count} changes"),
            ));
        }
        let mut names = hashbrown::HashSet::new();
        if let Some(twice) = self.changes.iter().find(|name| !names.insert(name.as_str())) {
            return Err(Error::invalid("changes", twice, "each name once; this one is a duplicate"));
        }
        if let Some(start) = &self.start {
            ChangeSet::checked("start", start, count)?;
        }
        ChangeSet::checked("always", &self.always, count)?;
        if !self.always.is_empty() && self.keep != Outcome::Pass {
            return Err(Error::invalid("keep", self.keep, "\"pass\", because every set contains some changes"));
        }
        if !self.always.is_empty() && self.algorithm.reduction().is_none() {
            let expected = "\"auto\", \"ddmin\", or \"recursive\", because every set contains some changes";
            return Err(Error::invalid("algorithm", self.algorithm.as_str(), expected));
        }
        if self.algorithm == SliceMethod::Coverage && self.start.is_none() {
            return Err(Error::invalid("algorithm", "coverage", "a start or coverage, because it tests nothing else"));
        }
        Ok(())
    }

    /// Returns the options that decide whether a set holds.
    pub(super) fn judged(&self) -> ReductionConfig {
        ReductionConfig {
            dependencies: self.dependencies.clone(),
            guarantee: self.guarantee,
            keep: self.keep,
            signature: self.signature.clone(),
            ..ReductionConfig::default()
        }
    }
}
