//! What is printed, as data. Its JSON form is what `--json` prints.

mod asked;
mod cause;
mod known;
mod part;
mod ranked;
mod sliced;

use std::collections::BTreeMap;

use firstbad::regression::{LeafReport, contradiction};
use firstbad::{Commit, Error, Find, Patch, PorterReport, Probe, Report, Status, Target};
use serde::Serialize;

pub use asked::{Asked, Counts};
pub use cause::{Cause, Explained, KnownCause, Place};
pub use known::{Flakiness, Known};
pub use part::{Blame, Point, Reduced, ReducedFile, Verified};
pub use ranked::{About, Judged, Order, Ranked};
pub use sliced::{SliceBranch, Sliced};

use crate::exit::Exit;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// The summary of any search, final or the best so far.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// The version of this form.
    pub schema: u32,
    /// Which search it was: regression, culprit, verification, minimize, isolate, port or slice.
    pub algorithm: String,
    /// Where the search stands.
    pub status: Status,
    /// The exit code that goes with it.
    pub exit_code: i32,
    /// The same in one sentence, for people.
    pub message: String,
    /// What is to be known before one believes the answer, or its cost, in sentences; of a search in a history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The regression points, in the order found; of a regression search.
    pub points: Vec<Point>,
    /// What became of each newer end, in the order given; of a regression search.
    pub leaves: Vec<LeafReport>,
    /// Who is to blame; of a culprit search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// Whether that is right; of a verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What is left; of a reduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Reduced>,
    /// What iterative delta debugging has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ported: Option<Box<PorterReport>>,
    /// The slice of a history that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sliced: Option<Box<Sliced>>,
    /// The results of the searches in submodules that the culprits updated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
    /// How many answers came from the test.
    pub queries: u64,
    /// How long the test took, all answers together, in seconds.
    pub seconds: f64,
    /// How long the run took from its begin to its end, in seconds, all told; `None` if nobody looked at a clock, or if it was
    /// gone on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<f64>,
    /// How many answers of each kind there were, counts of runs included.
    pub outcomes: Counts,
    /// What was tested, in the order first told.
    pub asked: Vec<Asked>,
    /// What is being tested.
    pub in_flight: Vec<Probe>,
    /// What is known of the commits that are named here, by their full shas.
    pub commits: BTreeMap<String, Commit>,
    /// The branches and tags of the newer ends, by their ids.
    pub names: BTreeMap<String, Vec<String>>,
    /// The journal; `None` if none is kept.
    pub journal: Option<String>,
    /// Where the journal knows the test, so that a run can go on by itself: what it needs beside that, as options with a blank
    /// before them, where what stopped it would stop it again.
    #[serde(skip)]
    pub resumes: Option<&'static str>,
    /// Whether the journal is one that the command line finds by itself: that of the last run in the repository.
    #[serde(skip)]
    pub is_last_run: bool,
    /// Whether the reader sits at the command line, whose options can be named in advice.
    #[serde(skip)]
    pub at_command_line: bool,
    /// What a search for regressions was told of a flaky test.
    #[serde(skip)]
    pub flakiness: Flakiness,
    /// The repository; `None` if the history is not from one.
    pub repository: Option<String>,
    /// All of it as programs have it, in every language: what the rest of this was made of.
    pub report: Report,
}

/// The result of a search in a submodule.
#[derive(Debug, Clone, Serialize)]
pub struct Inside {
    /// The path of the submodule.
    pub path: String,
    /// The summary of the search in the submodule.
    pub summary: Summary,
}

impl Summary {
    /// The answer of a search in words, from its report and from what is known beside it.
    ///
    /// # Errors
    /// [`Error::PatchSyntax`] and those of [`Patch::subset`] for an explanation that does not fit.
    pub fn of(report: Report, known: Known) -> Result<Summary, Error> {
        let (asked, status) = (Asked::all(&report), report.status());
        let mut summary = Summary {
            schema: SCHEMA,
            algorithm: report.algorithm().to_owned(),
            status,
            exit_code: Exit::from(status).code(),
            message: report.message().to_owned(),
            warnings: Vec::new(),
            points: Vec::new(),
            leaves: Vec::new(),
            blame: None,
            verified: None,
            reduced: None,
            ported: None,
            sliced: None,
            inside: Vec::new(),
            queries: report.queries(),
            seconds: asked.iter().filter(|one| one.queries > 0).map(|one| one.seconds).sum(),
            waited: None,
            outcomes: asked.iter().map(|one| one.outcomes).sum(),
            asked,
            in_flight: known.in_flight,
            commits: report.commits().cloned().unwrap_or_default(),
            names: BTreeMap::new(),
            journal: known.journal,
            resumes: known.resumes.then_some(""),
            is_last_run: known.is_last_run,
            at_command_line: known.at_command_line,
            flakiness: known.flakiness,
            repository: known.repository,
            report: report.clone(),
        };
        match report {
            Report::Regression(report) => {
                summary.warnings = report.warnings;
                summary.leaves = report.leaves;
                summary.points =
                    report.points.into_iter().map(|point| Point::of(point, &summary.leaves, &report.why)).collect();
                summary.names = report.names;
                summary.explain(&known.causes)?;
            }
            Report::Culprit(mut report) => {
                summary.warnings = std::mem::take(&mut report.warnings);
                summary.blame = Some(Blame::of(report));
            }
            Report::Verification(report) => summary.verified = Some(Verified::of(report)),
            Report::Minimize(report) => summary.reduced = Some(Reduced::minimized(report, known.items, known.text)),
            Report::Isolate(report) => summary.reduced = Some(Reduced::isolated(report, known.items, known.text)),
            Report::Port(mut report) => {
                // They are among what was asked, and it has the commits above.
                report.observations.clear();
                report.commits.clear();
                summary.ported = Some(report);
            }
            Report::Slice(mut report) => {
                report.observations.clear();
                report.commits.clear();
                summary.sliced = Some(Box::new(Sliced::of(*report, known.history)));
            }
        }
        Ok(summary)
    }

    /// Puts in the causes that were found, parallel to the points.
    fn explain(&mut self, causes: &[Option<KnownCause>]) -> Result<(), Error> {
        for (point, known) in self.points.iter_mut().zip(causes) {
            match known {
                Some(KnownCause::Explained(Explained { report, patch })) => {
                    point.cause = Some(Cause::of(report, &Patch::parse(patch.as_bytes())?, point.find, None)?);
                }
                Some(KnownCause::Read { cause }) => point.cause = Some(cause.clone()),
                Some(KnownCause::Without { no_cause }) => point.no_cause = Some(no_cause.clone()),
                None => {}
            }
        }
        Ok(())
    }

    /// Says something else than the search did, because more is known by now.
    pub fn say(&mut self, message: &str) {
        message.clone_into(&mut self.message);
        self.report.set_message(message);
    }

    /// Checks the points against their causes. If a good revision fails without any of the changes, its point is
    /// contradicted.
    pub fn weigh_causes(&mut self) {
        let is_contradicted = |point: &&mut Point| point.cause.as_ref().is_some_and(Cause::contradicts);
        let mut words = Vec::new();
        for point in self.points.iter_mut().filter(is_contradicted) {
            point.confirmed = false;
            words.extend(point.good.as_deref().map(contradiction));
        }
        if !words.is_empty() {
            self.say(&words.join("; "));
            self.status = Status::Contradictory;
            self.exit_code = self.exit().code();
        }
    }

    /// The exit that goes with the answer.
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::from(self.status)
    }

    /// The paths that the history was simplified to; empty: all commits were looked at.
    pub(crate) fn paths(&self) -> &[String] {
        match &self.report {
            Report::Regression(report) => &report.paths,
            _ => &[],
        }
    }

    /// Whether only first parents were followed.
    pub(crate) fn follows_first_parents(&self) -> bool {
        matches!(&self.report, Report::Regression(report) if report.first_parent)
    }

    /// Which change is sought.
    #[must_use]
    pub fn find(&self) -> Find {
        match &self.report {
            Report::Regression(report) => report.find,
            _ => self.points.first().map(|point| point.find).unwrap_or_default(),
        }
    }

    /// What was seen of a revision; `None` if nothing was.
    pub(crate) fn seen_of(&self, revision: &str) -> Option<&Asked> {
        self.asked.iter().find(|one| one.target == Target::from(revision))
    }
}
