//! From regression points to their causes: everything crosses as JSON.

use firstbad::Error;
use firstbad::regression::Explanation;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

use crate::errors::OrRaise;

/// How the causes of a report's points are looked for, by the search's configuration, its report and its budget.
#[pyfunction]
pub(crate) fn explain(py: Python<'_>, configuration: &str, report: &str, budget: &str) -> PyResult<String> {
    let made = || {
        let (configuration, report) = (parsed("configuration", configuration)?, parsed("report", report)?);
        Explanation::from_json(&configuration, &report, parsed("budget", budget)?)
    };
    made().and_then(|explanation| written(&explanation)).or_raise(py)
}

/// An explanation, once the cause of the point at this place was looked for: `cause` is the report, None if the patch is
/// empty.
#[pyfunction]
#[pyo3(signature = (explanation, place, cause))]
pub(crate) fn explained(py: Python<'_>, explanation: &str, place: usize, cause: Option<&str>) -> PyResult<String> {
    let told = || {
        let mut explanation: Explanation = parsed("explanation", explanation)?;
        explanation.told(place, cause.map(|cause| parsed("cause", cause)).transpose()?.as_ref())?;
        written(&explanation)
    };
    told().or_raise(py)
}

fn parsed<T: DeserializeOwned>(argument: &str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::invalid(argument, text, error.to_string()))
}

fn written(explanation: &Explanation) -> Result<String, Error> {
    serde_json::to_string(explanation).map_err(|error| Error::internal("an explanation", &error))
}
