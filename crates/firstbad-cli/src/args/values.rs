//! Values of options that several commands have.

use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use firstbad_oracle::Verdict;
use serde_json::Value;

/// The table of the options of every search.
pub(super) static TABLE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(firstbad::OPTIONS).unwrap_or_default());

/// Returns a parser of the values that an option of a search can have.
pub(super) fn choices(algorithm: &str, option: &str) -> PossibleValuesParser {
    let values = TABLE["$defs"][algorithm]["properties"][option]["enum"].as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect::<Vec<_>>().into()
}

/// A time: a number of seconds, or numbers with units such as `1h 30m`.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let expected = "expected seconds, or numbers with units like 90s, 20m or 1h 30m";
    match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| expected.to_owned()),
        Err(_) => humantime::parse_duration(text).map_err(|error| format!("{error}; {expected}")),
    }
}

/// What an ending means.
pub(super) fn verdict(text: &str) -> Result<Verdict, String> {
    Verdict::named("", text).map_err(|_| format!("expected one of {}", Verdict::NAMES.join(", ")))
}

/// As [`verdict`], of a test that ran elsewhere, where nothing is left to be stopped.
pub(super) fn reported_verdict(text: &str) -> Result<Verdict, String> {
    match verdict(text) {
        Ok(Verdict::Stop) | Err(_) => {
            let names = Verdict::NAMES.iter().filter(|name| **name != "stop").copied().collect::<Vec<_>>();
            Err(format!("expected one of {}", names.join(", ")))
        }
        verdict => verdict,
    }
}

/// What an exit code means, like `3=unresolved`.
pub(super) fn exit_code(text: &str) -> Result<(i32, Verdict), String> {
    let meant = text.split_once('=').and_then(|(code, meaning)| {
        let code = code.trim().parse().ok()?;
        Some((code, verdict(meaning.trim()).ok()?))
    });
    let names = Verdict::NAMES.join(", ");
    meant.ok_or_else(|| format!("expected an exit code and one of {names}, like 139=fail"))
}

/// A number of tests that run side by side.
pub(super) fn jobs(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&jobs| jobs > 0).ok_or_else(|| "expected a number, 1 or above".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_number_is_seconds() {
        for (text, millis) in [("5", 5_000), ("0.5", 500), ("90s", 90_000), ("1h 30m", 5_400_000), ("0", 0)] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1", "nan", "inf", "1e300", "5 minutes ago", "s"] {
            assert!(time(text).is_err_and(|words| words.contains("expected seconds")), "{text}");
        }
    }

    #[test]
    fn endings_have_the_names_of_the_library() {
        assert_eq!(exit_code("139=fail"), Ok((139, Verdict::Fail)));
        assert_eq!(exit_code(" -1 = stop "), Ok((-1, Verdict::Stop)));
        for text in ["139", "=fail", "139=skip", "many=fail", "139=fail=pass", "99999999999=fail"] {
            assert!(exit_code(text).is_err_and(|words| words.contains("139=fail")), "{text}");
        }
        assert_eq!(reported_verdict("retry"), Ok(Verdict::Retry));
        assert!(reported_verdict("stop").is_err_and(|words| !words.contains("stop")));
    }
}
