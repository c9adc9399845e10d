//! Options of measurements.

use firstbad::{Error, KeepBuilds, json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::CommandOptions;
use super::verdict::Verdict;

/// Options of [`MeasureOracle`](crate::MeasureOracle) that a [`CommandOracle`](crate::CommandOracle) does not have.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureOptions {
    /// The numbers to measure, one or several. `"seconds"`, `"cpu-seconds"` (with child processes), and `"memory"` (peak, in
    /// bytes) are about the test command. `"regex:EXPR"` reads the output: the first group of each match, or the whole match. `"json:PATH"` reads JSON on
    /// standard output, and `"json:FILE#PATH"` reads a JSON file of the worktree, with a path as in RFC 9535.
    /// `"file-size:GLOB"` is the size in bytes of all matching files of the worktree. `"last-number"` is the last number on
    /// standard output.
    #[cfg_attr(test, schemars(extend("required" = true)))]
    pub metric: Vec<String>,
    /// How several values of one run become one number. The default is `"median"`.
    pub take: Take,
    /// The number of runs to throw away after each build. The default is 1 if a metric is a time, and 0 otherwise.
    #[cfg_attr(test, schemars(range(max = MOST_WARMUPS)))]
    pub warmup: Option<u32>,
    /// The number of builds that stay in worktrees, or `"all"`. The default is 8. A run in a kept build sees the files that earlier
    /// runs left.
    #[cfg_attr(test, schemars(schema_with = "super::suite::keep_builds"))]
    pub keep_builds: KeepBuilds,
}

/// The most runs to throw away.
const MOST_WARMUPS: u32 = 1000;

impl Default for MeasureOptions {
    fn default() -> Self {
        MeasureOptions { metric: Vec::new(), take: Take::default(), warmup: None, keep_builds: KeepBuilds::Last(8) }
    }
}

/// How several values of one run become one number.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// The value in the middle.
    #[default]
    Median,
    /// The smallest value.
    Min,
    /// The arithmetic mean.
    Mean,
}

impl Take {
    /// The words for each value.
    pub const NAMES: [&'static str; 3] = ["median", "min", "mean"];

    /// Returns one number for several, or `None` for no values.
    pub(crate) fn of(self, mut values: Vec<f64>) -> Option<f64> {
        values.sort_unstable_by(f64::total_cmp);
        let (first, count) = (*values.first()?, values.len());
        Some(match self {
            Take::Min => first,
            Take::Mean => values.iter().map(|value| value / count as f64).sum(),
            Take::Median if count % 2 == 1 => values[count / 2],
            Take::Median => values[count / 2 - 1] / 2.0 + values[count / 2] / 2.0,
        })
    }
}

impl MeasureOptions {
    const NAMES: [&'static str; 4] = ["metric", "take", "warmup", "keep_builds"];

    /// Reads these options and those of the command from one JSON object.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if an option is unknown or invalid. The error has its name, its value, and the valid values.
    pub fn read(value: &Value) -> Result<(MeasureOptions, CommandOptions), Error> {
        let mut command = value.clone();
        let mut own = Map::new();
        if let Some(fields) = command.as_object_mut() {
            own.extend(MeasureOptions::NAMES.iter().filter_map(|name| fields.remove_entry(*name)));
            own.retain(|_, value| !value.is_null());
        }
        Ok((json::options(&Value::Object(own))?, CommandOptions::read(&command)?))
    }

    /// Checks everything except the metrics.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.warmup {
            Some(runs) if runs > MOST_WARMUPS => {
                Err(Error::invalid("warmup", runs, format!("a number of runs, at most {MOST_WARMUPS}")))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that no option is about passing and failing.
pub(crate) fn check(options: &CommandOptions) -> Result<(), Error> {
    let expected = "no value, because a measurement does not pass or fail";
    options.refuse_judging(expected)?;
    if options.distinguish_failures {
        return Err(Error::invalid("distinguish_failures", true, expected));
    }
    match options.on_timeout {
        Verdict::Pass | Verdict::Fail => {
            let word = format!("{:?}", options.on_timeout).to_lowercase();
            Err(Error::invalid_value("on_timeout", word, expected))
        }
        Verdict::Unresolved | Verdict::Stop | Verdict::Retry => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_values_become_one() {
        assert_eq!(Take::Median.of(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(Take::Median.of(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(Take::Median.of(vec![f64::MAX, f64::MAX]), Some(f64::MAX), "no overflow");
        assert_eq!(Take::Mean.of(vec![f64::MAX, f64::MAX]), Some(f64::MAX), "no overflow");
        assert_eq!(Take::Min.of(vec![3.0, -1.0, 2.0]), Some(-1.0));
        assert_eq!(Take::Mean.of(vec![1.0, 2.0, 6.0]), Some(3.0));
        for take in [Take::Median, Take::Min, Take::Mean] {
            assert_eq!(take.of(Vec::new()), None);
        }
    }

    #[test]
    fn options_are_read_with_those_of_the_command() {
        let value = serde_json::json!({"metric": ["seconds"], "take": "min", "warmup": 2, "timeout": 3});
        let (own, command) = MeasureOptions::read(&value).unwrap();
        assert_eq!((own.metric, own.take, own.warmup), (vec!["seconds".to_owned()], Take::Min, Some(2)));
        assert_eq!((own.keep_builds.count(), command.timeout.unwrap().as_secs()), (8, 3));
        let wrong = MeasureOptions::read(&serde_json::json!({"take": "max"})).unwrap_err().to_string();
        assert!(wrong.starts_with("take: \"max\" is not valid; expected one of"), "{wrong}");
        assert!(MeasureOptions { warmup: Some(1001), ..MeasureOptions::default() }.check().is_err());
    }

    #[test]
    fn options_about_outcomes_are_refused() {
        let judged = [
            CommandOptions { fail_pattern: Some("x".into()), ..CommandOptions::default() },
            CommandOptions { pass_pattern: Some("x".into()), ..CommandOptions::default() },
            CommandOptions { control: Some(vec!["x".into()]), ..CommandOptions::default() },
            CommandOptions { distinguish_failures: true, ..CommandOptions::default() },
            CommandOptions { on_timeout: Verdict::Fail, ..CommandOptions::default() },
        ];
        for options in judged {
            let refused = check(&options).unwrap_err().to_string();
            assert!(refused.ends_with("expected no value, because a measurement does not pass or fail"), "{refused}");
        }
        assert_eq!(check(&CommandOptions::default()), Ok(()));
    }
}
