//! `firstbad run`: the search, the test and what drives them, in one process.

mod opening;

use std::sync::Arc;
use std::time::Instant;

use firstbad::{Budget, Error, Search as _};

use crate::args::RunArgs;
use crate::drive::{End, Plan, drive};
use crate::exit::Exit;
use crate::signals::Signals;
use crate::view::View;
use crate::{say, test};
use opening::{Kept, Run};

/// Finds the commit.
///
/// # Errors
/// What could not be meant or done before the first test. What goes wrong later is said, and the exit code is its.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Error> {
    let began = Instant::now();
    let mut run = Run::open(args)?;
    let oracle = Arc::new(test::oracle(&run.repository, &run.remembered.test)?);
    run.begin(args)?;
    run.session.set_budget(Budget { runs: args.drive.budget_runs, cost: None })?;
    let signals = Signals::listen()?;
    let jobs = run.remembered.jobs.unwrap_or(1);
    let mut view = View::new(args.output.quiet, run.title(), jobs, Some(&run.repository));
    run.notes.iter().for_each(|note| view.note(note));
    let test =
        |probe: &firstbad::Probe, keep_going: &mut dyn FnMut() -> bool| oracle.run_until(probe.revision(), keep_going);
    let deadline = args.drive.budget_time.and_then(|time| began.checked_add(time));
    let plan = Plan { test: &test, jobs, deadline, signals: &signals };
    let ended = drive(&mut run.session, &plan, &mut view);
    view.close();
    drop(view);
    if let Err(error) = oracle.close() {
        say::note(&error.to_string());
    }
    if let Some(trouble) = run.session.cache_trouble() {
        say::note(&format!("outcomes are not shared any more: {trouble}"));
    }
    say::print(&(run.session.report_json() + "\n"))?;
    let exit = match ended {
        Ok(End::Done) => Exit::from(run.session.status()),
        Ok(End::Signal(signal)) => Exit::Signal(signal),
        Err(error) => {
            say::note(&error.to_string());
            Exit::of(&error)
        }
    };
    match run.close() {
        Kept::Nothing => {}
        Kept::Journal(path) => say::note(&format!("to go on: firstbad run --journal {}", opening::quoted(&path))),
    }
    Ok(exit)
}
