//! The plans of each runner.

use super::plan::{Plan, Request};
use super::{bazel, cargo, custom, go, javascript, native, pytest};
use crate::error::ResultsError;
use crate::runner::Runner;

impl Runner {
    /// Plans commands that run the tests of a request. Together, they run every test at least once, and they can run more tests.
    ///
    /// # Errors
    /// [`ResultsError::NoPlace`] if the command has no place for arguments, [`ResultsError::UnwritableId`] if an id cannot be
    /// written, and [`ResultsError::UnknownResults`] if a custom runner has no `results`.
    pub fn plan(self, request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
        if let Some(id) = request.tests.and_then(|tests| tests.iter().find(|id| id.contains('\0'))) {
            return Err(ResultsError::UnwritableId { id: id.clone() });
        }
        match self {
            Runner::Pytest => pytest::plan(request),
            Runner::Jest | Runner::Vitest | Runner::Mocha => javascript::plan(self, request),
            Runner::Node => javascript::plan_node(request),
            Runner::Cargo => cargo::plan_cargo(request),
            Runner::Nextest => cargo::plan_nextest(request),
            Runner::Go => go::plan(request),
            Runner::Ctest => native::plan_ctest(request),
            Runner::Bazel => bazel::plan(request),
            Runner::Custom => custom::plan(request),
        }
    }
}

impl std::str::FromStr for Runner {
    type Err = ResultsError;

    /// Parses the name of a runner.
    ///
    /// # Errors
    /// [`ResultsError::UnknownRunner`] if there is no such runner.
    fn from_str(name: &str) -> Result<Runner, ResultsError> {
        let known = Runner::ALL.into_iter().find(|runner| runner.as_str() == name);
        known.ok_or_else(|| ResultsError::UnknownRunner { name: name.to_owned() })
    }
}
