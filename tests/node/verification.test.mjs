// Verification of a conclusion: `verifyCulprit` and `CulpritVerifier`.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { brokenFrom, fb, flakyFrom, line, place, rejectionOf, thrownBy, tick, unhandled } from "./support.mjs";

const graph = line(21);
const ENDS = { bad: "r20", good: "r0" };
const given = (options) => ({ ...ENDS, culprit: "r8", flakeRate: 0.1, ...options });
const verify = (oracle, options = {}) => fb.verifyCulprit(graph, oracle, given(options));
const verifier = (options = {}) => new fb.CulpritVerifier(graph, given(options));

const codes = (report) => report.reasons.map(({ code }) => code);

after(async () => {
  await sleep(5);
  assert.deepEqual(unhandled, []);
});

test("sync and async oracles verify a culprit, also in parallel", async () => {
  for (const concurrency of [1, 6]) {
    for (const wrap of [(answer) => answer, async (answer) => answer, (answer) => sleep(0, answer)]) {
      const oracle = flakyFrom(8, 0.1, 4);
      const report = await verify((revision) => wrap(oracle(revision)), { concurrency });
      assert.deepEqual([report.status, report.correct, report.reasons], ["found", true, []], report.message);
      assert.deepEqual([report.culprit, report.reruns], ["r8", 9]);
      assert.match(report.message, /r8/);
      const checks = report.checks.map(({ role, revision }) => [role, revision]);
      assert.deepEqual(checks, [
        ["good", "r0"],
        ["parent", "r7"],
        ["culprit", "r8"],
        ["bad", "r20"],
      ]);
      const [good, parent, ...failing] = report.checks.map(({ runs }) => runs);
      assert.ok(good.passes > 0 && parent.passes > 0);
      for (const runs of failing) assert.ok(runs.passes === 0 && runs.fails >= 9);
      assert.equal(report.observations.length, report.runs);
    }
  }
});

test("verifyCulprit confirms the result of findCulprit", async () => {
  for (const [oracle, conclusion] of [
    [flakyFrom(8, 0.2, 6), "culprit"],
    [flakyFrom(99, 0.2, 6), "flake"],
  ]) {
    const found = await fb.findCulprit(graph, oracle, ENDS);
    assert.equal(found.conclusion, conclusion);
    const { culprit, flakeRate } = found;
    const report = await verify(oracle, { culprit, flakeRate });
    assert.equal(report.correct, true, report.message);
  }
});

test("the rate, the floor, and the confidence determine the reruns", () => {
  const reruns = (options) => verifier(options).report().reruns;
  assert.equal(reruns({ flakeRate: 0 }), 9);
  assert.equal(reruns({ flakeRate: undefined }), 9);
  assert.equal(reruns({ flakeRate: 0.5 }), 29);
  assert.equal(reruns({ flakeRate: 0.5, confidence: 0.99 }), 9);
  assert.equal(reruns({ flakeRate: 0, minFlakeRate: 0.5 }), 29);
  assert.equal(reruns({ flakeRate: { passes: 49, fails: 49 } }), 29);
});

test("a wrong conclusion has a code, a revision, and a message", async () => {
  const never = () => false;
  const cases = [
    ["culprit_passes", "r8", brokenFrom(9), {}],
    ["bad_passes", "r20", (revision) => place(revision) < 8 || revision === "r20", {}],
    ["parent_never_passes", "r7", brokenFrom(5), {}],
    ["good_never_passes", "r0", never, {}],
    ["bad_never_passes", "r20", never, { culprit: null }],
    ["bad_passes", "r20", brokenFrom(99), { culprit: "r20" }],
  ];
  for (const [code, revision, oracle, options] of cases) {
    const report = await verify(oracle, options);
    assert.equal(report.correct, false, report.message);
    const reason = report.reasons.find((one) => one.code === code);
    assert.ok(reason, `${code}: ${codes(report)}`);
    assert.equal(reason.revision, revision);
    assert.ok(reason.message.startsWith(revision), reason.message);
    assert.ok(report.message.includes(reason.message));
  }
});

test("a flake is verified once the bad revision passes", async () => {
  const report = await verify(flakyFrom(99, 0.5, 2), { culprit: null });
  assert.deepEqual([report.correct, report.culprit], [true, null]);
  assert.deepEqual(
    report.checks.map(({ role }) => role),
    ["bad"],
  );
});

test("a changed environment is detected by the order of runs", async () => {
  let failed = false;
  const report = await verify((revision) => {
    failed ||= place(revision) >= 8;
    return !failed;
  });
  assert.equal(report.correct, false);
  assert.ok(
    codes(report).some((code) => /^no_.*_fail_before_.*_pass$/.test(code)),
    String(codes(report)),
  );
});

test("an unresolved revision leaves the verdict open", async () => {
  const report = await verify((revision) => (revision === "r7" ? null : place(revision) < 8));
  assert.deepEqual([report.status, report.correct, codes(report)], ["ambiguous", null, ["unresolved"]]);
  const spent = await verify(brokenFrom(8), { budget: 3 });
  assert.deepEqual([spent.status, spent.correct, spent.reasons, spent.runs], ["budget", null, [], 3]);
});

test("another failure proves nothing", async () => {
  const oracle = (revision) => (place(revision) < 8 ? true : { outcome: "fail", signature: "other" });
  const report = await verify(oracle, { signature: "E42", budget: 50 });
  assert.equal(report.correct, null);
});

test("a repeated verification names differences from the earlier one", async () => {
  const first = await verify(brokenFrom(8));
  const again = await verify(brokenFrom(8), { again: first });
  assert.deepEqual([again.correct, again.reasons], [true, []]);
  const stored = JSON.parse(JSON.stringify(first));
  const other = await verify(brokenFrom(9), { again: stored });
  assert.equal(other.correct, false);
  assert.deepEqual(codes(other), ["culprit_passes", "not_reproducible"]);
  assert.equal((await verify(brokenFrom(8), { again: null })).correct, true);
});

test("outcomes get the times of their runs unless the oracle gives times", async () => {
  const from = Date.now() / 1000;
  const report = await verify(async (revision) => {
    await tick();
    return place(revision) < 8;
  });
  const to = Date.now() / 1000;
  for (const { started, ended } of report.observations) {
    assert.ok(from - 1 < started && started < ended && ended < to + 1, `${from} ${started} ${ended} ${to}`);
  }
  let clock = 0;
  const own = await verify((revision) => {
    clock += 10;
    const outcome = place(revision) < 8 ? "pass" : "fail";
    return clock % 20 ? { outcome, started: clock, ended: clock + 5, note: "mine" } : { outcome, ended: clock };
  });
  assert.equal(own.correct, true);
  for (const { started, ended, note } of own.observations) {
    if (note) assert.equal(ended, started + 5);
    else assert.equal(started, undefined);
  }
  const counted = await verify((revision) => (place(revision) < 8 ? { passes: 1 } : { fails: 8 }));
  assert.equal(counted.correct, true);
  assert.ok(counted.observations.every(({ started }) => started > 0));
});

test("runs with times are parallel, and runs without times are sequential", async () => {
  const most = async (drive) => {
    let running = 0;
    let highest = 0;
    await drive(async (revision) => {
      highest = Math.max(highest, ++running);
      await tick();
      running--;
      return place(revision) < 8;
    });
    return highest;
  };
  assert.equal(await most((oracle) => verify(oracle, { concurrency: 6 })), 6);
  assert.equal(await most((oracle) => fb.run(verifier(), oracle, { concurrency: 6 })), 6);
  const driven = verifier();
  while (!driven.done) {
    const probes = driven.ask(6);
    assert.equal(probes.length, 1);
    assert.deepEqual(driven.ask(6), []);
    for (const { id, revision } of probes) driven.tell(id, place(revision) < 8);
  }
  assert.equal(driven.report().correct, true);
});

test("errors, outcomes, and abort reasons are passed through", async () => {
  for (const thrown of [new TypeError("mine"), { any: "object" }, undefined, new fb.Retry("no machine")]) {
    const oracles = [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
      // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise
      () => ({ then: (_, reject) => reject(thrown) }),
    ];
    for (const oracle of oracles) assert.equal(await rejectionOf(verify(oracle)), thrown);
  }
  let tries = 0;
  const shaky = (revision) => {
    if (++tries % 2 === 1) throw new fb.Retry();
    return place(revision) < 8;
  };
  const report = await verify(shaky, { retries: 1 });
  assert.deepEqual([report.correct, report.runs], [true, tries / 2]);
  const wrong = await rejectionOf(verify(() => "passed"));
  assert.equal(wrong.code, "invalid_argument");
  assert.match(wrong.message, /"passed"/);

  const controller = new AbortController();
  const running = rejectionOf(verify(() => new Promise(() => {}), { signal: controller.signal }));
  await tick();
  controller.abort("enough");
  assert.equal(await running, "enough");
  let context;
  await verify((revision, given) => {
    context = given;
    return place(revision) < 8;
  });
  assert.ok(context.signal instanceof AbortSignal);
  assert.equal(typeof context.probe.id, "number");
});

test("a verification by hand with undo and restore", () => {
  const driven = verifier();
  const drive = (search, oracle) => {
    while (!search.done) for (const { id, revision } of search.ask(4)) search.tell(id, oracle(revision));
    return search.report();
  };
  const [first] = driven.ask(4);
  driven.tell(first.id, true);
  driven.ask();
  const snapshot = driven.snapshot();
  const other = fb.CulpritVerifier.restore(graph, snapshot);
  assert.ok(other instanceof fb.CulpritVerifier);
  assert.equal(other.snapshot(), snapshot);
  assert.deepEqual(other.inFlight, driven.inFlight);
  for (const each of [driven, other]) {
    for (const { id, revision } of each.inFlight) each.tell(id, brokenFrom(8)(revision));
    assert.equal(drive(each, brokenFrom(8)).correct, true);
  }
  assert.deepEqual(driven.report(), other.report());
  driven.observe("r8", true);
  assert.deepEqual(codes(driven.report()), ["culprit_passes"]);
  driven.undo();
  assert.equal(driven.report().correct, true);
  assert.equal(thrownBy(() => fb.CulpritSearch.restore(graph, snapshot)).code, "snapshot");
});

test("a merge is checked against all of its parents", async () => {
  const lineage = { base: [], a: ["base"], b: ["base"], m: ["a", "b"], tip: ["m"] };
  const options = { culprit: "m", bad: "tip", flakeRate: 0.1 };
  const merged = await fb.verifyCulprit(lineage, (revision) => revision !== "m" && revision !== "tip", options);
  assert.equal(merged.correct, true);
  assert.deepEqual(
    merged.checks.filter(({ role }) => role === "parent").map(({ revision }) => revision),
    ["a", "b"],
  );
  const side = await fb.verifyCulprit(lineage, (revision) => revision === "base" || revision === "a", options);
  assert.deepEqual([side.correct, side.reasons[0].code, side.reasons[0].revision], [false, "parent_never_passes", "b"]);
});

test("invalid input is rejected with the argument, the value, and the expected value", async () => {
  const cases = [
    [{ culprit: undefined }, /^culprit: undefined .*null/],
    [{ culprit: 8 }, /^culprit: 8 .*string/],
    [{ culprit: "r0" }, /^culprit: "r0" .*suspect/],
    [{ bad: "r5" }, /^culprit: "r8" .*suspect/],
    [{ flakeRate: Number.NaN }, /^flakeRate: NaN .*a rate in \[0, 1\)/],
    [{ flakeRate: 1 }, /^flakeRate: 1.* a rate in \[0, 1\)/],
    [{ flakeRate: "estimate" }, /^flakeRate: "estimate" .*a rate in \[0, 1\)/],
    [{ minFlakeRate: 0 }, /^minFlakeRate: 0.* above 0/],
    [{ confidence: 1 }, /^confidence: 1.* below 1/],
    [{ again: true }, /^again: true .*earlier verification/],
    [{ again: { culprit: "r8" } }, /^again: .*earlier verification/],
    [{ again: { culprit: "r9", correct: true } }, /^again: "r9" .*same conclusion/],
    [{ prior: { r1: 1 } }, /^options: "prior" /],
    [{ culprit: "zz" }, /^culprit: unknown revision "zz"/, "unknown_revision"],
  ];
  for (const [options, message, code = "invalid_argument"] of cases) {
    for (const error of [thrownBy(() => verifier(options)), await rejectionOf(verify(() => true, options))]) {
      assert.ok(error instanceof fb.FirstbadError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
    }
  }
  assert.equal((await rejectionOf(fb.verifyCulprit(graph, null, given()))).code, "invalid_argument");
});
