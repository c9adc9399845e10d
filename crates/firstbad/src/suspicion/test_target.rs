//! From the name of a test, as its runner prints it, to the build target that it belongs to.

use super::build_graph::BuildGraph;
use super::names::Names;

impl BuildGraph {
    /// The build target that a test belongs to: the test itself if it is one; else that of the file before `::` in the ids of
    /// pytest (`tests/test_a.py::TestB::test_c[1]`), or of the file itself; else the package before `#` or `:` (`package#test`).
    ///
    /// Of a file in several build targets it is the one named like the file, or else the first. `None` if none fits.
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

    /// The same for a test whose file may have another name here: a build target of one of these names comes before one that only
    /// has the file.
    pub(super) fn target_of_moved_test(&self, test: &str, names: &Names<'_>) -> Option<u32> {
        let path = file_of(test);
        let named = || names.all(&path).find_map(|name| self.find(name));
        let owner =
            || self.target_of_test(test).or_else(|| names.others(&path).find_map(|name| self.target_of_test(name)));
        self.find(test).or_else(named).or_else(|| owner().and_then(|name| self.find(name)))
    }
}

/// The file that the id of a test begins with, as git would write it.
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
