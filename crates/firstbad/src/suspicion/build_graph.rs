//! Build targets, their files, and what they depend on (Culprit Finder, Definitions 1 to 3).

use hashbrown::HashMap;

use super::components::Components;
use super::kind::BuildGraphKind;
use super::owners::Owners;
use crate::error::Error;
use crate::graph::Csr;
use crate::words::nearest::nearest;

/// A build graph: targets that list files and depend on other targets.
///
/// The paper's is acyclic. If targets form a cycle, they count as one, and [`BuildGraph::cycles`] says which.
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
    /// Where it comes from.
    #[must_use]
    pub fn kind(&self) -> BuildGraphKind {
        self.kind
    }

    /// The number of targets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no targets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of dependencies.
    #[must_use]
    pub fn dependency_count(&self) -> usize {
        self.deps.len()
    }

    /// The number of files that targets list; those that are only below a [folder](BuildGraphBuilder::folder) are not counted.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.owners.len()
    }

    /// The targets' names, in the order given.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.names.iter().map(AsRef::as_ref)
    }

    /// What a target depends on directly, in the order given; `None` if there is no such target.
    #[must_use]
    pub fn dependencies(&self, target: &str) -> Option<Vec<&str>> {
        let target = self.find(target)?;
        Some(self.deps.row(target).iter().map(|&dep| self.name(dep)).collect())
    }

    /// As [`BuildGraph::dependencies`], for people who may misspell a name.
    ///
    /// # Errors
    /// [`Error::UnknownBuildTarget`] with the nearest names.
    pub fn direct_dependencies(&self, target: &str) -> Result<Vec<&str>, Error> {
        let target = self.resolve(target, "target")?;
        Ok(self.deps.row(target).iter().map(|&dep| self.name(dep)).collect())
    }

    /// The targets that a file belongs to (Culprit Finder, Definition 3), those whose build file it is included: the ones that
    /// list it, or if none does those of the longest folder above it.
    pub fn targets_of<'a>(&'a self, file: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let found: Vec<u32> = self.owners.of(file).collect();
        found.into_iter().map(|target| self.name(target))
    }

    /// Groups of targets that depend on one another in a circle; each group counts as one target.
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

    /// A target by its name.
    ///
    /// # Errors
    /// [`Error::UnknownBuildTarget`] with the nearest names.
    pub(super) fn resolve(&self, name: &str, argument: &str) -> Result<u32, Error> {
        self.find(name).ok_or_else(|| Error::UnknownBuildTarget {
            argument: argument.to_owned(),
            name: name.to_owned(),
            nearest: nearest(name, self.targets()),
        })
    }
}

/// Takes targets one by one, in any order, and makes a [`BuildGraph`] of them.
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
    /// A builder without targets.
    #[must_use]
    pub fn new() -> Self {
        BuildGraphBuilder::default()
    }

    /// Says where the graph comes from; by default somebody has [declared](BuildGraphKind::Declared) it.
    pub fn kind(&mut self, kind: BuildGraphKind) -> &mut Self {
        self.kind = kind;
        self
    }

    /// Adds a target; [`BuildGraphBuilder::file`], [`BuildGraphBuilder::folder`], [`BuildGraphBuilder::build_file`] and
    /// [`BuildGraphBuilder::dep`] are about the one added last.
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

    /// A file of the target. A file may belong to several.
    pub fn file(&mut self, path: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.owners.add(path, target);
        }
        self
    }

    /// A folder of the target: every file below it that no target lists, and that is in no deeper folder of another target. `""`
    /// or `"."` is the folder that all paths start from. A folder may belong to several targets.
    pub fn folder(&mut self, path: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.owners.add_folder(path, target);
        }
        self
    }

    /// The file that defines the target: a change to it touches the target.
    pub fn build_file(&mut self, path: &str) -> &mut Self {
        self.file(path)
    }

    /// A target that this one depends on directly.
    pub fn dep(&mut self, name: &str) -> &mut Self {
        if let Some(target) = self.last() {
            self.deps.push((target, name.into()));
        }
        self
    }

    /// The graph.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a target that is given twice, and for dependencies that are no targets.
    pub fn build(self) -> Result<BuildGraph, Error> {
        if let Some(twice) = self.duplicates.first() {
            return Err(Error::invalid("targets", twice, "each target once"));
        }
        let mut starts = vec![0u32; self.names.len() + 1];
        let mut values = Vec::with_capacity(self.deps.len());
        // They were added target by target.
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
