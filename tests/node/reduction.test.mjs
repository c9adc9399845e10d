import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fb, fc, rejectionOf, thrownBy, tick, unhandled } from "./support.mjs";

const ALGORITHMS = ["auto", "ddmin", "recursive"];
const SEARCHES = [fb.Minimizer, fb.Isolator];

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const never = () => new Promise(() => {});
/** Returns the property of sets that contain these items. */
const holding = (needed) => (kept) => needed.every((item) => kept.includes(item));

after(async () => {
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

/** Runs a search with the ask/tell interface, `k` probes at a time. Returns the tested sets in short form. */
function drive(search, interesting, k = 1) {
  const asked = [];
  while (!search.done) {
    const probes = search.ask(k);
    assert.ok(probes.length > 0, "asks nothing though nothing is in flight");
    for (const probe of probes) {
      asked.push(probe.set);
      search.tell(probe.id, interesting(search.subject(probe)));
    }
  }
  return asked;
}

/** A set of indices below `count`, as bits. */
const subsets = (count) => fc.array(fc.boolean(), { minLength: count, maxLength: count });

/** Properties of sets of `count` items, either arbitrary or monotonic. */
const worlds = fc.integer({ min: 1, max: 9 }).chain((count) => {
  const needs = fc.array(fc.array(fc.nat(count - 1), { maxLength: 3 }), { minLength: 1, maxLength: 3 });
  return fc.record({
    count: fc.constant(count),
    // In disjunctive normal form.
    needs,
    // The outcomes of sets by their bits, if the property is not monotonic.
    answers: fc.option(fc.array(fc.constantFrom(true, false, null), { minLength: 2 ** count, maxLength: 2 ** count })),
    algorithm: fc.constantFrom(...ALGORITHMS),
    guarantee: fc.constantFrom("fixpoint", "1-minimal"),
    k: fc.integer({ min: 1, max: 5 }),
  });
});

function judge({ count, needs, answers }) {
  return (kept) => {
    if (kept.length === count) return true;
    if (answers) return answers[kept.reduce((bits, index) => bits | (1 << index), 0)];
    return needs.some((all) => all.every((item) => kept.includes(item)));
  };
}

test("a result has the property and its guarantee, and no set is tested twice", () => {
  const property = fc.property(worlds, (world) => {
    const interesting = judge(world);
    const { count, algorithm, guarantee, k } = world;
    const search = new fb.Minimizer(numbers(count), { algorithm, guarantee });
    const asked = drive(search, interesting, k);
    const report = search.report();
    assert.equal(asked[0], count === 1 ? "0" : `0-${count - 1}`);
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(report.status, "found");
    assert.deepEqual([report.runs, report.runs], [asked.length, asked.length]);
    assert.deepEqual(report.items, report.kept);
    assert.equal(interesting(report.kept), true);
    assert.ok(["fixpoint", "1-minimal"].includes(report.guarantee));
    if (guarantee === "1-minimal") assert.equal(report.guarantee, "1-minimal");
    if (report.guarantee === "1-minimal") {
      for (const one of report.kept) assert.notEqual(interesting(report.kept.filter((index) => index !== one)), true);
    }
  });
  fc.assert(property, { seed: 1, numRuns: 300 });
});

test("an isolation ends with a set with the property and a subset without it", () => {
  const property = fc.property(worlds, (world) => {
    const { count, k } = world;
    const judged = judge(world);
    // The empty set does not have the property.
    const interesting = (kept) => (kept.length === 0 ? false : judged(kept));
    const search = new fb.Isolator(numbers(count));
    const asked = drive(search, interesting, k);
    const { kept, lacking, difference, items, status, guarantee } = search.report();
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(status, "found");
    assert.ok(["fixpoint", "1-minimal"].includes(guarantee));
    assert.equal(interesting(kept), true);
    assert.equal(interesting(lacking), false);
    assert.deepEqual(
      difference,
      kept.filter((index) => !lacking.includes(index)),
    );
    assert.ok(lacking.every((index) => kept.includes(index)));
    assert.ok(difference.length > 0);
    assert.deepEqual(items, difference);
  });
  fc.assert(property, { seed: 2, numRuns: 200 });
});

/** The algorithm of a reduction. Isolation has only one. */
const wayOf = (Search, algorithm) => (Search === fb.Isolator ? {} : { algorithm });

test("sets without dependencies are never tested", () => {
  const needs = fc.oneof(fc.nat(7), fc.array(fc.nat(7), { minLength: 1, maxLength: 2 }));
  const dependencies = fc.dictionary(
    fc.nat(7).map(String),
    fc.uniqueArray(needs, { maxLength: 2, selector: (need) => JSON.stringify(need) }),
    { maxKeys: 5 },
  );
  const property = fc.property(dependencies, fc.nat(7), fc.constantFrom(...ALGORITHMS), (given, needed, algorithm) => {
    const stands = (kept) =>
      kept.every((index) => (given[index] ?? []).every((need) => [need].flat().some((other) => kept.includes(other))));
    for (const Search of SEARCHES) {
      const pairs = Object.entries(given).map(([index, all]) => [Number(index), all]);
      const snapshots = [given, new Map(pairs), pairs].map((dependencies) => {
        const search = new Search(numbers(8), { ...wayOf(Search, algorithm), dependencies });
        drive(search, (kept) => {
          assert.ok(stands(kept), `${JSON.stringify(given)}: ${kept}`);
          return kept.includes(needed);
        });
        return search.snapshot();
      });
      assert.deepEqual(snapshots, Array(3).fill(snapshots[0]));
      const { kept } = Search.restore(numbers(8), snapshots[0]).report();
      assert.ok(kept.includes(needed));
      assert.ok(stands(kept));
    }
  });
  fc.assert(property, { seed: 3, numRuns: 100 });
});

test("every reduction ends with its guarantee", () => {
  const needs = fc.oneof(fc.nat(8), fc.array(fc.nat(8), { minLength: 1, maxLength: 3 }));
  const dependencies = fc.dictionary(
    fc.nat(8).map(String),
    fc.uniqueArray(needs, { maxLength: 2, selector: (need) => JSON.stringify(need) }),
    { maxKeys: 6 },
  );
  const tree = fc.option(fc.tuple(...numbers(9).map((item) => fc.option(fc.integer({ min: item + 1, max: 9 })))));
  const property = fc.property(worlds, dependencies, tree, (world, all, above) => {
    const { count, algorithm, k } = world;
    const judged = judge(world);
    const within = (need) => [need].flat().every((item) => item < count);
    const given = Object.fromEntries(
      Object.entries(all)
        .filter(([item]) => item < count)
        .map(([item, needs]) => [item, needs.filter(within)]),
    );
    const parents = above && [...above.slice(0, count).map((parent) => parent && Math.min(parent, count)), null];
    const stands = (kept) =>
      kept.every((index) =>
        (given[index] ?? []).every((need) => [need].flat().some((other) => kept.includes(other))),
      ) && kept.every((index) => (parents?.[index] ?? count) === count || kept.includes(parents[index]));
    const options = { algorithm, dependencies: given, guarantee: "1-minimal", ...(parents && { parents }) };
    const search = new fb.Minimizer(numbers(count), options);
    const asked = drive(
      search,
      (kept) => {
        assert.ok(stands(kept), `${kept}`);
        return judged(kept);
      },
      k,
    );
    assert.equal(new Set(asked).size, asked.length);
    const { status, guarantee, kept } = search.report();
    assert.deepEqual([status, guarantee, judged(kept)], ["found", "1-minimal", true]);
    for (const one of kept) {
      const fewer = kept.filter((index) => index !== one);
      if (stands(fewer)) assert.notEqual(judged(fewer), true);
    }
  });
  fc.assert(property, { seed: 8, numRuns: 300 });
});

test("a search resumes from a snapshot, from events, and after an undo", () => {
  const property = fc.property(
    worlds,
    fc.nat(12),
    fc.nat(4),
    fc.constantFrom(...SEARCHES),
    (world, told, back, Search) => {
      const judged = judge(world);
      const interesting = (kept) => (kept.length === 0 ? false : judged(kept));
      const items = numbers(world.count);
      const options = wayOf(Search, world.algorithm);
      const whole = new Search(items, options);
      drive(whole, interesting);

      const one = new Search(items, options);
      for (let n = 0; n < told && !one.done; n++) {
        const [probe] = one.ask();
        one.tell(probe.id, interesting(one.subject(probe)));
      }
      one.undo(Math.min(back, one.runs));
      one.ask(2);
      const snapshot = one.snapshot();
      const other = Search.restore(items, snapshot);
      assert.ok(other instanceof Search);
      assert.equal(other.snapshot(), snapshot);
      assert.deepEqual(other.inFlight, one.inFlight);
      const replayed = new Search(items, options);
      for (const event of one.events) replayed.apply(event);
      assert.equal(replayed.snapshot(), snapshot);
      for (const each of [one, other, replayed]) {
        for (const probe of each.inFlight) each.tell(probe.id, interesting(each.subject(probe)));
        drive(each, interesting);
        assert.equal(each.status, "found");
        assert.equal(interesting(each.report().kept), true);
      }
      assert.equal(other.snapshot(), one.snapshot());
      assert.equal(replayed.snapshot(), one.snapshot());
    },
  );
  fc.assert(property, { seed: 4, numRuns: 150 });
});

test("a probe keeps items in their original order", () => {
  const items = numbers(70).map((index) => [index]);
  const property = fc.property(subsets(70), (bits) => {
    const changes = numbers(70).filter((index) => bits[index]);
    const search = new fb.Minimizer(items);
    search.enqueue(changes);
    const [probe] = search.ask();
    assert.deepEqual(probe.changes, changes);
    assert.equal(probe.changes, probe.changes);
    assert.deepEqual(
      search.subject(probe),
      changes.map((index) => items[index]),
    );
  });
  fc.assert(property, { seed: 5, numRuns: 100 });
  const scattered = new fb.Minimizer(numbers(9000));
  const odd = numbers(9000).filter((index) => index % 2);
  scattered.enqueue(odd);
  const [probe] = scattered.ask();
  assert.deepEqual(scattered.subject(probe), odd);
  assert.ok(Object.isFrozen(probe.changes));
});

test("minimize and isolate create and run the search", async () => {
  const report = await fb.minimize("hello world", (kept) => kept.includes("w") && kept.includes("h"), { jobs: 2 });
  assert.deepEqual([report.items.join(""), report.kept], ["hw", [0, 6]]);
  assert.deepEqual(Object.keys(report).sort(), [
    "asked",
    "guarantee",
    "items",
    "kept",
    "message",
    "observations",
    "runs",
    "status",
    "warnings",
  ]);
  const [first] = report.observations;
  assert.deepEqual([first.set, first.changes, first.probe, first.outcome], ["0-10", numbers(11), 0, "pass"]);
  assert.deepEqual(JSON.parse(JSON.stringify(first)), { changes: "0-10", probe: 0, outcome: "pass" });
  assert.deepEqual(JSON.parse(JSON.stringify(new fb.Minimizer([1]).ask())), [{ id: 0, changes: "0" }]);
  const isolated = await fb.isolate(new Set([5, 6, 7, 8]), async (kept) => kept.includes(7));
  assert.deepEqual([isolated.items, isolated.difference], [[7], [2]]);
  function* some() {
    yield* [3, 1, 2];
  }
  for (const items of [some(), new Uint8Array([3, 1, 2]), new Set([3, 1, 2])]) {
    assert.deepEqual((await fb.minimize(items, (kept) => kept.includes(1))).items, [1]);
  }
  const restored = fb.Minimizer.restore(some(), new fb.Minimizer(some()).snapshot());
  assert.deepEqual((await fb.run(restored, (kept) => kept.includes(1))).items, [1]);
});

test("trees, weights, and other options are passed to the search", async () => {
  const items = numbers(6);
  const needed = holding([1]);
  // Two groups of three: 6 and 7.
  const parents = [6, 6, 6, 7, 7, 7, null, null];
  const tops = await fb.minimize(items, needed, { parents, depth: 1 });
  assert.deepEqual(tops.kept, [0, 1, 2]);
  assert.deepEqual(
    (await fb.minimize(items, needed, { parents: new Set(items), depth: undefined }).catch((e) => e)).code,
    "invalid_argument",
  );
  assert.deepEqual((await fb.minimize(items, needed, { parents })).kept, [1]);
  const failing = (kept) => (needed(kept) ? { outcome: "fail", signature: kept.length > 3 ? "E1" : "E2" } : "pass");
  const options = { keep: "fail", weights: items.map((item) => item + 1), monotonic: false };
  assert.deepEqual(
    (await fb.minimize(items, failing, { ...options, signature: "E2" }).catch((e) => e)).code,
    "not_reproduced",
  );
  assert.equal((await fb.minimize(items, failing, options)).kept.length, 4);
  const flaky = await fb.minimize(items, needed, {
    confidence: 0.95,
    flakeRate: { passes: 9, fails: 1 },
    falsePassRate: 0,
  });
  assert.deepEqual(flaky.kept, [1]);
  assert.ok(flaky.runs > new Set(flaky.observations.map(({ set }) => set)).size);
});

test("known sets are not tested, enqueued sets come first, and two outcomes are an error", () => {
  for (const Search of SEARCHES) {
    const search = new Search(numbers(8));
    search.observe(numbers(8), true);
    search.observe(new Set([1, 0]), { outcome: "fail", note: "seen before" });
    search.enqueue([2, 5]);
    assert.deepEqual(search.ask()[0].changes, [2, 5]);
    assert.deepEqual(search.eventsSince(2), [
      { event: "enqueued", changes: "2,5" },
      { event: "asked", id: 0, changes: "2,5" },
    ]);
    search.tell(0, true);
    const error = thrownBy(() => search.tell(0, false));
    assert.equal(error.code, "non_deterministic");
    assert.match(error.message, /2,5/);
    assert.ok(!drive(search, holding([2])).some((set) => ["0-7", "0-1", "2,5"].includes(set)));
    assert.equal(search.report().observations[0].probe, null);
  }
});

test("wrong input has a code and names the argument", () => {
  const search = new fb.Minimizer(numbers(8));
  const made = (options, items = numbers(3)) => {
    for (const Search of SEARCHES) assert.throws(() => new Search(items, options));
    return () => new fb.Minimizer(items, options);
  };
  const cases = [
    [made({}, []), /^items: 0 .*at least one item/],
    [made({}, 5), /^items: 5 /],
    [made({}, null), /^items: null /],
    [made({}, { length: 2 }), /^items: /],
    [made([]), /^options: /],
    [made({ algorithm: "quick" }), /^algorithm: "quick"/],
    [made({ weight: [1] }), /^options: "weight"/],
    [made({ weights: [1, 2] }), /^weights: 2 .*3 items/],
    [made({ weights: [1, 0, 2] }), /^weights\[1\]: 0/],
    [made({ weights: [1, Number.NaN, 2] }), /^weights\[1\]: NaN/],
    [made({ weights: 5 }), /^weights: 5 /],
    [made({ dependencies: { 7: [0] } }), /^dependencies: 7 .*below 3/],
    [made({ dependencies: { 0: [7] } }), /^dependencies\[0\]: 7 .*below 3/],
    [made({ dependencies: { 0: [[]] } }), /^dependencies\[0\]: /],
    [made({ dependencies: { 0: [1, 1] } }), /^dependencies\[0\]: .*duplicate/],
    [made({ dependencies: { 0: [1.5] } }), /^dependencies\[0\]\[0\]: 1.5/],
    [made({ dependencies: { 0: [["a"]] } }), /^dependencies\[0\]\[0\]\[0\]: "a"/],
    [made({ dependencies: { a: [1] } }), /^dependencies: "a"/],
    [
      made({
        dependencies: new Map([
          ["0", [1]],
          [0, [1]],
        ]),
      }),
      /^dependencies: 0 .*once/,
    ],
    [made({ dependencies: [[0]] }), /^dependencies: \[ 0 \]/],
    [made({ dependencies: "0" }), /^dependencies: "0"/],
    [made({ parents: [3] }), /^parents: 1 .*3 items/],
    [made({ parents: [1, 2, 0] }), /^parents\[0\]: .*cycle/],
    [made({ parents: [9, null, null] }), /^parents\[0\]: 9/],
    [made({ parents: ["a", null, null] }), /^parents: \["a"/],
    [made({ depth: 0 }), /^depth: 0/],
    [made({ depth: -1 }), /^depth: -1/],
    [made({ monotonic: "yes" }), /^monotonic: /],
    [made({ guarantee: "best so far" }), /^guarantee: /],
    [made({ keep: "unresolved" }), /^keep: /],
    [made({ confidence: 0.3 }), /^confidence: 0.3/],
    [made({ confidence: "sure" }), /^confidence: "sure"/],
    [made({ confidence: 0.9, flakeRate: 2 }), /^flakeRate: 2/],
    [made({ flakeRate: 0.1 }), /^flakeRate: 0.1 .*confidence/],
    [made({ falsePassRate: 0.1 }), /^falsePassRate: 0.1 .*confidence/],
    [() => search.observe([1, 1], true), /^changes: 1 .*duplicate/],
    [() => search.observe([9], true), /^changes: 9 .*below 8/],
    [() => search.observe([0.5], true), /^changes\[0\]: 0.5/],
    [() => search.observe("r0", true), /^changes: "r0"/],
    [() => search.observe(undefined, true), /^changes: undefined/],
    [() => search.enqueue([8]), /^changes: 8 .*below 8/],
    [() => search.observe([1], "passed"), /^answer: "passed"/],
  ];
  for (const [call, message] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, `${error}`);
    assert.equal(error.code, "invalid_argument", error.message);
    assert.match(error.message, message);
  }
  assert.equal(search.events.length, 0);
  const snapshot = search.snapshot();
  assert.equal(thrownBy(() => fb.Minimizer.restore(numbers(7), snapshot)).code, "snapshot");
  assert.equal(thrownBy(() => fb.Isolator.restore(numbers(8), snapshot)).code, "snapshot");
  assert.equal(thrownBy(() => fb.RegressionSearch.restore(fb.CommitGraph.linear(["a"]), snapshot)).code, "snapshot");
  assert.equal(thrownBy(() => new fb.RegressionSearch(8, { bad: "r1" })).code, "invalid_argument");
});

test("wrong options reject before any call", async () => {
  const callback = () => assert.fail("called");
  for (const options of [{ concurrency: 0 }, { journal: 5 }, { items: [] }, { budget: -1 }, { weights: [] }]) {
    for (const reduce of [fb.minimize, fb.isolate]) {
      assert.equal((await rejectionOf(reduce([1, 2], callback, options))).code, "invalid_argument");
    }
  }
  assert.match((await rejectionOf(fb.minimize([1], "true"))).message, /^interesting: "true"/);
  assert.match((await rejectionOf(fb.isolate([], callback))).message, /^items: 0/);
});

test("without the property for all items, there is nothing to reduce", async () => {
  for (const answer of [false, null]) {
    for (const reduce of [fb.minimize, fb.isolate]) {
      let calls = 0;
      const interesting = () => {
        calls++;
        return answer;
      };
      const error = await rejectionOf(reduce([1, 2, 3], interesting));
      assert.ok(error instanceof fb.FirstbadError);
      assert.equal(error.code, "not_reproduced");
      assert.match(error.message, answer === null ? /is unresolved/ : /does not hold/);
      assert.match(error.message, /3 items/);
      assert.equal(calls, 1);
    }
  }
  assert.match(
    (await rejectionOf(fb.isolate([1, 2], () => true))).message,
    /^the property holds without items, so there is no difference to find$/,
  );
  const untold = await rejectionOf(fb.isolate([1, 2], (kept) => (kept.length > 0 ? true : null)));
  assert.deepEqual([untold.code, /is unresolved/.test(untold.message)], ["not_reproduced", true]);
  const search = new fb.Minimizer([1, 2]);
  const report = await fb.run(search, () => false);
  assert.deepEqual([report.status, report.items], ["not_reproduced", [1, 2]]);
});

test("interesting gets the kept items, a signal, and the probe", async () => {
  const search = new fb.Minimizer(numbers(16));
  await fb.run(search, (kept, { signal, probe }) => {
    assert.deepEqual(kept, [...probe.changes]);
    assert.ok(signal instanceof AbortSignal && !signal.aborted);
    assert.equal(search.inFlight[0].id, probe.id);
    kept.length = 0; // It is the callback's own.
    return probe.changes.includes(11);
  });
  assert.deepEqual(search.report().kept, [11]);
});

test("parallel runs respect the limit and find the same result", async () => {
  for (const algorithm of ALGORITHMS) {
    let running = 0;
    let most = 0;
    const interesting = async (kept) => {
      most = Math.max(most, ++running);
      await sleep(0);
      running--;
      return kept.includes(3) && kept.includes(40);
    };
    const report = await fb.minimize(numbers(64), interesting, { algorithm, concurrency: 4 });
    assert.deepEqual(report.kept, [3, 40]);
    assert.ok(most > 1 && most <= 4, `${algorithm}: ${most}`);
    assert.equal(new Set(report.observations.map(({ set }) => set)).size, report.runs);
  }
});

test("useless probes are aborted and not awaited", async () => {
  for (const reduce of [fb.minimize, fb.isolate]) {
    const aborted = [];
    const interesting = async (kept, { signal, probe }) => {
      signal.addEventListener("abort", () => aborted.push(probe.set));
      if (!kept.includes(50)) await sleep(5);
      return kept.includes(50);
    };
    const report = await reduce(numbers(64), interesting, { concurrency: 4 });
    assert.deepEqual(report.items, [50]);
    assert.ok(aborted.length > 0);
    const seen = report.observations.map(({ set }) => set);
    assert.ok(aborted.every((set) => !seen.includes(set)));
  }
});

test("an error of interesting rejects with the same object and keeps outcomes", async () => {
  for (const thrown of [new TypeError("mine"), "text", null, undefined]) {
    const search = new fb.Minimizer(numbers(16));
    let calls = 0;
    const interesting = (kept) => {
      if (++calls === 4) throw thrown;
      return kept.includes(9);
    };
    const [result] = await Promise.allSettled([fb.run(search, interesting)]);
    assert.ok(result.status === "rejected" && Object.is(result.reason, thrown));
    assert.equal(search.runs, 3);
    assert.deepEqual(search.inFlight, []);
    assert.deepEqual((await fb.run(search, (kept) => kept.includes(9))).items, [9]);
    calls = 3;
    const [other] = await Promise.allSettled([fb.minimize([1, 2], async (kept) => interesting(kept))]);
    assert.ok(other.status === "rejected" && Object.is(other.reason, thrown));
  }
});

test("Retry repeats a set a limited number of times", async () => {
  const tries = new Map();
  const report = await fb.minimize(numbers(8), (kept, { probe }) => {
    tries.set(probe.set, (tries.get(probe.set) ?? 0) + 1);
    if (tries.get(probe.set) <= 3) throw new fb.Retry("no machine");
    return kept.includes(5);
  });
  assert.deepEqual(report.kept, [5]);
  assert.ok([...tries.values()].every((count) => count === 4));
  assert.equal(report.runs, tries.size);
  tries.clear();
  const twice = async (kept, { probe }) => {
    tries.set(probe.set, (tries.get(probe.set) ?? 0) + 1);
    await sleep(0);
    if (tries.get(probe.set) <= 2) throw new fb.Retry("each set has its own count");
    return kept.includes(5);
  };
  assert.deepEqual((await fb.minimize(numbers(64), twice, { concurrency: 4, retries: 2 })).kept, [5]);
  const last = new fb.Retry("still none");
  const hopeless = () => Promise.reject(last);
  assert.equal(await rejectionOf(fb.minimize([1, 2], hopeless, { retries: 1 })), last);
});

test("a used up budget gives the best result so far", async () => {
  const interesting = holding([3, 200]);
  for (const reduce of [fb.minimize, fb.isolate]) {
    const report = await reduce(numbers(256), interesting, { budget: 6 });
    assert.deepEqual([report.status, report.runs, report.guarantee], ["budget", 6, "best so far"]);
    assert.ok(interesting(report.kept));
    assert.ok(report.kept.length < 256);
  }
  const seconds = await fb.minimize([1, 2], never, { budget: { seconds: 0.03 } });
  assert.deepEqual([seconds.status, seconds.kept], ["budget", [0, 1]]);
  const stopped = new fb.Minimizer(numbers(256));
  const onProgress = ({ runs, probe }) => {
    assert.ok(probe === null || probe.changes.length <= 256);
    if (runs === 3) stopped.stop();
  };
  const report = await fb.run(stopped, interesting, { onProgress });
  assert.deepEqual([report.status, report.guarantee], ["stopped", "best so far"]);
});

test("an aborted signal rejects immediately with its reason", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  let inner;
  const interesting = (_, { signal }) => {
    inner = signal;
    return never();
  };
  const running = rejectionOf(fb.minimize([1, 2], interesting, { signal: controller.signal }));
  await tick();
  controller.abort(reason);
  assert.equal(await running, reason);
  assert.equal(inner.reason, reason);
  assert.equal(await rejectionOf(fb.isolate([1], () => true, { signal: AbortSignal.abort(reason) })), reason);
});
