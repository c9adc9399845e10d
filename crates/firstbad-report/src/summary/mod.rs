//! Reports combined with the facts of their host. `--json` prints the JSON form.

mod asked;
mod cause;
mod known;
mod ranked;
mod reduced;
#[cfg(test)]
mod schema;
mod sliced;

use std::collections::BTreeMap;

use firstbad::culprit::CulpritReport;
use firstbad::regression::{LeafReport, contradiction};
use firstbad::{
    Commit, Error, Find, Patch, PorterReport, Probe, RegressionPoint, RegressionReport, Report, SlicerReport, Spelling,
    Status, Target, TriageReport,
};
use serde::Serialize;

pub use asked::{Asked, Counts};
pub(crate) use cause::places;
pub use cause::{Cause, CauseOfPoint, Explained, KnownCause, Place};
pub use known::{Flakiness, Known, Left};
pub use ranked::{About, Judged, Order, Ranked};
pub use reduced::{Reduced, ReducedFile};
pub use sliced::{SliceBranch, Sliced};

use crate::exit::Exit;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// The report of any search, final or the best so far, with the facts of its host.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// The version of this form.
    pub schema: u32,
    /// The name of the search: regression, culprit, verification, minimize, isolate, port, slice, triage, or change.
    pub algorithm: &'static str,
    /// The exit code of the command line.
    pub exit_code: i32,
    /// The report.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(skip))]
    pub report: Report,
    /// The causes of the points, parallel to `points`; empty if firstbad did not look for causes.
    pub causes: Vec<CauseOfPoint>,
    /// The result of a reduction; `None` for other searches.
    pub reduced: Option<Reduced>,
    /// The branch or patches made from a slice; `None` for other searches.
    pub slice: Option<Sliced>,
    /// The results of the searches in submodules that the culprits updated.
    pub inside: Vec<Inside>,
    /// The duration of all runs together, in seconds.
    pub run_seconds: f64,
    /// The time from start to end, in seconds; `None` if it is not known, or if the search was resumed.
    pub waited: Option<f64>,
    /// The probes that are running.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Value>", extend("items" = { "reference": "Probe" })))]
    pub in_flight: Vec<Probe>,
    /// The journal; `None` without one.
    pub journal: Option<String>,
    /// The repository; `None` if the history is not from one.
    pub repository: Option<String>,
    /// How the reader's front end writes options.
    #[serde(skip)]
    pub spelling: Spelling,
    /// The observations by target, in the order first told.
    #[serde(skip)]
    pub asked: Vec<Asked>,
    /// The number of outcomes of each kind, counts of runs included.
    #[serde(skip)]
    pub outcomes: Counts,
    /// The additional options for a run that resumes, with a leading space; `None` if the journal does not have the test.
    #[serde(skip)]
    pub resumes: Option<&'static str>,
    /// Whether the command line finds the journal without its path, because it is from the last run in the repository.
    #[serde(skip)]
    pub is_last_run: bool,
    /// Whether the reader uses the command line, so that advice can name its options.
    #[serde(skip)]
    pub at_command_line: bool,
    /// Whether Markdown mentions the people of a culprit whose probability reaches the confidence of the triage.
    #[serde(skip)]
    pub mention: bool,
    /// The folder to which the patches of a port were written.
    #[serde(skip)]
    pub patches: Option<String>,
    /// Whether the text of a port lists its steps.
    #[serde(skip)]
    pub shows_steps: bool,
    /// The options of a search for regressions about a flaky test.
    #[serde(skip)]
    pub flakiness: Flakiness,
    /// The remaining work of a search that has not finished; `None` if it is unknown.
    #[serde(skip)]
    pub left: Option<Left>,
}

/// The result of a search in a submodule.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Serialize)]
pub struct Inside {
    /// The path of the submodule.
    pub path: String,
    /// The summary of the search in the submodule.
    #[cfg_attr(test, schemars(with = "serde_json::Value", extend("reference" = "Summary")))]
    pub summary: Summary,
}

/// The commits of a report without commits.
static NO_COMMITS: BTreeMap<String, Commit> = BTreeMap::new();
/// The names of a report without names.
static NO_NAMES: BTreeMap<String, Vec<String>> = BTreeMap::new();

impl Summary {
    /// Combines a report with the facts of its host.
    ///
    /// # Errors
    /// [`Error::PatchSyntax`] and those of [`Patch::subset`] for an explanation that does not fit.
    pub fn of(report: Report, known: Known) -> Result<Summary, Error> {
        let asked = Asked::all(&report);
        let reduced = match &report {
            Report::Minimize(_) | Report::Isolate(_) => {
                Some(Reduced::of(report.observations(), known.items, known.text))
            }
            _ => None,
        };
        let slice = matches!(report, Report::Slice(_)).then(|| Sliced {
            history: known.history,
            patches: Vec::new(),
            branch: None,
        });
        let mut summary = Summary {
            schema: SCHEMA,
            algorithm: report.algorithm(),
            exit_code: Exit::from(&report).code(),
            report,
            causes: Vec::new(),
            reduced,
            slice,
            inside: Vec::new(),
            run_seconds: asked.iter().filter(|one| one.runs > 0).map(|one| one.seconds).sum(),
            waited: None,
            spelling: known.spelling,
            in_flight: known.in_flight,
            journal: known.journal,
            repository: known.repository,
            outcomes: asked.iter().map(|one| one.outcomes).sum(),
            asked,
            resumes: known.resumes.then_some(""),
            is_last_run: known.is_last_run,
            at_command_line: known.at_command_line,
            mention: known.mention,
            patches: None,
            shows_steps: false,
            flakiness: known.flakiness,
            left: known.left,
        };
        summary.explain(known.causes)?;
        Ok(summary)
    }

    /// Adds the causes that were found, parallel to the points.
    fn explain(&mut self, known: Vec<Option<KnownCause>>) -> Result<(), Error> {
        for (place, known) in known.into_iter().enumerate().take(self.points().len()) {
            let find = self.points()[place].find;
            let cause = match known {
                Some(KnownCause::Explained(Explained { report, patch })) => CauseOfPoint {
                    cause: Some(Cause::of(&report, &Patch::parse(patch.as_bytes())?, find, None)?),
                    no_cause: None,
                },
                Some(KnownCause::Read(read)) => read,
                None => continue,
            };
            *self.cause_mut(place) = cause;
        }
        Ok(())
    }

    /// Returns the regression points; empty for other searches.
    #[must_use]
    pub fn points(&self) -> &[RegressionPoint] {
        self.regression().map_or(&[], |report| &report.points)
    }

    /// Returns the bad revisions of a regression search; empty for other searches.
    #[must_use]
    pub fn leaves(&self) -> &[LeafReport] {
        self.regression().map_or(&[], |report| &report.leaves)
    }

    /// Returns the cause of a point; `None` without one.
    #[must_use]
    pub fn cause(&self, place: usize) -> Option<&Cause> {
        self.causes.get(place)?.cause.as_ref()
    }

    /// Returns the cause of a point for changes.
    pub fn cause_mut(&mut self, place: usize) -> &mut CauseOfPoint {
        let points = self.points().len();
        self.causes.resize(points.max(place + 1), CauseOfPoint::default());
        &mut self.causes[place]
    }

    /// Returns whether a point can still change, because the search for one of its leaves has not finished.
    #[must_use]
    pub fn is_provisional(&self, point: &RegressionPoint) -> bool {
        point.is_open(self.leaves())
    }

    /// Returns the report of a regression search.
    #[must_use]
    pub fn regression(&self) -> Option<&RegressionReport> {
        if let Report::Regression(report) = &self.report { Some(report) } else { None }
    }

    /// Returns the report of a culprit search.
    #[must_use]
    pub fn culprit(&self) -> Option<&CulpritReport> {
        if let Report::Culprit(report) = &self.report { Some(report) } else { None }
    }

    /// Returns the report of a triage.
    #[must_use]
    pub fn triage(&self) -> Option<&TriageReport> {
        if let Report::Triage(report) = &self.report { Some(report) } else { None }
    }

    /// Returns the report of a slice.
    #[must_use]
    pub fn sliced(&self) -> Option<&SlicerReport> {
        if let Report::Slice(report) = &self.report { Some(report) } else { None }
    }

    /// Returns the report of iterative delta debugging.
    #[must_use]
    pub fn ported(&self) -> Option<&PorterReport> {
        if let Report::Port(report) = &self.report { Some(report) } else { None }
    }

    /// Returns the commits that the report names, by their full shas.
    #[must_use]
    pub fn commits(&self) -> &BTreeMap<String, Commit> {
        self.report.commits().unwrap_or(&NO_COMMITS)
    }

    /// Returns the branches and tags of the bad revisions, by their ids.
    #[must_use]
    pub fn names(&self) -> &BTreeMap<String, Vec<String>> {
        self.regression().map_or(&NO_NAMES, |report| &report.names)
    }

    /// Returns the status of the search.
    #[must_use]
    pub fn status(&self) -> Status {
        self.report.status()
    }

    /// Returns the message of the search.
    #[must_use]
    pub fn message(&self) -> &str {
        self.report.message()
    }

    /// Replaces the message of the search, because more is known.
    pub fn say(&mut self, message: &str) {
        self.report.set_message(message);
    }

    /// Checks the points against their causes. If a good revision fails without any of the changes, its point is
    /// contradicted.
    pub fn weigh_causes(&mut self) {
        let Report::Regression(report) = &mut self.report else { return };
        let mut words = Vec::new();
        for (point, found) in report.points.iter_mut().zip(&self.causes) {
            if found.cause.as_ref().is_some_and(Cause::contradicts) {
                point.confirmed = false;
                words.extend(point.good.as_deref().map(contradiction));
            }
        }
        if !words.is_empty() {
            report.status = Status::Contradictory;
            self.say(&words.join(". "));
            self.exit_code = self.exit().code();
        }
    }

    /// Returns the exit code of the report.
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::from(&self.report)
    }

    /// Returns the paths of a simplified history; empty if all commits were considered.
    pub(crate) fn paths(&self) -> &[String] {
        self.regression().map_or(&[], |report| &report.paths)
    }

    /// Returns whether the search followed only first parents.
    pub(crate) fn follows_first_parents(&self) -> bool {
        self.regression().is_some_and(|report| report.first_parent)
    }

    /// Returns the kind of change that is searched for.
    #[must_use]
    pub fn find(&self) -> Find {
        self.regression().map(|report| report.find).unwrap_or_default()
    }

    /// Returns the observations of a revision; `None` without any.
    pub(crate) fn seen_of(&self, revision: &str) -> Option<&Asked> {
        self.asked.iter().find(|one| one.target == Target::from(revision))
    }
}
