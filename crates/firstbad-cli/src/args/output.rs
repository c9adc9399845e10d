//! The format of a result.

use clap::{Args, ValueEnum};
use firstbad::Error;
use firstbad_report::Form;

use super::help::OUTPUT;

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Plain text
    Text,
    /// JSON (docs/schema/report.json)
    Json,
    /// Markdown, for a comment or a job summary
    Markdown,
    /// A page with pictures that needs no other file
    Html,
    /// Annotations of GitHub Actions
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// JUnit XML with the verdicts of a triage
    Junit,
    /// A log for `git bisect replay`
    BisectLog,
}

/// The formats of a status, a ranking, or the steps of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    /// Plain text
    Text,
    /// JSON
    Json,
}

/// How the report of a triage looks.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct NotifyArgs {
    /// In the Markdown of a triage, mention the people of each culprit
    ///
    /// GitHub and GitLab notify them. firstbad mentions only the people of culprits that reach --confidence.
    #[arg(long, hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) mention: bool,
}

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct OutputArgs {
    /// Format of the result, such as json or markdown
    ///
    /// text, json (docs/schema/report.json), markdown, html (a page with pictures that needs no other file), github (annotations of
    /// GitHub Actions), gitlab (a Code Quality report), junit (JUnit XML with the verdicts of a triage), or bisect-log (for `git bisect
    /// replay`).
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true, help_heading = OUTPUT)]
    format: Option<Format>,
    /// Print the result as JSON, short for --format json
    #[arg(long, conflicts_with = "format", hide_short_help = true, help_heading = OUTPUT)]
    json: bool,
    /// Print no progress
    #[arg(long, short, hide_short_help = true, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

impl OutputArgs {
    /// Returns the options that print JSON, or plain text.
    pub(crate) fn json(json: bool) -> OutputArgs {
        OutputArgs { json, ..OutputArgs::default() }
    }

    /// Returns whether the format is JUnit XML.
    pub(crate) fn is_junit(&self) -> bool {
        self.format == Some(Format::Junit)
    }

    /// Returns the format, or `None` for an HTML page and for JUnit XML.
    pub(crate) fn form(&self) -> Option<Form> {
        match self.format {
            _ if self.json => Some(Form::Json),
            Some(Format::Json) => Some(Form::Json),
            Some(Format::Markdown) => Some(Form::Markdown),
            Some(Format::Github) => Some(Form::Github),
            Some(Format::Gitlab) => Some(Form::Gitlab),
            Some(Format::BisectLog) => Some(Form::BisectLog),
            Some(Format::Html | Format::Junit) => None,
            Some(Format::Text) | None => Some(Form::Text),
        }
    }

    /// Returns whether the format is another one than plain text.
    pub(crate) fn is_formatted(&self) -> bool {
        self.form() != Some(Form::Text)
    }

    /// Refuses `--format bisect-log` for a command whose search is not a regression search.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `--format bisect-log`.
    pub(crate) fn without_bisect_log(&self, command: &str) -> Result<(), Error> {
        match self.format {
            Some(Format::BisectLog) => Err(Error::invalid(
                "--format",
                "bisect-log",
                format!("another format: {command} tests no revisions alone"),
            )),
            _ => Ok(()),
        }
    }
}
