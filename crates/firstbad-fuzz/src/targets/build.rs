//! Output of build tools, and source trees.

use std::collections::BTreeMap;

use firstbad::suspicion::BuildGraph;
use firstbad_build::{Loaded, SourceOptions, load, read};

pub(super) fn bazel(input: &[u8]) {
    text("bazel", input);
}

pub(super) fn nx(input: &[u8]) {
    text("nx", input);
}

pub(super) fn turborepo(input: &[u8]) {
    text("turborepo", input);
}

pub(super) fn cargo(input: &[u8]) {
    text("cargo", input);
}

pub(super) fn go(input: &[u8]) {
    text("go", input);
}

pub(super) fn workspaces(input: &[u8]) {
    tree("workspaces", input);
}

pub(super) fn python(input: &[u8]) {
    tree("python", input);
}

pub(super) fn javascript(input: &[u8]) {
    tree("javascript", input);
}

fn text(kind: &str, input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(loaded) = load(kind, text, "") {
        check(&loaded);
        // The same text gives the same graph.
        let again = load(kind, text, "").expect("it was read before");
        assert_eq!(names(&again.graph), names(&loaded.graph));
    }
    if let Ok(loaded) = load(kind, text, "below/it") {
        check(&loaded);
    }
}

fn tree(kind: &str, input: &[u8]) {
    let files = unpacked(input);
    for (data, configuration) in [(false, true), (true, false)] {
        let options = SourceOptions { roots: Vec::new(), data, configuration };
        if let Ok(loaded) = read(kind, &files, &options) {
            check(&loaded);
        }
    }
}

/// Returns the files in an input. A line `== path` precedes the contents of each.
fn unpacked(input: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut path = "package.json".to_owned();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(b"== ") {
            Some(name) => path = String::from_utf8_lossy(name).trim_end_matches('\n').to_owned(),
            None => files.entry(path.clone()).or_default().extend_from_slice(line),
        }
    }
    files
}

fn check(Loaded { graph, warnings }: &Loaded) {
    for target in graph.targets() {
        let direct = graph.direct_dependencies(target).expect("it is a target");
        let all = graph.dependencies(target).expect("it is a target");
        assert!(direct.iter().all(|dep| *dep == target || all.contains(dep)), "{target:?} without {direct:?}");
    }
    let _ = graph.cycles();
    // Users must be able to read the warnings.
    assert!(warnings.len() <= 10_000, "{} warnings", warnings.len());
}

fn names(graph: &BuildGraph) -> Vec<&str> {
    graph.targets().collect()
}
