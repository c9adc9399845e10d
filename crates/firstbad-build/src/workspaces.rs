//! Workspaces of npm, Yarn, Bun, and pnpm, from `package.json` or `pnpm-workspace.yaml`.
//!
//! Packages, including the root, are build targets. A package owns every file below its folder, and depends on all packages of
//! the workspace among its dependencies of any kind.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad::suspicion::BuildGraphKind;
use globset::{GlobBuilder, GlobMatcher};

use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::npm::{PackageJson, WORKSPACE_FILES};
use crate::paths;
use crate::source::{self, Source};
use crate::warnings::left_out;
use crate::yaml;

const PNPM: &str = "pnpm-workspace.yaml";
const PACKAGE: &str = "package.json";

/// Loads a build graph from the workspace at the root of `source`. Build targets have the names of their packages. A package
/// without a name has that of its folder, and `.` for the root.
///
/// # Errors
/// [`Error::InvalidArgument`] if there is no workspace, or if its description cannot be parsed.
pub fn workspaces(source: &dyn Source) -> Result<Loaded, Error> {
    let mut warnings = Vec::new();
    let mut manifests = source::paths(source, &mut warnings);
    manifests.retain(|path| paths::name(path) == PACKAGE && !path.split('/').any(|part| part == "node_modules"));
    let mut packages: BTreeMap<&str, PackageJson> = BTreeMap::new();
    for &path in &manifests {
        let parsed = source::read(source, path).and_then(|bytes| PackageJson::parse(&bytes));
        match parsed {
            Ok(package) => {
                packages.insert(paths::parent(path), package);
            }
            Err(why) => warnings.push(format!("{path} is left out: {why}")),
        }
    }
    let patterns = patterns(source, packages.get(""))?;
    patterns.check(packages.len())?;
    packages.retain(|folder, _| folder.is_empty() || patterns.hold(folder));
    for pattern in patterns.without_match(packages.keys().copied()) {
        warnings.push(format!("{pattern:?} matches no package"));
    }

    let mut collected = CollectedTargets::default();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let mut targets: BTreeMap<&str, usize> = BTreeMap::new();
    for (&folder, package) in &packages {
        let place = if folder.is_empty() { "." } else { folder };
        let name = package.name.as_deref().filter(|name| !collected.contains(name)).unwrap_or(place);
        if package.name.as_deref().is_some_and(|given| given != name) {
            warnings.push(format!(
                "two packages have the name {:?}, so the package in {place} has the name of its folder",
                package.name
            ));
        }
        let target = collected.target(name);
        collected.folder(target, folder);
        names.insert(folder, name);
        targets.insert(folder, target);
    }
    let known: BTreeSet<&str> = names.values().copied().collect();
    let mut outside = BTreeSet::new();
    for (folder, package) in &packages {
        for (name, from) in package.dependencies() {
            match local(folder, name, from, &names, &known) {
                Some(dep) => collected.dep(targets[folder], dep),
                None if known.contains(name) => collected.dep(targets[folder], name),
                None => {
                    outside.insert(name.to_owned());
                }
            }
        }
    }
    collected.workspace(WORKSPACE_FILES);
    let (graph, _) = collected.finish(BuildGraphKind::Workspaces, "")?;
    warnings.extend(left_out("packages from outside", &outside));
    Ok(Loaded { graph, warnings })
}

/// Resolves a dependency by folder or by alias.
fn local<'a>(
    folder: &str,
    name: &str,
    from: &str,
    names: &BTreeMap<&str, &'a str>,
    known: &BTreeSet<&'a str>,
) -> Option<&'a str> {
    let (kind, rest) = from.split_once(':')?;
    let place = || names.get(paths::join(folder, rest).as_str()).copied();
    match kind {
        "file" | "link" | "portal" => place(),
        "workspace" if rest.starts_with('.') => place(),
        // An alias: `"other": "workspace:real@^1"`.
        "workspace" => {
            let real = rest.rsplit_once('@').map(|(real, _)| real).filter(|real| !real.is_empty() && *real != name)?;
            known.get(real).copied()
        }
        _ => None,
    }
}

/// The patterns for folders of packages. Patterns with `!` exclude folders.
struct Patterns(Vec<(String, bool, GlobMatcher)>);

/// Limits on patterns, which are compiled. Real workspaces stay far below.
const MOST_PATTERNS: usize = 1000;
const LONGEST_PATTERN: usize = 1000;
/// The maximum number of pairs of a pattern and a folder with a package.
const MOST_COMPARED: usize = 10_000_000;
const DEEPEST_BRACES: usize = 10;

/// Checks the length and depth of a pattern.
///
/// # Errors
/// A description of the limit.
fn check(pattern: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    let deepest = pattern.bytes().map(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth
    });
    match deepest.max() {
        Some(deepest) if deepest > DEEPEST_BRACES => Err(format!("braces at most {DEEPEST_BRACES} deep")),
        _ if pattern.len() > LONGEST_PATTERN => Err(format!("at most {LONGEST_PATTERN} bytes")),
        _ => Ok(()),
    }
}

impl Patterns {
    fn new(patterns: Vec<String>, argument: &str) -> Result<Patterns, Error> {
        if patterns.len() > MOST_PATTERNS {
            let expected = format!("at most {MOST_PATTERNS} patterns");
            return Err(Error::invalid(argument, format!("{} patterns", patterns.len()), expected));
        }
        let compile = |pattern: String| {
            check(&pattern).map_err(|bound| {
                let start: String = pattern.chars().take(40).collect();
                Error::invalid(argument, format!("{start}..."), format!("a pattern with {bound}"))
            })?;
            let (glob, adds) = pattern.strip_prefix('!').map_or((pattern.as_str(), true), |rest| (rest, false));
            let glob = glob.trim_start_matches("./").trim_end_matches('/').trim_end_matches("/package.json");
            let matcher = GlobBuilder::new(glob).literal_separator(true).build();
            let matcher =
                matcher.map_err(|error| Error::invalid(argument, &pattern, format!("a pattern ({error})")))?;
            Ok((pattern, adds, matcher.compile_matcher()))
        };
        patterns.into_iter().map(compile).collect::<Result<_, _>>().map(Patterns)
    }

    /// Checks the number of comparisons.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there are more than [`MOST_COMPARED`] pairs of a pattern and a folder.
    fn check(&self, folders: usize) -> Result<(), Error> {
        let patterns = self.0.len();
        if patterns.saturating_mul(folders) <= MOST_COMPARED {
            return Ok(());
        }
        let expected = format!("at most {MOST_COMPARED} pairs of a pattern and a folder with a {PACKAGE}");
        Err(Error::invalid("workspaces", format!("{patterns} patterns and {folders} folders"), expected))
    }

    fn hold(&self, folder: &str) -> bool {
        let fits = |wanted: bool| self.0.iter().any(|(_, adds, glob)| *adds == wanted && glob.is_match(folder));
        fits(true) && !fits(false)
    }

    /// Returns the patterns that match no folder.
    fn without_match<'a>(&self, folders: impl Iterator<Item = &'a str> + Clone) -> impl Iterator<Item = &str> {
        let idle = move |glob: &GlobMatcher| !folders.clone().any(|folder| glob.is_match(folder));
        self.0.iter().filter(move |(_, adds, glob)| *adds && idle(glob)).map(|(pattern, ..)| pattern.as_str())
    }
}

fn patterns(source: &dyn Source, root: Option<&PackageJson>) -> Result<Patterns, Error> {
    if source.paths().any(|path| path == PNPM) {
        let expected = "a list `packages:` of patterns";
        let bytes = source::read(source, PNPM).map_err(|why| Error::invalid(PNPM, why, expected))?;
        let text = String::from_utf8_lossy(&bytes);
        let patterns = yaml::texts(&text, "packages")
            .map_err(|why| Error::invalid(PNPM, why, format!("YAML with {expected}")))?
            .ok_or_else(|| Error::invalid(PNPM, "packages", expected))?;
        return Patterns::new(patterns, PNPM);
    }
    match root.map(|root| root.workspaces.as_ref()) {
        Some(Some(workspaces)) => Patterns::new(workspaces.patterns().to_vec(), "package.json workspaces"),
        Some(None) => Err(Error::invalid("folder", PACKAGE, format!("one with `workspaces`, or a {PNPM} next to it"))),
        None => Err(Error::invalid(
            "folder",
            source.paths().take(3).collect::<Vec<_>>(),
            format!("the root of a workspace, which has a {PACKAGE} with `workspaces` or a {PNPM}"),
        )),
    }
}
