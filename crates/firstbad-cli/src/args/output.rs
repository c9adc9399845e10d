//! How the answer is printed.

use clap::Args;
use firstbad::Error;

/// How the answer is printed; plain text by default.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print the answer as JSON (docs/schema/report.json)
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the answer as Markdown, for a comment or a job summary
    #[arg(long, group = "format")]
    pub(crate) markdown: bool,
    /// Print the answer as a page that needs no other file, with pictures: what notebooks show
    #[arg(long, group = "format")]
    pub(crate) html: bool,
    /// Print the answer as annotations of GitHub Actions
    #[arg(long, group = "format")]
    pub(crate) github_annotations: bool,
    /// Print the answer as annotations of GitLab: a report of its Code Quality
    #[arg(long, group = "format")]
    pub(crate) gitlab_annotations: bool,
    /// Print what was seen as a `git bisect log`, which `git bisect replay` goes on with
    #[arg(long, group = "format")]
    pub(crate) bisect_log: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl OutputArgs {
    /// Whether the answer is printed as anything but plain text.
    pub(crate) fn is_formatted(&self) -> bool {
        self.bisect_log || self.json || self.markdown || self.html || self.github_annotations || self.gitlab_annotations
    }

    /// Refuses what only a search for a regression can be printed as, before another one has asked anything.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`].
    pub(crate) fn without_bisect_log(&self, command: &str) -> Result<(), Error> {
        match self.bisect_log {
            true => Err(Error::invalid(
                "--bisect-log",
                command,
                "firstbad run: git bisect knows answers of revisions alone",
            )),
            false => Ok(()),
        }
    }
}
