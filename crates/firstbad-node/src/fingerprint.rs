//! By what a finding is known again.

use firstbad::regression::Find;
use napi_derive::napi;

/// 32 hexadecimal digits for a regression, or (`fix`) for a repair, by these suspects.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn fingerprint(fix: bool, suspects: Vec<String>) -> String {
    firstbad::fingerprint(if fix { Find::Fix } else { Find::Regression }, suspects)
}
