// The output of the Vitest and Jest reporters after a failed run, called by their hooks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { packageFile } from "./support.mjs";

const require = createRequire(packageFile);
const { commandLine } = require("./dist/reporters/command.js");
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

test("each failing Vitest test has a command with the names of its suites", () => {
  const name = { type: "test", name: "adds", parent: suite("cart", suite("shop")) };
  const said = vitest([vitestFile("test/a.test.ts", [name]), vitestFile("test/b.test.ts", [])]);
  const run = "npx firstbad run --good REVISION --bad HEAD --preset vitest -- npx vitest run test/a.test.ts";
  assert.ok(said.includes(`  ${run} -t '^shop cart adds$'\n`), said);
  assert.match(said, /Replace REVISION by the last revision that passed/);
  assert.equal(said.includes("b.test.ts"), false);
});

test("each failing Jest test has a command", () => {
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

test("only the first failing tests are listed, with the number of others", () => {
  const many = jestFile(
    "a.test.js",
    Array.from({ length: 9 }, (_, place) => [`test ${place}`, "failed"]),
  );
  const said = jest([many]);
  assert.equal(said.match(/npx firstbad/g).length, 3);
  assert.match(said, /and 6 more\n/);
  assert.match(jest([many], { options: { limit: 8 } }), /and 1 more\n/);
  assert.doesNotMatch(jest([many], { options: { limit: 9 } }), /more/);
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
