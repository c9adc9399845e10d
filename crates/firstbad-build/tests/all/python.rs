//! Import graphs of Python.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::owners;
use firstbad::suspicion::BuildGraph;
use firstbad_build::{Loaded, SourceOptions, python};
use proptest::prelude::*;

type Files = BTreeMap<String, Vec<u8>>;

fn files<const N: usize>(files: [(&str, &str); N]) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

fn loaded(source: &Files) -> Loaded {
    python(source, &SourceOptions { configuration: false, ..SourceOptions::default() }).unwrap()
}

fn deps(graph: &BuildGraph, target: &str) -> String {
    let mut deps = graph.dependencies(target).unwrap_or_else(|| panic!("no target {target}"));
    deps.sort_unstable();
    deps.join(" ")
}

#[test]
fn absolute_and_relative_imports_are_resolved() {
    let graph = loaded(&files([
        ("pkg/__init__.py", "from .core import run\nfrom . import sub"),
        ("pkg/core.py", "import os, numpy\nimport pkg.util as u\nfrom .sub import helper, attribute"),
        ("pkg/util.py", "from pkg import core as c, run"),
        ("pkg/generated.py", "from ._version import v\nimport pkg._native\nfrom pkg._native import x"),
        ("pkg/sub/__init__.py", ""),
        ("pkg/sub/helper.py", "from ..util import x\nfrom ... import above\nfrom . import nothing"),
        ("pkg/native.pyi", ""),
        ("pkg/core.pyi", ""),
        (
            "script.py",
            "import pkg.generated\nimport pkg.sub.helper\nfrom pkg.native import fast\nimport pkg.missing.deeper",
        ),
    ]))
    .graph;
    assert_eq!(deps(&graph, "pkg/__init__.py"), "pkg/core.py pkg/sub/__init__.py");
    assert_eq!(deps(&graph, "pkg/core.py"), "pkg/sub/__init__.py pkg/sub/helper.py pkg/util.py");
    assert_eq!(deps(&graph, "pkg/util.py"), "pkg/__init__.py pkg/core.py");
    assert_eq!(deps(&graph, "pkg/generated.py"), "", "what it names is not here, and its package runs before it");
    assert_eq!(deps(&graph, "pkg/sub/helper.py"), "pkg/sub/__init__.py pkg/util.py");
    assert_eq!(
        deps(&graph, "script.py"),
        "pkg/__init__.py pkg/generated.py pkg/native.pyi pkg/sub/__init__.py pkg/sub/helper.py"
    );
    assert_eq!(owners(&graph, "pkg/core.pyi"), "pkg/core.py");
    assert_eq!(owners(&graph, "pkg/native.pyi"), "pkg/native.pyi");
}

#[test]
fn imports_are_resolved_in_common_layouts() {
    let source = files([
        ("src/acme/__init__.py", ""),
        ("src/acme/plugins/one.py", "import acme\nfrom acme.plugins import two"),
        ("src/acme/plugins/two.py", ""),
        ("src/lone.py", ""),
        ("tests/helpers.py", "import lone"),
        ("tests/test_a.py", "import helpers, acme.plugins.one"),
        ("other/tests/helpers.py", ""),
        ("other/tests/test_b.py", "from helpers import x\nfrom tests import helpers"),
        ("other/pyproject.toml", ""),
        ("libs/deep/inner/__init__.py", "import lone"),
        ("scripts/json.py", "import inner"),
        ("scripts/use.py", "import json"),
        ("pyproject.toml", ""),
        ("tools/run.py", "import json, helpers\nimport inner"),
    ]);
    let graph = loaded(&source).graph;
    // A namespace package inside a regular package.
    assert_eq!(deps(&graph, "src/acme/plugins/one.py"), "src/acme/__init__.py src/acme/plugins/two.py");
    assert_eq!(deps(&graph, "tests/helpers.py"), "src/lone.py");
    assert_eq!(deps(&graph, "tests/test_a.py"), "src/acme/plugins/one.py tests/helpers.py");
    assert_eq!(deps(&graph, "other/tests/test_b.py"), "other/tests/helpers.py");
    assert_eq!(deps(&graph, "scripts/json.py"), "libs/deep/inner/__init__.py");
    assert_eq!(deps(&graph, "scripts/use.py"), "scripts/json.py");
    assert_eq!(deps(&graph, "tools/run.py"), "libs/deep/inner/__init__.py", "neither json nor helpers is its own");
    // If roots are given, no others are detected.
    let options = SourceOptions { roots: vec!["src/".into(), "./tests".into()], configuration: false, data: false };
    let graph = python(&source, &options).unwrap().graph;
    assert_eq!(deps(&graph, "tests/test_a.py"), "src/acme/plugins/one.py tests/helpers.py");
    assert_eq!(deps(&graph, "scripts/use.py"), "");
    let wrong = SourceOptions { roots: vec!["sources".into()], ..SourceOptions::default() };
    assert_eq!(
        python(&source, &wrong).unwrap_err().to_string(),
        "roots: \"sources\" is not valid; expected folders with Python files, as paths from the root of the source"
    );
}

#[test]
fn tests_depend_on_conftest_packages_and_configuration() {
    let source = files([
        ("pyproject.toml", ""),
        ("requirements/dev.txt", ""),
        ("requirements-ci.txt", ""),
        ("conftest.py", "import pkg.fixtures"),
        ("pkg/__init__.py", "from . import core"),
        ("pkg/core.py", ""),
        ("pkg/fixtures.py", ""),
        ("pkg/tests/__init__.py", ""),
        ("pkg/tests/conftest.py", "pytest_plugins = ['pkg.plugin']"),
        ("pkg/plugin.py", ""),
        ("pkg/tests/test_core.py", "from pkg.core import x"),
        ("pkg/tests/data/deep/a.json", ""),
        ("web/setup.py", ""),
        ("web/setup.cfg", ""),
        ("web/checks/test_web.py", ""),
        ("web/checks/web_test.py", ""),
        ("web/checks/data.txt", ""),
        ("web/README.md", ""),
    ]);
    let graph = loaded(&source).graph;
    let core = "conftest.py pkg/__init__.py pkg/core.py pkg/tests/__init__.py pkg/tests/conftest.py";
    assert_eq!(deps(&graph, "pkg/tests/test_core.py"), core);
    assert_eq!(
        deps(&graph, "pkg/tests/conftest.py"),
        "conftest.py pkg/__init__.py pkg/plugin.py pkg/tests/__init__.py"
    );
    assert_eq!(deps(&graph, "web/checks/test_web.py"), "conftest.py");
    assert_eq!(deps(&graph, "pkg/core.py"), "", "whoever imports it depends on its package");
    assert_eq!(owners(&graph, "pyproject.toml"), "");
    let options = SourceOptions { data: true, ..SourceOptions::default() };
    let graph = python(&source, &options).unwrap().graph;
    assert_eq!(deps(&graph, "web/checks/test_web.py"), "(configuration) conftest.py web/(configuration)");
    assert_eq!(deps(&graph, "web/(configuration)"), "web/setup.py");
    for (file, targets) in [
        ("requirements/dev.txt", "(configuration)"),
        ("requirements-ci.txt", "(configuration)"),
        ("web/setup.cfg", "web/(configuration)"),
        ("pkg/tests/data/deep/a.json", "pkg/tests/__init__.py"),
        ("pkg/schema.sql", "pkg/__init__.py"),
        ("web/checks/data.txt", "web/checks/test_web.py web/checks/web_test.py"),
        ("web/README.md", ""),
    ] {
        assert_eq!(owners(&graph, file), targets, "{file}");
    }
}

#[test]
fn a_broken_file_gives_a_warning() {
    let mut source = files([("a.py", "import b\nclass :\n"), ("b.py", "from . import gone"), ("c.py", "import a")]);
    source.insert("d.py".into(), b"import a\n# \xff\n".to_vec());
    let Loaded { graph, warnings, .. } = loaded(&source);
    assert_eq!(deps(&graph, "a.py"), "b.py");
    assert_eq!(deps(&graph, "d.py"), "a.py");
    assert_eq!(
        warnings,
        [
            "a.py: line 2 cannot be parsed, so some imports may be missing",
            "left out: 1 imports of missing modules: .gone in b.py"
        ]
    );
    let error = python(&files([("a.txt", "")]), &SourceOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "source: [\"a.txt\"] is not valid; expected files of Python source");
}

/// Returns all targets that a target reaches.
fn reached<'a>(deps: &impl Fn(&str) -> Vec<&'a str>, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([from.to_owned()]);
    let mut left = vec![from.to_owned()];
    while let Some(next) = left.pop() {
        for dep in deps(&next) {
            if found.insert(dep.to_owned()) {
                left.push(dep.to_owned());
            }
        }
    }
    found
}

proptest! {
    /// Tests reach the same files as if each module depended on its packages, as documented.
    #[test]
    fn tests_reach_the_files_that_they_run(
        links in prop::collection::vec((0..14usize, 0..14usize, any::<bool>()), 0..30),
    ) {
        const FILES: [&str; 14] = [
            "a/__init__.py", "a/x.py", "a/y.py", "a/b/__init__.py", "a/b/z.py", "a/b/test_in.py", "a/b/c/__init__.py",
            "a/b/c/w.py", "d/__init__.py", "d/v.py", "d/test_d.py", "plain.py", "test_top.py", "e/n.py",
        ];
        let module = |file: &str| file.trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
        let mut source: Files = FILES.iter().map(|file| ((*file).to_owned(), Vec::new())).collect();
        let mut naive: BTreeMap<&str, Vec<&str>> = FILES.iter().map(|file| (*file, Vec::new())).collect();
        for (from, to, inside) in links {
            let (from, to) = (FILES[from], FILES[to]);
            let line = if inside { format!("def f():\n    import {}\n", module(to)) } else { format!("import {}\n", module(to)) };
            source.get_mut(from).unwrap().extend(line.bytes());
            naive.get_mut(from).unwrap().push(to);
        }
        for file in FILES {
            let mut folder = file;
            while let Some((above, _)) = folder.rsplit_once('/') {
                let init = FILES.into_iter().find(|init| *init == format!("{above}/__init__.py"));
                naive.get_mut(file).unwrap().extend(init);
                folder = above;
            }
        }
        let graph = loaded(&source).graph;
        for test in FILES.into_iter().filter(|file| file.contains("test_")) {
            let ours = reached(&|target| graph.dependencies(target).unwrap(), test);
            let theirs = reached(&|target| naive[target].clone(), test);
            prop_assert_eq!(ours, theirs, "{}", test);
        }
    }

    /// Any text gives a graph with that file.
    #[test]
    fn any_python_text_gives_a_graph(text in "(import|from|\\.|a|b|\\(|\\)|,|\n| |as|\\*|\"|'|#|def f\\(\\):|\\\\|é){0,40}") {
        let graph = loaded(&files([("a.py", &text), ("b.py", "")])).graph;
        prop_assert_eq!(graph.len(), 2);
    }
}
