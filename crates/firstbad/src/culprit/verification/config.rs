//! The configuration of a culprit verification.

use serde::{Deserialize, Serialize};

use crate::belief::Rate;
use crate::error::Error;
use crate::option;

/// The configuration of a [`CulpritVerifier`](crate::culprit::CulpritVerifier).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationConfig {
    /// The conclusion to verify: the culprit, or none for a flake. A flake is correct as soon as `bad` passes. Required, because
    /// an inconclusive report has no conclusion to verify.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub culprit: Option<String>,
    /// The bad revision, known to fail (`s_n` in the paper). Exactly one.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub bad: Vec<String>,
    /// The good revisions, ancestors of `bad` (`s_0` in the paper). The default is the roots of its history. Each is checked.
    #[serde(default)]
    pub good: Vec<String>,
    /// The probability that the test fails at a healthy revision: a rate in [0, 1), or counts of past runs. The default is 0, so
    /// that `min_flake_rate` applies. The report of a culprit search has an estimate.
    #[serde(default = "never")]
    #[cfg_attr(test, schemars(extend("not" = { "const": "estimate" })))]
    pub flake_rate: Rate,
    /// The minimum flake rate, above 0 and below 1. The default is 0.1, as in the paper. It reruns even a test that never flakes
    /// 9 times.
    #[serde(default = "floor")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub min_flake_rate: f64,
    /// The probability that flakes mislead none of the checks, above 0 and below 1. The default is 0.99999999, which the paper
    /// uses for each single check.
    #[serde(default = "confidence")]
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1)))]
    pub confidence: f64,
    /// The result of an earlier verification of the same conclusion, if this one repeats it some hours later. If the verdicts
    /// differ, the conclusion depends on time or environment (`not_reproducible`). The default is none.
    #[serde(default)]
    pub again: Option<Earlier>,
    /// The signature of the failure to search for. Failures with another signature count as unresolved. The default is the first
    /// signature observed at a revision that must fail.
    #[serde(default)]
    pub signature: Option<String>,
}

/// The result of an earlier verification.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "Earlier")))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    /// The conclusion that was verified: the culprit, or none for a flake.
    pub culprit: Option<String>,
    /// The verdict, or none if there was no verdict.
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
    /// Creates a configuration that verifies `culprit`, or a flake, for a failure at `bad`.
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

    /// Sets the good revisions.
    #[must_use]
    pub fn good<I>(mut self, good: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.good = good.into_iter().map(Into::into).collect();
        self
    }

    /// The flake rate, with the floor applied.
    pub(crate) fn rate(&self) -> Result<f64, Error> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::invalid("confidence", self.confidence, "a probability above 0 and below 1"));
        }
        if !(self.min_flake_rate > 0.0 && self.min_flake_rate < 1.0) {
            let expected = "a rate above 0 and below 1. With 0, firstbad would not rerun a test that never flaked";
            return Err(Error::invalid("min_flake_rate", self.min_flake_rate, expected));
        }
        let rate = match self.flake_rate {
            Rate::Known(rate) if (0.0..1.0).contains(&rate) => rate,
            Rate::Known(rate) => return Err(Error::invalid("flake_rate", rate, "a rate in [0, 1), or past counts")),
            Rate::History(seen) => (f64::from(seen.fails) + 1.0) / (f64::from(seen.runs()) + 2.0),
            Rate::Estimate => {
                let expected = concat!(
                    "a rate in [0, 1), or past counts, because it sets the number of reruns. A culprit search with ",
                    option!(flake_rate = "estimate"),
                    " reports its estimate"
                );
                return Err(Error::invalid("flake_rate", "estimate", expected));
            }
        };
        Ok(rate.max(self.min_flake_rate))
    }

    /// `ceil(log((1 - C) / n) / log(f))`: the number of failures in a row after which a revision is assumed never to pass. With
    /// confidence `C`, flakes then mislead none of `n` such checks ("How Many Reruns to Conduct", for one check).
    pub(crate) fn reruns(&self, rate: f64, checks: usize) -> u32 {
        let reruns = (((1.0 - self.confidence) / checks as f64).ln() / rate.ln() - ROUNDING).ceil();
        reruns.max(1.0) as u32
    }
}

/// `log(1e-8) / log(0.1)` is slightly more than 8 in floating point.
const ROUNDING: f64 = 1e-6;
