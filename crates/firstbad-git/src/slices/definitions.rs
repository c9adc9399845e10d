//! A history as atomic changes: the definitions that each change inserts, updates, or deletes (DEFINER, Section 3).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use firstbad::Error;
use firstbad_syntax::{Definition, Kind, Language, MODULE, Outline};

use super::sources::Sources;
use crate::trees::{Differing, Trees};

/// A definition in one version of its file.
pub(super) type Version = (Arc<Outline>, usize);

/// A definition and its versions from the base to the tip.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The versions with the states in which they start: 0 for the base, and `n + 1` after change `n`. `None` if the definition
    /// does not exist.
    pub(super) versions: Vec<(usize, Option<Version>)>,
}

/// An atomic change: a definition before and after a change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atomic<'a> {
    pub(super) change: usize,
    pub(super) before: Option<&'a Version>,
    pub(super) after: Option<&'a Version>,
}

impl Node {
    fn last(&self) -> Option<&Version> {
        self.versions.last().and_then(|(_, version)| version.as_ref())
    }

    /// Returns whether the definition exists in a state.
    pub(super) fn is_at(&self, state: usize) -> bool {
        self.versions.iter().rev().find(|(from, _)| *from <= state).is_some_and(|(_, version)| version.is_some())
    }

    /// Returns whether any change inserts or deletes the definition.
    pub(super) fn comes_or_goes(&self) -> bool {
        self.versions.len() > 1 && self.versions.iter().any(|(_, version)| version.is_none()) || self.versions[0].0 > 0
    }

    /// Returns the atomic changes of the definition, oldest first.
    pub(super) fn changes(&self) -> impl Iterator<Item = Atomic<'_>> {
        let before = |place: usize| place.checked_sub(1).and_then(|place| self.versions[place].1.as_ref());
        let all = self.versions.iter().enumerate().filter(|(_, (from, _))| *from > 0);
        all.map(move |(place, (from, after))| Atomic { change: from - 1, before: before(place), after: after.as_ref() })
    }
}

/// All definitions of changed files, and those of other files that may be related.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) nodes: Vec<Node>,
    places: HashMap<(String, String), usize>,
    /// The outlines of changed files at the tip.
    pub(super) tip: BTreeMap<String, Arc<Outline>>,
    /// The files of each change.
    pub(super) files: Vec<BTreeSet<String>>,
    /// Warnings about files that could not be read.
    pub(super) warnings: Vec<String>,
}

/// Returns the definition of a version.
pub(super) fn of((outline, index): &Version) -> &Definition {
    &outline.definitions[*index]
}

impl Definitions {
    /// Reads the definitions of a chain of trees.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(super) fn of(trees: &Trees, states: &[String], sources: &mut Sources) -> Result<Definitions, Error> {
        let pairs: Vec<(&str, &str)> = states.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
        let steps = trees.differing(&pairs)?;
        let steps: Vec<Vec<Changed>> =
            steps.iter().map(|files| files.iter().filter_map(Changed::of).collect()).collect();
        sources.load(trees, steps.iter().flatten().flat_map(Changed::contents), |_| true)?;
        let mut all = Definitions::default();
        let mut now: HashMap<&str, Option<Arc<Outline>>> = HashMap::new();
        for (step, files) in steps.iter().enumerate() {
            all.files.push(files.iter().map(|file| file.path.to_owned()).collect());
            for file in files {
                let known = now.entry(file.path).or_insert_with(|| {
                    let base = file.old.and_then(|id| sources.get(file.path, id)).cloned();
                    base.iter().for_each(|outline| all.add(file.path, 0, outline));
                    base
                });
                let after = file.new.and_then(|id| sources.get(file.path, id));
                let is_unclear = after.is_none_or(|outline| outline.broken_at.is_some() && known.is_some());
                if file.new.is_some() && is_unclear {
                    continue;
                }
                all.step(file.path, step + 1, known.as_deref(), after);
                *known = after.cloned();
            }
        }
        let tip = now.iter().filter_map(|(path, outline)| Some(((*path).to_owned(), outline.clone()?)));
        all.tip = tip.collect();
        let changed: HashSet<&str> = now.keys().copied().collect();
        all.add_others(trees, &states[0], &changed, sources)?;
        all.warnings = sources.warnings();
        Ok(all)
    }

    /// Returns the definition with a name in a file.
    pub(super) fn place(&self, path: &str, name: &str) -> Option<usize> {
        self.places.get(&(path.to_owned(), name.to_owned())).copied()
    }

    fn node(&mut self, path: &str, definition: &Definition) -> usize {
        let key = (path.to_owned(), definition.name.clone());
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        let index = self.nodes.len();
        self.places.insert(key, index);
        let (path, name) = (path.to_owned(), definition.name.clone());
        self.nodes.push(Node { path, name, kind: definition.kind, versions: Vec::new() });
        index
    }

    /// Adds the definitions of a file from a state on.
    fn add(&mut self, path: &str, state: usize, outline: &Arc<Outline>) {
        for (index, definition) in outline.definitions.iter().enumerate() {
            let node = self.node(path, definition);
            self.nodes[node].versions.push((state, Some((Arc::clone(outline), index))));
        }
    }

    /// Adds the differences that a change makes to a file.
    fn step(&mut self, path: &str, state: usize, before: Option<&Outline>, after: Option<&Arc<Outline>>) {
        let mut there: HashSet<&str> = HashSet::new();
        for (index, definition) in after.iter().flat_map(|outline| outline.definitions.iter().enumerate()) {
            there.insert(&definition.name);
            let node = self.node(path, definition);
            let node = &mut self.nodes[node];
            if node.last().is_none_or(|known| of(known).value != definition.value) {
                node.versions.push((state, after.map(|outline| (Arc::clone(outline), index))));
            }
        }
        for gone in before.iter().flat_map(|outline| &outline.definitions) {
            if !there.contains(gone.name.as_str())
                && let Some(&node) = self.places.get(&(path.to_owned(), gone.name.clone()))
            {
                self.nodes[node].versions.push((state, None));
            }
        }
    }

    /// Adds the definitions of other files that contain the names of inserted or deleted definitions.
    fn add_others(
        &mut self,
        trees: &Trees,
        base: &str,
        changed: &HashSet<&str>,
        sources: &mut Sources,
    ) -> Result<(), Error> {
        let names: HashSet<String> = self.coming_and_going().map(|node| node.own_name().to_owned()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let files = trees.files(base)?;
        let files: Vec<(&str, &str)> = files
            .iter()
            .filter_map(|(path, id)| Some((std::str::from_utf8(path).ok()?, id.as_str())))
            .filter(|(path, _)| !changed.contains(path) && Language::of(path).is_some_and(Language::is_there))
            .collect();
        sources.load(trees, files.iter().copied(), |text| has_any(text, &names))?;
        for (path, id) in files {
            if let Some(outline) = sources.get(path, id).cloned() {
                self.add(path, 0, &outline);
            }
        }
        Ok(())
    }

    /// Returns the definitions that a change inserts or deletes.
    pub(super) fn coming_and_going(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.comes_or_goes())
    }
}

impl Node {
    /// Returns the name used to refer to the definition: the last part of its name, or for a module the name of its file.
    pub(super) fn own_name(&self) -> &str {
        if self.name != MODULE {
            return self.name.rsplit('.').next().unwrap_or(&self.name);
        }
        let mut parts = self.path.rsplit('/').map(|part| part.split('.').next().unwrap_or(part));
        match parts.next().unwrap_or_default() {
            "__init__" | "index" | "mod" => parts.next().unwrap_or_default(),
            name => name,
        }
    }
}

/// Returns whether a text contains any of these names as a word.
fn has_any(text: &[u8], names: &HashSet<String>) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#') || *byte >= 0x80;
    let words = text.split(|byte| !is_letter(byte)).filter(|word| !word.is_empty());
    words.filter_map(|word| std::str::from_utf8(word).ok()).any(|word| names.contains(word))
}

/// A changed source file.
struct Changed<'a> {
    path: &'a str,
    old: Option<&'a str>,
    new: Option<&'a str>,
}

impl<'a> Changed<'a> {
    /// Returns the file if its name is valid UTF-8, so that a search can name it.
    fn of(file: &'a Differing) -> Option<Self> {
        let path = std::str::from_utf8(&file.path).ok()?;
        Some(Changed { path, old: file.old.as_deref(), new: file.new.as_deref() })
    }

    fn contents(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let path = self.path;
        [self.old, self.new].into_iter().flatten().map(move |id| (path, id))
    }
}
