use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::culprit::{Culprit, CulpritReport, Verification, VerificationReport};
use crate::error::Error;
use crate::error::spelling::Spelling;
use crate::finding::commit::Commit;
use crate::metric::{ChangeReport, Numbers};
use crate::porting::{Port, PorterReport};
use crate::reduction::{Isolate, IsolateReport, Minimize, MinimizeReport};
use crate::regression::{Regression, RegressionPoint, RegressionReport};
use crate::search::{Algorithm, Inspect, Status, TargetObservation};
use crate::slicing::{Slice, SlicerReport};
use crate::suite::{Triage, TriageReport};
use crate::suspicion::SelectionReason;
use crate::words::json;

/// The maximum number of revisions that [`Report::named`] takes from one list.
const DESCRIBED: usize = 50;

/// The maximum number of runs whose revisions [`Report::named`] returns. Tables of runs show as many.
const RUNS: usize = 300;

/// A report of any algorithm, for example one from a journal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// A report of `regression`.
    Regression(RegressionReport),
    /// A report of `culprit`.
    Culprit(CulpritReport),
    /// A report of `verification`.
    Verification(VerificationReport),
    /// A report of `minimize`.
    Minimize(MinimizeReport),
    /// A report of `isolate`.
    Isolate(IsolateReport),
    /// A report of `port`.
    Port(Box<PorterReport>),
    /// A report of `slice`.
    Slice(Box<SlicerReport>),
    /// A report of `triage`.
    Triage(Box<TriageReport>),
    /// A report of `change`.
    Change(Box<ChangeReport>),
}

/// Evaluates one expression for the report of any algorithm.
macro_rules! each {
    ($any:expr, $report:ident => $value:expr) => {
        match $any {
            Report::Regression($report) => $value,
            Report::Culprit($report) => $value,
            Report::Verification($report) => $value,
            Report::Minimize($report) => $value,
            Report::Isolate($report) => $value,
            Report::Port($report) => $value,
            Report::Slice($report) => $value,
            Report::Triage($report) => $value,
            Report::Change($report) => $value,
        }
    };
}

impl Report {
    /// Returns the current report of a search.
    ///
    /// # Errors
    /// The errors of [`Report::from_json`] and [`Inspect::report_json`].
    pub fn of(search: &dyn Inspect) -> Result<Report, Error> {
        Report::from_json(search.algorithm(), &search.report_json()?)
    }

    /// Parses a report of an algorithm from the JSON of [`Inspect::report_json`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the algorithm is unknown, or if the text is not a report of this algorithm.
    pub fn from_json(algorithm: &str, json: &str) -> Result<Report, Error> {
        match algorithm {
            Regression::NAME => parsed::<Regression, _>(json).map(Report::Regression),
            Culprit::NAME => parsed::<Culprit, _>(json).map(Report::Culprit),
            Verification::NAME => parsed::<Verification, _>(json).map(Report::Verification),
            Minimize::NAME => parsed::<Minimize, _>(json).map(Report::Minimize),
            Isolate::NAME => parsed::<Isolate, _>(json).map(Report::Isolate),
            Port::NAME => parsed::<Port, _>(json).map(|report| Report::Port(Box::new(report))),
            Slice::NAME => parsed::<Slice, _>(json).map(|report| Report::Slice(Box::new(report))),
            Triage::NAME => parsed::<Triage, _>(json).map(|report| Report::Triage(Box::new(report))),
            Numbers::NAME => parsed::<Numbers, _>(json).map(|report| Report::Change(Box::new(report))),
            _ => {
                let reductions = [Minimize::NAME, Isolate::NAME, Port::NAME, Slice::NAME, Triage::NAME, Numbers::NAME];
                let known = [Regression::NAME, Culprit::NAME, Verification::NAME];
                let known = known.into_iter().chain(reductions).collect::<Vec<_>>().join(", ");
                Err(Error::invalid("algorithm", algorithm, format!("one of {known}")))
            }
        }
    }

    /// Returns the name of the algorithm, as in [`open`](crate::open).
    #[must_use]
    pub fn algorithm(&self) -> &'static str {
        match self {
            Report::Regression(_) => Regression::NAME,
            Report::Culprit(_) => Culprit::NAME,
            Report::Verification(_) => Verification::NAME,
            Report::Minimize(_) => Minimize::NAME,
            Report::Isolate(_) => Isolate::NAME,
            Report::Port(_) => Port::NAME,
            Report::Slice(_) => Slice::NAME,
            Report::Triage(_) => Triage::NAME,
            Report::Change(_) => Numbers::NAME,
        }
    }

    /// Replaces the message of the report.
    pub fn set_message(&mut self, words: &str) {
        let message = each!(self, report => &mut report.message);
        words.clone_into(message);
    }

    /// Returns one or two sentences about the state of the search, for people. Options are tokens before [`Report::spell`].
    #[must_use]
    pub fn message(&self) -> &str {
        each!(self, report => &report.message)
    }

    /// Returns the reason why each revision was tested, by revision. The map is empty if the prior gives no reasons.
    #[must_use]
    pub fn why(&self) -> &BTreeMap<String, SelectionReason> {
        static NONE: BTreeMap<String, SelectionReason> = BTreeMap::new();
        match self {
            Report::Regression(report) => &report.why,
            Report::Culprit(report) => &report.why,
            _ => &NONE,
        }
    }

    /// Returns the status of the search.
    #[must_use]
    pub fn status(&self) -> Status {
        each!(self, report => report.status)
    }

    /// Returns the number of outcomes that came from the oracle.
    #[must_use]
    pub fn runs(&self) -> u64 {
        each!(self, report => report.runs)
    }

    /// Returns the descriptions of the commits in the report, by revision. `None` if reports of the algorithm have none.
    #[must_use]
    pub fn commits(&self) -> Option<&BTreeMap<String, Commit>> {
        match self {
            Report::Regression(report) => Some(&report.commits),
            Report::Culprit(report) => Some(&report.commits),
            Report::Verification(report) => Some(&report.commits),
            Report::Port(report) => Some(&report.commits),
            Report::Slice(report) => Some(&report.commits),
            Report::Triage(report) => Some(&report.commits),
            Report::Change(report) => Some(&report.commits),
            Report::Minimize(_) | Report::Isolate(_) => None,
        }
    }

    /// Returns the descriptions of the commits, for callers that can read commits. `None` if reports of the algorithm have none.
    #[must_use]
    pub fn commits_mut(&mut self) -> Option<&mut BTreeMap<String, Commit>> {
        match self {
            Report::Regression(report) => Some(&mut report.commits),
            Report::Culprit(report) => Some(&mut report.commits),
            Report::Verification(report) => Some(&mut report.commits),
            Report::Port(report) => Some(&mut report.commits),
            Report::Slice(report) => Some(&mut report.commits),
            Report::Triage(report) => Some(&mut report.commits),
            Report::Change(report) => Some(&mut report.commits),
            Report::Minimize(_) | Report::Isolate(_) => None,
        }
    }

    /// Returns the culprits or the fixing revisions, each once and in alphabetical order.
    #[must_use]
    pub fn blamed(&self) -> Vec<&str> {
        let mut blamed: Vec<&str> = match self {
            Report::Regression(report) => report.points.iter().map(RegressionPoint::newer).collect(),
            Report::Culprit(report) => report.culprit.as_deref().into_iter().collect(),
            Report::Port(report) => report.bad.as_deref().into_iter().collect(),
            Report::Triage(report) => report.culprits.iter().map(|culprit| &culprit.commit[..]).collect(),
            Report::Change(report) => {
                let steps = report.main.steps.iter().chain(report.other_metrics.iter().flat_map(|one| &one.steps));
                steps.map(|step| step.commit.as_str()).collect()
            }
            _ => Vec::new(),
        };
        blamed.sort_unstable();
        blamed.dedup();
        blamed
    }

    /// Returns the revisions that the report mentions, each once and in alphabetical order. It takes at most 50 revisions from a
    /// list of candidates and at most 300 runs.
    #[must_use]
    pub fn named(&self) -> Vec<&str> {
        let mut named: Vec<&str> = Vec::new();
        match self {
            Report::Regression(report) => {
                for point in &report.points {
                    named.extend(point.good.as_deref());
                    named.push(&point.bad);
                    named.extend(point.candidates.iter().rev().take(DESCRIBED).map(String::as_str));
                }
                for leaf in &report.leaves {
                    named.push(&leaf.leaf);
                    named.extend(leaf.replaced_by.as_deref());
                }
            }
            Report::Culprit(report) => {
                named.extend(report.culprit.as_deref());
                named.extend(report.credible_set.iter().take(DESCRIBED).filter_map(|one| one.revision.as_deref()));
                named.extend(report.missing.iter().map(|run| run.revision.as_str()));
            }
            Report::Verification(report) => {
                named.extend(report.culprit.as_deref());
                named.extend(report.checks.iter().map(|check| check.revision.as_str()));
            }
            Report::Port(report) => {
                named.extend([&report.good, &report.bad].into_iter().flatten().map(String::as_str));
                named.extend(report.between.iter().take(DESCRIBED).map(String::as_str));
                named.extend(report.steps.iter().take(RUNS).map(|step| step.revision.as_str()));
            }
            Report::Slice(report) => named.extend(report.slice_commits()),
            Report::Triage(report) => {
                named.extend(
                    report.culprits.iter().flat_map(|one| one.parents.iter().chain([&one.commit])).map(String::as_str),
                );
                let candidates = report.tests.iter().flat_map(|test| test.candidates.iter().rev().take(DESCRIBED));
                named.extend(candidates.map(String::as_str));
            }
            Report::Change(report) => {
                let steps = report.main.steps.iter().chain(report.other_metrics.iter().flat_map(|one| &one.steps));
                named.extend(steps.flat_map(|one| one.parents.iter().chain([&one.commit])).map(String::as_str));
                let others = report.other_metrics.iter().flat_map(|one| &one.candidates);
                named.extend(report.main.candidates.iter().chain(others).filter_map(|one| one.revision.as_deref()));
            }
            Report::Minimize(_) | Report::Isolate(_) => {}
        }
        let is_of_revisions =
            matches!(self, Report::Regression(_) | Report::Culprit(_) | Report::Triage(_) | Report::Change(_));
        if is_of_revisions {
            named.extend(self.observations().iter().take(RUNS).filter_map(|one| one.target.revision.as_deref()));
        }
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Returns the warnings about the result, as sentences.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        each!(self, report => &report.warnings)
    }

    /// Adds a warning if the report does not have it yet.
    pub fn warn(&mut self, warning: String) {
        let warnings = each!(self, report => &mut report.warnings);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// Renders the tokens of options ([`option!`](crate::option)) in the message and the warnings.
    pub fn spell(&mut self, spelling: Spelling) {
        let (message, warnings) = each!(self, report => (&mut report.message, &mut report.warnings));
        for words in std::iter::once(message).chain(warnings) {
            *words = spelling.render(words);
        }
    }

    /// Returns all observations, in the order told.
    #[must_use]
    pub fn observations(&self) -> &[TargetObservation] {
        each!(self, report => &report.observations)
    }
}

fn parsed<A: Algorithm<Report = R>, R: DeserializeOwned>(json: &str) -> Result<R, Error> {
    json::read(json).map_err(|error| {
        Error::invalid("report", error.to_string(), format!("a report of the algorithm {:?}", A::NAME))
    })
}
