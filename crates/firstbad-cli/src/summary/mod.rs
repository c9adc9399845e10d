//! What is printed, as data. Its JSON form is what `--json` prints.

mod asked;
mod cause;
mod kept_cause;
mod part;
mod ranked;
mod sliced;

use std::collections::BTreeMap;
use std::path::Path;

use firstbad::regression::LeafReport;
use firstbad::{Commit, Error, Find, PorterReport, Probe, Report, Search as _, SlicedHistory, Status, World};
use firstbad_git::Repository;
use firstbad_journal::Session;
use serde::Serialize;

pub(crate) use asked::{Asked, Counts};
pub(crate) use cause::Cause;
pub(crate) use kept_cause::cause_journal;
use kept_cause::kept_cause;
pub(crate) use part::{Blame, Point, Reduced, Verified};
pub(crate) use ranked::{About, Judged, Order, Ranked};
pub(crate) use sliced::{SliceBranch, Sliced, parts};

use crate::exit::Exit;
use crate::streams;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// The summary of any search, final or the best so far.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    /// The version of this form.
    pub(crate) schema: u32,
    /// Which search it was: regression, culprit, verification, minimize, isolate, port or slice.
    pub(crate) algorithm: String,
    /// Where the search stands.
    pub(crate) status: Status,
    /// The exit code that goes with it.
    pub(crate) exit_code: i32,
    /// The same in one sentence, for people.
    pub(crate) message: String,
    /// What is to be known before one believes the answer, or its cost, in sentences; of a search in a history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
    /// The regression points, in the order found; of a regression search.
    pub(crate) points: Vec<Point>,
    /// What became of each newer end, in the order given; of a regression search.
    pub(crate) leaves: Vec<LeafReport>,
    /// Who is to blame; of a culprit search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blame: Option<Blame>,
    /// Whether that is right; of a verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verified: Option<Verified>,
    /// What is left; of a reduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reduced: Option<Reduced>,
    /// What iterative delta debugging has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ported: Option<Box<PorterReport>>,
    /// The slice of a history that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sliced: Option<Box<Sliced>>,
    /// How many answers came from the test.
    pub(crate) queries: u64,
    /// How long the test took, all answers together, in seconds.
    pub(crate) seconds: f64,
    /// How many answers of each kind there were, counts of runs included.
    pub(crate) outcomes: Counts,
    /// What was tested, in the order first told.
    pub(crate) asked: Vec<Asked>,
    /// What is being tested.
    pub(crate) in_flight: Vec<Probe>,
    /// What is known of the commits that are named here, by their full shas.
    pub(crate) commits: BTreeMap<String, Commit>,
    /// The branches and tags of the newer ends, by their ids.
    pub(crate) names: BTreeMap<String, Vec<String>>,
    /// The journal; `None` if none is kept.
    pub(crate) journal: Option<String>,
    /// Whether the journal knows the test, so that a run can go on by itself.
    #[serde(skip)]
    pub(crate) resumes: bool,
    /// The repository; `None` if the history is not from one.
    pub(crate) repository: Option<String>,
}

impl Summary {
    /// The answer as it stands. With a repository, commits are described.
    ///
    /// # Errors
    /// [`Error::Git`] where the repository cannot say what its commits are; [`Error::Io`] for a report of another form.
    pub(crate) fn of(session: &Session, repository: Option<&Repository>) -> Result<Summary, Error> {
        let mut report = Report::of(session.inspect())?;
        let history = SlicedHistory::from_options(&session.inspect().configuration()?).ok();
        if let Some(repository) = repository {
            firstbad_git::describe(&mut report, repository.path(), history.as_ref());
        }
        if let World::History(graph) = session.inspect().world() {
            firstbad_git::name_ends(&mut report, &graph);
        }
        let asked = Asked::all(&report);
        let status = session.status();
        let mut summary = Summary {
            schema: SCHEMA,
            algorithm: session.inspect().algorithm().to_owned(),
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
            queries: session.queries(),
            seconds: asked.iter().filter(|one| one.queries > 0).map(|one| one.seconds).sum(),
            outcomes: asked.iter().map(|one| one.outcomes).sum(),
            asked,
            in_flight: session.in_flight(),
            commits: report.commits_mut().map(std::mem::take).unwrap_or_default(),
            names: BTreeMap::new(),
            journal: session.journal().filter(|_| session.journal_is_there()).map(|path| path.display().to_string()),
            resumes: session.header().is_some_and(|header| header.test.get("command").is_some()),
            repository: repository.map(|repository| repository.path().display().to_string()),
        };
        match report {
            Report::Regression(report) => {
                summary.warnings = report.warnings;
                summary.leaves = report.leaves;
                summary.points =
                    report.points.into_iter().map(|point| Point::of(point, &summary.leaves, &report.why)).collect();
                summary.names = report.names;
            }
            Report::Culprit(mut report) => {
                summary.warnings = std::mem::take(&mut report.warnings);
                summary.blame = Some(Blame::of(report));
            }
            Report::Verification(report) => summary.verified = Some(Verified::of(report)),
            Report::Minimize(report) => summary.reduced = Some(Reduced::minimized(report, items(session)?)),
            Report::Isolate(report) => summary.reduced = Some(Reduced::isolated(report, items(session)?)),
            Report::Port(mut report) => {
                // They are among what was asked.
                report.observations.clear();
                summary.ported = Some(report);
            }
            Report::Slice(mut report) => {
                report.observations.clear();
                summary.sliced = Some(Box::new(Sliced::of(*report, history)));
            }
        }
        Ok(summary)
    }

    /// The same, of a search that is kept in this journal, with the causes that were found for its points so far.
    pub(crate) fn kept_in(mut self, journal: &Path, repository: Option<&Repository>) -> Summary {
        self.journal = Some(journal.display().to_string());
        if let Some(repository) = repository {
            for point in &mut self.points {
                match kept_cause(repository, journal, point) {
                    Ok(cause) => point.cause = cause,
                    Err(error) => streams::note(format_args!("the cause that was found is left out: {error}")),
                }
            }
        }
        self
    }

    /// The exit that goes with the answer.
    pub(crate) fn exit(&self) -> Exit {
        Exit::from(self.status)
    }

    /// Which change is sought.
    pub(crate) fn find(&self) -> Find {
        self.points.first().map_or(Find::Regression, |point| point.find)
    }
}

/// How many items a reduction began with.
fn items(session: &Session) -> Result<usize, Error> {
    match session.inspect().world() {
        World::Items(items) => Ok(items),
        World::History(_) => Err(Error::invalid("world", "a history", "the items of a reduction")),
    }
}
