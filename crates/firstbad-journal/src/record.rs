//! One line of a journal: an event, and when it happened.

use std::time::{SystemTime, UNIX_EPOCH};

use firstbad::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a journal after the header.
///
/// As JSON, the event with two more fields: `{"event": "asked", "id": 0, "revision": "...", "at": 1763750000.25}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// When, in seconds since 1970.
    pub at: f64,
    /// Until when a probe is leased, in seconds since 1970; `None` if it was asked without a lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// It came to the file by the same write as the line before it. Of such lines a power cut may leave any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
    /// The facts of the observation's signals in short, in the file alone: objects, and numbers of facts before them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<Value>>,
}

/// Seconds since 1970.
#[must_use]
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
