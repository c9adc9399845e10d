use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::content::Content;
use super::observation::Observation;
use super::probe::Key;
use super::target::Target;

/// An event of a search. Events are kept in order and, with the configuration, determine the state of the search.
///
/// Replaying all events on a new search with the same configuration restores the search, including the probes in flight. An
/// example of the JSON form is `{"event": "asked", "id": 0, "revision": "..."}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event<T = Target, O = Observation> {
    /// A probe was asked. Probes are numbered from 0.
    Asked {
        /// The id of the probe.
        id: u64,
        /// The target to test.
        #[serde(flatten)]
        target: T,
        /// Whether the probe [confirms](super::Probe::confirms) a result.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        confirms: bool,
    },
    /// An outcome was told for a probe.
    Told {
        /// The id of the probe.
        id: u64,
        /// The outcome.
        observation: O,
    },
    /// A probe was given up, for example because a worker died. Its target may be asked again.
    Abandoned {
        /// The id of the probe.
        id: u64,
    },
    /// A suspect was moved to the front of the targets to ask for.
    Enqueued {
        /// The suspect.
        #[serde(flatten)]
        target: T,
    },
    /// An outcome was told without a probe.
    Observed {
        /// The tested target.
        #[serde(flatten)]
        target: T,
        /// The outcome.
        observation: O,
    },
    /// A read received its content.
    Read {
        /// The id of the read.
        id: u64,
        /// The SHA-256 of the content as hexadecimal digits.
        digest: String,
        /// The content, or `None` if it is kept elsewhere. Journals keep contents elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Content>,
    },
    /// The last outcomes were taken back.
    Undone {
        /// The number of outcomes.
        answers: u32,
    },
    /// The budget was set or replaced.
    Budgeted {
        /// The new budget.
        budget: Budget,
    },
    /// The search was stopped.
    Stopped {
        /// The reason.
        reason: StopReason,
    },
    /// A stopped search was resumed.
    Resumed,
}

/// The reason why a search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A budget of runs, cost, or seconds is used up.
    Budget,
    /// The caller, the oracle, or a signal stopped the search.
    Stopped,
}

/// An outcome that counts, from a list of events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer<'a> {
    /// The tested target.
    pub target: &'a Target,
    /// The outcome.
    pub observation: &'a Observation,
    /// Whether the outcome was told for a probe. Otherwise, it was told without a probe.
    pub is_told: bool,
    /// Whether the probe confirmed an earlier outcome.
    pub confirms: bool,
}

/// Returns the outcomes that count after these events, in order. Outcomes that were taken back are left out. The events must
/// include the first one of the search.
///
/// ```
/// use firstbad::search::answers;
/// use firstbad::{Event, Outcome};
///
/// let observed = |name: &str| Event::Observed { target: name.into(), observation: Outcome::Pass.into() };
/// let events = [observed("1.0"), observed("1.1"), Event::Undone { answers: 1 }];
/// assert_eq!(answers(&events).len(), 1);
/// ```
#[must_use]
pub fn answers<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<Answer<'a>> {
    let mut asked: HashMap<u64, (&Target, bool)> = HashMap::new();
    let mut answers = Vec::new();
    for event in events {
        match event {
            Event::Asked { id, target, confirms } => _ = asked.insert(*id, (target, *confirms)),
            Event::Told { id, observation } => {
                let probe = asked.get(id);
                answers.extend(probe.map(|&(target, confirms)| Answer {
                    target,
                    observation,
                    is_told: true,
                    confirms,
                }));
            }
            Event::Observed { target, observation } => {
                answers.push(Answer { target, observation, is_told: false, confirms: false });
            }
            Event::Undone { answers: last } => answers.truncate(answers.len().saturating_sub(*last as usize)),
            _ => {}
        }
    }
    answers
}

impl Event<Key, Arc<Observation>> {
    /// Returns the event with targets instead of keys.
    pub(crate) fn named(&self, name: impl Fn(Key) -> Target) -> Event {
        match self {
            Event::Asked { id, target, confirms } => {
                Event::Asked { id: *id, target: name(*target), confirms: *confirms }
            }
            Event::Told { id, observation } => Event::Told { id: *id, observation: (**observation).clone() },
            Event::Abandoned { id } => Event::Abandoned { id: *id },
            Event::Enqueued { target } => Event::Enqueued { target: name(*target) },
            Event::Observed { target, observation } => {
                Event::Observed { target: name(*target), observation: (**observation).clone() }
            }
            Event::Read { id, digest, content } => {
                Event::Read { id: *id, digest: digest.clone(), content: content.clone() }
            }
            Event::Undone { answers } => Event::Undone { answers: *answers },
            Event::Budgeted { budget } => Event::Budgeted { budget: *budget },
            Event::Stopped { reason } => Event::Stopped { reason: *reason },
            Event::Resumed => Event::Resumed,
        }
    }
}
