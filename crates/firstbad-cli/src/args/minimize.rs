//! `firstbad minimize`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use firstbad::reduction::Granularity;

use super::help::{ADVANCED, OUTCOMES, OUTPUT, REDUCED};
use super::test::DriveArgs;
use super::values::choices;
use super::{FetchArgs, OutputArgs, RepositoryArgs, TestArgs};

/// The items of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Items {
    /// Blocks by brackets and indentation, then lines, then parts of lines
    Outline,
    /// Whole lines
    Lines,
    /// Characters
    Characters,
    /// The elements of a JSON array
    Json,
}

/// The outcome that a reduction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Exit code 0
    Pass,
    /// The same failure
    Fail,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct MinimizeArgs {
    /// File to reduce, or several files to reduce together
    ///
    /// COMMAND runs in an empty folder with the candidate. firstbad replaces {} in COMMAND with the candidate's path, or appends the path.
    /// Name other files by absolute paths. With several files, COMMAND gets the folder that contains them. `-` reads standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["from", "patch"])]
    pub(crate) files: Vec<PathBuf>,
    /// Reduce the patch from this revision to --to
    ///
    /// COMMAND runs in a worktree of REF with a part of the patch applied.
    #[arg(long, value_name = "REF", help_heading = REDUCED)]
    pub(crate) from: Option<String>,
    /// Newer revision of the patch
    #[arg(long, value_name = "REF", requires = "from", conflicts_with = "patch", help_heading = REDUCED)]
    pub(crate) to: Option<String>,
    /// Reduce a patch file on the revision --from
    ///
    /// Without --from, the patch applies to HEAD. `-` reads standard input.
    #[arg(long, value_name = "FILE", help_heading = REDUCED)]
    pub(crate) patch: Option<PathBuf>,
    /// Items of the file: outline, lines, characters, or json
    ///
    /// An outline has blocks by brackets and indentation, then lines, then parts of lines. The items of `json` are the elements of an
    /// array.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Items::Outline, hide_default_value = true, hide_possible_values = true, help_heading = REDUCED)]
    pub(crate) items: Items,
    /// Also reduce within lines, to single tokens and spaces
    #[arg(long, conflicts_with_all = ["from", "patch"], hide_short_help = true, help_heading = REDUCED)]
    pub(crate) fine: bool,
    /// Language of the file; candidates that do not parse are not run
    ///
    /// By default, firstbad uses the extension of the file, if the whole file parses. `none` runs every candidate.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "patch"], hide_short_help = true, help_heading = REDUCED)]
    pub(crate) language: Option<String>,
    /// Smallest parts of the patch
    ///
    /// With `edits`, a replaced line stays together with the line that replaces it.
    #[arg(long, value_name = "KIND", default_value = "lines", value_parser = Granularity::ALL.map(Granularity::as_str),
        conflicts_with = "files", hide_short_help = true, help_heading = REDUCED)]
    pub(crate) granularity: String,
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Outcome to keep: pass or fail
    ///
    /// The default is `pass` for files and `fail` for patches.
    /// With `fail`, the reduction keeps the same failure. firstbad compares the exit code and the last line of the output that looks
    /// like an error, unless --fail-pattern is given.
    #[arg(long, value_enum, value_name = "OUTCOME", hide_possible_values = true, help_heading = OUTCOMES)]
    pub(crate) keep: Option<Keep>,
    /// Reduction algorithm
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices("minimize", "algorithm"), hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) algorithm: String,
    /// Test the result without each of its items
    ///
    /// `--items outline` and `--items lines` always do this.
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) one_minimal: bool,
    /// Write the result to FILE, several files to a folder
    ///
    /// firstbad updates FILE after each improvement. By default, the result goes to standard output.
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) print: OutputArgs,
}
