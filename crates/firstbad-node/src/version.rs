//! The version of this binary, which must match that of the package's JavaScript.

use napi_derive::napi;

const MARK: &str = concat!("firstbad binding ", env!("CARGO_PKG_VERSION"), ";");

/// A marker in every binary, so `node/scripts/check-package.mjs` can also read the version of a binary for another system.
#[used]
static MARKED: &str = MARK;

/// Returns the version of the workspace, such as `0.1.0`.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
