//! Events: together with the configuration they *are* the state of a search.

use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::content::Content;
use super::observation::Observation;
use super::probe::Key;
use super::target::Target;

/// One thing that happened to a search, in the order in which it happened. Replaying the events of a search on a fresh one with
/// the same configuration gives the same search, probes in flight included.
///
/// As JSON, `{"event": "asked", "id": 0, "revision": "..."}` and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event<T = Target, O = Observation> {
    /// A probe was handed out. Probes are numbered from 0.
    Asked {
        /// The probe.
        id: u64,
        /// What it tests.
        #[serde(flatten)]
        target: T,
        /// Whether the probe [confirms](super::Probe::confirms) a result.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        confirms: bool,
    },
    /// A probe was answered.
    Told {
        /// The probe.
        id: u64,
        /// The answer.
        observation: O,
    },
    /// A probe will not be answered (a worker died): what it tests may be asked again.
    Abandoned {
        /// The probe.
        id: u64,
    },
    /// A suspect to be tried first.
    Enqueued {
        /// The suspect.
        #[serde(flatten)]
        target: T,
    },
    /// Something known that was never asked.
    Observed {
        /// What is tested by that.
        #[serde(flatten)]
        target: T,
        /// What is known.
        observation: O,
    },
    /// What a read asks for was handed over.
    Read {
        /// The read.
        id: u64,
        /// The SHA-256 of the content, as hexadecimal digits.
        digest: String,
        /// The content; `None` if it is kept elsewhere, as journals do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Content>,
    },
    /// The last answers were taken back.
    Undone {
        /// How many.
        answers: u32,
    },
    /// What may be spent was limited, or limited otherwise.
    Budgeted {
        /// The budget.
        budget: Budget,
    },
    /// The search was ended from outside.
    Stopped {
        /// Why.
        reason: StopReason,
    },
    /// A search that was ended from outside was resumed.
    Resumed,
}

/// Why a search was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A budget (of runs, cost or seconds) is used up.
    Budget,
    /// The caller, its oracle or a signal stopped it.
    Stopped,
}

/// An answer that counts, as events have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer<'a> {
    /// What it is about.
    pub target: &'a Target,
    /// What was seen.
    pub observation: &'a Observation,
    /// Whether it came to a probe; otherwise it was known and never asked.
    pub is_told: bool,
    /// Whether the probe confirmed an earlier outcome.
    pub confirms: bool,
}

/// The answers that count after these events, which begin where a search begins, in their order: what was taken back is not among
/// them.
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
    /// The event as others see it, with the targets that the keys stand for.
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
