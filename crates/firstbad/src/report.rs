//! What any search answers, by its algorithm.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::culprit::{Culprit, CulpritReport, Verification, VerificationReport};
use crate::error::Error;
use crate::finding::commit::Commit;
use crate::porting::{Port, PorterReport};
use crate::reduction::{Isolate, IsolateReport, Minimize, MinimizeReport};
use crate::regression::{Regression, RegressionPoint, RegressionReport};
use crate::search::{Algorithm, Inspect, Status, TargetObservation};
use crate::slicing::{Slice, SlicerReport};
use crate::spelling::Spelling;
use crate::suspicion::WhyTried;
use crate::words::json;

/// How many of each kind of revision that an answer names are described: the rest is a matter of counting.
const DESCRIBED: usize = 50;

/// Of how many runs it is said what their commits are called: as many as a table of them shows.
const RUNS: usize = 300;

/// The report of a search whose algorithm is known only when the program runs: one read from a journal, for one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Of `regression`.
    Regression(RegressionReport),
    /// Of `culprit`.
    Culprit(CulpritReport),
    /// Of `verification`.
    Verification(VerificationReport),
    /// Of `minimize`.
    Minimize(MinimizeReport),
    /// Of `isolate`.
    Isolate(IsolateReport),
    /// Of `port`.
    Port(Box<PorterReport>),
    /// Of `slice`.
    Slice(Box<SlicerReport>),
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
        }
    };
}

impl Report {
    /// The report of a search as it stands.
    ///
    /// # Errors
    /// Those of [`Report::from_json`] and [`Inspect::report_json`].
    pub fn of(search: &dyn Inspect) -> Result<Report, Error> {
        Report::from_json(search.algorithm(), &search.report_json()?)
    }

    /// A report of this algorithm from its JSON form, [`Inspect::report_json`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an unknown algorithm, and for a text that is no report of it.
    pub fn from_json(algorithm: &str, json: &str) -> Result<Report, Error> {
        match algorithm {
            Regression::NAME => parsed::<Regression, _>(json).map(Report::Regression),
            Culprit::NAME => parsed::<Culprit, _>(json).map(Report::Culprit),
            Verification::NAME => parsed::<Verification, _>(json).map(Report::Verification),
            Minimize::NAME => parsed::<Minimize, _>(json).map(Report::Minimize),
            Isolate::NAME => parsed::<Isolate, _>(json).map(Report::Isolate),
            Port::NAME => parsed::<Port, _>(json).map(|report| Report::Port(Box::new(report))),
            Slice::NAME => parsed::<Slice, _>(json).map(|report| Report::Slice(Box::new(report))),
            _ => {
                let reductions = [Minimize::NAME, Isolate::NAME, Port::NAME, Slice::NAME];
                let known = [Regression::NAME, Culprit::NAME, Verification::NAME];
                let known = known.into_iter().chain(reductions).collect::<Vec<_>>().join(", ");
                Err(Error::invalid("algorithm", algorithm, format!("one of {known}")))
            }
        }
    }

    /// The name of the algorithm whose report it is, as [`open`](crate::open) knows it.
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
        }
    }

    /// Says something else, for people, because more is known by now.
    pub fn set_message(&mut self, words: &str) {
        let message = each!(self, report => &mut report.message);
        words.clone_into(message);
    }

    /// Where the search stands, in one or two sentences, for people. Options are tokens until [`Report::spell`].
    #[must_use]
    pub fn message(&self) -> &str {
        each!(self, report => &report.message)
    }

    /// Why revisions were tried, by revision; empty if the search has no prior that knows.
    #[must_use]
    pub fn why(&self) -> &BTreeMap<String, WhyTried> {
        static NONE: BTreeMap<String, WhyTried> = BTreeMap::new();
        match self {
            Report::Regression(report) => &report.why,
            Report::Culprit(report) => &report.why,
            Report::Verification(_) | Report::Minimize(_) | Report::Isolate(_) | Report::Port(_) | Report::Slice(_) => {
                &NONE
            }
        }
    }

    /// Where the search stands.
    #[must_use]
    pub fn status(&self) -> Status {
        each!(self, report => report.status)
    }

    /// How many answers came from the oracle.
    #[must_use]
    pub fn queries(&self) -> u64 {
        each!(self, report => report.queries)
    }

    /// What the commits that the answer names are called; `None` if it names none.
    #[must_use]
    pub fn commits(&self) -> Option<&BTreeMap<String, Commit>> {
        match self {
            Report::Regression(report) => Some(&report.commits),
            Report::Culprit(report) => Some(&report.commits),
            Report::Verification(report) => Some(&report.commits),
            Report::Port(report) => Some(&report.commits),
            Report::Slice(report) => Some(&report.commits),
            Report::Minimize(_) | Report::Isolate(_) => None,
        }
    }

    /// What the commits that the answer names are called, to be filled in by who can read them; `None` if it names none.
    #[must_use]
    pub fn commits_mut(&mut self) -> Option<&mut BTreeMap<String, Commit>> {
        match self {
            Report::Regression(report) => Some(&mut report.commits),
            Report::Culprit(report) => Some(&mut report.commits),
            Report::Verification(report) => Some(&mut report.commits),
            Report::Port(report) => Some(&mut report.commits),
            Report::Slice(report) => Some(&mut report.commits),
            Report::Minimize(_) | Report::Isolate(_) => None,
        }
    }

    /// The revisions that the answer blames, each once: those that broke it, or repaired it.
    #[must_use]
    pub fn blamed(&self) -> Vec<&str> {
        let mut blamed: Vec<&str> = match self {
            Report::Regression(report) => report.points.iter().map(RegressionPoint::newer).collect(),
            Report::Culprit(report) => report.culprit.as_deref().into_iter().collect(),
            Report::Port(report) => report.bad.as_deref().into_iter().collect(),
            _ => Vec::new(),
        };
        blamed.sort_unstable();
        blamed.dedup();
        blamed
    }

    /// The revisions that the answer names or rests on, each once, in alphabetical order; of long lists the 50 that are named
    /// first, and of the runs the first 300.
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
            Report::Minimize(_) | Report::Isolate(_) => {}
        }
        if matches!(self, Report::Regression(_) | Report::Culprit(_)) {
            named.extend(self.observations().iter().take(RUNS).filter_map(|one| one.target.revision.as_deref()));
        }
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Warnings about the result, in sentences.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        each!(self, report => &report.warnings)
    }

    /// Adds a warning about the result, once.
    pub fn warn(&mut self, warning: String) {
        let warnings = each!(self, report => &mut report.warnings);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// Renders the options in the message and in the warnings, which are tokens ([`option!`](crate::option)).
    pub fn spell(&mut self, spelling: Spelling) {
        let (message, warnings) = each!(self, report => (&mut report.message, &mut report.warnings));
        for words in std::iter::once(message).chain(warnings) {
            *words = spelling.render(words);
        }
    }

    /// Everything that was seen, in the order told.
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
