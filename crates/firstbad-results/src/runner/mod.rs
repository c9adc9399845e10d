//! Test runners: recognition from a command, ids, and commands that run chosen tests.

mod bazel;
mod cargo;
mod custom;
mod escape;
mod go;
mod identify;
mod javascript;
mod native;
mod plan;
mod pytest;
mod recognize;
mod words;

use serde::{Deserialize, Serialize};

pub use bazel::bazel_label;
pub(crate) use cargo::parts as cargo_parts;
pub(crate) use identify::identify;
pub use plan::{EnvironmentChange, Place, Plan, PlannedFile, Request, ResultsAt};

use crate::error::ResultsError;

/// A test runner. In JSON, its name in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// pytest. Ids are node ids: `tests/test_a.py::TestSum::test_sum[1]`.
    Pytest,
    /// Jest. Ids have the file and the full name: `a.test.js::sums adds`.
    Jest,
    /// Vitest. Ids have the file and the full name: `a.test.js::sums adds`.
    Vitest,
    /// Mocha. Ids have the file and the full title: `test/a.js::sums adds`.
    Mocha,
    /// Node's test runner. Ids have the file and the names: `a.test.js::sums > adds`.
    Node,
    /// `cargo test`. Ids have the binary, if it is known, and the name: `shop tests::adds`.
    Cargo,
    /// cargo-nextest. Ids have the binary id and the name: `shop::prices tests::adds`.
    Nextest,
    /// `go test`. Ids have the package and the name: `example.com/shop::TestSum/one_two`.
    Go,
    /// CTest. Ids are the names of the tests.
    Ctest,
    /// Bazel. Ids are labels: `//shop:prices_test`.
    Bazel,
    /// Another runner, whose command has `{tests}` or `{tests_file}`.
    Custom,
}

impl Runner {
    /// The names of all runners.
    pub const NAMES: [&str; 11] =
        ["pytest", "jest", "vitest", "mocha", "node", "cargo", "nextest", "go", "ctest", "bazel", "custom"];

    /// All runners, in the order of [`Runner::NAMES`].
    pub const ALL: [Runner; 11] = [
        Runner::Pytest,
        Runner::Jest,
        Runner::Vitest,
        Runner::Mocha,
        Runner::Node,
        Runner::Cargo,
        Runner::Nextest,
        Runner::Go,
        Runner::Ctest,
        Runner::Bazel,
        Runner::Custom,
    ];

    /// Returns the name of the runner.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Runner::NAMES[self as usize]
    }
}

impl std::fmt::Display for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
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
