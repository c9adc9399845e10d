use super::build_graph::BuildGraph;
use super::names::Names;

impl BuildGraph {
    /// Returns the build target of a test, given by its name as a test runner prints it. Returns `None` if no target matches.
    ///
    /// The first match wins:
    ///
    /// - the target with the name of the test
    /// - the target of the file in the name. In a pytest id such as `tests/test_a.py::TestB::test_c[1]`, the file ends before
    ///   `::`. If the file is in several targets, the target named like the file wins, then the first one.
    /// - the target before `#` or `:`, as in `package#test`
    #[must_use]
    pub fn target_of_test(&self, test: &str) -> Option<&str> {
        let path = file_of(test);
        let owner = || self.owners.of(&path).next();
        let package = || {
            [test.rsplit_once('#'), test.split_once(':')].into_iter().flatten().find_map(|(name, _)| self.find(name))
        };
        let found = self.find(test).or_else(|| self.find(&path)).or_else(owner).or_else(package);
        found.map(|target| self.name(target))
    }

    /// Like [`target_of_test`](BuildGraph::target_of_test), for a test whose file may have another name here. A target with one
    /// of these names takes precedence over a target that only owns the file.
    pub(super) fn target_of_moved_test(&self, test: &str, names: &Names<'_>) -> Option<u32> {
        let path = file_of(test);
        let named = || names.all(&path).find_map(|name| self.find(name));
        let owner =
            || self.target_of_test(test).or_else(|| names.others(&path).find_map(|name| self.target_of_test(name)));
        self.find(test).or_else(named).or_else(|| owner().and_then(|name| self.find(name)))
    }
}

/// Returns the file at the start of a test id, with Git's separators.
fn file_of(test: &str) -> String {
    let file = test.split("::").next().unwrap_or(test).replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
