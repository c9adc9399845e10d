//! Iterative delta debugging.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::test::{DriveArgs, ResumeArgs};
use super::values::choices;
use super::{FetchArgs, OutputArgs, RepositoryArgs, TestArgs};

/// `firstbad port`.
#[derive(Debug, Clone, Args)]
pub(crate) struct PortArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    /// With --forward: a shell command to run there, without the fix and with it, to see what else it breaks
    #[arg(long, value_name = "COMMAND")]
    pub(crate) also: Option<String>,
    /// The folder for the patches that are found: carried.patch, cause.patch, repair.patch, figure2.patch, forward.patch
    #[arg(long, value_name = "FOLDER")]
    pub(crate) patches: Option<PathBuf>,
    /// The folder for figures of the walk: sizes.svg, reductions.svg, fixpoint.svg
    #[arg(long, value_name = "FOLDER")]
    pub(crate) figures: Option<PathBuf>,
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

/// Where a search for a good version starts, and how it goes on.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct WalkArgs {
    /// The revision at which the test fails [default: HEAD]
    #[arg(long, value_name = "REF")]
    pub(crate) start: Option<String>,
    /// A revision that is thought to pass: the walk goes towards it
    #[arg(long, value_name = "REF")]
    pub(crate) good: Option<String>,
    /// The oldest revision to look at
    #[arg(long, value_name = "REF")]
    pub(crate) oldest: Option<String>,
    /// A revision to look at, newest first; may be given several times. Without it, all on the way
    #[arg(long, value_name = "REF")]
    pub(crate) revision: Vec<String>,
    /// How to go from revision to revision
    #[arg(long, value_name = "HOW", default_value = "gallop", value_parser = choices("port", "walk"))]
    pub(crate) walk: String,
    /// How to reduce patches
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices("port", "algorithm"))]
    pub(crate) algorithm: String,
    /// How finely patches are taken apart
    #[arg(long, value_name = "HOW", default_value = "lines", value_parser = choices("port", "granularity"))]
    pub(crate) granularity: String,
    /// Take patches apart at once to lines, not files and blocks first
    #[arg(long)]
    pub(crate) flat: bool,
    /// Go on where a version passes only while a patch for it is reduced
    #[arg(long)]
    pub(crate) ignore_early_pass: bool,
    /// Also find the paper's own answer (Figure 2), which takes further runs
    #[arg(long)]
    pub(crate) figure2: bool,
    /// The most changes that a carried patch may have
    #[arg(long, value_name = "N")]
    pub(crate) max_patch: Option<usize>,
    /// A file or folder that every version has as the start has it; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) always_keep: Vec<String>,
    /// The revision to bring the fix forward to
    #[arg(long, value_name = "REF")]
    pub(crate) forward: Option<String>,
    /// A test so many times as slow or as quick as at the start fails in another way
    #[arg(long, value_name = "FACTOR")]
    pub(crate) seconds_factor: Option<f64>,
    /// A test that takes so many times as much or as little memory as at the start fails in another way
    #[arg(long, value_name = "FACTOR")]
    pub(crate) memory_factor: Option<f64>,
}

impl WalkArgs {
    /// The configuration of the search.
    pub(crate) fn configuration(&self) -> Map<String, Value> {
        let mut options = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                options.insert(name.to_owned(), value);
            }
        };
        put("start", json!(self.start.as_deref().unwrap_or("HEAD")));
        put("good", json!(self.good.iter().collect::<Vec<_>>()));
        put("oldest", json!(self.oldest));
        put("revisions", json!((!self.revision.is_empty()).then_some(&self.revision)));
        put("walk", json!(self.walk));
        put("algorithm", json!(self.algorithm));
        put("granularity", json!(self.granularity));
        put("hierarchical", json!(!self.flat));
        put("early_pass", json!(!self.ignore_early_pass));
        put("figure2", json!(self.figure2));
        put("max_patch", json!(self.max_patch));
        put("always_keep", json!(self.always_keep));
        put("forward", json!(self.forward));
        put("seconds_factor", json!(self.seconds_factor));
        put("memory_factor", json!(self.memory_factor));
        options
    }
}
