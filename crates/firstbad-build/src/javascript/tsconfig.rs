//! `tsconfig.json` and `jsconfig.json`, as far as they say what names mean.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::paths::{join, parent};

/// What names mean below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Aliases {
    /// Where names that are not relative start from.
    pub(super) base: Option<String>,
    /// Patterns with at most one `*`, and what they stand for, as paths from the root.
    pub(super) patterns: Vec<(String, Vec<String>)>,
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
type Read<'a> = dyn Fn(&str) -> Option<Result<Vec<u8>, String>> + 'a;

/// Reads a configuration with what it extends; if that has no aliases, those that it refers to are read. `read` gives a
/// file's content (`None` if there is no such file), `package` the path of a file that is named by its package.
///
/// # Errors
/// The parser's words about one of the files.
pub(super) fn aliases(
    path: &str,
    read: &Read<'_>,
    package: &dyn Fn(&str) -> Option<String>,
) -> Result<Aliases, String> {
    // No chain is that long, unless it is a circle.
    follow(path, read, package, 16)
}

fn follow(
    path: &str,
    read: &Read<'_>,
    package: &dyn Fn(&str) -> Option<String>,
    depth: usize,
) -> Result<Aliases, String> {
    let Some(bytes) = read(path).filter(|_| depth > 0) else { return Ok(Aliases::default()) };
    let bytes = bytes.map_err(|why| format!("{path}: {why}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let parsed: Option<File> =
        jsonc_parser::parse_to_serde_value(text.trim_start_matches('\u{feff}'), &Default::default())
            .map_err(|error| format!("{path}: {error}"))?;
    let file = parsed.unwrap_or_default();
    let folder = parent(path);
    let mut aliases = Aliases::default();
    let extended = match &file.extends {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for name in extended {
        let found = if name.starts_with('.') { Some(join(folder, name)) } else { package(name) };
        let Some(found) = found else { continue };
        let names = [found.clone(), format!("{found}.json"), join(&found, "tsconfig.json")];
        // The later one wins.
        if let Some(name) = names.iter().find(|name| read(name).is_some()) {
            let above = follow(name, read, package, depth - 1)?;
            aliases.base = above.base.or(aliases.base);
            if !above.patterns.is_empty() {
                aliases.patterns = above.patterns;
            }
        }
    }
    let options = file.compiler_options.unwrap_or_default();
    if let Some(base) = options.base_url {
        aliases.base = Some(join(folder, &base));
    }
    if let Some(paths) = options.paths {
        let base = aliases.base.clone().unwrap_or_else(|| folder.to_owned());
        let targets = |targets: Vec<String>| targets.iter().map(|target| join(&base, target)).collect();
        aliases.patterns = paths.into_iter().map(|(pattern, found)| (pattern, targets(found))).collect();
    }
    if aliases == Aliases::default() {
        for Reference { path } in file.references.unwrap_or_default() {
            let found = join(folder, &path);
            let name = if found.ends_with(".json") { found } else { join(&found, "tsconfig.json") };
            let referred = follow(&name, read, package, depth - 1)?;
            if referred != Aliases::default() {
                return Ok(referred);
            }
        }
    }
    Ok(aliases)
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
