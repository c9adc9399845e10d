//! What may have been meant by a name that nobody knows.

use napi_derive::napi;

/// What to write instead of a name that is not among the known ones, as the end of a sentence.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn instead(name: String, known: Vec<String>) -> String {
    firstbad::instead(&name, &known.iter().map(String::as_str).collect::<Vec<_>>())
}
