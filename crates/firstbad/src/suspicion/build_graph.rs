use hashbrown::HashMap;

use super::components::Components;
use super::kind::BuildGraphKind;
use super::owners::Owners;
use crate::error::Error;
use crate::graph::Csr;
use crate::words::nearest::nearest;

/// A build graph: targets that list files and depend on other targets. Source: Culprit Finder, Definitions 1 to 3.
///
/// The paper requires an acyclic graph. Here, the targets of a cycle count as one target, and [`BuildGraph::cycles`] lists them.
#[derive(Debug, Clone)]
pub struct BuildGraph {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, u32>,
    pub(super) deps: Csr,
    pub(super) owners: Owners,
    pub(super) components: Components,
    kind: BuildGraphKind,
}

impl BuildGraph {
    /// Returns the source of the graph.
    #[must_use]
    pub fn kind(&self) -> BuildGraphKind {
        self.kind
    }

    /// Returns the number of targets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there are no targets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the number of dependencies.
    #[must_use]
    pub fn dependency_count(&self) -> usize {
        self.deps.len()
    }

    /// Returns the number of files that targets list. Files that are only in a [folder](BuildGraphBuilder::folder) of a target
    /// are not counted.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.owners.len()
    }

    /// Returns the names of the targets, in the order given.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.names.iter().map(AsRef::as_ref)
    }

    /// Returns the direct dependencies of a target, in the order given. `None` if there is no such target.
    #[must_use]
    pub fn dependencies(&self, target: &str) -> Option<Vec<&str>> {
        let target = self.find(target)?;
        Some(self.deps.row(target).iter().map(|&dep| self.name(dep)).collect())
    }

    /// Returns the direct dependencies of a target, with suggestions for a wrong name.
    ///
    /// # Errors
    /// [`Error::UnknownBuildTarget`] with similar names, if there is no such target.
    pub fn direct_dependencies(&self, target: &str) -> Result<Vec<&str>, Error> {
        let target = self.resolve(target, "target")?;
        Ok(self.deps.row(target).iter().map(|&dep| self.name(dep)).collect())
    }

    /// Returns the targets of a file, including targets whose build file it is (Culprit Finder, Definition 3). If no target lists
    /// the file, the targets of the deepest folder that contains it are returned.
    pub fn targets_of<'a>(&'a self, file: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let found: Vec<u32> = self.owners.of(file).collect();
        found.into_iter().map(|target| self.name(target))
    }

    /// Returns the groups of targets that depend on one another. Each group counts as one target.
    #[must_use]
    pub fn cycles(&self) -> Vec<Vec<&str>> {
        self.components.cycles().map(|targets| targets.iter().map(|&target| self.name(target)).collect()).collect()
    }

    pub(super) fn name(&self, target: u32) -> &str {
        &self.names[target as usize]
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns a target by name, or an error with similar names.
    pub(super) fn resolve(&self, name: &str, argument: &str) -> Result<u32, Error> {
        self.find(name).ok_or_else(|| Error::UnknownBuildTarget {
            argument: argument.to_owned(),
            name: name.to_owned(),
            nearest: nearest(name, self.targets()),
        })
    }
}

/// A builder of a [`BuildGraph`] that takes targets in any order.
#[derive(Debug, Default)]
pub struct BuildGraphBuilder {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, u32>,
    duplicates: Vec<String>,
    deps: Vec<(u32, Box<str>)>,
    owners: Owners,
    kind: BuildGraphKind,
}

impl BuildGraphBuilder {
    /// Creates a builder without targets.
    #[must_use]
    pub fn new() -> Self {
        BuildGraphBuilder::default()
    }

    /// Sets the source of the graph. Default: [`BuildGraphKind::Declared`].
    pub fn kind(&mut self, kind: BuildGraphKind) -> &mut Self {
        self.kind = kind;
        self
    }

    /// Adds a target. [`BuildGraphBuilder::file`], [`BuildGraphBuilder::folder`], [`BuildGraphBuilder::build_file`], and
    /// [`BuildGraphBuilder::dep`] apply to the target added last.
    pub fn target(&mut self, name: &str) -> &mut Self {
        let number = self.names.len() as u32;
        if self.by_name.insert(name.into(), number).is_some() {
            self.duplicates.push(name.to_owned());
        }
        self.names.push(name.into());
        self
    }

    fn last(&self) -> Option<u32> {
        (self.names.len() as u32).checked_sub(1)
    }

    /// Adds a file to the target. A file can belong to several targets.
    pub fn file(&mut self, path: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.owners.add(path, target);
        }
        self
    }

    /// Adds a folder to the target, with all files below it. Files that a target lists and files in a deeper folder of another
    /// target are excluded. `""` and `"."` are the top folder. A folder can belong to several targets.
    pub fn folder(&mut self, path: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.owners.add_folder(path, target);
        }
        self
    }

    /// Adds the file that defines the target. A change to it touches the target.
    pub fn build_file(&mut self, path: &str) -> &mut Self {
        self.file(path)
    }

    /// Adds a direct dependency of the target.
    pub fn dep(&mut self, name: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.deps.push((target, name.into()));
        }
        self
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a target is duplicated or a dependency is not a target.
    pub fn build(self) -> Result<BuildGraph, Error> {
        if let Some(twice) = self.duplicates.first() {
            return Err(Error::invalid("targets", twice, "each target once"));
        }
        let mut starts = vec![0u32; self.names.len() + 1];
        let mut values = Vec::with_capacity(self.deps.len());
        // Dependencies were added target by target.
        let mut deps = self.deps.iter().peekable();
        for target in 0..self.names.len() as u32 {
            let from = values.len();
            while let Some((_, name)) = deps.next_if(|(owner, _)| *owner == target) {
                let Some(&dep) = self.by_name.get(name) else {
                    let argument = format!("targets[{:?}].deps", self.names[target as usize]);
                    let near = nearest(name, self.names.iter().map(AsRef::as_ref));
                    let expected = match &near[..] {
                        [] => "names of targets".to_owned(),
                        near => format!("names of targets, like {:?}", near[0]),
                    };
                    return Err(Error::invalid(argument, name, expected));
                };
                if dep != target && !values[from..].contains(&dep) {
                    values.push(dep);
                }
            }
            starts[target as usize + 1] = values.len() as u32;
        }
        let deps = Csr::from_parts(starts, values);
        let components = Components::new(&deps);
        let BuildGraphBuilder { names, by_name, owners, kind, .. } = self;
        Ok(BuildGraph { names, by_name, deps, owners, components, kind })
    }
}
