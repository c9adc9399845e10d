//! The one place where the core's errors become JavaScript's.

use firstbad::Error;

/// Code and message in one text, `code\nmessage`: the only form that reaches JavaScript unchanged from functions
/// and promises alike. `node/src/errors.ts` takes it apart again.
pub(crate) fn thrown(error: Error) -> napi::Error {
    napi::Error::from_reason(format!("{}\n{}", error.code(), firstbad::printable(&error.to_string())))
}
