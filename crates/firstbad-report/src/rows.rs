//! What was seen, as rows of a table.

use firstbad::{Commit, Outcome, Report, Stage, Target, TargetObservation};
use serde::Serialize;

/// One answer, with its columns in the order in which a person reads them.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which run of the test it was, from 1, in the order told; `None` if it cost none: it was known beforehand, or the test
    /// was not run.
    pub run: Option<u64>,
    /// What was tested: the revision, as its full id; `None` if it is about items alone.
    pub revision: Option<String>,
    /// The first line of the commit's message; `None` if that is not known.
    pub subject: Option<String>,
    /// What was tested: the set of items or changes in short, as `"0-3,7"`; `None` if it is about a revision as it is.
    pub changes: Option<String>,
    /// What was seen.
    #[cfg_attr(test, schemars(with = "String", extend("reference" = "Outcome")))]
    pub outcome: Outcome,
    /// How long the test took, in seconds.
    pub seconds: Option<f64>,
    /// Which failure it was.
    pub signature: Option<String>,
    /// The stage at which the test ended, where it did not pass.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub stage: Option<Stage>,
    /// How many runs passed, where the test was run several times.
    pub passes: Option<u32>,
    /// How many runs failed, where the test was run several times.
    pub fails: Option<u32>,
    /// A measured number, in the caller's unit.
    pub metric: Option<f64>,
    /// The most memory that a process of the test had at once, in bytes.
    pub memory: Option<u64>,
    /// What the test cost, in the unit of the budget's `cost`.
    pub cost: Option<f64>,
    /// When the test was started, in seconds on the clock of the observations.
    pub started: Option<f64>,
    /// When it ended, on the same clock.
    pub ended: Option<f64>,
    /// Words for people: where the log is, why it is unresolved.
    pub note: Option<String>,
    /// The file that holds what the test printed.
    pub output: Option<String>,
    /// The probe that it answered; `None` if it was known without being asked.
    pub probe: Option<u64>,
}

/// A row for each answer, in the order told.
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
