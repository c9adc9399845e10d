//! Converts errors of the core to JavaScript errors.

use firstbad::{Details, Error, Spelling};

/// Returns an error whose message is JSON with the code, message, and details. Only the message reaches JavaScript unchanged from
/// both functions and promises. `node/src/errors.ts` reads it.
pub(crate) fn thrown(error: Error) -> napi::Error {
    let Details { revision, exit_code, output } = error.details();
    let message = firstbad::printable(&error.said(Spelling::Node));
    let details = serde_json::json!({"revision": revision, "exitCode": exit_code, "output": output});
    napi::Error::from_reason(
        serde_json::json!({"code": error.code(), "message": message, "details": details}).to_string(),
    )
}
