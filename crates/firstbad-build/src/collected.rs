//! Build targets while a loader collects them, in any order.

use std::collections::BTreeSet;

use firstbad::Error;
use firstbad::suspicion::{BuildGraph, BuildGraphBuilder, BuildGraphKind};
use hashbrown::HashMap;

use crate::paths;

/// The build target of files that every other one needs: lock files, the workspace's own configuration. They are a build
/// target and not files of each, so that a change to a lock file counts once and not once for each build target.
pub(crate) const WORKSPACE: &str = "(workspace)";

/// Build targets by name. A file or dependency that is named twice counts once.
#[derive(Debug, Default)]
pub(crate) struct CollectedTargets {
    targets: Vec<BuildTarget>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct BuildTarget {
    name: String,
    files: Vec<String>,
    folders: Vec<String>,
    deps: Vec<String>,
}

impl CollectedTargets {
    /// The number of a build target; a new one is made if there is none with this name.
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
        self.targets[target].files.push(path.into());
    }

    pub(crate) fn folder(&mut self, target: usize, path: impl Into<String>) {
        self.targets[target].folders.push(path.into());
    }

    pub(crate) fn dep(&mut self, target: usize, name: impl Into<String>) {
        self.targets[target].deps.push(name.into());
    }

    /// Adds [`WORKSPACE`] with these files, and makes all others depend on it.
    pub(crate) fn workspace(&mut self, files: impl IntoIterator<Item = impl Into<String>>) {
        let workspace = self.target(WORKSPACE);
        for file in files {
            self.file(workspace, file);
        }
        for target in (0..self.targets.len()).filter(|&target| target != workspace) {
            self.dep(target, WORKSPACE);
        }
    }

    /// The graph, with all paths below `prefix`, and the names of dependencies that are not build targets, which are left out.
    pub(crate) fn finish(self, kind: BuildGraphKind, prefix: &str) -> Result<(BuildGraph, BTreeSet<String>), Error> {
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
