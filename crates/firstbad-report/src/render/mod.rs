//! Results as text for a terminal, as Markdown, as annotations, and as JSON.
//!
//! Subjects, authors, names, and notes are untrusted. A [`Style`] escapes everything in them that a terminal, Markdown, HTML, or
//! the log of a CI service would interpret.

mod annotations;
mod bisect_log;
mod change;
mod code_quality;
mod json;
mod markdown;
mod next;
mod ranking;
mod story;
#[cfg(test)]
mod tests;
mod text;
mod triage;

use std::str::FromStr;

use firstbad::{Error, MinimizeReport, Patch, Report, Spelling, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use ranking::ranking;
pub use story::share;
pub use triage::junit;

use self::story::StoryWriter;
use crate::card;
use crate::rows::rows;
use crate::style::{Plain, Style as _};
use crate::summary::{Asked, CauseOfPoint, Known, KnownCause, Summary};

/// The format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Lines of text, for a terminal or a log.
    Text,
    /// Markdown for a comment or a job summary of GitHub or GitLab.
    Markdown,
    /// A JSON object on several lines (`docs/schema/report.json`).
    Json,
    /// Commands that a runner of GitHub Actions turns into annotations, one on each line.
    Github,
    /// A report of GitLab's Code Quality, as a JSON array.
    Gitlab,
    /// A `git bisect log` of a search for regressions, for `git bisect replay`.
    BisectLog,
    /// The observations as [`rows`](crate::rows) of a table, as a JSON array.
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
    /// Renders the result in a format. JSON has tokens for options, and other formats have the spelling of the front end.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a bisect log, if the search is not for regressions.
    pub fn in_form(&self, form: Form) -> Result<String, Error> {
        let spelled = (form != Form::Json).then(|| {
            let mut summary = self.clone();
            summary.spell();
            summary
        });
        spelled.as_ref().unwrap_or(self).written(form)
    }

    /// Returns whether the text form is an error with the last failure of this revision.
    #[must_use]
    pub fn shows_failure(&self, one: &Asked) -> bool {
        let detail = one.failure.as_deref().and_then(|failure| Some(Plain.words(failure.split_once(": ")?.1)));
        let story = StoryWriter { summary: self, style: &Plain }.stories().into_iter().next();
        story.filter(|story| story.is_error).zip(detail).is_some_and(|(story, detail)| {
            let outputs = story.details.iter().filter(|(label, _)| *label == "output");
            !detail.is_empty() && outputs.map(|(_, words)| words).any(|words| words.ends_with(&detail))
        })
    }

    fn spell(&mut self) {
        self.report.spell(self.spelling);
        self.inside.iter_mut().for_each(|inside| inside.summary.spell());
    }

    fn written(&self, form: Form) -> Result<String, Error> {
        if let Report::Change(report) = &self.report {
            match form {
                Form::Text => return Ok(change::text(self, report)),
                Form::Markdown => return Ok(change::markdown(self, report)),
                Form::Github => return Ok(change::annotations(self, report)),
                Form::Gitlab => return change::code_quality(self, report),
                Form::Json | Form::BisectLog | Form::Rows => {}
            }
        }
        match (form, self.triage()) {
            (Form::Text, Some(report)) => Ok(triage::text(self, report)),
            (Form::Text, None) => Ok(text::render(self)),
            (Form::Markdown, Some(report)) => Ok(triage::markdown(self, report)),
            (Form::Markdown, None) => Ok(markdown::render(self)),
            (Form::Github, Some(report)) => Ok(triage::annotations(self, report)),
            (Form::Github, None) => Ok(annotations::render(self)),
            (Form::Gitlab, Some(report)) => triage::code_quality(self, report),
            (Form::Gitlab, None) => code_quality::render(self),
            (Form::Json, _) => json::render(self),
            (Form::BisectLog, _) => bisect_log::render(self),
            (Form::Rows, _) => {
                serde_json::to_string(&rows(&self.report)).map_err(|error| Error::internal("rows", &error))
            }
        }
    }
}

/// The fields that [`Summary`] adds to the JSON form of a report.
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

/// Reads the report of an algorithm from its own JSON form or from [`Form::Json`], and returns it as JSON of the core.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not such a report, or if it is from another algorithm.
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

/// The cause of one point, read from [`Form::Json`].
#[derive(Debug, Clone, Serialize)]
pub struct ReadCause {
    /// The cause, for [`Known::causes`].
    pub known: KnownCause,
    /// The report of the search for the cause, or `None` if the point has no cause.
    pub report: Option<MinimizeReport>,
    /// The reduced patch of the point, or `None` if the point has no cause.
    pub patch: Option<String>,
}

/// Reads the causes of the points from [`Form::Json`], parallel to the points. Empty if the text has no causes.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not JSON, or if a cause is invalid.
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

/// Renders the report of an algorithm in the format `form`, with options in `spelling`. The report and the [`Known`] facts are
/// JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] if the format, the algorithm, or the JSON is invalid, and the errors of [`Summary::of`].
pub fn in_form(algorithm: &str, report: &str, known: &str, form: &str, spelling: Spelling) -> Result<String, Error> {
    let form: Form = form.parse()?;
    summary_of(algorithm, report, known, spelling)?.in_form(form)
}
