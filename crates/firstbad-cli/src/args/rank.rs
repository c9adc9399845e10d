//! Suspects without a test run.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{FetchArgs, RepositoryArgs};

/// `firstbad rank`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// A revision where the test passes; may be given several times [default: those of the last run in this repository]
    #[arg(long, value_name = "REF")]
    pub(crate) good: Vec<String>,
    /// The revision where it fails [default: HEAD, or without --good that of the last run in this repository]
    #[arg(long, value_name = "REF", requires = "good")]
    pub(crate) bad: Option<String>,
    /// What the failing test is called, in words or as its runner calls it (tests/test_a.py::test_b); with --graph a target
    /// of the build graph, a file, or the id of a test in it. May be given several times, where several tests began to fail
    #[arg(long, value_name = "TEST", required_if_eq_any = [("by", "suspiciousness"), ("by", "size"), ("by", "distance"),
        ("by", "changelog")])]
    pub(crate) test: Vec<String>,
    /// A build graph that says what the test depends on, too: python, javascript or workspaces are read at the revisions
    /// themselves; bazel=FILE, nx=FILE, turborepo=FILE, cargo=FILE, go=FILE from what those tools print
    #[arg(long, value_name = "KIND[=FILE]", requires = "test")]
    pub(crate) graph: Option<String>,
    /// The build graph of the good revision, where it comes from a file, too
    #[arg(long, value_name = "FILE", requires = "graph")]
    pub(crate) before: Option<PathBuf>,
    /// The folder that the build tool ran in, seen from the top of the repository
    #[arg(long, value_name = "FOLDER", default_value = "")]
    pub(crate) prefix: String,
    /// What to rank by
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = By::Probability)]
    pub(crate) by: By,
    /// Take all that came with a merge for the merge's own, following only first parents
    #[arg(long)]
    pub(crate) first_parent: bool,
    /// How many suspects to print [default: 10, with --json all]
    #[arg(long, value_name = "N")]
    pub(crate) most: Option<usize>,
    /// Print the ranking as JSON (docs/schema/ranking.json)
    #[arg(long, group = "form", help_heading = "Output")]
    pub(crate) json: bool,
    /// Print the ranking as Markdown, for a comment or a job summary
    #[arg(long, group = "form", help_heading = "Output")]
    pub(crate) markdown: bool,
}

/// What to rank by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// How likely it is by what a commit touches and what the test is called, and, with --graph, by what the test depends on
    Probability,
    /// With --graph, as all that follow: how many targets a change touches, and how close they are
    Suspiciousness,
    /// How many files it has
    Size,
    /// How close the closest target is that it touches
    Distance,
    /// Nothing but touching what the test depends on: the newest first
    Changelog,
}

impl By {
    /// As it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Probability => "probability",
            By::Suspiciousness => "suspiciousness",
            By::Size => "size",
            By::Distance => "distance",
            By::Changelog => "changelog",
        }
    }
}
