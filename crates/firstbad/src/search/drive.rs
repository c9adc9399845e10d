//! A search as drivers see it.

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

/// How many probes are in flight at most, however many are asked for: nobody has more machines, and what a batch costs grows
/// with it.
pub const MOST_IN_FLIGHT: usize = 1024;

/// A guard that marks a search as driven by a run until the guard is dropped.
#[derive(Debug)]
pub struct Driving(#[allow(dead_code, reason = "it counts how many there are")] Arc<()>);

/// Whether a run drives a search.
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

/// A search as drivers see it: the same for every algorithm. What there is to look at beside is in
/// [`inspect`](Search::inspect).
pub trait Search: Send + Sync {
    /// Marks the search as driven by a [`Run`](super::Run). Only one run can drive a search at a time.
    ///
    /// # Errors
    /// [`Error::SearchInUse`] if another run drives the search.
    fn begin_driving(&mut self) -> Result<Driving, Error>;

    /// At most `k` probes to run next, useful side by side, given what is in flight already; never more than
    /// [`MOST_IN_FLIGHT`] with those. Empty when the search is done, when answers in flight must come first, or while a
    /// [read](Search::reads) is open.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `k = 0`.
    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error>;

    /// Like [`ask`](Search::ask), for a driver that must check clocks and signals. If outcomes are known without a run,
    /// the search calls `keep_going` before it asks for more. If `keep_going` returns false, there may be fewer probes
    /// or none, although more are available. Call this again to get them.
    ///
    /// # Errors
    /// The errors of [`Search::ask`].
    fn ask_while(&mut self, k: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Vec<Probe>, Error> {
        let _ = keep_going;
        self.ask(k)
    }

    /// Answers a probe. In any order; the same answer twice is accepted; one for an abandoned probe counts.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`]; [`Error::Contradiction`] ([`Error::NonDeterministic`] for a set of changes) where
    /// the target (with a flaky test: this very probe) is known to be otherwise (the first answer is kept);
    /// [`Error::InvalidArgument`] for times or costs that are not numbers or negative.
    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error>;

    /// Says that a probe will not be answered: what it tests may be asked again, and nothing is concluded.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`]. A probe that was answered already stays answered.
    fn abandon(&mut self, id: u64) -> Result<(), Error>;

    /// Tells something known that was never asked. It is no query.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and those of [`Search::tell`].
    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error>;

    /// Puts a suspect at the head of what is asked next.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`].
    fn enqueue(&mut self, target: &Target) -> Result<(), Error>;

    /// What the search has to see before it can ask on, oldest first. That costs no run and no budget.
    fn reads(&self) -> Vec<Read>;

    /// Hands over what a read asks for. The same content twice is accepted.
    ///
    /// # Errors
    /// [`Error::UnknownRead`]; [`Error::InvalidArgument`] for a content that is too large or is not what was asked for;
    /// [`Error::Contradiction`] for another content than before.
    fn give(&mut self, id: u64, content: &[u8]) -> Result<(), Error>;

    /// Whether an answer in flight is still of use; a driver may cancel a probe that is not. Of a search that looks ahead,
    /// what it would ask by now with as many tests in flight is.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`].
    fn wanted(&self, id: u64) -> Result<bool, Error> {
        Ok(self.useless(&[id])?.is_empty())
    }

    /// Those of these probes whose answers are not [wanted](Search::wanted) any more, in their order: quicker than asking
    /// for each.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`].
    fn useless(&self, ids: &[u64]) -> Result<Vec<u64>, Error>;

    /// Ends the search from outside; answers in flight still count when they come.
    ///
    /// # Errors
    /// None by itself; a search with a journal may fail to write.
    fn stop(&mut self, reason: StopReason) -> Result<(), Error>;

    /// Takes up a search that was ended from outside. One that has its answer keeps it.
    ///
    /// # Errors
    /// None by itself; a search with a journal may fail to write.
    fn resume(&mut self) -> Result<(), Error>;

    /// Limits what may be spent; a larger budget takes up a search that ended for want of one.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a cost that is not a number or negative.
    fn set_budget(&mut self, budget: Budget) -> Result<(), Error>;

    /// Takes back the last `answers` answers. Their probes count as abandoned: they are asked again, and a
    /// corrected answer under the old id is accepted. What was read is kept.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there are fewer answers.
    fn undo(&mut self, answers: u32) -> Result<(), Error>;

    /// Where the search stands.
    fn status(&self) -> Status;

    /// Whether there is nothing left to ask or to wait for.
    fn is_done(&self) -> bool {
        self.status() != Status::Running
    }

    /// Probes asked and not answered, oldest first.
    fn in_flight(&self) -> Vec<Probe>;

    /// How many answers of the oracle cost a run.
    fn runs(&self) -> u64;

    /// How many answers came to probes, those that cost no run included.
    fn asked(&self) -> u64;

    /// Applies one event of another run of the same search.
    ///
    /// # Errors
    /// [`Error::Snapshot`] for an event that does not fit, and what the event itself can raise.
    fn apply(&mut self, event: &Event) -> Result<(), Error>;

    /// Applies events of another run of the same search, which is faster than one by one. It ends with the first that
    /// does not fit.
    ///
    /// # Errors
    /// Those of [`Search::apply`].
    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        for event in events {
            self.apply(event)?;
        }
        Ok(())
    }

    /// The same search at its start.
    ///
    /// # Errors
    /// Those of [`open`](crate::open); none, for it was opened before.
    fn fresh(&self) -> Result<Box<dyn Search>, Error>;

    /// What there is to look at.
    fn inspect(&self) -> &dyn Inspect;
}
