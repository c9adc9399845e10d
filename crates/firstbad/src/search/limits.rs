//! How much the events of a search may take up where they come from outside: a snapshot, or a journal.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::event::Event;
use super::target::Target;
use crate::error::Error;

/// A count of what events take up, so that a short text cannot ask for all memory: a set of changes takes a bit for each change
/// up to its highest, and is written in a few characters.
///
/// ```
/// use firstbad::{Event, EventLimits};
/// let event: Event = serde_json::from_str(r#"{"event": "asked", "id": 0, "changes": "16777215"}"#)?;
/// let mut limits = EventLimits::default();
/// let fitting = (0..10_000).take_while(|_| limits.take(&event).is_ok()).count();
/// assert_eq!(fitting, EventLimits::BYTES / (2 << 20));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventLimits {
    events: usize,
    bytes: usize,
}

impl EventLimits {
    /// The most events of a search: some two million answers, more than twenty times what a soak test tells.
    pub const EVENTS: usize = 1 << 22;

    /// The most bytes that all their sets of changes and contents may take together: 1 GiB, which a machine that runs tests has.
    pub const BYTES: usize = 1 << 30;

    /// Takes in one event more.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] about `events` if there are too many, or if they take up too much.
    pub fn take(&mut self, event: &Event) -> Result<(), Error> {
        let size = |target: &Target| target.changes.as_ref().map_or(0, |changes| size_of_val(changes.words()));
        let more = match event {
            Event::Asked { target, .. } | Event::Enqueued { target } | Event::Observed { target, .. } => size(target),
            Event::Read { content, .. } => content.as_ref().map_or(0, |content| content.bytes().len()),
            _ => 0,
        };
        self.events += 1;
        self.bytes = self.bytes.saturating_add(more);
        if self.events > EventLimits::EVENTS {
            return Err(Error::invalid("events", self.events, format!("at most {}", EventLimits::EVENTS)));
        }
        if self.bytes > EventLimits::BYTES {
            let (value, most) = (format!("{} bytes of changes and contents", self.bytes), EventLimits::BYTES);
            return Err(Error::invalid("events", value, format!("at most {most} bytes")));
        }
        Ok(())
    }
}

/// Reads a list of events, and stops where they are too much.
///
/// # Errors
/// Those of reading them, and of [`EventLimits::take`].
pub(super) fn limited<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
    struct Events;

    impl<'de> Visitor<'de> for Events {
        type Value = Vec<Event>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a list of events")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Event>, A::Error> {
            let (mut limits, mut events) = (EventLimits::default(), Vec::new());
            while let Some(Read(event)) = list.next_element()? {
                limits.take(&event).map_err(A::Error::custom)?;
                events.push(event);
            }
            Ok(events)
        }
    }

    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Read(Event);

    deserializer.deserialize_seq(Events)
}
