use serde::{Deserialize, Serialize};

use super::observation::{Observation, Outcome};
use crate::error::Error;

/// The result of one test in an observation of several tests. Only the outcome is required.
///
/// The JSON form can be the outcome alone, as in `"pass"`. It can omit `outcome` if it has counts, as an [`Observation`] can.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Given")]
pub struct TestResult {
    /// The outcome. An unresolved result says nothing about the revision.
    pub outcome: Outcome,
    /// A text that identifies the failure. It orders the work and is never a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The duration of the test in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The number of passing runs, if the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The number of failing runs, if the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<u32>,
}

/// The JSON forms of a result.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an outcome, or an object with an outcome or counts")]
enum Given {
    Outcome(Outcome),
    Detailed(Detailed),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Detailed {
    outcome: Option<Outcome>,
    signature: Option<String>,
    seconds: Option<f64>,
    passes: Option<u32>,
    fails: Option<u32>,
}

impl TryFrom<Given> for TestResult {
    type Error = &'static str;

    fn try_from(given: Given) -> Result<Self, Self::Error> {
        let Detailed { outcome, signature, seconds, passes, fails } = match given {
            Given::Outcome(outcome) => return Ok(outcome.into()),
            Given::Detailed(detailed) => detailed,
        };
        let outcome = match (outcome, passes, fails) {
            (Some(outcome), ..) => outcome,
            (None, None, None) => return Err("a result needs an outcome, or counts (passes, fails)"),
            (None, passes, fails) => Observation::counted(passes.unwrap_or(0), fails.unwrap_or(0)).outcome,
        };
        Ok(TestResult { outcome, signature, seconds, passes, fails })
    }
}

impl From<Outcome> for TestResult {
    fn from(outcome: Outcome) -> Self {
        TestResult { outcome, signature: None, seconds: None, passes: None, fails: None }
    }
}

impl TestResult {
    /// Returns the same result as an observation of a single test.
    fn as_observation(&self) -> Observation {
        Observation { passes: self.passes, fails: self.fails, seconds: self.seconds, ..Observation::new(self.outcome) }
    }

    /// Returns the numbers of passing and failing runs. Without counts, the outcome counts as one run.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.as_observation().counts()
    }

    /// Checks the details of the result of the test `id`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the path of the value, as in [`Search::tell`](super::Search::tell).
    pub(crate) fn check(&self, argument: &str, id: &str) -> Result<(), Error> {
        self.as_observation().check().map_err(|error| match error {
            Error::InvalidArgument { argument: detail, value, expected } => {
                Error::InvalidArgument { argument: format!("{argument}[{id:?}].{detail}"), value, expected }
            }
            other => other,
        })
    }

    /// Returns whether two results agree about a revision. Durations may differ.
    pub(super) fn agrees_with(&self, other: &TestResult) -> bool {
        self.outcome == other.outcome && self.signature == other.signature && self.counts() == other.counts()
    }
}

/// Returns the outcome of a whole from the results of its tests: fail if a test fails, pass if a test passes and none fails.
pub(super) fn outcome_of<'a>(results: impl IntoIterator<Item = &'a TestResult>) -> Outcome {
    results.into_iter().fold(Outcome::Unresolved, |whole, result| match (whole, result.outcome) {
        (Outcome::Fail, _) | (_, Outcome::Fail) => Outcome::Fail,
        (Outcome::Pass, _) | (_, Outcome::Pass) => Outcome::Pass,
        _ => Outcome::Unresolved,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_can_be_an_outcome_counts_or_an_object() {
        let read =
            |text: &str| serde_json::from_str::<TestResult>(text).map(|result| (result.outcome, result.counts()));
        assert_eq!(read(r#""pass""#).unwrap(), (Outcome::Pass, (1, 0)));
        assert_eq!(read(r#"{"passes": 2, "fails": 1}"#).unwrap(), (Outcome::Unresolved, (2, 1)));
        assert_eq!(read(r#"{"outcome": "fail", "signature": "x"}"#).unwrap(), (Outcome::Fail, (0, 1)));
        for wrong in ["{}", r#""passed""#, r#"{"outcome": "pass", "why": 1}"#, "true"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn observations_without_results_are_written_as_before() {
        let bare = Observation::new(Outcome::Pass);
        assert_eq!(serde_json::to_string(&bare).unwrap(), r#"{"outcome":"pass"}"#);
        let whole: Observation = serde_json::from_str(r#"{"results": {"b": "pass", "a": "fail"}}"#).unwrap();
        assert_eq!(whole.outcome, Outcome::Fail);
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(text, r#"{"outcome":"fail","results":{"a":{"outcome":"fail"},"b":{"outcome":"pass"}}}"#);
        assert_eq!(serde_json::from_str::<Observation>(&text).unwrap(), whole);
    }

    #[test]
    fn an_invalid_detail_is_named_with_its_test() {
        let wrong = TestResult { seconds: Some(-1.0), ..Outcome::Pass.into() };
        let seen = Observation::of_results([("a".to_owned(), wrong)]);
        assert!(seen.check().unwrap_err().to_string().starts_with("results[\"a\"].seconds: -1.0"));
    }
}
