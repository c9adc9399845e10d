//! The book of a search: what was asked, what was answered, in which order.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::event::{Event, StopReason};
use crate::observation::Observation;
use crate::search::Key;
use crate::target::Target;

/// An answer, with where it came from.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was tested.
    pub key: Key,
    /// The probe that it answers; nothing where it was [observed](crate::Search::observe).
    pub probe: Option<u64>,
    /// What was seen.
    pub observation: Arc<Observation>,
}

/// An observation with what it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetObservation {
    /// What was tested.
    #[serde(flatten)]
    pub target: Target,
    /// The probe that it answered; nothing where it was known without being asked.
    pub probe: Option<u64>,
    /// What was seen.
    #[serde(flatten)]
    pub observation: Observation,
}

impl TargetObservation {
    /// The revision that was tested; empty where the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ProbeState {
    InFlight,
    Abandoned,
    Answered,
}

/// The book of a search: what was asked, what was answered, in which order.
#[derive(Debug, Default)]
pub struct Ledger {
    pub(crate) events: Vec<Event<Key, Arc<Observation>>>,
    pub(crate) probes: Vec<(Key, ProbeState)>,
    pub(crate) in_flight: Vec<u64>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) known: HashMap<Key, usize>,
    pub(crate) enqueued: VecDeque<Key>,
    pub(crate) queries: u64,
    pub(crate) cost: f64,
    pub(crate) stopped: Option<StopReason>,
    /// Outcomes with nothing beside them, which are most of all that is told, are kept once.
    bare: [Option<Arc<Observation>>; 3],
}

impl Ledger {
    /// The answers in the order told.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The answers in the order told, for a report; `name` says what a key stands for.
    #[must_use]
    pub fn observations(&self, name: impl Fn(Key) -> Target) -> Vec<TargetObservation> {
        let named = |answer: &Answer| TargetObservation {
            target: name(answer.key),
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

    /// How many answers came from the oracle.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.queries
    }

    /// The observation, to be kept in several places.
    pub(crate) fn shared(&mut self, observation: Observation) -> Arc<Observation> {
        let bare = &mut self.bare[observation.outcome as usize];
        match bare {
            Some(bare) if **bare == observation => Arc::clone(bare),
            None if observation == Observation::new(observation.outcome) => {
                Arc::clone(bare.insert(Arc::new(observation)))
            }
            _ => Arc::new(observation),
        }
    }

    pub(crate) fn probe(&mut self, id: u64) -> Result<&mut (Key, ProbeState), Error> {
        let asked = self.probes.len() as u64;
        usize::try_from(id).ok().and_then(|id| self.probes.get_mut(id)).ok_or(Error::UnknownProbe { id, asked })
    }

    pub(crate) fn end_flight(&mut self, id: u64, state: ProbeState) {
        self.probes[id as usize].1 = state;
        self.in_flight.retain(|&other| other != id);
    }
}
