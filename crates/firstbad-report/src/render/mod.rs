//! An answer in words: for a terminal, as Markdown, as annotations, or as JSON.
//!
//! What commits, branches and tests say (subjects, authors, names, notes) was written by anybody. It goes through a
//! [`Style`], which takes away whatever could mean something to the reader of the output: terminals, Markdown and HTML,
//! and the commands that CI services read from logs.

mod annotations;
mod bisect_log;
mod code_quality;
mod json;
mod markdown;
mod next;
mod ranking;
mod story;
mod style;
#[cfg(test)]
mod tests;
mod text;

use std::str::FromStr;

use firstbad::{Error, MinimizeReport, Patch, Report, Spelling, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use ranking::ranking;
pub use story::share;
pub use style::plain;

use crate::card;
use crate::rows::rows;
use crate::summary::{CauseOfPoint, Known, KnownCause, Summary};

/// A form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Lines of text, for a terminal or a log.
    Text,
    /// Markdown as GitHub and GitLab show it, for a comment or a job summary.
    Markdown,
    /// One JSON object on several lines: `docs/schema/report.json`.
    Json,
    /// Commands to a runner of GitHub Actions, one on each line, which makes annotations of them.
    Github,
    /// A report of GitLab's Code Quality: a JSON array.
    Gitlab,
    /// A `git bisect log`, which `git bisect replay` goes on with; of a search for regressions.
    BisectLog,
    /// The answers of the test as [`rows`](crate::rows) of a table: a JSON array.
    Rows,
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(name: &str) -> Result<Form, Error> {
        match name {
            "text" => Ok(Form::Text),
            "markdown" => Ok(Form::Markdown),
            "json" => Ok(Form::Json),
            "github" => Ok(Form::Github),
            "gitlab" => Ok(Form::Gitlab),
            "bisect_log" => Ok(Form::BisectLog),
            "rows" => Ok(Form::Rows),
            _ => Err(Error::invalid("form", name, "\"github\" or \"gitlab\"")),
        }
    }
}

impl Summary {
    /// The answer in this form. JSON has a token for each option, every other form the spelling of the front end.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a bisect log of another search than one for regressions.
    pub fn in_form(&self, form: Form) -> Result<String, Error> {
        let spelled = (form != Form::Json).then(|| {
            let mut summary = self.clone();
            summary.spell();
            summary
        });
        spelled.as_ref().unwrap_or(self).written(form)
    }

    fn spell(&mut self) {
        self.report.spell(self.spelling);
        self.inside.iter_mut().for_each(|inside| inside.summary.spell());
    }

    fn written(&self, form: Form) -> Result<String, Error> {
        match form {
            Form::Text => Ok(text::render(self)),
            Form::Markdown => Ok(markdown::render(self)),
            Form::Json => json::render(self),
            Form::Github => Ok(annotations::render(self)),
            Form::Gitlab => code_quality::render(self),
            Form::BisectLog => bisect_log::render(self),
            Form::Rows => serde_json::to_string(&rows(&self.report)).map_err(|error| Error::internal("rows", &error)),
        }
    }
}

/// The fields of [`Summary`] in JSON that are not the report's.
const BESIDE: [&str; 12] = [
    "schema",
    "algorithm",
    "exit_code",
    "causes",
    "reduced",
    "slice",
    "inside",
    "run_seconds",
    "waited",
    "in_flight",
    "journal",
    "repository",
];

/// The report of this algorithm, as the core writes it, in a JSON text: one that the core wrote, or an answer as
/// [`Form::Json`] has it.
///
/// # Errors
/// [`Error::InvalidArgument`] for a text that is neither, or is about another algorithm.
pub fn read(algorithm: &str, text: &str) -> Result<String, Error> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::invalid("text", error.to_string(), format!("a report of the algorithm {algorithm:?}, as JSON"))
    };
    let mut given: Value = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    if let Value::Object(fields) = &mut given
        && fields.contains_key("schema")
    {
        if let Some(other) = fields.get("algorithm").filter(|other| *other != algorithm) {
            return Err(wrong(&format!("a report of the algorithm {other}")));
        }
        BESIDE.iter().for_each(|name| drop(fields.remove(*name)));
    }
    let report = Report::from_json(algorithm, &given.to_string())?;
    serde_json::to_string(&report).map_err(|error| Error::internal("a report", &error))
}

/// What an answer in the form "json" says of the cause of one point.
#[derive(Debug, Clone, Serialize)]
pub struct ReadCause {
    /// What there is to tell of it: [`Known::causes`].
    pub known: KnownCause,
    /// The report of the search for the cause, or `None` if the point has no cause.
    pub report: Option<MinimizeReport>,
    /// The part of the point's patch that is left; `None` if there is no cause.
    pub patch: Option<String>,
}

/// The causes of the points of a search for regressions in a JSON text, parallel to the points; empty if an answer in the form
/// [`Form::Json`] says nothing of them.
///
/// # Errors
/// [`Error::InvalidArgument`] for a text that is no JSON, or says of a cause what cannot be.
pub fn read_causes(text: &str) -> Result<Vec<Option<ReadCause>>, Error> {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(default)]
        causes: Vec<CauseOfPoint>,
    }
    let Answer { causes } = firstbad::json::read(text)
        .map_err(|error| Error::invalid("text", error.to_string(), "a report with its causes, as JSON"))?;
    let read = |found: CauseOfPoint| {
        (found != CauseOfPoint::default()).then(|| ReadCause {
            report: found.cause.as_ref().map(|cause| cause.report.clone()),
            patch: found.cause.as_ref().map(|cause| cause.patch.clone()),
            known: KnownCause::Read(found),
        })
    };
    Ok(causes.into_iter().map(read).collect())
}

/// Renders a card for each cause that was found, as HTML. The card shows which lines of the commit matter.
///
/// # Errors
/// The errors of [`Patch::parse`], if the patch of a cause is malformed.
pub fn cause_cards(summary: &Summary) -> Result<Vec<String>, Error> {
    let points = summary.points().iter().enumerate();
    let causes = points.filter_map(|(place, point)| Some((point, summary.cause(place)?)));
    let cards = causes.filter(|(_, cause)| cause.report.status != Status::NotReproduced).map(|(point, cause)| {
        let part = Patch::parse(cause.patch.as_bytes())?;
        let items = card::Items::Cause { commit: point.newer(), all: cause.changes, part: &part };
        Ok(card::reduction(&Report::Minimize(cause.report.clone()), items))
    });
    cards.collect()
}

/// Renders the [cards](cause_cards) of the causes as one text. Takes the report of this algorithm and the [`Known`]
/// details, both as JSON.
///
/// # Errors
/// The errors of [`in_form`] and [`cause_cards`].
pub fn cards_of_causes(algorithm: &str, report: &str, known: &str) -> Result<String, Error> {
    Ok(cause_cards(&summary_of(algorithm, report, known, Spelling::default())?)?.concat())
}

fn summary_of(algorithm: &str, report: &str, known: &str, spelling: Spelling) -> Result<Summary, Error> {
    let report = Report::from_json(algorithm, report)?;
    let known: Known = firstbad::json::read(known)
        .map_err(|error| Error::invalid("known", error.to_string(), "the facts of a front end about a search"))?;
    Summary::of(report, Known { spelling, ..known })
}

/// A report of this algorithm in the form with this name, for a front end that writes options in this spelling. The report is
/// JSON, and so is what is [`Known`] beside it.
///
/// # Errors
/// [`Error::InvalidArgument`] for a form, an algorithm or JSON that is none; those of [`Summary::of`].
pub fn in_form(algorithm: &str, report: &str, known: &str, form: &str, spelling: Spelling) -> Result<String, Error> {
    let form: Form = form.parse()?;
    summary_of(algorithm, report, known, spelling)?.in_form(form)
}
