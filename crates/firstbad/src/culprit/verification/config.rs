//! What a verification is told before it starts.

use serde::{Deserialize, Serialize};

use crate::belief::Rate;
use crate::error::Error;
use crate::option;

/// The configuration of a [`CulpritVerifier`](crate::culprit::CulpritVerifier).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationConfig {
    /// The conclusion to verify: the revision that was blamed, or none if the failure is said to have been a flake, which
    /// is correct as soon as `bad` passes. It has to be given: an inconclusive report holds no conclusion.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub culprit: Option<String>,
    /// The revision that was seen to fail (the paper's s_n): exactly one.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// Revisions that pass, ancestors of `bad`: one or several, by default its roots. Each is checked (the paper's s_0).
    #[serde(default)]
    pub good: Vec<String>,
    /// How often the test fails at a healthy revision: a rate in [0, 1), or counts of past runs; by default 0, so that
    /// the floor holds. A culprit search reports the rate that it found.
    #[serde(default = "never")]
    #[cfg_attr(test, schemars(extend("not" = { "const": "estimate" })))]
    pub flake_rate: Rate,
    /// The flake rate is taken to be no lower than this, above 0 and below 1; by default the paper's 0.1, so that even a
    /// test that never flaked is run 9 times.
    #[serde(default = "floor")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: f64,
    /// How sure the verdict is to be, above 0 and below 1: flakes mislead none of its checks with this probability. By
    /// default 0.99999999, which the paper asks of each check by itself.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// What an earlier verification of the same conclusion said, if this one repeats it some hours later: if the two
    /// differ, the conclusion depends on the time or the environment (`not_reproducible`). By default none.
    #[serde(default)]
    pub again: Option<Earlier>,
    /// The failure searched for: failures with another signature count as unresolved. By default the one seen first at a
    /// revision that is said to fail.
    #[serde(default)]
    pub signature: Option<String>,
}

/// What an earlier verification of the same conclusion said.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "Earlier")))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    /// The conclusion that it verified.
    pub culprit: Option<String>,
    /// Its verdict.
    pub correct: Option<bool>,
}

fn never() -> Rate {
    Rate::Known(0.0)
}

fn floor() -> f64 {
    0.1
}

fn confidence() -> f64 {
    1.0 - 1e-8
}

impl VerificationConfig {
    /// A verification of `culprit`, or of a flake, for a failure at `bad`.
    pub fn new(culprit: Option<&str>, bad: impl Into<String>, flake_rate: Rate) -> Self {
        VerificationConfig {
            culprit: culprit.map(str::to_owned),
            bad: vec![bad.into()],
            good: Vec::new(),
            flake_rate,
            min_flake_rate: floor(),
            confidence: confidence(),
            again: None,
            signature: None,
        }
    }

    /// Sets the revisions that pass.
    #[must_use]
    pub fn good<I>(mut self, good: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.good = good.into_iter().map(Into::into).collect();
        self
    }

    /// The flake rate that is reckoned with.
    pub(crate) fn rate(&self) -> Result<f64, Error> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::invalid("confidence", self.confidence, "a probability above 0 and below 1"));
        }
        if !(self.min_flake_rate > 0.0 && self.min_flake_rate < 1.0) {
            let expected = "a rate above 0 and below 1: without a floor a test that never flaked would not be rerun";
            return Err(Error::invalid("min_flake_rate", self.min_flake_rate, expected));
        }
        let rate = match self.flake_rate {
            Rate::Known(rate) if (0.0..1.0).contains(&rate) => rate,
            Rate::Known(rate) => return Err(Error::invalid("flake_rate", rate, "a rate in [0, 1), or past counts")),
            Rate::History(seen) => (f64::from(seen.fails) + 1.0) / (f64::from(seen.runs()) + 2.0),
            Rate::Estimate => {
                let expected = concat!(
                    "a rate in [0, 1), or past counts: the number of reruns follows from it; a culprit search with ",
                    option!(flake_rate = "estimate"),
                    " reports the rate that it found"
                );
                return Err(Error::invalid("flake_rate", "estimate", expected));
            }
        };
        Ok(rate.max(self.min_flake_rate))
    }

    /// `ceil(log((1 - C) / n) / log(f))`: after how many failures in a row it is believed that a revision never passes, so
    /// that flakes mislead none of `n` such checks, with confidence `C` ("How Many Reruns to Conduct", for one check).
    pub(crate) fn reruns(&self, rate: f64, checks: usize) -> u32 {
        let reruns = (((1.0 - self.confidence) / checks as f64).ln() / rate.ln() - ROUNDING).ceil();
        reruns.max(1.0) as u32
    }
}

/// `log(1e-8) / log(0.1)` is a little more than 8 in floating point.
const ROUNDING: f64 = 1e-6;
