//! The smallest slice of a history.

use std::path::PathBuf;

use clap::Args;
use firstbad_coverage::CoverageFormat;
use serde_json::{Value, json};

use super::test::{DriveArgs, ResumeArgs};
use super::values::choices;
use super::{FetchArgs, OutputArgs, RepositoryArgs, TestArgs};

const DEPENDENCIES: [&str; 4] = ["auto", "hunks", "syntax", "none"];

/// `firstbad slice`.
#[derive(Debug, Clone, Args)]
pub(crate) struct SliceArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    #[command(flatten)]
    pub(crate) search: SlicingArgs,
    /// The folder for the slice as patches that `git am` takes, 0001-....patch and so on; it must not have patches yet
    #[arg(long, value_name = "FOLDER")]
    pub(crate) patches: Option<PathBuf>,
    /// Make a branch of the slice, on top of the base; the name must be new
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// Run the command of a journal that was begun elsewhere: by somebody else, on another machine, or in another folder
    #[arg(long)]
    pub(crate) trust_journal: bool,
    #[command(flatten)]
    pub(crate) test: TestArgs,
    #[command(flatten)]
    pub(crate) drive: DriveArgs,
    #[command(flatten)]
    pub(crate) resume: ResumeArgs,
    #[command(flatten)]
    pub(crate) print: OutputArgs,
}

/// The history, and how to look for a slice of it. Each option but the base needs it: a journal has them all.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SlicingArgs {
    /// The revision before the first change
    #[arg(long, value_name = "REF")]
    pub(crate) base: Option<String>,
    /// The revision with all changes [default: HEAD]
    #[arg(long, value_name = "REF", requires = "base")]
    pub(crate) tip: Option<String>,
    /// A file or folder that counts, from the current folder, or from the top as :/PATH; may be given several times. Without
    /// it, all count
    #[arg(long, value_name = "PATH", requires = "base")]
    pub(crate) path: Vec<String>,
    /// A file or folder, from the current folder, or from the top as :/PATH, that every part of the history has as the tip has
    /// it: the tests; may be given several times
    #[arg(long, value_name = "PATH", requires = "base")]
    pub(crate) tests: Vec<String>,
    /// How finely the history is taken apart
    #[arg(long, value_name = "HOW", requires = "base", default_value = "commit", value_parser = ["commit", "file", "hunk", "definition"])]
    pub(crate) granularity: String,
    /// Which ending of the test is kept: pass, or fail, for which commits together break it
    #[arg(long, value_name = "ENDING", requires = "base", default_value = "pass", value_parser = choices("slice", "keep"))]
    pub(crate) keep: String,
    /// How to look for the slice
    #[arg(long, value_name = "NAME", requires = "base", default_value = "auto", value_parser = choices("slice", "algorithm"))]
    pub(crate) algorithm: String,
    /// Which changes the algorithm definer takes out first
    #[arg(long, value_name = "NAME", requires = "base", default_value = "combined", value_parser = choices("slice", "scheme"))]
    pub(crate) scheme: String,
    /// A commit that may be enough, with others named so; may be given several times
    #[arg(long, value_name = "REF", requires = "base")]
    pub(crate) start: Vec<String>,
    /// A report of what the test runs at the tip, to start with: of lcov, coverage.py (coverage json), Cobertura, the
    /// folder of NODE_V8_COVERAGE, or a JSON object with the lines of each file; may be given several times
    #[arg(long, value_name = "FILE", requires = "base", conflicts_with = "start")]
    pub(crate) coverage: Vec<String>,
    /// How the reports are written [default: their content says it]
    #[arg(long, value_name = "FORMAT", requires = "coverage", value_parser = CoverageFormat::NAMES)]
    pub(crate) coverage_format: Option<String>,
    /// The folder that the reports were made under: an absolute one was the repository's top, on whatever machine; a
    /// relative one is where in the repository their relative paths start
    #[arg(long, value_name = "FOLDER", requires = "coverage")]
    pub(crate) coverage_root: Option<String>,
    /// How far to go
    #[arg(long, value_name = "HOW", requires = "base", default_value = "1-minimal", value_parser = choices("slice", "guarantee"))]
    pub(crate) guarantee: String,
    /// What the choices of the algorithm definer are drawn from
    #[arg(long, value_name = "N", requires = "base", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Do not learn from facts that the test shows which changes matter
    #[arg(long, requires = "base")]
    pub(crate) no_learn: bool,
    /// What changes are thought to rest on, so that parts without it are tried last: what hunks edit, what syntax says of
    /// definitions, auto for both, or none
    #[arg(long, value_name = "HOW", requires = "base", default_value = "auto", value_parser = DEPENDENCIES)]
    pub(crate) dependencies: String,
}

impl SlicingArgs {
    /// The reports, and how they are read.
    fn coverage(&self) -> Value {
        if self.coverage.is_empty() {
            return Value::Null;
        }
        json!({"paths": self.coverage, "format": self.coverage_format, "root": self.coverage_root})
    }

    /// The configuration of the search on top of this base, but for its start.
    pub(crate) fn configuration(&self, base: &str) -> Value {
        let history = json!({
            "base": base,
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
