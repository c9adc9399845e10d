//! The runner of a suite, and the results of its tests.

use firstbad::{Outcome, TestResult};
use firstbad_results::{CaseResult, ResultsAt, Runner};

use super::infra::Infra;
use super::plan;

/// The runner of a suite, and how its results are read.
#[derive(Debug)]
pub(super) struct Tests {
    pub(super) runner: Runner,
    /// The place of the results of a custom runner.
    pub(super) results: Option<ResultsAt>,
    pub(super) infra: Infra,
}

impl Tests {
    /// Returns the result of a test of a report. A failure of the machine is unresolved.
    pub(super) fn result(&self, test: &CaseResult) -> TestResult {
        let result = TestResult::from(test);
        match test.outcome {
            Outcome::Fail if self.infra.matches(test.kind.as_deref(), &test.message) => {
                TestResult { signature: result.signature, ..TestResult::from(Outcome::Unresolved) }
            }
            _ => result,
        }
    }

    /// Returns the version of CTest if the runner is CTest and can be asked.
    pub(super) fn version(&self, command: &[String]) -> Option<(u32, u32)> {
        if self.runner != Runner::Ctest {
            return None;
        }
        let is_ctest = |name: &std::ffi::OsStr| name == "ctest" || name == "ctest.exe";
        let program = command.iter().find(|word| std::path::Path::new(word).file_name().is_some_and(is_ctest))?;
        let printed = std::process::Command::new(program).arg("--version").output().ok()?;
        plan::version(&String::from_utf8_lossy(&printed.stdout))
    }
}
