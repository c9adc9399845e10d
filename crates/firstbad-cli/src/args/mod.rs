//! What the command line understands.

mod completions;
mod config_file;
mod explained;
mod fetch;
mod journal;
mod man;
#[cfg(test)]
mod options;
mod output;
mod port;
mod rank;
mod reduce;
mod repository;
mod search;
mod slice;
mod test;
mod values;

pub(crate) use completions::CompletionsArgs;
pub(crate) use fetch::FetchArgs;
pub(crate) use journal::{
    AskArgs, InitArgs, JournalArgs, Naming, ReadArgs, ReplayArgs, TellArgs, ToldOutcome, UndoArgs, WriteArgs,
};
pub(crate) use man::ManArgs;
pub(crate) use output::OutputArgs;
pub(crate) use port::PortArgs;
pub(crate) use rank::{By, RankArgs};
pub(crate) use reduce::{ExplainArgs, Items, Keep, ReduceArgs};
pub(crate) use repository::RepositoryArgs;
pub(crate) use search::{CachedArgs, SearchArgs};
pub(crate) use slice::{SliceArgs, SlicingArgs};
pub(crate) use test::{DriveArgs, RunArgs, TestArgs};

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::streams;

/// Finds where software went wrong: the commit that broke a test, on which branches, and the lines of it that matter.
#[derive(Debug, Parser)]
#[command(name = "firstbad", version, max_term_width = 120, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// All commands and options, explained.
    pub(crate) fn program() -> clap::Command {
        // What is below 0 is a value, and what is wrong with it is said of the value: it is no option that nobody knows.
        let may_be_negative = |argument: clap::Arg| match argument.get_action().takes_values() {
            true => argument.allow_negative_numbers(true),
            false => argument,
        };
        let program = Cli::command().mut_subcommands(|command| command.mut_args(may_be_negative));
        explained::explained(program)
    }

    /// What a user has written, and what the project's own file adds to it; `words` begin with the program's name.
    ///
    /// # Errors
    /// What is wrong with it, or what was asked for instead (help, the version), as it is to be printed.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, Refused> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut program = Cli::program();
        let mut given = program.try_get_matches_from_mut(words.iter().cloned())?;
        if let Some(added) = config_file::added(&program, &given)? {
            let subcommand = given.subcommand_name().unwrap_or_default().to_owned();
            streams::note(added.words());
            given = program.try_get_matches_from_mut(added.to(&words, &subcommand))?;
        }
        Ok(Cli::from_arg_matches_mut(&mut given).map_err(|error| error.format(&mut program))?)
    }
}

/// Why a command line is not followed.
pub(crate) enum Refused {
    /// As clap says it, help and the version included.
    Words(clap::Error),
    /// For what the project's own file says.
    File(firstbad::Error),
}

impl From<clap::Error> for Refused {
    fn from(error: clap::Error) -> Self {
        Refused::Words(error)
    }
}

impl From<firstbad::Error> for Refused {
    fn from(error: firstbad::Error) -> Self {
        Refused::File(error)
    }
}

const EXIT_CODES: &str = "Exit codes: 0 found, or done; 1 failure (git, files); 2 usage; 10 ambiguous (untestable \
revisions stand between); 11 not reproduced, or (rank) no commit can be to blame; 12 a good end fails; 13 flaky (the answers fit no culprit); 14 budget used \
up (the journal has what is known); 15 stopped by the command under test; 16 not done yet; 17 the journal is in use; 18 no revision \
that passes was found; 19 a bad end cannot be tested; \
128 + n ended by signal n.";

const RUN: &str = "\
Examples:
  HEAD is bad, and what passes is looked for:
    firstbad run -- pytest -x tests/test_cart.py
  Both ends are known:
    firstbad run --good v1.0 --bad main -- make test
  Two red branches, four tests side by side:
    firstbad run --good v1.0 --bad main --bad release/2 -j4 -- ./check.sh
  The test fails now and then by itself:
    firstbad run --flaky -- npm test
  Also which lines of the commit do it:
    firstbad run --preset cargo --timeout 20m --explain -- cargo test parser
  The first bad build of a list, without a repository:
    firstbad run --list builds.txt -- ./test.sh {}
  Go on with the last run here:
    firstbad run --resume

A test passes with 0, fails with 1 to 124, and cannot be told with 125, as in `git bisect run`. What a project always says \
stands in firstbad.toml: command = [\"pytest\", \"-x\"], preset = \"pytest\", jobs = 4.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the commit that broke a test: run a command at as few revisions as possible
    #[command(after_help = RUN)]
    Run(Box<RunArgs>),
    /// Begin a search in a journal, to be driven with ask and tell
    Init(Box<InitArgs>),
    /// Print what to test next
    Ask(AskArgs),
    /// Answer a probe
    Tell(TellArgs),
    /// Print where a search stands
    Status(JournalArgs),
    /// Print the answer, or the best one so far
    Report(JournalArgs),
    /// Take back the last answers
    Undo(UndoArgs),
    /// Go on from the commits found to the lines that matter
    Explain(Box<ExplainArgs>),
    /// Show how a search went, step by step, or go on from a `git bisect log`
    Replay(ReplayArgs),
    /// Reduce a patch, a file or a list to what still shows the failure
    Reduce(Box<ReduceArgs>),
    /// Find a version that passes behind broken ones: carry what the test needs back, and the fix forward
    Port(Box<PortArgs>),
    /// Find the smallest slice of a history that keeps a behaviour: which commits a feature needs, or which together break it
    Slice(Box<SliceArgs>),
    /// Rank the commits that may have broken a test by what they touch, without running anything
    Rank(Box<RankArgs>),
    /// Print what makes a shell complete commands and options
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands into a folder
    Man(ManArgs),
}

impl Command {
    /// Whether it runs tests itself, and so has signals to answer.
    pub(crate) fn drives(&self) -> bool {
        matches!(
            self,
            Command::Run(_) | Command::Explain(_) | Command::Reduce(_) | Command::Port(_) | Command::Slice(_)
        )
    }
}
