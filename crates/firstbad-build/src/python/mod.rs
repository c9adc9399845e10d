//! Python: one build target per module, with dependencies from its imports.
//!
//! Every import in a file counts: at the top, in functions, under `if TYPE_CHECKING`, and in `try`. Calls of
//! `importlib.import_module`, `__import__`, and `pytest.importorskip` with a plain string also count. Names computed at run time
//! and installed packages do not count.
//!
//! Importing `a.b.c` also runs `a/__init__.py` and `a/b/__init__.py`. A module that imports from outside a package depends on the
//! `__init__` of that package, and so does a module that no other module imports. Other modules inside the package do not depend
//! on it, because their importers already do. Each test thus reaches the same files as if every module depended on its package.
//! This avoids the cycle in every package whose `__init__` imports its modules, which would make all distances useless. Tests
//! also depend on the `conftest.py` files in their folder and its parents.

mod imports;
mod modules;

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad::suspicion::BuildGraphKind;

use self::imports::{Import, imports};
pub(crate) use self::modules::is_module;
use self::modules::{MOST_COMPARED, Modules};
use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::options::SourceOptions;
use crate::paths::{self, join, name, parent, upwards};
use crate::source::{self, Source};
use crate::warnings::left_out;

/// Loads the import graph of the Python files in `source`. Build targets have the names of the modules' paths.
///
/// # Errors
/// [`Error::InvalidArgument`] if there are no Python files, or if a root contains none. Files that cannot be read or parsed are
/// listed in [`Loaded::warnings`].
pub fn python(source: &dyn Source, options: &SourceOptions) -> Result<Loaded, Error> {
    within(source, options, MOST_COMPARED)
}

/// Builds the graph with at most `most` comparisons.
fn within(source: &dyn Source, options: &SourceOptions, most: u64) -> Result<Loaded, Error> {
    let mut warnings = Vec::new();
    let all = source::paths(source, &mut warnings);
    let roots: Vec<String> = options.roots.iter().map(|root| join("", root)).collect();
    let modules = Modules::new(&all, &roots, most);
    let files: BTreeSet<&str> = modules.files().collect();
    if files.is_empty() {
        let some = all.iter().take(3).collect::<Vec<_>>();
        return Err(Error::invalid("source", some, "files of Python source"));
    }
    for root in &options.roots {
        if !files.iter().any(|file| paths::is_below(file, &join("", root))) {
            return Err(Error::invalid(
                "roots",
                root,
                "folders with Python files, as paths from the root of the source",
            ));
        }
    }
    let mut missing = BTreeSet::new();
    let mut edges = edges(source, &files, &modules, &mut warnings, &mut missing);
    entries(&all, &modules, &mut edges);
    let (graph, _) = collect(&all, &modules, &edges, options).finish(BuildGraphKind::Python, "")?;
    warnings.extend(modules.left_out());
    warnings.extend(left_out("imports of missing modules", &missing));
    Ok(Loaded { graph, warnings })
}

/// Files with the files that they import.
type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns the imports of each file. Unresolved imports are added to `missing`, and files that cannot be read or parsed to
/// `warnings`.
fn edges<'a>(
    source: &dyn Source,
    files: &BTreeSet<&'a str>,
    modules: &Modules<'a>,
    warnings: &mut Vec<String>,
    missing: &mut BTreeSet<String>,
) -> Edges<'a> {
    let mut edges = Edges::new();
    for &file in files {
        let deps = edges.entry(file).or_default();
        let found = source::read(source, file).and_then(|bytes| imports(&bytes));
        let (found, broken) = found.unwrap_or_else(|why| {
            warnings.push(format!("{file} cannot be read, so its imports are missing: {why}"));
            (Vec::new(), None)
        });
        if let Some(line) = broken.filter(|_| file.ends_with(".py")) {
            warnings.push(format!("{file}: line {line} cannot be parsed, so some imports may be missing"));
        }
        for import in found {
            let meant = meant(modules, &import, file);
            if let (None | Some(Found::Part(_)), Some(name)) = (&meant, written(&import, meant.is_some())) {
                missing.insert(format!("{name} in {file}"));
            }
            let outside = |init: &&str| !paths::is_below(file, parent(init));
            let (dep, own) = match meant {
                Some(Found::Whole(dep)) => (dep, true),
                // If the file is inside the package, only its `__init__` matches, and that runs first anyway.
                Some(Found::Part(dep)) => (dep, outside(&dep) || !name(dep).starts_with("__init__.")),
                None => continue,
            };
            deps.extend(own.then_some(dep));
            // The import also runs the packages that it enters.
            deps.extend(modules.packages(dep).filter(outside));
        }
    }
    edges
}

/// Adds a build target for every file and for the configuration of the project.
fn collect(
    all: &BTreeSet<&str>,
    modules: &Modules<'_>,
    edges: &Edges<'_>,
    options: &SourceOptions,
) -> CollectedTargets {
    let mut collected = CollectedTargets::default();
    let configuration = if options.configuration { configuration(all, &mut collected) } else { BTreeMap::new() };
    for (&file, deps) in edges {
        let target = collected.target(file);
        collected.file(target, file);
        deps.iter().filter(|dep| **dep != file).for_each(|dep| collected.dep(target, *dep));
        let folder = parent(file);
        if is_test(file) {
            upwards(folder)
                .filter_map(|folder| configuration.get(folder))
                .for_each(|target_name| collected.dep(target, target_name));
        }
        if options.data
            && (modules.init(folder) == Some(file)
                || (modules.init(folder).is_none() && is_test(file) && name(file) != "conftest.py"))
        {
            collected.folder(target, folder);
        }
    }
    for &(module, file) in &modules.beside {
        let target = collected.target(module);
        collected.file(target, file);
    }
    collected
}

/// The file that an import refers to.
enum Found<'a> {
    Whole(&'a str),
    /// Only a prefix of the name was found. The rest is generated, compiled, or missing.
    Part(&'a str),
}

fn meant<'a>(modules: &Modules<'a>, import: &Import, file: &str) -> Option<Found<'a>> {
    match import {
        Import::Module(name) | Import::From(0, name, _) => {
            let inner = match import {
                // The imported name may be a module.
                Import::From(_, module, name) => modules.exactly(&format!("{module}.{name}"), file),
                Import::Module(_) => None,
            };
            let whole = inner.or_else(|| modules.exactly(name, file)).map(Found::Whole);
            whole.or_else(|| modules.beginning(name, file).map(Found::Part))
        }
        Import::From(level, module, name) => {
            let inner = modules.relative(*level, &format!("{module}.{name}"), file);
            inner.or_else(|| modules.relative(*level, module, file)).map(Found::Whole)
        }
    }
}

/// Returns an import as written if it should refer to a local file, or `None` if it may be external.
fn written(import: &Import, partly: bool) -> Option<String> {
    match import {
        Import::From(level @ 1.., module, name) => {
            let module = if module.is_empty() { name } else { module };
            Some(format!("{}{module}", ".".repeat(*level)))
        }
        Import::Module(name) | Import::From(_, name, _) => partly.then(|| name.clone()),
    }
}

/// Returns whether pytest or unittest treats a file as a test.
fn is_test(file: &str) -> bool {
    let name = name(file);
    let stem = name.strip_suffix(".py").unwrap_or("");
    stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "test" | "tests" | "conftest")
}

/// Adds the files that run before a file that is not imported: its packages, and for tests the `conftest.py` files.
fn entries<'a>(all: &BTreeSet<&'a str>, modules: &Modules<'a>, edges: &mut BTreeMap<&'a str, BTreeSet<&'a str>>) {
    let imported: BTreeSet<&str> =
        edges.iter().flat_map(|(file, deps)| deps.iter().copied().filter(move |dep| dep != file)).collect();
    for (&file, deps) in edges.iter_mut() {
        if is_test(file) {
            let conftest = |folder| all.get(join(folder, "conftest.py").as_str()).copied();
            deps.extend(upwards(parent(file)).filter_map(conftest).filter(|conftest| *conftest != file));
        }
        if is_test(file) || !imported.contains(file) {
            deps.extend(modules.packages(file).filter(|init| *init != file));
        }
    }
}

/// Adds a build target for every folder with configuration files. Returns their names by folder.
fn configuration(all: &BTreeSet<&str>, collected: &mut CollectedTargets) -> BTreeMap<String, String> {
    const NAMES: [&str; 12] = [
        "pyproject.toml",
        "setup.cfg",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "poetry.lock",
        "uv.lock",
        "pdm.lock",
        "Pipfile",
        "Pipfile.lock",
        "environment.yml",
        "setup.py",
    ];
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for &path in all {
        let (folder, name) = (parent(path), name(path));
        let pinned = |name: &str| name.ends_with(".txt") || name.ends_with(".in");
        let listed = (name.starts_with("requirements") || name.starts_with("constraints")) && pinned(name);
        let folder = match paths::name(folder) {
            "requirements" if pinned(name) => parent(folder),
            _ if listed || NAMES.contains(&name) => folder,
            _ => continue,
        };
        let target = found.entry(folder.to_owned()).or_insert_with(|| join(folder, "(configuration)"));
        let number = collected.target(target);
        // `setup.py` already has a build target as a module.
        if name == "setup.py" { collected.dep(number, path) } else { collected.file(number, path) }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_with_files_of_one_name_are_limited() {
        let source: BTreeMap<String, Vec<u8>> =
            (0..50).map(|number| (format!("{number}/a.py"), b"import a\n".to_vec())).collect();
        let left_out = |most| {
            let loaded = within(&source, &SourceOptions::default(), most).unwrap();
            loaded.warnings.iter().any(|words| words.starts_with("imports are left out, because"))
        };
        assert!(left_out(2000) && !left_out(3000));
    }
}
