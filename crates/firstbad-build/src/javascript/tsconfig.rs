//! The aliases in `tsconfig.json` and `jsconfig.json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Deserialize;
use serde_json::Value;

use crate::paths::{join, parent};
use crate::warnings::left_out;

/// The aliases below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Aliases {
    /// The folder that non-relative names start from.
    pub(super) base: Option<String>,
    /// Patterns with at most one `*`, and their targets relative to the root.
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

/// A function that returns the content of a file, the error, or `None` if there is no such file.
type Read<'a> = dyn Fn(&str) -> Option<Result<Cow<'a, [u8]>, String>> + 'a;

/// The longest chain of configurations that extend or reference each other. Cycles are detected separately.
const LONGEST_CHAIN: usize = 64;
/// The maximum number of patterns in a configuration. Each import is compared with each pattern.
const MOST_PATTERNS: usize = 10_000;

/// The configurations of a tree. Each is read once.
pub(super) struct Configurations<'a> {
    read: &'a Read<'a>,
    /// Returns the path of a configuration in a package.
    package: &'a dyn Fn(&str) -> Option<String>,
    /// The configurations read so far. `None` marks a file that is being read.
    known: BTreeMap<String, Option<Result<Rc<Aliases>, String>>>,
    /// The files that lead back to themselves.
    circles: BTreeSet<String>,
}

impl<'a> Configurations<'a> {
    pub(super) fn new(read: &'a Read<'a>, package: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Configurations { read, package, known: BTreeMap::new(), circles: BTreeSet::new() }
    }

    /// Returns a warning about cycles, if there are any.
    pub(super) fn into_warnings(self) -> Option<String> {
        left_out("ways of a configuration back to itself", &self.circles)
    }

    /// Returns the aliases of a configuration and those that it extends. If there are none, returns those of its references.
    ///
    /// # Errors
    /// The message of the parser about one of the files.
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

    /// Returns the inherited aliases of a file.
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
            // Later entries override earlier ones.
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

/// Returns the part of a name that `*` matches, or `None` if the pattern does not match.
pub(super) fn matched<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(""),
        Some((before, after)) => {
            let inner = name.strip_prefix(before)?.strip_suffix(after)?;
            Some(inner)
        }
    }
}

/// Returns the best pattern for a name and the part that `*` matches. As in Node and TypeScript, an exact match wins, and then
/// the longest prefix.
pub(super) fn best<'p, 'n, T>(patterns: impl Iterator<Item = (&'p str, T)>, name: &'n str) -> Option<(T, &'n str)> {
    patterns
        .filter_map(|(pattern, value)| Some((pattern, value, matched(pattern, name)?)))
        .max_by_key(|(pattern, ..)| pattern.find('*').unwrap_or(usize::MAX))
        .map(|(_, value, rest)| (value, rest))
}
