use fixedbitset::FixedBitSet;
use serde_json::Value;

use super::algorithm::{Algorithm, Reading, read_again};
use super::ask_tell::AskTell;
use super::budget::Budget;
use super::carrying::Carrying;
use super::content::Content;
use super::drive::Search;
use super::event::Event;
use super::forecast::Forecast;
use super::inspect::Inspect;
use super::ledger::{LedgerEntry, ProbeState};
use super::observation::Observation;
use super::outcome::Outcome;
use super::play_out::forecast;
use super::posterior::Posterior;
use super::reads::Request;
use super::space::{Space, World};
use super::target::Target;
use super::upcoming::upcoming;
use crate::error::Error;
use crate::suspicion::SelectionReason;
use crate::words::printable::printable;

impl<A: Algorithm> AskTell<A> {
    pub(super) fn apply_one(&mut self, event: &Event) -> Result<(), Error> {
        match event {
            Event::Asked { id, target, confirms } => {
                let key = self.algorithm.space_mut().key(target)?;
                let next = self.ledger.probes.len() as u64;
                if *id != next {
                    return Err(Error::Snapshot { reason: format!("probe {id} where probe {next} should follow") });
                }
                if let Some(place) = self.ledger.enqueued.iter().position(|&other| other == key) {
                    self.ledger.enqueued.remove(place);
                }
                self.hand_out(key, *confirms);
                Ok(())
            }
            Event::Told { id, observation } => self.tell(*id, observation.clone()),
            Event::Abandoned { id } => self.abandon(*id),
            Event::Enqueued { target } => self.enqueue(target),
            Event::Observed { target, observation } => self.observe(target, observation.clone()),
            Event::Read { id, digest, content } => {
                let missing = || Error::Snapshot { reason: format!("the content of read {id} ({digest}) is missing") };
                let content = content.as_ref().ok_or_else(missing)?;
                if content.digest() != digest {
                    let reason = format!("read {id} has the digest {digest}, and its content has {}", content.digest());
                    return Err(Error::Snapshot { reason });
                }
                self.receive(*id, content.clone())
            }
            Event::Undone { answers } => self.undo(*answers),
            Event::Budgeted { budget } => self.set_budget(*budget),
            Event::Stopped { reason } => self.stop(*reason),
            Event::Resumed => self.resume(),
        }
    }

    pub(super) fn replay(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        self.is_replaying = true;
        self.algorithm.begin_replay();
        let mut applied = Ok(());
        for event in events {
            // A search with a result cannot be stopped, and outcomes can decide which reads are needed.
            if matches!(event, Event::Stopped { .. } | Event::Read { .. }) {
                self.catch_up();
            }
            applied = self.apply_one(event);
            if applied.is_err() {
                break;
            }
            self.algorithm.begin_replay();
        }
        self.catch_up();
        self.is_replaying = false;
        applied
    }

    fn catch_up(&mut self) {
        if self.algorithm.end_replay() == Reading::Anew {
            let repeats = self.algorithm.repeats();
            read_again(&mut self.algorithm, self.ledger.counting(repeats));
        }
        self.settle();
    }

    /// Returns a copy for simulations, without a budget and not stopped.
    pub(super) fn copy(&self) -> Result<Self, Error> {
        let mut copy = AskTell::<A>::new(self.algorithm.space().world(), self.algorithm.config().clone())?;
        let events: Vec<_> = self.ledger.events.iter().map(|event| event.named(|key| self.target(key))).collect();
        events.iter().try_for_each(|event| copy.apply(event))?;
        copy.set_budget(Budget::default())?;
        copy.resume()?;
        Ok(copy)
    }

    pub(super) fn take_back(&mut self, answers: u32) -> Result<(), Error> {
        let available = self.ledger.answers.len();
        let Some(left) = available.checked_sub(answers as usize) else {
            return Err(Error::invalid(
                "answers",
                answers,
                format!("at most {available}, the number of outcomes so far"),
            ));
        };
        let mut kept = self.ledger.take_answers();
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

    /// Restores the state that follows from `answers`.
    fn reconsider(&mut self, answers: Vec<LedgerEntry>) {
        self.algorithm.reset();
        self.algorithm.begin_replay();
        for answer in answers {
            let accepted = self.accept(answer);
            debug_assert!(accepted.is_ok(), "answers that agreed once agree again");
        }
        self.catch_up();
    }
}

impl<A: Algorithm> Inspect for AskTell<A> {
    fn algorithm(&self) -> &'static str {
        A::NAME
    }

    fn configuration(&self) -> Result<Value, Error> {
        serde_json::to_value(self.algorithm.config()).map_err(|error| Error::internal("the configuration", &error))
    }

    fn fingerprint(&self) -> String {
        self.algorithm.space().fingerprint()
    }

    fn world(&self) -> World {
        self.algorithm.space().world().into()
    }

    fn universe(&self, id: u64) -> Option<(Request, Content)> {
        let (request, content) = self.algorithm.reads()?.given(id)?;
        Some((request.clone(), content.clone()))
    }

    fn repeats(&self) -> bool {
        self.algorithm.repeats()
    }

    fn event_count(&self) -> usize {
        self.ledger.events.len()
    }

    fn events(&self, from: usize) -> Vec<Event> {
        self.ledger.events.iter().skip(from).map(|event| event.named(|key| self.target(key))).collect()
    }

    fn snapshot(&self) -> Result<String, Error> {
        self.write_snapshot()
    }

    fn report_json(&self) -> Result<String, Error> {
        let report = self.algorithm.report(self.status(), &self.ledger);
        serde_json::to_string(&report).map_err(|error| Error::internal("the report", &error))
    }

    fn best(&self, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        A::best(&self.report(), named).iter().map(|line| printable(line)).collect()
    }

    fn posterior(&self) -> Option<Posterior> {
        self.algorithm.posterior()
    }

    fn is_confirming(&self) -> bool {
        self.needs_confirmation()
    }

    fn carrying(&self) -> Option<Carrying> {
        self.algorithm.carrying()
    }

    fn is_other_failure(&self, observation: &Observation) -> bool {
        observation.outcome == Outcome::Fail && self.algorithm.is_other_failure(observation)
    }

    fn why(&self, revision: &str) -> Option<SelectionReason> {
        self.algorithm.why(revision)
    }

    fn reason(&self, target: &Target) -> Option<String> {
        self.algorithm.reason(target)
    }

    fn tests(&self, target: &Target) -> Option<Vec<String>> {
        self.algorithm.tests(target)
    }

    fn suspects(&self) -> Option<FixedBitSet> {
        let mut suspects = self.algorithm.suspects()?;
        if self.needs_confirmation() {
            for claim in self.algorithm.claims().iter().filter(|claim| !claim.parents.is_empty()) {
                suspects.grow_and_insert(claim.key as usize);
            }
        }
        Some(suspects)
    }

    fn forecast(&self, jobs: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Option<Forecast>, Error> {
        forecast(self, jobs, keep_going)
    }

    fn upcoming(&self) -> Result<Vec<Target>, Error> {
        upcoming(self)
    }
}
