//! Hostile trees and texts. The loaders must leave them out or reject them, quickly and without a crash.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use firstbad_build::{Folder, SOURCES, SourceOptions, TEXTS, javascript, load, python, read, workspaces};

type Files = BTreeMap<String, Vec<u8>>;

fn files<const N: usize>(files: [(&str, String); N]) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect()
}

/// Asserts that loading these files gives a warning, and that the imports of a module are still found.
#[track_caller]
fn warned(mut files: Files, words: &str) {
    files.insert("a.ts".to_owned(), b"import '@x/b'; import '#c'; import './b'".to_vec());
    files.insert("b.ts".to_owned(), Vec::new());
    let loaded = javascript(&files, &SourceOptions::default()).unwrap();
    let all = loaded.warnings.join("\n");
    assert!(all.contains(words), "{}", all.chars().take(500).collect::<String>());
    assert_eq!(loaded.graph.dependencies("a.ts").unwrap(), ["b.ts"]);
}

#[test]
fn cyclic_configurations_give_a_warning() {
    let many = |what: &str| vec![what; 1000].join(",");
    let extending =
        |names: &str| format!("{{\"extends\": [{names}], \"references\": [{}]}}", many("{\"path\": \".\"}"));
    warned(files([("tsconfig.json", extending(&many("\"./tsconfig.json\"")))]), "back to itself: tsconfig.json");
    warned(files([("tsconfig.json", extending(""))]), "back to itself: tsconfig.json");
    // Each configuration extends all others.
    let ring: Files = (0..200)
        .map(|number| {
            let others: Vec<String> = (0..200).map(|other| format!("\"../{other}/tsconfig.json\"")).collect();
            (format!("{number}/tsconfig.json"), extending(&others.join(",")).into_bytes())
        })
        .collect();
    warned(ring, "back to itself: 0/tsconfig.json");
    // No cycle, but the number of paths doubles with each file.
    let mut ladder: Files = (0..40)
        .map(|step| {
            let next = format!("\"../{}/tsconfig.json\"", step + 1);
            (format!("{step}/tsconfig.json"), format!("{{\"extends\": [{next}, {next}]}}").into_bytes())
        })
        .collect();
    ladder.insert("40/tsconfig.json".to_owned(), br#"{"compilerOptions": {"paths": {"@x/*": ["../*"]}}}"#.to_vec());
    ladder.insert("tsconfig.json".to_owned(), br#"{"extends": "./0/tsconfig.json"}"#.to_vec());
    warned(ladder, "");
    let chain: Files = (0..10_000)
        .map(|step| {
            (
                format!("{step:05}/tsconfig.json"),
                format!("{{\"extends\": \"../{:05}/tsconfig.json\"}}", step + 1).into(),
            )
        })
        .collect();
    warned(chain, "00000/tsconfig.json cannot be used: more than 64 configurations extend each other");
}

#[test]
fn deep_or_large_configurations_give_a_warning() {
    for deep in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        warned(files([("tsconfig.json", deep.clone())]), "tsconfig.json cannot be used");
        warned(files([("package.json", deep)]), "package.json cannot be used");
    }
    let mut patterns = String::new();
    (0..20_000).for_each(|number| write!(patterns, "\"{number}*\": [],").unwrap());
    let text = format!("{{\"compilerOptions\": {{\"paths\": {{{patterns}}}}}}}");
    warned(files([("tsconfig.json", text)]), "20000 patterns in paths; expected at most 10000");
    warned(files([("package.json", format!("{{}}{}", " ".repeat(9 << 20)))]), "it has more than 8 MiB");
    // A short pattern and a short name that together make a long name.
    let stars = "*".repeat(1 << 20);
    let long = "c".repeat(1 << 20);
    let source = files([
        (
            "package.json",
            format!(
                "{{\"name\": \"p\", \"imports\": {{\"#*\": \"./{stars}\"}}, \"exports\": {{\"./*\": \"{stars}\"}}}}"
            ),
        ),
        ("tsconfig.json", format!("{{\"compilerOptions\": {{\"paths\": {{\"*\": [\"{stars}\"]}}}}}}")),
        ("a.js", format!("import '#{long}'; import 'p/{long}'; import '{long}'; import './b'")),
        ("b.js", String::new()),
    ]);
    assert_eq!(javascript(&source, &SourceOptions::default()).unwrap().graph.dependencies("a.js").unwrap(), ["b.js"]);
}

#[test]
fn too_large_workspace_patterns_are_rejected() {
    let root = |patterns: &[String]| files([("package.json", serde_json::json!({"workspaces": patterns}).to_string())]);
    let refused = |patterns: &[String]| workspaces(&root(patterns)).unwrap_err().to_string();
    for deep in [11, 300, 100_000] {
        let words = refused(&["{a,".repeat(deep) + "b" + &"}".repeat(deep)]);
        assert!(words.contains("braces at most 10 deep") && words.len() < 200, "{words}");
    }
    for long in ["a".repeat(2000), "*".repeat(5_000_000), "[a-z]".repeat(100_000), "**/".repeat(100_000)] {
        let words = refused(&[long]);
        assert!(words.contains("at most 1000 bytes") && words.len() < 200, "{words}");
    }
    assert!(refused(&vec!["a".to_owned(); 1001]).contains("at most 1000 patterns"));
    for largest in [
        "{a,".repeat(10) + &"}".repeat(10),
        "?".repeat(1000),
        "[!a-z]".repeat(166),
        "**/".repeat(333),
        "{*,**}".repeat(166),
    ] {
        let mut source = root(&[largest]);
        source.insert(format!("{}package.json", "a/".repeat(1000)), b"{}".to_vec());
        workspaces(&source).unwrap();
    }
    for yaml in [
        "- ".repeat(10_000),
        "packages:\n  ".to_owned() + &"- ".repeat(10_000),
        "[".repeat(20_000),
        "{a: ".repeat(20_000),
    ] {
        let refused = workspaces(&files([("pnpm-workspace.yaml", yaml)])).unwrap_err();
        assert_eq!(refused.code(), "invalid_argument");
    }
}

#[test]
fn deep_or_large_source_files_are_handled() {
    for (name, text) in [
        ("m.py", "(".repeat(20_000)),
        ("m.py", "if x:\n ".repeat(5_000)),
        ("m.py", format!("import {}b", "a.".repeat(50_000))),
        ("m.py", format!("from {} import b", ".".repeat(50_000))),
        ("m.py", "f(".repeat(10_000) + &")".repeat(10_000)),
        ("m.js", "[".repeat(20_000)),
        ("m.js", "`${".repeat(10_000)),
        ("m.tsx", "<a>".repeat(10_000)),
        ("m.ts", "a<".repeat(10_000)),
    ] {
        let source = files([(name, text)]);
        let loaded = if name == "m.py" {
            python(&source, &SourceOptions::default())
        } else {
            javascript(&source, &SourceOptions::default())
        };
        assert_eq!(loaded.unwrap().graph.targets_of(name).collect::<Vec<_>>(), [name]);
    }
    let large = files([("m.py", "#".repeat(9 << 20))]);
    let loaded = python(&large, &SourceOptions::default()).unwrap();
    assert!(loaded.warnings[0].contains("it has more than 8 MiB"), "{:?}", loaded.warnings);
}

#[test]
fn too_long_paths_are_left_out() {
    for kind in SOURCES {
        let mut source = files([
            ("package.json", r#"{"workspaces": ["*"]}"#.to_owned()),
            ("a.py", String::new()),
            ("a.js", String::new()),
        ]);
        for name in ["package.json", "a.py", "a.js"] {
            source.insert("d/".repeat(1_000_000) + name, b"{}".to_vec());
        }
        let loaded = read(kind, &source, &SourceOptions::default()).unwrap();
        assert!(
            loaded.warnings.iter().any(|words| words.contains("paths of more than 4096 bytes")),
            "{:?}",
            loaded.warnings
        );
    }
}

#[test]
fn large_files_and_pipes_in_a_folder_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let large = std::fs::File::create(folder.path().join("a.py")).unwrap();
    // A sparse file takes no space on the disk.
    large.set_len(1 << 40).unwrap();
    let source = Folder::open(folder.path()).unwrap();
    let loaded = python(&source, &SourceOptions::default()).unwrap();
    assert!(loaded.warnings[0].contains("it has more than 8 MiB"), "{:?}", loaded.warnings);
    // A file becomes a pipe after the folder was listed. Windows has no pipes in the file system.
    if cfg!(windows) {
        return;
    }
    std::fs::remove_file(folder.path().join("a.py")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("a.py")).status().unwrap().success());
    let loaded = python(&source, &SourceOptions::default()).unwrap();
    assert!(loaded.warnings[0].contains("it is not a regular file"), "{:?}", loaded.warnings);
}

#[test]
fn deeply_nested_tool_outputs_are_rejected() {
    for kind in TEXTS {
        for text in [
            "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "{\"graph\":".repeat(100_000),
            "<query>".to_owned() + &"<rule name=\"//a\">".repeat(10_000),
            "<!DOCTYPE q [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><query><rule name=\"&b;\"/></query>".to_owned(),
            "{".repeat(100_000),
        ] {
            let started = load(kind, &text, "");
            assert!(started.is_err() || kind == "bazel", "{kind}");
        }
    }
}

#[test]
fn comparisons_of_patterns_with_folders_are_limited() {
    let patterns = vec!["\"no/*\""; 1000].join(",");
    let mut source: Files = (0..10_100).map(|number| (format!("{number}/package.json"), b"{}".to_vec())).collect();
    source.insert("package.json".to_owned(), format!("{{\"workspaces\": [{patterns}]}}").into_bytes());
    let refused = workspaces(&source).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("1000 patterns and 10101 folders"), "{refused}");
}

#[test]
fn texts_that_are_hard_to_parse_give_a_warning() {
    for (path, unit, why) in [
        ("m.js", "{a:", "it can be read in too many ways"),
        ("m.ts", "a<b,", "it can be read in too many ways"),
        ("m.tsx", "{/*", "the parser reads it again too often"),
        ("m.py", "/*ifawait", "it can be read in too many ways"),
        ("m.py", "\\\n", "the parser reads it again too often"),
    ] {
        let source = files([(path, unit.repeat((64 << 10) / unit.len()))]);
        let load = if path == "m.py" { python } else { javascript };
        let loaded = load(&source, &SourceOptions::default()).unwrap();
        assert_eq!(loaded.warnings, [format!("{path} cannot be read, so its imports are missing: {why}")], "{unit:?}");
    }
}
