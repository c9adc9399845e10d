//! `firstbad slice`.

use std::path::PathBuf;

use clap::Args;
use firstbad_coverage::CoverageFormat;
use serde_json::{Value, json};

use super::help::{ADVANCED, OUTCOMES, OUTPUT, REVISIONS};
use super::test::{DriveArgs, ResumeArgs, ShareArgs};
use super::values::choices;
use super::{FetchArgs, OutputArgs, RepositoryArgs, TestArgs};

const DEPENDENCIES: [&str; 4] = ["auto", "hunks", "syntax", "none"];

#[derive(Debug, Clone, Args)]
pub(crate) struct SliceArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) search: SlicingArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Write the slice to DIR as patches for `git am`
    ///
    /// DIR must not contain patches.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub(crate) patches: Option<PathBuf>,
    /// Create a branch with the slice
    ///
    /// The branch starts at --base or --onto.
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub(crate) branch: Option<String>,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) share: ShareArgs,
    #[command(flatten)]
    pub(crate) print: OutputArgs,
}

/// The history to slice. Each option requires `--base` or `--onto`, because a journal already has the options.
#[derive(Debug, Clone, Args)]
pub(crate) struct SlicingArgs {
    /// Revision before the first change
    #[arg(long, value_name = "REF", group = "history", help_heading = REVISIONS)]
    pub(crate) base: Option<String>,
    /// Find the commits that --tip needs on branch REF
    ///
    /// Sets of commits are applied to REF, and every set contains --tip. Commits that REF already has are left out, by patch-id or by a
    /// line of `git cherry-pick -x`. The exit code is 0 if --tip passes alone, and 10 if it needs other commits.
    #[arg(long, value_name = "REF", group = "history", help_heading = REVISIONS)]
    pub(crate) onto: Option<String>,
    /// Revision with all changes [default: HEAD]
    #[arg(long, value_name = "REF", requires = "history", help_heading = REVISIONS)]
    pub(crate) tip: Option<String>,
    /// Consider only changes of PATH (repeatable)
    ///
    /// PATH is relative to the current folder. `:/PATH` is relative to the top of the repository.
    #[arg(long, value_name = "PATH", requires = "history", help_heading = REVISIONS)]
    pub(crate) path: Vec<String>,
    /// Keep PATH as it is at --tip: the tests (repeatable)
    ///
    /// PATH is relative to the current folder. `:/PATH` is relative to the top of the repository.
    #[arg(long, value_name = "PATH", requires = "history", help_heading = REVISIONS)]
    pub(crate) tests: Vec<String>,
    /// Parts of the history [default: commit]
    #[arg(long, value_name = "KIND", requires = "history", default_value = "commit", value_parser = ["commit", "file", "hunk", "definition"],
        hide_default_value = true, hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) granularity: String,
    /// Outcome to keep
    ///
    /// `pass` finds the commits that a feature needs. `fail` finds the commits that together break the test.
    #[arg(long, value_name = "OUTCOME", requires = "history", default_value = "pass", value_parser = choices("slice", "keep"),
        hide_possible_values = true, help_heading = OUTCOMES)]
    pub(crate) keep: String,
    /// Slicing algorithm
    #[arg(long, value_name = "NAME", requires = "history", default_value = "auto", value_parser = choices("slice", "algorithm"),
        hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) algorithm: String,
    /// Changes that the algorithm `definer` removes first
    #[arg(long, value_name = "NAME", requires = "history", default_value = "combined", value_parser = choices("slice", "scheme"),
        hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) scheme: String,
    /// Commit of an initial slice (repeatable)
    #[arg(long, value_name = "REF", requires = "history", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) start: Vec<String>,
    /// Start with the changes in a coverage report (repeatable)
    ///
    /// FILE is a report of lcov, coverage.py (`coverage json`), or Cobertura, the folder of NODE_V8_COVERAGE, or a JSON object with the
    /// lines of each file. The report must be of the test at --tip.
    #[arg(long, value_name = "FILE", requires = "history", conflicts_with = "start", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) coverage: Vec<String>,
    /// Format of the coverage reports [default: detected]
    #[arg(long, value_name = "FORMAT", requires = "coverage", value_parser = CoverageFormat::NAMES, hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) coverage_format: Option<String>,
    /// Folder in which the coverage reports were made
    ///
    /// An absolute DIR was the top of the repository, on any machine. A relative DIR is the folder of the repository to which the
    /// reports' paths are relative.
    #[arg(long, value_name = "DIR", requires = "coverage", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) coverage_root: Option<String>,
    /// Guarantee of the result
    #[arg(long, value_name = "HOW", requires = "history", default_value = "1-minimal", value_parser = choices("slice", "guarantee"),
        hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) guarantee: String,
    /// Seed of the random choices of the algorithm `definer`
    #[arg(long, value_name = "N", requires = "history", default_value_t = 0, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) seed: u64,
    /// Do not learn from the test's facts which changes matter
    #[arg(long, requires = "history", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) no_learn: bool,
    /// Dependencies between changes
    ///
    /// `hunks` uses the lines that changes edit, `syntax` uses definitions, and `auto` uses both. Parts of the history that lack a
    /// dependency are tested last.
    #[arg(long, value_name = "HOW", requires = "history", default_value = "auto", value_parser = DEPENDENCIES, hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) dependencies: String,
}

impl SlicingArgs {
    /// Returns the coverage reports and their format.
    fn coverage(&self) -> Value {
        if self.coverage.is_empty() {
            return Value::Null;
        }
        json!({"paths": self.coverage, "format": self.coverage_format, "root": self.coverage_root})
    }

    /// Returns whether a history is given.
    pub(crate) fn is_given(&self) -> bool {
        self.base.is_some() || self.onto.is_some()
    }

    /// Returns the configuration of the search without its start.
    pub(crate) fn configuration(&self) -> Value {
        let history = json!({
            "base": self.base.as_deref().unwrap_or_default(),
            "onto": self.onto,
            "tip": self.tip.as_deref().unwrap_or("HEAD"),
            "paths": self.path,
            "tests": self.tests,
            "granularity": self.granularity,
        });
        json!({
            "history": history,
            "keep": self.keep,
            "algorithm": self.algorithm,
            "scheme": self.scheme,
            "guarantee": self.guarantee,
            "seed": self.seed,
            "learn": !self.no_learn,
            "dependencies": self.dependencies,
            "coverage": self.coverage(),
        })
    }
}
