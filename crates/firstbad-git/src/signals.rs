//! Additional signals of observations.

use firstbad::Observation;
use serde_json::{Map, Value};

/// Adds an entry to the signals of an observation. Signals that are not an object become one.
pub fn told(seen: Observation, name: &str, value: Value) -> Observation {
    let mut signals = match seen.signals {
        Some(Value::Object(signals)) => signals,
        Some(other) => Map::from_iter([("seen".to_owned(), other)]),
        None => Map::new(),
    };
    signals.insert(name.to_owned(), value);
    Observation { signals: Some(Value::Object(signals)), ..seen }
}
