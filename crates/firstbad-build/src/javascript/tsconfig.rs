//! `tsconfig.json` and `jsconfig.json`, as far as they say what names mean.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Deserialize;
use serde_json::Value;

use crate::paths::{join, parent};
use crate::warnings::left_out;

/// What names mean below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Aliases {
    /// Where names that are not relative start from.
    pub(super) base: Option<String>,
    /// Patterns with at most one `*`, and what they stand for, as paths from the root.
    pub(super) patterns: Rc<[(String, Vec<String>)]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct File {
    extends: Option<Value>,
    compiler_options: Option<Options>,
    references: Option<Vec<Reference>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Options {
    base_url: Option<String>,
    paths: Option<BTreeMap<String, Vec<String>>>,
}

#[derive(Debug, Deserialize)]
struct Reference {
    path: String,
}

/// What a file holds, or why it cannot be read; `None` if there is no such file.
type Read<'a> = dyn Fn(&str) -> Option<Result<Cow<'a, [u8]>, String>> + 'a;

/// How many configurations may extend or refer to each other in a row. Circles are found before.
const LONGEST_CHAIN: usize = 64;
/// How many patterns a configuration may have: each import is held against each.
const MOST_PATTERNS: usize = 10_000;

/// The configurations of a tree, each read once.
pub(super) struct Configurations<'a> {
    /// A file's content; `None` if there is no such file.
    read: &'a Read<'a>,
    /// The path of a file that is named by its package.
    package: &'a dyn Fn(&str) -> Option<String>,
    /// What is known; `None` while a file is being read.
    known: BTreeMap<String, Option<Result<Rc<Aliases>, String>>>,
    /// Files that lead back to themselves.
    circles: BTreeSet<String>,
}

impl<'a> Configurations<'a> {
    pub(super) fn new(read: &'a Read<'a>, package: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Configurations { read, package, known: BTreeMap::new(), circles: BTreeSet::new() }
    }

    /// What was left out, in words.
    pub(super) fn into_warnings(self) -> Option<String> {
        left_out("ways of a configuration back to itself", &self.circles)
    }

    /// Reads a configuration with what it extends; if that has no aliases, those that it refers to are read.
    ///
    /// # Errors
    /// The parser's words about one of the files.
    pub(super) fn aliases(&mut self, path: &str) -> Result<Rc<Aliases>, String> {
        self.follow(path, LONGEST_CHAIN)
    }

    fn follow(&mut self, path: &str, depth: usize) -> Result<Rc<Aliases>, String> {
        match self.known.get(path) {
            Some(Some(known)) => return known.clone(),
            Some(None) => {
                self.circles.insert(path.to_owned());
                return Ok(Rc::default());
            }
            None => {}
        }
        if depth == 0 {
            return Err(format!("more than {LONGEST_CHAIN} configurations extend each other, {path} at last"));
        }
        self.known.insert(path.to_owned(), None);
        let found = self.read_one(path, depth);
        self.known.insert(path.to_owned(), Some(found.clone()));
        found
    }

    fn read_one(&mut self, path: &str, depth: usize) -> Result<Rc<Aliases>, String> {
        let Some(bytes) = (self.read)(path) else { return Ok(Rc::default()) };
        let bytes = bytes.map_err(|why| format!("{path}: {why}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let parsed: Option<File> =
            jsonc_parser::parse_to_serde_value(text.trim_start_matches('\u{feff}'), &Default::default())
                .map_err(|error| format!("{path}: {error}"))?;
        let file = parsed.unwrap_or_default();
        let folder = parent(path);
        let mut aliases = self.extended(&file, folder, depth)?;
        let options = file.compiler_options.unwrap_or_default();
        if let Some(base) = options.base_url {
            aliases.base = Some(join(folder, &base));
        }
        if let Some(paths) = options.paths {
            if paths.len() > MOST_PATTERNS {
                return Err(format!("{path}: {} patterns in paths; expected at most {MOST_PATTERNS}", paths.len()));
            }
            let base = aliases.base.clone().unwrap_or_else(|| folder.to_owned());
            let targets = |targets: Vec<String>| targets.iter().map(|target| join(&base, target)).collect();
            aliases.patterns = paths.into_iter().map(|(pattern, found)| (pattern, targets(found))).collect();
        }
        if aliases == Aliases::default() {
            for Reference { path } in file.references.unwrap_or_default() {
                let found = join(folder, &path);
                let name = if found.ends_with(".json") { found } else { join(&found, "tsconfig.json") };
                let referred = self.follow(&name, depth - 1)?;
                if *referred != Aliases::default() {
                    return Ok(referred);
                }
            }
        }
        Ok(Rc::new(aliases))
    }

    /// What a file takes over from those that it extends.
    fn extended(&mut self, file: &File, folder: &str, depth: usize) -> Result<Aliases, String> {
        let mut aliases = Aliases::default();
        let names = match &file.extends {
            Some(Value::String(one)) => vec![one.as_str()],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for name in names {
            let found = if name.starts_with('.') { Some(join(folder, name)) } else { (self.package)(name) };
            let Some(found) = found else { continue };
            let names = [found.clone(), format!("{found}.json"), join(&found, "tsconfig.json")];
            // The later one wins.
            if let Some(name) = names.iter().find(|&name| self.known.contains_key(name) || (self.read)(name).is_some())
            {
                let above = self.follow(name, depth - 1)?;
                aliases.base = above.base.clone().or(aliases.base);
                if !above.patterns.is_empty() {
                    aliases.patterns = above.patterns.clone();
                }
            }
        }
        Ok(aliases)
    }
}

/// What a pattern leaves of a name for its `*`; `None` if it does not fit.
pub(super) fn matched<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(""),
        Some((before, after)) => {
            let inner = name.strip_prefix(before)?.strip_suffix(after)?;
            Some(inner)
        }
    }
}

/// The best of several patterns for a name, as Node and TypeScript choose it: the whole name, or else the longest part
/// before the `*`; with what it leaves for this.
pub(super) fn best<'p, 'n, T>(patterns: impl Iterator<Item = (&'p str, T)>, name: &'n str) -> Option<(T, &'n str)> {
    patterns
        .filter_map(|(pattern, value)| Some((pattern, value, matched(pattern, name)?)))
        .max_by_key(|(pattern, ..)| pattern.find('*').unwrap_or(usize::MAX))
        .map(|(_, value, rest)| (value, rest))
}
