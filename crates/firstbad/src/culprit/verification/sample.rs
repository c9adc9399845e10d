//! Selects the conclusions to verify if verifying all is too expensive (FACF, Section 4, "Sampling Strategy").

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::items::digest::sha256_hex;

/// Why a conclusion is verified. Keep statistics for each reason separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// The conclusion is in a random sample of all conclusions.
    Random,
    /// The conclusion is the first one with this culprit.
    First,
}

impl Sampling {
    /// Returns `random` or `first`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Sampling::Random => "random",
            Sampling::First => "first",
        }
    }
}

/// Returns the reasons to verify a conclusion, or nothing if it need not be verified.
///
/// The paper verifies 1% of all conclusions (`share` 0.01) and the first one for each culprit.
///
/// - `conclusion` must be unique, for example the names of the test and the failing revision. The same `conclusion` and `seed`
///   give the same result in every language and on every machine.
/// - `culprit` is the culprit, or `None` for a flake.
/// - `earlier` lists the culprits of earlier conclusions.
///
/// # Errors
/// Returns [`Error::InvalidArgument`] if `share` is outside [0, 1].
///
/// ```
/// use firstbad::culprit::{Sampling, sample_for_verification};
/// let first = sample_for_verification("//app:test at 4f1c", Some("8ab2"), &[], 0.01, 0)?;
/// assert_eq!(first, [Sampling::First]);
/// let again = sample_for_verification("//lib:test at 4f1c", Some("8ab2"), &["8ab2"], 0.01, 0)?;
/// assert_eq!(again, []);
/// # Ok::<(), firstbad::Error>(())
/// ```
pub fn sample_for_verification(
    conclusion: &str,
    culprit: Option<&str>,
    earlier: &[&str],
    share: f64,
    seed: u64,
) -> Result<Vec<Sampling>, Error> {
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::invalid("share", share, "a share of all conclusions, in [0, 1]"));
    }
    // 52 bits fit exactly into a float, so the result is below 1.
    let digest = sha256_hex(format!("{seed}\n{conclusion}").as_bytes());
    let drawn = digest
        .bytes()
        .take(13)
        .fold(0.0, |sum, digit| sum * 16.0 + f64::from((digit as char).to_digit(16).unwrap_or_default()))
        / (1u64 << 52) as f64;
    let random = (drawn < share).then_some(Sampling::Random);
    let first = culprit.is_some_and(|culprit| !earlier.contains(&culprit)).then_some(Sampling::First);
    Ok(random.into_iter().chain(first).collect())
}
