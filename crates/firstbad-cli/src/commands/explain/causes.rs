//! Finds the parts of culprits that cause the failure.

use std::path::{Path, PathBuf};
use std::time::Instant;

use firstbad::regression::Explanation;
use firstbad::{Budget, Error, MinimizeReport, Patch, RegressionPoint, Search as _, Status};
use firstbad_git::Repository;
use firstbad_journal::{Session, Test};
use firstbad_report::{Cause, Exit, Summary};
use serde_json::Value;

use crate::args::OutputArgs;
use crate::drive::{End, Job, Plan, drive};
use crate::kept_cause::{cause_journal, cause_report};
use crate::reduction::{PatchSearch, PatchedTest};
use crate::signals::Signals;
use crate::view::View;
use crate::{answer, failure, not_reproduced, streams};

/// The settings of a search for causes.
pub(crate) struct Explaining<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) oracle: &'a dyn PatchedTest,
    /// The name of the test.
    pub(crate) title: &'a str,
    pub(crate) jobs: usize,
    /// The journal of the search for the commits, or `None` to keep no journals.
    pub(crate) journal: Option<&'a Path>,
    /// The budget of the search for the commits and of all causes together.
    pub(crate) budget: Budget,
    pub(crate) deadline: Option<Instant>,
    pub(crate) signals: &'a Signals,
    pub(crate) quiet: bool,
}

/// Prints the summary with the causes, and returns the exit code.
pub(super) fn finish(
    summary: &Summary,
    session: &Session,
    output: &OutputArgs,
    point: Option<usize>,
    ended: Result<End, Error>,
) -> Result<Exit, Error> {
    answer::print(summary, output, session)?;
    Ok(match ended {
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Ok(End::Done) => exit(summary, point),
        Err(error) => {
            failure::say(&error);
            Exit::of(&error)
        }
    })
}

/// Returns the place of a commit that an abbreviated id names.
pub(super) fn place_of<'a>(name: &str, commits: impl Iterator<Item = &'a str> + Clone) -> Result<usize, Error> {
    let mut found = commits.clone().enumerate().filter(|(_, commit)| name.len() >= 4 && commit.starts_with(name));
    match (found.next(), found.next()) {
        (Some((place, _)), None) => Ok(place),
        _ => {
            let names: Vec<&str> = commits.map(brief).collect();
            let expected = match names.is_empty() {
                true => "no option, because the search found no culprit".to_owned(),
                false => format!("the id of a culprit: {}", names.join(", ")),
            };
            Err(Error::invalid("--culprit", name, expected))
        }
    }
}

/// Returns the exit code after the requested causes.
fn exit(summary: &Summary, only: Option<usize>) -> Exit {
    let places = (0..summary.points().len()).filter(|place| only.is_none_or(|only| only == *place));
    let statuses: Vec<Option<Status>> =
        places.map(|place| summary.cause(place).map(|cause| cause.report.status)).collect();
    let ended_early = statuses.iter().flatten().find(|status| matches!(status, Status::Budget | Status::Stopped));
    match ended_early {
        Some(&status) => Exit::from(status),
        // Causes do not change the status of the search.
        None if summary.status() != Status::Found => summary.exit(),
        None if statuses.contains(&Some(Status::Found)) => Exit::Done,
        None => Exit::NotReproduced,
    }
}

/// Finds the part of each point's patch that still fails and adds it to the summary. `only` selects one point.
pub(crate) fn causes(
    summary: &mut Summary,
    session: &Session,
    how: &Explaining<'_>,
    only: Option<usize>,
) -> Result<End, Error> {
    let mut explanation = Explanation::of(session.inspect(), how.budget)?;
    let mut end = End::Done;
    for place in 0..summary.points().len() {
        if only.is_none_or(|only| only == place) {
            end = explain(summary, &mut explanation, place, how)?;
            if end != End::Done {
                break;
            }
        }
    }
    if only.is_none() && end == End::Done {
        summary.say(&explanation.message);
    }
    summary.weigh_causes();
    Ok(end)
}

/// Explains one point, if possible.
fn explain(
    summary: &mut Summary,
    explanation: &mut Explanation,
    place: usize,
    how: &Explaining<'_>,
) -> Result<End, Error> {
    let planned = &explanation.points[place];
    summary.cause_mut(place).no_cause.clone_from(&planned.no_cause);
    let Some(base) = planned.good.clone().filter(|_| planned.no_cause.is_none()) else { return Ok(End::Done) };
    let point = &summary.points()[place];
    let patch = Patch::parse(&how.repository.diff_to_reduce(&base, &point.bad)?)?;
    if patch.is_empty() {
        explanation.told(place, None)?;
        summary.cause_mut(place).no_cause.clone_from(&explanation.points[place].no_cause);
        return Ok(End::Done);
    }
    let journal = how.journal.map(|journal| cause_journal(journal, point));
    let (cause, report, ended) =
        look_for(point, &PatchSearch { repository: how.repository.clone(), patch, base }, explanation, journal, how)?;
    explanation.told(place, Some(&report))?;
    summary.cause_mut(place).cause = Some(cause);
    if ended? == End::Done { Ok(End::Done) } else { ended_by(how.signals) }
}

fn ended_by(signals: &Signals) -> Result<End, Error> {
    Ok(signals.caught().map_or(End::Done, End::Signal))
}

/// Returns the cause so far, its report, and how the search ended.
fn look_for(
    point: &RegressionPoint,
    search: &PatchSearch,
    explanation: &Explanation,
    journal: Option<PathBuf>,
    how: &Explaining<'_>,
) -> Result<(Cause, MinimizeReport, Result<End, Error>), Error> {
    let options = serde_json::to_value(&explanation.configuration).and_then(serde_json::from_value);
    let options = options.map_err(|error| Error::internal("a configuration", &error))?;
    let mut session = search.session(explanation.granularity, options)?;
    if let Some(journal) = &journal {
        search.attach(&mut session, journal, Test::Command(how.oracle.record().value()?), Value::Null)?;
        session.seconds_of_whole().into_iter().for_each(|seconds| how.oracle.expect_seconds(seconds));
    }
    if let Some(runs) = explanation.left.runs
        && session.runs() >= runs
        && !session.is_done()
        && session.runs() > 0
    {
        let used = session.runs();
        streams::note(format_args!("{used} of {runs} runs are used, including earlier runs; increase --max-runs"));
    }
    session.set_budget(explanation.left)?;
    let mut view = View::new(how.quiet, how.title.to_owned(), Some(how.repository));
    let count = search.patch.len();
    view.note(&format!("searching the {count} changes from {} to {}", brief(&search.base), brief(&point.bad)));
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| search.test(how.oracle, probe, keep_going);
    let plan = Plan::new(&test, how.jobs, how.deadline, how.signals);
    let ended = drive(&mut session, &plan, &mut view);
    view.close();
    let report = cause_report(&session)?;
    if report.status == Status::NotReproduced {
        not_reproduced::explain_why_not("change", &answer::summary(&session, None)?.asked, count, None);
    }
    let cause = Cause::of(&report, &search.patch, point.find, journal.map(|path| path.display().to_string()))?;
    Ok((cause, report, ended))
}

fn brief(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
