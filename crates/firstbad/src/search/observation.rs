use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::doubt::Doubt;
use super::outcome::Outcome;
use super::stage::Stage;
use crate::error::Error;

/// An outcome with its details. Only the outcome is required.
///
/// The JSON form can omit `outcome` if it has counts, results, or a number. Only passes then mean a pass and only fails mean a
/// failure. Other counts are unresolved, and a number is a pass.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Given")]
pub struct Observation {
    /// The outcome.
    pub outcome: Outcome,
    /// A text that identifies the failure. A failure with another signature than the one searched for counts as unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The stage at which the test ended. Absent if the test passed or the stage is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The number of passing runs, if the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The number of failing runs, if the test was run several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<u32>,
    /// A measured number, such as a duration or a size, in any unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<f64>,
    /// Whether the number is only a limit that the measurement exceeded, such as the timeout of a test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub censored: bool,
    /// The number that the same run measured at a good revision, to which `metric` is compared. Only paired measurements have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<f64>,
    /// The measured numbers by name, if the search has several metrics.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, f64>,
    /// The duration of the test in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The largest resident memory of any process of the test, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The cost of the test, in the unit of the cost budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The start time of the test in seconds, on a clock that all observations of a search share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<f64>,
    /// The end time of the test, on the same clock as its start time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<f64>,
    /// Additional facts, as any JSON value. Without a signature, the member `failure` identifies the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signals: Option<serde_json::Value>,
    /// A note for people, such as the place of the log or the reason for an unresolved outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The file with the output of the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Whether the test was run. An outcome without a run, such as a patch that does not apply, uses no budget.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub ran: bool,
    /// Whether the test reused a build of an earlier run in the same worktree, or the outcome comes from a store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
    /// The result of each test by its id, if the search tests several tests at once. A missing test is unresolved.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, TestResult>,
}

/// The largest size of a metric, so that sums of squares are finite.
const LARGEST_METRIC: f64 = 1e100;

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_true(ran: &bool) -> bool {
    *ran
}

impl Observation {
    /// Creates an observation without details.
    #[must_use]
    pub fn new(outcome: Outcome) -> Self {
        Observation {
            outcome,
            signature: None,
            stage: None,
            passes: None,
            fails: None,
            metric: None,
            censored: false,
            control: None,
            metrics: BTreeMap::new(),
            seconds: None,
            memory: None,
            cost: None,
            started: None,
            ended: None,
            signals: None,
            note: None,
            output: None,
            ran: true,
            reused: false,
            results: BTreeMap::new(),
        }
    }

    /// Creates the observation of several tests from their results. Its outcome is fail if a test fails, and pass if a test
    /// passes and none fails. Otherwise, the outcome is unresolved. Without results, it is that of the tests, not of the build.
    #[must_use]
    pub fn of_results(results: impl IntoIterator<Item = (String, TestResult)>) -> Self {
        let results: BTreeMap<String, TestResult> = results.into_iter().collect();
        let (outcome, stage) = (outcome_of(results.values()), results.is_empty().then_some(Stage::Test));
        Observation { results, stage, ..Observation::new(outcome) }
    }

    /// Returns the observation with the results of some tests. If others are left out, the outcome is that of the kept results.
    #[must_use]
    pub fn with_results(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        let count = self.results.len();
        self.results.retain(|id, _| is_kept(id));
        if self.results.len() < count {
            (self.outcome, self.passes, self.fails) = (outcome_of(self.results.values()), None, None);
            self.signature = self.signature.filter(|_| self.outcome == Outcome::Fail);
            // The revision was built, so a missing result concerns only its test.
            self.stage = self.stage.or_else(|| self.results.is_empty().then_some(Stage::Test));
        }
        self
    }

    /// Creates the unresolved observation of a file, given by its path, or of the reduced text, if it does not parse in its
    /// language. The test is not run.
    #[must_use]
    pub fn unparsed(path: Option<&[u8]>, language: &str) -> Self {
        let what = path.map_or("it".to_owned(), |path| format!("{:?}", String::from_utf8_lossy(path)));
        Observation {
            stage: Some(Stage::Parse),
            note: Some(format!("not run: {what} does not parse as {language}")),
            ran: false,
            ..Observation::new(Outcome::Unresolved)
        }
    }

    /// Creates an observation of several runs.
    #[must_use]
    pub fn counted(passes: u32, fails: u32) -> Self {
        let outcome = match (passes, fails) {
            (1.., 0) => Outcome::Pass,
            (0, 1..) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        Observation { passes: Some(passes), fails: Some(fails), ..Observation::new(outcome) }
    }

    /// Returns the numbers of passing and failing runs. Without counts, the outcome counts as one run.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        match (self.passes, self.fails, self.outcome) {
            (None, None, Outcome::Pass) => (1, 0),
            (None, None, Outcome::Fail) => (0, 1),
            (passes, fails, _) => (passes.unwrap_or(0), fails.unwrap_or(0)),
        }
    }

    /// Checks the details.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a time or cost is negative or not a finite number, or if the counts contradict the outcome.
    pub(super) fn check(&self) -> Result<(), Error> {
        let given = [("seconds", self.seconds), ("cost", self.cost), ("started", self.started), ("ended", self.ended)];
        for (argument, value) in given {
            if let Some(value) = value.filter(|value| !value.is_finite() || *value < 0.0) {
                return Err(Error::invalid(argument, value, "a finite number, 0 or above"));
            }
        }
        let numbers = [("metric", self.metric), ("control", self.control)].into_iter();
        let numbers = numbers.filter_map(|(name, number)| Some((name.to_owned(), number?)));
        let named = self.metrics.iter().map(|(name, &number)| (format!("metrics[{name:?}]"), number));
        let is_measured = |number: f64| number.abs() <= LARGEST_METRIC;
        if let Some((argument, number)) = numbers.chain(named).find(|(_, number)| !is_measured(*number)) {
            let expected = "a number from -1e100 to 1e100, or no metric if nothing was measured".to_owned();
            return Err(Error::InvalidArgument { argument, value: number.to_string(), expected });
        }
        self.results.iter().try_for_each(|(id, result)| result.check("results", id))?;
        match (self.started, self.ended) {
            (Some(started), Some(ended)) if ended < started => {
                Err(Error::invalid("ended", ended, format!("a time at or after started ({started:?})")))
            }
            _ => self.check_counts(),
        }
    }

    /// Returns an error if the counts contradict the outcome.
    fn check_counts(&self) -> Result<(), Error> {
        let says = match self.outcome {
            Outcome::Pass => self.counts().0 > 0,
            Outcome::Fail => self.counts().1 > 0,
            Outcome::Unresolved => true,
        };
        if says {
            return Ok(());
        }
        let (passes, fails) = self.counts();
        let counts = format!("passes={passes}, fails={fails}");
        Err(Error::InvalidArgument {
            argument: "outcome".into(),
            value: format!("{:?} with {counts}", self.outcome.as_str()),
            expected: "counts with at least one run of this outcome, or only one of the two".into(),
        })
    }

    /// Returns whether two observations agree about a revision: outcome, counts, signature, and stage if both have one. Times,
    /// memory, and notes may differ. Unresolved outcomes agree even if their reasons differ.
    #[must_use]
    pub fn agrees_with(&self, other: &Observation) -> bool {
        let stages = self.stage.is_none() || other.stage.is_none() || self.stage == other.stage;
        let failures = self.outcome == Outcome::Unresolved || stages && self.signature == other.signature;
        let ids = self.results.keys().eq(other.results.keys());
        let mut results = self.results.values().zip(other.results.values());
        ids && results.all(|(one, other)| one.agrees_with(other))
            && failures
            && self.outcome == other.outcome
            && self.counts() == other.counts()
    }

    /// Returns whether the observation has a signature other than `sought`.
    pub(crate) fn has_other_signature(&self, sought: &str) -> bool {
        self.signature.as_ref().is_some_and(|seen| seen != sought)
    }

    /// Returns the identity of the failure, or `None` if it is unknown or the outcome is not a failure. This is the `signature`
    /// or, without one, the member `failure` of `signals`. The latter affects only warnings and reports.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        let told = || self.signals.as_ref()?.get("failure")?.as_str();
        self.signature.as_deref().or_else(told).filter(|_| self.outcome == Outcome::Fail)
    }

    /// Returns why the outcome may not come from the code, or why the test had no outcome. The reason is the member
    /// `doubt` of `signals`.
    #[must_use]
    pub fn doubt(&self) -> Option<Doubt> {
        let told = self.signals.as_ref()?.get("doubt")?;
        Doubt::deserialize(told).ok().filter(|_| self.outcome != Outcome::Pass)
    }

    /// Adds a doubt to the observation, unless its `signals` are not an object.
    #[must_use]
    pub fn doubted(mut self, doubt: &Doubt) -> Observation {
        let Ok(doubt) = serde_json::to_value(doubt) else { return self };
        let signals = self.signals.get_or_insert_with(|| serde_json::Value::Object(serde_json::Map::new()));
        if let serde_json::Value::Object(signals) = signals {
            signals.insert("doubt".to_owned(), doubt);
        }
        self
    }

    /// Creates the observation of an oracle that returned nothing, often because of a missing `return`. The outcome is
    /// unresolved, with that doubt. `nothing` is the value in the caller's language, such as `None` or `undefined`.
    ///
    /// ```
    /// let seen = firstbad::Observation::of_nothing("None");
    /// assert_eq!(seen.outcome, firstbad::Outcome::Unresolved);
    /// assert_eq!(seen.doubt().unwrap().help, "is a return missing?");
    /// ```
    #[must_use]
    pub fn of_nothing(nothing: &str) -> Observation {
        let reason = format!("the oracle returned {nothing} each time");
        let help = "is a return missing?".to_owned();
        Observation::from(Outcome::Unresolved).doubted(&Doubt { reason, help, unmatched: false })
    }

    /// Returns the outcome as text, with its signature and with any stage other than the test: `fail` or `unresolved (stage
    /// build, signature "...")`.
    #[must_use]
    pub fn describe(&self) -> String {
        let stage = self.stage.filter(|&stage| stage != Stage::Test).map(|stage| format!("stage {stage}"));
        let signature = self.signature.as_ref().map(|signature| format!("signature {signature:?}"));
        let more: Vec<String> = stage.into_iter().chain(signature).collect();
        if more.is_empty() { self.outcome.to_string() } else { format!("{} ({})", self.outcome, more.join(", ")) }
    }
}

/// The JSON form of an observation, in which the outcome is optional.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    outcome: Option<Outcome>,
    signature: Option<String>,
    stage: Option<Stage>,
    passes: Option<u32>,
    fails: Option<u32>,
    metric: Option<f64>,
    #[serde(default)]
    censored: bool,
    control: Option<f64>,
    #[serde(default)]
    metrics: BTreeMap<String, f64>,
    seconds: Option<f64>,
    memory: Option<u64>,
    cost: Option<f64>,
    started: Option<f64>,
    ended: Option<f64>,
    signals: Option<serde_json::Value>,
    note: Option<String>,
    output: Option<String>,
    #[serde(default = "yes")]
    ran: bool,
    #[serde(default)]
    reused: bool,
    #[serde(default)]
    results: BTreeMap<String, TestResult>,
}

impl TryFrom<Given> for Observation {
    type Error = &'static str;

    fn try_from(given: Given) -> Result<Self, Self::Error> {
        let outcome = match (given.outcome, given.passes, given.fails) {
            (Some(outcome), ..) => outcome,
            (None, None, None) if !given.results.is_empty() => outcome_of(given.results.values()),
            (None, None, None) if given.metric.is_some() || !given.metrics.is_empty() => Outcome::Pass,
            (None, None, None) => return Err("an observation needs an outcome, counts (passes, fails), or a metric"),
            (None, passes, fails) => Observation::counted(passes.unwrap_or(0), fails.unwrap_or(0)).outcome,
        };
        let Given {
            signature,
            stage,
            passes,
            fails,
            metric,
            censored,
            control,
            metrics,
            seconds,
            memory,
            cost,
            started,
            ended,
            signals,
            note,
            output,
            ran,
            reused,
            results,
            ..
        } = given;
        Ok(Observation {
            outcome,
            signature,
            stage,
            passes,
            fails,
            metric,
            censored,
            control,
            metrics,
            seconds,
            memory,
            cost,
            started,
            ended,
            signals,
            note,
            output,
            ran,
            reused,
            results,
        })
    }
}

impl From<Outcome> for Observation {
    fn from(outcome: Outcome) -> Self {
        Observation::new(outcome)
    }
}

/// The result of one test in an observation of several tests. Only the outcome is required.
///
/// The JSON form can be the outcome alone, as in `"pass"`. It can omit `outcome` if it has counts, as an [`Observation`] can.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GivenResult")]
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
enum GivenResult {
    Outcome(Outcome),
    Detailed(DetailedResult),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DetailedResult {
    outcome: Option<Outcome>,
    signature: Option<String>,
    seconds: Option<f64>,
    passes: Option<u32>,
    fails: Option<u32>,
}

impl TryFrom<GivenResult> for TestResult {
    type Error = &'static str;

    fn try_from(given: GivenResult) -> Result<Self, Self::Error> {
        let DetailedResult { outcome, signature, seconds, passes, fails } = match given {
            GivenResult::Outcome(outcome) => return Ok(outcome.into()),
            GivenResult::Detailed(detailed) => detailed,
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
    fn stage_and_memory_are_written_only_if_known() {
        let bare = Observation::new(Outcome::Fail);
        assert_eq!(serde_json::to_string(&bare).unwrap(), r#"{"outcome":"fail"}"#);
        for stage in Stage::ALL {
            let seen =
                Observation { stage: Some(stage), memory: Some(1 << 40), ..Observation::new(Outcome::Unresolved) };
            let text = serde_json::to_string(&seen).unwrap();
            assert_eq!(text, format!(r#"{{"outcome":"unresolved","stage":"{stage}","memory":1099511627776}}"#));
            assert_eq!(serde_json::from_str::<Observation>(&text).unwrap(), seen);
        }
        for wrong in [r#""stage":"link""#, r#""memory":-1"#, r#""memory":1.5"#] {
            assert!(
                serde_json::from_str::<Observation>(&format!(r#"{{"outcome":"fail",{wrong}}}"#)).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn observations_differ_by_stage_but_not_by_memory() {
        let at = |stage| Observation { stage, memory: Some(7), ..Observation::new(Outcome::Unresolved) };
        let build = at(Some(Stage::Build));
        assert!(build.agrees_with(&Observation { memory: None, ..build.clone() }));
        assert!(build.agrees_with(&at(None)) && at(None).agrees_with(&build));
        // Unresolved outcomes say nothing about the revision.
        assert!(build.agrees_with(&at(Some(Stage::Configure))));
        let failed = |stage| Observation { stage, ..Observation::new(Outcome::Fail) };
        assert!(!failed(Some(Stage::Build)).agrees_with(&failed(Some(Stage::Test))));
        assert_eq!(build.describe(), "unresolved (stage build)");
        let signed = Observation { signature: Some("x".into()), ..build };
        assert_eq!(signed.describe(), "unresolved (stage build, signature \"x\")");
        let test = Observation { stage: Some(Stage::Test), ..Observation::new(Outcome::Fail) };
        assert_eq!((test.describe(), Observation::new(Outcome::Pass).describe()), ("fail".into(), "pass".into()));
    }

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
    fn a_number_is_a_pass_by_default() {
        let read = |text: &str| serde_json::from_str::<Observation>(text).map(|seen| seen.outcome);
        assert_eq!(read(r#"{"metric": 1.5}"#).unwrap(), Outcome::Pass);
        assert_eq!(read(r#"{"metrics": {"a": 1.5}}"#).unwrap(), Outcome::Pass);
        assert_eq!(read(r#"{"metric": 1.5, "outcome": "unresolved"}"#).unwrap(), Outcome::Unresolved);
        assert_eq!(read(r#"{"metric": 1.5, "fails": 1}"#).unwrap(), Outcome::Fail);
        assert!(read(r#"{"control": 1.5}"#).is_err());
    }

    #[test]
    fn an_invalid_detail_is_named_with_its_test() {
        let wrong = TestResult { seconds: Some(-1.0), ..Outcome::Pass.into() };
        let seen = Observation::of_results([("a".to_owned(), wrong)]);
        assert!(seen.check().unwrap_err().to_string().starts_with("results[\"a\"].seconds: -1.0"));
    }
}
