/** Confirmation runs before a culprit is reported. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fb } from "./support.mjs";

const { CommitGraph, findRegressions } = fb;
const graph = CommitGraph.linear(Array.from({ length: 10 }, (_, number) => `r${number}`));
const brokenBy = (culprit) => (revision) => Number(revision.slice(1)) < culprit;

test("confirming probes are marked and counted", async () => {
  const confirming = [];
  const oracle = (revision, { probe }) => {
    if (probe.confirms) confirming.push(revision);
    return brokenBy(4)(revision);
  };
  const report = await findRegressions(graph, oracle, { bad: "r9", good: "r0" });
  assert.equal(report.points[0].bad, "r4");
  assert.equal(report.points[0].confirmed, true);
  assert.equal(report.confirmations, confirming.length);
  const plain = await findRegressions(graph, brokenBy(4), { bad: "r9", good: "r0", confirm: false });
  assert.equal(plain.runs, report.runs - report.confirmations);
  assert.equal(plain.points[0].confirmed, false);
});

test("a service outage does not name a culprit", async () => {
  for (const concurrency of [1, 3]) {
    let runs = 0;
    const oracle = async (revision) => ++runs <= 4 && brokenBy(9)(revision);
    const report = await findRegressions(graph, oracle, { bad: "r9", good: "r0", concurrency });
    assert.equal(report.status, "contradictory");
    assert.deepEqual(report.points, []);
    assert.match(report.message, /^no culprit found: /);
  }
});

test("a confirming run is alone", async () => {
  const running = new Set();
  const beside = [];
  const oracle = async (revision, { probe, signal }) => {
    // An aborted run can still be in progress.
    if (probe.confirms) beside.push([...running].filter((other) => !other.aborted).length);
    running.add(signal);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(signal);
    return brokenBy(6)(revision);
  };
  const report = await findRegressions(graph, oracle, { bad: "r9", good: "r0", concurrency: 4 });
  assert.equal(report.points[0].confirmed, true);
  assert.ok(beside.length > 0 && beside.every((others) => others === 0), String(beside));
});

test("the failure of the bad revision is searched for", async () => {
  const oracle = (revision) => {
    const number = Number(revision.slice(1));
    return number < 4 ? "pass" : { outcome: "fail", signals: { failure: number < 7 ? "no such module" : "wrong sum" } };
  };
  const report = await findRegressions(graph, oracle, { bad: "r9", good: "r0" });
  assert.equal(report.points[0].bad, "r7");
  assert.match(
    report.warnings[0],
    /the test fails in another way since r4 \("no such module"\), and since r7 as at r9 \("wrong sum"\)/,
  );
  const plain = await findRegressions(graph, oracle, { bad: "r9", good: "r0", distinguishFailures: false });
  assert.equal(plain.points[0].bad, "r4");
});

test("an oracle that always returns undefined stops after two runs", async () => {
  const runs = [];
  const report = await findRegressions(graph, (revision) => void runs.push(revision), { bad: "r9", good: "r0" });
  assert.deepEqual(runs.sort(), ["r0", "r9"]);
  assert.deepEqual(report.points, []);
  assert.match(report.message, /the oracle returned undefined each time\. Is a return missing\?/);
  // An explicit outcome needs no hint.
  const meant = await findRegressions(graph, () => "unresolved", { bad: "r9", good: "r0" });
  assert.doesNotMatch(meant.message, /returned undefined/);
});
