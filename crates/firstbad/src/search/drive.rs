use std::sync::{Arc, Weak};

use super::budget::Budget;
use super::event::{Event, StopReason};
use super::inspect::Inspect;
use super::observation::Observation;
use super::probe::Probe;
use super::reads::Read;
use super::status::Status;
use super::target::Target;
use crate::error::Error;

/// The maximum number of probes in flight. The cost of a batch grows with its size.
pub const MOST_IN_FLIGHT: usize = 1024;

/// A guard that marks a search as driven by a run until the guard is dropped.
#[derive(Debug)]
pub struct Driving(#[allow(dead_code, reason = "it counts how many there are")] Arc<()>);

#[derive(Debug, Default)]
pub(super) struct Driven(Weak<()>);

impl Driven {
    /// Marks the search as driven.
    ///
    /// # Errors
    /// [`Error::SearchInUse`] if another run drives the search.
    pub(super) fn begin(&mut self) -> Result<Driving, Error> {
        if self.0.strong_count() > 0 {
            return Err(Error::SearchInUse);
        }
        let driving = Arc::new(());
        self.0 = Arc::downgrade(&driving);
        Ok(Driving(driving))
    }
}

/// The ask/tell interface of all searches. [`inspect`](Search::inspect) returns everything that can be read from a search.
pub trait Search: Send + Sync {
    /// Marks the search as driven by a [`Run`](super::Run). Only one run can drive a search at a time.
    ///
    /// # Errors
    /// [`Error::SearchInUse`] if another run drives the search.
    fn begin_driving(&mut self) -> Result<Driving, Error>;

    /// Returns up to `k` probes that can run in parallel with each other and with the probes in flight.
    ///
    /// At most [`MOST_IN_FLIGHT`] probes are in flight at once. The list is empty if the search is done, if it must first know an
    /// outcome in flight, or if a [read](Search::reads) is open.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `k` is 0.
    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error>;

    /// Like [`ask`](Search::ask), for a driver that must check clocks and signals.
    ///
    /// If outcomes are known without a run, the search calls `keep_going` before it asks for more. If `keep_going` returns false,
    /// the result can have fewer probes than are available. Call `ask_while` again to get the others.
    ///
    /// # Errors
    /// The errors of [`Search::ask`].
    fn ask_while(&mut self, k: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Vec<Probe>, Error> {
        let _ = keep_going;
        self.ask(k)
    }

    /// Tells the outcome of a probe. Outcomes can come in any order. The same outcome can be told twice, and the outcome of an
    /// abandoned probe counts.
    ///
    /// # Errors
    /// - [`Error::UnknownProbe`] if the probe was never asked.
    /// - [`Error::Contradiction`] if another outcome of the target is known, or [`Error::NonDeterministic`] for a set of changes.
    ///   The first outcome stays. For a flaky test, this applies only to outcomes of the same probe.
    /// - [`Error::InvalidArgument`] if a time or cost is negative or not a finite number.
    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error>;

    /// Gives up a probe. The search concludes nothing and may ask for its target again. A probe that was told already keeps its
    /// outcome.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`] if the probe was never asked.
    fn abandon(&mut self, id: u64) -> Result<(), Error>;

    /// Tells an outcome without a probe. It does not count as a query.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] if the revision is unknown, and the errors of [`Search::tell`].
    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error>;

    /// Moves a suspect to the front of the targets to ask for.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] if the revision is unknown.
    fn enqueue(&mut self, target: &Target) -> Result<(), Error>;

    /// Returns the reads that the search needs before it can ask for more probes, oldest first. Reads cost no runs and no budget.
    fn reads(&self) -> Vec<Read>;

    /// Gives the content of a read. The same content can be given twice.
    ///
    /// # Errors
    /// - [`Error::UnknownRead`] if the read was never requested.
    /// - [`Error::InvalidArgument`] if the content is too large or does not suit the request.
    /// - [`Error::Contradiction`] if the read already has another content.
    fn give(&mut self, id: u64, content: &[u8]) -> Result<(), Error>;

    /// Returns whether the outcome of a probe in flight is still useful. A driver can cancel the test if it is not. If the search
    /// plans ahead, a probe is useful as long as the search would still ask for it.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`] if the probe was never asked.
    fn wanted(&self, id: u64) -> Result<bool, Error> {
        Ok(self.useless(&[id])?.is_empty())
    }

    /// Returns the probes among `ids` that are not [wanted](Search::wanted), in the same order. This is faster than a call of
    /// `wanted` for each probe.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`] if a probe was never asked.
    fn useless(&self, ids: &[u64]) -> Result<Vec<u64>, Error>;

    /// Stops the search. Outcomes of probes in flight still count.
    ///
    /// # Errors
    /// Only errors of a journal that cannot be written.
    fn stop(&mut self, reason: StopReason) -> Result<(), Error>;

    /// Resumes a stopped search. A search that has its result stays done.
    ///
    /// # Errors
    /// Only errors of a journal that cannot be written.
    fn resume(&mut self) -> Result<(), Error>;

    /// Replaces the budget. A larger budget resumes a search that was stopped by its budget.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the cost is negative or not a finite number.
    fn set_budget(&mut self, budget: Budget) -> Result<(), Error>;

    /// Takes back the last `answers` outcomes. Their probes count as abandoned. The search asks for their targets again and also
    /// accepts a corrected outcome under the old id. Contents of reads are kept.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there are fewer outcomes.
    fn undo(&mut self, answers: u32) -> Result<(), Error>;

    /// Returns the status of the search.
    fn status(&self) -> Status;

    /// Returns whether there is nothing left to ask or to wait for.
    fn is_done(&self) -> bool {
        self.status() != Status::Running
    }

    /// Returns the probes without an outcome, oldest first.
    fn in_flight(&self) -> Vec<Probe>;

    /// Returns the number of outcomes from the oracle that cost a run.
    fn runs(&self) -> u64;

    /// Returns the number of outcomes of probes, including outcomes that cost no run.
    fn asked(&self) -> u64;

    /// Applies an event of an earlier run of the same search.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the event does not fit the state of the search, and the errors of the event's own method.
    fn apply(&mut self, event: &Event) -> Result<(), Error>;

    /// Applies events of an earlier run of the same search, up to the first error. This is faster than [`Search::apply`] for each
    /// event.
    ///
    /// # Errors
    /// The errors of [`Search::apply`].
    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        for event in events {
            self.apply(event)?;
        }
        Ok(())
    }

    /// Creates the same search in its initial state.
    ///
    /// # Errors
    /// The errors of [`open`](crate::open). They do not occur, because the search was already created once.
    fn fresh(&self) -> Result<Box<dyn Search>, Error>;

    /// Returns the read-only view of the search.
    fn inspect(&self) -> &dyn Inspect;
}
