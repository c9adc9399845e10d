//! What an observation says beside its outcome.

use firstbad::Observation;
use serde_json::{Map, Value};

/// An observation that says one thing more in its signals, which become an object if they are none.
pub fn told(seen: Observation, name: &str, value: Value) -> Observation {
    let mut signals = match seen.signals {
        Some(Value::Object(signals)) => signals,
        Some(other) => Map::from_iter([("seen".to_owned(), other)]),
        None => Map::new(),
    };
    signals.insert(name.to_owned(), value);
    Observation { signals: Some(Value::Object(signals)), ..seen }
}
