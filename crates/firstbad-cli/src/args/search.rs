//! The options of a regression search.

use std::time::Duration;

use clap::Args;
use firstbad::{Error, RegressionConfig, json as core_json};
use serde_json::{Map, Value, json};

use super::help::{ADVANCED, FLAKY, OUTCOMES, REVISIONS};
use super::values::{choices, time};
use super::{FetchArgs, RepositoryArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    /// Revision that passes the test (repeatable)
    ///
    /// Without --good, firstbad looks for a passing revision: first the last tag before --bad, then older revisions. With --flaky, the
    /// first commits are assumed to pass. A date such as 2025-03-01 means the last commit before that date.
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) good: Vec<String>,
    /// Revision that fails the test (repeatable) [default: HEAD]
    ///
    /// Each bad revision gets its own result.
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) bad: Vec<String>,
    /// Find the commit that fixed the test instead
    ///
    /// --bad then names the older revisions and --good the newer revisions.
    #[arg(long, help_heading = REVISIONS)]
    pub(crate) fix: bool,
    /// Consider only commits that touch PATH (repeatable)
    ///
    /// PATH is relative to the current folder, as in Git.
    #[arg(long, value_name = "PATH", help_heading = REVISIONS)]
    pub(crate) path: Vec<String>,
    /// Follow only the first parent of merges
    #[arg(long, hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) first_parent: bool,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Distinguish failures by exit code and output [default: auto]
    ///
    /// With `yes`, failures that differ from the failure at --bad are unresolved. With `auto`, this applies only if the culprit fails
    /// in another way than --bad. The search then continues without repeating runs.
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "yes", "no"], hide_short_help = true, help_heading = OUTCOMES)]
    pub(crate) distinguish_failures: Option<String>,
    /// The test is flaky and fails at good revisions too
    ///
    /// RATE is the failure rate at good revisions, at least 0 and below 1. Without RATE, firstbad estimates it. The search repeats runs until the result is certain enough
    /// for --confidence.
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "estimate", help_heading = FLAKY)]
    pub(crate) flaky: Option<String>,
    /// With --flaky: probability that a bad revision passes [default: 0]
    ///
    /// Without RATE, firstbad estimates it.
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "estimate", hide_short_help = true, help_heading = FLAKY)]
    pub(crate) false_pass_rate: Option<String>,
    /// With --flaky: required probability of the result [default: 0.99]
    ///
    /// P is above 0.5 and below 1.
    #[arg(long, value_name = "P", hide_short_help = true, help_heading = FLAKY)]
    pub(crate) confidence: Option<f64>,
    /// Search strategy
    ///
    /// linear, binary, multiplying, and gallop search along first parents. bisect halves the suspects. weighted also uses the prior.
    /// bayes is for flaky tests.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = choices("regression", "search"), hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) search: String,
    /// Initial probabilities of the commits
    ///
    /// `changes` uses the files that each commit touches and the name of the test. `uniform` treats all commits alike. The default is
    /// `changes` with --search auto, weighted, and bayes.
    #[arg(long, value_name = "WHAT", value_parser = ["changes", "uniform"], hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) prior: Option<String>,
    /// Assume the outcomes of --good and --bad instead of testing them
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) no_test_endpoints: bool,
    /// Name the culprit without running it and its parents again
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) no_confirm: bool,
    /// firstbad.toml: prefer the fewest runs, or the latest regression.
    #[arg(long, hide = true, value_name = "WHAT", default_value = "fewest", value_parser = choices("regression", "prefer"))]
    pub(crate) prefer: String,
    /// firstbad.toml: names of the failing test.
    #[arg(long, hide = true, value_name = "NAME")]
    pub(crate) test_name: Vec<String>,
    /// firstbad.toml: whether a culprit also answers for the other bad revisions that contain it.
    #[arg(long, hide = true, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) propagate: Option<bool>,
    /// firstbad.toml: whether the search continues in failing parents of a merge.
    #[arg(long, hide = true, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) check_parents: Option<bool>,
}

/// Revisions whose tests cost less than others. These options are only in firstbad.toml.
#[derive(Debug, Clone, Args)]
pub(crate) struct CachedArgs {
    /// firstbad.toml: a shell command that prints the ids of the revisions that are already built.
    #[arg(long, hide = true, value_name = "COMMAND")]
    pub(crate) cached: Option<String>,
    /// firstbad.toml: the cost of a test at such a revision, above 0 and at most 1. Other tests cost 1.
    #[arg(long, hide = true, value_name = "COST", default_value_t = 0.1)]
    pub(crate) cached_cost: f64,
    /// firstbad.toml: the time limit of that command.
    #[arg(long, hide = true, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub(crate) cached_timeout: Duration,
}

impl SearchArgs {
    /// Returns the options with `HEAD` as the newer endpoint if none is given.
    pub(crate) fn with_ends(&self) -> SearchArgs {
        let mut args = self.clone();
        let newer = if args.fix { &mut args.good } else { &mut args.bad };
        if newer.is_empty() {
            newer.push("HEAD".to_owned());
        }
        args
    }

    /// Returns the configuration of the search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if options contradict each other.
    pub(crate) fn configuration(&self) -> Result<RegressionConfig, Error> {
        let mut options = Map::new();
        let mut put = |name: &str, value: Value| options.insert(name.to_owned(), value);
        put("bad", json!(self.bad));
        put("good", json!(self.good));
        let older = if self.fix { &self.bad } else { &self.good };
        if older.is_empty() && self.flaky.is_none() && self.search != "bayes" {
            put("find_good", json!(true));
        }
        put("search", json!(self.search));
        put("prefer", json!(self.prefer));
        put("find", json!(if self.fix { "fix" } else { "regression" }));
        put("propagate", json!(self.propagate));
        put("check_parents", json!(self.check_parents.unwrap_or(true)));
        put("test_endpoints", json!(!self.no_test_endpoints));
        put("confirm", json!(!self.no_confirm));
        if let Some(when) = self.distinguish_failures.as_deref() {
            put("distinguish_failures", if when == "auto" { json!(when) } else { json!(when == "yes") });
        }
        if let Some(prior) = &self.prior {
            put("prior", json!(prior));
        }
        // The core refuses a test name together with another prior.
        if !self.test_name.is_empty() {
            put("test", json!(self.test_name));
        }
        if let Some(rate) = &self.flaky {
            if !matches!(self.search.as_str(), "auto" | "bayes") {
                let search = &self.search;
                let expected = "--search auto or --search bayes, because the other strategies trust every outcome";
                return Err(Error::invalid("--flaky", format!("with --search {search}"), expected));
            }
            put("search", json!("bayes"));
            put("flake_rate", rate_or_word(rate));
        }
        let is_flaky = self.flaky.is_some() || self.search == "bayes";
        let only_if_flaky = |option: &str, value: &str| match is_flaky {
            true => Ok(()),
            false => Err(Error::invalid(option, value, "--flaky as well, because other searches trust every outcome")),
        };
        if let Some(rate) = &self.false_pass_rate {
            only_if_flaky("--false-pass-rate", rate)?;
            put("false_pass_rate", rate_or_word(rate));
        }
        if let Some(confidence) = self.confidence {
            only_if_flaky("--confidence", &confidence.to_string())?;
            put("confidence", json!(confidence));
        }
        core_json::options(&Value::Object(options))
    }
}

/// Returns a rate as a number, or the text as it is. The core checks both.
fn rate_or_word(rate: &str) -> Value {
    rate.parse::<f64>().map_or_else(|_| json!(rate), |rate| json!(rate))
}
