//! Measures a number at a revision.

mod json;
mod kind;
mod readings;
mod run;
mod size;
mod text;
mod turn;
mod values;

use std::time::Instant;

use firstbad::{Error, KeepBuilds, Observation, Outcome};
use firstbad_git::Repository;
use serde_json::{Map, Value, json};

pub use self::kind::MetricKind;
use self::readings::Readings;
use self::run::{Goal, Measuring};
use self::turn::Turns;
use crate::command::CommandOracle;
use crate::judging::judge::LATE;
use crate::options::CommandOptions;
use crate::options::measure::{self, MeasureOptions};
use crate::options::verdict::Verdict;
use crate::record::TestRecord;

/// An oracle that measures one or several numbers at a revision.
///
/// The stages, worktrees, and limits are those of a [`CommandOracle`]. The worktrees of the last revisions keep their builds, so
/// measuring a revision again does not build it again. Two test commands never run at the same time.
///
/// A run passes if it has a number. A failing command is unresolved, because a broken benchmark is not slow. A time that exceeds
/// the time limit is a number too: at least the limit.
#[derive(Debug)]
pub struct MeasureOracle {
    oracle: CommandOracle,
    options: MeasureOptions,
    readings: Readings,
    warmups: u32,
    turns: Turns,
}

impl MeasureOracle {
    /// Creates an oracle that measures a command (a program and its arguments, no shell).
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if there is no metric, if a metric is unknown, or if an option is invalid or is about passing and
    ///   failing (`control`, `distinguish_failures`, `fail_pattern`, `pass_pattern`).
    /// - The errors of [`CommandOracle::new`].
    pub fn new(
        repository: &Repository,
        command: Vec<String>,
        own: &MeasureOptions,
        options: CommandOptions,
    ) -> Result<Self, Error> {
        measure::check(&options)?;
        own.check()?;
        let readings = Readings::new(&own.metric, own.take)?;
        let warmups = own.warmup.unwrap_or(u32::from(readings.has_time()));
        let on_signal = match options.on_signal {
            // A crash says that this revision has no number, and not that the search is wrong.
            Verdict::Stop => Verdict::Unresolved,
            other => other,
        };
        let mut oracle = CommandOracle::new(repository, command, CommandOptions { on_signal, ..options })?;
        oracle.keep_builds(own.keep_builds.count());
        Ok(MeasureOracle { oracle, options: own.clone(), readings, warmups, turns: Turns::default() })
    }

    /// Measures a revision and waits until the command ends.
    ///
    /// The observation contains:
    ///
    /// - `metric`, the number. With several metrics, `metrics` has the number of each metric by its text.
    /// - the outcome pass if there is a number, and unresolved otherwise
    /// - `censored` if the command exceeded its time limit, so that a time is at least the number
    /// - a `note` with the numbers, or with the reason why there is none, and the place of the output
    /// - `seconds`, the wall time of the stages and of all runs, and `memory`
    /// - `reused` if the build of an earlier run was used
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`].
    pub fn run(&self, revision: &str) -> Result<Observation, Error> {
        self.run_until(revision, &mut || true)
    }

    /// Measures a revision like [`MeasureOracle::run`] until `keep_going` returns false, as in [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`].
    pub fn run_until(&self, revision: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        let seen = self.in_build(revision, false, keep_going, Goal::Number)?;
        let is_late = seen.signature.as_deref() == Some(LATE);
        if !seen.reused || seen.outcome != Outcome::Unresolved || is_late {
            return Ok(seen);
        }
        // The files of an earlier run may have prevented this one.
        let again = self.in_build(revision, true, keep_going, Goal::Number)?;
        let (before, note) = (seen.note.unwrap_or_default(), again.note.unwrap_or_default());
        let note = format!("{note}; after a fresh build, because it was unresolved with the kept build: {before}");
        Ok(Observation { note: Some(note), ..again })
    }

    /// Measures a revision and then a good revision, the control, on the same machine. Both are built first.
    ///
    /// The observation is that of the revision, with the number of the good revision in `control`. If the good revision has no
    /// number, the observation is unresolved.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if there are several metrics, or if fewer than two builds are kept.
    /// - The errors of [`CommandOracle::run`].
    pub fn run_paired(
        &self,
        revision: &str,
        control: &str,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        if self.kinds().len() > 1 {
            return Err(Error::invalid("paired", true, "one metric: a run has one control"));
        }
        if self.options.keep_builds.count() < 2 {
            let expected = "2 or above, because paired measurements need the builds of two revisions";
            return Err(Error::invalid("keep_builds", self.options.keep_builds.count(), expected));
        }
        let mut seconds = 0.0;
        let mut is_reused = true;
        for (name, is_control) in [(revision, false), (control, true)] {
            if self.oracle.has_build(name)? {
                continue;
            }
            let built = self.in_build(name, false, keep_going, Goal::Build)?;
            seconds += built.seconds.unwrap_or_default();
            is_reused = false;
            if built.outcome != Outcome::Pass {
                let built = Observation { seconds: Some(seconds), ..built };
                return Ok(if is_control { without_control(&built, control) } else { built });
            }
        }
        let seen = self.run_until(revision, keep_going)?;
        if seen.outcome != Outcome::Pass {
            return Ok(seen);
        }
        let good = self.run_until(control, keep_going)?;
        seconds += [&seen, &good].iter().filter_map(|one| one.seconds).sum::<f64>();
        let reused = is_reused && seen.reused && good.reused;
        match good.metric.filter(|_| !good.censored) {
            Some(number) => {
                let note = seen.note.as_deref().unwrap_or_default();
                let note = format!("{note}; {} at the good revision", self.readings.amount(number));
                Ok(Observation { control: Some(number), seconds: Some(seconds), reused, note: Some(note), ..seen })
            }
            None => Ok(Observation { seconds: Some(seconds), ..without_control(&good, control) }),
        }
    }

    fn in_build(
        &self,
        revision: &str,
        fresh: bool,
        keep_going: &mut dyn FnMut() -> bool,
        goal: Goal,
    ) -> Result<Observation, Error> {
        let mut waited = 0.0;
        let seen = self.oracle.run_in_build(revision, fresh, keep_going, &mut |running, is_kept| {
            let began = Instant::now();
            let _turn = self.turns.take(&mut || running.goes_on())?;
            waited = began.elapsed().as_secs_f64();
            let warmups = if is_kept { 0 } else { self.warmups };
            Measuring { readings: &self.readings, running }.run(warmups, goal)
        })?;
        // The time of another measurement is not a cost of this one.
        Ok(Observation { seconds: seen.seconds.map(|seconds| (seconds - waited).max(0.0)), ..seen })
    }

    /// Returns the kinds of the numbers.
    #[must_use]
    pub fn kinds(&self) -> &[MetricKind] {
        self.readings.kinds()
    }

    /// Returns the options of a search for a change that the kinds imply: the unit, or the metrics with their units.
    #[must_use]
    pub fn search_options(&self) -> Value {
        match self.kinds() {
            [kind] => json!({"unit": kind.unit()}),
            kinds => {
                let options = kinds.iter().map(|kind| (kind.to_string(), json!({"unit": kind.unit()})));
                json!({"metrics": options.collect::<Map<String, Value>>()})
            }
        }
    }

    /// Returns the record of the test for a journal.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord { measure: Some(self.options.clone()), ..self.oracle.record() }
    }

    /// Returns the oracle of the command, for its notices, its output, and its end. Its runs have no numbers.
    #[must_use]
    pub fn command(&self) -> &CommandOracle {
        &self.oracle
    }

    /// Returns the number of builds that are kept.
    #[must_use]
    pub fn keep_builds(&self) -> KeepBuilds {
        self.options.keep_builds
    }
}

/// Returns the observation of a pair whose good revision has no number.
fn without_control(good: &Observation, control: &str) -> Observation {
    let why = match (&good.note, good.censored) {
        (Some(note), false) => note.clone(),
        (note, _) => format!("it exceeds the time limit; {}", note.as_deref().unwrap_or_default()),
    };
    Observation {
        outcome: Outcome::Unresolved,
        metric: None,
        censored: false,
        reused: false,
        note: Some(format!("the good revision {control} has no number: {why}")),
        ..good.clone()
    }
}
