//! The set-up and the test in a work tree that is ready for them.

use std::fs::File;
use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::Duration;

use firstbad::{Error, Observation};

use super::command::CommandOracle;
use super::control::ActiveRun;
use super::group::{Ended, Limits, supervise};
use super::judge::{self, Run};
use super::launch::Surroundings;
use super::prepare::Prepared;
use super::work_tree::WorkTree;
use super::{launch, log, stale, tree};
use crate::git;

/// A run with all that its commands have in common.
struct Stage<'a, 'b> {
    run: Run<'a>,
    around: Surroundings<'a>,
    log: File,
    work_tree: &'a WorkTree,
    active: &'a ActiveRun<'b>,
    keep_going: &'a mut dyn FnMut() -> bool,
    grace: Duration,
}

impl CommandOracle {
    pub(super) fn execute(
        &self,
        work_tree: &mut WorkTree,
        revision: &str,
        prepared: &Prepared,
        active: &ActiveRun<'_>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let written = |error: &std::io::Error| git::io(format!("writing output to {}", self.output.display()), error);
        let patched = prepared.patch.as_ref().map(|_| self.patched.fetch_add(1, Ordering::Relaxed) + 1);
        let name = patched.map_or(revision.to_owned(), |number| format!("{revision}.patch-{number}"));
        let (path, mut log) = log::create(&self.output, &name).map_err(|error| written(&error))?;
        let run = Run { command: &self.command, revision, patched, log: &path };
        if let Some(words) = &prepared.obstacle {
            writeln!(log, "{words}").map_err(|error| written(&error))?;
            return Ok(run.not_tested(words));
        }
        let around = Surroundings {
            tree: work_tree.folder(),
            revision,
            patch: prepared.patch.as_deref(),
            output: &path,
            repository: self.repository.path(),
            new: work_tree.new,
            env: &self.options.env,
        };
        let mut stage = Stage { run, around, log, work_tree, active, keep_going, grace: self.options.grace };
        let limit = self.options.output_limit;
        let mut printed = log::Part::new(0, limit);
        if let Some(setup) = &self.options.setup {
            let start = log::heading(&path, &mut stage.log, "set-up", setup).map_err(|error| written(&error))?;
            printed = log::Part::new(start, limit);
            if let Some(words) = stage.set_up(setup, self.options.setup_timeout, &mut printed)? {
                return Ok(stage.run.not_tested(&words));
            }
            let start = log::heading(&path, &mut stage.log, "test", &self.command).map_err(|error| written(&error))?;
            printed = log::Part::new(start, limit);
        }
        let seen = stage
            .start(&self.command, self.options.timeout, &mut printed)
            .and_then(|(ended, took)| stage.run.judge(&ended, took, &self.options, &self.rules, &printed));
        // A set-up has been through; without one, it is the test that has.
        work_tree.new &= self.options.setup.is_none() && seen.is_err();
        seen
    }
}

impl Stage<'_, '_> {
    /// Runs the set-up; returns why the revision cannot be tested, `None` if it ended with 0.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::Interrupted`], [`Error::Io`].
    fn set_up(
        &mut self,
        setup: &[String],
        timeout: Option<Duration>,
        printed: &mut log::Part,
    ) -> Result<Option<String>, Error> {
        match self.start(setup, timeout, printed)? {
            (Ended::Interrupted, _) => Err(Error::Interrupted),
            (Ended::TimedOut, took) => {
                let words = judge::late(timeout.unwrap_or(took));
                Ok(Some(format!("the set-up did not get through: {words} (setup_timeout)")))
            }
            (Ended::Exited(status), _) => match judge::code(status) {
                (0, _) => Ok(None),
                (code @ (126 | 127), _) => Err(self.run.not_found(setup, code)),
                (_, words) => Ok(Some(format!("the set-up did not get through: {words}"))),
            },
        }
    }

    /// Runs a command to its end, and keeps what it prints short.
    fn start(
        &mut self,
        words: &[String],
        timeout: Option<Duration>,
        printed: &mut log::Part,
    ) -> Result<(Ended, Duration), Error> {
        let mut command = launch::command(words, &self.around, &self.log)
            .map_err(|error| git::io(format!("writing output to {}", self.run.log.display()), &error))?;
        let mut keep_going = || {
            printed.thin(&self.log);
            (self.keep_going)()
        };
        let limits = Limits { active: self.active, keep_going: &mut keep_going, timeout, grace: self.grace };
        let record = self.work_tree.beside("run");
        let place = self.work_tree.place();
        let ended =
            supervise(&mut command, limits, |group| tree::fresh(&record)?.write_all(stale::record(group).as_bytes()));
        // Without it a later oracle has nothing to end, which is right; left behind it does no harm.
        let _ = std::fs::remove_file(&record);
        let settled = printed.settle(self.run.log);
        let ended = ended.map_err(|error| {
            let _ = writeln!(self.log, "{}: {error}", words[0]);
            match launch::exit_code(&error) {
                Some(code) => self.run.not_found(words, code),
                None => git::io(format!("running {}", words.join(" ")), &error),
            }
        })?;
        if place.is_none() || place != self.work_tree.place() {
            // Whatever the command found there, it was not the revision.
            let message = "it was removed, or another put in its place, while the command ran; its ending says nothing";
            let action = format!("testing {} in {}", self.run.revision, self.work_tree.folder().display());
            return Err(Error::Io { action, message: message.to_owned() });
        }
        settled.map_err(|error| git::io(format!("keeping the output in {}", self.run.log.display()), &error))?;
        Ok(ended)
    }
}
