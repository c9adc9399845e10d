//! The book of a search: what was asked, what was answered, in which order.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::event::{Event, StopReason};
use super::observation::{Observation, Outcome};
use super::probe::Key;
use super::space::Space;
use super::target::Target;
use crate::error::Error;

/// An answer, with where it came from.
#[derive(Debug, Clone)]
pub struct LedgerEntry {
    /// What was tested.
    pub key: Key,
    /// The probe that it answers; `None` if it was [observed](super::Search::observe).
    pub probe: Option<u64>,
    /// What was seen.
    pub observation: Arc<Observation>,
    /// Whether no other probe was in flight while this one was.
    pub is_alone: bool,
    /// Whether its probe confirms a result.
    pub confirms: bool,
}

/// An observation with what it is about.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetObservation {
    /// What was tested.
    #[serde(flatten)]
    pub target: Target,
    /// The probe that it answered; `None` if it was known without being asked.
    pub probe: Option<u64>,
    /// What was seen.
    #[serde(flatten)]
    pub observation: Observation,
}

impl TargetObservation {
    /// The revision that was tested; empty if the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }

    /// These observations with the numbers of the runs, from 1, in their order; `None` for what cost no run: it was known
    /// beforehand, or the test was not run.
    pub fn with_runs(observations: &[TargetObservation]) -> impl Iterator<Item = (Option<u64>, &TargetObservation)> {
        observations.iter().scan(0, |runs, one| {
            let is_run = one.probe.is_some() && one.observation.ran;
            *runs += u64::from(is_run);
            Some((is_run.then_some(*runs), one))
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ProbeState {
    InFlight,
    Abandoned,
    Answered,
}

/// The target and the state of a probe.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProbeRecord {
    pub(super) key: Key,
    pub(super) state: ProbeState,
    pub(super) is_alone: bool,
    pub(super) confirms: bool,
}

/// The book of a search: what was asked, what was answered, in which order.
#[derive(Debug, Default)]
pub struct Ledger {
    pub(super) events: Vec<Event<Key, Arc<Observation>>>,
    pub(super) probes: Vec<ProbeRecord>,
    pub(super) in_flight: Vec<u64>,
    /// Whether the last event of a parallel search abandoned a probe. Its test may still run.
    pub(super) may_linger: bool,
    pub(super) answers: Vec<LedgerEntry>,
    pub(super) known: HashMap<Key, usize>,
    /// The indices of the entries that confirm or contradict a result.
    confirming: Vec<usize>,
    /// The indices of the first pass and of the first failure.
    first: [Option<usize>; 2],
    pub(super) enqueued: VecDeque<Key>,
    pub(super) asked: u64,
    pub(super) runs: u64,
    pub(super) cost: f64,
    pub(super) budget: Budget,
    pub(super) stopped: Option<StopReason>,
    /// Outcomes with nothing beside them, which are most of all that is told, are kept once.
    bare: [Option<Arc<Observation>>; 3],
}

impl Ledger {
    /// The answers in the order told.
    #[must_use]
    pub fn answers(&self) -> &[LedgerEntry] {
        &self.answers
    }

    /// The answers in the order told, for a report.
    #[must_use]
    pub fn observations(&self, space: &impl Space) -> Vec<TargetObservation> {
        let named = |answer: &LedgerEntry| TargetObservation {
            target: space.target(answer.key),
            probe: answer.probe,
            observation: (*answer.observation).clone(),
        };
        self.answers.iter().map(named).collect()
    }

    /// What was last seen of a target.
    #[must_use]
    pub fn observation(&self, key: Key) -> Option<&Observation> {
        self.known.get(&key).map(|&place| &*self.answers[place].observation)
    }

    /// Returns the entry of a target that the search used, with its index.
    pub(super) fn first_answer(&self, key: Key) -> Option<(usize, &LedgerEntry)> {
        let &place = self.known.get(&key)?;
        Some((place, &self.answers[place]))
    }

    /// Returns the entry of a target that the search used and those of its confirmation runs, in order, with their
    /// indices.
    pub(super) fn answers_for(&self, key: Key) -> impl Iterator<Item = (usize, &LedgerEntry)> {
        let confirming = self.confirming.iter().map(|&place| (place, &self.answers[place]));
        self.first_answer(key).into_iter().chain(confirming.filter(move |(_, entry)| entry.key == key))
    }

    /// Returns the index of the first pass or of the first failure.
    pub(super) fn first_with(&self, outcome: Outcome) -> Option<usize> {
        match outcome {
            Outcome::Pass => self.first[0],
            Outcome::Fail => self.first[1],
            Outcome::Unresolved => None,
        }
    }

    /// Returns how many runs of the search had the opposite outcome since the last run with this one.
    pub(super) fn opposite_since(&self, outcome: Outcome) -> usize {
        let runs = self.answers.iter().rev().filter(|entry| entry.probe.is_some() && entry.observation.ran);
        let since = runs.take_while(|entry| entry.observation.outcome != outcome);
        since.filter(|entry| !entry.confirms && entry.observation.outcome == outcome.swapped()).count()
    }

    /// Returns the number of runs that confirmed or contradicted a result.
    #[must_use]
    pub fn confirming_runs(&self) -> u64 {
        self.confirming.iter().filter(|&&place| self.answers[place].observation.ran).count() as u64
    }

    /// How many answers of the oracle cost a run.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// How many answers came to probes, those that cost no run included.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Puts an answer down, and counts it.
    pub(super) fn record(&mut self, answer: LedgerEntry) {
        let asked = u64::from(answer.probe.is_some());
        self.asked += asked;
        if answer.observation.ran {
            self.runs += asked;
            self.cost += answer.observation.cost.unwrap_or(0.0);
        }
        let place = self.answers.len();
        match answer.observation.outcome {
            Outcome::Pass => _ = self.first[0].get_or_insert(place),
            Outcome::Fail => _ = self.first[1].get_or_insert(place),
            Outcome::Unresolved => {}
        }
        if answer.confirms && self.known.get(&answer.key).is_some_and(|&known| known != place) {
            self.confirming.push(place);
        }
        self.answers.push(answer);
    }

    /// Forgets all answers, and hands them over.
    pub(super) fn take_answers(&mut self) -> Vec<LedgerEntry> {
        (self.asked, self.runs, self.cost) = (0, 0, 0.0);
        self.known.clear();
        self.confirming.clear();
        self.first = [None; 2];
        std::mem::take(&mut self.answers)
    }

    /// The answers that an algorithm takes into account: all of them where targets repeat, else the first for each.
    pub(super) fn counting(&self, repeats: bool) -> impl DoubleEndedIterator<Item = (Key, &Observation)> + Clone {
        let counts =
            move |&(place, answer): &(usize, &LedgerEntry)| repeats || self.known.get(&answer.key) == Some(&place);
        self.answers.iter().enumerate().filter(counts).map(|(_, answer)| (answer.key, &*answer.observation))
    }

    /// How many more probes the budget allows.
    pub(super) fn affordable(&self) -> u64 {
        self.budget.left(self.runs, self.in_flight.len() as u64, self.cost)
    }

    /// What the probes in flight test.
    pub(super) fn flying(&self) -> Vec<Key> {
        self.in_flight.iter().map(|&id| self.probes[id as usize].key).collect()
    }

    /// The observation, to be kept in several places.
    pub(super) fn shared(&mut self, observation: Observation) -> Arc<Observation> {
        let bare = &mut self.bare[observation.outcome as usize];
        match bare {
            Some(bare) if **bare == observation => Arc::clone(bare),
            None if observation == Observation::new(observation.outcome) => {
                Arc::clone(bare.insert(Arc::new(observation)))
            }
            _ => Arc::new(observation),
        }
    }

    /// What a probe tests, and whether it is answered.
    pub(super) fn probe(&self, id: u64) -> Result<ProbeRecord, Error> {
        let asked = self.probes.len() as u64;
        let probe = usize::try_from(id).ok().and_then(|id| self.probes.get(id));
        probe.copied().ok_or(Error::UnknownProbe { id, asked })
    }

    pub(super) fn end_flight(&mut self, id: u64, state: ProbeState) {
        let probe = &mut self.probes[id as usize];
        probe.state = state;
        self.may_linger = state == ProbeState::Abandoned && !probe.is_alone;
        self.in_flight.retain(|&other| other != id);
    }
}
