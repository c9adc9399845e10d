//! Every runner runs chosen tests, and its results are read. A runner that is not installed is skipped with a line.

use std::path::{Path, PathBuf};
use std::process::Command;

use firstbad::Outcome;
use firstbad_results::{Place, Plan, Reader, Report, Request, Runner, Scope, Tree};

/// A project with tests, which runs plans.
struct Project {
    /// Holds `project` with the tests and a folder for each plan.
    folder: tempfile::TempDir,
    runner: Runner,
    command: Vec<String>,
    path: String,
}

impl Project {
    fn new(runner: Runner, command: &[&str], files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join("project").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let path = std::env::var("PATH").unwrap_or_default();
        Project { folder, runner, command: command.iter().map(|word| (*word).to_owned()).collect(), path }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project").canonicalize().unwrap()
    }

    fn plans(&self, tests: Option<&[&str]>, with: impl Fn(Request<'_>) -> Vec<Plan>) -> Vec<Plan> {
        let tests: Option<Vec<String>> = tests.map(|tests| tests.iter().map(|test| (*test).to_owned()).collect());
        let count = std::fs::read_dir(self.folder.path()).unwrap().count();
        let folder = self.folder.path().join(format!("results-{count}"));
        std::fs::create_dir(&folder).unwrap();
        let exists = |path: &str| self.root().join(path).is_file();
        let root = self.root();
        let tree = Tree::new(root.to_str().unwrap(), &exists);
        with(Request { tree, ..Request::new(&self.command, tests.as_deref(), folder.to_str().unwrap()) })
    }

    /// Runs the tests, or the whole suite.
    fn run(&self, tests: Option<&[&str]>) -> Vec<Report> {
        self.run_with(self.plans(tests, |request| self.runner.plan(&request).unwrap()))
    }

    fn run_with(&self, plans: Vec<Plan>) -> Vec<Report> {
        plans.iter().map(|plan| self.result(plan)).collect()
    }

    fn result(&self, plan: &Plan) -> Report {
        for file in &plan.files {
            std::fs::write(&file.path, &file.content).unwrap();
        }
        let mut command = Command::new(&plan.argv[0]);
        command.args(&plan.argv[1..]).current_dir(self.root()).env("PATH", &self.path);
        for name in
            ["FORCE_COLOR", "NODE_OPTIONS", "NODE_TEST_CONTEXT", "CARGO_TARGET_DIR", "RUST_BACKTRACE", "RUSTFLAGS"]
        {
            command.env_remove(name);
        }
        for name in
            ["CARGO_ENCODED_RUSTFLAGS", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "CARGO_INCREMENTAL", "LLVM_PROFILE_FILE"]
        {
            command.env_remove(name);
        }
        command.env("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1");
        for change in &plan.environment {
            let before = std::env::var(&change.name).ok().filter(|_| change.is_first);
            command
                .env(&change.name, before.map_or(change.value.clone(), |before| format!("{}:{before}", change.value)));
        }
        // The standard output and the standard error in their order.
        let (mut reader, writer) = std::io::pipe().unwrap();
        command.stdout(writer.try_clone().unwrap()).stderr(writer).stdin(std::process::Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", plan.argv));
        drop(command);
        let mut printed = Vec::new();
        std::io::Read::read_to_end(&mut reader, &mut printed).unwrap();
        child.wait().unwrap();
        let result = match &plan.results.place {
            Place::File(path) => std::fs::read(self.root().join(path)),
            _ => Ok(printed.clone()),
        };
        let report = result.unwrap_or_else(|_| panic!("{:?}:\n{}", plan.argv, String::from_utf8_lossy(&printed)));
        let exists = |path: &str| self.root().join(path).is_file();
        let root = self.root();
        let reader = Reader::new().runner(self.runner).tree(Tree::new(root.to_str().unwrap(), &exists));
        let reader = plan.results.format.map_or(reader, |format| reader.format(format));
        reader.read(&report).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&report)))
    }

    /// Checks the outcomes of the whole suite, and that each test alone has the same outcome.
    #[track_caller]
    fn holds(&self, expected: &[(&str, Outcome)]) {
        let reports = self.run(None);
        let found = |reports: &[Report], id: &str| {
            let mut tests = reports.iter().flat_map(|report| &report.tests);
            tests.find(|test| test.id == id).map(|test| test.outcome)
        };
        for (id, outcome) in expected {
            assert_eq!(found(&reports, id), Some(*outcome), "{id} in {:#?}", ids(&reports));
        }
        let all: Vec<&str> = expected.iter().map(|(id, _)| *id).collect();
        let chosen: Vec<&str> = all.iter().copied().step_by(2).collect();
        let some = self.run(Some(&chosen));
        for (place, (id, outcome)) in expected.iter().enumerate() {
            let result = found(&some, id).filter(|outcome| *outcome != Outcome::Unresolved);
            let expected = Some(*outcome).filter(|outcome| place % 2 == 0 && *outcome != Outcome::Unresolved);
            assert_eq!(result, expected, "{id} in {:#?}", ids(&some));
        }
    }
}

fn ids(reports: &[Report]) -> Vec<(&str, Outcome)> {
    reports.iter().flat_map(|report| &report.tests).map(|test| (test.id.as_str(), test.outcome)).collect()
}

use Outcome::{Fail, Pass, Unresolved};

/// Returns whether a program starts. Otherwise, prints a line.
fn is_installed(program: &str, arguments: &[&str]) -> bool {
    let found = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if !found {
        println!("{program} is not installed; skipped");
    }
    found
}

/// Returns the Python of the project's environment, or another one with pytest.
fn python() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = [root.join(".venv/bin/python"), root.join(".venv/Scripts/python.exe")];
    let known = std::env::var("PYTHON").ok();
    let names = own.iter().filter_map(|path| path.to_str().map(str::to_owned)).chain(known);
    let mut names = names.chain(["python3".to_owned(), "python".to_owned()]);
    names.find(|name| {
        Command::new(name).args(["-c", "import pytest"]).output().is_ok_and(|output| output.status.success())
    })
}

const PYTEST: &str = r#"
import pytest

@pytest.mark.parametrize("text", ["1", "a/b::c", "x-y [z]", "a b"])
def test_parse(text):
    assert text == "1"

class TestSum:
    def test_sum(self):
        raise KeyError("apples")

    def test_other(self):
        pass

@pytest.fixture
def broken():
    raise RuntimeError("no database 17")

@pytest.fixture
def late():
    yield
    raise OSError("cannot close")

def test_setup(broken):
    pass

def test_teardown(late):
    pass

@pytest.mark.skip(reason="later")
def test_skipped():
    pass
"#;

#[test]
fn pytest_runs_chosen_tests() {
    let Some(python) = python() else {
        println!("pytest is not installed; skipped");
        return;
    };
    let files = [
        ("shop/test_a.py", PYTEST),
        ("shop/test_b.py", "def test_b():\n    pass\n"),
        ("broken/test_c.py", "import nothing_here\n"),
    ];
    let project = Project::new(Runner::Pytest, &[&python, "-m", "pytest", "-x", "-p", "no:cacheprovider"], &files);
    project.holds(&[
        ("shop/test_a.py::test_parse[1]", Pass),
        ("shop/test_a.py::test_parse[a b]", Fail),
        ("shop/test_a.py::test_parse[a/b::c]", Fail),
        ("shop/test_a.py::test_parse[x-y [z]]", Fail),
        ("shop/test_a.py::TestSum::test_sum", Fail),
        ("shop/test_a.py::TestSum::test_other", Pass),
        ("shop/test_a.py::test_setup", Fail),
        ("shop/test_b.py::test_b", Pass),
        ("shop/test_a.py::test_teardown", Fail),
        ("shop/test_a.py::test_skipped", Unresolved),
    ]);
    // Unknown ids and files do not stop the others, and a file that cannot be imported has its own result.
    let tests = ["shop/test_b.py::test_b", "shop/test_b.py::nope", "gone/test_d.py::a", "broken/test_c.py::c"];
    let reports = project.run(Some(&tests));
    assert_eq!(ids(&reports), [("broken/test_c.py", Unresolved), ("shop/test_b.py::test_b", Pass)]);
    // The ids of another report can start at another folder.
    let reports_of_ci = project.run(Some(&["repository/shop/test_b.py::test_b"]));
    assert_eq!(ids(&reports_of_ci), [("broken/test_c.py", Unresolved), ("shop/test_b.py::test_b", Pass)]);
    let answer = reports_of_ci[0].answers(&["repository/shop/test_b.py::test_b".to_owned()])[0];
    assert_eq!(answer.map(|test| test.outcome), Some(Pass));
    let broken = &reports[0].tests[0];
    assert_eq!(broken.scope, Scope::File);
    assert_eq!(broken.signature.as_deref(), Some("ModuleNotFoundError: No module named '…' in broken/test_c.py"));
}

const NODE: &str = r#"
const { describe, it, test } = require("node:test");
const assert = require("node:assert");
describe("sums", () => {
  it("adds (a|b) [x]", () => { assert.strictEqual(1 + 1, 3); });
  it("adds", () => {});
  describe("deep $1", () => { it('throws "it"', () => { throw new TypeError("cannot read 17 of 'x'"); }); });
  it.skip("later", () => {});
});
test("flat", () => {});
test("a, b # c \\ d/e", () => {});
test("parent", async (t) => { await t.test("child", () => { assert.fail("no"); }); });
"#;

#[test]
fn node_runs_chosen_tests() {
    if !is_installed("node", &["--version"]) {
        return;
    }
    let files = [
        ("a.test.js", NODE),
        ("sub/b.test.js", "require('node:test').test('flat', () => { throw new Error('b'); });"),
        ("c.test.js", "require('./missing');"),
    ];
    let project = Project::new(Runner::Node, &["node", "--test"], &files);
    project.holds(&[
        ("a.test.js::sums > adds (a|b) [x]", Fail),
        ("a.test.js::sums > adds", Pass),
        ("a.test.js::sums > deep $1 > throws \"it\"", Fail),
        ("a.test.js::flat", Pass),
        ("a.test.js::a, b # c \\ d/e", Pass),
    ]);
    let reports = project.run(None);
    let find = |id: &str| reports[0].tests.iter().find(|test| test.id == id).unwrap();
    assert_eq!((find("sub/b.test.js::flat").outcome, find("c.test.js").scope), (Fail, Scope::File));
    assert_eq!(find("a.test.js::parent").scope, Scope::Group);
    let thrown = find("a.test.js::sums > deep $1 > throws \"it\"");
    assert_eq!(thrown.signature.as_deref(), Some("TypeError: cannot read # of '…' in a.test.js"));
    // A subtest of a test needs the name of its parent, which is added in the second attempt.
    let child = "a.test.js::parent > child";
    let plans =
        project.plans(Some(&[child]), |request| Runner::Node.plan(&Request { again: true, ..request }).unwrap());
    let reports = project.run_with(plans);
    assert_eq!(reports[0].answers(&[child.to_owned()])[0].unwrap().outcome, Fail);
}

/// Returns the Cargo that builds this test.
const CARGO: &str = env!("CARGO");

const RUST: &str = r#"
pub fn add(a: u64, b: u64) -> u64 { a + b }
#[cfg(test)]
mod tests {
    #[test] fn adds() { assert_eq!(super::add(1, 2), 3); }
    #[test] fn fails() { assert_eq!(super::add(1, 2), 4, "the total"); }
    #[test] #[should_panic] fn panics() { panic!("a") }
    #[test] fn prints() { println!("test tests::x ... ok"); panic!("cannot open {:?}", "a"); }
    #[test] fn returns() -> Result<(), String> { Err("no 12".into()) }
}
"#;
const MANIFEST: &str =
    "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n[workspace]\n";

#[test]
fn cargo_runs_chosen_tests() {
    if !is_installed(CARGO, &["--version"]) {
        return;
    }
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", RUST), ("tests/prices.rs", "#[test] fn adds() {}\n")];
    let project = Project::new(Runner::Cargo, &[CARGO, "test", "--offline"], &files);
    project.holds(&[
        ("shop tests::adds", Pass),
        ("shop tests::fails", Fail),
        ("shop tests::panics", Pass),
        ("shop tests::returns", Fail),
        ("shop tests::prints", Fail),
    ]);
    let wanted = ["tests::adds".to_owned(), "shop::prices adds".to_owned(), "nope".to_owned()];
    let reports = project.run(Some(&["tests::adds", "adds", "nope"]));
    let answers = reports[0].answers(&wanted);
    assert_eq!(answers[0].map(|test| test.outcome), Some(Pass));
    assert_eq!(answers[1].map(|test| test.id.as_str()), Some("prices adds"));
    assert_eq!(answers[2], None);
    if is_installed(CARGO, &["nextest", "--version"]) {
        let project = Project {
            runner: Runner::Nextest,
            command: [CARGO, "nextest", "run", "--offline"].map(str::to_owned).to_vec(),
            ..project
        };
        project.holds(&[
            ("shop tests::adds", Pass),
            ("shop tests::fails", Fail),
            ("shop tests::panics", Pass),
            ("shop tests::prints", Fail),
            ("shop::prices adds", Pass),
        ]);
        let report = &project.run(Some(&["shop tests::fails"]))[0];
        let signature = "panic: assertion `…` failed: the total in src/lib.rs";
        assert_eq!(report.tests[0].signature.as_deref(), Some(signature));
    }
}

const JAVASCRIPT: &str = r#"
describe("sums", () => {
  test("adds (a|b) [x]", () => { expect(1 + 1).toBe(3); });
  test("adds", () => { expect(1 + 1).toBe(2); });
  describe("deep $1", () => {
    test("throws \"it\"", () => { throw new TypeError("cannot read 17 of 'x'"); });
  });
  test.skip("later", () => {});
});
test("flat / ^.*$", () => {});
test("two\nlines", () => {});
test("dup", () => {});
"#;
const OTHER: &str = "test('dup', () => { expect({ a: 1 }).toEqual({ a: 2 }); });";

/// Makes a project with the packages of the folder that has the runner, or prints a line.
fn javascript(runner: Runner, command: &[&str], files: &[(&str, &str)]) -> Option<Project> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../node");
    let given = std::env::var_os("JS_RUNNERS").map(PathBuf::from);
    let folders = given.into_iter().chain([own]).map(|folder| folder.join("node_modules"));
    let mut found = folders.filter(|folder| folder.join(".bin").join(runner.as_str()).exists());
    let Some(packages) = found.next().filter(|_| cfg!(unix)) else {
        println!("{runner} is not installed; skipped");
        return None;
    };
    let project = Project::new(runner, command, files);
    #[cfg(unix)]
    std::os::unix::fs::symlink(packages.canonicalize().unwrap(), project.root().join("node_modules")).unwrap();
    Some(project)
}

const EXPECTED: [(&str, Outcome); 7] = [
    ("a.test.js::sums adds (a|b) [x]", Fail),
    ("a.test.js::sums adds", Pass),
    ("a.test.js::sums deep $1 throws \"it\"", Fail),
    ("a.test.js::dup", Pass),
    ("a.test.js::flat / ^.*$", Pass),
    ("a.test.js::sums later", Unresolved),
    ("a.test.js::two\nlines", Pass),
];

/// Checks a file that is missing and one that cannot be loaded.
fn holds_for_broken_files(project: &Project) {
    let reports = project.run(Some(&["sub/b.test.js::dup", "c.test.js::x", "gone.test.js::y"]));
    let find = |id: &str| reports[0].tests.iter().find(|test| test.id == id);
    assert_eq!(find("sub/b.test.js::dup").unwrap().outcome, Fail);
    assert_eq!(find("c.test.js").map(|test| (test.scope, test.outcome)), Some((Scope::File, Unresolved)));
    assert!(find("gone.test.js::y").is_none());
    assert_eq!(find("sub/b.test.js::dup").unwrap().frame.as_deref(), Some("sub/b.test.js"));
}

#[test]
fn jest_runs_chosen_tests() {
    let package = r#"{"name": "shop", "private": true, "jest": {"testEnvironment": "node", "watchman": false}}"#;
    let broken = "require('./missing'); test('x', () => {});";
    let files = [("package.json", package), ("a.test.js", JAVASCRIPT), ("sub/b.test.js", OTHER), ("c.test.js", broken)];
    let Some(project) = javascript(Runner::Jest, &["node", "node_modules/.bin/jest"], &files) else { return };
    project.holds(&EXPECTED);
    holds_for_broken_files(&project);
}

#[test]
fn vitest_runs_chosen_tests() {
    let import = "import { describe, expect, test } from 'vitest';\n";
    let (one, two) = (format!("{import}{JAVASCRIPT}"), format!("{import}{OTHER}"));
    let broken = format!("{import}import './missing'; test('x', () => {{}});");
    let package = r#"{"name": "shop", "private": true, "type": "module"}"#;
    let files = [("package.json", package), ("a.test.js", &one), ("sub/b.test.js", &two), ("c.test.js", &broken)];
    let Some(project) = javascript(Runner::Vitest, &["node", "node_modules/.bin/vitest"], &files) else { return };
    project.holds(&EXPECTED);
    holds_for_broken_files(&project);
}

#[test]
fn mocha_runs_chosen_tests() {
    let test = JAVASCRIPT.replace("test(", "it(").replace("test.skip", "it.skip");
    let test = format!("const expect = (a) => ({{ toBe: (b) => require('assert').strictEqual(a, b) }});\n{test}");
    let files = [("package.json", "{}"), ("test/a.test.js", test.as_str())];
    let Some(project) = javascript(Runner::Mocha, &["node", "node_modules/.bin/mocha"], &files) else { return };
    let expected = EXPECTED.map(|(id, outcome)| (format!("test/{id}"), outcome));
    project.holds(&expected.each_ref().map(|(id, outcome)| (id.as_str(), *outcome)));
}

const GO: &str = r#"package shop
import "testing"
func TestAdd(t *testing.T) { t.Errorf("got %d, want 4", 3) }
func TestSums(t *testing.T) {
	t.Run("one two", func(t *testing.T) {})
	t.Run("a/b (x|y)", func(t *testing.T) { t.Fatal("no") })
	t.Run("one two", func(t *testing.T) {})
}
func TestOK(t *testing.T) {}
"#;

#[test]
fn go_runs_chosen_tests() {
    if !is_installed("go", &["version"]) {
        return;
    }
    let other = "package prices\nimport \"testing\"\nfunc TestAdd(t *testing.T) {}\n                 func TestPanics(t *testing.T) { var m map[string]int; m[\"a\"] = 1 }\nfunc TestAfter(t *testing.T) {}\n";
    let broken = "package broken\nimport \"testing\"\nfunc TestX(t *testing.T) { nope() }\n";
    let files = [
        ("go.mod", "module example.com/shop\n\ngo 1.20\n"),
        ("shop_test.go", GO),
        ("prices/prices_test.go", other),
        ("broken/x_test.go", broken),
    ];
    let project = Project::new(Runner::Go, &["go", "test", "./..."], &files);
    project.holds(&[
        ("example.com/shop::TestAdd", Fail),
        ("example.com/shop::TestSums/one_two", Pass),
        ("example.com/shop::TestSums/a/b_(x|y)", Fail),
        ("example.com/shop::TestOK", Pass),
        ("example.com/shop/prices::TestPanics", Fail),
        ("example.com/shop/prices::TestAdd", Pass),
    ]);
    let reports = project.run(None);
    let broken = reports[0].tests.iter().find(|test| test.id == "example.com/shop/broken").unwrap();
    assert_eq!((broken.scope, broken.outcome), (Scope::File, Unresolved));
    let reports = project.run(Some(&["example.com/shop::TestSums/one_two#01", "example.com/shop::TestOK"]));
    let tests = ["example.com/shop::TestSums/one_two#01", "example.com/shop::TestSums", "example.com/shop::TestOK"];
    assert_eq!(ids(&reports), tests.map(|id| (id, Pass)));
}

const CMAKE: &str = r#"
cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME adds COMMAND ${CMAKE_COMMAND} -E true)
add_test(NAME "sums.adds (a|b) [x]" COMMAND ${CMAKE_COMMAND} -E cat nothing-here)
add_test(NAME sums.c++ COMMAND ${CMAKE_COMMAND} -E true)
add_test(NAME missing COMMAND not_a_program)
add_test(NAME adds-more COMMAND ${CMAKE_COMMAND} -E true)
"#;

#[test]
fn ctest_runs_chosen_tests() {
    if !is_installed("cmake", &["--version"]) || !is_installed("ctest", &["--version"]) {
        return;
    }
    let project = Project::new(Runner::Ctest, &["ctest", "--test-dir", "build"], &[("CMakeLists.txt", CMAKE)]);
    let made = Command::new("cmake").args(["-S", ".", "-B", "build"]).current_dir(project.root()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let expected = [
        ("adds", Pass),
        ("missing", Unresolved),
        ("sums.adds (a|b) [x]", Fail),
        ("adds-more", Pass),
        ("sums.c++", Pass),
    ];
    project.holds(&expected);
    // Before version 3.29, the names are a pattern.
    let plans = project.plans(Some(&["sums.adds (a|b) [x]", "sums.c++"]), |request| {
        Runner::Ctest.plan(&Request { version: Some((3, 28)), ..request }).unwrap()
    });
    assert!(!plans[0].argv.iter().any(|word| word == "--tests-from-file"));
    assert_eq!(ids(&project.run_with(plans)), [("sums.adds (a|b) [x]", Fail), ("sums.c++", Pass)]);
}

#[cfg(unix)]
#[test]
fn custom_runners_get_ids_and_files() {
    let script = "while read -r id; do case $id in *bad*) o=fail;; *) o=pass;; esac; \
                  echo \"{\\\"id\\\": \\\"$id\\\", \\\"outcome\\\": \\\"$o\\\"}\"; done < {tests_file}";
    let project = Project::new(Runner::Custom, &["sh", "-c", script], &[("a", "")]);
    let results: firstbad_results::ResultsAt = "jsonl:-".parse().unwrap();
    let plans = project.plans(Some(&["good 1", "bad 2"]), |request| {
        Runner::Custom.plan(&Request { results: Some(&results), ..request }).unwrap()
    });
    assert_eq!(ids(&project.run_with(plans)), [("good 1", Pass), ("bad 2", Fail)]);
}
