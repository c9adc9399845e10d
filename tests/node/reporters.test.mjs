// The output of the Vitest and Jest reporters after a failed run, called by their hooks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { packageFile } from "./support.mjs";

const require = createRequire(packageFile);
const { commandLine, triageLine } = require("./dist/reporters/command.js");
const VitestReporter = require("firstbad/vitest");
const JestReporter = require("firstbad/jest");

let folder;
const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder });
const commit = (text) => git("commit", "--quiet", "--allow-empty", "--message", text);

before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "firstbad-reporters-")));
  mkdirSync(join(folder, "apps/web"), { recursive: true });
  git("init", "--quiet");
  commit("one");
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output to standard error during an action. */
function printed(action) {
  const { write } = process.stderr;
  let said = "";
  process.stderr.write = (text) => {
    said += text;
    return true;
  };
  try {
    action();
  } finally {
    process.stderr.write = write;
  }
  return said;
}

const suite = (name, parent = { type: "module" }) => ({ type: "suite", name, parent });

/** A test file as Vitest passes it. */
function vitestFile(file, tests, state = tests.length > 0 ? "failed" : "passed") {
  const allTests = (wanted) => (wanted === "failed" ? tests : []);
  return { moduleId: join(folder, file), children: { allTests }, state: () => state };
}

function vitest(modules, { options, root = folder, watch = false } = {}) {
  const reporter = new VitestReporter(options);
  reporter.onInit({ config: { root, watch } });
  return printed(() => reporter.onTestRunEnd(modules, [], "failed"));
}

/** A test file as Jest passes it. */
const jestFile = (file, tests, testExecError) => ({
  testFilePath: join(folder, file),
  testExecError,
  testResults: tests.map(([fullName, status]) => ({ fullName, status })),
});

const jest = (files, { options, configuration = { rootDir: folder } } = {}) =>
  printed(() => new JestReporter(configuration, options).onRunComplete(new Set(), { testResults: files }));

test("a failing Vitest test has a command with the names of its suites", () => {
  const name = { type: "test", name: "adds", parent: suite("cart", suite("shop")) };
  const said = vitest([vitestFile("test/a.test.ts", [name]), vitestFile("test/b.test.ts", [])]);
  const run = "npx firstbad run --good REVISION --bad HEAD --preset vitest -- npx vitest run test/a.test.ts";
  assert.ok(said.includes(`  ${run} -t '^shop cart adds$'\n`), said);
  assert.match(said, /Replace REVISION by the last revision that passed/);
  assert.equal(said.includes("b.test.ts"), false);
});

test("a failing Jest test has a command", () => {
  const file = jestFile("test/a.test.js", [
    ["cart adds", "failed"],
    ["cart rounds", "passed"],
  ]);
  const said = jest([file]);
  const run = "npx firstbad run --good REVISION --bad HEAD --preset jest -- npx jest --runTestsByPath test/a.test.js";
  assert.ok(said.includes(`  ${run} -t '^cart adds$'\n`), said);
  assert.equal(said.includes("rounds"), false);
});

test("a file that did not run has a command without a test", () => {
  const commands = [
    vitest([vitestFile("a.test.js", [], "failed")]),
    jest([jestFile("a.test.js", [], new Error("no"))]),
  ];
  for (const said of commands) assert.match(said, /a\.test\.js\n/);
});

test("the good revision is the last tag or an option, and a lock file gives the environment", () => {
  git("tag", "v1.0");
  commit("two");
  git("tag", "v1.1");
  writeFileSync(join(folder, "package-lock.json"), "{}");
  const red = [jestFile("a.test.js", [["adds", "failed"]])];
  assert.match(jest(red), / --good v1\.0 --bad HEAD --preset jest --environment npm -- npx jest /);
  assert.match(jest(red, { options: { good: "main~5" } }), / --good 'main~5' /);
  rmSync(join(folder, "package-lock.json"));
});

test("flaky tests use the rate of the options", () => {
  const red = (flaky) => jest([jestFile("a.test.js", [["adds", "failed"]])], { options: { good: "v1.0", flaky } });
  assert.match(red(true), / --bad HEAD --flaky --preset jest -- npx /);
  assert.match(red(0.05), / --bad HEAD --flaky 0\.05 --preset jest -- npx /);
  for (const solid of [false, undefined]) assert.match(red(solid), / --bad HEAD --preset jest -- npx /);
  const refused = { code: "invalid_argument", message: 'flaky: "yes" is not valid; expected true, false or a rate' };
  assert.throws(() => new VitestReporter({ flaky: "yes" }), refused);
});

test("installed packages without a lock file give a note", () => {
  const said = () => vitest([vitestFile("a.test.js", [{ name: "adds", parent: { type: "module" } }])]);
  const hint = /Worktrees have no node_modules. Install them with an option such as --setup "npm install"\./;
  assert.doesNotMatch(said(), hint);
  mkdirSync(join(folder, "node_modules"));
  assert.match(said(), hint);
  writeFileSync(join(folder, "package-lock.json"), "{}");
  assert.doesNotMatch(said(), hint);
  for (const made of ["node_modules", "package-lock.json"]) rmSync(join(folder, made), { recursive: true });
});

test("paths are relative to the repository, also for a project in a folder", () => {
  const root = join(folder, "apps/web");
  const tests = [{ type: "test", name: "adds", parent: { type: "module" } }];
  const said = vitest([vitestFile("apps/web/a.test.js", tests)], { root });
  assert.match(said, / -- npx vitest run --root apps\/web apps\/web\/a\.test\.js -t /);
  const other = jest([jestFile("apps/web/a.test.js", [["adds", "failed"]])], { configuration: { rootDir: root } });
  assert.match(other, / -- npx jest --rootDir apps\/web --runTestsByPath apps\/web\/a\.test\.js -t /);
});

/** The results in the file that a printed triage names, after the line with the runner. */
function results(said) {
  const [, path] = /--bad-results (\S+) /.exec(said);
  const [{ runner }, ...lines] = readFileSync(resolve(path), "utf8").trimEnd().split("\n").map(JSON.parse);
  rmSync(dirname(resolve(path)), { recursive: true });
  return [runner, ...lines];
}

test("several failing tests have one command with their results", () => {
  const result = () => ({ errors: [{ message: "expected 1 to be 2" }] });
  const name = { type: "test", name: "adds", parent: suite("cart"), result };
  const broken = vitestFile("apps/web/b.test.ts", [], "failed");
  const modules = [vitestFile("test/a.test.ts", [name, { ...name, name: "it's" }]), broken];
  const said = vitest(modules, { options: { good: "v1.0" } });
  const command = / {2}npx firstbad triage --good v1\.0 --bad HEAD --bad-results \S+ -- npx vitest run\n/;
  assert.match(said, /To find the commits that broke these 3 tests:\n/);
  assert.match(said, command);
  assert.equal(said.match(/npx firstbad/g).length, 1);
  const failed = { file: "test/a.test.ts", outcome: "fail", message: "expected 1 to be 2" };
  assert.deepEqual(results(said), [
    "vitest",
    { id: "test/a.test.ts::cart adds", ...failed },
    { id: "test/a.test.ts::cart it's", ...failed },
    { id: "apps/web/b.test.ts", file: "apps/web/b.test.ts", outcome: "fail", scope: "file" },
  ]);
});

test("the command for several tests has the environment, the folder, and a higher confidence for flaky tests", () => {
  const root = join(folder, "apps/web");
  const red = jestFile("apps/web/a.test.js", [
    ["adds", "failed"],
    ["rounds", "failed"],
  ]);
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(folder, "package-lock.json"), "{}");
  const said = jest([red], { options: { good: "v1.0", flaky: 0.1 }, configuration: { rootDir: root } });
  const end = "--confidence 0.99 --environment npm -- npx jest --rootDir apps/web\n";
  assert.ok(said.includes(`apps/web/node_modules/.cache/firstbad/failed.jsonl ${end}`), said);
  assert.deepEqual(
    results(said).map((test) => test.id ?? test),
    ["jest", "apps/web/a.test.js::adds", "apps/web/a.test.js::rounds"],
  );
  for (const made of ["apps/web/node_modules", "package-lock.json"]) rmSync(join(folder, made), { recursive: true });
  const windows = triageLine("a b/failed.jsonl", { runner: "jest", good: "v1.0", folder: "" }, "win32");
  assert.ok(windows.includes('--bad-results "a b/failed.jsonl" -- npx jest'), windows);
});

test("only as many tests as the limit are searched, with the number of others", () => {
  const many = jestFile(
    "a.test.js",
    Array.from({ length: 9 }, (_, place) => [`test ${place}`, "failed"]),
  );
  const said = jest([many], { options: { limit: 8 } });
  assert.match(said, /and 1 more\n/);
  assert.equal(results(said).length, 9);
  const all = jest([many]);
  assert.doesNotMatch(all, /more/);
  assert.equal(results(all).length, 10);
  assert.match(jest([many], { options: { limit: 1 } }), /npx firstbad run .* -t '\^test 0\$'\n {2}and 8 more\n/);
  assert.equal(jest([many], { options: { limit: 0 } }), "");
  for (const limit of [-1, 1.5, "3"]) {
    const refused = {
      code: "invalid_argument",
      message: /^limit: .* is not valid; expected a whole number, 0 or above$/,
    };
    assert.throws(() => new JestReporter({ rootDir: folder }, { limit }), refused);
    assert.throws(() => new VitestReporter({ limit }), refused);
  }
});

test("green runs, watch mode, and searches have no output", () => {
  const red = [jestFile("a.test.js", [["adds", "failed"]])];
  assert.notEqual(jest(red), "");
  assert.equal(jest([jestFile("a.test.js", [["adds", "passed"]])]), "");
  assert.equal(jest(red, { configuration: { rootDir: folder, watchAll: true } }), "");
  assert.equal(vitest([vitestFile("a.test.js", [], "failed")], { watch: true }), "");
  assert.equal(jest(red, { configuration: { rootDir: join(folder, "not-there") } }), "");
  process.env.FIRSTBAD_RUN = "1";
  try {
    assert.equal(jest(red), "");
  } finally {
    delete process.env.FIRSTBAD_RUN;
  }
});

const HARD = [
  "plain",
  "it's",
  'says "yes"',
  "$HOME `id` $(id) !x 50% %PATH% & | < > ^ ; * ? ~ # \\",
  "a.b (c) [d] {e} +f /g/ \\d",
  "two\nlines\tand a \u001b[31mcolour",
  "ends with \\",
  "snow \u2603 and \u{1f600}",
  "-t",
];
const HOW = { runner: "vitest", good: "v1.0", folder: "" };

/** Returns the pattern that a shell passes on, with `npx` replaced by a program that prints its arguments. */
function throughShell(name) {
  const line = commandLine({ file: "a b/it's.test.js", name }, HOW, "linux");
  const npx = `npx() { "${process.execPath}" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }; ${line}`;
  return JSON.parse(execFileSync("sh", ["-c", npx], { encoding: "utf8" }));
}

test("in a POSIX shell, a pattern matches only its name", {
  skip: process.platform === "win32",
}, () => {
  for (const name of HARD) {
    const words = throughShell(name);
    assert.deepEqual(words.slice(-3, -1), ["a b/it's.test.js", "-t"]);
    assert.match(name, new RegExp(words.at(-1)));
    assert.doesNotMatch(`${name}s`, new RegExp(words.at(-1)));
  }
});

test("for Windows, patterns contain no special characters of cmd or PowerShell", () => {
  for (const name of HARD) {
    const line = commandLine({ file: "test/a.test.js", name }, HOW, "win32");
    const [, quoted] = /-t "?(\^.*\$)"?$/s.exec(line);
    const inner = quoted.slice(1, -1);
    assert.doesNotMatch(inner.replaceAll("\\$", ""), /["%!&|<>`^$\p{Cc}]/u, line);
    assert.match(name, new RegExp(quoted));
  }
  const spaced = commandLine({ file: "a b\\", name: undefined }, HOW, "win32");
  assert.ok(spaced.endsWith('"a b\\\\"'), spaced);
});
