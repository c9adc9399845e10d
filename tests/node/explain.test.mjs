/** Explanations of regression points: choice of points, options, and the rest of the budget. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fb, thrownBy } from "./support.mjs";

const native = createRequire(import.meta.url)("../../node/dist/binding.js");
const FILE = new URL("../vectors/values/explanations.json", import.meta.url);
const TEST = ["sh", "-c", "! grep -q BUG code"];

let folder;
let shas;
const environment = { ...process.env };

const path = (...names) => join(folder, ...names);
const lines = (fifth) => Array.from({ length: 10 }, (_, place) => `${place === 4 ? fifth : place + 1}\n`).join("");

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", path("repo"), ...config, ...words], { encoding: "utf8" }).trim();
}

/** Eight commits. The fourth breaks the test in one line of several. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-explain-"));
  process.env.XDG_CACHE_HOME = path("cache");
  execFileSync("git", ["init", "-q", "-b", "main", path("repo")]);
  shas = Array.from({ length: 8 }, (_, number) => {
    writeFileSync(path("repo", "number"), `${number}\n`);
    writeFileSync(path("repo", "code"), number < 3 ? lines("5") : `${lines("five")}more\nBUG\nand more\n`);
    git("add", "-A");
    git("commit", "-q", "-m", `${number}`);
    return git("rev-parse", "HEAD");
  });
});

after(() => {
  process.env = environment;
  rmSync(folder, { recursive: true, force: true });
});

/** The report with its causes. */
async function explained(options, command = {}) {
  const repository = new fb.Repository(path("repo"));
  const oracle = repository.commandOracle(TEST, command);
  try {
    return await fb.findRegressions(repository.graph("main"), oracle, {
      bad: "main",
      good: shas[0],
      explain: true,
      ...options,
    });
  } finally {
    await oracle.close();
  }
}

for (const vector of JSON.parse(readFileSync(FILE, "utf8")).explanations) {
  test(`explanations are the same everywhere: ${vector.name}`, () => {
    const given = [vector.configuration, vector.report, vector.budget].map((part) => JSON.stringify(part));
    let text = native.explain(...given);
    assert.deepEqual(JSON.parse(text), vector.explanation);
    for (const { place, cause, then } of vector.told) {
      text = native.explained(text, place, cause && JSON.stringify(cause));
      const { message, left } = JSON.parse(text);
      assert.deepEqual({ message, left }, then);
    }
    assert.match(thrownBy(() => native.explained(text, 99, null)).message, /place: 99 is not valid/);
  });
}

test("a flake rate of zero is not estimated", async () => {
  const { causes } = await explained({ search: "bayes", flakeRate: 0, checkParents: false });
  assert.equal(causes[0].status, "found");
  // A reliable test runs once for each set.
  assert.equal(new Set(causes[0].observations.map(({ set }) => set)).size, causes[0].runs);
});

test("causes are read from JSON", async () => {
  const report = await explained({});
  const again = fb.RegressionSearch.reportFromJson(report.toJson());
  const [cause] = report.causes;
  const [read] = again.causes;
  assert.deepEqual(String(read.items), String(cause.items));
  assert.deepEqual([read.guarantee, read.runs, read.observations], [cause.guarantee, cause.runs, cause.observations]);
  assert.equal(again.toText(), report.toText());
  assert.equal(again.toJson(), report.toJson());
  const written = JSON.parse(report.toJson());
  written.causes = [{ cause: null, no_cause: "it rained" }];
  const dry = fb.RegressionSearch.reportFromJson(JSON.stringify(written));
  assert.deepEqual(dry.causes, [null]);
  assert.match(dry.toText(), / cause +not found: it rained\n/);
  // A report without causes has no property for them.
  assert.ok(!("causes" in fb.RegressionSearch.reportFromJson(JSON.stringify({ ...written, causes: [] }))));
});

test("a point of an unfinished search is not explained", async () => {
  const { status, points, causes, message } = await explained({ search: "linear", budget: 2 });
  assert.deepEqual([status, points.length, points[0].good === null, causes], ["budget", 1, false, [null]]);
  assert.ok(message.endsWith(`${points[0].bad} has no cause to find, because the search for it has not finished`));
});

test("a patch that does not apply is unresolved", async () => {
  const fixups = "--- a/code\n+++ b/code\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n";
  const { status, causes } = await explained({}, { applyPatches: [fixups] });
  assert.deepEqual([status, causes[0].status, causes[0].runs], ["found", "not_reproduced", 0]);
  const [{ outcome, ran, note }] = causes[0].observations;
  assert.deepEqual([outcome, ran, /does not apply/.test(note)], ["unresolved", false, true]);
});

test("a cost budget covers search and explanation", async () => {
  const { runs } = await explained({});
  const known = [[shas[0], { outcome: "pass", cost: 5 }]];
  const { status, causes } = await explained({ known, budget: { cost: 5.5, runs: runs - 1 + 2 } });
  assert.deepEqual([status, causes[0].status, causes[0].runs], ["found", "budget", 2]);
});

test("a repository is a reader", async () => {
  const repository = new fb.Repository(path("repo"));
  const [base, tip] = [shas[2], shas[3]];
  const deciding = async (older, newer) => {
    const { changes } = await repository.diff(older, newer);
    return changes.find(({ text }) => text.trimEnd() === "BUG").index;
  };
  const [breaking, repairing] = [await deciding(base, tip), await deciding(tip, base)];
  const oracle = ({ revision, changes = [] }) =>
    revision === base ? !changes.includes(breaking) : changes.includes(repairing);
  const search = new fb.Porter(await repository.graph("main"), { start: tip });
  const report = await fb.run(search, oracle, { reader: repository });
  assert.deepEqual([report.good, report.bad], [base, tip]);
  assert.match(String(report.cause), /\n\+BUG\n$/);
  assert.match(String(report.repair), /\n-BUG\n/);
  const [one, two] = ["a".repeat(40), "b".repeat(40)];
  const absent = new fb.Porter(fb.CommitGraph.linear([one, two]), { start: two });
  await assert.rejects(
    fb.run(absent, ({ revision }) => revision === one, { reader: repository }),
    { code: "unknown_revision", message: new RegExp(one) },
  );
});

test("a part that fails in another way is not the cause", async () => {
  const check = "value=$(sum) || exit 1\n[ \"$value\" = 3 ] || { echo 'error: wrong sum' >&2; exit 1; }\n";
  const program = (first, words) => `set -u\n${first}# adds up\nsum() {\n  ${words}\n}\n${check}`;
  git("checkout", "-q", "--orphan", "sums");
  for (const text of [program("", "echo 3"), program("two=2\nthree=3\n", 'echo "$two"')]) {
    writeFileSync(path("repo", "prog"), text);
    git("add", "-A");
    git("commit", "-q", "-m", "a commit");
  }
  git("checkout", "-q", "main");
  const repository = new fb.Repository(path("repo"));
  const oracle = repository.commandOracle(["sh", "prog"]);
  try {
    const { items, kept, observations } = await repository.minimizeCommit("sums", oracle);
    // The second change also fails without the first, because it uses a missing name.
    assert.deepEqual(
      items.changes.map(({ text }) => text),
      ["two=2", '  echo "$two"'],
    );
    const [{ signature }] = observations.filter(({ changes }) => `${changes}` === `${kept}`);
    assert.deepEqual([signature, observations[0].signature], Array(2).fill("exit code 1: error: wrong sum"));
    const whole = await repository.minimizeCommit("sums", oracle, { granularity: "definitions" });
    assert.equal(whole.items.length, 3);
  } finally {
    await oracle.close();
  }
});
