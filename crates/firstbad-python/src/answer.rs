//! Conversion to observations, from an outcome, its name, a boolean, None, an `Observation`, or results by test.

use std::collections::BTreeMap;

use firstbad::{Error, Observation, Outcome, Stage, TestResult};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyMapping, PyString, PyType};

use crate::errors::{OrRaise, invalid};
use crate::number::{FINITE, numbers};

const EXPECTED: &str =
    "an Outcome, True (pass), False (fail), None (unresolved), an Observation, or \"pass\", \"fail\" or \"unresolved\"";
const EXPECTED_RESULT: &str =
    "an Outcome, True (pass), False (fail), None (unresolved), a TestResult, or \"pass\", \"fail\" or \"unresolved\"";

/// Converts a value to an observation of a single test.
pub(crate) fn observation(value: &Bound<'_, PyAny>) -> PyResult<Observation> {
    if let Some(outcome) = outcome(value)? {
        return Ok(outcome.into());
    }
    if !value.is_instance(observation_class(value.py())?)? {
        return Err(refused(value));
    }
    let by_test = value.getattr(intern!(value.py(), "results"))?;
    if !by_test.is_none() {
        return Err(invalid("results", &by_test, "one outcome: this search does not ask for several tests"));
    }
    fields(value)
}

/// Converts a value to an observation of several tests.
pub(crate) fn suite_observation(value: &Bound<'_, PyAny>) -> PyResult<Observation> {
    match outcome(value) {
        Ok(Some(outcome)) => return Ok(outcome.into()),
        Ok(None) if value.is_instance(observation_class(value.py())?)? => return fields(value),
        _ => {}
    }
    let by_test = value.cast::<PyMapping>();
    let by_test = by_test.map_err(|_| invalid("outcome", value, &format!("{EXPECTED}, or outcomes by test")))?;
    results(by_test).map(Observation::of_results)
}

/// Returns the outcome and the stage of an observation with these results by test.
#[pyfunction]
pub(crate) fn outcome_of_results(by_test: &Bound<'_, PyMapping>) -> PyResult<(&'static str, Option<&'static str>)> {
    let seen = Observation::of_results(results(by_test)?);
    Ok((seen.outcome.as_str(), seen.stage.map(Stage::as_str)))
}

/// Converts the results by test.
fn results(by_test: &Bound<'_, PyMapping>) -> PyResult<BTreeMap<String, TestResult>> {
    let items = by_test.items()?;
    items.iter().map(|item| item.extract().and_then(|(id, value)| result(&id, &value))).collect()
}

fn result(id: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<(String, TestResult)> {
    let name = id.extract().map_err(|_| invalid("results", id, "ids of tests, as str"))?;
    let wrong = || invalid(&format!("results[{name:?}]"), value, EXPECTED_RESULT);
    let result = match outcome(value).map_err(|_| wrong())? {
        Some(outcome) => outcome.into(),
        None if is_detailed(value)? => details(value)?,
        None => return Err(wrong()),
    };
    Ok((name, result))
}

fn is_detailed(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(value.py(), "firstbad._observation", "TestResult")?;
    Ok(value.is_instance(class)? || value.is_instance(observation_class(value.py())?)?)
}

/// Converts the attributes of a `TestResult` or an `Observation`.
fn details(value: &Bound<'_, PyAny>) -> PyResult<TestResult> {
    let py = value.py();
    let given = value.getattr(intern!(py, "outcome"))?;
    let Some(outcome) = outcome(&given)? else { return Err(refused(&given)) };
    Ok(TestResult {
        signature: field(value, intern!(py, "signature"), "a text")?,
        seconds: finite(value, intern!(py, "seconds"))?,
        passes: field(value, intern!(py, "passes"), "a count, 0 or above")?,
        fails: field(value, intern!(py, "fails"), "a count, 0 or above")?,
        ..outcome.into()
    })
}

/// Returns the name of the outcome that a value represents.
#[pyfunction]
pub(crate) fn outcome_name(value: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    outcome(value)?.map(Outcome::as_str).ok_or_else(|| refused(value))
}

/// Returns the name of the outcome that the numbers of passes and failures imply.
#[pyfunction]
pub(crate) fn counted_outcome(passes: u32, fails: u32) -> &'static str {
    Observation::counted(passes, fails).outcome.as_str()
}

/// Returns the observation of an oracle that returned None, as JSON.
#[pyfunction]
pub(crate) fn none_returned(py: Python<'_>) -> PyResult<String> {
    firstbad::json::text(&Observation::of_nothing("None")).or_raise(py)
}

/// Returns the name of the stage that a value represents.
#[pyfunction]
pub(crate) fn stage_name(value: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    stage(value).map(Stage::as_str)
}

fn stage(value: &Bound<'_, PyAny>) -> PyResult<Stage> {
    match value.cast::<PyString>() {
        Ok(name) => name.to_str()?.parse().or_raise(value.py()),
        Err(_) => Err(invalid("stage", value, "a Stage or its name")),
    }
}

fn outcome(value: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    if value.is_none() {
        return Ok(Some(Outcome::Unresolved));
    }
    if let Ok(known) = value.cast::<PyBool>() {
        return Ok(Some(of_bool(known.is_true())));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return match text.to_str()? {
            "pass" => Ok(Some(Outcome::Pass)),
            "fail" => Ok(Some(Outcome::Fail)),
            "unresolved" => Ok(Some(Outcome::Unresolved)),
            _ => Err(refused(value)),
        };
    }
    // Also accepts NumPy booleans.
    Ok(value.extract::<bool>().ok().map(of_bool))
}

fn of_bool(passed: bool) -> Outcome {
    if passed { Outcome::Pass } else { Outcome::Fail }
}

pub(crate) fn observation_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "firstbad._observation", "Observation")
}

fn fields(value: &Bound<'_, PyAny>) -> PyResult<Observation> {
    let py = value.py();
    let given = value.getattr(intern!(py, "outcome"))?;
    let Some(outcome) = outcome(&given)? else { return Err(refused(&given)) };
    let signals = value.getattr(intern!(py, "signals"))?;
    let at = value.getattr(intern!(py, "stage"))?;
    let by_test = value.getattr(intern!(py, "results"))?;
    let by_name = value.getattr(intern!(py, "metrics"))?;
    Ok(Observation {
        outcome,
        signature: field(value, intern!(py, "signature"), "a text")?,
        stage: if at.is_none() { None } else { Some(stage(&at)?) },
        passes: field(value, intern!(py, "passes"), "a count, 0 or above")?,
        fails: field(value, intern!(py, "fails"), "a count, 0 or above")?,
        metric: finite(value, intern!(py, "metric"))?,
        censored: field(value, intern!(py, "censored"), "True or False")?.unwrap_or(false),
        control: finite(value, intern!(py, "control"))?,
        metrics: if by_name.is_none() { BTreeMap::new() } else { named(&by_name)? },
        seconds: finite(value, intern!(py, "seconds"))?,
        memory: field(value, intern!(py, "memory"), "a number of bytes, 0 or above")?,
        cost: finite(value, intern!(py, "cost"))?,
        started: finite(value, intern!(py, "started"))?,
        ended: finite(value, intern!(py, "ended"))?,
        signals: if signals.is_none() { None } else { Some(json(&signals)?) },
        note: field(value, intern!(py, "note"), "a text")?,
        output: field(value, intern!(py, "output"), "a path, as text")?,
        ran: value.getattr(intern!(py, "ran"))?.extract().map_err(|_| invalid("ran", value, "True or False"))?,
        reused: value
            .getattr(intern!(py, "reused"))?
            .extract()
            .map_err(|_| invalid("reused", value, "True or False"))?,
        results: if by_test.is_none() { BTreeMap::new() } else { results(by_test.cast()?)? },
    })
}

fn named(by_name: &Bound<'_, PyAny>) -> PyResult<BTreeMap<String, f64>> {
    numbers("metrics", by_name.cast().map_err(|_| invalid("metrics", by_name, "numbers by name"))?)
}

fn field<'py, T>(value: &Bound<'py, PyAny>, name: &Bound<'py, PyString>, expected: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let given = value.getattr(name)?;
    given.extract().map_err(|_| invalid(name.to_string_lossy().as_ref(), &given, expected))
}

fn finite<'py>(value: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Option<f64>> {
    let number: Option<f64> = field(value, name, FINITE)?;
    if number.is_some_and(|number| !number.is_finite()) {
        return Err(invalid(name.to_string_lossy().as_ref(), &value.getattr(name)?, FINITE));
    }
    Ok(number)
}

fn json(value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let text = DUMPS.import(py, "json", "dumps")?.call1((value,)).map_err(|error| {
        let refused = invalid("signals", value, "a value that has a JSON form");
        refused.set_cause(py, Some(error));
        refused
    })?;
    serde_json::from_str(text.cast::<PyString>()?.to_str()?)
        .map_err(|error| Error::invalid("signals", error.to_string(), "a value that has a JSON form"))
        .or_raise(py)
}

fn refused(value: &Bound<'_, PyAny>) -> PyErr {
    invalid("outcome", value, EXPECTED)
}
