//! Samples of conclusions to verify.

use firstbad::culprit::Sampling;
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// Returns why a conclusion must be verified, or an empty text if it need not be.
#[pyfunction]
pub(crate) fn sample_for_verification(
    py: Python<'_>,
    conclusion: &str,
    culprit: Option<&str>,
    earlier: Vec<String>,
    share: f64,
    seed: u64,
) -> PyResult<Vec<&'static str>> {
    let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
    let drawn = firstbad::culprit::sample_for_verification(conclusion, culprit, &earlier, share, seed).or_raise(py)?;
    Ok(drawn.into_iter().map(Sampling::as_str).collect())
}
