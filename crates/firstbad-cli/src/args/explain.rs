//! `firstbad explain`.

use clap::Args;

use super::help::{LIMITS, REVISIONS, SAVING, TEST};
use super::test::BudgetArgs;
use super::values::jobs;
use super::{FetchArgs, OutputArgs, ReadArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) at: ReadArgs,
    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
    /// Explain the culprit with this id
    ///
    /// For a triage, the default is the culprit with the most tests.
    #[arg(long, value_name = "SHA", conflicts_with = "point", help_heading = REVISIONS)]
    pub(crate) culprit: Option<String>,
    /// Explain the culprit with this number, from 0
    #[arg(long, value_name = "N", help_heading = REVISIONS)]
    pub(crate) point: Option<usize>,
    /// The test, if the journal has none
    ///
    /// A search that is driven with ask and tell can have no test command.
    #[arg(last = true, value_name = "COMMAND", help_heading = TEST)]
    pub(crate) command: Vec<String>,
    /// Number of tests to run in parallel
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = LIMITS)]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Run the command of a journal that was started elsewhere
    ///
    /// A journal contains the command to run. By default, firstbad runs it only if you started the journal in this folder on this machine.
    #[arg(long, help_heading = SAVING)]
    pub(crate) trust_journal: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
