//! What any search answers, by its algorithm.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::culprit::{Culprit, CulpritReport, Verification, VerificationReport};
use crate::error::Error;
use crate::porting::{Port, PorterReport};
use crate::reduction::{Isolate, IsolateReport, Minimize, MinimizeReport};
use crate::regression::{Regression, RegressionReport};
use crate::search::{Algorithm, Inspect, TargetObservation};
use crate::slicing::{Slice, SlicerReport};
use crate::suspicion::WhyTried;

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

    /// Where the search stands, in one or two sentences, for people.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Report::Regression(report) => &report.message,
            Report::Culprit(report) => &report.message,
            Report::Verification(report) => &report.message,
            Report::Minimize(report) => &report.message,
            Report::Isolate(report) => &report.message,
            Report::Port(report) => &report.message,
            Report::Slice(report) => &report.message,
        }
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

    /// Everything that was seen, in the order told.
    #[must_use]
    pub fn observations(&self) -> &[TargetObservation] {
        match self {
            Report::Regression(report) => &report.observations,
            Report::Culprit(report) => &report.observations,
            Report::Verification(report) => &report.observations,
            Report::Minimize(report) => &report.observations,
            Report::Isolate(report) => &report.observations,
            Report::Port(report) => &report.observations,
            Report::Slice(report) => &report.observations,
        }
    }
}

fn parsed<A: Algorithm<Report = R>, R: DeserializeOwned>(json: &str) -> Result<R, Error> {
    serde_json::from_str(json).map_err(|error| {
        Error::invalid("report", error.to_string(), format!("a report of the algorithm {:?}", A::NAME))
    })
}
