//! Build targets under construction.

use std::collections::BTreeSet;

use firstbad::Error;
use firstbad::suspicion::{BuildGraph, BuildGraphBuilder, BuildGraphKind};
use hashbrown::HashMap;

use crate::limits::MOST_NAMES;
use crate::paths;

/// The name of the target for files that every other target depends on, such as lock files. As a target, a change to a lock file
/// counts once instead of once per target.
pub(crate) const WORKSPACE: &str = "(workspace)";

/// Build targets by name. Repeated files and dependencies count once.
#[derive(Debug, Default)]
pub(crate) struct CollectedTargets {
    targets: Vec<BuildTarget>,
    by_name: HashMap<String, usize>,
    /// The size that counts towards [`MOST_NAMES`].
    size: usize,
}

#[derive(Debug)]
struct BuildTarget {
    name: String,
    files: Vec<String>,
    folders: Vec<String>,
    deps: Vec<String>,
}

impl CollectedTargets {
    /// Returns the number of a build target, which is created if it does not exist.
    pub(crate) fn target(&mut self, name: &str) -> usize {
        if let Some(&number) = self.by_name.get(name) {
            return number;
        }
        let number = self.targets.len();
        self.by_name.insert(name.to_owned(), number);
        self.targets.push(BuildTarget {
            name: name.to_owned(),
            files: Vec::new(),
            folders: Vec::new(),
            deps: Vec::new(),
        });
        number
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub(crate) fn file(&mut self, target: usize, path: impl Into<String>) {
        let path = self.sized(path.into());
        self.targets[target].files.extend(path);
    }

    pub(crate) fn folder(&mut self, target: usize, path: impl Into<String>) {
        let path = self.sized(path.into());
        self.targets[target].folders.extend(path);
    }

    pub(crate) fn dep(&mut self, target: usize, name: impl Into<String>) {
        let name = self.sized(name.into());
        self.targets[target].deps.extend(name);
    }

    /// Returns whether the limit on names is exceeded. No more names are added then.
    pub(crate) fn is_full(&self) -> bool {
        self.size > MOST_NAMES
    }

    /// Returns the name unless the limit is exceeded.
    fn sized(&mut self, name: String) -> Option<String> {
        self.size = self.size.saturating_add(name.len() + 32);
        (!self.is_full()).then_some(name)
    }

    /// Adds [`WORKSPACE`] with these files, and makes all other targets depend on it.
    pub(crate) fn workspace(&mut self, files: impl IntoIterator<Item = impl Into<String>>) {
        let workspace = self.target(WORKSPACE);
        for file in files {
            self.file(workspace, file);
        }
        for target in (0..self.targets.len()).filter(|&target| target != workspace) {
            self.dep(target, WORKSPACE);
        }
    }

    /// Builds the graph with all paths below `prefix`. Also returns the names of dependencies that are not build targets, which
    /// are left out.
    pub(crate) fn finish(self, kind: BuildGraphKind, prefix: &str) -> Result<(BuildGraph, BTreeSet<String>), Error> {
        if self.is_full() {
            let expected = format!("names of at most {MOST_NAMES} bytes in all");
            return Err(Error::invalid("build graph", format!("{} build targets", self.targets.len()), expected));
        }
        let mut outside = BTreeSet::new();
        let mut builder = BuildGraphBuilder::new();
        builder.kind(kind);
        for target in self.targets {
            builder.target(&target.name);
            for file in &target.files {
                builder.file(&paths::join(prefix, file));
            }
            for folder in &target.folders {
                builder.folder(&paths::join(prefix, folder));
            }
            for dep in target.deps {
                if self.by_name.contains_key(&dep) {
                    builder.dep(&dep);
                } else {
                    outside.insert(dep);
                }
            }
        }
        Ok((builder.build()?, outside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_names_are_rejected() {
        let mut collected = CollectedTargets { size: MOST_NAMES - 100, ..CollectedTargets::default() };
        let target = collected.target("a");
        collected.file(target, "b");
        assert!(!collected.is_full());
        collected.dep(target, "c".repeat(50));
        assert!(collected.is_full() && collected.targets[target].deps.is_empty());
        let refused = collected.finish(BuildGraphKind::Bazel, "").map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("1 build targets") && refused.contains("1073741824 bytes in all"), "{refused}");
    }
}
