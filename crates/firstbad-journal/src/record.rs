//! Lines of a journal: events with their times.

use std::time::{SystemTime, UNIX_EPOCH};

use firstbad::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a journal after the header.
///
/// In JSON, the event with additional fields: `{"event": "asked", "id": 0, "revision": "...", "at": 1763750000.25}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The time of the event in seconds since 1970.
    pub at: f64,
    /// The end of the probe's lease in seconds since 1970, or `None` for a probe without a lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Whether this line belongs to the same write as the line before it. A power cut can leave any of these lines.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
    /// The short form of the facts in the observation's signals: objects, and numbers of earlier facts. Only the file has this
    /// field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<Value>>,
}

/// Returns the current time in seconds since 1970.
#[must_use]
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
