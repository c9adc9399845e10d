//! The id of a test case, as its runner takes it.

use crate::case::Case;
use crate::report::Scope;
use crate::runner::Runner;
use crate::rust_id;
use crate::tree::Tree;

/// Returns the id of a case, and its file relative to the tree.
pub(crate) fn identify(runner: Option<Runner>, case: &Case, tree: &Tree<'_>) -> (String, Option<String>) {
    let file = case.file.as_deref().map(|file| tree.local(file).unwrap_or_else(|| file.to_owned()));
    if let Some(id) = &case.id {
        return (id.clone(), file);
    }
    match runner {
        Some(Runner::Pytest) => pytest(case, file, tree),
        Some(Runner::Jest | Runner::Vitest | Runner::Mocha) => javascript(runner, case, file, tree),
        Some(Runner::Node) => node(case, file, tree),
        Some(Runner::Cargo | Runner::Nextest) => (rust_id::of(case.class.as_deref(), &case.name), file),
        Some(Runner::Go) => (placed(case.class.as_deref(), &case.name), file),
        Some(Runner::Ctest) => (case.name.clone(), file),
        Some(Runner::Bazel) => (bazel(case), file),
        Some(Runner::Custom) | None => (any(case), file),
    }
}

/// Joins a place and a name with `::`, unless one of them is missing.
fn placed(place: Option<&str>, name: &str) -> String {
    match place.filter(|place| !place.is_empty()) {
        Some(place) if name.is_empty() => place.to_owned(),
        Some(place) => format!("{place}::{name}"),
        None => name.to_owned(),
    }
}

/// Returns the node id. JUnit XML has the module and the classes as one name.
fn pytest(case: &Case, file: Option<String>, tree: &Tree<'_>) -> (String, Option<String>) {
    let class = case.class.as_deref().unwrap_or_default();
    if case.scope == Scope::File {
        let (module, _) = module(&case.name, tree);
        let file = file.unwrap_or(module);
        return (file.clone(), Some(file));
    }
    let (file, classes) = match file {
        Some(file) => {
            let dotted = file.trim_end_matches(".py").replace('/', ".");
            let classes = class.strip_prefix(&dotted).unwrap_or_default().trim_start_matches('.');
            (file, classes.split('.').filter(|class| !class.is_empty()).map(str::to_owned).collect::<Vec<_>>())
        }
        None if class.is_empty() => return (case.name.clone(), None),
        None => module(class, tree),
    };
    let parts: Vec<&str> = [file.as_str()].into_iter().chain(classes.iter().map(String::as_str)).collect();
    (placed(Some(&parts.join("::")), &case.name), Some(file))
}

/// Splits a dotted name into the longest module that exists and its classes. Without such a module, classes start with a capital.
fn module(dotted: &str, tree: &Tree<'_>) -> (String, Vec<String>) {
    /// A dotted name with more parts is not a module.
    const MOST_PARTS: usize = 64;
    let parts: Vec<&str> = dotted.split('.').collect();
    let path = |count: usize| format!("{}.py", parts[..count].join("/"));
    let existing = (1..=parts.len().min(MOST_PARTS)).rev().find(|&count| tree.has(&path(count)));
    let is_class = |part: &&str| part.starts_with(|sign: char| sign.is_uppercase());
    let count = existing.unwrap_or_else(|| match parts.iter().rposition(|part| !is_class(part)) {
        Some(last) => last + 1,
        None => parts.len(),
    });
    (path(count), parts[count..].iter().map(|part| (*part).to_owned()).collect())
}

/// Returns the file and the full name, whose parts are joined by spaces.
fn javascript(runner: Option<Runner>, case: &Case, file: Option<String>, tree: &Tree<'_>) -> (String, Option<String>) {
    let class = case.class.as_deref().unwrap_or_default();
    let name = case.name.as_str();
    if case.scope == Scope::File {
        let file = file.unwrap_or_else(|| tree.local(name).unwrap_or_else(|| name.to_owned()));
        return (file.clone(), Some(file));
    }
    let (class_file, name) = match runner {
        // The class is the file, and the name has ` > ` between its parts.
        Some(Runner::Vitest) if !class.is_empty() => {
            (Some(tree.local(class).unwrap_or_else(|| class.to_owned())), name.replace(" > ", " "))
        }
        // A reporter writes the full name or only its last part as the name.
        _ if class.is_empty() || name.ends_with(class) => (None, name.trim_start().to_owned()),
        _ if name.starts_with(class) => (None, name.to_owned()),
        _ => (None, format!("{class} {name}")),
    };
    let file = file.or(class_file);
    (placed(file.as_deref(), &name), file)
}

fn node(case: &Case, file: Option<String>, tree: &Tree<'_>) -> (String, Option<String>) {
    // Node escapes quotes twice.
    let plain = |name: &str| name.replace("&quot;", "\"");
    if case.scope == Scope::File {
        let file = file.unwrap_or_else(|| tree.local(&case.name).unwrap_or_else(|| case.name.clone()));
        return (file.clone(), Some(file));
    }
    let mut parts: Vec<String> = case.suites.iter().map(|suite| plain(suite)).collect();
    parts.extend(Some(plain(&case.name)).filter(|name| !name.is_empty()));
    (placed(file.as_deref(), &parts.join(" > ")), file)
}

/// Returns the label. Bazel names a test by its path.
fn bazel(case: &Case) -> String {
    if case.name.starts_with("//") || case.name.starts_with('@') {
        return case.name.clone();
    }
    match case.name.rsplit_once('/').filter(|_| case.class.is_none()) {
        Some((package, name)) => format!("//{package}:{name}"),
        None => any(case),
    }
}

/// Returns an id for an unknown runner: the class, or the suites without a class, and the name.
fn any(case: &Case) -> String {
    // Node writes `test` as the class of every test.
    let class = case.class.as_deref().filter(|class| *class != "test");
    if class == Some(case.name.as_str()) {
        return case.name.clone();
    }
    match class {
        Some(class) => placed(Some(class), &case.name),
        None if case.suites.is_empty() => placed(case.file.as_deref().filter(|_| case.name.is_empty()), &case.name),
        None => placed(Some(&case.suites.iter().map(|suite| &**suite).collect::<Vec<_>>().join(" > ")), &case.name),
    }
}
