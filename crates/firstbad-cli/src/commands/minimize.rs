//! `firstbad minimize`.

mod kept;
mod output;
mod subject;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use firstbad::{ChangeSet, Error, Observation, Outcome, Report, Search as _, Status};
use firstbad_journal::Session;
use firstbad_report::{Exit, Form, card};
use serde_json::{Map, json};

use crate::args::{Items, Keep, MinimizeArgs};
use crate::drive::{End, Job, Plan, drive};
use crate::signals::Signals;
use crate::view::View;
use crate::{answer, failure, known, not_reproduced, streams};
use kept::Kept;
use subject::Subject;

/// Reduces a patch or files.
pub(crate) fn run(args: &MinimizeArgs) -> Result<Exit, Error> {
    args.print.without_bisect_log("firstbad minimize")?;
    let began = Instant::now();
    let subject = Subject::open(args)?;
    let finely = args.granularity.parse()?;
    let mut session = subject.session(finely, options(args, &subject))?;
    let kept = Kept::begin(args, &subject, &mut session)?;
    if let Some(file) = &args.drive.import {
        session.assume(&known::read(file)?)?;
    }
    session.set_budget(args.drive.budget.of_runs())?;
    let signals = Signals::listen()?;
    signals.before_exit(subject.last_act());
    let jobs = args.drive.jobs.unwrap_or(1);
    let mut view = View::new(args.print.quiet, args.test.command.join(" "), None).calling_sets(&subject);
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| subject.test(probe, keep_going);
    let deadline = args.drive.budget.deadline(began);
    let best = Best::new(args, &subject);
    let after = |session: &Session, seen: &Observation| best.keep(session, seen);
    let plan = Plan { after: Some(&after), ..Plan::new(&test, jobs, deadline, &signals) };
    let ended = drive(&mut session, &plan, &mut view);
    view.close();
    if let Err(error) = subject.close() {
        failure::say(&error);
    }
    let status = session.status();
    finish(args, &subject, &session, &kept)?;
    kept.close(args, &mut session);
    Ok(match ended {
        Ok(End::Done) => Exit::from(status),
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Err(error) => {
            failure::say(&error);
            Exit::of(&error)
        }
    })
}

/// Writes the best result after each improvement.
struct Best<'a> {
    subject: &'a Subject,
    output: Option<&'a Path>,
    keep: Outcome,
    /// The number of items in the last written result.
    left: AtomicUsize,
}

impl<'a> Best<'a> {
    fn new(args: &'a MinimizeArgs, subject: &'a Subject) -> Self {
        let keep = match kept_ending(args, subject) {
            Keep::Pass => Outcome::Pass,
            Keep::Fail => Outcome::Fail,
        };
        Best { subject, output: args.output.as_deref(), keep, left: AtomicUsize::new(subject.len()) }
    }

    fn keep(&self, session: &Session, seen: &Observation) -> Result<(), Error> {
        let Some(path) = self.output.filter(|_| seen.outcome == self.keep) else { return Ok(()) };
        let Report::Minimize(report) = Report::of(session.inspect())? else { return Ok(()) };
        if report.kept.len() < self.left.load(Ordering::Relaxed) {
            self.left.store(report.kept.len(), Ordering::Relaxed);
            self.subject.write(path, &report.kept.iter().copied().collect())?;
        }
        Ok(())
    }
}

/// Returns the outcome to keep.
fn kept_ending(args: &MinimizeArgs, subject: &Subject) -> Keep {
    args.keep.unwrap_or(if subject.is_patch() { Keep::Fail } else { Keep::Pass })
}

/// Returns the options of the reduction, except those of the subject.
fn options(args: &MinimizeArgs, subject: &Subject) -> Map<String, serde_json::Value> {
    let mut options = Map::new();
    let keep = match kept_ending(args, subject) {
        Keep::Pass => "pass",
        Keep::Fail => "fail",
    };
    options.insert("keep".to_owned(), json!(keep));
    options.insert("algorithm".to_owned(), json!(args.algorithm));
    // Lines have no dependencies, so each line is tested.
    if args.one_minimal || args.files.len() == 1 && args.items == Items::Lines {
        options.insert("guarantee".to_owned(), json!("1-minimal"));
    }
    options
}

/// Writes and prints the result.
fn finish(args: &MinimizeArgs, subject: &Subject, session: &Session, kept: &Kept) -> Result<(), Error> {
    let Report::Minimize(report) = Report::of(session.inspect())? else {
        return Err(Error::invalid("journal", session.inspect().algorithm(), "a search that minimizes"));
    };
    let mut summary = answer::summary(session, None)?;
    if let Some(journal) = kept.journal(session) {
        summary = answer::kept_in(summary, journal, None);
    }
    // Without a run, nothing is known about the result.
    let reproduced = report.status != Status::NotReproduced && report.runs > 0;
    let left: ChangeSet = report.kept.iter().copied().collect();
    let result = subject.content(&left)?;
    if reproduced && let Some(path) = &args.output {
        subject.write(path, &left)?;
    }
    if report.status == Status::NotReproduced {
        not_reproduced::explain_why_not(subject.noun(), &summary.asked, subject.len(), subject.printed());
    }
    let formatted = args.print.is_formatted();
    if let Some(reduced) = &mut summary.reduced {
        let whole = subject.content(&ChangeSet::all(subject.len()))?;
        reduced.sizes = Some([whole.len(), result.len()]);
        // An array is printed with one element per line, so its lines are not those of the file.
        reduced.lines = (!subject.is_array()).then(|| [&whole, &result].map(|text| subject::lines_in(text)));
        reduced.is_patch = subject.is_patch();
        reduced.files = if reproduced { subject.reduced_files(&left, formatted) } else { Vec::new() };
        let is_shown = formatted && reproduced && reduced.files.is_empty();
        reduced.text = is_shown.then(|| String::from_utf8_lossy(&result).into_owned());
    }
    if args.print.form().is_none() {
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
