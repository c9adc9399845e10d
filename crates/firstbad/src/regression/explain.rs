//! Explains regression points: finds the smallest part of each point's patch that causes the failure.
//!
//! The patch of a point is the difference from its good revision to its bad one. Parts of the patch are applied to the good
//! revision, and a part that makes the test fail is the cause. With `find = "fix"`, the patch reverts the fix. Hosts read the
//! patch, run its reduction, and show the result.

use std::iter;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::algorithm::Regression;
use super::config::{RegressionConfig, SearchKind};
use super::report::{LeafReport, RegressionPoint, RegressionReport};
use super::strategy::noise;
use crate::belief::Rate;
use crate::error::Error;
use crate::reduction::{Granularity, MinimizeReport, ReductionConfig};
use crate::search::{Algorithm as _, Budget, Inspect, Outcome, Status, TargetObservation};
use crate::words::json;

/// A plan for explaining the points of a regression search, one after the other. The search and all explanations share one
/// budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The message of the search's report, with the reasons why points are not explained.
    pub message: String,
    /// The configuration of every reduction. The patch adds its own options. The reduction keeps the failure of the search.
    pub configuration: ReductionConfig,
    /// The granularity at which patches are split. It is fine, because the result is read by people.
    pub granularity: Granularity,
    /// The explanations, parallel to the points of the report.
    pub points: Vec<PointExplanation>,
    /// The remaining budget for the next reduction. The host must track the time.
    pub left: Budget,
    /// The message of the search's report.
    found: String,
}

/// The endpoints for explaining one point, or why the point cannot be explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointExplanation {
    /// The revision to which parts of the patch are applied. The patch leads from this revision to `bad`.
    pub good: Option<String>,
    /// The revision that fails.
    pub bad: String,
    /// Why the point cannot be explained, or `None` if it can. In that case, `good` is set.
    pub no_cause: Option<String>,
    /// The [`journal_suffix`](RegressionPoint::journal_suffix) of the point.
    pub journal_suffix: String,
    /// Whether `good` failed without any of the changes, which contradicts the point.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradicted: bool,
}

impl Explanation {
    /// Creates the plan for the points of a report. `budget` is the budget of the search.
    #[must_use]
    pub fn new(config: &RegressionConfig, report: &RegressionReport, budget: Budget) -> Self {
        let mut explanation = Explanation {
            message: String::new(),
            configuration: reduction(config),
            granularity: Granularity::Edits,
            points: report.points.iter().map(|point| PointExplanation::of(point, report)).collect(),
            left: budget.less(report.runs, cost(&report.observations)),
            found: report.message.clone(),
        };
        explanation.write_message();
        explanation
    }

    /// Creates the plan from JSON.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if an argument is not the configuration or the report of a regression search.
    pub fn from_json(configuration: &Value, report: &str, budget: Budget) -> Result<Self, Error> {
        Ok(Explanation::new(&json::options(configuration)?, &json::argument("report", report)?, budget))
    }

    /// Creates the plan for a search in its current state.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if the search is not a regression search, and the errors of [`Inspect`].
    pub fn of(search: &dyn Inspect, budget: Budget) -> Result<Self, Error> {
        if search.algorithm() != Regression::NAME {
            return Err(Error::invalid("search", search.algorithm(), "a search for regressions"));
        }
        Explanation::from_json(&search.configuration()?, &search.report_json()?, budget)
    }

    /// Records the result of the reduction of a point's patch. `None` means that the patch is empty.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if there is no such point, or if the point cannot be explained.
    pub fn told(&mut self, place: usize, cause: Option<&MinimizeReport>) -> Result<(), Error> {
        let count = self.points.len();
        let open = self.points.get_mut(place).filter(|point| point.no_cause.is_none());
        let Some(point) = open else {
            return Err(Error::invalid(
                "place",
                place,
                format!("the index of one of {count} points that can have a cause"),
            ));
        };
        match (cause, &point.good) {
            (Some(cause), _) => {
                self.left = self.left.less(cause.runs, cost(&cause.observations));
                point.check(cause);
            }
            (None, Some(good)) => point.no_cause = Some(format!("{good} has the same files")),
            (None, None) => {}
        }
        self.write_message();
        Ok(())
    }

    fn write_message(&mut self) {
        let reasons = self.points.iter().filter_map(|point| {
            Some(format!("{} has no cause to find, because {}", point.bad, point.no_cause.as_ref()?))
        });
        let found = iter::once(self.found.clone()).filter(|words| !words.is_empty() && !self.is_contradicted());
        self.message = self.contradictions().chain(found).chain(reasons).collect::<Vec<_>>().join(". ");
    }

    /// Describes each contradicted point.
    fn contradictions(&self) -> impl Iterator<Item = String> {
        let good = self.points.iter().filter(|point| point.contradicted).filter_map(|point| point.good.as_ref());
        good.map(|good| contradiction(good))
    }

    /// Returns whether an explanation contradicts the result of the search.
    #[must_use]
    pub fn is_contradicted(&self) -> bool {
        self.points.iter().any(|point| point.contradicted)
    }

    /// Writes the explanation into the report of the search. If it contradicts the result, the report is no longer confirmed.
    pub fn write_into(&self, report: &mut RegressionReport) {
        report.message.clone_from(&self.message);
        for (point, explained) in report.points.iter_mut().zip(&self.points) {
            point.confirmed &= !explained.contradicted;
        }
        if self.is_contradicted() {
            report.status = Status::Contradictory;
        }
    }
}

impl PointExplanation {
    fn of(point: &RegressionPoint, report: &RegressionReport) -> Self {
        PointExplanation {
            good: point.good.clone(),
            bad: point.bad.clone(),
            no_cause: obstacle(point, report.status, &report.leaves).map(str::to_owned),
            journal_suffix: point.journal_suffix(),
            contradicted: false,
        }
    }

    /// Records whether the test failed without any of the changes.
    fn check(&mut self, cause: &MinimizeReport) {
        self.contradicted = cause.kept.is_empty() && cause.status != Status::NotReproduced;
    }
}

/// Describes a good revision that fails without any of the changes.
#[must_use]
pub fn contradiction(good: &str) -> String {
    format!(
        "no culprit found: {good} passes, but fails in a later run without any of the changes. Something outside the \
         code changed, or the test is flaky"
    )
}

/// Returns why a point cannot be explained, as far as that is known without its patch. Unresolved revisions between its two sides
/// do not matter, because both sides were observed.
fn obstacle(point: &RegressionPoint, status: Status, leaves: &[LeafReport]) -> Option<&'static str> {
    if status == Status::GoodEndFails {
        Some("an endpoint of the search has the wrong outcome")
    } else if point.is_open(leaves) {
        Some("the search for it has not finished")
    } else if point.good.is_none() {
        Some("no passing ancestor was found")
    } else {
        None
    }
}

/// The configuration of a reduction, with the failure of the search. The reduction keeps failures, so that a false pass of the
/// search is a flake of the reduction, and a flake of the search is a false pass.
fn reduction(config: &RegressionConfig) -> ReductionConfig {
    let mut reduction =
        ReductionConfig { keep: Outcome::Fail, signature: config.signature.clone(), ..ReductionConfig::default() };
    if config.search == SearchKind::Bayes {
        let noise = noise(config);
        reduction.confidence = Some(noise.confidence);
        reduction.flake_rate = noise.false_pass_rate;
        reduction.false_pass_rate = match noise.flake_rate {
            Rate::Known(rate) => Rate::Known(rate.max(noise.min_flake_rate)),
            rate => rate,
        };
    }
    reduction
}

/// The cost of the observations that took a run, in the units of the budget.
fn cost(observations: &[TargetObservation]) -> f64 {
    let ran = observations.iter().map(|seen| &seen.observation).filter(|seen| seen.ran);
    ran.filter_map(|seen| seen.cost).sum()
}
