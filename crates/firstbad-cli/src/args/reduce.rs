//! Reductions: of a commit that was found, of a patch, of a file or a list.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use firstbad::reduction::Granularity;

use super::test::{BudgetArgs, DriveArgs};
use super::values::choices;
use super::{FetchArgs, OutputArgs, ReadArgs, RepositoryArgs, TestArgs};

/// `firstbad explain`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) at: ReadArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Run the command of a journal that was begun elsewhere: by somebody else, on another machine, or in another folder
    #[arg(long)]
    pub(crate) trust_journal: bool,
    /// Which of the answers, from 0; without it, all
    #[arg(long, value_name = "N")]
    pub(crate) point: Option<usize>,
    /// How many tests to run side by side
    #[arg(long, short, value_name = "N", value_parser = super::values::jobs)]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What the items of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Items {
    /// Lines by their brackets and indentation, then what is in them
    Outline,
    /// Whole lines, by their brackets and indentation
    Lines,
    Characters,
    /// The elements of a JSON array
    Json,
}

/// Which ending of the command keeps an item out of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    Pass,
    Fail,
}

/// `firstbad minimize`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReduceArgs {
    /// The file to reduce; the command gets the candidate's path in place of {} (or as its last argument), and runs in
    /// a folder with nothing but the candidate in it: what else it reads has to be named by its whole path, but for
    /// words of the command with a dot or a slash that are files here. Of several files, which are reduced together, it
    /// gets the folder that they are in, and runs there; - is standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["from", "patch"])]
    pub(crate) files: Vec<PathBuf>,
    /// What the items of the file are
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Items::Outline)]
    pub(crate) items: Items,
    /// Go on within lines, to single words and signs, and to the blanks and line ends that lay them out; what a string
    /// or a comment says stays together
    #[arg(long, conflicts_with_all = ["from", "patch"])]
    pub(crate) fine: bool,
    /// The language of the file, or of each: nothing is run that does not parse in it. "none": anything is run [default: by the
    /// end of a file's name, where the whole file parses]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "patch"])]
    pub(crate) language: Option<String>,
    /// Reduce the patch from this revision; the command is run in a work tree of it with a part of the patch applied
    #[arg(long, value_name = "REF")]
    pub(crate) from: Option<String>,
    /// To this revision
    #[arg(long, value_name = "REF", requires = "from", conflicts_with = "patch")]
    pub(crate) to: Option<String>,
    /// Reduce this patch, on the revision of --from (HEAD without it); - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) patch: Option<PathBuf>,
    /// How finely to take the patch apart; "edits": to single changes, but a line that was replaced goes with the one in its place
    #[arg(long, value_name = "HOW", default_value = "lines", value_parser = Granularity::ALL.map(Granularity::as_str), conflicts_with = "files")]
    pub(crate) granularity: String,
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Which ending is kept: pass (exit code 0: still interesting; the default for files) or fail (the default for patches): the
    /// same failure, as its exit code and the last line that looks like an error tell it (see --fail-pattern)
    #[arg(long, value_enum, value_name = "ENDING")]
    pub(crate) keep: Option<Keep>,
    /// How to minimise
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices("minimize", "algorithm"))]
    pub(crate) algorithm: String,
    /// Test the result without every single item [default: with --items outline or lines]
    #[arg(long)]
    pub(crate) one_minimal: bool,
    /// Where the result goes, and the best so far while it goes; by default to standard output. Several files go into a folder
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) print: OutputArgs,
}
