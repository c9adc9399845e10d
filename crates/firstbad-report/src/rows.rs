//! Observations as rows of a table.

use firstbad::{Commit, Outcome, Report, Stage, Target, TargetObservation};
use serde::Serialize;

/// One outcome. The columns are in reading order.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The number of the run, from 1, in the order told. `None` if the outcome was known before or the test did not run.
    pub run: Option<u64>,
    /// The full id of the tested revision; `None` for a set of items.
    pub revision: Option<String>,
    /// The first line of the commit message; `None` if it is unknown.
    pub subject: Option<String>,
    /// The tested set of items or changes in short form, such as `"0-3,7"`; `None` for an unchanged revision.
    pub changes: Option<String>,
    /// The outcome.
    #[cfg_attr(test, schemars(with = "String", extend("reference" = "Outcome")))]
    pub outcome: Outcome,
    /// The duration of the test, in seconds.
    pub seconds: Option<f64>,
    /// The signature of the failure.
    pub signature: Option<String>,
    /// The stage at which the test ended, unless it passed.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub stage: Option<Stage>,
    /// The number of runs that passed, if the test ran several times.
    pub passes: Option<u32>,
    /// The number of runs that failed, if the test ran several times.
    pub fails: Option<u32>,
    /// The measured number, in the unit of the caller.
    pub metric: Option<f64>,
    /// The number that the same run measured at a good revision, if the search compares pairs.
    pub control: Option<f64>,
    /// Whether the number is only a limit that the measurement exceeded; `None` without a number.
    pub censored: Option<bool>,
    /// The maximum memory of the largest process of the test, in bytes.
    pub memory: Option<u64>,
    /// The cost of the test, in the unit of the budget's `cost`.
    pub cost: Option<f64>,
    /// The start of the test, in seconds on the clock of the observations.
    pub started: Option<f64>,
    /// The end of the test, on the same clock.
    pub ended: Option<f64>,
    /// A note for readers, such as the location of the log or the reason for an unresolved outcome.
    pub note: Option<String>,
    /// The file with the output of the test.
    pub output: Option<String>,
    /// The probe that was asked; `None` if the outcome was told without a probe.
    pub probe: Option<u64>,
}

/// Returns a row for each outcome, in the order told.
#[must_use]
pub fn rows(report: &Report) -> Vec<Row> {
    let seen = TargetObservation::with_runs(report.observations());
    seen.map(|(run, TargetObservation { target, probe, observation })| {
        let Target { revision, changes, .. } = target.clone();
        let commit = revision.as_ref().and_then(|revision| report.commits()?.get(revision));
        Row {
            run,
            subject: commit.map(|Commit { subject, .. }| subject.clone()),
            revision,
            changes: changes.map(|changes| changes.to_string()),
            outcome: observation.outcome,
            seconds: observation.seconds,
            signature: observation.signature.clone(),
            stage: observation.stage,
            passes: observation.passes,
            fails: observation.fails,
            metric: observation.metric,
            control: observation.control,
            censored: observation.metric.map(|_| observation.censored),
            memory: observation.memory,
            cost: observation.cost,
            started: observation.started,
            ended: observation.ended,
            note: observation.note.clone(),
            output: observation.output.clone(),
            probe: *probe,
        }
    })
    .collect()
}
