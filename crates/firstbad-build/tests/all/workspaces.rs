//! Workspaces of JavaScript package managers, in memory and on disk.

use std::collections::BTreeMap;

use crate::common::{lines, owners};
use firstbad_build::{Folder, Loaded, workspaces};

type Files = BTreeMap<String, Vec<u8>>;

fn files<const N: usize>(files: [(&str, &str); N]) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

#[test]
fn npm_and_yarn_workspaces_are_read() {
    let source = files([
        (
            "package.json",
            r#"{"name": "acme", "workspaces": ["packages/*", "./apps/**/", "!apps/old"], "devDependencies": {"@acme/tools": "*"}}"#,
        ),
        (
            "packages/lib/package.json",
            "\u{feff}{\"name\": \"@acme/lib\", \"dependencies\": {\"@acme/util\": \"^1.0.0\", \"react\": \"18\"}}",
        ),
        (
            "packages/util/package.json",
            r#"{"name": "@acme/util", "peerDependencies": {"react": "*"}, "dependencies": null}"#,
        ),
        (
            "packages/tools/package.json",
            r#"{"name": "@acme/tools", "optionalDependencies": {"linked": "file:../util"}}"#,
        ),
        ("packages/deep/er/package.json", r#"{"name": "too-deep"}"#),
        (
            "apps/web/shell/package.json",
            r#"{"devDependencies": {"@acme/lib": "*", "nick": "workspace:@acme/tools@^1"}}"#,
        ),
        ("apps/old/package.json", r#"{"name": "old"}"#),
        ("apps/broken/package.json", "{"),
        ("apps/web/node_modules/x/package.json", r#"{"name": "x"}"#),
        ("README.md", ""),
    ]);
    let Loaded { graph, warnings, .. } = workspaces(&source).unwrap();
    assert_eq!(
        lines(&graph),
        "(workspace): \n\
        @acme/lib: (workspace) @acme/util\n\
        @acme/tools: (workspace) @acme/util\n\
        @acme/util: (workspace)\n\
        acme: (workspace) @acme/tools\n\
        apps/web/shell: (workspace) @acme/lib @acme/tools\n"
    );
    for (file, target) in [
        ("packages/lib/src/x.ts", "@acme/lib"),
        ("packages/lib/package.json", "@acme/lib"),
        ("packages/deep/er/x.ts", "acme"),
        ("README.md", "acme"),
        ("package.json", "(workspace)"),
        ("yarn.lock", "(workspace)"),
    ] {
        assert_eq!(owners(&graph, file), target, "{file}");
    }
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("apps/broken/package.json is left out: EOF"), "{warnings:?}");
    assert_eq!(warnings[1], "left out: 1 packages from outside: react");
}

#[test]
fn pnpm_takes_precedence_and_old_yarn_nests() {
    let pnpm =
        "# comment\npackages:\n  - 'packages/*'  # all\n  - \"!**/test/**\"\n  - none/*\ncatalog:\n  react: ^18\n";
    let mut source = files([
        ("package.json", r#"{"workspaces": {"packages": ["other/*"], "nohoist": []}}"#),
        ("pnpm-workspace.yaml", pnpm),
        (
            "packages/a/package.json",
            r#"{"name": "a", "dependencies": {"b": "workspace:../b", "c": "link:../../other/c"}}"#,
        ),
        ("packages/b/package.json", r#"{"name": "b"}"#),
        ("packages/test/package.json", r#"{"name": "a"}"#),
        ("other/c/package.json", r#"{"name": "c"}"#),
    ]);
    let Loaded { graph, warnings, .. } = workspaces(&source).unwrap();
    assert_eq!(
        lines(&graph),
        "(workspace): \n.: (workspace)\na: (workspace) b\nb: (workspace)\npackages/test: (workspace)\n"
    );
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(warnings[0], "\"none/*\" matches no package");
    assert!(warnings[1].contains("has the name of its folder"), "{warnings:?}");
    source.remove("pnpm-workspace.yaml");
    assert_eq!(lines(&workspaces(&source).unwrap().graph), "(workspace): \n.: (workspace)\nc: (workspace)\n");
}

#[test]
fn a_missing_workspace_is_an_error() {
    let message = |source: Files| workspaces(&source).unwrap_err().to_string();
    assert!(message(files([])).contains("the root of a workspace"));
    assert!(message(files([("package.json", "{}")])).contains("one with `workspaces`"));
    assert!(message(files([("package.json", r#"{"workspaces": ["a[/"]}"#)])).contains("a pattern ("));
    assert!(message(files([("pnpm-workspace.yaml", "packages: [\n")])).starts_with("pnpm-workspace.yaml: "));
    let number = files([("pnpm-workspace.yaml", "packages:\n  - 1\n")]);
    assert!(message(number).contains("a list `packages:` of patterns"));
}

#[test]
fn a_folder_leaves_out_ignored_files() {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("package.json", r#"{"name": "acme", "workspaces": ["packages/*"]}"#),
        (".gitignore", "dist/\n/packages/ignored\n**/package.json\n*.log\n"),
        ("packages/a/x.log", ""),
        ("packages/a/package.json", r#"{"name": "a"}"#),
        ("packages/a/dist/package.json", r#"{"name": "built"}"#),
        ("packages/a/.hidden/x", ""),
        ("packages/ignored/package.json", r#"{"name": "ignored"}"#),
        ("node_modules/x/package.json", r#"{"name": "x"}"#),
        ("env/pyvenv.cfg", ""),
        ("env/lib/x.py", ""),
    ] {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let folder = Folder::open(place.path()).unwrap();
    let paths: Vec<&str> = firstbad_build::Source::paths(&folder).collect();
    assert_eq!(paths, [".gitignore", "package.json", "packages/a/.hidden/x", "packages/a/package.json"]);
    assert!(folder.unread().is_empty());
    let loaded = workspaces(&folder).unwrap();
    assert_eq!(lines(&loaded.graph), "(workspace): \na: (workspace)\nacme: (workspace)\n");
    let error = Folder::open(place.path().join("nowhere")).unwrap_err();
    assert_eq!(error.code(), "io");
    assert!(error.to_string().contains("nowhere"));
}
