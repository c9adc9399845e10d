//! Seeds of targets, from the files of tests and from the output of searches.

use std::path::PathBuf;

use firstbad::{CommitGraph, Error, Observation, Outcome, Search};
use firstbad_git::Repository;
use firstbad_testkit::git_repository::GitRepository;
use firstbad_testkit::scenes::Scene;

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../firstbad-build/tests/all/samples/", $name)).to_vec()
    };
}

/// A recorded report of a test runner.
macro_rules! report {
    ($name:literal) => {
        include_bytes!(concat!("../../firstbad-results/tests/fixtures/", $name)).to_vec()
    };
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub(crate) fn commit_graphs() -> Vec<Vec<u8>> {
    texts(["a\nb a\nc a\nd b c\ne\n", "d b c\nb a\nc a\na", "aabbccddee0011\naabbccddee00ff aabbccddee0011\n"])
}

/// Returns units of source text after a byte for the language. These units took the parser the most time or memory.
pub(crate) fn units() -> Vec<Vec<u8>> {
    const PYTHON: [&str; 9] = ["/*ifawait", "<!--", "\\\n", "**a//", "\\'+:", "+or", "f'{a}", "x=1", "(a if b else "];
    const JAVASCRIPT: [&str; 9] =
        ["{a:", "{/*", "->", "a=>\n*\n<<\n", "case this a: @ ", "else -> && ", "try\\atry", "`${", "a;"];
    const TYPESCRIPT: [&str; 9] =
        ["a<b,", "@a <a#x", "\nlabel:!,", "a?:", "a): await ", "a!:\n", "! > ", "<a>", "a extends b ? c : "];
    let languages: [&[&str]; 4] = [&PYTHON, &JAVASCRIPT, &TYPESCRIPT, &TYPESCRIPT];
    let units =
        languages.iter().enumerate().flat_map(|(language, units)| units.iter().map(move |unit| (language, unit)));
    units.map(|(language, unit)| [&[language as u8], unit.as_bytes()].concat()).collect()
}

pub(crate) fn coverage() -> Vec<Vec<u8>> {
    texts([
        "TN:\nSF:/shop/a.js\nFN:1,a\nFNDA:1,a\nDA:1,1\nDA:2,0\nBRDA:2,0,0,1\nLF:2\nend_of_record\nSF:b.js\nDA:1,1\nend_of_record\n",
        r#"{"meta": {"version": "7.17.3"}, "files": {"a.py": {"executed_lines": [1, 5], "missing_lines": [6]}}, "totals": {}}"#,
        r#"<?xml version="1.0"?><coverage><sources><source>/shop</source></sources><class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class></coverage>"#,
        r#"{"result": [{"scriptId": "1", "url": "file:///shop/a.js", "functions": [{"functionName": "", "ranges": [{"startOffset": 0, "endOffset": 43, "count": 1}, {"startOffset": 27, "endOffset": 30, "count": 0}], "isBlockCoverage": true}]}]}"#,
        r#"{"a.py": [1, 2], "b/c.py": []}"#,
    ])
}

/// Returns a repository with a dozen commits, the path of a commit-graph file, and the newest commit.
pub(crate) fn commit_graph_repository() -> (GitRepository, Repository, PathBuf, String) {
    let scene = Scene::new(0, 3);
    let parents = scene.parents.iter().map(|parents| parents.iter().map(ToString::to_string).collect::<Vec<_>>());
    let graph = CommitGraph::new(parents.enumerate().map(|(place, parents)| (place.to_string(), parents)));
    let graph = graph.expect("parents come first");
    let made = GitRepository::new(&graph).expect("git");
    let repository = Repository::open(made.path()).expect("it is one");
    let tip = made.sha(graph.len() as u32 - 1).to_owned();
    let file = made.path().join("fuzzed.graph");
    (made, repository, file, tip)
}

pub(crate) fn commit_graph_files() -> Vec<Vec<u8>> {
    let (made, _, _, tip) = commit_graph_repository();
    let tips = [tip, made.sha(2).to_owned()].join("\n");
    let written = |arguments: &[&str]| {
        made.git(arguments, &tips).expect("git");
        let out = made.git(&["rev-parse", "--git-common-dir"], "").expect("git");
        let file = made.path().join(out.trim()).join("objects/info/commit-graph");
        let bytes = std::fs::read(&file).expect("git wrote it");
        std::fs::remove_file(&file).expect("git wrote it");
        bytes
    };
    vec![
        written(&["commit-graph", "write", "--stdin-commits"]),
        written(&["commit-graph", "write", "--stdin-commits", "--changed-paths"]),
    ]
}

pub(crate) fn outlines() -> Vec<Vec<u8>> {
    texts([
        "import os.path\nfrom .a import b as c, d\nX, Y = 1, {\n  'a': 2,\n}\n@e\nclass A(B, c.D):\n    n = 0\n    def f(self, x, *y, z=X):\n        self.x = [i for i in y if i]\n        while f(x, x=z):\n            return self.x[0]\n==\nclass A:\n    def f(self):\n        yield lambda q: q\n",
        "import a, { b as c } from './d/index.js';\nexport const x = (y) => y + c;\nclass A extends B {\n  #n = 0;\n  f({ x = 1 }) { this.x = f(x); for (const i of this.x) { x++; } return `${x}`; }\n}\nexports.g = function () {};\nA.prototype.h = () => 1;\n==\nclass A { f() { return 2; } }\n",
        "interface A<T> extends B { x: T; f(y: number): void }\nexport abstract class C implements A<D> { constructor(private z: E) { super(); } }\ntype F = A<C> | null;\nenum G { H = 1 }\n",
    ])
}

pub(crate) fn patches() -> Vec<Vec<u8>> {
    texts([
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn main\n one\n-two\n+2\n three\n@@ -9 +9,2 @@\n-nine\n+9\n+10\n\\ No newline at end of file\n",
        "diff --git a/old name b/new name\nsimilarity index 90%\nrename from old name\nrename to new name\nold mode 100644\nnew mode 100755\n--- a/old name\t\n+++ b/new name\t\n@@ -1 +1 @@\n-a\n+b\n",
        "diff --git a/made b/made\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git a/gone b/gone\ndeleted file mode 120000\nindex 19102815..0000000\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-foo\n\\ No newline at end of file\n",
        "diff --git \"a/\\303\\244\\t\" \"b/\\303\\244\\t\"\n--- \"a/\\303\\244\\t\"\n+++ \"b/\\303\\244\\t\"\n@@ -0,0 +1 @@\n+x\n",
        "diff --git a/b b/b\nindex a..b 100644\nGIT binary patch\nliteral 3\nKcmZSJi(_O200031\n\nliteral 0\nHcmV?d00001\n\n",
        "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: one\n\n---\n x | 1 +\n\n--- x.orig\t2020-01-01\n+++ x\t2020-01-02\n@@ -1 +1,2 @@\n 1\n+2\n-- \n2.30\n",
        "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\ndiff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    ])
}

/// Returns a partially played search of the kind with this number.
fn half_done(kind: usize) -> Option<Box<dyn Search>> {
    let mut search = Scene::new(kind, WORLD).open().ok()?;
    for step in 0..8 {
        let Some(probe) = search.ask(2).ok()?.pop() else { break };
        let outcome = if step % 3 == 0 { Outcome::Fail } else { Outcome::Pass };
        search.tell(probe.id, Observation::new(outcome)).ok()?;
    }
    Some(search)
}

/// The seed of the history of snapshots and journals.
const WORLD: u64 = 5;

/// Restores the search of a snapshot in the world of the seeds.
pub(crate) fn restored(algorithm: &str, snapshot: &str) -> Result<Box<dyn Search>, Error> {
    let kind = if matches!(algorithm, "minimize" | "isolate") { 18 } else { 0 };
    firstbad::restore(algorithm, Scene::new(kind, WORLD).world(), snapshot)
}

pub(crate) fn snapshots() -> Vec<Vec<u8>> {
    let searches = (0..Scene::KINDS).filter_map(half_done);
    searches.filter_map(|search| search.inspect().snapshot().ok()).map(String::into_bytes).collect()
}

/// Returns journals as on disk, with the history next to them in lines that begin with `#`.
pub(crate) fn journals() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("run.jsonl");
    let mut journals = Vec::new();
    for search in (0..Scene::KINDS).filter_map(half_done) {
        let mut session = firstbad_journal::Session::new(search.fresh().expect("it was opened before"));
        session.attach(&path, &firstbad_journal::Options::default()).expect("a new journal");
        session.apply_all(&mut search.inspect().events(0).iter()).expect("its own events");
        session.close();
        // With checksums, every mutated journal would be rejected early.
        let text = std::fs::read_to_string(&path).expect("it was written");
        let mut text = firstbad_testkit::journal::unsealed(&text).into_bytes();
        let history = std::fs::File::open(folder.path().join("run.jsonl.graph.gz"));
        if let Ok(history) = history {
            let lines = std::io::read_to_string(flate2::read::GzDecoder::new(history)).expect("it was written");
            text.extend(lines.lines().flat_map(|line| format!("#{line}\n").into_bytes()));
            std::fs::remove_file(folder.path().join("run.jsonl.graph.gz")).expect("it is there");
        }
        journals.push(text);
        std::fs::remove_file(&path).expect("it is there");
    }
    journals
}

pub(crate) fn bazel() -> Vec<Vec<u8>> {
    vec![sample!("bazel.xml"), sample!("bazel.jsonl")]
}

pub(crate) fn nx() -> Vec<Vec<u8>> {
    vec![sample!("nx.json")]
}

pub(crate) fn turborepo() -> Vec<Vec<u8>> {
    vec![sample!("turborepo.json")]
}

pub(crate) fn cargo() -> Vec<Vec<u8>> {
    vec![sample!("cargo-no-deps.json")]
}

pub(crate) fn go() -> Vec<Vec<u8>> {
    vec![sample!("go.json"), sample!("go-test.json")]
}

pub(crate) fn workspaces() -> Vec<Vec<u8>> {
    texts([
        "== package.json\n{\"name\": \"acme\", \"workspaces\": [\"packages/*\", \"./apps/**/\", \"!apps/old\"]}\n== packages/lib/package.json\n{\"name\": \"@acme/lib\", \"dependencies\": {\"@acme/util\": \"^1.0.0\"}}\n== packages/util/package.json\n{\"name\": \"@acme/util\", \"dependencies\": {\"linked\": \"file:../lib\"}}\n== apps/web/package.json\n{\"name\": \"web\", \"devDependencies\": {\"nick\": \"workspace:@acme/lib@^1\"}}\n",
        "== pnpm-workspace.yaml\npackages:\n  - 'packages/{a,b}'\n  - \"!**/test/**\"\n== packages/a/package.json\n{\"name\": \"a\"}\n== packages/b/package.json\n{\"name\": \"b\", \"dependencies\": {\"a\": \"workspace:*\"}}\n== package.json\n{}\n",
    ])
}

pub(crate) fn python() -> Vec<Vec<u8>> {
    texts([
        "== pyproject.toml\n[tool.setuptools.packages.find]\nwhere = [\"src\"]\n== src/acme/__init__.py\nfrom . import one\nfrom .two import *\n== src/acme/one.py\nimport acme.two as two, os\ntry:\n    from acme import missing\nexcept ImportError:\n    pass\n== src/acme/two.py\ndef f():\n    __import__('acme.one')\n== tests/conftest.py\nimport acme\n== tests/test_one.py\nfrom acme.one import (x,\n  y)\nimport importlib\nimportlib.import_module(\"acme.two\")\n== setup.cfg\n[metadata]\nname = acme\n",
    ])
}

pub(crate) fn javascript() -> Vec<Vec<u8>> {
    texts([
        "== package.json\n{\"name\": \"acme\", \"type\": \"module\", \"imports\": {\"#x\": \"./src/x.js\"}, \"exports\": {\".\": \"./src/index.ts\", \"./*\": \"./src/*.js\"}}\n== tsconfig.json\n{\"extends\": \"./base.json\", \"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"src/*\"]}}}\n== base.json\n{/* a comment */ \"references\": [{\"path\": \"src\"}],}\n== src/index.ts\nimport a, {b} from './x';\nexport * from \"@/y\";\nconst c = require('./z.json'), d = await import(`./y.js`);\n== src/x.js\nimport '#x';\n== src/y.tsx\nexport const e = <div>{1}</div>;\n== src/z.json\n{}\n== src/x.test.js\nimport 'acme/y';\n",
    ])
}

pub(crate) fn results_junit() -> Vec<Vec<u8>> {
    let surefire = r#"<testsuite name="T" time="1,2"><testcase name="a" classname="T"><flakyFailure message="&lt;1&gt;" type="a.E"/></testcase><testcase name="b" classname="T" status="notrun"><failure><![CDATA[E: b]]></failure><rerunError/></testcase><error message="c"/></testsuite>"#;
    let mut all = texts([surefire]);
    all.extend([report!("pytest.xml"), report!("pytest-rerun.xml"), report!("jest-junit.xml"), report!("vitest.xml")]);
    all.extend([report!("mocha-junit-reporter.xml"), report!("mocha-xunit.xml"), report!("node-20.xml")]);
    all.extend([report!("node-24.xml"), report!("nextest.xml"), report!("ctest.xml")]);
    all
}

pub(crate) fn results_tap() -> Vec<Vec<u8>> {
    vec![report!("node.tap"), report!("mocha.tap"), report!("perl.tap")]
}

pub(crate) fn results_jest() -> Vec<Vec<u8>> {
    vec![report!("jest.json"), report!("jest-chosen.json"), report!("vitest.json")]
}

pub(crate) fn results_mocha() -> Vec<Vec<u8>> {
    vec![report!("mocha.json")]
}

pub(crate) fn results_go() -> Vec<Vec<u8>> {
    vec![report!("go.jsonl")]
}

pub(crate) fn results_libtest() -> Vec<Vec<u8>> {
    let json = "{\"type\":\"test\",\"name\":\"a\",\"event\":\"failed\",\"stdout\":\"thread 'a' panicked at a.rs:1:2:\\nno\"}\n";
    let mut all = texts([json, "running 2 tests\ntest a ... words\nok\ntest b ... bench: 1 ns/iter\n"]);
    all.extend([report!("cargo.txt"), report!("cargo-stdout.txt"), report!("cargo-abort.txt")]);
    all
}

pub(crate) fn results_jsonl() -> Vec<Vec<u8>> {
    vec![report!("pytest-plugin.jsonl"), report!("pytest-plugin-rerun.jsonl"), report!("node-reporter.jsonl")]
}

/// Returns a report of each format.
pub(crate) fn results() -> Vec<Vec<u8>> {
    let all = [results_junit, results_tap, results_jest, results_mocha, results_go, results_libtest, results_jsonl];
    all.iter().flat_map(|seeds| seeds().into_iter().next()).collect()
}

/// Returns the words of a command, an empty line, and ids.
pub(crate) fn test_plans() -> Vec<Vec<u8>> {
    texts([
        "pytest\n-q\n\nt/a.py::b[c d]\nt/a.py::T::e\n",
        "sh\n-c\ncd a && npx jest {tests}\n\na.js::b (c)\nd\n",
        "cargo\nnextest\nrun\n--\n--nocapture\n\nshop::a b::c\nd,e)\n",
        "go\ntest\n./...\n-args\n\ne.com/a::TestB/c_d\nTestE\n",
        "node\n--test\n--test-reporter\nspec\n\na.js::b > c\n",
        "./run\n{tests}\n{tests_file}\n\na\nb\n",
        "bazel\ntest\n--\n//...\n-//a:b\n\n//c:d\n",
    ])
}

pub(crate) fn bisect_logs() -> Vec<Vec<u8>> {
    texts([
        "# bad: [9038fc601159cd0161c5c56325c864384318f011] it's\n# good: [ec89dbb0a1728b204e99d751871a900da9b24f9b] c 0\ngit bisect start 'HEAD' 'v1' '--' 'a b'\\''c'\ngit bisect good abc\ngit bisect skip d\n",
        "git bisect start '--term-old=fast' --term-new slow --first-parent\n# status: waiting\ngit bisect slow b\ngit bisect fast a\ngit bisect slow c\ngit bisect skip d\n",
        "git bisect start\ngit bisect terms\ngit bisect bad b\ngit bisect good a\ngit bisect reset\ngit bisect start b a\ngit-bisect new \"x\\\"y\"\n",
    ])
}

/// Returns a play of every kind of search, initially with a correct driver.
pub(crate) fn plays() -> Vec<Vec<u8>> {
    let steps = |count: u8| (0..count).flat_map(|step| [step % 16, step.wrapping_mul(37)]);
    let honest = || (0..20u8).flat_map(|step| [0, 1, 3, step * 4 + u8::from(step % 3 != 0)]);
    (0..Scene::KINDS as u8)
        .map(|kind| [kind, 5 + kind].into_iter().chain(honest()).chain(steps(40)).collect())
        .collect()
}

pub(crate) fn whole_texts() -> Vec<Vec<u8>> {
    texts([
        "#include <stdio.h>\n#if A\nint f(int a,\n      int b) {\n  if (a) {\n    g(\"x\", 12);\n  } else {\n    h();\n  }\n}\n#endif\n0",
        "@cached\ndef f(a, b=[1, 22]):\n    \"\"\"one\n    two\"\"\"\n    try:\n        g(a)\n    except (A, B):  # why\n        pass\n1",
        "{\n  \"a\": [\n    1,\n    {\"b\": null, \"c\": \"some words\"}\n  ],\n  \"d\": {}\n}\n1",
        "const a = `one ${b}\ntwo`; /* c\n d */ f({ e, g: [h, 'don\\'t'] }, () => { i; j; });\n0",
    ])
}
