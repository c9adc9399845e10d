use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::change_set::ChangeSet;
use super::event::Event;
use super::target::Target;
use crate::error::Error;

/// A limit on the memory of events from snapshots and journals. A short text can describe huge sets, because a set takes one bit
/// for each index up to its highest one.
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
    /// The maximum number of events. It allows about two million outcomes, twenty times as many as a soak test.
    pub const EVENTS: usize = 1 << 22;

    /// The maximum size of all sets of changes, sets of tests, and contents together: 1 GiB.
    pub const BYTES: usize = 1 << 30;

    /// Counts one more event.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `events`, if there are too many events or they take too much memory.
    pub fn take(&mut self, event: &Event) -> Result<(), Error> {
        let set = |set: &Option<ChangeSet>| set.as_ref().map_or(0, |set| size_of_val(set.words()));
        let size = |target: &Target| set(&target.changes) + set(&target.tests);
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

/// Deserializes events within [`EventLimits`].
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
