//! Import graphs of JavaScript and TypeScript.

use std::collections::BTreeMap;

use crate::common::owners;
use firstbad::suspicion::BuildGraph;
use firstbad_build::{Loaded, Snapshot, SourceOptions, is_read, javascript, read};
use proptest::prelude::*;

type Files = BTreeMap<String, Vec<u8>>;

fn files<const N: usize>(files: [(&str, &str); N]) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

fn loaded(source: &Files) -> Loaded {
    javascript(source, &SourceOptions { configuration: false, ..SourceOptions::default() }).unwrap()
}

fn deps(graph: &BuildGraph, target: &str) -> String {
    let mut deps = graph.dependencies(target).unwrap_or_else(|| panic!("no target {target}"));
    deps.sort_unstable();
    deps.join(" ")
}

#[test]
fn relative_imports_are_resolved() {
    let Loaded { graph, warnings, .. } = loaded(&files([
        (
            "src/main.ts",
            "import './a'; import './b.js'; import './dir'; import './data.json'; import '../style.css?inline'; import 'react'; import 'node:fs';",
        ),
        ("src/a.tsx", "import x from './dir/'; import self from './a'; import gone from './gone'; import up from '..'"),
        ("src/b.ts", "export * from './c.mjs'; export * from './d.jsx'"),
        ("src/c.mts", ""),
        ("src/d.tsx", "import 'https://x.org/y.js'; import './types'"),
        ("src/types.d.ts", ""),
        ("src/dir/index.jsx", "import '../../lib'"),
        ("src/data.json", "{}"),
        ("src/other.json", "{}"),
        ("style.css", ""),
        ("index.js", ""),
        ("lib/package.json", r#"{"main": "./entry"}"#),
        ("lib/entry.cjs", "require('./entry.js')"),
        ("lib/entry.js", ""),
        ("node_modules/react/index.js", ""),
    ]));
    assert_eq!(deps(&graph, "src/main.ts"), "src/a.tsx src/b.ts src/data.json src/dir/index.jsx style.css");
    assert_eq!(deps(&graph, "src/a.tsx"), "index.js src/dir/index.jsx");
    assert_eq!(deps(&graph, "src/b.ts"), "src/c.mts src/d.tsx");
    assert_eq!(deps(&graph, "src/d.tsx"), "src/types.d.ts");
    assert_eq!(deps(&graph, "src/dir/index.jsx"), "lib/entry.js", "extensions in Node's order");
    assert_eq!(deps(&graph, "lib/entry.cjs"), "lib/entry.js");
    assert_eq!(graph.dependencies("src/other.json"), None);
    assert_eq!(graph.dependencies("node_modules/react/index.js"), None);
    assert_eq!(warnings, ["left out: 1 imports of missing files: ./gone in src/a.tsx"]);
}

#[test]
fn imports_are_resolved_with_configurations() {
    let Loaded { graph, warnings, .. } = loaded(&files([
        (
            "tsconfig.base.json",
            "{ // comment\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@lib/*\": [\"libs/*/src\", \"libs/*\"], \"@lib/exact\": [\"libs/x.ts\"], \"@lib/$x\": [\"libs/y.ts\"], }, }, }",
        ),
        ("app/tsconfig.json", r#"{"extends": "../tsconfig.base", "compilerOptions": {}}"#),
        (
            "app/main.ts",
            "import '@lib/one'; import '@lib/two'; import '@lib/exact'; import '@lib/$x'; import 'libs/three'; import '@lib/none'; import 'react'",
        ),
        ("libs/one/src/index.ts", ""),
        ("libs/two.ts", ""),
        ("libs/x.ts", ""),
        ("libs/y.ts", ""),
        ("libs/$x.ts", ""),
        ("libs/exact/src/index.ts", ""),
        ("libs/three.ts", "import '@lib/one'"),
        (
            "vite/tsconfig.json",
            r#"{"files": [], "references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}]}"#,
        ),
        ("vite/tsconfig.node.json", "{}"),
        ("vite/tsconfig.app.json", r#"{"compilerOptions": {"paths": {"~/*": ["./src/*"], "*": ["./own/*"]}}}"#),
        ("vite/src/main.ts", "import '~/view'; import 'anything'"),
        ("vite/src/view.vue", ""),
        ("vite/own/anything.ts", ""),
        ("circle/tsconfig.json", r#"{"extends": ["./tsconfig.json", "nowhere"]}"#),
        ("circle/a.ts", ""),
        ("broken/tsconfig.json", "{"),
        (
            "shared/package.json",
            r##"{"name": "@acme/ts", "imports": {"#own/*.js": {"types": "./none.d.ts", "default": "./src/*.js"}, "#alias": "@acme/ts/tool"}}"##,
        ),
        ("shared/base.json", r#"{"compilerOptions": {"paths": {"$x": ["./src/x"]}}}"#),
        ("shared/src/x.ts", ""),
        ("shared/tool.ts", ""),
        ("shared/use.ts", "import '#own/x.js'; import '#alias'; import '#missing'"),
        ("user/jsconfig.json", r#"{"extends": "@acme/ts/base.json"}"#),
        ("user/deep/a.js", "import '$x'"),
    ]));
    assert_eq!(deps(&graph, "app/main.ts"), "libs/one/src/index.ts libs/three.ts libs/two.ts libs/x.ts libs/y.ts");
    assert_eq!(deps(&graph, "libs/three.ts"), "", "tsconfig.base.json is nobody's own");
    assert_eq!(deps(&graph, "vite/src/main.ts"), "vite/own/anything.ts vite/src/view.vue");
    assert_eq!(deps(&graph, "shared/use.ts"), "shared/src/x.ts shared/tool.ts");
    assert_eq!(deps(&graph, "user/deep/a.js"), "shared/src/x.ts");
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].starts_with("broken/tsconfig.json cannot be used: "), "{warnings:?}");
    assert_eq!(warnings[1], "left out: 1 ways of a configuration back to itself: circle/tsconfig.json");
    assert_eq!(warnings[2], "left out: 1 imports of missing files: #missing in shared/use.ts");
}

#[test]
fn packages_of_the_same_tree_are_resolved() {
    let Loaded { graph, warnings, .. } = loaded(&files([
        (
            "a/package.json",
            r#"{"name": "@acme/a", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/esm/index.js"}, "./feature/*": "./dist/feature/*.js", "./feature/private": null, "./legacy": ["./none.js", "./old.js"]}}"#,
        ),
        ("a/src/index.ts", "import '@acme/a/legacy'"),
        ("a/src/feature/x.tsx", ""),
        ("a/src/feature/private.ts", ""),
        ("a/src/deep.ts", ""),
        ("a/old.js", ""),
        ("b/package.json", r#"{"name": "b", "main": "lib/b.js"}"#),
        ("b/src/b.ts", ""),
        ("b/util.js", ""),
        ("b/src/inner/index.ts", ""),
        ("c/package.json", r#"{"name": "c"}"#),
        ("c/src/index.ts", ""),
        ("d/package.json", r#"{"name": "d", "main": "d.js"}"#),
        ("e/package.json", r#"{"name": "e", "exports": "./e.mjs"}"#),
        ("e/e.mjs", ""),
        ("broken/package.json", "["),
        (
            "main.js",
            "import '@acme/a'; import '@acme/a/feature/x'; import 'b'; import 'b/util'; import 'b/inner'; import 'c'; import 'e'",
        ),
        ("other.js", "import 'd'; import '@acme/other'; import 'e/none'; require('@acme/a/deep')"),
    ]));
    assert_eq!(
        deps(&graph, "main.js"),
        "a/src/feature/x.tsx a/src/index.ts b/src/b.ts b/src/inner/index.ts b/util.js c/src/index.ts e/e.mjs"
    );
    assert_eq!(deps(&graph, "a/src/index.ts"), "a/old.js");
    assert_eq!(deps(&graph, "other.js"), "a/src/deep.ts");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[1], "left out: 2 imports of missing files: d in other.js, e/none in other.js");
}

#[test]
fn configuration_data_and_snapshots_have_targets() {
    let source = files([
        ("package.json", "{}"),
        ("yarn.lock", ""),
        ("jest.config.js", "require('./tools/env')"),
        ("tools/env.js", ""),
        ("src/a.js", ""),
        ("src/a.test.js", "import './a'"),
        ("src/__snapshots__/a.test.js.snap", ""),
        ("src/template.html", ""),
        ("packages/p/package.json", "{}"),
        ("packages/p/tsconfig.json", "{}"),
        ("packages/p/test/b.ts", ""),
        ("packages/p/fixture.txt", ""),
    ]);
    let graph = loaded(&source).graph;
    assert_eq!(deps(&graph, "src/a.test.js"), "src/a.js");
    let graph = javascript(&source, &SourceOptions { data: true, ..SourceOptions::default() }).unwrap().graph;
    assert_eq!(deps(&graph, "src/a.test.js"), "(configuration) (files) src/a.js");
    assert_eq!(deps(&graph, "src/a.js"), "(files)");
    assert_eq!(deps(&graph, "(configuration)"), "jest.config.js");
    assert_eq!(deps(&graph, "packages/p/test/b.ts"), "(configuration) packages/p/(configuration) packages/p/(files)");
    for (file, targets) in [
        ("yarn.lock", "(configuration)"),
        ("packages/p/tsconfig.json", "packages/p/(configuration)"),
        ("src/__snapshots__/a.test.js.snap", "src/a.test.js"),
        ("src/template.html", "(files)"),
        ("packages/p/fixture.txt", "packages/p/(files)"),
    ] {
        assert_eq!(owners(&graph, file), targets, "{file}");
    }
}

#[test]
fn broken_files_give_warnings() {
    let source =
        files([("a.ts", "import './b';\nclass {{\n"), ("b.js", ""), ("c.py", "import d"), ("tsconfig.app.json", "{}")]);
    let Loaded { graph, warnings, .. } = loaded(&source);
    assert_eq!(deps(&graph, "a.ts"), "b.js");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with("a.ts: line "), "{warnings:?}");
    let error = javascript(&files([("a.txt", "")]), &SourceOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "source: [\"a.txt\"] is not valid; expected files of JavaScript or TypeScript source"
    );
    // A snapshot needs only the files that `is_read` names.
    for kind in ["python", "javascript"] {
        let contents = source.clone().into_iter().filter(|(path, _)| is_read(kind, path)).collect();
        let snapshot = Snapshot { paths: source.keys().cloned().collect(), contents };
        let whole = read(kind, &source, &SourceOptions::default()).unwrap();
        let part = read(kind, &snapshot, &SourceOptions::default()).unwrap();
        assert_eq!(crate::common::lines(&whole.graph), crate::common::lines(&part.graph));
        assert_eq!(whole.warnings, part.warnings);
    }
    let unread = Snapshot { paths: vec!["x.py".into()], contents: BTreeMap::new() };
    let warnings = read("python", &unread, &SourceOptions::default()).unwrap().warnings;
    assert_eq!(warnings, ["x.py cannot be read, so its imports are missing: it does not exist"]);
    let error = read("cobol", &unread, &SourceOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "kind: \"cobol\" is not valid; expected one of workspaces, python, javascript");
}

proptest! {
    /// Any text gives a graph with that file.
    #[test]
    fn any_javascript_text_gives_a_graph(text in "(import|from|export|require|\\.|/|a|b|\\(|\\)|,|\n| |`|\\$\\{|\\}|\\*|\"|'|//|<|>|é|#|@){0,40}") {
        for path in ["a.js", "a.ts", "a.tsx"] {
            let mut source = files([("b.js", ""), ("package.json", ""), ("tsconfig.json", "")]);
            source.insert(path.into(), text.clone().into_bytes());
            source.insert("tsconfig.json".into(), text.clone().into_bytes());
            prop_assert_eq!(loaded(&source).graph.len(), 2);
        }
    }
}
