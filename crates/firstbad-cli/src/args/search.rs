//! Which search: the history, its ends, and how to look.

use std::time::Duration;

use clap::Args;
use firstbad::{Error, RegressionConfig, json as core_json};
use serde_json::{Map, Value, json};

use super::values::{choices, time};
use super::{FetchArgs, RepositoryArgs};

/// The history, its ends, and how to look for the commit.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// A revision where the test passes; may be given several times. Without it, one is looked for: the last tag before --bad,
    /// then further and further back (with --flaky, the first commits are assumed to pass)
    #[arg(long, value_name = "REF")]
    pub(crate) good: Vec<String>,
    /// A revision where the test fails; may be given several times, each gets its answer [default: HEAD]
    #[arg(long, value_name = "REF")]
    pub(crate) bad: Vec<String>,
    /// Look for the commit that repaired the test instead: --bad are the older ends, --good the newer ones
    #[arg(long)]
    pub(crate) fix: bool,
    /// How to search
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = choices("regression", "search"))]
    pub(crate) search: String,
    /// What to prefer: the fewest runs, or the newest regression where outcomes come and go
    #[arg(long, value_name = "WHAT", default_value = "fewest", value_parser = choices("regression", "prefer"))]
    pub(crate) prefer: String,
    /// What is likely beforehand: changes, by the files that each commit touches and by what the failing test is called, or
    /// uniform, all commits alike [default: changes with --search auto, weighted and bayes]
    #[arg(long, value_name = "WHAT", value_parser = ["changes", "uniform"])]
    pub(crate) prior: Option<String>,
    /// Without --prior uniform: what the failing test is called; may be given several times [default: what the command names]
    #[arg(long, value_name = "NAME")]
    pub(crate) test_name: Vec<String>,
    /// Whether a commit found for one bad revision also answers for others that contain it [default: unless --prefer latest]
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) propagate: Option<bool>,
    /// Follow only the first parent of merges
    #[arg(long)]
    pub(crate) first_parent: bool,
    /// Only commits that touch this path, from the current folder as git takes it; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<String>,
    /// The test is flaky: it fails at a healthy revision with this probability, in [0, 1); without a rate it is estimated
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "estimate")]
    pub(crate) flaky: Option<String>,
    /// With --flaky: a broken revision passes with this probability, too; without a rate it is estimated [default: 0]
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "estimate")]
    pub(crate) false_pass_rate: Option<String>,
    /// With --flaky: how sure the answer must be, above 0.5 and below 1 [default: 0.99]
    #[arg(long, value_name = "PROBABILITY")]
    pub(crate) confidence: Option<f64>,
    /// Trust that --good passes and --bad fails, instead of testing them first
    #[arg(long)]
    pub(crate) no_test_endpoints: bool,
    /// Distinguish failures by exit code and output [default: auto]
    ///
    /// With true, failures other than that of --bad are unresolved. With auto, the same applies after the search finds a culprit that
    /// fails in another way than --bad
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "true", "false"])]
    pub(crate) distinguish_failures: Option<String>,
    /// Name the culprit without running it and its parents again
    #[arg(long)]
    pub(crate) no_confirm: bool,
    /// Do not go on into failing parents of a merge
    #[arg(long)]
    pub(crate) no_check_parents: bool,
}

/// What costs less than other tests.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct CachedArgs {
    /// A shell command that prints the full ids of the revisions that are ready, one a line, because a build of them is
    /// there: those are asked rather than others that tell as much. It is run once, in the repository; a search that goes on
    /// with its journal keeps what was ready at its begin
    #[arg(long, value_name = "COMMAND")]
    pub(crate) cached: Option<String>,
    /// With --cached: what a test of a ready revision costs, where any other costs 1; above 0 and at most 1
    #[arg(long, value_name = "COST", requires = "cached", default_value_t = 0.1)]
    pub(crate) cached_cost: f64,
    /// With --cached: how long that command may take, like 90s or 20m
    #[arg(long, value_name = "TIME", requires = "cached", default_value = "60s", value_parser = time)]
    pub(crate) cached_timeout: Duration,
}

impl SearchArgs {
    /// The same with the newer end that is meant where none is given.
    pub(crate) fn with_ends(&self) -> SearchArgs {
        let mut args = self.clone();
        let newer = if args.fix { &mut args.good } else { &mut args.bad };
        if newer.is_empty() {
            newer.push("HEAD".to_owned());
        }
        args
    }

    /// The configuration of a regression search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for what does not go together.
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
        put("check_parents", json!(!self.no_check_parents));
        put("test_endpoints", json!(!self.no_test_endpoints));
        put("confirm", json!(!self.no_confirm));
        if let Some(when) = self.distinguish_failures.as_deref() {
            put("distinguish_failures", if when == "auto" { json!(when) } else { json!(when == "true") });
        }
        if let Some(prior) = &self.prior {
            put("prior", json!(prior));
        }
        // Beside another prior a name is refused, in one place for all.
        if !self.test_name.is_empty() {
            put("test", json!(self.test_name));
        }
        if let Some(rate) = &self.flaky {
            if !matches!(self.search.as_str(), "auto" | "bayes") {
                let search = &self.search;
                let expected = "--search auto or bayes: the others trust every answer";
                return Err(Error::invalid("--flaky", format!("with --search {search}"), expected));
            }
            put("search", json!("bayes"));
            put("flake_rate", rate_or_word(rate));
        }
        let is_flaky = self.flaky.is_some() || self.search == "bayes";
        let only_if_flaky = |option: &str, value: &str| match is_flaky {
            true => Ok(()),
            false => Err(Error::invalid(option, value, "--flaky beside it: else every answer is trusted")),
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

/// A rate as a number; the core says what is wrong with another word than its own.
fn rate_or_word(rate: &str) -> Value {
    rate.parse::<f64>().map_or_else(|_| json!(rate), |rate| json!(rate))
}
