//! From the name of a test, as its runner prints it, to the build target that it belongs to.

use firstbad::suspicion::BuildGraph;

use crate::paths;

/// The build target that a test belongs to: the test itself if it is one; else that of the file before `::` in the ids of pytest
/// (`tests/test_a.py::TestB::test_c[1]`), or of the file itself; else the package before `#` or `:` (`package#test`).
///
/// Of a file in several build targets it is the one named like the file, or else the first. `None` if none fits.
#[must_use]
pub fn build_target_of_test(graph: &BuildGraph, test: &str) -> Option<String> {
    let known = |name: &str| graph.dependencies(name).is_some().then(|| name.to_owned());
    let file = test.split("::").next().unwrap_or(test);
    let path = paths::join("", &file.replace('\\', "/"));
    let owner = || graph.targets_of(&path).next().map(str::to_owned);
    let package =
        || [test.rsplit_once('#'), test.split_once(':')].into_iter().flatten().find_map(|(name, _)| known(name));
    known(test).or_else(|| known(&path)).or_else(owner).or_else(package)
}
