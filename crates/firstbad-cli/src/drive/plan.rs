//! How a search is driven, and how that can end.

use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Read};
use firstbad_journal::Session;

use crate::signals::Signals;

/// Tests one probe on a thread of its own; asks now and then whether to go on.
///
/// # Errors
/// [`Error::Interrupted`] where it is not to go on; else what ends the run.
pub(crate) type Test<'a> = dyn Fn(&Probe, &mut dyn FnMut() -> bool) -> Result<Observation, Error> + Sync + 'a;

/// Gives what a search has to see.
///
/// # Errors
/// What ends the run.
pub(crate) type Reader<'a> = dyn Fn(&Read) -> Result<Vec<u8>, Error> + Sync + 'a;

/// Looks at a search after an answer.
///
/// # Errors
/// What ends the run.
pub(crate) type After<'a> = dyn Fn(&Session, &Observation) -> Result<(), Error> + Sync + 'a;

/// A function that returns the new notices.
pub(crate) type Said<'a> = dyn Fn() -> Vec<String> + Sync + 'a;

/// What makes ready what is likely tested next.
pub(crate) struct Ahead<'a> {
    /// For how long tests have run with nothing else to do; `None` if there is more to do.
    pub(crate) testing_for: &'a (dyn Fn() -> Option<Duration> + Sync + 'a),
    /// Makes a revision ready, as well as it can be done, on a thread of its own; asks now and then whether to go on.
    pub(crate) prepare: &'a Prepare<'a>,
}

/// Makes a revision ready.
pub(crate) type Prepare<'a> = dyn Fn(&str, &mut dyn FnMut() -> bool) + Sync + 'a;

/// How to drive a search.
pub(crate) struct Plan<'a> {
    /// What answers.
    pub(crate) test: &'a Test<'a>,
    /// What shows it what it has to see; `None` if nothing can.
    pub(crate) reader: Option<&'a Reader<'a>>,
    /// What is done after each answer that counts.
    pub(crate) after: Option<&'a After<'a>>,
    /// What makes ready what is likely tested next, while tests run; `None` if there is nothing to make ready.
    pub(crate) ahead: Option<Ahead<'a>>,
    /// The notices to show after a run.
    pub(crate) said: Option<&'a Said<'a>>,
    /// How many tests to run side by side.
    pub(crate) jobs: usize,
    /// When the time is up.
    pub(crate) deadline: Option<Instant>,
    /// What may end it.
    pub(crate) signals: &'a Signals,
}

/// How a drive came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The search is done, or its budget used up: its status says which.
    Done,
    /// A signal, by its number.
    Signal(i32),
}

impl<'a> Plan<'a> {
    /// Returns a plan that only tests.
    pub(crate) fn new(test: &'a Test<'a>, jobs: usize, deadline: Option<Instant>, signals: &'a Signals) -> Self {
        Plan { test, reader: None, after: None, ahead: None, said: None, jobs, deadline, signals }
    }
}
