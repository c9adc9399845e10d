//! Weights learned from culprits of the past.

use std::path::PathBuf;

use clap::Args;

use super::{FetchArgs, RepositoryArgs};

/// `firstbad fit`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FitArgs {
    #[command(flatten)]
    pub(crate) repository: RepositoryArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// The history whose messages name culprits: lines like "Fixes: <sha>", words like "a regression in <sha>", reverts that
    /// change a test
    #[arg(long, value_name = "REF", default_value = "HEAD")]
    pub(crate) tip: String,
    /// Culprits that are known, instead: a JSON file with a list of {"culprit": REF, "good": [REF], "bad": REF, "test":
    /// [NAME]}; test may be left out
    #[arg(long, value_name = "FILE")]
    pub(crate) culprits: Option<PathBuf>,
    /// Outcomes that runs have shared through this file, too: commits of that history that fail where all their parents pass
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Print the weights as JSON (docs/schema/fit.json): a file for --weights of run, init and rank
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}
