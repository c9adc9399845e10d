//! `firstbad rank`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::help::{OUTPUT, REVISIONS, TEST};
use super::{FetchArgs, RepositoryArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    /// Revision that passes the test (repeatable)
    ///
    /// Without --good, firstbad uses the revisions of the last run in this repository.
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) good: Vec<String>,
    /// Revision that fails the test [default: HEAD]
    #[arg(long, value_name = "REF", requires = "good", help_heading = REVISIONS)]
    pub(crate) bad: Option<String>,
    /// Follow only the first parent of merges
    ///
    /// All changes of a merged branch then belong to the merge.
    #[arg(long, help_heading = REVISIONS)]
    pub(crate) first_parent: bool,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Name of the failing test (repeatable)
    ///
    /// A name in words, or in the form of the test runner, such as tests/test_a.py::test_b. With --graph, a target of the build graph,
    /// a file, or a test in it.
    #[arg(long, value_name = "TEST", help_heading = TEST, required_if_eq_any = [("by", "suspiciousness"), ("by", "size"),
        ("by", "distance"), ("by", "changelog")])]
    pub(crate) test: Vec<String>,
    /// Build graph with the dependencies of the test
    ///
    /// python, javascript, and workspaces read the sources at each revision. bazel=FILE, nx=FILE, turborepo=FILE, cargo=FILE, and go=FILE
    /// read the output of these tools.
    #[arg(long, value_name = "KIND[=FILE]", requires = "test", help_heading = TEST)]
    pub(crate) graph: Option<String>,
    /// Build graph of the good revision
    ///
    /// This option requires a --graph that reads a file.
    #[arg(long, value_name = "FILE", requires = "graph", help_heading = TEST)]
    pub(crate) before: Option<PathBuf>,
    /// Folder of the build tool in the repository
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true, help_heading = TEST)]
    pub(crate) prefix: String,
    /// Order of the ranking [default: probability]
    ///
    /// probability uses the changed files, the name of the test, and the dependencies. The other orders need --graph: suspiciousness (the
    /// number and distance of the targets that a commit touches), size (the number of files), distance (of the closest target), and
    /// changelog (newest first).
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = By::Probability, hide_default_value = true, hide_possible_values = true,
        help_heading = OUTPUT)]
    pub(crate) by: By,
    /// Number of suspects to print [default: 10, all in JSON]
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) most: Option<usize>,
    /// Print text, JSON, or Markdown
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true, help_heading = OUTPUT)]
    format: Option<RankFormat>,
    /// Print JSON, short for --format json
    #[arg(long, conflicts_with = "format", help_heading = OUTPUT)]
    json: bool,
}

/// The formats of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RankFormat {
    /// Plain text
    Text,
    /// JSON (docs/schema/ranking.json)
    Json,
    /// Markdown, for a comment or a job summary
    Markdown,
}

impl RankArgs {
    /// Returns whether the format is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == Some(RankFormat::Json)
    }

    /// Returns whether the format is Markdown.
    pub(crate) fn is_markdown(&self) -> bool {
        self.format == Some(RankFormat::Markdown)
    }
}

/// The order of a ranking. All orders except the probability need `--graph`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Probability by the changed files, the test's name, and its dependencies
    Probability,
    /// With --graph: number and distance of the targets that a commit touches
    Suspiciousness,
    /// With --graph: number of files
    Size,
    /// With --graph: distance of the closest target that a commit touches
    Distance,
    /// With --graph: newest first
    Changelog,
}

impl By {
    /// Returns the name on the command line.
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
