//! Outputs of tools. The samples of Nx, Turborepo, Cargo, and Go are real, with renamed folders. Those of Bazel are written by
//! hand in the same format.

use crate::common::{lines, owners};
use firstbad_build::{Loaded, TEXTS, bazel, cargo, go, load, nx, turborepo};

const BAZEL: &str = include_str!("samples/bazel.xml");
const BAZEL_JSON: &str = include_str!("samples/bazel.jsonl");
const NX: &str = include_str!("samples/nx.json");
const TURBOREPO: &str = include_str!("samples/turborepo.json");
const CARGO: &str = include_str!("samples/cargo-no-deps.json");
const GO: &str = include_str!("samples/go.json");
const GO_TEST: &str = include_str!("samples/go-test.json");

fn check_bazel(Loaded { graph, warnings, .. }: &Loaded) {
    let expected = "//app:app: //lib:lib //lib:make_version\n\
        //app:app_test: //app:app\n\
        //lib:lib: \n\
        //lib:make_version: //tools:stamp\n\
        //tools:stamp: \n";
    assert_eq!(lines(graph), expected);
    for (file, targets) in [
        ("app/app.py", "//app:app"),
        ("app/testdata/a & b.json", "//app:app_test"),
        ("app/BUILD.bazel", "//app:app_test //app:app"),
        ("lib/BUILD", "//lib:lib //lib:make_version"),
        ("tools/defs.bzl", "//app:app_test //app:app"),
        ("LICENSE", "//lib:lib"),
        ("lib/version.txt", "//lib:make_version"),
        ("lib/version.py", ""),
    ] {
        assert_eq!(owners(graph, file), targets, "{file}");
    }
    let external = "left out: 4 labels of external repositories: @@rules_python~//python:defs, \
        @@rules_python~//python:defs.bzl, @bazel_tools//tools/test:test_setup, ...";
    assert_eq!(warnings, &[external]);
}

#[test]
fn bazel_output_is_read_in_both_formats() {
    check_bazel(&bazel(BAZEL).unwrap());
    check_bazel(&bazel(BAZEL_JSON).unwrap());
}

#[test]
fn bazel_output_may_lack_files_and_locations() {
    // `bazel query //...` lists only rules.
    let rules: String =
        BAZEL_JSON.lines().filter(|line| line.contains(r#""type":"RULE""#)).map(|l| format!("{l}\n")).collect();
    let loaded = bazel(&rules).unwrap();
    assert_eq!(owners(&loaded.graph, "app/app.py"), "//app:app");
    assert_eq!(loaded.graph.dependencies("//app:app").unwrap(), ["//lib:lib", "//lib:make_version"]);
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    // A location may be missing or be that of a macro. The BUILD file is then found in the list.
    let odd = BAZEL.replace("/home/me/acme/app/BUILD.bazel:4:11", "/home/me/acme/tools/defs.bzl:3:1");
    check_bazel(&bazel(&odd).unwrap());
    // The labels of `--consistent_labels`.
    let long = BAZEL.replace("\"//", "\"@@//");
    check_bazel(&bazel(&long).unwrap());
}

#[test]
fn too_narrow_bazel_queries_give_a_warning() {
    let narrow: String =
        BAZEL_JSON.lines().filter(|line| !line.contains("lib.py\",\"location")).map(|l| format!("{l}\n")).collect();
    let warnings = bazel(&narrow).unwrap().warnings;
    assert!(
        warnings.iter().any(|warning| warning.contains("//lib:lib.py") && warning.contains("deps(...)")),
        "{warnings:?}"
    );
}

#[test]
fn nx_projects_own_their_folders() {
    let Loaded { graph, warnings, .. } = nx(NX).unwrap();
    assert_eq!(
        lines(&graph),
        "(workspace): \n@acme/lib: (workspace) @acme/util\n@acme/util: (workspace)\n@acme/web: (workspace) @acme/lib @acme/util\n"
    );
    assert_eq!(owners(&graph, "packages/lib/src/deep/index.ts"), "@acme/lib");
    assert_eq!(owners(&graph, "package-lock.json"), "(workspace)");
    assert_eq!(owners(&graph, "README.md"), "");
    assert_eq!(warnings, [] as [&str; 0]);
    let with_npm = NX.replacen("\"target\": \"@acme/util\"", "\"target\": \"npm:react\"", 1);
    assert_ne!(with_npm, NX);
    assert_eq!(nx(&with_npm).unwrap().warnings, ["left out: 1 packages from outside: npm:react"]);
    // A graph without its wrapper, a list of files as in older versions, and a project at the root.
    let bare = r#"{"nodes": {"root": {"data": {"root": "."}}, "old": {"data": {"root": "libs/old", "files": ["a.ts", {"file": "b.ts", "hash": "1"}]}}}}"#;
    let graph = nx(bare).unwrap().graph;
    let found = ["libs/x.ts", "libs/old/x.ts", "a.ts", "b.ts"].map(|file| owners(&graph, file));
    assert_eq!(found, ["root", "old", "old", "old"]);
}

#[test]
fn turborepo_packages_depend_by_their_tasks() {
    let Loaded { graph, warnings, .. } = turborepo(TURBOREPO).unwrap();
    assert_eq!(
        lines(&graph),
        "(workspace): \n@acme/lib: (workspace) @acme/util\n@acme/util: (workspace)\n@acme/web: (workspace) @acme/lib @acme/util\n"
    );
    assert_eq!(owners(&graph, "apps/web/src/new.js"), "@acme/web");
    assert_eq!(owners(&graph, "turbo.json"), "(workspace)");
    assert_eq!(warnings, [] as [&str; 0]);
    // Inputs from other folders, tasks without dependencies, and packages without the task.
    let odd = r#"• Packages in scope
        {"packages": ["a", "b", "c"], "tasks": [
        {"taskId": "a#test", "package": "a", "directory": "packages/a", "dependencies": ["a#build"], "inputs": {"x": "1", "../../shared/y": "2"}},
        {"taskId": "b#test", "package": "b", "directory": "packages/b", "dependencies": [], "inputs": {}}],
        "globalCacheInputs": {"files": {"tools/env.json": "1"}}}"#;
    let Loaded { graph, warnings, .. } = turborepo(odd).unwrap();
    let found = ["packages/a/x", "shared/y", "packages/b/z", "tools/env.json"].map(|file| owners(&graph, file));
    assert_eq!(found, ["a", "a", "b", "(workspace)"]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].ends_with(": c") && warnings[1].contains("^build"), "{warnings:?}");
}

#[test]
fn cargo_metadata_of_this_repository_is_read() {
    let Loaded { graph, warnings, .. } = cargo(CARGO).unwrap();
    let mut deps = graph.dependencies("firstbad-cli").unwrap();
    deps.sort_unstable();
    assert_eq!(deps, ["(workspace)", "firstbad", "firstbad-git", "firstbad-journal", "firstbad-testkit"]);
    assert_eq!(owners(&graph, "crates/firstbad-git/src/diff.rs"), "firstbad-git");
    assert_eq!(owners(&graph, "crates/firstbad/Cargo.toml"), "firstbad");
    assert_eq!(owners(&graph, "Cargo.lock"), "(workspace)");
    assert_eq!(owners(&graph, "README.md"), "");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("packages from registries: "), "{warnings:?}");
}

#[test]
fn cargo_packages_may_be_external_or_share_a_name() {
    let text = r#"{"workspace_root": "/home/me/ws", "version": 1, "packages": [
        {"name": "a", "source": null, "manifest_path": "/home/me/ws/Cargo.toml", "dependencies": [
            {"name": "b", "path": "/home/me/ws/b", "kind": "dev"}, {"name": "other", "path": "/home/me/other"}, {"name": "serde"}]},
        {"name": "b", "source": null, "manifest_path": "/home/me/ws/b/Cargo.toml", "dependencies": [{"name": "a", "path": "/home/me/ws"}]},
        {"name": "b", "source": null, "manifest_path": "/home/me/ws/c/b/Cargo.toml"},
        {"name": "other", "source": null, "manifest_path": "/home/me/other/Cargo.toml"},
        {"name": "serde", "source": "registry+https://github.com/rust-lang/crates.io-index", "manifest_path": "/x/Cargo.toml"}]}"#;
    let Loaded { graph, warnings, .. } = cargo(text).unwrap();
    assert_eq!(lines(&graph), "(workspace): \na: (workspace) b\nb: (workspace) a\nb (c/b): (workspace)\n");
    assert_eq!(graph.cycles().len(), 1);
    let found = ["src/lib.rs", "b/src/lib.rs", "c/b/build.rs"].map(|file| owners(&graph, file));
    assert_eq!(found, ["a", "b", "b (c/b)"]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    // The same metadata on Windows.
    let windows = text.replace("/home/me", r"C:\\Users\\me").replace("/Cargo", r"\\Cargo").replace("/b", r"\\b");
    assert_eq!(lines(&cargo(&windows).unwrap().graph), lines(&graph));
}

#[test]
fn go_packages_and_their_tests_are_targets() {
    for text in [GO, GO_TEST] {
        let Loaded { graph, warnings, .. } = go(text).unwrap();
        assert_eq!(
            lines(&graph).replace("example.com/acme/", ""),
            "(workspace): \n\
            cmd/app: (workspace) store\n\
            internal/check: (workspace)\n\
            internal/store: (workspace)\n\
            internal/store.test: (workspace) internal/store\n\
            store: (workspace) internal/store\n\
            store.test: (workspace) internal/check store\n"
        );
        for (file, target) in [
            ("store/schema.sql", "example.com/acme/store"),
            ("store/example_test.go", "example.com/acme/store.test"),
            ("store/store_test.go", "example.com/acme/store.test"),
            ("store/testdata/deep/x.golden", "example.com/acme/store.test"),
            ("internal/store/raw_windows.go", ""),
            ("go.mod", "(workspace)"),
        ] {
            assert_eq!(owners(&graph, file), target, "{file}");
        }
        assert_eq!(warnings, [] as [&str; 0]);
    }
}

#[test]
fn incomplete_go_lists_give_warnings() {
    let text = r#"{"Dir": "/ws/a", "ImportPath": "x.org/a", "Module": {"Path": "x.org/a", "Main": true, "Dir": "/ws/a"},
          "GoFiles": ["a.go"], "Imports": ["x.org/b/p", "y.org/dep", "C", "fmt"], "Incomplete": true, "Error": {"Err": "a.go:1:1: expected 'package'\n"}}
        {"Dir": "/ws/b/p", "ImportPath": "x.org/b/p", "Module": {"Path": "x.org/b", "Main": true, "Dir": "/ws/b"}, "GoFiles": ["p.go"],
          "TestGoFiles": ["p_test.go"], "TestImports": ["z.org/assert", "testing"]}
        {"Dir": "/mod/y", "ImportPath": "y.org/dep", "Module": {"Path": "y.org/dep"}, "GoFiles": ["y.go"]}"#;
    let Loaded { graph, warnings, .. } = go(text).unwrap();
    assert_eq!(graph.dependencies("x.org/a").unwrap(), ["x.org/b/p", "(workspace)"]);
    let found = ["a/a.go", "b/p/p.go", "b/go.sum", "y.go"].map(|file| owners(&graph, file));
    assert_eq!(found, ["x.org/a", "x.org/b/p", "(workspace)", ""]);
    assert_eq!(
        warnings,
        [
            "go list says of x.org/a: a.go:1:1: expected 'package'",
            "left out: 1 other modules: y.org/dep",
            "left out: 1 imports that are not in the list: z.org/assert"
        ]
    );
}

#[test]
fn loaders_are_selected_by_name_and_accept_a_prefix() {
    let samples = [BAZEL, NX, TURBOREPO, CARGO, GO];
    let files = ["app/app.py", "apps/web/x", "apps/web/x", "crates/firstbad/x", "cmd/app/main.go"];
    for ((kind, text), file) in TEXTS.into_iter().zip(samples).zip(files) {
        let graph = load(kind, text, "").unwrap().graph;
        let below = load(kind, text, "some/where").unwrap().graph;
        assert_eq!(lines(&graph), lines(&below), "{kind}");
        let owner = owners(&graph, file);
        assert!(!owner.is_empty(), "{kind}");
        assert_eq!(owners(&below, &format!("some/where/{file}")), owner, "{kind}");
        assert_eq!(owners(&below, file), "", "{kind}");
    }
    let error = load("make", "", "").unwrap_err();
    assert_eq!(error.to_string(), "kind: \"make\" is not valid; expected one of bazel, nx, turborepo, cargo, go");
}

#[test]
fn other_texts_are_rejected_with_the_expected_format() {
    for kind in TEXTS {
        for text in ["", "{", "[]", "null", "<html></html>", "<query", "error: no such target", "{\"a\": 1}", "1 2 3"] {
            // For Bazel, objects without known fields are an empty query.
            if kind == "bazel" && text == "{\"a\": 1}" {
                continue;
            }
            let error = load(kind, text, "").unwrap_err();
            assert_eq!(error.code(), "invalid_argument", "{kind} {text}");
            assert!(error.to_string().contains("expected the "), "{kind} {text}: {error}");
        }
    }
}

#[test]
fn tests_are_mapped_to_targets() {
    let graph = nx(r#"{"nodes": {"tests/test_a.py": {"data": {"root": "x"}}, "web": {"data": {"root": "apps/web"}}}}"#)
        .unwrap()
        .graph;
    for (test, target) in [
        ("tests/test_a.py", Some("tests/test_a.py")),
        ("tests/test_a.py::test_x[a::b]", Some("tests/test_a.py")),
        ("./tests/test_a.py::TestB::test_c", Some("tests/test_a.py")),
        (r"tests\test_a.py::test_c", Some("tests/test_a.py")),
        ("apps/web/src/a.spec.ts", Some("web")),
        ("web#test", Some("web")),
        ("web:test", Some("web")),
        ("web", Some("web")),
        ("tests/test_b.py::test_x", None),
        ("", None),
    ] {
        assert_eq!(graph.target_of_test(test), target, "{test}");
    }
}

#[test]
fn a_nameless_element_of_bazel_is_an_error() {
    let rule = r#"<query><rule class="x"><rule-input name="//:a"/></rule></query>"#;
    let input = r#"<query><rule class="x" name="//:x"><rule-input/></rule></query>"#;
    for (text, element) in [(rule, "<rule>"), (input, "<rule-input>")] {
        let message = bazel(text).unwrap_err().to_string();
        assert!(message.contains(&format!("there is a {element} without a name")), "{message}");
    }
}
