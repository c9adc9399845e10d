//! Parsers of option values.

use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use firstbad::{KeepBuilds, json};
use firstbad_oracle::Verdict;
use serde_json::Value;

/// The options of every search.
static TABLE: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(firstbad::OPTIONS).unwrap_or_default());

/// Returns a parser of the values that an option of a search can have.
pub(super) fn choices(algorithm: &str, option: &str) -> PossibleValuesParser {
    let values = TABLE["$defs"][algorithm]["properties"][option]["enum"].as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect::<Vec<_>>().into()
}

/// Parses a number of seconds, or a duration such as `1h 30m`.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let expected = "expected seconds, or numbers with units like 90s, 20m or 1h 30m";
    match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| expected.to_owned()),
        Err(_) => humantime::parse_duration(text).map_err(|error| format!("{error}; {expected}")),
    }
}

/// A meaning of a test's result, from `--treat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// The outcome of an exit code.
    Code(i32, Verdict),
    /// The outcome of a crash.
    Signal(Verdict),
    /// The outcome of a timeout.
    Timeout(Verdict),
}

/// Parses `CODE=OUTCOME`, `signal=OUTCOME`, or `timeout=OUTCOME`.
pub(super) fn treatment(text: &str) -> Result<Treatment, String> {
    let treatment = text.split_once('=').and_then(|(result, outcome)| {
        let verdict = Verdict::named("", outcome.trim()).ok()?;
        Some(match result.trim() {
            "signal" => Treatment::Signal(verdict),
            "timeout" => Treatment::Timeout(verdict),
            code => Treatment::Code(code.parse().ok()?, verdict),
        })
    });
    let names = Verdict::NAMES.join(", ");
    treatment.ok_or_else(|| format!("expected an exit code, signal, or timeout, and one of {names}, such as 139=fail"))
}

/// Parses `--treat` of a test that already ran, which cannot stop.
pub(super) fn reported_treatment(text: &str) -> Result<Treatment, String> {
    match treatment(text)? {
        Treatment::Code(_, Verdict::Stop) | Treatment::Signal(Verdict::Stop) | Treatment::Timeout(_) => {
            Err("expected an exit code or signal, and one of pass, fail, unresolved, retry".to_owned())
        }
        treatment => Ok(treatment),
    }
}

/// Parses a number of builds, or `all`.
pub(super) fn keep_builds(text: &str) -> Result<KeepBuilds, String> {
    let value = text.parse::<u32>().map_or_else(|_| text.into(), Value::from);
    json::read(&value.to_string()).map_err(|_| "expected a number of builds, or all".to_owned())
}

/// Parses a number of parallel tests.
pub(super) fn jobs(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&jobs| jobs > 0).ok_or_else(|| "expected a number, 1 or above".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_unit_is_seconds() {
        for (text, millis) in [("5", 5_000), ("0.5", 500), ("90s", 90_000), ("1h 30m", 5_400_000), ("0", 0)] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1", "nan", "inf", "1e300", "5 minutes ago", "s"] {
            assert!(time(text).is_err_and(|words| words.contains("expected seconds")), "{text}");
        }
    }

    #[test]
    fn treatments_are_parsed() {
        assert_eq!(treatment("139=fail"), Ok(Treatment::Code(139, Verdict::Fail)));
        assert_eq!(treatment(" -1 = stop "), Ok(Treatment::Code(-1, Verdict::Stop)));
        assert_eq!(treatment("signal=pass"), Ok(Treatment::Signal(Verdict::Pass)));
        assert_eq!(treatment("timeout=retry"), Ok(Treatment::Timeout(Verdict::Retry)));
        for text in ["139", "=fail", "139=skip", "many=fail", "139=fail=pass", "99999999999=fail"] {
            assert!(treatment(text).is_err_and(|words| words.contains("139=fail")), "{text}");
        }
        assert_eq!(reported_treatment("signal=retry"), Ok(Treatment::Signal(Verdict::Retry)));
        assert!(reported_treatment("signal=stop").is_err_and(|words| !words.contains("stop")));
    }
}
