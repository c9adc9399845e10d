//! Explanations of regression points. All values are JSON.

use firstbad::json;
use firstbad::regression::{Explanation, RegressionReport};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// Returns the plan for finding the causes of a report's points, from the search's configuration, report, and budget.
#[pyfunction]
pub(crate) fn explain(py: Python<'_>, configuration: &str, report: &str, budget: &str) -> PyResult<String> {
    let made = || {
        let configuration = json::argument("configuration", configuration)?;
        Explanation::from_json(&configuration, report, json::argument("budget", budget)?)
    };
    made().and_then(|explanation| json::text(&explanation)).or_raise(py)
}

/// Adds the results of an explanation to a report.
#[pyfunction]
pub(crate) fn explained_report(py: Python<'_>, explanation: &str, report: &str) -> PyResult<String> {
    let told = || {
        let explanation: Explanation = json::argument("explanation", explanation)?;
        let mut report: RegressionReport = json::argument("report", report)?;
        explanation.write_into(&mut report);
        json::text(&report)
    };
    told().or_raise(py)
}

/// Adds the cause of the point at this index to an explanation. `cause` is the report, or None if the patch is empty.
#[pyfunction]
#[pyo3(signature = (explanation, place, cause))]
pub(crate) fn explained(py: Python<'_>, explanation: &str, place: usize, cause: Option<&str>) -> PyResult<String> {
    let told = || {
        let mut explanation: Explanation = json::argument("explanation", explanation)?;
        explanation.told(place, cause.map(|cause| json::argument("cause", cause)).transpose()?.as_ref())?;
        json::text(&explanation)
    };
    told().or_raise(py)
}
