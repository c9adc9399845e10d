//! Snapshots of every algorithm.

use serde_json::Value;

use crate::seeds::restored;

pub(super) fn take(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let named = serde_json::from_str::<Value>(text).ok();
    let algorithm = named.as_ref().and_then(|snapshot| snapshot["algorithm"].as_str()).unwrap_or("regression");
    let search = match restored(algorithm, text) {
        Ok(search) => search,
        Err(error) => {
            // The message may quote the invalid value.
            let words = error.to_string().len();
            assert!(words <= 10_000 + 8 * text.len(), "{words} bytes of words");
            return;
        }
    };
    let inspect = search.inspect();
    let written = inspect.snapshot().expect("a JSON form");
    let again = restored(algorithm, &written).expect("it wrote this itself");
    assert_eq!(again.inspect().snapshot().expect("a JSON form"), written);
    assert_eq!(again.inspect().report_json(), inspect.report_json());
}
