use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::event::{Event, StopReason};
use super::observation::Observation;
use super::outcome::Outcome;
use super::probe::Key;
use super::space::Space;
use super::target::Target;
use crate::error::Error;

/// An outcome and its source.
#[derive(Debug, Clone)]
pub struct LedgerEntry {
    /// The key of the tested target.
    pub key: Key,
    /// The id of the probe, or `None` if the outcome was [observed](super::Search::observe).
    pub probe: Option<u64>,
    /// The outcome, with its details.
    pub observation: Arc<Observation>,
    /// Whether the probe was never in flight together with another probe.
    pub is_alone: bool,
    /// Whether the probe confirms a result.
    pub confirms: bool,
}

/// An observation with its target.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetObservation {
    /// The tested target.
    #[serde(flatten)]
    pub target: Target,
    /// The id of the probe. Absent if the outcome was told without a probe.
    pub probe: Option<u64>,
    /// The outcome, with its details.
    #[serde(flatten)]
    pub observation: Observation,
}

impl TargetObservation {
    /// Returns the tested revision, or an empty string if the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }

    /// Returns the observations in order, each with the number of its run, counted from 1. The number is `None` if the
    /// observation cost no run.
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

#[derive(Debug, Clone, Copy)]
pub(super) struct ProbeRecord {
    pub(super) key: Key,
    pub(super) state: ProbeState,
    pub(super) is_alone: bool,
    pub(super) confirms: bool,
}

/// The record of a search: probes, outcomes, and their order.
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
    /// The number of runs that reused no build.
    builds: u64,
    pub(super) budget: Budget,
    pub(super) stopped: Option<StopReason>,
    /// One shared copy per outcome of the observations without details, which are the most frequent ones.
    bare: [Option<Arc<Observation>>; 3],
}

impl Ledger {
    /// Returns the outcomes in the order told.
    #[must_use]
    pub fn answers(&self) -> &[LedgerEntry] {
        &self.answers
    }

    /// Returns the outcomes in the order told, with their targets.
    #[must_use]
    pub fn observations(&self, space: &impl Space) -> Vec<TargetObservation> {
        let named = |answer: &LedgerEntry| TargetObservation {
            target: space.target(answer.key),
            probe: answer.probe,
            observation: (*answer.observation).clone(),
        };
        self.answers.iter().map(named).collect()
    }

    /// Returns the outcome of a target that the search uses.
    #[must_use]
    pub fn observation(&self, key: Key) -> Option<&Observation> {
        self.known.get(&key).map(|&place| &*self.answers[place].observation)
    }

    /// Returns the outcome of a target that the search uses, with its index.
    pub(super) fn first_answer(&self, key: Key) -> Option<(usize, &LedgerEntry)> {
        let &place = self.known.get(&key)?;
        Some((place, &self.answers[place]))
    }

    /// Returns the outcome of a target that the search uses, and those of its confirmation runs, in order and with their indices.
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

    /// Returns the number of runs with the opposite outcome since the last run with this outcome.
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

    /// Returns the number of outcomes from the oracle that cost a run.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of outcomes from the oracle that cost a run and [reused](Observation::reused) no build.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// Returns the number of outcomes of probes, including outcomes that cost no run.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Records and counts an outcome.
    pub(super) fn record(&mut self, answer: LedgerEntry) {
        let asked = u64::from(answer.probe.is_some());
        self.asked += asked;
        if answer.observation.ran {
            self.runs += asked;
            self.builds += if answer.observation.reused { 0 } else { asked };
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

    /// Removes and returns all outcomes.
    pub(super) fn take_answers(&mut self) -> Vec<LedgerEntry> {
        (self.asked, self.runs, self.cost, self.builds) = (0, 0, 0.0, 0);
        self.known.clear();
        self.confirming.clear();
        self.first = [None; 2];
        std::mem::take(&mut self.answers)
    }

    /// Returns the outcomes that an algorithm absorbs: all outcomes if targets repeat, and the first of each target otherwise.
    pub(super) fn counting(&self, repeats: bool) -> impl DoubleEndedIterator<Item = (Key, &Observation)> + Clone {
        let counts =
            move |&(place, answer): &(usize, &LedgerEntry)| repeats || self.known.get(&answer.key) == Some(&place);
        self.answers.iter().enumerate().filter(counts).map(|(_, answer)| (answer.key, &*answer.observation))
    }

    /// Returns the number of probes that the budget still allows.
    pub(super) fn affordable(&self) -> u64 {
        self.budget.left(self.runs, self.in_flight.len() as u64, self.cost, self.builds)
    }

    /// Returns the keys of the targets in flight.
    pub(super) fn flying(&self) -> Vec<Key> {
        self.in_flight.iter().map(|&id| self.probes[id as usize].key).collect()
    }

    /// Shares an observation, so that it can be kept in several places.
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
