//! The probes that are out, and the answers that come in.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use firstbad::{Error, Observation, Probe, Search as _, StopReason};
use firstbad_journal::Session;

use super::{End, Plan};
use crate::view::View;

/// How long to wait for an answer before looking at the clock and for signals, and moving the view on.
const SLICE: Duration = Duration::from_millis(50);

type Answer = (u64, Result<Observation, Error>);

/// A probe that somebody tests.
struct Running {
    probe: Probe,
    cancelled: Arc<AtomicBool>,
}

pub(super) struct Desk<'a, 'b, 'v> {
    session: &'a mut Session,
    plan: &'a Plan<'b>,
    view: &'a mut View<'v>,
    running: BTreeMap<u64, Running>,
    /// In flight since an earlier run, and to be tested first.
    adopted: VecDeque<Probe>,
    outbox: Sender<Answer>,
    inbox: Receiver<Answer>,
}

impl<'a, 'b, 'v> Desk<'a, 'b, 'v> {
    pub(super) fn new(session: &'a mut Session, plan: &'a Plan<'b>, view: &'a mut View<'v>) -> Self {
        let adopted = session.in_flight().into();
        let (outbox, inbox) = channel();
        Desk { session, plan, view, running: BTreeMap::new(), adopted, outbox, inbox }
    }

    /// Asks and tells until there is a reason to end.
    pub(super) fn work<'scope>(&mut self, scope: &'scope Scope<'scope, '_>) -> Result<End, Error>
    where
        'a: 'scope,
        'b: 'scope,
    {
        self.view.update(self.session);
        loop {
            if let Some(signal) = self.plan.signals.caught() {
                return Ok(End::Signal(signal));
            }
            if self.plan.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                self.session.stop(StopReason::Budget)?;
            }
            if self.session.is_done() {
                return Ok(End::Done);
            }
            self.fill(scope)?;
            if self.running.is_empty() && !self.session.is_done() {
                let message = "the search asks nothing though nothing is in flight; please report it".to_owned();
                return Err(Error::Io { action: "driving the search".to_owned(), message });
            }
            if let Ok(answer) = self.inbox.recv_timeout(SLICE) {
                self.collect(answer)?;
            }
            self.cancel_useless()?;
            self.view.tick();
        }
    }

    /// Gives idle workers something to do.
    fn fill<'scope>(&mut self, scope: &'scope Scope<'scope, '_>) -> Result<(), Error>
    where
        'a: 'scope,
        'b: 'scope,
    {
        let free = self.plan.jobs.saturating_sub(self.running.len());
        let mut probes: Vec<Probe> = Vec::with_capacity(free);
        probes.extend(self.adopted.drain(..free.min(self.adopted.len())));
        if probes.len() < free {
            probes.extend(self.session.ask(free - probes.len())?);
        }
        for probe in probes {
            self.view.asked(&probe);
            let cancelled = Arc::new(AtomicBool::new(false));
            let (plan, outbox) = (self.plan, self.outbox.clone());
            let (job, stop) = (probe.clone(), Arc::clone(&cancelled));
            scope.spawn(move || {
                let answer = (plan.test)(&job, &mut || !stop.load(Ordering::Relaxed));
                // The desk is there until every answer has come.
                let _ = outbox.send((job.id, answer));
            });
            self.running.insert(probe.id, Running { probe, cancelled });
        }
        Ok(())
    }

    /// Passes on all answers that are there; only then says what went wrong first.
    fn collect(&mut self, first: Answer) -> Result<(), Error> {
        let mut answers = vec![first];
        answers.extend(self.inbox.try_iter());
        answers.sort_unstable_by_key(|answer| answer.0);
        let mut failure = None;
        for (id, answer) in answers {
            let told = answer.and_then(|observation| self.tell(id, observation));
            if let Err(error) = told
                && !self.running.remove(&id).is_some_and(|ended| ended.cancelled.load(Ordering::Relaxed))
            {
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error> {
        self.session.tell(id, observation.clone())?;
        if let Some(ended) = self.running.remove(&id) {
            self.view.answered(&ended.probe, &observation, self.session);
        }
        Ok(())
    }

    /// Ends tests whose answers could not change anything any more.
    fn cancel_useless(&mut self) -> Result<(), Error> {
        for (&id, running) in &self.running {
            if !running.cancelled.load(Ordering::Relaxed) && !self.session.wanted(id)? {
                running.cancelled.store(true, Ordering::Relaxed);
                self.session.abandon(id)?;
                self.view.cancelled(&running.probe);
            }
        }
        Ok(())
    }

    /// Ends what is still out. Answers that come all the same are told.
    pub(super) fn wind_down(&mut self) -> Result<(), Error> {
        let mut failure = None;
        for running in self.running.values() {
            running.cancelled.store(true, Ordering::Relaxed);
        }
        let given_back: Vec<u64> = self.session.in_flight().iter().map(|probe| probe.id).collect();
        while !self.running.is_empty() {
            // Every test that runs sends an answer in the end.
            let Ok(answer) = self.inbox.recv() else { break };
            let _ = self.collect(answer);
        }
        for id in given_back {
            if let Err(error) = self.session.abandon(id) {
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(()), Err)
    }
}
