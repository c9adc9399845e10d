use std::sync::Arc;

use hashbrown::HashSet;

use super::algorithm::{Algorithm, absorb_last};
use super::budget::Budget;
use super::confirmation::{Confirmation, confirmation};
use super::content::Content;
use super::drive::{Driven, Driving, MOST_IN_FLIGHT, Search};
use super::event::{Event, StopReason};
use super::inspect::Inspect;
use super::ledger::{Ledger, LedgerEntry, ProbeRecord, ProbeState};
use super::observation::Observation;
use super::probe::{Key, Probe};
use super::reads::{Read, Reads};
use super::space::Space;
use super::status::Status;
use super::target::Target;
use crate::error::Error;
use crate::error::spelling::Spelling;

/// A [`Search`] of any [`Algorithm`].
pub struct AskTell<A: Algorithm> {
    pub(super) algorithm: A,
    pub(super) ledger: Ledger,
    /// Whether events of an earlier run are being applied. These events say whether a budget ended the search.
    pub(super) is_replaying: bool,
    confirmation: Confirmation,
    driven: Driven,
}

impl<A: Algorithm> AskTell<A> {
    /// Creates a search in `world`, which is a commit graph or a number of items.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], and [`Error::InvalidArgument`] if the configuration is invalid.
    /// The type of the configuration documents the valid values.
    pub fn new(world: impl Into<<A::Space as Space>::World>, config: A::Config) -> Result<Self, Error> {
        let algorithm = A::new(world.into(), config)?;
        let (ledger, driven) = (Ledger::default(), Driven::default());
        Ok(AskTell { algorithm, ledger, is_replaying: false, confirmation: Confirmation::Settled, driven })
    }

    /// Returns the best result so far, with options in Rust's spelling. The report is available at any time.
    #[must_use]
    pub fn report(&self) -> A::Report {
        let mut report = self.algorithm.report(self.status(), &self.ledger);
        for sentence in A::sentences(&mut report) {
            *sentence = Spelling::Python.render(sentence);
        }
        report
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    pub(super) fn target(&self, key: Key) -> Target {
        self.algorithm.space().target(key)
    }

    fn probe(&self, id: u64) -> Probe {
        let probe = self.ledger.probes[id as usize];
        Probe { id, target: self.target(probe.key), confirms: probe.confirms }
    }

    pub(super) fn hand_out(&mut self, key: Key, confirms: bool) -> u64 {
        let id = self.ledger.probes.len() as u64;
        // Before a run that confirms, drivers wait for tests that linger.
        let is_alone = self.ledger.in_flight.is_empty() && (confirms || !self.ledger.may_linger);
        for &other in &self.ledger.in_flight {
            self.ledger.probes[other as usize].is_alone = false;
        }
        self.ledger.probes.push(ProbeRecord { key, state: ProbeState::InFlight, is_alone, confirms });
        self.ledger.in_flight.push(id);
        self.ledger.events.push(Event::Asked { id, target: key, confirms });
        id
    }

    /// Updates the state of the confirmation.
    pub(super) fn settle(&mut self) {
        self.confirmation = match self.algorithm.status() {
            Status::Running => Confirmation::Settled,
            _ => {
                let is_other = |seen: &Observation| self.algorithm.is_other_failure(seen);
                confirmation(&self.algorithm.claims(), &self.ledger, &is_other)
            }
        };
    }

    fn settle_unless_replaying(&mut self) {
        if !self.is_replaying {
            self.settle();
        }
    }

    /// Whether the result is known and only needs to be confirmed.
    pub(super) fn needs_confirmation(&self) -> bool {
        matches!(self.confirmation, Confirmation::Needs(_))
    }

    /// Returns the status as if nothing had stopped the search.
    fn decided(&self) -> Status {
        match self.confirmation {
            Confirmation::Settled => self.algorithm.status(),
            Confirmation::Needs(_) => Status::Running,
            Confirmation::Changed(_) => Status::Contradictory,
        }
    }

    /// Returns the probe that confirms the result, once nothing else is in flight. Returns `None` if there is nothing to confirm.
    fn ask_to_confirm(&mut self) -> Option<Vec<Probe>> {
        let Confirmation::Needs(key) = self.confirmation else { return None };
        if !self.ledger.in_flight.is_empty() {
            return Some(Vec::new());
        }
        let id = self.hand_out(key, true);
        Some(vec![self.probe(id)])
    }

    /// Returns the next enqueued suspect that is not in flight. [`accept`](Self::accept) removes suspects with an outcome, so the
    /// queue depends only on the events.
    fn take_enqueued(&mut self) -> Option<Key> {
        if self.ledger.enqueued.is_empty() {
            return None;
        }
        let (flying, repeats) = (self.ledger.flying(), self.algorithm.repeats());
        let place = self.ledger.enqueued.iter().position(|key| repeats || !flying.contains(key))?;
        self.ledger.enqueued.remove(place)
    }

    pub(super) fn end(&mut self, reason: StopReason) {
        if self.ledger.stopped != Some(reason) && self.decided() == Status::Running {
            self.ledger.stopped = Some(reason);
            self.ledger.events.push(Event::Stopped { reason });
        }
    }

    /// Stops the search if the budget allows no more runs and no probe is in flight.
    fn end_if_spent(&mut self) {
        let spent = self.ledger.in_flight.is_empty() && self.ledger.affordable() == 0;
        if spent && !self.is_replaying && self.ledger.stopped.is_none() {
            self.end(StopReason::Budget);
        }
    }

    pub(super) fn accept(&mut self, answer: LedgerEntry) -> Result<(), Error> {
        let (key, place) = (answer.key, self.ledger.answers.len());
        self.algorithm.check(key, &answer.observation)?;
        let repeats = self.algorithm.repeats();
        if let Some(&first) = self.ledger.known.get(&key).filter(|_| !repeats) {
            if !answer.confirms {
                self.check_agreement(&self.ledger.answers[first], &answer)?;
            }
            self.ledger.record(answer);
            return Ok(());
        }
        self.ledger.known.insert(key, place);
        if !repeats {
            self.ledger.enqueued.retain(|&other| other != key);
        }
        self.ledger.record(answer);
        absorb_last(&mut self.algorithm, self.ledger.counting(repeats));
        Ok(())
    }

    fn check_agreement(&self, first: &LedgerEntry, second: &LedgerEntry) -> Result<(), Error> {
        if first.observation.agrees_with(&second.observation) {
            return Ok(());
        }
        let source = |probe: Option<u64>| probe.map_or(String::new(), |id| format!(" (probe {id})"));
        let words = |answer: &LedgerEntry| answer.observation.describe() + &source(answer.probe);
        Err(self.algorithm.space().contradiction(second.key, words(first), words(second)))
    }

    fn has_open_reads(&self) -> bool {
        self.algorithm.reads().is_some_and(Reads::are_open)
    }
}

impl<A: Algorithm> Search for AskTell<A> {
    fn begin_driving(&mut self) -> Result<Driving, Error> {
        self.driven.begin()
    }

    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error> {
        if k == 0 {
            return Err(Error::invalid("k", k, "at least 1"));
        }
        self.end_if_spent();
        if self.is_done() || self.has_open_reads() {
            return Ok(Vec::new());
        }
        if let Some(probes) = self.ask_to_confirm() {
            return Ok(probes);
        }
        let affordable = usize::try_from(self.ledger.affordable()).unwrap_or(usize::MAX);
        let mut want = k.min(affordable).min(MOST_IN_FLIGHT.saturating_sub(self.ledger.flying().len()));
        let mut probes = Vec::with_capacity(want);
        while want > 0 {
            let Some(key) = self.take_enqueued() else { break };
            let id = self.hand_out(key, false);
            probes.push(self.probe(id));
            want -= 1;
        }
        if want > 0 {
            let flying = self.ledger.flying();
            let chosen = self.algorithm.choose(want, &flying);
            debug_assert!(chosen.len() <= want, "{} chosen where {want} are wanted", chosen.len());
            for key in chosen {
                let id = self.hand_out(key, false);
                probes.push(self.probe(id));
            }
        }
        Ok(probes)
    }

    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error> {
        observation.check()?;
        let observation = self.algorithm.relevant(observation)?;
        let ProbeRecord { key, state, is_alone, confirms } = self.ledger.probe(id)?;
        if state == ProbeState::Answered {
            // The same outcome twice is accepted without an event.
            let kept = self.ledger.answers.iter().rev().find(|answer| answer.probe == Some(id));
            match kept {
                Some(kept) if kept.observation.agrees_with(&observation) => return Ok(()),
                Some(kept) if confirms || self.algorithm.repeats() => {
                    let first = format!("{} (probe {id})", kept.observation.describe());
                    return Err(self.algorithm.space().contradiction(key, first, observation.describe()));
                }
                _ => {}
            }
        }
        let observation = self.ledger.shared(observation);
        let observed = Arc::clone(&observation);
        self.accept(LedgerEntry { key, probe: Some(id), observation: observed, is_alone, confirms })?;
        self.settle_unless_replaying();
        self.ledger.end_flight(id, ProbeState::Answered);
        self.ledger.events.push(Event::Told { id, observation });
        self.end_if_spent();
        Ok(())
    }

    fn abandon(&mut self, id: u64) -> Result<(), Error> {
        if self.ledger.probe(id)?.state == ProbeState::InFlight {
            self.ledger.end_flight(id, ProbeState::Abandoned);
            self.ledger.events.push(Event::Abandoned { id });
        }
        Ok(())
    }

    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error> {
        observation.check()?;
        let observation = self.algorithm.relevant(observation)?;
        let key = self.algorithm.space_mut().key(target)?;
        let said = self.ledger.observation(key).is_some_and(|known| known.agrees_with(&observation));
        if said && !self.algorithm.repeats() {
            return Ok(());
        }
        let observation = self.ledger.shared(observation);
        let observed = Arc::clone(&observation);
        self.accept(LedgerEntry { key, probe: None, observation: observed, is_alone: false, confirms: false })?;
        self.settle_unless_replaying();
        self.ledger.events.push(Event::Observed { target: key, observation });
        Ok(())
    }

    fn enqueue(&mut self, target: &Target) -> Result<(), Error> {
        let key = self.algorithm.space_mut().key(target)?;
        if self.algorithm.repeats() || !self.ledger.known.contains_key(&key) {
            self.ledger.enqueued.push_back(key);
        }
        self.ledger.events.push(Event::Enqueued { target: key });
        Ok(())
    }

    fn reads(&self) -> Vec<Read> {
        if self.is_done() {
            return Vec::new();
        }
        self.algorithm.reads().map(|reads| reads.open().collect()).unwrap_or_default()
    }

    fn give(&mut self, id: u64, content: &[u8]) -> Result<(), Error> {
        self.receive(id, Content::new(content)?)
    }

    fn useless(&self, ids: &[u64]) -> Result<Vec<u64>, Error> {
        let flying = self.ledger.flying();
        let wants = if self.is_done() { Vec::new() } else { self.algorithm.wants(&flying) };
        let wanted: HashSet<Key> =
            flying.into_iter().zip(wants).filter_map(|(key, wants)| wants.then_some(key)).collect();
        let mut useless = Vec::new();
        for &id in ids {
            let ProbeRecord { key, state, confirms, .. } = self.ledger.probe(id)?;
            let counts = self.algorithm.repeats() || !self.ledger.known.contains_key(&key);
            let is_wanted = match self.confirmation {
                Confirmation::Needs(needed) => confirms && needed == key,
                _ => counts && wanted.contains(&key),
            };
            if state != ProbeState::InFlight || !is_wanted {
                useless.push(id);
            }
        }
        Ok(useless)
    }

    fn stop(&mut self, reason: StopReason) -> Result<(), Error> {
        self.end(reason);
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Error> {
        if self.ledger.stopped.take().is_some() {
            self.ledger.events.push(Event::Resumed);
        }
        Ok(())
    }

    fn set_budget(&mut self, budget: Budget) -> Result<(), Error> {
        budget.check()?;
        if budget != self.ledger.budget {
            self.ledger.budget = budget;
            self.ledger.events.push(Event::Budgeted { budget });
        }
        if self.ledger.stopped == Some(StopReason::Budget) && self.ledger.affordable() > 0 {
            self.resume()?;
        }
        Ok(())
    }

    fn undo(&mut self, answers: u32) -> Result<(), Error> {
        self.take_back(answers)
    }

    fn status(&self) -> Status {
        match (self.decided(), self.ledger.stopped) {
            (Status::Running, Some(StopReason::Budget)) => Status::Budget,
            (Status::Running, Some(StopReason::Stopped)) => Status::Stopped,
            (status, _) => status,
        }
    }

    fn in_flight(&self) -> Vec<Probe> {
        self.ledger.in_flight.iter().map(|&id| self.probe(id)).collect()
    }

    fn runs(&self) -> u64 {
        self.ledger.runs()
    }

    fn asked(&self) -> u64 {
        self.ledger.asked()
    }

    fn apply(&mut self, event: &Event) -> Result<(), Error> {
        self.apply_one(event)
    }

    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        self.replay(events)
    }

    fn fresh(&self) -> Result<Box<dyn Search>, Error> {
        Ok(Box::new(AskTell::<A>::new(self.algorithm.space().world(), self.algorithm.config().clone())?))
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl<A: Algorithm> AskTell<A> {
    /// Receives the content of a read.
    pub(super) fn receive(&mut self, id: u64, content: Content) -> Result<(), Error> {
        let reads = self.algorithm.reads().ok_or(Error::UnknownRead { id, asked: 0 })?;
        match reads.content(id)? {
            Some(kept) if *kept == content => return Ok(()),
            Some(kept) => {
                let words = |content: &Content| format!("a content with the SHA-256 {}", content.digest());
                let revision = format!("read {id}");
                return Err(Error::Contradiction { revision, first: words(kept), second: words(&content) });
            }
            None => {}
        }
        self.algorithm.receive(id, &content)?;
        self.settle();
        let digest = content.digest().to_owned();
        self.ledger.events.push(Event::Read { id, digest, content: Some(content) });
        Ok(())
    }
}
