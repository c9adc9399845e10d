//! The one place where the core's errors become JavaScript's.

use firstbad::{Details, Error, Spelling};

/// Code, message and details as JSON in the message of an error: the only form that reaches JavaScript unchanged from functions and
/// promises alike. `node/src/errors.ts` reads it.
pub(crate) fn thrown(error: Error) -> napi::Error {
    let Details { revision, exit_code, output } = error.details();
    let message = firstbad::printable(&error.said(Spelling::Node));
    let details = serde_json::json!({"revision": revision, "exitCode": exit_code, "output": output});
    napi::Error::from_reason(
        serde_json::json!({"code": error.code(), "message": message, "details": details}).to_string(),
    )
}
