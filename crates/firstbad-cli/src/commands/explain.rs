//! `firstbad explain`.

mod causes;
mod suite;

use std::sync::Arc;
use std::time::Instant;

use firstbad::{Budget, Error, RegressionPoint, Report, Search as _};
use firstbad_journal::{Session, Test};
use firstbad_oracle::TestRecord;
use firstbad_report::{Exit, Summary};

pub(crate) use self::causes::{Explaining, causes};
use self::causes::{finish, place_of};
use super::metric;
use crate::args::{CommandArgs, ExplainArgs, TestArgs};
use crate::driver_record::DriverRecord;
use crate::signals::Signals;
use crate::{answer, carry, failure, history, last_run, streams, test, trust};

/// Explains the culprits of a journal.
pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Error> {
    let began = Instant::now();
    let journal = &last_run::to_explain(args.at.journal(), args.at.repository.named())?;
    let contents = firstbad_journal::read(journal)?;
    last_run::say_which(&contents.header, args.at.journal(), args.output.quiet);
    let (repository, world) = history::world(journal, &contents, args.at.repository.named())?;
    let Some(repository) = repository else {
        let message = "it has no commits of a repository, so there is no patch to explain".to_owned();
        return Err(Error::Journal { path: journal.display().to_string(), message });
    };
    let is_ours = contents.header.is_ours(journal);
    let fetches = args.fetch.fetch || is_ours && DriverRecord::read(journal, &contents.header.driver)?.fetch;
    let repository = repository.fetching(fetches);
    let session = Session::view(journal, &contents, world)?;
    if let Report::Triage(report) = Report::of(session.inspect())? {
        return suite::explain(args, (journal, &contents), &repository, &session, &report);
    }
    if metric::is_searched(&session) {
        let message = "it is a search for a change in a number, so there is no failure to explain".to_owned();
        return Err(Error::Journal { path: journal.display().to_string(), message });
    }
    let mut summary = answer::kept_in(answer::summary(&session, Some(&repository))?, journal, Some(&repository));
    let point = chosen(args, &summary)?;
    if summary.points().is_empty() {
        streams::note("no culprit was found, so there is nothing to explain");
        answer::print(&summary, &args.output, &session)?;
        return Ok(summary.exit());
    }
    let is_given = !args.command.is_empty();
    let (theirs, driver) = trust::followed(journal, &contents.header, is_given, args.trust_journal)?;
    let base = CommandArgs { command: args.command.clone(), ..CommandArgs::default() };
    let given = TestArgs { base, ..TestArgs::default() };
    let mut record = test::record(&given, if is_given { TestRecord::default() } else { theirs })?;
    carry::carry(&given, &mut record, &repository)?.into_iter().for_each(streams::note);
    contents.header.check_test(journal, &Test::Command(record.value()?))?;
    let output_dir = driver.output_dir.as_deref();
    let oracle = test::oracle(&repository, &record, output_dir, "firstbad explain run.jsonl -- make test")?;
    test::say(&oracle, &mut |note| streams::note(note));
    let oracle = Arc::new(oracle);
    let signals = Signals::listen()?;
    let last = Arc::clone(&oracle);
    signals.before_exit(move || last.kill());
    let how = Explaining {
        repository: &repository,
        oracle: oracle.as_ref(),
        title: &record.command.join(" "),
        jobs: args.jobs.or(driver.jobs).unwrap_or(1),
        journal: Some(journal),
        budget: beside(args.budget.of_runs(), session.runs()),
        deadline: args.budget.deadline(began),
        signals: &signals,
        quiet: args.output.quiet,
    };
    let ended = causes(&mut summary, &session, &how, point);
    if let Err(error) = oracle.close() {
        failure::say(&error);
    }
    finish(&summary, &session, &args.output, point, ended)
}

/// Returns the number of the point to explain, or `None` for all points.
fn chosen(args: &ExplainArgs, summary: &Summary) -> Result<Option<usize>, Error> {
    let commits = summary.points().iter().map(RegressionPoint::newer);
    match (&args.culprit, args.point) {
        (Some(name), _) => place_of(name, commits).map(Some),
        (None, Some(place)) if place >= summary.points().len() => {
            let expected = format!("a number below {}, the number of culprits", summary.points().len());
            Err(Error::invalid("--point", place, expected))
        }
        (None, place) => Ok(place),
    }
}

/// Adds the runs of the search for the commits to a budget.
fn beside(budget: Budget, spent: u64) -> Budget {
    Budget { runs: budget.runs.map(|runs| runs.saturating_add(spent)), ..budget }
}
