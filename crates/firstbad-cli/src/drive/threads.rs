//! The threads that run the tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Run, RunOptions, Search as _};
use firstbad_journal::Session;

use super::plan::{End, Job, Plan};
use crate::failure;
use crate::view::View;

/// The time between checks of the clock and of signals.
const SLICE: Duration = Duration::from_millis(50);

type Told = (u64, Result<Observation, Error>);

/// A probe whose test is running.
struct Running {
    probe: Probe,
    /// Whether the test must stop.
    cancelled: Arc<AtomicBool>,
}

pub(super) struct Threads<'a, 'b, 'v> {
    run: Run,
    session: &'a mut Session,
    plan: &'a Plan<'b>,
    view: &'a mut View<'v>,
    running: BTreeMap<u64, Running>,
    /// The last outcome until it is shown.
    unshown: Option<(Probe, Observation)>,
    outbox: Sender<Told>,
    inbox: Receiver<Told>,
    /// Whether the drive is over.
    is_over: Arc<AtomicBool>,
}

impl<'a, 'b, 'v> Threads<'a, 'b, 'v> {
    pub(super) fn new(session: &'a mut Session, plan: &'a Plan<'b>, view: &'a mut View<'v>) -> Result<Self, Error> {
        session.take_over();
        let run = Run::new(session, RunOptions { jobs: plan.jobs, ..RunOptions::default() })?;
        let (outbox, inbox) = channel();
        let (running, unshown, is_over) = (BTreeMap::new(), None, Arc::default());
        Ok(Threads { run, session, plan, view, running, unshown, outbox, inbox, is_over })
    }

    /// Runs the search until it ends.
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
            // The forecast can be slow, so the next tests start before it is shown.
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

    /// Reads the contents that the search needs.
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
        let cancelled = Arc::new(AtomicBool::new(false));
        let (plan, outbox) = (self.plan, self.outbox.clone());
        let (job, stop) = (Job::new(self.session, probe.clone()), Arc::clone(&cancelled));
        scope.spawn(move || {
            let answer = (plan.test)(&job, &mut || !stop.load(Ordering::Relaxed));
            // The receiver lives until every outcome has arrived.
            let _ = outbox.send((job.id, answer));
        });
        self.view.asked(&probe);
        self.running.insert(probe.id, Running { probe, cancelled });
    }

    /// Prepares the revision of the next likely test, one at a time, once the tests run for a while.
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

    /// Records all finished tests, then returns the first error.
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
        // Shows the previous outcome. If that fails, this outcome is still recorded.
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

    /// Shows the last outcome.
    fn show(&mut self) -> Result<(), Error> {
        match self.unshown.take() {
            Some((probe, seen)) => self.view.answered(&probe, &seen, self.session, &mut self.run),
            None => Ok(()),
        }
    }

    /// Abandons a probe so that it is asked again, unless it was retried too often.
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

    /// Stops tests whose outcomes no longer matter.
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

    /// Records the finished tests and stops the others.
    pub(super) fn wind_down(&mut self) -> Result<(), Error> {
        // The error that ended the run is more important than errors from here on.
        let _ = self.collect(None);
        let _ = self.show();
        self.is_over.store(true, Ordering::Relaxed);
        let given_back = self.run.give_back(self.session);
        for running in self.running.values() {
            running.cancelled.store(true, Ordering::Relaxed);
        }
        while !self.running.is_empty() {
            let Ok((id, _)) = self.inbox.recv() else { break };
            self.running.remove(&id);
        }
        given_back
    }
}
