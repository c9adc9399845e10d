//! The report of a search for a change in numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::commit::Commit;
use crate::finding::find::Find;
use crate::search::{Hypothesis, Status, TargetObservation};

/// The conclusion about a metric.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeConclusion {
    /// One commit changed the number by at least `at_least`.
    Step,
    /// Several commits each changed the number by at least `at_least`.
    Several,
    /// The number changed between the endpoints, but no single commit changed it by at least `at_least`.
    Spread,
    /// The numbers at the endpoints do not differ by `at_least` in the direction searched for.
    None,
    /// One of several commits changed the number. Revisions without a number separate them.
    Set,
    /// There is no conclusion, or none yet. The candidates are the best guess.
    Undecided,
}

/// A commit that changed the number.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The full id of the commit.
    pub commit: String,
    /// The full ids of its parents.
    pub parents: Vec<String>,
    /// The median at its parents, in the unit of the number. With several parents, the median that is closest to `after`.
    pub before: f64,
    /// The median at the commit, in the unit of the number.
    pub after: f64,
    /// Whether the number is only known to be at least `after`, because of a timeout.
    pub censored: bool,
    /// `after` minus `before`.
    pub change: f64,
    /// The change in percent of `before`. `None` if `before` is not positive.
    pub percent: Option<f64>,
    /// The limits of `change`, which hold with a probability of 95%, from the noise of the measurements.
    pub interval: (f64, f64),
    /// The share of the change between the endpoints. It can exceed 1 if another commit changed the number back.
    pub share: f64,
    /// The posterior probability that this commit changed the number, in [0, 1]. It is 1 for exact numbers.
    pub probability: f64,
    /// The number of measurements at the commit and its parents.
    pub measurements: u64,
    /// An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds this commit.
    pub fingerprint: String,
}

/// A change that no step explains.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unexplained {
    /// The change between the endpoints minus the changes of all steps, in the unit of the number.
    pub change: f64,
    /// The same in percent of the number at the good revision. `None` if that number is not positive.
    pub percent: Option<f64>,
    /// The limits of `change`, which hold with a probability of 95%.
    pub interval: (f64, f64),
}

/// The noise of the measurements.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// The standard deviation of a measurement, in the unit of the number at the good revision. Outliers count little.
    pub deviation: f64,
    /// The same in percent of the number at the good revision. `None` if that number is not positive.
    pub percent: Option<f64>,
    /// The probability that the machine drifted during the search, in [0, 1].
    pub drift: f64,
    /// The range of the endpoints' measurements over time without their noise, as the largest difference between means of three
    /// measurements of the same revision. `None` below six measurements.
    pub drift_range: Option<f64>,
    /// The largest difference between the medians of two builds of the same endpoint. `None` if no endpoint was built twice.
    pub rebuild: Option<f64>,
}

/// The measurements at a revision.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesPoint {
    /// The full id of the revision.
    pub revision: String,
    /// Its position in the history between the endpoints, from 0 for the good revision to the number of suspects for the bad one.
    pub position: u64,
    /// The numbers in the order in which they were measured. Paired numbers are divided by their control, or their control is
    /// subtracted.
    pub values: Vec<f64>,
    /// The place of each number in the observations of the report.
    pub observations: Vec<u64>,
    /// The median of the numbers.
    pub median: f64,
    /// The number that the conclusion expects at this revision. `None` without a step.
    pub fitted: Option<f64>,
    /// The number of values that are only limits, because of a timeout.
    pub censored: u64,
}

/// The result for one of several metrics.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricChange {
    /// The name of the metric, if the search has several.
    pub metric: Option<String>,
    /// The unit of the number, or `None` if it is unknown.
    pub unit: Option<String>,
    /// The smallest change that matters, as text: `3%` or `2kB`.
    pub at_least: String,
    /// The conclusion.
    pub conclusion: ChangeConclusion,
    /// The median at the good revision. `None` without a measurement.
    pub before: Option<f64>,
    /// The median at the bad revision. `None` without a measurement.
    pub after: Option<f64>,
    /// `after` minus `before`.
    pub change: Option<f64>,
    /// The change in percent of `before`. `None` if `before` is not positive.
    pub percent: Option<f64>,
    /// The limits of `change`, which hold with a probability of 95%. `None` if the noise is unknown.
    pub interval: Option<(f64, f64)>,
    /// The commits that changed the number, the largest change first.
    pub steps: Vec<Step>,
    /// The suspects that remain if the conclusion is `set` or `undecided`, the most probable first, at most ten.
    pub candidates: Vec<Hypothesis>,
    /// If the conclusion is `spread`, the largest change of a single commit that was measured.
    pub largest: Option<Step>,
    /// What no step explains. `None` without a step.
    pub unexplained: Option<Unexplained>,
    /// The noise. `None` if the numbers are exact or no revision was measured twice.
    pub noise: Option<Noise>,
    /// Whether revisions have one number without noise.
    pub exact: bool,
    /// The posterior probability of the conclusion, in [0, 1], and that of the best guess if there is none. It is 1 for exact numbers.
    /// `None` if a comparison of medians led to the conclusion.
    pub probability: Option<f64>,
    /// The measurements by revision, in the order of the history, oldest first.
    pub series: Vec<SeriesPoint>,
}

/// The result of a search for a change in numbers, final or the best so far. If there are several metrics, the fields from `metric`
/// to `series` describe the first one.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeReport {
    /// The status of the search.
    pub status: Status,
    /// The result in one or two sentences.
    #[serde(with = "crate::words::printable::words")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub message: String,
    /// The full id of the bad revision.
    pub bad: String,
    /// The full ids of the good revisions. firstbad measures the first of them.
    pub good: Vec<String>,
    /// What the search looked for: the commit that made the number worse, or better.
    pub find: Find,
    /// Whether the search continued while a change of at least `at_least` was unexplained.
    pub all_steps: bool,
    /// The probability at which the search names a commit.
    pub confidence: f64,
    /// The result for the metric, or for the first of several metrics.
    #[serde(flatten)]
    pub main: MetricChange,
    /// The results for the other metrics, in the order of their names.
    #[serde(default)]
    pub other_metrics: Vec<MetricChange>,
    /// Whether each run measured a good revision as well.
    pub paired: bool,
    /// The number of measurements.
    pub measurements: u64,
    /// The number of builds.
    pub builds: u64,
    /// The full ids of the revisions without a number, oldest first.
    pub unresolved: Vec<String>,
    /// The duration of all runs in seconds. `None` if no observation has a duration.
    pub seconds: Option<f64>,
    /// The number of suspects.
    pub suspects: usize,
    /// Warnings about the result, in sentences.
    #[serde(default, with = "crate::words::printable::sentences")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub warnings: Vec<String>,
    /// The number of outcomes from the oracle, including outcomes that cost no run.
    pub asked: u64,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// All observations, in the order in which they were reported.
    pub observations: Vec<TargetObservation>,
    /// Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search runs,
    /// and if the repository could not be read.
    #[serde(default)]
    pub commits: BTreeMap<String, Commit>,
    /// The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
}
