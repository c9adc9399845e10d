//! The options of a search for a change in a number, and their page of `firstbad help`.

use clap::{Args, Command};
use firstbad::metric::AtLeast;
use firstbad::{Error, KeepBuilds};
use firstbad_oracle::{MeasureOptions, Take};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::help::METRIC;
use super::values::keep_builds;

/// The options of a search for a change in a number. `firstbad help metric` shows all of them.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct MetricArgs {
    /// Find the commit that changed a number (repeatable)
    ///
    /// KIND is seconds, cpu-seconds, memory, regex:EXPR, json:PATH, file-size:GLOB, or last-number. COMMAND must exit with 0. `firstbad
    /// help metric` explains the kinds and further options.
    #[arg(long, value_name = "KIND", hide_short_help = true, help_heading = METRIC)]
    pub(crate) metric: Vec<String>,
    /// Direction that is worse: up, down, or either
    ///
    /// The default is up for times, memory, and file sizes. All other kinds need this option.
    #[arg(long, hide = true, value_name = "DIRECTION", value_parser = ["up", "down", "either"], hide_possible_values = true,
        help_heading = METRIC)]
    pub(crate) worse: Option<String>,
    /// Find the commit that made the number better instead
    ///
    /// WHAT is `faster`. The revision of --bad is still the newer one.
    #[arg(long, hide = true, value_name = "WHAT", value_parser = ["faster"], hide_possible_values = true, help_heading = METRIC)]
    pub(crate) find: Option<String>,
    /// Smallest change that matters [default: 3%]
    ///
    /// X is a percentage such as 5%, or an amount such as 2kB, 15ms, or 300 in the unit of the number.
    #[arg(long, hide = true, value_name = "X", value_parser = at_least, help_heading = METRIC)]
    pub(crate) at_least: Option<AtLeast>,
    /// How several values of one run become one number [default: median]
    ///
    /// HOW is median, min, or mean.
    #[arg(long, hide = true, value_name = "HOW", value_parser = Take::NAMES, hide_possible_values = true, help_heading = METRIC)]
    pub(crate) take: Option<String>,
    /// Runs to throw away after each build [default: 1 for times]
    ///
    /// The default is 0 for other kinds.
    #[arg(long, hide = true, value_name = "N", help_heading = METRIC)]
    pub(crate) warmup: Option<u32>,
    /// Find all commits that changed the number, not only one
    ///
    /// The search continues while a change of at least --at-least is unexplained.
    #[arg(long, hide = true, help_heading = METRIC)]
    pub(crate) all_steps: bool,
    /// The number has no noise, so measure each revision once
    ///
    /// By default, firstbad measures both endpoints several times to find out.
    #[arg(long, hide = true, help_heading = METRIC)]
    pub(crate) exact: bool,
    /// Measure an endpoint again every N measurements [default: 3]
    ///
    /// These controls show whether the machine becomes slower during the search. 0 turns them off.
    #[arg(long, hide = true, value_name = "N", help_heading = METRIC)]
    pub(crate) control_every: Option<u32>,
    /// Measure the good revision in each run too
    ///
    /// firstbad compares the two numbers of a run. Use this option if the runs are on different machines.
    #[arg(long, hide = true, help_heading = METRIC)]
    pub(crate) paired: bool,
}

/// The number of kept builds of a measured run. `firstbad init` has the same option for its triages.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeptBuildsArgs {
    /// Number of builds to keep, or `all` [default: 8]
    ///
    /// Runs in a kept build see the files that earlier runs left.
    #[arg(long, hide = true, value_name = "N", value_parser = keep_builds, help_heading = METRIC)]
    pub(crate) keep_builds: Option<KeepBuilds>,
}

/// The start of `firstbad help metric`.
const INTRODUCTION: &str = "\
Find the commit that changed a number: a time, memory, a size, or a number that a command prints

COMMAND must exit with 0. A revision whose command fails has no number, so it is unresolved. \
If COMMAND exceeds --timeout, its time is at least the limit.

Usage: firstbad run --metric <KIND> [OPTIONS] -- <COMMAND>...

Kinds:
  seconds         Wall time of COMMAND, without the build
  cpu-seconds     Processor time of COMMAND and of the processes that it waits for
  memory          Peak memory of the largest process of COMMAND
  regex:EXPR      Numbers in the output: group 1 of each match, or the whole match
  json:PATH       Numbers at a path (RFC 9535) of the JSON on standard output
  json:FILE#PATH  Numbers at a path of a JSON file in the worktree
  file-size:GLOB  Size of all matching files in the worktree, such as dist/**/*.js
  last-number     Last number on standard output";

/// The end of `firstbad help metric`.
const EXAMPLES: &str = "\
Examples:
  A benchmark became slower by 5% or more:
    firstbad run --good v2.0 --metric seconds --at-least 5% -- ./bench
  A program prints its throughput:
    firstbad run --metric 'regex:throughput: ([0-9.]+)' --worse down -- ./bench
  Several commits made a bundle larger:
    firstbad run --metric 'file-size:dist/*.js' --at-least 2kB --all-steps -- make
  bench.sh runs hyperfine --export-json r.json:
    firstbad run --metric 'json:r.json#$.results[0].median' --worse up -- ./bench.sh

`firstbad run --help` lists the options of all searches.";

/// Returns the text of `firstbad help metric`.
pub(crate) fn metric_page(program: &Command) -> String {
    let options = program.find_subcommand("run").into_iter().flat_map(Command::get_arguments);
    let options = options.filter(|argument| argument.get_help_heading() == Some(METRIC));
    let mut page = Command::new("metric")
        .args(options.cloned().map(|argument| argument.hide(false).help_heading("Options")))
        .disable_help_flag(true)
        .max_term_width(120)
        .help_template("{before-help}{all-args}{after-help}")
        .before_long_help(INTRODUCTION)
        .after_long_help(EXAMPLES);
    page.render_long_help().to_string()
}

impl MetricArgs {
    /// Refuses options of a search for a change in a number without such a search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for such an option.
    pub(crate) fn refuse(&self, kept: Option<&KeptBuildsArgs>) -> Result<(), Error> {
        let given = [
            ("--worse", self.worse.is_some()),
            ("--find", self.find.is_some()),
            ("--at-least", self.at_least.is_some()),
            ("--take", self.take.is_some()),
            ("--warmup", self.warmup.is_some()),
            ("--all-steps", self.all_steps),
            ("--exact", self.exact),
            ("--control-every", self.control_every.is_some()),
            ("--paired", self.paired),
            ("--keep-builds", kept.is_some_and(|kept| kept.keep_builds.is_some())),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Error::invalid(*option, "without --metric", "--metric KIND as well")),
            None => Ok(()),
        }
    }

    /// Returns the options of the measurement. Missing options come from `before`.
    pub(crate) fn over(&self, keep_builds: Option<KeepBuilds>, before: MeasureOptions) -> MeasureOptions {
        let take = self.take.as_deref().and_then(|word| read(word).ok());
        MeasureOptions {
            metric: if self.metric.is_empty() { before.metric } else { self.metric.clone() },
            take: take.unwrap_or(before.take),
            warmup: self.warmup.or(before.warmup),
            keep_builds: keep_builds.unwrap_or(before.keep_builds),
        }
    }
}

/// Reads a value in the words of the options table.
fn read<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(json!(word)).map_err(|error| error.to_string())
}

/// Parses a percentage or an amount.
fn at_least(text: &str) -> Result<AtLeast, String> {
    read(text).map_err(|expected| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    #[test]
    fn the_page_has_every_option_and_fits_the_terminal() {
        let page = metric_page(&Cli::program());
        for option in ["--metric <KIND>", "--worse", "--at-least <X>", "--paired", "--keep-builds", "file-size:GLOB"] {
            assert!(page.contains(option), "{option}: {page}");
        }
        assert!(page.starts_with("Find the commit that changed a number") && page.contains("\nOptions:\n"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 130), "{page}");
    }

    #[test]
    fn at_least_is_a_percentage_or_an_amount() {
        assert_eq!(at_least("5%"), Ok(AtLeast::Share(0.05)));
        assert!(matches!(at_least("2kB"), Ok(AtLeast::Amount { unit: Some("B"), .. })));
        for text in ["", "0%", "-5%", "2 apples", "nan"] {
            assert!(at_least(text).is_err(), "{text}");
        }
    }
}
