//! The settings of a drive.

use std::ops::Deref;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Read, Search as _};
use firstbad_journal::Session;

use crate::signals::Signals;

/// A probe to test.
pub(crate) struct Job {
    probe: Probe,
    /// The ids of the tests to run, or `None` for the whole suite or a single test.
    pub(crate) tests: Option<Vec<String>>,
}

impl Job {
    pub(super) fn new(session: &Session, probe: Probe) -> Job {
        let tests = session.inspect().tests(&probe.target);
        Job { probe, tests }
    }
}

impl Deref for Job {
    type Target = Probe;

    fn deref(&self) -> &Probe {
        &self.probe
    }
}

/// Runs the test of a probe. The function is asked now and then whether to continue.
pub(crate) type Test<'a> = dyn Fn(&Job, &mut dyn FnMut() -> bool) -> Result<Observation, Error> + Sync + 'a;

/// Reads a content for the search.
pub(crate) type Reader<'a> = dyn Fn(&Read) -> Result<Vec<u8>, Error> + Sync + 'a;

/// Runs after each outcome.
pub(crate) type After<'a> = dyn Fn(&Session, &Observation) -> Result<(), Error> + Sync + 'a;

/// Returns the new notices.
pub(crate) type Said<'a> = dyn Fn() -> Vec<String> + Sync + 'a;

/// Prepares worktrees for later tests.
pub(crate) struct Ahead<'a> {
    /// The time for which all jobs have been busy with tests, or `None`.
    pub(crate) testing_for: &'a (dyn Fn() -> Option<Duration> + Sync + 'a),
    pub(crate) prepare: &'a Prepare<'a>,
}

/// Prepares a revision. The function is asked now and then whether to continue.
pub(crate) type Prepare<'a> = dyn Fn(&str, &mut dyn FnMut() -> bool) + Sync + 'a;

/// The settings of a drive.
pub(crate) struct Plan<'a> {
    pub(crate) test: &'a Test<'a>,
    pub(crate) reader: Option<&'a Reader<'a>>,
    pub(crate) after: Option<&'a After<'a>>,
    pub(crate) ahead: Option<Ahead<'a>>,
    pub(crate) said: Option<&'a Said<'a>>,
    /// The number of parallel tests.
    pub(crate) jobs: usize,
    pub(crate) deadline: Option<Instant>,
    pub(crate) signals: &'a Signals,
}

/// How a drive ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The search is finished, or its budget is used up.
    Done,
    /// A signal with its number.
    Signal(i32),
}

impl<'a> Plan<'a> {
    /// Returns a plan that only tests.
    pub(crate) fn new(test: &'a Test<'a>, jobs: usize, deadline: Option<Instant>, signals: &'a Signals) -> Self {
        Plan { test, reader: None, after: None, ahead: None, said: None, jobs, deadline, signals }
    }
}
