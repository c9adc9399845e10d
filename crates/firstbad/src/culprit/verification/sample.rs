//! Which conclusions to verify where verifying all is too dear: FACF, Section 4, "Sampling Strategy".

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::items::digest::sha256_hex;

/// Why a conclusion is verified; kept apart, so that statistics can be made of each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// It belongs to a random share of all conclusions.
    Random,
    /// It is the first one that blames its culprit.
    First,
}

impl Sampling {
    /// `random` or `first`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Sampling::Random => "random",
            Sampling::First => "first",
        }
    }
}

/// Why a conclusion is to be verified; empty if it is not. The paper verifies 1 % of all conclusions (`share` 0.01), and
/// the first one for each culprit.
///
/// `conclusion` names the conclusion, differently for each: the test and the revision that failed, say. The same name gives
/// the same answer with the same `seed`, in every language and on every machine. `culprit` is who is blamed, `None` for a
/// flake; `earlier` are those who were blamed before.
///
/// # Errors
/// [`Error::InvalidArgument`] for a share out of [0, 1].
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
    // 52 bits, so that the number is exact and below 1.
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
