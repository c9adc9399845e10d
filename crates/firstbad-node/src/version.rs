//! Which release this binary is: the package's JavaScript must come from the same one.

use napi_derive::napi;

const MARK: &str = concat!("firstbad binding ", env!("CARGO_PKG_VERSION"), ";");

/// In every binary, so that a binary of another system can be asked, too: `node/scripts/check-package.mjs` looks for it.
#[used]
static MARKED: &str = MARK;

/// The version of the workspace, as in `0.1.0`.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
