//! Samples of conclusions to verify.

use firstbad::culprit::Sampling;
use napi_derive::napi;

use crate::error::thrown;

/// Returns why a conclusion must be verified, or an empty text if it need not be. `seed` is an integer.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn sample_for_verification(
    conclusion: String,
    culprit: Option<String>,
    earlier: Vec<String>,
    share: f64,
    seed: f64,
) -> napi::Result<Vec<String>> {
    let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
    let drawn =
        firstbad::culprit::sample_for_verification(&conclusion, culprit.as_deref(), &earlier, share, seed as u64);
    Ok(drawn.map_err(thrown)?.into_iter().map(|one: Sampling| one.as_str().to_owned()).collect())
}
