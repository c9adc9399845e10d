//! Explains a culprit of a triage with one of its tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use firstbad::{
    Configuration, Error, Observation, Outcome, RegressionConfig, Search as _, TestVerdict, TriageCulprit,
    TriageReport, World,
};
use firstbad_git::Repository;
use firstbad_journal::{Contents, Session};
use firstbad_oracle::TestRecord;
use firstbad_report::Exit;

use super::causes::{Explaining, causes, finish, place_of};
use crate::args::{CommandArgs, ExplainArgs, TestArgs};
use crate::reduction::OneTest;
use crate::signals::Signals;
use crate::{answer, carry, failure, streams, test, trust};

/// Finds the lines of a culprit that break one of its tests.
pub(super) fn explain(
    args: &ExplainArgs,
    (journal, contents): (&Path, &Contents),
    repository: &Repository,
    triage: &Session,
    report: &TriageReport,
) -> Result<Exit, Error> {
    let began = Instant::now();
    let commits = report.culprits.iter().map(|culprit| culprit.commit.as_str());
    let place = args.culprit.as_deref().map_or(Ok(0), |name| place_of(name, commits))?;
    let Some(culprit) = report.culprits.get(place) else {
        streams::note("no culprit was found, so there is nothing to explain");
        return Ok(Exit::NotReproduced);
    };
    let Some(test) = compared(report, culprit) else {
        streams::note("no test of this culprit was seen to pass at every parent, so there is no change to reduce");
        return Ok(Exit::NotReproduced);
    };
    let is_given = !args.command.is_empty();
    let (theirs, driver) = trust::followed(journal, &contents.header, is_given, args.trust_journal)?;
    let base = CommandArgs { command: args.command.clone(), ..CommandArgs::default() };
    let given = TestArgs { base, ..TestArgs::default() };
    let suite = theirs.suite.clone();
    let mut record =
        TestRecord { suite, ..test::record(&given, if is_given { TestRecord::default() } else { theirs })? };
    carry::carry(&given, &mut record, repository)?.into_iter().for_each(streams::note);
    let example = "firstbad explain night.jsonl -- pytest";
    let oracle = Arc::new(test::suite_oracle(repository, &record, driver.output_dir.as_deref(), example)?);
    test::say(oracle.command(), &mut |note| streams::note(note));
    let signals = Signals::listen()?;
    let last = Arc::clone(&oracle);
    signals.before_exit(move || last.command().kill());
    let id = &test.id;
    if culprit.tests.len() > 1 {
        streams::note(format_args!(
            "explaining with one of {} tests, {}",
            culprit.tests.len(),
            firstbad_report::plain(id)
        ));
    }
    let session = between(culprit, repository, triage)?;
    let mut summary = answer::summary(&session, Some(repository))?;
    let how = Explaining {
        repository,
        oracle: &OneTest { suite: &oracle, id: id.clone() },
        title: &format!("{} {id}", record.command.join(" ")),
        jobs: args.jobs.or(driver.jobs).unwrap_or(1),
        journal: Some(journal),
        budget: args.budget.of_runs(),
        deadline: args.budget.deadline(began),
        signals: &signals,
        quiet: args.output.quiet,
    };
    let ended = causes(&mut summary, &session, &how, None);
    if let Err(error) = oracle.command().close() {
        failure::say(&error);
    }
    finish(&summary, &session, &args.output, None, ended)
}

/// Returns the first test of a culprit that was seen to fail there and to pass at every parent.
fn compared<'a>(report: &'a TriageReport, culprit: &TriageCulprit) -> Option<&'a TestVerdict> {
    let tests = report.tests.iter().filter(|test| culprit.tests.contains(&test.id));
    tests.into_iter().find(|test| {
        let seen = |revision: &String| test.observations.iter().find(|seen| seen.revision == *revision);
        let has_passed = |parent: &String| seen(parent).is_some_and(|seen| seen.passes > 0);
        seen(&culprit.commit).is_some_and(|seen| seen.fails > 0) && culprit.parents.iter().all(has_passed)
    })
}

/// Returns a search between a culprit and its parents that knows the outcomes of the triage there.
fn between(culprit: &TriageCulprit, repository: &Repository, triage: &Session) -> Result<Session, Error> {
    let World::History(graph) = triage.inspect().world() else {
        return Err(Error::invalid("JOURNAL", "a search without a history", "a journal of a triage"));
    };
    let config = RegressionConfig {
        confirm: false,
        ..RegressionConfig::new([&culprit.commit]).good(culprit.parents.iter().map(String::as_str))
    };
    let configuration = Configuration::Regression(Box::new(config));
    let mut session = Session::new(firstbad_git::open_in(repository, graph, configuration)?);
    let seen = |outcome: Outcome| Observation { ran: false, ..Observation::new(outcome) };
    let parents = culprit.parents.iter().map(|parent| (parent.as_str().into(), seen(Outcome::Pass)));
    let known: Vec<_> = std::iter::once((culprit.commit.as_str().into(), seen(Outcome::Fail))).chain(parents).collect();
    session.assume(&known)?;
    Ok(session)
}
