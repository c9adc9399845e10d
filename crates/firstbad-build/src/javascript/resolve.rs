//! Resolution of imports.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hashbrown::HashMap;
use serde_json::Value;

use super::imports::MODULES;
use super::tsconfig::{Aliases, Configurations, best};
use crate::limits::LONGEST_PATH;
use crate::npm::PackageJson;
use crate::paths::{join, name, parent, upwards};
use crate::source::{self, Source};

/// The result of resolving a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning<'a> {
    File(&'a str),
    /// The name should be a file of this tree, but no such file exists.
    Missing,
    /// A package or a part of Node.
    Outside,
}

/// The files, packages, and configurations of a source tree.
#[derive(Debug)]
pub(super) struct Resolver<'a> {
    files: BTreeSet<&'a str>,
    /// The packages by folder.
    packages: BTreeMap<&'a str, PackageJson>,
    /// The folders by package name.
    named: HashMap<String, &'a str>,
    /// The aliases by folder.
    aliases: BTreeMap<&'a str, Rc<Aliases>>,
    /// The remaining comparisons. Without a limit, every import could be compared with every pattern and many alternatives.
    left: Cell<u64>,
}

/// The maximum number of comparisons for one tree, which take a few seconds.
pub(super) const MOST_COMPARED: u64 = 1 << 27;
/// Lists of at most this many patterns or alternatives are not counted. Real projects have no longer lists.
const FEW: usize = 64;
/// The cost of looking up the file of one alternative, in comparisons.
const LOOKED_UP: u64 = 1000;

/// The extensions that an import can omit, in the order tried.
const SILENT: [&str; 13] =
    [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json", ".vue", ".svelte", ".node"];

/// The folders that builds write to.
const BUILT: [&str; 10] = ["dist", "build", "lib", "out", "output", "es", "esm", "cjs", "types", "umd"];

impl<'a> Resolver<'a> {
    /// Reads the descriptions of the tree. Those that cannot be parsed are added to `warnings`. `most` is usually
    /// [`MOST_COMPARED`].
    pub(super) fn new(
        source: &dyn Source,
        files: BTreeSet<&'a str>,
        warnings: &mut Vec<String>,
        most: u64,
    ) -> Resolver<'a> {
        let mut packages = BTreeMap::new();
        for &path in files.iter().filter(|path| name(path) == "package.json") {
            match source::read(source, path).and_then(|bytes| PackageJson::parse(&bytes)) {
                Ok(package) => {
                    packages.insert(parent(path), package);
                }
                Err(why) => warnings.push(format!("{path} cannot be used: {why}")),
            }
        }
        let mut named: HashMap<String, &'a str> = HashMap::new();
        for (folder, package) in &packages {
            if let Some(name) = &package.name {
                named.entry(name.clone()).or_insert(folder);
            }
        }
        let left = Cell::new(most);
        let mut resolver = Resolver { files, packages, named, aliases: BTreeMap::new(), left };
        let read = |path: &str| resolver.files.contains(path).then(|| source::read(source, path));
        let package = |name: &str| resolver.in_package(name).map(|(folder, rest)| join(folder, rest));
        let mut aliases = BTreeMap::new();
        let mut configurations = Configurations::new(&read, &package);
        for &path in &resolver.files {
            let folder = parent(path);
            // `tsconfig.json` sorts after `jsconfig.json` and replaces it.
            if matches!(name(path), "jsconfig.json" | "tsconfig.json") {
                match configurations.aliases(path) {
                    Ok(found) => {
                        aliases.insert(folder, found);
                    }
                    Err(why) => warnings.push(format!("{path} cannot be used: {why}")),
                }
            }
        }
        warnings.extend(configurations.into_warnings());
        resolver.aliases = aliases;
        resolver
    }

    /// Returns the folders of all packages.
    pub(super) fn packages(&self) -> impl Iterator<Item = &'a str> {
        self.packages.keys().copied()
    }

    /// Returns a warning if imports were left out because of [`MOST_COMPARED`].
    pub(super) fn left_out(&self) -> Option<String> {
        let words = "imports are left out, because they would be compared with more than";
        (self.left.get() == 0).then(|| format!("{words} {MOST_COMPARED} patterns of exports, imports and paths"))
    }

    /// Counts `count` lookups that cost `each`. Returns `false` if no comparisons remain.
    fn may_compare(&self, count: usize, each: u64) -> bool {
        if count > FEW {
            self.left.set(self.left.get().saturating_sub(count as u64 * each));
        }
        count <= FEW || self.left.get() > 0
    }

    /// Returns the result of [`best`], unless the limit is reached.
    fn best<'p, 'n, T>(
        &self,
        patterns: impl ExactSizeIterator<Item = (&'p str, T)>,
        name: &'n str,
    ) -> Option<(T, &'n str)> {
        self.may_compare(patterns.len(), 1).then(|| best(patterns, name))?
    }

    /// Returns the first alternative that is a file.
    fn first<T>(&self, alternatives: &[T], file: impl Fn(&T) -> Option<&'a str>) -> Option<&'a str> {
        self.may_compare(alternatives.len(), LOOKED_UP).then(|| alternatives.iter().find_map(file))?
    }

    /// Resolves `specifier` in the file `importer`.
    pub(super) fn meaning(&self, specifier: &str, importer: &str) -> Meaning<'a> {
        self.meant(specifier, parent(importer), 4)
    }

    fn meant(&self, specifier: &str, folder: &str, depth: usize) -> Meaning<'a> {
        // Bundlers accept a query after the name.
        let plain = specifier.split('?').next().unwrap_or(specifier);
        if plain.is_empty() || plain.len() > LONGEST_PATH || depth == 0 || plain.contains(':') || plain.starts_with('/')
        {
            return Meaning::Outside;
        }
        if plain == "." || plain == ".." || plain.starts_with("./") || plain.starts_with("../") {
            return self.file(&join(folder, plain)).map_or(Meaning::Missing, Meaning::File);
        }
        if plain.starts_with('#') {
            return self.internal(plain, folder, depth);
        }
        if let Some(aliases) = upwards(folder).find_map(|folder| self.aliases.get(folder)) {
            let patterns = aliases.patterns.iter().map(|(pattern, targets)| (pattern.as_str(), targets));
            let aliased = self
                .best(patterns, plain)
                .and_then(|(targets, rest)| self.first(targets, |target| self.file(&filled(target, rest)?)));
            let based = || aliases.base.as_ref().and_then(|base| self.file(&join(base, plain)));
            if let Some(file) = aliased.or_else(based) {
                return Meaning::File(file);
            }
        }
        match self.in_package(plain) {
            Some((folder, rest)) => self.entry(folder, rest).map_or(Meaning::Missing, Meaning::File),
            None => Meaning::Outside,
        }
    }

    /// Resolves a name with the `imports` of the enclosing package.
    fn internal(&self, name: &str, folder: &str, depth: usize) -> Meaning<'a> {
        let found = upwards(folder).find_map(|folder| Some((folder, self.packages.get(folder)?.imports.as_ref()?)));
        let Some((folder, Value::Object(imports))) = found else { return Meaning::Missing };
        let Some((value, rest)) = self.best(imports.iter().map(|(key, value)| (key.as_str(), value)), name) else {
            return Meaning::Missing;
        };
        let targets: Vec<String> = leaves(value).into_iter().filter_map(|target| filled(target, rest)).collect();
        let own: Vec<&String> = targets.iter().filter(|target| target.starts_with('.')).collect();
        let own = self.first(&own, |target| self.built(folder, target));
        let other = || targets.iter().find(|target| !target.starts_with('.'));
        match (own, other()) {
            (Some(file), _) => Meaning::File(file),
            (None, Some(name)) => self.meant(name, folder, depth - 1),
            (None, None) => Meaning::Missing,
        }
    }

    /// Splits a name into the folder of its package and the rest.
    fn in_package<'n>(&self, specifier: &'n str) -> Option<(&'a str, &'n str)> {
        let slashes = if specifier.starts_with('@') { 1 } else { 0 };
        let end = specifier.match_indices('/').nth(slashes).map_or(specifier.len(), |(at, _)| at);
        let folder = self.named.get(&specifier[..end])?;
        Some((folder, specifier[end..].trim_start_matches('/')))
    }

    /// Returns the file that a package exports as `rest`. An empty `rest` is the package itself.
    fn entry(&self, folder: &'a str, rest: &str) -> Option<&'a str> {
        let package = self.packages.get(folder)?;
        let exported = package.exports.as_ref().and_then(|exports| {
            let wanted = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
            let (value, inner) = match exports {
                Value::Object(map) if map.keys().any(|key| key.starts_with('.')) => {
                    self.best(map.iter().map(|(key, value)| (key.as_str(), value)), &wanted)?
                }
                // A value without subpaths, possibly with conditions, exports only the package itself.
                value if rest.is_empty() => (value, ""),
                _ => return None,
            };
            self.first(&leaves(value), |target| self.built(folder, &filled(target, inner)?))
        });
        if exported.is_some() {
            return exported;
        }
        if rest.is_empty() {
            let fields = [&package.source, &package.main, &package.module, &package.types];
            let said: Vec<&str> = fields.into_iter().flatten().flat_map(leaves).collect();
            let usual = || {
                ["index", "src/index", "src/main", "lib/index"].iter().find_map(|path| self.plain(&join(folder, path)))
            };
            return self.first(&said, |target| self.built(folder, target)).or_else(usual);
        }
        self.built(folder, rest).or_else(|| self.plain(&join(folder, &format!("src/{rest}"))))
    }

    /// Returns a file of a package. If the file is a build output, returns its likely source.
    fn built(&self, folder: &str, target: &str) -> Option<&'a str> {
        let target = join("", target);
        if let Some(file) = self.plain(&join(folder, &target)) {
            return Some(file);
        }
        let mut rest = target.as_str();
        while let Some((_, inner)) = rest.split_once('/').filter(|(first, _)| BUILT.contains(first)) {
            rest = inner;
        }
        if rest.len() == target.len() {
            return None;
        }
        let stem = [".d.ts", ".d.mts", ".d.cts"].into_iter().chain(MODULES).find_map(|kind| rest.strip_suffix(kind));
        let stem = stem.unwrap_or(rest);
        ["src", "source", "lib", ""].iter().find_map(|place| self.plain(&join(folder, &join(place, stem))))
    }

    /// Returns a file or the entry of a folder.
    fn file(&self, path: &str) -> Option<&'a str> {
        self.plain(path).or_else(|| {
            // The folder may be a package.
            let (&folder, _) = self.packages.get_key_value(path)?;
            self.entry(folder, "")
        })
    }

    /// Returns a file, whose extension may be omitted, or the index of a folder.
    fn plain(&self, path: &str) -> Option<&'a str> {
        let known = |path: &str| self.files.get(path).copied();
        // TypeScript files are imported by the names of their outputs.
        let becomes = || {
            let (stem, kinds): (&str, &[&str]) = if let Some(stem) = path.strip_suffix(".js") {
                (stem, &[".ts", ".tsx", ".d.ts", ".jsx"])
            } else if let Some(stem) = path.strip_suffix(".jsx") {
                (stem, &[".tsx"])
            } else if let Some(stem) = path.strip_suffix(".mjs") {
                (stem, &[".mts", ".d.mts"])
            } else {
                (path.strip_suffix(".cjs")?, &[".cts", ".d.cts"])
            };
            kinds.iter().find_map(|kind| known(&format!("{stem}{kind}")))
        };
        let silent = |path: &str| SILENT.iter().find_map(|kind| known(&format!("{path}{kind}")));
        let exact = if path.is_empty() { None } else { known(path).or_else(becomes).or_else(|| silent(path)) };
        exact.or_else(|| silent(&join(path, "index")))
    }

    /// Returns the folder of the package that contains a file, or the root.
    pub(super) fn package_of(&self, file: &'a str) -> &'a str {
        upwards(parent(file)).find(|folder| self.packages.contains_key(folder)).unwrap_or("")
    }

    /// Returns the folders of all packages around a file, innermost first.
    pub(super) fn packages_above(&self, file: &str) -> impl Iterator<Item = &'a str> {
        upwards(parent(file)).filter_map(|folder| self.packages.get_key_value(folder)).map(|(folder, _)| *folder)
    }
}

/// Replaces each `*` in a pattern with `rest`. Returns `None` if the result is longer than any path.
fn filled(pattern: &str, rest: &str) -> Option<String> {
    let length = pattern.len().saturating_add(pattern.matches('*').count().saturating_mul(rest.len()));
    (length <= LONGEST_PATH).then(|| pattern.replace('*', rest))
}

/// Returns all strings in a value, which are alternatives.
fn leaves(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(leaves).collect(),
        Value::Object(map) => map.values().flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}
