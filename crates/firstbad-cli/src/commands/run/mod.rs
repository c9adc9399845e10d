//! `firstbad run`.

mod exit;
mod head_start;
mod inside;
mod list;
mod opening;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use firstbad::{Error, Read, Search as _, Status};
use firstbad_oracle::{CommandOracle, RunKind};
use firstbad_report::{Exit, Summary};

use crate::args::RunArgs;
use crate::commands::explain::{Explaining, causes};
use crate::commands::metric;
use crate::drive::{Ahead, End, Job, Plan, drive};
use crate::shared::SharedTest;
use crate::signals::Signals;
use crate::view::View;
use crate::{answer, endpoint_output, failure, known, shared, stop_record, streams, test};
use exit::exit_of;
use head_start::HeadStart;
use inside::Inner;
use opening::{Kept, Run};

/// Finds the culprit.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Error> {
    if metric::is_meant(args) {
        return metric::run(args);
    }
    args.metric.refuse(Some(&args.kept))?;
    if list::is_meant(args) {
        return list::run(args);
    }
    let began = Instant::now();
    let known = args.drive.import.as_deref().map(known::read).transpose()?.unwrap_or_default();
    let signals = Signals::listen()?;
    signals.end_at_once(true);
    let mut head_start = HeadStart::new(&signals);
    let mut run = Run::open(args, &mut head_start).inspect_err(|_| head_start.give_up())?;
    let oracle = head_start.end(&run.repository, &run.test, &run.driver)?;
    signals.end_at_once(false);
    let last = Arc::clone(&oracle);
    signals.before_exit(move || last.kill());
    run.warnings = test::say(&oracle, &mut |note| run.notes.push(note.to_owned()));
    run.begin(args)?;
    if let Some(journal) = run.session.journal() {
        stop_record::forget(journal);
    }
    run.assume(known)?;
    if let Some(store) = &run.driver.store {
        let shared = SharedTest { store, test: &run.test };
        run.notes.extend(shared.by_revisions(&run.repository, &mut run.session)?);
    }
    run.session.set_budget(args.drive.budget.of_runs())?;
    let jobs = run.driver.jobs.unwrap_or(1);
    let deadline = args.drive.budget.deadline(began);
    let ended = search(&mut run, &oracle, (jobs, deadline), &signals, args.output.quiet);
    say_troubles(args, &run, &ended);
    let is_done = matches!(ended, Ok(End::Done));
    let explains = args.explain && is_done;
    let goes_inside = args.into_submodules && is_done;
    let (exit, closed) = std::thread::scope(|scope| {
        // If no tests follow, the worktrees can be removed while the report is written.
        let closing = (!explains && !goes_inside).then(|| scope.spawn(|| oracle.close()));
        let exit = answer::summary(&run.session, Some(&run.repository)).and_then(|mut summary| {
            let ended = if explains {
                explain(args, &mut run, &mut summary, &oracle, (jobs, deadline), &signals)
            } else {
                ended
            };
            let ended = match goes_inside {
                true => go_inside(args, &run, &mut summary, &oracle, (jobs, deadline), &signals).and(ended),
                false => ended,
            };
            finish(args, run, summary, began, ended)
        });
        let closed = closing.map(|closing| closing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (exit, closed.unwrap_or_else(|| oracle.close()))
    });
    if let Err(error) = closed {
        failure::say(&error);
    }
    exit
}

/// Prints problems after the search has finished.
fn say_troubles(args: &RunArgs, run: &Run, ended: &Result<End, Error>) {
    if args.output.quiet && matches!(ended, Err(Error::CommandNotFound { .. })) {
        // The notes, hidden by --quiet, can explain why the command was not found.
        run.notes.iter().for_each(streams::note);
    }
    if let Some(trouble) = run.session.journal_trouble() {
        streams::note(format_args!("the search is no longer saved: {trouble}"));
    }
    if let Some(trouble) = run.session.cache_trouble() {
        streams::note(shared::no_more(trouble));
    }
}

/// Continues the search in the submodules that a culprit updates.
fn go_inside(
    args: &RunArgs,
    run: &Run,
    summary: &mut Summary,
    oracle: &CommandOracle,
    (jobs, deadline): (usize, Option<Instant>),
    signals: &Signals,
) -> Result<(), Error> {
    let (title, quiet) = (run.title(), args.output.quiet);
    let how = Inner { repository: &run.repository, oracle, title: &title, jobs, deadline, signals, quiet };
    inside::search(summary, &how)
}

/// Finds the causes of the culprits.
fn explain(
    args: &RunArgs,
    run: &mut Run,
    summary: &mut Summary,
    oracle: &CommandOracle,
    (jobs, deadline): (usize, Option<Instant>),
    signals: &Signals,
) -> Result<End, Error> {
    let how = Explaining {
        repository: &run.repository,
        oracle,
        title: &run.title(),
        jobs,
        journal: run.session.journal(),
        budget: args.drive.budget.of_runs(),
        deadline,
        signals,
        quiet: args.output.quiet,
    };
    let explained = causes(summary, &run.session, &how, None);
    let mut causes = summary.causes.iter().filter_map(|found| found.cause.as_ref());
    run.is_explained = causes.all(|cause| cause.report.status != Status::Budget) && explained == Ok(End::Done);
    explained
}

/// Runs the search.
fn search(
    run: &mut Run,
    oracle: &CommandOracle,
    (jobs, deadline): (usize, Option<Instant>),
    signals: &Signals,
    is_quiet: bool,
) -> Result<End, Error> {
    let mut view = View::new(is_quiet, run.title(), Some(&run.repository));
    run.notes.iter().for_each(|note| view.note(note));
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| {
        let kind = RunKind { signed: false, fresh: probe.confirms };
        oracle.run_as(probe.revision(), None, kind, keep_going)
    };
    let reader = |read: &Read| run.repository.read(&read.request);
    // The run reports the errors of the checkout.
    let prepare =
        |revision: &str, keep_going: &mut dyn FnMut() -> bool| drop(oracle.check_out_until(revision, keep_going));
    let ahead = Ahead { testing_for: &|| oracle.testing_for(), prepare: &prepare };
    let late = Mutex::new(Vec::new());
    let said = || test::late_warnings(oracle, &late);
    let plan = Plan {
        reader: Some(&reader),
        ahead: Some(ahead),
        said: Some(&said),
        ..Plan::new(&test, jobs, deadline, signals)
    };
    let ended = drive(&mut run.session, &plan, &mut view);
    view.close();
    run.warnings.extend(late.into_inner().unwrap_or_else(PoisonError::into_inner));
    // If the search stopped with an error, the last notices were not taken.
    run.warnings.extend(test::say(oracle, &mut |_| {}));
    ended
}

/// Prints the report and the next step.
fn finish(
    args: &RunArgs,
    mut run: Run,
    mut summary: Summary,
    began: Instant,
    ended: Result<End, Error>,
) -> Result<Exit, Error> {
    let (runs, is_out_of_budget) = (summary.report.runs(), summary.status() == Status::Budget);
    run.warnings.drain(..).for_each(|warning| summary.report.warn(warning));
    // After an error of the machine or the network, a resumed run can succeed.
    let goes_on = runs > 0 || matches!(ended, Err(Error::Retry { .. }));
    let is_error = ended.is_err();
    let exit = exit_of(ended, &run.session, &mut summary, &args.output);
    // Without a run, the error is all there is to print.
    if goes_on || exit == summary.exit() && !is_error {
        summary.waited = run.waited(began);
        if let Some(left) = summary.left.as_mut().filter(|_| is_out_of_budget) {
            left.limit = Some(args.drive.budget.reached(runs).to_owned());
        }
        answer::print(&summary, &args.output, &run.session)?;
        endpoint_output::show(&run.session, &summary, !args.output.is_formatted());
    }
    let (explains, is_own) = (!run.is_explained, run.keeps_own_journal());
    if let Kept::Journal(path) = run.close()
        && (goes_on || !is_own)
    {
        let path = opening::quoted(&path);
        let options = summary.resumes.unwrap_or_default();
        let command = match (explains, is_own) {
            (true, true) => "explain".to_owned(),
            (true, false) => format!("explain {path}"),
            (false, true) => format!("run --resume{options}"),
            (false, false) => format!("run --journal {path}{options}"),
        };
        streams::note(format_args!("to resume: firstbad {command}"));
    }
    Ok(exit)
}
