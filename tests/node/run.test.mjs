import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { outcomeOf, patch, porter } from "./porting-reads.mjs";
import { brokenFrom, deferred, fb, fc, line, place, rejectionOf, thrownBy, tick, unhandled } from "./support.mjs";

const make = (options = {}) =>
  new fb.RegressionSearch(line(64), { bad: "r63", good: "r0", testEndpoints: false, ...options });
const never = () => new Promise(() => {});

after(async () => {
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

test("sync and async oracles find the regression, also in parallel", async () => {
  for (const first of [1, 7, 63]) {
    for (const concurrency of [1, 3, 64]) {
      for (const wrap of [(answer) => answer, async (answer) => answer, (answer) => sleep(0, answer)]) {
        const report = await fb.run(make(), (revision) => wrap(brokenFrom(first)(revision)), { concurrency });
        assert.equal(report.status, "found");
        assert.deepEqual([report.points[0].good, report.points[0].bad], [`r${first - 1}`, `r${first}`]);
      }
    }
  }
});

test("a run asks the same probes as a handwritten loop", async () => {
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 63 }), async (first) => {
    const asked = [];
    await fb.run(make(), (revision) => {
      asked.push(revision);
      return brokenFrom(first)(revision);
    });
    const byHand = make();
    const expected = [];
    while (!byHand.done) {
      const [{ id, revision }] = byHand.ask();
      expected.push(revision);
      byHand.tell(id, brokenFrom(first)(revision));
    }
    assert.deepEqual(asked, expected);
  });
  await fc.assert(property, { seed: 3, numRuns: 30 });
});

test("findRegressions creates and runs the search", async () => {
  const lineage = new Map([
    ["r0", []],
    ["r1", ["r0"]],
    ["r2", ["r1"]],
    ["r3", ["r2"]],
  ]);
  const graph = new fb.CommitGraph(lineage);
  for (const source of [graph, lineage, Object.fromEntries(lineage), [...lineage], Promise.resolve(graph)]) {
    const report = await fb.findRegressions(source, brokenFrom(2), { bad: "r3", testEndpoints: true, jobs: 2 });
    assert.deepEqual([report.points[0].good, report.points[0].bad], ["r1", "r2"]);
  }
});

test("the oracle gets the revision, a signal, and the probe", async () => {
  const search = make();
  await fb.run(search, (revision, { signal, probe }) => {
    assert.ok(signal instanceof AbortSignal);
    assert.equal(signal.aborted, false);
    assert.equal(probe.revision, revision);
    assert.equal(search.inFlight[0].id, probe.id);
    return brokenFrom(5)(revision);
  });
});

test("at most `concurrency` oracles run at a time, and that many where the search allows", async () => {
  let running = 0;
  let most = 0;
  const oracle = async (revision) => {
    most = Math.max(most, ++running);
    await sleep(1);
    running--;
    return brokenFrom(40)(revision);
  };
  await fb.run(make(), oracle, { concurrency: 3 });
  assert.ok(most > 1 && most <= 3, String(most));
});

test("an error of an oracle rejects with the same object", async () => {
  for (const thrown of [new TypeError("mine"), { any: "object" }, "text", 0, null, undefined, Object.freeze([])]) {
    const oracles = [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
      // A thenable that is no promise.
      // biome-ignore lint/suspicious/noThenProperty: that is what is tested
      () => ({ then: (_, reject) => reject(thrown) }),
    ];
    for (const oracle of oracles) {
      const search = make();
      const [result] = await Promise.allSettled([fb.run(search, oracle)]);
      assert.equal(result.status, "rejected");
      assert.ok(Object.is(result.reason, thrown));
      assert.equal(search.runs, 0);
      assert.deepEqual(search.inFlight, []);
      const found = await Promise.allSettled([fb.findRegressions(line(64), oracle, { bad: "r63" })]);
      assert.ok(Object.is(found[0].reason, thrown));
    }
  }
});

test("outcomes before an error are kept, and the search can run again", async () => {
  const search = make({ search: "linear" });
  let calls = 0;
  const error = new Error("worker lost");
  const failing = (revision) => {
    if (++calls === 4) throw error;
    return brokenFrom(50)(revision);
  };
  assert.equal(await rejectionOf(fb.run(search, failing)), error);
  assert.equal(search.runs, 3);
  const report = await fb.run(search, brokenFrom(50));
  assert.equal(report.points[0].bad, "r50");
  const revisions = new Set(report.observations.map(({ revision }) => revision));
  assert.equal(revisions.size, report.runs - report.confirmations);
});

test("after an error, available outcomes are told and other probes aborted", async () => {
  const search = make({ search: "linear" });
  const seen = [];
  const error = new Error("mine");
  const oracle = (revision, { signal }) => {
    const one = { revision, signal, ...deferred() };
    seen.push(one);
    return one.promise;
  };
  const running = rejectionOf(fb.run(search, oracle, { concurrency: 3 }));
  await tick();
  assert.equal(seen.length, 3);
  seen[1].reject(error);
  seen[0].resolve(false);
  assert.equal(await running, error);
  assert.deepEqual(
    search.report().observations.map(({ revision }) => revision),
    [seen[0].revision],
  );
  assert.equal(seen[2].signal.aborted, true);
  assert.deepEqual(search.inFlight, []);
  // A late rejection must not be reported as unhandled.
  seen[2].reject(new Error("too late"));
  await tick();
  assert.equal(search.runs, 1);
});

test("an invalid outcome rejects with its value and its probe", async () => {
  const search = make();
  const error = await rejectionOf(fb.run(search, () => "passed"));
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /^oracle, at revision "r\d+": answer: "passed" is not valid/);
  assert.deepEqual(search.inFlight, []);
  const counted = await rejectionOf(fb.run(make(), () => ({ passes: "5" })));
  assert.match(counted.message, /^oracle, at revision "r\d+": answer.passes: "5" is not valid/);
  const kept = await rejectionOf(fb.minimize([1, 2], () => "interesting"));
  assert.match(kept.message, /^interesting, for changes 0-1: answer: "interesting" is not valid/);
});

test("Retry repeats a probe a limited number of times", async () => {
  const tries = new Map();
  const flaky = (times) => (revision) => {
    tries.set(revision, (tries.get(revision) ?? 0) + 1);
    if (tries.get(revision) <= times) throw new fb.Retry("no machine");
    return brokenFrom(20)(revision);
  };
  const search = make();
  const found = await fb.run(search, flaky(3));
  assert.equal(found.points[0].bad, "r20");
  assert.ok([...tries.values()].every((count) => count >= 4));
  assert.equal(search.runs - found.confirmations, tries.size);

  const last = new fb.Retry("still none", { cause: "x" });
  let calls = 0;
  const hopeless = async () => {
    calls++;
    throw last;
  };
  assert.equal(await rejectionOf(fb.run(make(), hopeless, { retries: 2 })), last);
  assert.equal(calls, 3);
  calls = 0;
  assert.equal(await rejectionOf(fb.run(make(), hopeless, { retries: 0 })), last);
  assert.equal(calls, 1);
  assert.ok(last instanceof Error);
});

test("an aborted signal rejects before the first call", async () => {
  for (const reason of [new Error("mine"), "text", null, undefined]) {
    const signal = AbortSignal.abort(reason);
    let calls = 0;
    const oracle = () => {
      calls++;
    };
    assert.equal(await rejectionOf(fb.run(make(), oracle, { signal })), signal.reason);
    assert.equal(await rejectionOf(fb.findRegressions(line(9), oracle, { bad: "r8", signal })), signal.reason);
    assert.equal(calls, 0);
  }
});

test("a signal ends the run immediately, even if the oracle never settles", async () => {
  for (const reason of [new Error("mine"), "text", null, undefined]) {
    const controller = new AbortController();
    const search = make();
    let inner;
    const oracle = (_, { signal }) => {
      inner = signal;
      return never();
    };
    const running = rejectionOf(fb.run(search, oracle, { signal: controller.signal, concurrency: 2 }));
    await tick();
    controller.abort(reason);
    assert.equal(await running, controller.signal.reason);
    assert.equal(inner.aborted, true);
    assert.equal(inner.reason, controller.signal.reason);
    assert.deepEqual(search.inFlight, []);
  }
});

test("a signal wins over the resulting error, and earlier outcomes are kept", async () => {
  const controller = new AbortController();
  const search = make({ search: "linear" });
  const oracle = (revision, { signal }) =>
    place(revision) > 60
      ? false
      : new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("because of the signal")));
          controller.signal.addEventListener("abort", () => reject(new Error("because of the signal")));
          setImmediate(() => controller.abort("enough"));
        });
  assert.equal(await rejectionOf(fb.run(search, oracle, { signal: controller.signal })), "enough");
  assert.equal(search.runs, 2);
  assert.equal((await fb.run(search, brokenFrom(9))).points[0].bad, "r9");
});

test("a timeout ends runs with sync oracles", async () => {
  const busy = () => {
    const end = performance.now() + 5;
    while (performance.now() < end);
    return false;
  };
  const graph = line(2000);
  const signal = AbortSignal.timeout(50);
  const error = await rejectionOf(fb.findRegressions(graph, busy, { bad: "r1999", search: "linear", signal }));
  assert.equal(error, signal.reason);
});

test("useless probes are aborted and not awaited", async () => {
  const aborted = [];
  const oracle = (revision, { signal }) => {
    signal.addEventListener("abort", () => aborted.push(revision));
    return place(revision) < 12 ? brokenFrom(12)(revision) : new Promise((resolve) => setImmediate(resolve, false));
  };
  const slow = (revision, context) => {
    const answer = oracle(revision, context);
    return place(revision) > 40 ? never() : answer;
  };
  // A confirmation run would wait for the other probes for some seconds.
  const search = make({ search: "binary", confirm: false });
  const report = await fb.run(search, slow, { concurrency: 8 });
  assert.equal(report.points[0].bad, "r12");
  assert.ok(aborted.length > 0);
  assert.deepEqual(search.inFlight, []);
});

test("progress reports every step, and its errors end the run", async () => {
  const steps = [];
  const search = make();
  await fb.run(search, brokenFrom(33), { onProgress: (step) => steps.push(step) });
  const told = steps.filter(({ kind }) => kind === "told");
  assert.deepEqual(
    told.map(({ runs }) => runs),
    told.map((_, place) => place + 1),
  );
  const counts = ["status", "runs", "asked", "inFlight", "suspects", "likelyRuns", "worstRuns", "seconds"];
  const where = ["revision", "patch", "best"];
  assert.deepEqual(Object.keys(told[0]).sort(), ["kind", "probe", "observation", ...where, ...counts].sort());
  assert.deepEqual([told[0].revision, told[0].patch, steps[0].best], [null, null, null]);
  assert.equal(steps.at(-1).best, "the culprit is r33");
  assert.ok(steps.every(({ asked, runs }) => asked === runs));
  assert.deepEqual([steps[0].suspects, steps.at(-1).suspects], [63, 0]);
  assert.ok(0 < steps[0].likelyRuns && steps[0].likelyRuns <= steps[0].worstRuns && steps[0].worstRuns <= 128);
  assert.deepEqual([steps.at(-1).likelyRuns, steps.at(-1).worstRuns], [null, null]);
  assert.ok(["pass", "fail"].includes(told[0].observation.outcome));
  assert.equal(steps.filter(({ kind }) => kind === "asked").length, told.length);
  assert.deepEqual([steps.at(-1).kind, steps.at(-1).probe, steps.at(-1).status], ["done", null, "found"]);

  for (const wanted of ["asked", "told", "done"]) {
    const error = new Error("mine");
    const throwing = ({ kind }) => {
      if (kind === wanted) throw error;
    };
    assert.equal(await rejectionOf(fb.run(make(), brokenFrom(33), { onProgress: throwing })), error);
  }
  const late = new Error("late");
  const rejecting = async () => Promise.reject(late);
  assert.equal(await rejectionOf(fb.run(make(), never, { onProgress: rejecting })), late);
});

test("budgets of runs, cost, and seconds end the run with a report", async () => {
  const linear = () => make({ search: "linear" });
  const broken = () => ({ outcome: "fail", cost: 2 });
  assert.equal((await fb.run(linear(), broken, { budget: 3 })).runs, 3);
  assert.equal((await fb.run(linear(), broken, { budget: { runs: 3 } })).status, "budget");
  assert.equal((await fb.run(linear(), broken, { budget: { cost: 7 } })).runs, 4);
  assert.equal((await fb.run(linear(), broken, { budget: 0 })).runs, 0);
  const started = performance.now();
  const search = linear();
  const report = await fb.run(search, never, { budget: { seconds: 0.05 }, concurrency: 2 });
  assert.equal(report.status, "budget");
  assert.ok(performance.now() - started < 5000);
  assert.deepEqual(search.inFlight, []);
  assert.equal((await fb.run(search, brokenFrom(9), { budget: {} })).points[0].bad, "r9");
});

test("a restored search first runs its probes in flight", async () => {
  const search = make();
  const [{ revision }] = search.ask();
  const restored = fb.RegressionSearch.restore(line(64), search.snapshot());
  const asked = [];
  await fb.run(restored, (next) => {
    asked.push(next);
    return brokenFrom(9)(next);
  });
  assert.equal(asked[0], revision);
  assert.equal(new Set(asked).size, asked.length);
});

test("useless probes in flight are not run again", async () => {
  const search = make({ search: "binary" });
  const [{ revision }] = search.ask();
  search.observe(revision, true);
  const asked = [];
  await fb.run(search, (next) => {
    asked.push(next);
    return brokenFrom(60)(next);
  });
  assert.ok(!asked.includes(revision));
});

test("a run can be stopped from its own callback", async () => {
  const search = make({ search: "linear" });
  const onProgress = ({ runs }) => runs === 2 && search.stop();
  const report = await fb.run(search, () => false, { onProgress });
  assert.deepEqual([report.status, report.runs], ["stopped", 2]);
});

test("a reader can be sync or async", async () => {
  for (const concurrency of [1, 3]) {
    for (const wrap of [(content) => content, async (content) => content, (content) => sleep(1, content)]) {
      const [search, seen, steps] = [porter(), [], []];
      const reader = (read) => {
        seen.push([read.read, read.from, read.to]);
        return wrap(patch(read));
      };
      const onProgress = (step) => steps.push(step);
      const found = await fb.run(search, outcomeOf, { concurrency, reader, onProgress });
      assert.deepEqual([found.good, found.bad], ["r0", "r1"]);
      assert.match(String(found.cause), /\n\+r1 two\n$/);
      assert.match(String(found.repair), /\n\+r0 two\n$/);
      assert.deepEqual(seen, [
        ["diff", "r0", "r1"],
        ["diff", "r1", "r0"],
      ]);
      assert.deepEqual([search.reads, search.inFlight], [[], []]);
      assert.deepEqual([search.asked, steps.at(-1).asked], [found.asked, found.asked]);
      assert.deepEqual([search.runs, steps.at(-1).runs], [found.runs, found.runs]);
      const read = search.events.filter(({ event }) => event === "read");
      assert.deepEqual(
        read.map(({ id }) => id),
        [0, 1],
      );
    }
  }
});

test("a missing reader is an error, and errors of a reader are unchanged", async () => {
  const search = porter();
  const missing = await rejectionOf(fb.run(search, outcomeOf));
  assert.equal(missing.code, "invalid_argument");
  assert.match(missing.message, /^reader: .* the patch from "r0" to "r1"/);
  assert.deepEqual(search.reads, [{ id: 0, read: "diff", from: "r0", to: "r1" }]);
  const thrown = { mine: true };
  const throwing = (read) => {
    if (read.id === 1) throw thrown;
    return patch(read);
  };
  assert.equal(await rejectionOf(fb.run(search, outcomeOf, { reader: throwing })), thrown);
  assert.deepEqual(search.inFlight, []);
  const kept = search.runs;
  assert.ok(kept > 0);
  assert.equal(await rejectionOf(fb.run(search, outcomeOf, { reader: () => Promise.reject(thrown) })), thrown);
  assert.equal(thrownBy(() => search.give(5, new Uint8Array())).code, "unknown_read");
  assert.equal(thrownBy(() => search.give(1, "text")).code, "invalid_argument");
  assert.equal((await rejectionOf(fb.run(search, outcomeOf, { reader: 5 }))).code, "invalid_argument");
  assert.ok((await fb.run(search, outcomeOf, { reader: patch })).runs > kept);
});

test("an aborted signal does not wait for a reader", async () => {
  const controller = new AbortController();
  const running = rejectionOf(fb.run(porter(), outcomeOf, { reader: never, signal: controller.signal }));
  await tick();
  controller.abort("enough");
  assert.equal(await running, "enough");
});

test("a stopped search is resumed", async () => {
  const search = make();
  search.stop();
  assert.equal((await fb.run(search, brokenFrom(9))).status, "stopped");
  search.resume();
  assert.equal((await fb.run(search, brokenFrom(9))).points[0].bad, "r9");
  assert.deepEqual(
    search.events.slice(0, 2).map(({ event }) => event),
    ["stopped", "resumed"],
  );
});

test("one search is driven by one run at a time", async () => {
  const search = make();
  const controller = new AbortController();
  const first = rejectionOf(fb.run(search, never, { signal: controller.signal }));
  assert.equal((await rejectionOf(fb.run(search, never))).code, "search_in_use");
  controller.abort("end");
  assert.equal(await first, "end");
});

test("wrong options reject with a code, before any call", async () => {
  const oracle = () => assert.fail("called");
  const cases = [
    { concurrency: 0 },
    { concurrency: 1.5 },
    { concurrency: "2" },
    { concurrency: 1, jobs: 2 },
    { signal: "SIGTERM" },
    { onProgress: "yes" },
    { budget: -1 },
    { budget: 1.5 },
    { budget: { run: 1 } },
    { budget: { seconds: Number.NaN } },
    { retries: -1 },
    { parallel: 2 },
    { journal: true },
    { known: 5 },
    { bad: undefined },
    { bad: "zz" },
  ];
  for (const options of cases) {
    const error = await rejectionOf(fb.findRegressions(line(9), oracle, { bad: "r8", ...options }));
    assert.ok(error instanceof fb.FirstbadError, `${JSON.stringify(options)}: ${error}`);
    assert.match(error.code, /^(invalid_argument|unknown_revision)$/);
  }
  assert.equal((await rejectionOf(fb.findRegressions(line(9), "true", { bad: "r8" }))).code, "invalid_argument");
  assert.equal((await rejectionOf(fb.run(make()))).code, "invalid_argument");
});

test("a run step by step", async () => {
  const search = new fb.RegressionSearch(line(32), { bad: "r31", good: "r0" });
  const kinds = [];
  const iterator = search.steps(brokenFrom(9));
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) {
      assert.equal(value.points[0].bad, "r9");
      break;
    }
    kinds.push(value.kind);
    assert.equal(typeof value.suspects, "number");
  }
  assert.equal(kinds.at(-1), "done");
  assert.equal(kinds.filter((kind) => kind === "told").length, search.runs);
});

test("leaving the steps early stops the run, which can be resumed", async () => {
  const search = new fb.RegressionSearch(line(32), { bad: "r31", good: "r0" });
  const slow = async (revision) => {
    await tick();
    return brokenFrom(9)(revision);
  };
  for await (const { runs } of search.steps(slow)) {
    if (runs === 3) break;
  }
  assert.equal(search.done, false);
  assert.deepEqual(search.inFlight, []);
  assert.equal((await fb.run(search, brokenFrom(9))).points[0].bad, "r9");
});

test("errors of a run end its steps", async () => {
  const mine = new Error("mine");
  const through = async (oracle, options) => {
    for await (const _ of new fb.RegressionSearch(line(8), { bad: "r7" }).steps(oracle, options));
  };
  assert.equal(await rejectionOf(through(() => Promise.reject(mine))), mine);
  const idle = () => new Promise(() => {});
  assert.equal((await rejectionOf(through(idle, { signal: AbortSignal.timeout(20) }))).name, "TimeoutError");
  assert.equal(await rejectionOf(through(idle, { signal: AbortSignal.abort(mine) })), mine);
});

test("a second run of a search is rejected, and the first continues", async () => {
  const search = make();
  const refused = [];
  const second = async (options) => refused.push((await rejectionOf(fb.run(search, brokenFrom(9), options))).code);
  const oracle = async (revision) => {
    await second({ budget: 1 });
    return brokenFrom(40)(revision);
  };
  const onProgress = ({ kind }) => {
    if (kind === "told") return second();
  };
  const report = await fb.run(search, oracle, { onProgress });
  assert.deepEqual([report.status, report.points[0].bad], ["found", "r40"]);
  assert.deepEqual(new Set(refused), new Set(["search_in_use"]));
  assert.equal((await fb.run(search, brokenFrom(40))).points[0].bad, "r40");
});

test("a failed run releases its search", async () => {
  const search = make();
  const error = await rejectionOf(
    fb.run(search, () => {
      throw new Error("no");
    }),
  );
  assert.equal(error.message, "no");
  assert.equal((await rejectionOf(fb.run(search, "no function"))).code, "invalid_argument");
  assert.equal((await fb.run(search, brokenFrom(3))).status, "found");
});

test("values other than searches are rejected", async () => {
  for (const given of [line(3), null, undefined, "search", {}, []]) {
    const error = await rejectionOf(fb.run(given, () => true));
    assert.equal(error.code, "invalid_argument");
    assert.match(
      error.message,
      /^search: .* expected a search, for instance new RegressionSearch\(graph, \{ bad \}\)$/,
    );
  }
});

test("an error in a getter of an outcome is the same object", async () => {
  const answers = [
    (thrown) => ({
      get outcome() {
        throw thrown;
      },
    }),
    (thrown) => ({
      outcome: "pass",
      get note() {
        throw thrown;
      },
    }),
    (thrown) => ({
      outcome: "pass",
      signals: {
        toJSON() {
          throw thrown;
        },
      },
    }),
    (thrown) =>
      new Proxy(
        {},
        {
          get() {
            throw thrown;
          },
        },
      ),
  ];
  for (const answer of answers) {
    for (const thrown of [new TypeError("mine\nin two lines"), { not: "an error" }, undefined]) {
      for (const wrap of [(given) => given, async (given) => given]) {
        const running = fb.run(make(), () => wrap(answer(thrown)));
        assert.equal(await rejectionOf(running), thrown);
      }
      assert.equal(
        thrownBy(() => {
          const search = make();
          search.tell(search.ask()[0], answer(thrown));
        }),
        thrown,
      );
    }
  }
});

test("onProgress: true prints a line for each outcome and one at the end", async () => {
  const lines = [];
  const write = process.stderr.write;
  process.stderr.write = (text) => lines.push(text) > 0;
  try {
    await fb.run(make(), brokenFrom(40), { onProgress: true });
    await fb.minimize([1, 2, 3], (kept) => kept.includes(2), { onProgress: true });
    await fb.run(make(), brokenFrom(40), { onProgress: false });
  } finally {
    process.stderr.write = write;
  }
  assert.match(lines[0], /^firstbad: 1 run: r\d+ (pass|fail), \d+ left, about \d+ runs? to go\n$/);
  const ends = lines.filter((text) => / after \d+ runs in \d+\.\d s/.test(text));
  assert.equal(ends.length, 2);
  assert.match(ends[0], /^firstbad: found after \d+ runs in .*: .*r40/);
});

test("equal lines are tested once, and the event loop is not blocked", async () => {
  const text = "x;\n".repeat(3000);
  let calls = 0;
  const report = await fb.minimizeText(text, (kept) => {
    calls += 1;
    return kept === text;
  });
  assert.equal(report.items, text);
  assert.ok(calls < 60, `${calls} calls`);
});
