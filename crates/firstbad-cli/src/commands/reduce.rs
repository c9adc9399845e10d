//! `firstbad reduce`: the smallest part of a patch or a file that still shows it.

mod subject;

use std::path::Path;
use std::time::Instant;

use firstbad::{ChangeSet, Error, Report, Search as _, Status, card};
use firstbad_journal::Session;
use firstbad_report::{Exit, Form};
use serde_json::{Map, json};

use crate::args::{Keep, ReduceArgs};
use crate::drive::{End, Plan, drive};
use crate::driver_record::DriverRecord;
use crate::signals::Signals;
use crate::view::View;
use crate::{answer, failure, known, streams, whole};
use subject::Subject;

/// Reduces.
///
/// # Errors
/// What could not be meant or done before the first test. What goes wrong later is said, and the exit code is its.
pub(crate) fn run(args: &ReduceArgs) -> Result<Exit, Error> {
    let began = Instant::now();
    if let Some(store) = &args.drive.store {
        return Err(Error::invalid("--store", store, "no store: it shares outcomes of revisions"));
    }
    let subject = Subject::open(args)?;
    let mut session = subject.session(options(args, &subject))?;
    if let Some(journal) = &args.drive.journal {
        let driver = DriverRecord::new(args.drive.jobs, None, args.test.output_dir.as_deref())?.value()?;
        let opening = subject.attach(&mut session, journal, driver)?;
        if opening.resumed {
            streams::note(format_args!("going on with {} after {} answers", journal.display(), session.queries()));
        }
    }
    if let Some(file) = &args.drive.known {
        session.assume(&known::read(file)?)?;
    }
    session.set_budget(args.drive.budget.of_runs())?;
    let signals = Signals::listen()?;
    signals.before_exit(subject.last_act());
    let jobs = args.drive.jobs.unwrap_or(1);
    let mut view = View::new(args.print.quiet, args.test.command.join(" "), None);
    let test = |probe: &firstbad::Probe, keep_going: &mut dyn FnMut() -> bool| subject.test(probe, keep_going);
    let deadline = args.drive.budget.deadline(began);
    let plan = Plan { test: &test, reader: None, jobs, deadline, signals: &signals };
    let ended = drive(&mut session, &plan, &mut view);
    view.close();
    if let Err(error) = subject.close() {
        failure::say(&error);
    }
    let status = session.status();
    finish(args, &subject, &session)?;
    Ok(match ended {
        Ok(End::Done) => Exit::from(status),
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Err(error) => {
            failure::say(&error);
            Exit::of(&error)
        }
    })
}

/// The options of the reduction beside those that the subject itself makes.
fn options(args: &ReduceArgs, subject: &Subject) -> Map<String, serde_json::Value> {
    let keep = args.keep.unwrap_or(if subject.is_patch() { Keep::Fail } else { Keep::Pass });
    let mut options = Map::new();
    let keep = match keep {
        Keep::Pass => "pass",
        Keep::Fail => "fail",
    };
    options.insert("keep".to_owned(), json!(keep));
    options.insert("algorithm".to_owned(), json!(args.algorithm));
    if args.one_minimal {
        options.insert("guarantee".to_owned(), json!("1-minimal"));
    }
    options
}

/// Writes the result, and prints what there is to say.
fn finish(args: &ReduceArgs, subject: &Subject, session: &Session) -> Result<(), Error> {
    let Report::Minimize(report) = Report::of(session.inspect())? else {
        return Err(Error::invalid("journal", session.inspect().algorithm(), "a search that minimizes"));
    };
    let mut summary = answer::summary(session, None)?;
    if let Some(journal) = args.drive.journal.as_ref().filter(|_| session.journal_is_there()) {
        summary = answer::kept_in(summary, journal, None);
    }
    let reproduced = report.status != Status::NotReproduced;
    let kept: ChangeSet = report.kept.iter().copied().collect();
    let result = subject.content(&kept)?;
    if reproduced && let Some(path) = &args.output {
        write(path, &result)?;
    }
    if !reproduced {
        whole::explain_why_not(subject.noun(), &summary.asked, subject.len(), subject.printed());
    }
    let formatted = args.print.is_formatted();
    if let Some(reduced) = &mut summary.reduced {
        reduced.sizes = Some([subject.content(&ChangeSet::all(subject.len()))?.len(), result.len()]);
        reduced.is_patch = subject.is_patch();
        reduced.text = (formatted && reproduced).then(|| String::from_utf8_lossy(&result).into_owned());
    }
    if args.print.html {
        return streams::print(&card::page(&subject.card(&summary.report)));
    }
    if formatted || args.output.is_some() {
        return answer::print(&summary, &args.print, session);
    }
    if !args.print.quiet {
        streams::lines(&summary.in_form(Form::Text)?);
    }
    if reproduced { streams::bytes(&result) } else { Ok(()) }
}

fn write(path: &Path, result: &[u8]) -> Result<(), Error> {
    std::fs::write(path, result)
        .map_err(|error| Error::Io { action: format!("writing {}", path.display()), message: error.to_string() })
}
