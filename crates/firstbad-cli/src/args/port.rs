//! `firstbad port`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::help::{ADVANCED, OUTPUT, REVISIONS};
use super::test::{DriveArgs, ResumeArgs, ShareArgs};
use super::values::choices;
use super::{FetchArgs, OutputArgs, RepositoryArgs, TestArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct PortArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// With --forward: also run a shell command with and without the fix
    ///
    /// The report says whether the fix changes its outcome.
    #[arg(long, value_name = "COMMAND", hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) also: Option<String>,
    /// Write the patches to DIR
    ///
    /// carried.patch, cause.patch, repair.patch, figure2.patch, and forward.patch.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub(crate) patches: Option<PathBuf>,
    /// Write the figures of the search to DIR
    ///
    /// sizes.svg, reductions.svg, and fixpoint.svg.
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) figures: Option<PathBuf>,
    /// List each tested version and each reduction
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) details: bool,
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

#[derive(Debug, Clone, Args)]
pub(crate) struct WalkArgs {
    /// Revision that fails the test [default: HEAD]
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) start: Option<String>,
    /// Revision that probably passes
    ///
    /// The search moves towards this revision.
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) good: Option<String>,
    /// Oldest revision to test
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) oldest: Option<String>,
    /// Revision to test, newest first (repeatable)
    ///
    /// Without --revision, the search can test every revision.
    #[arg(long, value_name = "REF", hide_short_help = true, help_heading = REVISIONS)]
    pub(crate) revision: Vec<String>,
    /// Port the fix forward to this revision
    #[arg(long, value_name = "REF", help_heading = REVISIONS)]
    pub(crate) forward: Option<String>,
    /// Keep PATH as it is at --start (repeatable)
    #[arg(long, value_name = "PATH", help_heading = REVISIONS)]
    pub(crate) always_keep: Vec<String>,
    /// Search only PATH (repeatable)
    ///
    /// Everything else stays as it is at --start.
    #[arg(long, value_name = "PATH", help_heading = REVISIONS)]
    pub(crate) path: Vec<String>,
    /// When to stop
    ///
    /// `commit` stops once the commit is known. `explanation` also finds what the test needs, the cause, and a fix.
    #[arg(long, value_name = "WHEN", default_value = "explanation", value_parser = choices("port", "until"), hide_possible_values = true,
        help_heading = REVISIONS)]
    pub(crate) until: String,
    /// Order in which the search tests revisions
    #[arg(long, value_name = "HOW", default_value = "gallop", value_parser = choices("port", "walk"), hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) walk: String,
    /// Reduction algorithm for the patches
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices("port", "algorithm"), hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) algorithm: String,
    /// Smallest parts of the patches
    #[arg(long, value_name = "KIND", default_value = "lines", value_parser = choices("port", "granularity"), hide_short_help = true,
        help_heading = ADVANCED)]
    pub(crate) granularity: String,
    /// Reduce patches by lines at once, not by files and hunks first
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) flat: bool,
    /// Continue if a version passes only while its patch is reduced
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) ignore_early_pass: bool,
    /// Also find the result of the paper's Figure 2, with more runs
    #[arg(long, hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) figure2: bool,
    /// Largest number of changes in a carried patch
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) max_patch: Option<usize>,
    /// Time ratio to the run at --start that makes another failure
    #[arg(long, value_name = "FACTOR", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) seconds_factor: Option<f64>,
    /// Memory ratio to the run at --start that makes another failure
    #[arg(long, value_name = "FACTOR", hide_short_help = true, help_heading = ADVANCED)]
    pub(crate) memory_factor: Option<f64>,
}

impl WalkArgs {
    /// Returns the configuration of the search.
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
        put("paths", json!(self.path));
        put("until", json!(self.until));
        put("forward", json!(self.forward));
        put("seconds_factor", json!(self.seconds_factor));
        put("memory_factor", json!(self.memory_factor));
        options
    }
}
