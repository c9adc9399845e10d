//! The tests that run, a thread for each, and the answers that come in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Run, RunOptions, Search as _};
use firstbad_journal::Session;

use super::plan::{End, Plan};
use crate::failure;
use crate::view::View;

/// How long to wait for an answer before looking at the clock and for signals, and moving the view on.
const SLICE: Duration = Duration::from_millis(50);

type Told = (u64, Result<Observation, Error>);

/// A probe that somebody tests.
struct Running {
    probe: Probe,
    /// Whether the test is told to stop.
    cancelled: Arc<AtomicBool>,
}

pub(super) struct Threads<'a, 'b, 'v> {
    run: Run,
    session: &'a mut Session,
    plan: &'a Plan<'b>,
    view: &'a mut View<'v>,
    running: BTreeMap<u64, Running>,
    /// The last answer, until it is shown.
    unshown: Option<(Probe, Observation)>,
    outbox: Sender<Told>,
    inbox: Receiver<Told>,
    /// Whether nothing is tested any more.
    is_over: Arc<AtomicBool>,
}

impl<'a, 'b, 'v> Threads<'a, 'b, 'v> {
    /// # Errors
    /// Those of [`Run::new`].
    pub(super) fn new(session: &'a mut Session, plan: &'a Plan<'b>, view: &'a mut View<'v>) -> Result<Self, Error> {
        session.take_over();
        let run = Run::new(session, RunOptions { jobs: plan.jobs, ..RunOptions::default() })?;
        let (outbox, inbox) = channel();
        let (running, unshown, is_over) = (BTreeMap::new(), None, Arc::default());
        Ok(Threads { run, session, plan, view, running, unshown, outbox, inbox, is_over })
    }

    /// Asks and tells until there is a reason to end.
    pub(super) fn work<'scope>(&mut self, scope: &'scope Scope<'scope, '_>) -> Result<End, Error>
    where
        'a: 'scope,
        'b: 'scope,
    {
        self.view.update(self.session, &mut self.run)?;
        loop {
            if let Some(signal) = self.plan.signals.caught() {
                return Ok(End::Signal(signal));
            }
            let is_late = self.plan.deadline.is_some_and(|deadline| deadline <= Instant::now());
            if self.run.over(self.session, is_late)? {
                self.show()?;
                return Ok(End::Done);
            }
            self.read()?;
            let until = Instant::now() + Run::SLICE;
            for probe in self.run.take(self.session, &mut || Instant::now() < until)? {
                self.start(scope, probe);
            }
            // What is left to do may take a while to tell, and the next test need not wait for it.
            self.show()?;
            self.view.tick();
            // If no test is running, the search is only recording known outcomes, one slice at a time.
            let patience = if self.running.is_empty() { Duration::ZERO } else { SLICE };
            match self.inbox.recv_timeout(patience) {
                Ok(answer) => self.collect(Some(answer))?,
                Err(_) => self.look_ahead(scope)?,
            }
            self.cancel_useless()?;
        }
    }

    /// Shows the search what it has to see; without a reader [`Run::take`] says what is missing.
    fn read(&mut self) -> Result<(), Error> {
        let Some(reader) = self.plan.reader else { return Ok(()) };
        while let Some(read) = self.session.reads().first() {
            self.session.give(read.id, &reader(read)?)?;
        }
        Ok(())
    }

    fn start<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, probe: Probe)
    where
        'a: 'scope,
        'b: 'scope,
    {
        let why = probe.target.revision.as_deref().and_then(|revision| self.session.inspect().why(revision));
        let cancelled = Arc::new(AtomicBool::new(false));
        let (plan, outbox) = (self.plan, self.outbox.clone());
        let (job, stop) = (probe.clone(), Arc::clone(&cancelled));
        scope.spawn(move || {
            let answer = (plan.test)(&job, &mut || !stop.load(Ordering::Relaxed));
            // The inbox is there until every answer has come.
            let _ = outbox.send((job.id, answer));
        });
        self.view.asked(&probe, why.as_ref());
        self.running.insert(probe.id, Running { probe, cancelled });
    }

    /// Has what is likely tested next made ready, once tests have run for a while: one revision at a time, so that the machine is
    /// left to the tests.
    fn look_ahead<'scope>(&mut self, scope: &'scope Scope<'scope, '_>) -> Result<(), Error>
    where
        'a: 'scope,
        'b: 'scope,
    {
        let Some(ahead) = &self.plan.ahead else { return Ok(()) };
        if (ahead.testing_for)().is_none_or(|time| time < Run::BEFORE_UPCOMING) {
            return Ok(());
        }
        if let Some(revision) = self.run.upcoming(self.session)?.into_iter().find_map(|target| target.revision) {
            let (prepare, stop) = (ahead.prepare, Arc::clone(&self.is_over));
            scope.spawn(move || prepare(&revision, &mut || !stop.load(Ordering::Relaxed)));
        }
        Ok(())
    }

    /// Passes on all answers that are there, after the one at hand; only then says what went wrong first.
    fn collect(&mut self, first: Option<Told>) -> Result<(), Error> {
        let mut answers: Vec<Told> = first.into_iter().chain(self.inbox.try_iter()).collect();
        answers.sort_unstable_by_key(|answer| answer.0);
        let mut failure = Ok(());
        for (id, answer) in answers {
            let ended = self.running.remove(&id);
            if self.run.ended(id) {
                continue;
            }
            let told = match answer {
                Err(error @ Error::Retry { .. }) => self.retry(id, ended.as_ref(), error),
                answer => answer.and_then(|observation| self.tell(id, ended.as_ref(), observation)),
            };
            failure = failure.and(told);
        }
        failure
    }

    fn tell(&mut self, id: u64, ended: Option<&Running>, observation: Observation) -> Result<(), Error> {
        // Each answer is shown with what was known after it. Should that fail, this one is not lost.
        let shown = self.show();
        let counts = self.run.answered(self.session, id, observation.clone())?;
        if let Some(ended) = ended.filter(|_| counts) {
            self.unshown = Some((ended.probe.clone(), observation.clone()));
        }
        let done = match self.plan.after {
            Some(after) if counts => after(self.session, &observation),
            _ => Ok(()),
        };
        if let Some(said) = self.plan.said {
            said().iter().for_each(|text| self.view.note(text));
        }
        shown.and(done)
    }

    /// Shows the last answer, if that was not done yet.
    fn show(&mut self) -> Result<(), Error> {
        match self.unshown.take() {
            Some((probe, seen)) => self.view.answered(&probe, &seen, self.session, &mut self.run),
            None => Ok(()),
        }
    }

    /// Gives a probe back to be asked again, unless that was done too often.
    fn retry(&mut self, id: u64, ended: Option<&Running>, error: Error) -> Result<(), Error> {
        if !self.run.retry(self.session, id)? {
            return Err(error);
        }
        if let Some(ended) = ended {
            self.view.cancelled(&ended.probe);
        }
        self.view.note(&failure::words(&error));
        Ok(())
    }

    /// Ends tests whose answers could not change anything any more.
    fn cancel_useless(&mut self) -> Result<(), Error> {
        for id in self.run.useless(self.session)? {
            self.run.cancelled(self.session, id)?;
            if let Some(running) = self.running.get(&id) {
                running.cancelled.store(true, Ordering::Relaxed);
                self.view.cancelled(&running.probe);
            }
        }
        Ok(())
    }

    /// Tells the answers that are there, gives the rest back, and waits until no test runs any more.
    pub(super) fn wind_down(&mut self) -> Result<(), Error> {
        // What a test ended with now is no match for what ended the run.
        let _ = self.collect(None);
        let _ = self.show();
        self.is_over.store(true, Ordering::Relaxed);
        let given_back = self.run.give_back(self.session);
        for running in self.running.values() {
            running.cancelled.store(true, Ordering::Relaxed);
        }
        while !self.running.is_empty() {
            // Every test that runs sends an answer in the end.
            let Ok((id, _)) = self.inbox.recv() else { break };
            self.running.remove(&id);
        }
        given_back
    }
}
