// Outcomes that runs share.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { brokenFrom, fb, line, place, rejectionOf, removeFolder, thrownBy, tick, unhandled } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-store-"));
let files = 0;
const fresh = () => join(folder, `${files++}.db`);
const store = (path, options = {}) => new fb.OutcomeStore(path, { oracle: "test", ...options });
const ENDS = { bad: "r63", good: "r0" };
const never = () => assert.fail("it is known");

after(async () => {
  removeFolder(folder);
  await tick();
  assert.deepEqual(unhandled, []);
});

/** Returns the process warnings of a call. */
async function warningsOf(call) {
  const seen = [];
  const note = (warning) => seen.push(warning);
  process.on("warning", note);
  try {
    await call();
    await tick();
  } finally {
    process.off("warning", note);
  }
  return seen;
}

test("outcomes of other runs are reused", async () => {
  const path = fresh();
  const first = await fb.findRegressions(line(64), brokenFrom(20), { ...ENDS, store: store(path) });
  assert.ok(first.runs > 3);
  const second = await fb.findRegressions(line(64), never, { ...ENDS, store: store(path) });
  assert.deepEqual(second.points, [{ ...first.points[0], confirmed: false }]);
  assert.equal(second.runs, 0);
  // A search with other endpoints reuses outcomes.
  const third = await fb.findRegressions(line(64), brokenFrom(20), { bad: "r40", good: "r5", store: store(path) });
  assert.equal(third.points[0].bad, "r20");
  assert.ok(third.runs < first.runs);
});

test("oracles and versions are never mixed", async () => {
  const path = fresh();
  const mine = store(path);
  const mineToo = await fb.findRegressions(line(64), brokenFrom(20), { ...ENDS, store: mine });
  const runs = mineToo.runs - mineToo.confirmations;
  for (const options of [{ oracle: "other" }, { version: "2" }]) {
    const other = store(path, options);
    assert.equal(other.size, 0);
    const report = await fb.findRegressions(line(64), brokenFrom(9), { ...ENDS, store: other });
    assert.equal(report.points[0].bad, "r9");
    assert.equal(other.forget(), report.runs - report.confirmations);
  }
  assert.equal(mine.size, runs);
  const entries = [...mine];
  assert.deepEqual(Object.keys(entries[0]).sort(), ["at", "key", "observation", "run"]);
  assert.ok(entries.every(({ at }) => Math.abs(at - Date.now() / 1000) < 600));
  assert.equal(new Set(entries.map(({ run }) => run)).size, 1);
  assert.equal(mine.path, path);
  assert.equal(mine.forget(), runs);
  assert.deepEqual([...mine], []);
});

test("revisions with equal keys share their outcomes", async () => {
  // Pairs of revisions share a key, except r31, which is not shared.
  const keyOf = (revision) => (revision === "r31" ? null : `pair ${place(revision) >> 1}`);
  const known = line(64).ids;
  const pairs = [...known].map((id) => [id, keyOf(id)]).filter(([, key]) => key !== null);
  for (const key of [keyOf, new Map(pairs), Object.fromEntries(pairs)]) {
    const path = fresh();
    const oracle = brokenFrom(20);
    const first = await fb.findRegressions(line(64), oracle, { ...ENDS, store: store(path, { key }) });
    assert.equal(first.points[0].bad, "r20");
    const seen = first.observations.map(({ revision }) => revision);
    const asked = [];
    const other = (revision) => {
      asked.push(revision);
      return oracle(revision);
    };
    const options = { bad: "r62", good: "r1", store: store(path, { key }) };
    const second = await fb.findRegressions(line(64), other, options);
    assert.equal(second.points[0].bad, "r20");
    const keys = new Set(seen.map(keyOf));
    assert.ok(asked.length < first.runs);
    assert.ok(
      // The culprit and its parent run in this search before the culprit is reported.
      asked.every((revision) => ["r31", "r20", "r19"].includes(revision) || !keys.has(keyOf(revision))),
      asked.join(),
    );
  }
  let calls = 0;
  const counting = store(fresh(), { key: (revision) => `${++calls} ${revision}` });
  await fb.findRegressions(line(64), brokenFrom(20), { ...ENDS, store: counting });
  assert.equal(calls, 64);
});

test("revisions with the same files share them by `tree`", async () => {
  const at = join(folder, "repo");
  mkdirSync(at);
  const git = (...words) => {
    const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    return execFileSync("git", ["-C", at, ...config, ...words], { encoding: "utf8" }).trim();
  };
  git("init", "-q", "-b", "main");
  const contents = ["1", "2", "3", "9", "8", "9", "7", "8"];
  const commits = contents.map((content) => {
    writeFileSync(join(at, "f"), content);
    git("add", "f");
    git("commit", "-q", "-m", content);
    return git("rev-parse", "HEAD");
  });
  const repository = new fb.Repository(at);
  const path = fresh();
  const ask = async (bad, good) => {
    const asked = [];
    const oracle = (sha) => {
      const content = contents[commits.indexOf(sha)];
      asked.push(content);
      return content < 5;
    };
    const ends = { bad: commits[bad], good: commits[good], search: "linear", testEndpoints: false };
    const shared = store(path, { key: "tree" });
    const report = await fb.findRegressions(repository.graph("main"), oracle, { ...ends, store: shared });
    assert.deepEqual([report.points[0].good, report.points[0].bad], [commits[2], commits[3]]);
    assert.equal(report.runs, asked.length);
    return asked;
  };
  // The outcome of the second 9 is that of the first, within a run and between runs.
  assert.deepEqual(await ask(6, 0), ["9", "8", "3", "9"]);
  assert.deepEqual(await ask(7, 1), ["7", "9", "3"]);
  const report = await rejectionOf(
    fb.findRegressions(line(8), never, { bad: "r7", store: store(path, { key: "tree" }) }),
  );
  assert.equal(report.code, "invalid_argument");
  assert.match(report.message, /^key: .*read from git/);
});

test("reductions of equal items share outcomes", async () => {
  const path = fresh();
  const items = ["a", "b", "c", "d", "e"];
  const holding = (kept) => kept.includes("b") && kept.includes("d");
  const first = await fb.minimize(items, holding, { store: store(path) });
  const again = await fb.minimize([...items], never, { store: store(path) });
  assert.deepEqual([again.items, again.runs], [first.items, 0]);
  const others = await fb.minimize(["b", "d", "x", "y", "z"], holding, { store: store(path) });
  assert.deepEqual(others.items, ["b", "d"]);
  assert.ok(others.runs > 0);
  const before = store(path).size;
  // Functions have no JSON form, so they have no digest.
  await fb.minimize([() => 1, () => 2], () => true, { store: store(path) });
  assert.equal(store(path).size, before);
});

test("a resumed run has its own outcomes once", async () => {
  const path = fresh();
  const journal = fresh();
  const search = () => new fb.CulpritSearch(line(16), { bad: "r15", good: "r0", flakeRate: 0.2 });
  const oracle = brokenFrom(9);
  const options = { bad: "r15", good: "r0", flakeRate: 0.2, journal, store: store(path) };
  await fb.findCulprit(line(16), oracle, { ...options, budget: 3 });
  const report = await fb.findCulprit(line(16), oracle, options);
  assert.deepEqual(report.observations, (await fb.run(search(), oracle)).observations);
  assert.equal(store(path).size, report.runs);
  assert.equal(new Set([...store(path)].map(({ run }) => run)).size, 1);
});

test("store errors give one warning and never end the run", async () => {
  for (const journal of [undefined, fresh()]) {
    const path = fresh();
    let calls = 0;
    const oracle = (revision) => {
      if (++calls === 2) writeFileSync(path, "no database ".repeat(1000));
      return brokenFrom(20)(revision);
    };
    let report;
    const shared = store(path);
    const warnings = await warningsOf(async () => {
      report = await fb.findRegressions(line(64), oracle, { ...ENDS, journal, store: shared });
    });
    assert.equal(report.points[0].bad, "r20");
    assert.equal(warnings.length, 1);
    assert.deepEqual([warnings[0].name, warnings[0].code], ["FirstbadWarning", "store"]);
    assert.ok(warnings[0].message.includes(path), warnings[0].message);
  }
  const path = fresh();
  const session = fb.Session.open(fresh(), new fb.RegressionSearch(line(64), ENDS), { store: store(path) });
  writeFileSync(path, "no database ".repeat(1000));
  const [{ id }] = session.ask();
  session.tell(id, true);
  const closing = await warningsOf(() => [session.close(), session.close()]);
  assert.equal(closing.length, 1);
  // On Windows, an open file cannot be replaced.
  if (process.platform === "win32") return;
  rmSync(path);
  const quiet = await warningsOf(() => fb.findRegressions(line(8), () => true, { bad: "r7", store: store(path) }));
  assert.deepEqual(quiet, []);
});

test("each misuse has a code and names the expected value", async () => {
  const foreign = fresh();
  writeFileSync(foreign, "something else ".repeat(100));
  const cases = [
    [() => new fb.OutcomeStore("", { oracle: "a" }), "invalid_argument", /^path: /],
    [() => new fb.OutcomeStore(fresh()), "invalid_argument", /^oracle: /],
    [() => store(fresh(), { oracle: "" }), "invalid_argument", /^oracle: /],
    [() => store(fresh(), { version: 1 }), "invalid_argument", /^version: 1 /],
    [() => store(fresh(), { key: "sha" }), "invalid_argument", /^key: "sha" .*"tree"/],
    [() => store(fresh(), { key: ["a"] }), "invalid_argument", /^key: /],
    [() => store(fresh(), { keys: {} }), "invalid_argument", /did you mean "key"/],
    [() => store(foreign), "store", /it is not an SQLite file\nhelp: /],
  ];
  for (const [call, code, words] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, `${call}: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
  }
  const refused = await rejectionOf(fb.findRegressions(line(8), never, { bad: "r7", store: fresh() }));
  assert.equal(refused.code, "invalid_argument");
  assert.match(refused.message, /^store: .*an OutcomeStore/);
  const wrong = store(fresh(), { key: () => 5 });
  const key = await rejectionOf(fb.findRegressions(line(8), never, { bad: "r7", store: wrong }));
  assert.match(key.message, /^key of r\d: 5 is not valid/);
  const trouble = new Error("of the caller's own");
  const throwing = store(fresh(), {
    key: () => {
      throw trouble;
    },
  });
  assert.equal(await rejectionOf(fb.findRegressions(line(8), never, { bad: "r7", store: throwing })), trouble);
  assert.equal(existsSync(foreign), true);
});
