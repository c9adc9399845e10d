//! Suggestions for unknown names.

use napi_derive::napi;

/// Returns a suggestion to replace an unknown name, as the end of a sentence.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn instead(name: String, known: Vec<String>) -> String {
    firstbad::instead(&name, &known.iter().map(String::as_str).collect::<Vec<_>>())
}
