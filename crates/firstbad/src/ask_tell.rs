//! Any algorithm as a search: asks, tells, events, replay and undo, written once.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::belief::Posterior;
use crate::error::Error;
use crate::event::{Event, StopReason};
use crate::ledger::{Answer, Ledger, ProbeState};
use crate::observation::Observation;
use crate::search::{Algorithm, Budget, Key, Probe, Search, Status};
use crate::target::Target;
use crate::world::World;

/// Any [`Algorithm`] as a [`Search`].
pub struct AskTell<A: Algorithm> {
    pub(crate) algorithm: A,
    ledger: Ledger,
    budget: Budget,
}

impl<A: Algorithm> AskTell<A> {
    /// A search in `world` (a commit graph, a number of items) that has not been asked anything.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], and [`Error::InvalidArgument`] for a configuration that
    /// cannot be meant; the algorithm's configuration says what can.
    pub fn new(world: impl Into<A::World>, config: A::Config) -> Result<Self, Error> {
        Ok(AskTell { algorithm: A::new(world.into(), config)?, ledger: Ledger::default(), budget: Budget::default() })
    }

    /// The best answer so far, at any moment.
    #[must_use]
    pub fn report(&self) -> A::Report {
        self.algorithm.report(self.status(), &self.ledger)
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    fn probe(&self, id: u64) -> Probe {
        Probe { id, target: self.algorithm.target(self.ledger.probes[id as usize].0) }
    }

    fn hand_out(&mut self, key: Key) -> u64 {
        let id = self.ledger.probes.len() as u64;
        self.ledger.stopped = None;
        self.ledger.probes.push((key, ProbeState::InFlight));
        self.ledger.in_flight.push(id);
        self.ledger.events.push(Event::Asked { id, target: key });
        id
    }

    fn flying(&self) -> Vec<Key> {
        self.ledger.in_flight.iter().map(|&id| self.ledger.probes[id as usize].0).collect()
    }

    /// The next suspect to be tried first. One in flight waits, and what is answered is [struck off](Self::accept): which
    /// ones are left is a matter of the events alone.
    fn take_enqueued(&mut self) -> Option<Key> {
        let (enqueued, repeats) = (&self.ledger.enqueued, self.algorithm.repeats());
        if enqueued.is_empty() {
            return None;
        }
        let flying = self.flying();
        let place = enqueued.iter().position(|key| repeats || !flying.contains(key))?;
        self.ledger.enqueued.remove(place)
    }

    /// How many probes the budget allows beside those in flight.
    fn affordable(&self) -> u64 {
        if self.budget.cost.is_some_and(|cost| self.ledger.cost >= cost) {
            return 0;
        }
        let spoken_for = self.ledger.queries + self.ledger.in_flight.len() as u64;
        self.budget.runs.map_or(u64::MAX, |runs| runs.saturating_sub(spoken_for))
    }

    fn end(&mut self, reason: StopReason) {
        if self.ledger.stopped != Some(reason) && self.algorithm.status() == Status::Running {
            self.ledger.stopped = Some(reason);
            self.ledger.events.push(Event::Stopped { reason });
        }
    }

    /// Ends the search where nothing more can be afforded or awaited.
    fn end_if_spent(&mut self) {
        let spent = self.ledger.in_flight.is_empty() && self.affordable() == 0;
        if spent && self.ledger.stopped.is_none() && self.algorithm.status() == Status::Running {
            self.end(StopReason::Budget);
        }
    }

    fn accept(&mut self, answer: Answer) -> Result<(), Error> {
        let key = answer.key;
        if self.algorithm.repeats() {
            self.ledger.known.insert(key, self.ledger.answers.len());
            self.algorithm.absorb(key, &answer.observation);
        } else if let Some(&place) = self.ledger.known.get(&key) {
            let first = &self.ledger.answers[place];
            if !first.observation.agrees_with(&answer.observation) {
                let source = |probe: Option<u64>| probe.map_or(String::new(), |id| format!(" (probe {id})"));
                return Err(self.algorithm.contradiction(
                    key,
                    first.observation.describe() + &source(first.probe),
                    answer.observation.describe() + &source(answer.probe),
                ));
            }
        } else {
            self.ledger.known.insert(key, self.ledger.answers.len());
            self.ledger.enqueued.retain(|&other| other != key);
            self.algorithm.absorb(key, &answer.observation);
        }
        self.ledger.queries += u64::from(answer.probe.is_some());
        self.ledger.cost += answer.observation.cost.unwrap_or(0.0);
        self.ledger.answers.push(answer);
        Ok(())
    }

    /// Rebuilds everything that is derived from the answers.
    fn reconsider(&mut self, answers: Vec<Answer>) {
        self.ledger.answers.clear();
        self.ledger.known.clear();
        self.ledger.queries = 0;
        self.ledger.cost = 0.0;
        self.algorithm.reset();
        self.algorithm.begin_replay();
        for answer in answers {
            let accepted = self.accept(answer);
            debug_assert!(accepted.is_ok(), "answers that agreed once agree again");
        }
        self.algorithm.end_replay();
    }
}
fn check(observation: &Observation) -> Result<(), Error> {
    let given = [
        ("seconds", observation.seconds),
        ("cost", observation.cost),
        ("started", observation.started),
        ("ended", observation.ended),
    ];
    for (argument, value) in given {
        if value.is_some_and(|value| !value.is_finite() || value < 0.0) {
            return Err(Error::invalid(argument, value.unwrap_or(f64::NAN), "a finite number, 0 or above"));
        }
    }
    match (observation.started, observation.ended) {
        (Some(started), Some(ended)) if ended < started => {
            Err(Error::invalid("ended", ended, format!("a time at or after started ({started:?})")))
        }
        _ => observation.check_counts(),
    }
}
impl<A: Algorithm> Search for AskTell<A> {
    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error> {
        if k == 0 {
            return Err(Error::invalid("k", k, "at least 1"));
        }
        self.end_if_spent();
        if self.is_done() {
            return Ok(Vec::new());
        }
        let mut want = k.min(usize::try_from(self.affordable()).unwrap_or(usize::MAX));
        let mut probes = Vec::with_capacity(want.min(64));
        while want > 0 {
            let Some(key) = self.take_enqueued() else { break };
            let id = self.hand_out(key);
            probes.push(self.probe(id));
            want -= 1;
        }
        if want > 0 {
            let flying = self.flying();
            for key in self.algorithm.choose(want, &flying) {
                let id = self.hand_out(key);
                probes.push(self.probe(id));
            }
        }
        Ok(probes)
    }

    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error> {
        check(&observation)?;
        let &mut (key, state) = self.ledger.probe(id)?;
        if state == ProbeState::Answered {
            // Twice the same is accepted and leaves no trace.
            let kept = self.ledger.answers.iter().rev().find(|answer| answer.probe == Some(id));
            match kept {
                Some(kept) if kept.observation.agrees_with(&observation) => return Ok(()),
                Some(kept) if self.algorithm.repeats() => {
                    let first = format!("{} (probe {id})", kept.observation.describe());
                    return Err(self.algorithm.contradiction(key, first, observation.describe()));
                }
                _ => {}
            }
        }
        let observation = self.ledger.shared(observation);
        self.accept(Answer { key, probe: Some(id), observation: Arc::clone(&observation) })?;
        self.ledger.end_flight(id, ProbeState::Answered);
        self.ledger.events.push(Event::Told { id, observation });
        self.end_if_spent();
        Ok(())
    }

    fn abandon(&mut self, id: u64) -> Result<(), Error> {
        if self.ledger.probe(id)?.1 == ProbeState::InFlight {
            self.ledger.end_flight(id, ProbeState::Abandoned);
            self.ledger.events.push(Event::Abandoned { id });
        }
        Ok(())
    }

    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error> {
        check(&observation)?;
        let key = self.algorithm.key(target)?;
        let said = self.ledger.observation(key).is_some_and(|known| known.agrees_with(&observation));
        if said && !self.algorithm.repeats() {
            return Ok(());
        }
        let observation = self.ledger.shared(observation);
        self.accept(Answer { key, probe: None, observation: Arc::clone(&observation) })?;
        self.ledger.events.push(Event::Observed { target: key, observation });
        Ok(())
    }

    fn enqueue(&mut self, target: &Target) -> Result<(), Error> {
        let key = self.algorithm.key(target)?;
        if self.algorithm.repeats() || !self.ledger.known.contains_key(&key) {
            self.ledger.enqueued.push_back(key);
        }
        self.ledger.events.push(Event::Enqueued { target: key });
        Ok(())
    }

    fn wanted(&self, id: u64) -> Result<bool, Error> {
        let asked = self.ledger.probes.len() as u64;
        let &(key, state) = usize::try_from(id)
            .ok()
            .and_then(|id| self.ledger.probes.get(id))
            .ok_or(Error::UnknownProbe { id, asked })?;
        Ok(state == ProbeState::InFlight
            && !self.is_done()
            && (self.algorithm.repeats() || !self.ledger.known.contains_key(&key))
            && self.algorithm.wants(key))
    }

    fn stop(&mut self, reason: StopReason) -> Result<(), Error> {
        self.end(reason);
        Ok(())
    }

    fn resume(&mut self) {
        self.ledger.stopped = None;
    }

    fn set_budget(&mut self, budget: Budget) -> Result<(), Error> {
        if budget.cost.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            return Err(Error::invalid("budget.cost", budget.cost, "a finite number, 0 or above"));
        }
        self.budget = budget;
        if self.ledger.stopped == Some(StopReason::Budget) && self.affordable() > 0 {
            self.ledger.stopped = None;
        }
        Ok(())
    }

    fn undo(&mut self, answers: u32) -> Result<(), Error> {
        let mut kept = std::mem::take(&mut self.ledger.answers);
        let Some(left) = kept.len().checked_sub(answers as usize) else {
            let available = kept.len();
            self.ledger.answers = kept;
            return Err(Error::invalid("answers", answers, format!("at most {available}, the answers told so far")));
        };
        for undone in kept.split_off(left) {
            if let Some(id) = undone.probe {
                self.ledger.end_flight(id, ProbeState::Abandoned);
            }
        }
        self.reconsider(kept);
        self.ledger.stopped = None;
        self.ledger.events.push(Event::Undone { answers });
        Ok(())
    }

    fn status(&self) -> Status {
        match (self.algorithm.status(), self.ledger.stopped) {
            (Status::Running, Some(StopReason::Budget)) => Status::Budget,
            (Status::Running, Some(StopReason::Stopped)) => Status::Stopped,
            (status, _) => status,
        }
    }

    fn in_flight(&self) -> Vec<Probe> {
        self.ledger.in_flight.iter().map(|&id| self.probe(id)).collect()
    }

    fn queries(&self) -> u64 {
        self.ledger.queries
    }

    fn events(&self, from: usize) -> Vec<Event> {
        let name = |key| self.algorithm.target(key);
        self.ledger.events.iter().skip(from).map(|event| event.named(name)).collect()
    }

    fn apply(&mut self, event: &Event) -> Result<(), Error> {
        match event {
            Event::Asked { id, target } => {
                let key = self.algorithm.key(target)?;
                let next = self.ledger.probes.len() as u64;
                if *id != next {
                    return Err(Error::Snapshot { reason: format!("probe {id} where probe {next} should follow") });
                }
                if let Some(place) = self.ledger.enqueued.iter().position(|&other| other == key) {
                    self.ledger.enqueued.remove(place);
                }
                self.hand_out(key);
                Ok(())
            }
            Event::Told { id, observation } => self.tell(*id, observation.clone()),
            Event::Abandoned { id } => self.abandon(*id),
            Event::Enqueued { target } => self.enqueue(target),
            Event::Observed { target, observation } => self.observe(target, observation.clone()),
            Event::Undone { answers } => self.undo(*answers),
            Event::Stopped { reason } => {
                // It may have been taken up in between, which is no event.
                self.ledger.stopped = None;
                self.stop(*reason)
            }
        }
    }

    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        // Where a budget ended the search, the events say so.
        let budget = std::mem::take(&mut self.budget);
        self.algorithm.begin_replay();
        let mut applied = Ok(());
        for event in events {
            // Only a search without its answer can be stopped.
            if matches!(event, Event::Stopped { .. }) {
                self.algorithm.end_replay();
            }
            applied = self.apply(event);
            if applied.is_err() {
                break;
            }
            self.algorithm.begin_replay();
        }
        self.algorithm.end_replay();
        self.budget = budget;
        applied
    }

    fn algorithm(&self) -> &'static str {
        A::NAME
    }

    fn configuration(&self) -> serde_json::Value {
        self.algorithm.configuration()
    }

    fn fingerprint(&self) -> String {
        self.algorithm.fingerprint()
    }

    fn world(&self) -> World {
        self.algorithm.world()
    }

    fn repeats(&self) -> bool {
        self.algorithm.repeats()
    }

    fn snapshot(&self) -> String {
        self.write_snapshot()
    }

    fn report_json(&self) -> String {
        serde_json::to_string(&self.report()).unwrap_or_default()
    }

    fn posterior(&self) -> Option<Posterior> {
        self.algorithm.posterior()
    }

    fn suspects(&self) -> Option<FixedBitSet> {
        self.algorithm.suspects()
    }
}
