//! The names of test runners.

use serde::{Deserialize, Serialize};

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
