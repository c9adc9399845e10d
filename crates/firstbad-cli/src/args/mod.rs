//! The arguments of the command line.

mod completions;
mod config_file;
mod explain;
mod fetch;
mod help;
mod journal;
mod man;
mod metric;
mod minimize;
#[cfg(test)]
mod options;
mod output;
mod port;
mod rank;
mod repository;
mod search;
mod slice;
mod test;
mod triage;
mod values;

pub(crate) use completions::CompletionsArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use fetch::FetchArgs;
pub(crate) use help::{EXIT_CODES, HelpArgs};
pub(crate) use journal::{
    AskArgs, InitArgs, JournalArgs, Naming, ReadArgs, ReplayArgs, StatusArgs, TellArgs, ToldOutcome, UndoArgs,
    WriteArgs,
};
pub(crate) use man::ManArgs;
pub(crate) use metric::{KeptBuildsArgs, MetricArgs, metric_page};
pub(crate) use minimize::{Items, Keep, MinimizeArgs};
pub(crate) use output::{NotifyArgs, OutputArgs, PlainFormat};
pub(crate) use port::PortArgs;
pub(crate) use rank::{By, RankArgs};
pub(crate) use repository::RepositoryArgs;
pub(crate) use search::{CachedArgs, SearchArgs};
pub(crate) use slice::{SliceArgs, SlicingArgs};
pub(crate) use test::{CommandArgs, DriveArgs, RunArgs, TestArgs, TrustArgs};
pub(crate) use triage::{NightArgs, SuiteArgs, TriageArgs};
pub(crate) use values::Treatment;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use firstbad::Error;

use crate::streams;

/// Find the commit that broke a test
#[derive(Debug, Parser)]
#[command(name = "firstbad", version, max_term_width = 120, disable_help_flag = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Run as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = help::GLOBAL)]
    directory: Option<PathBuf>,
    /// Print help
    ///
    /// `-h` prints the common options, `--help` prints all options with details.
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = help::GLOBAL)]
    help: Option<bool>,
}

impl Cli {
    /// Returns the complete definition of the command line.
    pub(crate) fn program() -> clap::Command {
        // A negative number is a value, so the error for it is about the value and not about an unknown option.
        let may_be_negative = |argument: clap::Arg| match argument.get_action().takes_values() {
            true => argument.allow_negative_numbers(true),
            false => argument,
        };
        let program = Cli::command().mut_subcommands(|command| help::in_order(command.mut_args(may_be_negative)));
        let program = program.mut_subcommand("port", |port| port.mut_arg("control", |control| control.hide(false)));
        help::with_groups(program)
    }

    /// Returns the definition without the options that are only in `firstbad.toml`.
    pub(crate) fn visible() -> clap::Command {
        Cli::program().mut_subcommands(help::without_hidden)
    }

    /// Parses the command line, adds the settings of `firstbad.toml`, and changes to the folder of `-C`. The first word is the name
    /// of the program.
    ///
    /// # Errors
    /// Returns usage errors, and the texts of `--help` and `--version`.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, Refused> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut program = Cli::program();
        let mut given = program.try_get_matches_from_mut(words.iter().cloned())?;
        if let Some(topic) = given.subcommand_matches("help").map(|given| given.get_one::<String>("topic")) {
            let page = match topic.map(String::as_str) {
                Some("exit-codes" | "metric") => None,
                Some(command) => Some(vec![words[0].as_os_str(), OsStr::new(command), OsStr::new("--help")]),
                None => Some(vec![words[0].as_os_str(), OsStr::new("--help")]),
            };
            if let Some(page) = page {
                given = program.try_get_matches_from_mut(page)?;
            }
        }
        config_file::check_given(&program, &given)?;
        if let Some(directory) = given.get_one::<PathBuf>("directory") {
            std::env::set_current_dir(directory).map_err(|error| Error::Io {
                action: format!("-C {}", directory.display()),
                message: error.to_string(),
            })?;
        }
        if let Some(added) = config_file::added(&program, &given)? {
            let subcommand = given.subcommand_name().unwrap_or_default().to_owned();
            streams::note(added.words());
            given = program.try_get_matches_from_mut(added.to(&words, &subcommand))?;
        }
        Ok(Cli::from_arg_matches_mut(&mut given).map_err(|error| error.format(&mut program))?)
    }
}

/// The reason why a command line is refused.
pub(crate) enum Refused {
    /// A usage error of clap, or the text of `--help` or `--version`.
    Words(clap::Error),
    /// An error in `firstbad.toml` or in the value of an option.
    Invalid(Error),
}

impl From<clap::Error> for Refused {
    fn from(error: clap::Error) -> Self {
        Refused::Words(error)
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Invalid(error)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the commit that broke a test or changed a number
    ///
    /// Runs COMMAND at as few revisions as possible. A test passes with exit code 0 and fails with 1 to 124. 125 means unresolved, as in
    /// `git bisect run`. Settings that a project always needs can be in firstbad.toml.
    #[command(after_help = help::MORE, after_long_help = help::RUN)]
    Run(Box<RunArgs>),
    /// Find the lines of a culprit that cause the failure
    ///
    /// Reads the journal of `firstbad run` and runs its test with parts of the culprit's patch.
    Explain(Box<ExplainArgs>),
    /// Rank the suspects without running the test
    ///
    /// The ranking uses the files that each commit changes, the name of the test, and with --graph the dependencies of the test.
    Rank(Box<RankArgs>),
    /// Find the commits that broke many tests of a suite
    ///
    /// Runs chosen tests of each revision after one build, and reports which commit broke which tests, and which tests are flaky.
    /// {tests} in COMMAND stands for the tests. Without {tests}, firstbad adds them for the test runner that COMMAND names.
    #[command(after_help = help::MORE, after_long_help = help::TRIAGE)]
    Triage(Box<TriageArgs>),
    /// Print the status of a search
    Status(StatusArgs),
    /// Print the result of a search, or its best result so far
    Report(JournalArgs),
    /// Print the steps of a search, or import a `git bisect log`
    Replay(ReplayArgs),
    /// Create a journal for a search that you drive with ask and tell
    #[command(after_help = help::MORE)]
    Init(Box<InitArgs>),
    /// Print the revisions to test next, as JSON
    Ask(AskArgs),
    /// Record the outcome of a probe
    Tell(TellArgs),
    /// Remove the last outcomes from a journal
    Undo(UndoArgs),
    /// Reduce a patch or a file and keep its failure
    #[command(after_help = help::MORE)]
    Minimize(Box<MinimizeArgs>),
    /// Find the commits that a feature or a failure needs
    #[command(after_help = help::MORE)]
    Slice(Box<SliceArgs>),
    /// Find an old passing version, and port its fix forward
    ///
    /// firstbad carries the files that the test needs back to older revisions. With --forward, it brings the fix to a newer revision.
    #[command(after_help = help::MORE)]
    Port(Box<PortArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print manual pages
    Man(ManArgs),
    /// Print help for a command or a topic
    Help(HelpArgs),
}

impl Command {
    /// Returns whether the command runs tests and handles signals itself.
    pub(crate) fn drives(&self) -> bool {
        matches!(
            self,
            Command::Run(_)
                | Command::Triage(_)
                | Command::Explain(_)
                | Command::Minimize(_)
                | Command::Port(_)
                | Command::Slice(_)
        )
    }
}
