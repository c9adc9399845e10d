//! Histories as changes of definitions: dependencies, commits that do not parse, and coverage.

use std::collections::BTreeMap;

use crate::common::Repo;
use firstbad::reduction::Need;
use firstbad::{ChangeSet, SliceGranularity, SlicedHistory};
use firstbad_git::{DependencyKind, Slices};

/// Commits as the files that each writes, with `None` for deleted files. The first commit is the base.
type Steps<'a> = &'a [&'a [(&'a str, Option<&'a str>)]];

struct History {
    repo: Repo,
    commits: Vec<String>,
}

fn history(steps: Steps<'_>) -> History {
    let repo = Repo::new();
    let commits = steps.iter().enumerate().map(|(number, files)| {
        for (path, content) in *files {
            match content {
                Some(content) => repo.write(path, content),
                None => std::fs::remove_file(repo.path.join(path)).unwrap(),
            }
        }
        repo.commit(&format!("step {number}"))
    });
    let commits = commits.collect();
    History { repo, commits }
}

impl History {
    fn open(&self, granularity: SliceGranularity) -> Slices {
        let (base, tip) = (self.commits[0].clone(), "main".to_owned());
        let options = SlicedHistory { base, tip, granularity, ..SlicedHistory::default() };
        Slices::open(&self.repo.open(), &options, Some(&self.repo.temp.join("slices"))).unwrap()
    }

    fn commits(&self) -> Slices {
        self.open(SliceGranularity::Commit)
    }
}

fn needs(steps: Steps<'_>) -> Vec<(usize, Vec<Need>)> {
    let history = history(steps);
    history.commits().dependencies(DependencyKind::Syntax).unwrap().into_iter().collect()
}

const A: &str = "class A:\n    def f(self):\n        return 1\n";

/// Figure 10: `B.g` is updated, `A.g` is inserted, `A.f` starts to use it, and `B.g` is deleted. `B.h` uses `g` all the time.
#[test]
fn a_method_can_move_to_the_superclass() {
    let b = |g: &str| format!("from a import A\n\nclass B(A):\n{g}    def h(self):\n        return self.g()\n");
    let g = |value: u8| format!("    def g(self):\n        return {value}\n\n");
    let a = |f: &str, g: &str| A.replace("return 1", f) + g;
    let found = needs(&[
        &[("a.py", Some(A)), ("b.py", Some(&b(&g(1))))],
        &[("b.py", Some(&b(&g(2))))],
        &[("a.py", Some(&a("return 1", &g(2))))],
        &[("a.py", Some(&a("return self.g()", &g(2))))],
        &[("b.py", Some(&b("")))],
    ]);
    assert_eq!(found, [(2, vec![Need::Item(1)]), (3, vec![Need::Item(0), Need::Item(1)])]);
}

/// Example 1 in Python. An attribute exists once a method assigns it.
#[test]
fn uses_of_attributes_and_methods_are_dependencies() {
    let class = |init: &str, rest: &str| {
        format!(
            "class B:\n    def __init__(self):\n        self.x = 1\n{init}\n    def g(self):\n        return 1{rest}\n"
        )
    };
    let y = "        self.y = 1\n";
    let m = "\n\n    def m(self):\n        return self.y";
    let found = needs(&[
        &[("b.py", Some(&class("", "")))],
        &[("b.py", Some(&class(y, "")))],
        &[("b.py", Some(&class(y, m)))],
        &[("b.py", Some(&class(y, m).replace("return 1", "return self.m()")))],
    ]);
    assert_eq!(found, [(1, vec![Need::Item(0)]), (2, vec![Need::Item(1)])]);
}

#[test]
fn imports_and_ambiguous_names_are_dependencies() {
    let main = |head: &str, body: &str| format!("{head}\ndef main(x):\n    return {body}\n");
    let found = needs(&[
        &[("main.py", Some(&main("", "x.other()")))],
        // A file, its import, and a use of the imported name.
        &[("lib/tools.py", Some("def price(x):\n    return x.items\n"))],
        &[("main.py", Some(&main("from lib.tools import price\n", "x.other()")))],
        &[("main.py", Some(&main("from lib.tools import price\n", "price(x)")))],
        // Two classes with a method of the same name, and a caller.
        &[("one.py", Some("class One:\n    def total(self):\n        return 1\n"))],
        &[("two.py", Some("class Two:\n    def total(self):\n        return 2\n"))],
        &[("use.py", Some("def use(x):\n    return x.total() + len(x.other())\n"))],
        // The method was called before it was inserted, so the caller means another one.
        &[("three.py", Some("class Three:\n    def other(self):\n        return 2\n"))],
    ]);
    let expected = [(1, vec![Need::Item(0)]), (2, vec![Need::Item(1)]), (5, vec![Need::AnyOf(vec![4, 3])])];
    assert_eq!(found, expected);
}

#[test]
fn changes_of_one_function_are_ordered_without_hunks() {
    let text = |first: u8, last: u8| {
        format!("def f():\n    x = {first}\n    a()\n    b()\n    c()\n    d()\n    y = {last}\n    return x + y\n")
    };
    let history = history(&[
        &[("a.py", Some(&text(1, 1)))],
        &[("a.py", Some(&text(2, 1)))],
        &[("a.py", Some(&text(2, 2)))],
        &[("a.py", Some(&text(3, 2)))],
    ]);
    let slices = history.commits();
    let needs = |kind| slices.dependencies(kind).unwrap().into_iter().collect::<Vec<_>>();
    let in_order = [(1, vec![Need::Item(0)]), (2, vec![Need::Item(1)])];
    assert_eq!(needs(DependencyKind::Syntax), in_order);
    for kind in [DependencyKind::Hunks, DependencyKind::Auto] {
        assert_eq!(needs(kind), [(2, vec![Need::Item(0)])], "{kind:?}");
    }
}

#[test]
fn unchanged_files_that_use_a_deleted_name_count() {
    let user = |call: &str| format!("import old\n\ndef user():\n    return {call}\n");
    let found = needs(&[
        &[
            ("old.py", Some("def gone():\n    return 1\n\n\ndef stays():\n    return 2\n")),
            ("user.py", Some(&user("old.gone()"))),
            ("same.py", Some("class Same:\n    def known(self):\n        return 1\n")),
        ],
        &[("user.py", Some(&user("old.stays()")))],
        &[("old.py", Some("def stays():\n    return 2\n"))],
        // An unchanged file also has a method with this name, so the new one is not needed.
        &[("new.py", Some("class New:\n    def known(self):\n        return 1\n"))],
        &[("late.py", Some("def late(x):\n    return x.known()\n"))],
    ]);
    assert_eq!(found, [(1, vec![Need::Item(0)])]);
}

#[test]
fn javascript_imports_are_dependencies() {
    let found = needs(&[
        &[("src/app.js", Some("export function run() {\n  return 1;\n}\n"))],
        &[("src/price.js", Some("export const rate = 2;\nexport function price(x) {\n  return x * rate;\n}\n"))],
        &[(
            "src/app.js",
            Some("import { price } from './price.js';\n\nexport function run() {\n  return price(1);\n}\n"),
        )],
    ]);
    assert_eq!(found, [(1, vec![Need::Item(0)])]);
}

#[test]
fn commits_that_do_not_parse_merge_with_their_child() {
    let steps: Steps<'_> = &[
        &[("a.py", Some("x = 1\n"))],
        &[("a.py", Some("x = 1\ndef f(:\n"))],
        &[("b.py", Some("y = 1\n"))],
        &[("a.py", Some("x = 1\ndef f():\n    return 1\n"))],
        // A file that does not parse at the base or at the tip is left alone.
        &[("c.py", Some("def f(:\n"))],
        &[("a.py", Some("x = (1\ndef f():\n    return 1\n"))],
    ];
    let history = history(steps);
    let slices = history.commits();
    let commits: Vec<&str> = slices.changes().iter().map(|change| change.commit.as_str()).collect();
    assert_eq!(commits, [&history.commits[3], &history.commits[4], &history.commits[5]]);
    assert_eq!(slices.changes()[0].merged, history.commits[1..3]);
    assert!(slices.changes()[0].is_of(&history.commits[1]) && !slices.changes()[1].is_of(&history.commits[1]));
    // The change becomes one commit, that of the child.
    let made = slices.commits(&ChangeSet::from_iter([0])).unwrap();
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].of, history.commits[3]);
    // The same if the commits are split.
    let parts = history.open(SliceGranularity::File);
    let names: Vec<String> = parts.changes().iter().map(|change| change.name()).collect();
    assert_eq!(names[..2], [format!("{}:a.py", history.commits[3]), format!("{}:b.py", history.commits[3])]);
}

#[test]
fn a_commit_can_be_split_by_definitions() {
    let base = "import os\n\nX = 1\n\n\ndef f():\n    return 1\n\n\nclass C:\n    def g(self):\n        return 1\n";
    let tip = "import os\nimport sys\n\nX = 2\n\n\ndef f():\n    return 2\n\n\nclass C:\n    \"\"\"New.\"\"\"\n\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n\n\nmain()\n";
    let history = history(&[&[("a.py", Some(base)), ("t", Some("1\n"))], &[("a.py", Some(tip)), ("t", Some("2\n"))]]);
    let slices = history.open(SliceGranularity::Definition);
    let sha = &history.commits[1];
    let names: Vec<String> = slices.changes().iter().map(|change| change.name().replace(sha, "")).collect();
    let expected = [":a.py#<module>", ":a.py#C", ":a.py#C.h", ":a.py#X", ":a.py#f", ":a.py#sys", ":t"];
    assert_eq!(names, expected);
    let of = |changes: &[usize]| slices.commits(&changes.iter().copied().collect::<ChangeSet>()).unwrap();
    let patch = String::from_utf8(of(&[2]).remove(0).patch).unwrap();
    let added: Vec<&str> = patch.lines().filter(|line| line.starts_with('+') && line.contains("  ")).collect();
    assert_eq!(added, ["+    def h(self):", "+        return 2"]);
    assert_eq!(of(&[0, 1, 2, 3, 4, 5, 6]).len(), 1, "parts of a commit are one commit again");
}

#[test]
fn a_missing_grammar_gives_a_warning() {
    let steps: Steps<'_> =
        &[&[("A.java", Some("class A {}\n")), ("a.py", Some("x = 1\n"))], &[("A.java", Some("class A { int x; }\n"))]];
    let java = history(steps);
    let slices = java.commits();
    let warnings = slices.warnings().unwrap();
    if cfg!(feature = "java") {
        assert_eq!(warnings, Vec::<String>::new());
    } else {
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert!(warning.contains("\"A.java\"") && warning.contains("the cargo feature \"java\" has it"), "{warning}");
    }
    // Unchanged files need no grammar.
    let steps: Steps<'_> =
        &[&[("A.java", Some("class A {}\n")), ("a.py", Some("x = 1\n"))], &[("a.py", Some("x = 2\n"))]];
    let python = history(steps);
    assert_eq!(python.commits().warnings().unwrap(), Vec::<String>::new());
}

#[test]
fn covered_lines_select_changes() {
    let base = "TABLE = {\n    \"tea\": 1,\n}\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n";
    let steps: Steps<'_> = &[
        &[("a.py", Some(base)), ("data.txt", Some("1\n")), ("other.py", Some("x = 1\n"))],
        &[("a.py", Some(&base.replace("return 1", "return 3")))],
        &[("a.py", Some(&base.replace("return 1", "return 3").replace("return 2", "return 4")))],
        &[(
            "a.py",
            Some(
                &base
                    .replace("return 1", "return 3")
                    .replace("return 2", "return 4")
                    .replace("\"tea\": 1", "\"tea\": 2"),
            ),
        )],
        &[("data.txt", Some("2\n"))],
        &[("other.py", Some("x = 2\n"))],
    ];
    let history = history(steps);
    let slices = history.commits();
    let covered = |lines: &[(&str, &[u32])]| {
        let lines: BTreeMap<String, Vec<u32>> =
            lines.iter().map(|(path, lines)| ((*path).to_owned(), lines.to_vec())).collect();
        slices.covered(&lines).unwrap()
    };
    // Defining `g` does not run it. The statement of the table is covered by its first line.
    assert_eq!(covered(&[("a.py", &[1, 6, 7, 10])]), [0, 2]);
    assert_eq!(covered(&[("a.py", &[11])]), [1]);
    assert_eq!(covered(&[("data.txt", &[1])]), [3]);
    assert_eq!(covered(&[("nowhere.py", &[1]), ("other.py", &[])]), Vec::<usize>::new());
    let definitions = slices.definitions().unwrap();
    let names: Vec<(&str, &str, &str)> =
        definitions.iter().map(|own| (own.file.as_str(), own.name.as_str(), own.kind)).collect();
    let expected = [
        ("a.py", "TABLE", "variable"),
        ("a.py", "f", "function"),
        ("a.py", "g", "function"),
        ("other.py", "x", "variable"),
    ];
    assert_eq!(names, expected);
}

#[test]
fn charges_follow_the_flow_of_values() {
    let price = |tax: u8, note: &str, out: u8| {
        format!(
            "class Price:\n    def __init__(self, net):\n        self.net = net\n        self.tax = {tax}\n\n    def total(self, \
             factor):\n        print({note:?})\n        found = self.net * factor + {out}\n        return found\n"
        )
    };
    let user = |net: &str, factor: u8| {
        format!(
            "from price import Price\n\n\ndef user(x):\n    net = {net}\n    log(x)\n    return Price(net).total({factor})\n"
        )
    };
    let steps: Steps<'_> = &[
        &[("price.py", Some(&price(1, "a", 0))), ("user.py", Some(&user("1", 1)))],
        &[("price.py", Some(&price(1, "b", 0)))],
        &[("price.py", Some(&price(1, "b", 2)))],
        &[("price.py", Some(&price(2, "b", 2)))],
        &[("user.py", Some(&user("2", 1)))],
        &[("user.py", Some(&user("2", 3)))],
    ];
    let history = history(steps);
    let slices = history.commits();
    let charges = slices.charges().unwrap();
    let at = |name: &str, variable: &str| {
        let found = charges.iter().find(|charge| charge.name == name && charge.variable == variable);
        found.map(|charge| charge.changes.clone()).unwrap_or_default()
    };
    assert_eq!(at("Price.total", "return"), [1], "what is only printed does not flow into it");
    assert_eq!(at("Price.total", "self.tax"), [2]);
    assert_eq!(at("Price.total", "self.net"), Vec::<usize>::new());
    assert_eq!(at("Price.total", "factor"), [4]);
    // A constructor is called by the name of its class. The statement with the call counts as a whole.
    assert_eq!(at("Price.__init__", "net"), [3, 4]);
    assert_eq!(at("user", "return"), [3, 4]);
    // The configuration of a search contains the charges.
    let search = slices.search(&serde_json::json!({})).unwrap();
    assert_eq!(search.inspect().configuration().unwrap()["charges"], serde_json::json!(charges));
    let search = slices.search(&serde_json::json!({ "learn": false })).unwrap();
    assert!(search.inspect().configuration().unwrap().get("charges").is_none());
}
