//! Conversion of measured numbers to observations.

use firstbad::{Observation, Outcome};
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::answer::{observation, observation_class};
use crate::errors::invalid;
use crate::number::{FINITE, number, numbers};

const EXPECTED_NUMBER: &str = "a number, None (unresolved), or an Observation";

/// Converts what was measured to an observation: a number, or numbers by name if the search has several metrics. A boolean is
/// most likely the outcome of a test, so it is refused.
pub(crate) fn measurement(value: &Bound<'_, PyAny>, metrics: &[String]) -> PyResult<Observation> {
    if value.is_none() || value.extract::<&str>().is_ok_and(|word| word == Outcome::Unresolved.as_str()) {
        return Ok(Outcome::Unresolved.into());
    }
    if value.is_instance(observation_class(value.py())?)? {
        return observation(value);
    }
    if let Ok(by_name) = value.cast::<PyMapping>() {
        return measurements(by_name, metrics);
    }
    let expected = if metrics.is_empty() { EXPECTED_NUMBER.to_owned() } else { expected_names(metrics) };
    match number(value) {
        Some(metric) if !metric.is_finite() => {
            Err(invalid("outcome", value, &format!("{FINITE}, or None (unresolved)")))
        }
        Some(metric) if metrics.is_empty() => {
            Ok(Observation { metric: Some(metric), ..Observation::new(Outcome::Pass) })
        }
        _ => Err(invalid("outcome", value, &expected)),
    }
}

/// Converts numbers by name. Names that the search does not know are kept, but one of them must be known.
fn measurements(by_name: &Bound<'_, PyMapping>, metrics: &[String]) -> PyResult<Observation> {
    if metrics.is_empty() {
        return Err(invalid("outcome", by_name, &format!("{EXPECTED_NUMBER}: this search has no metrics by name")));
    }
    let mut is_known = by_name.is_empty()?;
    for name in metrics {
        is_known |= by_name.contains(name)?;
    }
    if !is_known {
        return Err(invalid("outcome", by_name, &expected_names(metrics)));
    }
    let measured = numbers("outcome", by_name)?;
    let outcome = if measured.is_empty() { Outcome::Unresolved } else { Outcome::Pass };
    Ok(Observation { metrics: measured, ..Observation::new(outcome) })
}

fn expected_names(metrics: &[String]) -> String {
    format!("numbers by name ({}), None (unresolved), or an Observation", metrics.join(", "))
}
