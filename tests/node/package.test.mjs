// The package in use: installed in a folder, imported and required.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { packageFile } from "./support.mjs";

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-package-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL(".", packageFile)), join(folder, "node_modules", "firstbad"), "dir");
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output of a program. */
function output(name, text) {
  writeFileSync(join(folder, name), text);
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8" }).trim();
}

const BODY = `
  const graph = fb.CommitGraph.linear(["a", "b", "c", "d"]);
  const report = await fb.findRegressions(graph, (id) => id < "c", { bad: "d", good: "a" });
  console.log(JSON.stringify([report.points[0].good, report.points[0].bad]));`;

test("require works", () => {
  assert.equal(output("a.cjs", `const fb = require("firstbad"); (async () => {${BODY}})();`), '["b","c"]');
});

test("import works with a namespace and with names", () => {
  assert.equal(output("a.mjs", `import * as fb from "firstbad"; ${BODY}`), '["b","c"]');
  const named = "import { CommitGraph, findRegressions } from 'firstbad'; const fb = { CommitGraph, findRegressions };";
  assert.equal(output("b.mjs", `${named} ${BODY}`), '["b","c"]');
});

test("import and require give the same classes", () => {
  const program = `
    import * as fb from "firstbad";
    import { createRequire } from "node:module";
    const cjs = createRequire(import.meta.url)("firstbad");
    const same = Object.keys(cjs).filter((name) => fb[name] === cjs[name]).sort();
    let error;
    try { cjs.CommitGraph.linear([]); } catch (thrown) { error = thrown; }
    const search = new fb.RegressionSearch(cjs.CommitGraph.linear(["a", "b"]), { bad: "b" });
    console.log(JSON.stringify([same, Object.keys(fb).length === same.length, error instanceof fb.FirstbadError,
      error.code, search instanceof cjs.Search]));`;
  const names = [
    "BuildGraph",
    "ChangeSearch",
    "CommitGraph",
    "CommitRanking",
    "CulpritSearch",
    "CulpritVerifier",
    "FirstbadError",
    "Isolator",
    "Minimizer",
    "OutcomeStore",
    "Patch",
    "Porter",
    "PorterReport",
    "Posterior",
    "Ranking",
    "Reduction",
    "RegressionSearch",
    "Repository",
    "Retry",
    "Search",
    "Session",
    "Slicer",
    "SlicerReport",
    "TriageSearch",
    "asserts",
    "factors",
    "findChange",
    "findCulprit",
    "findRegressions",
    "fitSharpness",
    "hunkDependencies",
    "isolate",
    "iterativeDeltaDebugging",
    "minimize",
    "minimizePatch",
    "minimizeText",
    "outline",
    "rankCommits",
    "rankSuspects",
    "readResults",
    "run",
    "sampleForVerification",
    "sliceHistory",
    "triage",
    "verifyCulprit",
  ];
  assert.deepEqual(JSON.parse(output("c.mjs", program)), [names, true, true, "empty_graph", true]);
});

test("a program ends after an aborted run, even if its oracle never settles", () => {
  const program = `
    import * as fb from "firstbad";
    const graph = fb.CommitGraph.linear(["a", "b", "c", "d"]);
    const signal = AbortSignal.timeout(20);
    const oracle = (_, context) => new Promise((resolve) => {
      const timer = setTimeout(resolve, 60_000);
      context.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const keep = setTimeout(() => {}, 1000);
    const error = await fb.findRegressions(graph, oracle, { bad: "d", signal }).catch((thrown) => thrown);
    clearTimeout(keep);
    console.log(error === signal.reason);`;
  const started = performance.now();
  assert.equal(output("d.mjs", program), "true");
  assert.ok(performance.now() - started < 30_000);
});

test("the programs that try a package run with this package", () => {
  for (const name of ["workers.mjs", "reporters.cjs"]) {
    output(name, readFileSync(new URL(`../../packaging/node/smoke/${name}`, import.meta.url), "utf8"));
  }
});

test("the package depends only on a parser without dependencies", () => {
  const manifest = JSON.parse(readFileSync(packageFile, "utf8"));
  assert.deepEqual(Object.keys(manifest.dependencies), ["acorn"]);
  const lock = JSON.parse(readFileSync(new URL("package-lock.json", packageFile), "utf8"));
  assert.equal(lock.packages["node_modules/acorn"].dependencies, undefined);
});

test("lock files contain no download URLs", () => {
  for (const folder of ["", "../packaging/node/", "../tools/workflows/", "../docs/site/"]) {
    const lock = readFileSync(new URL(`${folder}package-lock.json`, packageFile), "utf8");
    assert.equal(lock.includes('"resolved"'), false, folder);
  }
});
