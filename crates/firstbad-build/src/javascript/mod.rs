//! JavaScript and TypeScript: one build target per module, with dependencies from its imports.
//!
//! `import`, `export ... from`, `require`, dynamic `import()`, and similar forms count anywhere in a file if they have a plain
//! string. Names are resolved as Node, TypeScript, and bundlers do:
//! - relative names, with omitted extensions and index files, and `.js` for a `.ts` file
//! - `paths` and `baseUrl` of `tsconfig.json`
//! - `imports` of `package.json`
//! - packages in the same tree by name, including `exports`
//!
//! If a name leads to a build output, it is resolved to the likely source. `node_modules` is left out. Other files are build
//! targets if a module imports them.

mod imports;
mod resolve;
mod tsconfig;

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad::suspicion::BuildGraphKind;

use self::imports::{MODULES, imports};
use self::resolve::{MOST_COMPARED, Meaning, Resolver};
use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::npm::WORKSPACE_FILES;
use crate::options::SourceOptions;
use crate::paths::{join, name, parent};
use crate::source::{self, Source};
use crate::warnings::left_out;

/// Returns whether the loader reads the file.
pub(crate) fn is_read(path: &str) -> bool {
    // A `tsconfig.json` can extend files with other names.
    let configuration = path.ends_with(".json") && (path.contains("config") || name(path).contains("base"));
    (is_module(path) || configuration || name(path) == "package.json") && !is_foreign(path)
}

fn is_module(path: &str) -> bool {
    MODULES.iter().any(|kind| path.ends_with(kind))
}

fn is_foreign(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules")
}

/// Returns whether test runners treat a file as a test.
fn is_test(path: &str) -> bool {
    let file = name(path);
    let folder = |part: &str| matches!(part, "__tests__" | "test" | "tests" | "spec" | "e2e" | "cypress");
    file.contains(".test.") || file.contains(".spec.") || parent(path).split('/').any(folder)
}

/// Loads the import graph of the JavaScript and TypeScript files in `source`. Build targets have the names of their paths.
/// `options.roots` is ignored.
///
/// # Errors
/// [`Error::InvalidArgument`] if there are no such files. Files that cannot be read or parsed are listed in [`Loaded::warnings`].
pub fn javascript(source: &dyn Source, options: &SourceOptions) -> Result<Loaded, Error> {
    within(source, options, MOST_COMPARED)
}

/// Builds the graph with at most `most` comparisons.
fn within(source: &dyn Source, options: &SourceOptions, most: u64) -> Result<Loaded, Error> {
    let mut warnings = Vec::new();
    let mut all = source::paths(source, &mut warnings);
    all.retain(|path| !is_foreign(path));
    if !all.iter().any(|path| is_module(path)) {
        let some = all.iter().take(3).collect::<Vec<_>>();
        return Err(Error::invalid("source", some, "files of JavaScript or TypeScript source"));
    }
    let mut missing = BTreeSet::new();
    let resolver = Resolver::new(source, all.clone(), &mut warnings, most);
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for &file in all.iter().filter(|path| is_module(path)) {
        edges.entry(file).or_default();
        let found = source::read(source, file).and_then(|bytes| imports(file, &bytes));
        let (found, broken) = found.unwrap_or_else(|why| {
            warnings.push(format!("{file} cannot be read, so its imports are missing: {why}"));
            (Vec::new(), None)
        });
        if let Some(line) = broken {
            warnings.push(format!("{file}: line {line} cannot be parsed, so some imports may be missing"));
        }
        for specifier in found {
            match resolver.meaning(&specifier, file) {
                Meaning::File(dep) => {
                    edges.entry(dep).or_default();
                    if dep != file {
                        edges.entry(file).or_default().insert(dep);
                    }
                }
                Meaning::Missing => {
                    missing.insert(format!("{specifier} in {file}"));
                }
                Meaning::Outside => {}
            }
        }
    }
    let mut collected = CollectedTargets::default();
    for (&file, deps) in &edges {
        let target = collected.target(file);
        collected.file(target, file);
        deps.iter().for_each(|dep| collected.dep(target, *dep));
    }
    if options.configuration {
        configuration(&all, &edges, &resolver, &mut collected);
    }
    if options.data {
        data(&all, &edges, &resolver, &mut collected);
    }
    let (graph, _) = collected.finish(BuildGraphKind::Javascript, "")?;
    warnings.extend(resolver.left_out());
    warnings.extend(left_out("imports of missing files", &missing));
    Ok(Loaded { graph, warnings })
}

type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Adds a build target for the configuration files of each package. Tests in the package and in nested packages depend on it.
fn configuration(all: &BTreeSet<&str>, edges: &Edges<'_>, resolver: &Resolver<'_>, collected: &mut CollectedTargets) {
    let packages: BTreeSet<&str> = resolver.packages().collect();
    for &file in all.iter().filter(|file| packages.contains(parent(file))) {
        let base = name(file);
        let settings = base.ends_with(".json") && (base.starts_with("tsconfig") || base.starts_with("jsconfig"));
        // For example `vite.config.ts` or `jest.config.js`, which are also modules.
        let program = is_module(file) && base.contains(".config.");
        if program || settings || WORKSPACE_FILES.contains(&base) || base.starts_with(".babelrc") {
            let target = collected.target(&join(parent(file), "(configuration)"));
            if edges.contains_key(file) { collected.dep(target, file) } else { collected.file(target, file) }
        }
    }
    for file in edges.keys().filter(|file| is_test(file)) {
        let target = collected.target(file);
        for package in resolver.packages_above(file) {
            collected.dep(target, join(package, "(configuration)"));
        }
    }
}

/// Adds a build target for the other files of each package, which its modules depend on. Snapshots belong to their tests.
fn data(all: &BTreeSet<&str>, edges: &Edges<'_>, resolver: &Resolver<'_>, collected: &mut CollectedTargets) {
    for &file in edges.keys() {
        let package = resolver.package_of(file);
        let others = collected.target(&join(package, "(files)"));
        collected.folder(others, package);
        let target = collected.target(file);
        collected.dep(target, join(package, "(files)"));
    }
    for file in all.iter().filter(|file| file.ends_with(".snap")) {
        let folder = parent(file);
        let test = folder.strip_suffix("__snapshots__").map(|above| join(above, name(file).trim_end_matches(".snap")));
        if let Some(test) = test.filter(|test| edges.contains_key(test.as_str())) {
            let target = collected.target(&test);
            collected.file(target, *file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_with_patterns_and_alternatives_are_limited() {
        let imports: String = (0..200).map(|number| format!("import '#x/{number}';import 'p/{number}';\n")).collect();
        let patterns: String = (0..200).map(|number| format!("\"#y{number}*\": \"./z\",")).collect();
        let alternatives = vec!["\"./dist/no*\""; 200].join(",");
        let few = ["\"./dist/no*\""; 10].join(",");
        let described = |imports: &str, exports: &str| {
            let exports = format!("{{\"./*\": [{exports}]}}");
            format!("{{\"name\": \"p\", \"imports\": {{{imports} \"#none\": \"\"}}, \"exports\": {exports}}}")
        };
        let left_out = |package: String| {
            let files = [("a.ts", imports.clone()), ("package.json", package)];
            let source: BTreeMap<String, Vec<u8>> = files.map(|(path, text)| (path.to_owned(), text.into())).into();
            let loaded = within(&source, &SourceOptions::default(), 10_000).unwrap();
            loaded.warnings.iter().any(|words| words.starts_with("imports are left out, because"))
        };
        assert!(left_out(described(&patterns, "")));
        assert!(left_out(described("", &alternatives)));
        assert!(!left_out(described("", &few)));
    }
}
