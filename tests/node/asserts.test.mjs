import assert from "node:assert/strict";
import { test } from "node:test";
import { fb, line, place, rejectionOf, thrownBy } from "./support.mjs";

const judged = (error) =>
  fb.asserts(() => {
    if (error !== null) throw error;
  })("r1", {});

test("an error describes the failure", async () => {
  assert.deepEqual(await judged(null), { outcome: "pass" });
  assert.deepEqual(await judged(new assert.AssertionError({ message: "1 == 2" })), { outcome: "fail", note: "1 == 2" });
  const jest = Object.assign(new Error("expect(1).toBe(2)"), { matcherResult: { pass: false } });
  assert.deepEqual(await judged(jest), { outcome: "fail", note: "expect(1).toBe(2)" });
});

test("other errors are not outcomes", async () => {
  for (const error of [new TypeError("broken"), new fb.Retry("no network")]) {
    assert.equal(await rejectionOf(judged(error)), error);
  }
  assert.match(thrownBy(() => fb.asserts(3)).message, /^test: 3 is not valid/);
});

test("a context is an oracle", async () => {
  const holds = fb.asserts(async (revision) => assert.ok(place(revision) < 5));
  const { points } = await fb.findRegressions(line(8), holds, { bad: "r7", good: "r0" });
  assert.equal(points[0].bad, "r5");
});
