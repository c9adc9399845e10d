//! One measurement.

use std::ops::ControlFlow;
use std::time::Duration;

use firstbad::search::Doubt;
use firstbad::{Error, Observation, Outcome, Stage};
use firstbad_git::git;

use super::readings::{Missing, Readings, Traces};
use super::text::short;
use crate::command::execution::Running;
use crate::judging::doubts;
use crate::judging::judge::ending;
use crate::options::verdict::Verdict;
use crate::process::group::{Ended, Finished};
use crate::process::log;
use crate::process::stdout::Stdout;

/// The extension of the file beside a worktree with the standard output of the test.
const STDOUT: &str = "stdout";
/// The interval between samples of the memory if it is measured. Short programs would otherwise have no sample near their peak.
const MEMORY_POLL: Duration = Duration::from_millis(5);

/// What a probe needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    Number,
    /// A build that is ready to be measured.
    Build,
}

/// The measurements of one probe.
pub(super) struct Measuring<'m, 'r, 'a, 'b, 'c> {
    pub(super) readings: &'m Readings,
    pub(super) running: &'r mut Running<'a, 'b, 'c>,
}

impl Measuring<'_, '_, '_, '_, '_> {
    /// Throws runs away, and then measures once if `goal` says so. A run without a number is the last one.
    pub(super) fn run(&mut self, warmups: u32, goal: Goal) -> Result<Observation, Error> {
        for _ in 0..warmups {
            let seen = self.once()?;
            if seen.outcome != Outcome::Pass || seen.censored {
                return Ok(seen);
            }
        }
        match goal {
            Goal::Number => self.once(),
            Goal::Build => Ok(self.running.run.seen(Outcome::Pass, "built")),
        }
    }

    /// Runs the command and reads its numbers.
    fn once(&mut self) -> Result<Observation, Error> {
        let tree = self.running.work_tree.folder().to_owned();
        self.readings.clear(&tree).map_err(|error| git::io("removing old results".to_owned(), &error))?;
        let mut stdout = self.stdout()?;
        if self.readings.read_memory() {
            self.running.poll = MEMORY_POLL;
        }
        let (finished, printed) = match self.running.start_test(stdout.as_mut())? {
            ControlFlow::Continue(ended) => ended,
            ControlFlow::Break(not_started) => return Ok(without_number(not_started)),
        };
        let run = &self.running.run;
        let seen = run.judge(&finished, &printed)?;
        let is_late = matches!(finished.ended, Ended::TimedOut) && run.options.on_timeout == Verdict::Unresolved;
        if is_late {
            let limit = run.limit.test.unwrap_or(finished.took).as_secs_f64();
            let bare = Observation { seconds: seen.seconds, memory: seen.memory, ..Observation::new(Outcome::Pass) };
            let limits = self.readings.limits(limit, &finished, bare);
            return Ok(limits.map_or(seen, |limits| self.noted(limits)));
        }
        if seen.outcome != Outcome::Pass {
            return Ok(without_number(seen));
        }
        let output = match self.readings.read_output() {
            true => self.readings.plain(&run.output(&printed)?),
            false => Vec::new(),
        };
        let from_stdout = stdout.as_ref().map(|stdout| self.readings.plain(&stdout.text)).unwrap_or_default();
        let traces = Traces { finished: &finished, output: &output, stdout: &from_stdout, tree: &tree };
        match self.readings.read(&traces, seen) {
            Ok(seen) => Ok(self.noted(seen)),
            Err(missing) => {
                let left_out = printed.left_out() + stdout.map_or(0, |stdout| stdout.left_out());
                self.missing(&finished, &printed, &missing, left_out)
            }
        }
    }

    /// Returns the place for standard output, if a metric needs it.
    fn stdout(&self) -> Result<Option<Stdout>, Error> {
        if !self.readings.read_stdout() {
            return Ok(None);
        }
        let path = self.running.work_tree.beside(STDOUT);
        let made = Stdout::create(&path, self.running.run.options.output_limit);
        made.map(Some).map_err(|error| git::io(format!("creating {}", path.display()), &error))
    }

    /// Adds a note with the numbers.
    fn noted(&self, seen: Observation) -> Observation {
        let told = self.running.run.seen(seen.outcome, &self.readings.described(&seen));
        Observation { note: told.note, output: told.output, ..seen }
    }

    /// Returns the observation of a run that passed without a number.
    fn missing(
        &self,
        finished: &Finished,
        printed: &log::Part,
        missing: &Missing,
        left_out: u64,
    ) -> Result<Observation, Error> {
        let run = &self.running.run;
        let Missing { kind, why } = missing;
        let mut words = format!("{}, but {kind} has no number: {why}", ending(&finished.ended));
        if left_out > 0 {
            words.push_str(&format!(" ({left_out} bytes of output are left out)"));
        }
        let output = self.readings.plain(&run.output(printed)?);
        let last = output.split(|&byte| byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
        if let Some(last) = last {
            words.push_str(&format!("; the last line of output is {}", short(String::from_utf8_lossy(last).trim())));
        }
        let doubt = Doubt {
            reason: format!("{kind} has no number: {why}"),
            help: "fix the metric, or check that the command prints or writes the number".to_owned(),
            unmatched: false,
        };
        let seen = doubts::with(run.seen(Outcome::Unresolved, &words), Some(doubt));
        Ok(Observation {
            stage: Some(Stage::Test),
            signature: Some(format!("{kind} has no number")),
            seconds: Some(finished.took.as_secs_f64()),
            memory: finished.memory,
            ..seen
        })
    }
}

/// Makes the observation of a failing command unresolved.
fn without_number(seen: Observation) -> Observation {
    Observation { outcome: Outcome::Unresolved, ..seen }
}
