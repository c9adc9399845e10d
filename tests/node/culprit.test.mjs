// The culprit of a flaky failure: `findCulprit`, `CulpritSearch`, and `search: "bayes"` for several bad revisions.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { brokenFrom, fb, fc, flakyFrom, ids, line, place, rejectionOf, thrownBy, tick, unhandled } from "./support.mjs";

const ENDS = { bad: "r100", good: "r0" };
const graph = line(101);
const search = (options = {}) => new fb.CulpritSearch(graph, { ...ENDS, flakeRate: 0.1, ...options });
const find = (oracle, options = {}) => fb.findCulprit(graph, oracle, { ...ENDS, flakeRate: 0.1, ...options });

/** Two branches between base and m, and one that branches off before m. */
const LINEAGE = {
  base: [],
  a1: ["base"],
  a2: ["a1"],
  b1: ["base"],
  b2: ["b1"],
  m: ["a2", "b2"],
  tip: ["m"],
  x1: ["b2"],
  x2: ["x1"],
};
const dag = new fb.CommitGraph(LINEAGE);
const brokenBy =
  (...culprits) =>
  (revision) =>
    !culprits.some((culprit) => dag.isAncestor(culprit, revision));

const close = (one, other, message) => assert.ok(Math.abs(one - other) <= 1e-9, `${message}: ${one} is not ${other}`);

after(async () => {
  await sleep(5);
  assert.deepEqual(unhandled, []);
});

test("sync and async oracles find a culprit, also in parallel", async () => {
  for (const concurrency of [1, 8]) {
    for (const wrap of [(answer) => answer, async (answer) => answer]) {
      const oracle = flakyFrom(70, 0.1, 5);
      const report = await find((revision) => wrap(oracle(revision)), { concurrency });
      assert.deepEqual([report.status, report.conclusion, report.reason], ["found", "culprit", "confident"]);
      assert.equal(report.culprit, "r70");
      assert.ok(report.probability >= 0.99 && report.probability < 1);
      assert.equal(report.probability, report.posterior.get("r70"));
      assert.deepEqual(report.credibleSet, [{ revision: "r70", probability: report.probability }]);
      assert.match(report.message, /r70/);
      assert.equal(report.observations.length, report.runs);
      assert.equal(report.runs, report.runs);
      close(report.flakeRate, 0.1, "the flake rate");
      assert.equal(report.falsePassRate, 0);
      const sound = report.observations.filter(({ revision }) => place(revision) < 70);
      const fails = sound.filter(({ outcome }) => outcome === "fail").length;
      assert.deepEqual(report.healthyRuns, { passes: sound.length - fails, fails });
    }
  }
});

test("a batch can contain a revision several times with different ids", async () => {
  let running = 0;
  let most = 0;
  const oracle = flakyFrom(70, 0.1, 2);
  const report = await find(
    async (revision) => {
      most = Math.max(most, ++running);
      await tick();
      running--;
      return oracle(revision);
    },
    { concurrency: 8 },
  );
  assert.equal(report.culprit, "r70");
  assert.equal(most, 8);
  assert.equal(new Set(report.observations.map(({ probe }) => probe)).size, report.runs);
  assert.ok(new Set(report.observations.map(({ revision }) => revision)).size < report.runs);
});

test("every strategy and every known rate finds the culprit", async () => {
  const options = [
    { strategy: "cdf" },
    { strategy: "expected-gain" },
    { strategy: "information" },
    { strategy: "bisect", reruns: 4 },
    { flakeRate: undefined },
    { flakeRate: "estimate" },
    { flakeRate: { passes: 90, fails: 10 } },
    { flakeRate: 0, minFlakeRate: 0.1 },
    { strategy: "information", falsePassRate: 0.05 },
    { priorNoCulprit: "uniform" },
    { priorNoCulprit: 0 },
    { confidence: 0.999999 },
    { signature: "E42" },
  ];
  for (const [seed, given] of options.entries()) {
    const report = await find(flakyFrom(33, 0.1, seed), given);
    assert.equal(report.culprit, "r33", inspect(given));
    assert.ok(report.probability >= (given.confidence ?? 0.99));
  }
});

test("a failure that does not recur is a flake", async () => {
  for (const flakeRate of [0, 0.1, "estimate"]) {
    const report = await find(() => true, { flakeRate });
    assert.deepEqual([report.status, report.conclusion, report.reason], ["not_reproduced", "flake", "confident"]);
    assert.equal(report.culprit, null);
    assert.equal(report.probability, report.noCulprit);
    assert.ok(report.probability >= 0.99);
    assert.equal(report.credibleSet[0].revision, null);
    assert.match(report.message, /flake/);
  }
});

test("a used up budget is inconclusive, and a larger one resumes", async () => {
  const driven = search();
  for (const budget of [4, { runs: 4 }]) {
    const report = await fb.run(driven, flakyFrom(70, 0.1), { budget });
    assert.deepEqual([report.status, report.conclusion, report.reason], ["budget", "inconclusive", "budget"]);
    assert.deepEqual([report.culprit, report.runs], [null, 4]);
    const together = report.credibleSet.reduce((sum, { probability }) => sum + probability, 0);
    assert.ok(together >= 0.99);
    assert.equal(report.probability, report.credibleSet[0].probability);
    assert.ok(report.credibleSet.some(({ revision }) => revision === "r70"));
  }
  const priced = await find((revision) => ({ outcome: "fail", cost: place(revision) }), { budget: { cost: 150 } });
  assert.equal(priced.status, "budget");
  const report = await fb.run(driven, flakyFrom(70, 0.1), { budget: 1000 });
  assert.equal(report.culprit, "r70");
});

test("unresolved revisions are reported as a set", async () => {
  const block = (revision) => (place(revision) >= 40 && place(revision) < 70 ? null : place(revision) < 50);
  for (const choose of ["cdf", "information"]) {
    const report = await find(block, { strategy: choose });
    assert.deepEqual([report.status, report.conclusion, report.reason], ["ambiguous", "inconclusive", "inseparable"]);
    const expected = ids(101).slice(40, 71);
    assert.deepEqual(report.credibleSet.map(({ revision }) => revision).sort(), expected.sort());
    const asked = report.observations.map(({ revision }) => revision).filter((revision) => block(revision) === null);
    assert.equal(new Set(asked).size, asked.length);
  }
});

test("conclusions are verified, and wrong rates are reported", async () => {
  const oracle = (revision) => place(revision) < 70;
  const found = await fb.findCulprit(graph, oracle, { ...ENDS, flakeRate: 0 });
  assert.deepEqual(
    [found.culprit, found.verified, found.ratesConsistent, found.failureStreak],
    ["r70", true, true, null],
  );
  const later = await fb.findCulprit(graph, oracle, { ...ENDS, flakeRate: 0, verify: false });
  assert.deepEqual([later.culprit, later.verified], ["r70", false]);
  assert.ok(later.runs < found.runs);
  const search = new fb.CulpritSearch(graph, { ...ENDS, flakeRate: 0 });
  search.observe("r60", false);
  search.observe("r80", true);
  assert.deepEqual([search.status, search.report().ratesConsistent], ["running", false]);
  assert.match(search.report().message, /The given rates do not fit the outcomes: /);
});

test("impossible outcomes at rate 0 are contradictory and kept", () => {
  for (const [on, early, late] of [
    [graph, "r60", "r80"],
    [dag, "b1", "m"],
  ]) {
    const ends = on === graph ? ENDS : { bad: "tip", good: "base" };
    const driven = new fb.CulpritSearch(on, { ...ends, flakeRate: 0, verify: false });
    driven.observe(early, false);
    driven.observe(late, true);
    assert.equal(driven.status, "contradictory");
    assert.deepEqual(driven.ask(), []);
    const report = driven.report();
    assert.deepEqual([report.conclusion, report.reason, report.culprit], ["inconclusive", "contradictory", null]);
    assert.equal(report.observations.length, 2);
    assert.match(report.message, /try flakeRate: "estimate".*findRegressions with search: "bayes"/);
    driven.undo();
    // The failure leaves one suspect, because no revision is between it and the good revision. The good revision must
    // pass before the culprit is reported.
    assert.equal(driven.status, "running");
    const [missing] = driven.report().missing;
    assert.deepEqual(missing, on === graph ? undefined : { revision: "base", outcome: "pass" });
    if (on === dag) driven.observe("base", true);
    assert.equal(driven.status, on === graph ? "running" : "found");
  }
});

test("side branches and the trunk are distinguished", async () => {
  for (const culprit of ["a1", "a2", "b1", "b2", "m", "tip"]) {
    for (const flakeRate of [0.1, "estimate"]) {
      const report = await fb.findCulprit(LINEAGE, brokenBy(culprit), { bad: "tip", flakeRate, concurrency: 2 });
      assert.equal(report.culprit, culprit);
      assert.deepEqual([...report.posterior.keys()].sort(), ["a1", "a2", "b1", "b2", "m", "tip"]);
    }
  }
});

test("counts are equivalent to single runs and need no outcome", () => {
  const [counted, single] = [search(), search()];
  counted.observe("r50", { passes: 2, fails: 3 });
  counted.observe("r60", { fails: 2 });
  counted.observe("r40", { outcome: "pass", passes: 1, fails: 1 });
  for (const [revision, passes, fails] of [
    ["r50", 2, 3],
    ["r60", 0, 2],
    ["r40", 1, 1],
  ]) {
    for (let run = 0; run < passes + fails; run++) single.observe(revision, run < passes);
  }
  const report = counted.report();
  // The search did not ask for these outcomes.
  assert.deepEqual([report.runs, report.asked], [0, 0]);
  assert.deepEqual(
    report.observations.map(({ passes = 0, fails = 0 }) => [passes, fails]),
    [
      [2, 3],
      [0, 2],
      [1, 1],
    ],
  );
  assert.deepEqual(
    counted.events.map(({ observation }) => observation.outcome),
    ["unresolved", "fail", "pass"],
  );
  for (const [id, probability] of counted.posterior) close(probability, single.posterior.get(id), id);
});

test("progress shows the outcome of counts", async () => {
  const seen = [];
  const onProgress = ({ observation }) => observation && seen.push(observation);
  const oracle = (revision) => (place(revision) < 33 ? { passes: 3 } : { fails: 3, note: "x" });
  const report = await find(oracle, { onProgress });
  assert.equal(report.culprit, "r33");
  // An outcome with counts is one run of the oracle.
  assert.deepEqual([report.runs, report.asked], [seen.length, seen.length]);
  assert.ok(report.observations.every(({ passes = 0, fails = 0 }) => passes + fails === 3));
  assert.deepEqual(new Set(seen.map(({ outcome }) => outcome)), new Set(["pass", "fail"]));
});

test("a posterior is a Map and does not change later", () => {
  const driven = search();
  const before = driven.report().posterior;
  assert.ok(before instanceof fb.Posterior);
  assert.equal(before.size, 100);
  assert.deepEqual(
    [before.has("r1"), before.has("r100"), before.has("r0"), before.has("zz")],
    [true, true, false, false],
  );
  assert.deepEqual([before.get("r0"), before.get("zz"), before.get(5)], [undefined, undefined, undefined]);
  const all = [...before];
  assert.deepEqual([...before.entries()], all);
  assert.deepEqual([...before.keys()], ids(101).slice(1));
  assert.deepEqual(
    [...before.values()],
    all.map(([, probability]) => probability),
  );
  const visited = [];
  before.forEach(
    function (probability, id, posterior) {
      assert.equal(posterior, before);
      visited.push([id, probability, this.mine]);
    },
    { mine: 1 },
  );
  assert.deepEqual(
    visited,
    all.map(([id, probability]) => [id, probability, 1]),
  );
  assert.deepEqual(new Map(before), new Map(all));
  assert.match(inspect(before), /^Posterior\(100\) \{ no culprit => 0\.4, 'r1' => 0\.006, .* 96 more \}$/);
  close(before.noCulprit, 0.4, "no culprit");

  driven.observe("r50", true);
  assert.deepEqual([...before], all);
  assert.equal(before.get("r1"), all[0][1]);
  const now = driven.posterior;
  assert.equal(now.get("r1"), 0);
  assert.ok(now.get("r51") > before.get("r51"));
  assert.equal(before.set, undefined);
});

test("credible sets have the fewest hypotheses, up to the maximum", () => {
  const { posterior } = search({ prior: { r3: 100 } }).report();
  assert.deepEqual(posterior.credibleSet(0.3), [{ revision: null, probability: posterior.noCulprit }]);
  assert.deepEqual(
    posterior.credibleSet(0.5).map(({ revision }) => revision),
    [null, "r3"],
  );
  assert.equal(posterior.credibleSet(1).length, 101);
  const written = JSON.parse(posterior.toJson(2));
  assert.deepEqual([written.suspects, written.no_culprit], [posterior.size, posterior.noCulprit]);
  assert.equal(written.likeliest.length, 2);
  const [{ revision, probability }] = written.likeliest;
  assert.equal(probability, posterior.get(revision));
  const { likeliest, suspects, noCulprit } = JSON.parse(JSON.stringify({ posterior })).posterior;
  assert.deepEqual(
    [likeliest[0], suspects, noCulprit],
    [{ revision, probability }, posterior.size, posterior.noCulprit],
  );
  // Revisions with the probability 0 are not listed.
  assert.ok(likeliest.every(({ probability }) => probability > 0));
  assert.throws(() => posterior.toJson(0), /limit/);
  assert.equal(posterior.credibleSet(0.99, 7).length, 7);
  assert.deepEqual(posterior.credibleSet(), posterior.credibleSet(0.99));
  for (const level of [0, -1, 1.1, Number.NaN, "1"]) {
    assert.equal(thrownBy(() => posterior.credibleSet(level)).code, "invalid_argument");
  }
  for (const most of [0, 1.5, "1"]) {
    assert.equal(thrownBy(() => posterior.credibleSet(0.5, most)).code, "invalid_argument");
  }
});

test("priors and costs can be a Map, an object, or pairs", async () => {
  const builds = fb.CommitGraph.linear(["8", "9", "10", "11", "12"]);
  const pairs = [
    ["12", 1],
    ["9", 3],
    ["11", 2],
  ];
  const posteriors = [new Map(pairs), Object.fromEntries(pairs), pairs, new Map(pairs).entries()].map((prior) => {
    return [...new fb.CulpritSearch(builds, { bad: "12", prior, costs: { 10: 2 } }).posterior];
  });
  for (const posterior of posteriors) assert.deepEqual(posterior, posteriors[0]);
  const [nine, ten, eleven, twelve] = posteriors[0].map(([, probability]) => probability);
  for (const [probability, expected] of [
    [nine, 3],
    [ten, 1],
    [eleven, 2],
    [twelve, 1],
  ]) {
    close(probability, (0.6 * expected) / 7, expected);
  }
  // A posterior is a prior for a later search.
  const earlier = search();
  earlier.observe("r50", false);
  const later = search({ prior: earlier.posterior, priorNoCulprit: earlier.posterior.noCulprit });
  for (const [id, probability] of earlier.posterior) close(later.posterior.get(id), probability, id);
});

test("costs influence the choice", () => {
  const first = (costs) => search({ costs }).ask()[0].revision;
  const usual = first(undefined);
  assert.notEqual(first({ [usual]: 1000 }), usual);
});

test("errors of an oracle are the same objects, and outcomes are kept", async () => {
  const error = { any: "object" };
  const driven = search();
  let calls = 0;
  const failing = (revision) => {
    if (++calls === 4) throw error;
    return flakyFrom(70, 0)(revision);
  };
  assert.equal(await rejectionOf(fb.run(driven, failing)), error);
  assert.equal(driven.runs, 3);
  assert.equal((await fb.run(driven, flakyFrom(70, 0))).culprit, "r70");
  const retry = new fb.Retry("no machine");
  assert.equal(await rejectionOf(find(() => Promise.reject(retry))), retry);
});

test("only consecutive retries count", async () => {
  const oracle = flakyFrom(70, 0.3, 3);
  let calls = 0;
  const report = await find(
    (revision) => {
      if (++calls % 2 === 1) throw new fb.Retry();
      return oracle(revision);
    },
    { flakeRate: 0.3, confidence: 0.99999, retries: 1 },
  );
  assert.equal(report.culprit, "r70");
  assert.equal(calls, 2 * report.runs);
});

test("an AbortSignal ends the run immediately with its reason", async () => {
  const controller = new AbortController();
  let calls = 0;
  const oracle = (revision) => {
    if (++calls > 4) return new Promise(() => {});
    return flakyFrom(70, 0)(revision);
  };
  const running = rejectionOf(find(oracle, { signal: controller.signal, concurrency: 3 }));
  await sleep(1);
  controller.abort("enough");
  assert.equal(await running, "enough");
  assert.equal(await rejectionOf(find(() => assert.fail(), { signal: AbortSignal.abort("before") })), "before");
});

test("undo removes evidence and can change the result", () => {
  const driven = search();
  const [{ id }] = driven.ask();
  const before = [...driven.posterior];
  driven.tell(id, true);
  driven.undo();
  assert.deepEqual([...driven.posterior], before);
  driven.tell(id, false);
  assert.equal(thrownBy(() => driven.tell(id, true)).code, "contradiction");
  driven.tell(id, false);
  assert.equal(driven.runs, 1);
});

test("a restored search continues with its probes in flight", () => {
  const property = fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 12 }), (first, told) => {
    const one = search({ prior: { r7: 2 }, costs: { r9: 2 }, flakeRate: "estimate" });
    const oracle = flakyFrom(first, 0.1, told);
    for (let n = 0; n < told && !one.done; n++) {
      for (const { id, revision } of one.ask()) one.tell(id, oracle(revision));
    }
    one.ask(2);
    const snapshot = one.snapshot();
    const other = fb.CulpritSearch.restore(graph, snapshot);
    assert.ok(other instanceof fb.CulpritSearch);
    assert.equal(other.snapshot(), snapshot);
    assert.deepEqual(other.inFlight, one.inFlight);
    assert.deepEqual([...other.posterior], [...one.posterior]);
    assert.deepEqual(other.ask(3), one.ask(3));
  });
  fc.assert(property, { seed: 5, numRuns: 20 });
  const snapshot = search().snapshot();
  assert.equal(thrownBy(() => fb.RegressionSearch.restore(graph, snapshot)).code, "snapshot");
  assert.equal(thrownBy(() => fb.CulpritSearch.restore(line(9), snapshot)).code, "snapshot");
});

/** Suspects are the last revision and its ancestors that are not ancestors of the first revision. */
function bayes(parents, observations, { flake, falsePass, none, weights }) {
  const breaks = (culprit, revision) =>
    culprit === revision || parents[revision].some((parent) => breaks(culprit, parent));
  const last = parents.length - 1;
  const suspects = [...parents.keys()].filter((node) => node > 0 && breaks(node, last));
  const likelihood = (isBroken) =>
    observations.reduce((product, [node, passes, fails]) => {
      const fail = isBroken(node) ? 1 - falsePass : flake;
      return product * (1 - fail) ** passes * fail ** fails;
    }, 1);
  const total = suspects.reduce((sum, node) => sum + weights[node], 0);
  const joint = suspects.map(
    (suspect) => ((1 - none) * weights[suspect] * likelihood((node) => breaks(suspect, node))) / total,
  );
  const nobody = none * likelihood(() => false);
  const all = joint.reduce((sum, part) => sum + part, nobody);
  return { suspects, posterior: joint.map((part) => part / all), noCulprit: nobody / all };
}

const rate = fc.integer({ min: 1, max: 45 }).map((percent) => percent / 100);
const facts = fc.record({
  flake: rate,
  falsePass: fc.oneof(fc.constant(0), rate),
  none: fc.integer({ min: 0, max: 9 }).map((tenths) => tenths / 10),
});
const count = fc.integer({ min: 0, max: 3 });

/** A history with its parents, and runs of suspects. */
const history = (makeParents) =>
  fc.integer({ min: 2, max: 9 }).chain((size) =>
    fc.record({
      parents: makeParents(size),
      weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: size, maxLength: size }),
      runs: fc.array(fc.tuple(fc.nat(), count, count), { maxLength: 7 }),
      facts,
    }),
  );

const lists = history((size) => fc.constant(Array.from({ length: size }, (_, node) => (node ? [node - 1] : []))));
const graphs = history((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, node) =>
      node === 0
        ? fc.constant([])
        : fc.uniqueArray(fc.integer({ min: 0, max: node - 1 }), { minLength: 1, maxLength: 2 }),
    ),
  ),
);

/** Returns the search with all runs observed, and the result of Bayes' rule if any hypothesis fits. */
function both({ parents, weights, runs, facts }, order = (observations) => observations) {
  const names = parents.map((of, node) => [`r${node}`, of.map((parent) => `r${parent}`)]);
  const given = { ...facts, weights };
  const { suspects } = bayes(parents, [], given);
  const observations = runs.map(([node, passes, fails]) => [suspects[node % suspects.length], passes, fails]);
  const expected = bayes(parents, observations, given);
  fc.pre(!Number.isNaN(expected.noCulprit));
  const driven = new fb.CulpritSearch(new fb.CommitGraph(names), {
    bad: `r${parents.length - 1}`,
    good: "r0",
    flakeRate: facts.flake,
    falsePassRate: facts.falsePass,
    priorNoCulprit: facts.none,
    prior: suspects.map((node) => [`r${node}`, weights[node]]),
    verify: false,
  });
  for (const [node, passes, fails] of order(observations)) driven.observe(`r${node}`, { passes, fails });
  return { posterior: driven.posterior, expected };
}

for (const [kind, histories] of [
  ["a list", lists],
  ["a graph", graphs],
]) {
  test(`on ${kind}, the posterior follows Bayes' rule and sums to 1 with "no culprit"`, () => {
    const property = fc.property(histories, (given) => {
      const { posterior, expected } = both(given);
      assert.deepEqual([...posterior.keys()].sort(), expected.suspects.map((node) => `r${node}`).sort());
      for (const [at, node] of expected.suspects.entries()) {
        close(posterior.get(`r${node}`), expected.posterior[at], `r${node}`);
      }
      close(posterior.noCulprit, expected.noCulprit, "no culprit");
      close(
        [...posterior.values()].reduce((sum, probability) => sum + probability, posterior.noCulprit),
        1,
        "the sum",
      );
    });
    fc.assert(property, { seed: 17, numRuns: 150 });
  });

  test(`on ${kind}, the order of observations does not matter`, () => {
    const property = fc.property(histories, (given) => {
      const forwards = both(given).posterior;
      const backwards = both(given, (observations) => observations.toReversed()).posterior;
      for (const [id, probability] of forwards) close(probability, backwards.get(id), id);
      close(forwards.noCulprit, backwards.noCulprit, "no culprit");
    });
    fc.assert(property, { seed: 19, numRuns: 60 });
  });
}

test("with an unknown rate, the posterior sums to 1", () => {
  const property = fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean())), (seen) => {
    const driven = search({ flakeRate: "estimate" });
    for (const [node, passes] of seen) driven.observe(`r${node}`, passes);
    const { posterior } = driven;
    close(
      [...posterior.values()].reduce((sum, probability) => sum + probability, posterior.noCulprit),
      1,
      "the sum",
    );
  });
  fc.assert(property, { seed: 23, numRuns: 60 });
});

test("invalid input is rejected with the argument, the value, and the expected value", () => {
  const cases = [
    [{ bad: [] }, /^bad: \[\] .*exactly one/],
    [{ bad: ["r99", "r100"] }, /^bad: .*exactly one/],
    [{ bad: "r0", good: undefined }, /^bad: "r0" .*root/],
    [{ good: "r100" }, /^good: "r100" .*before bad/],
    [{ bad: "r50", good: "r70" }, /^good: "r70" .*ancestor of bad/],
    [{ flakeRate: Number.NaN }, /^flakeRate: NaN .*a rate in \[0, 1\).*estimate/],
    [{ flakeRate: 1 }, /^flakeRate: 1.* a rate in \[0, 1\)/],
    [{ flakeRate: -0.1 }, /^flakeRate: -0\.1 .*a rate in \[0, 1\)/],
    [{ flakeRate: "often" }, /^flakeRate: "often" .*estimate/],
    [{ flakeRate: true }, /^flakeRate: true /],
    [{ flakeRate: { passes: -1, fails: 2 } }, /^flakeRate\.passes: -1 .*whole number/],
    [{ flakeRate: { pass: 1 } }, /^flakeRate: "pass" .*passes, fails/],
    [{ minFlakeRate: Number.NaN }, /^minFlakeRate: NaN .*a finite number/],
    [{ minFlakeRate: 1 }, /^minFlakeRate: 1.* a rate in \[0, 1\)/],
    [{ falsePassRate: 2 }, /^falsePassRate: 2.* a rate in \[0, 1\)/],
    [{ falsePassRate: "never" }, /^falsePassRate: "never" /],
    [{ confidence: 1 }, /^confidence: 1.* below 1/],
    [{ confidence: Number.POSITIVE_INFINITY }, /^confidence: Infinity /],
    [{ priorNoCulprit: 1 }, /^priorNoCulprit: 1.*\[0, 1\), or "uniform"/],
    [{ priorNoCulprit: Number.NaN }, /^priorNoCulprit: NaN .*a finite number/],
    [{ priorNoCulprit: "none" }, /^priorNoCulprit: "none" .*"uniform"/],
    [{ prior: { r5: -1 } }, /^prior\["r5"\]: -1.* 0 or above/],
    [{ prior: { r5: Number.NaN } }, /^prior\["r5"\]: NaN .*finite weight/],
    [{ prior: new Map([["r5", "1"]]) }, /^prior\["r5"\]: "1" .*finite weight/],
    [{ prior: ["r5", 1] }, /^prior: "r5" .*pairs/],
    [
      {
        prior: [
          ["r5", 1],
          ["r5", 2],
        ],
      },
      /^prior: "r5" .*once/,
    ],
    [{ prior: 1 }, /^prior: 1 .*Map/],
    [{ prior: { zz: 1 } }, /^prior: unknown revision "zz"/, "unknown_revision"],
    [{ prior: ids(101).map((id) => [id, 0]) }, /^prior: .*above 0/],
    [{ costs: { r5: 0 } }, /^costs\["r5"\]: 0.* above 0/],
    [{ costs: { r5: null } }, /^costs\["r5"\]: null .*finite cost/],
    [{ strategy: "best" }, /^strategy: "best" .*information/],
    [{ strategy: "bisect", reruns: 0 }, /^reruns: 0 .*1 or above/],
    [{ strategy: "bisect", reruns: 1.5 }, /^reruns: 1\.5 .*whole number/],
    [{ reruns: 3 }, /^reruns: 3 .*bisect/],
    [{ signature: 5 }, /^signature: 5 .*string/],
    [{ flake_rate: 0.1 }, /^options: "flake_rate" .*flakeRate/],
    [{ bad: "zz" }, /^bad: unknown revision "zz"/, "unknown_revision"],
  ];
  for (const [options, message, code = "invalid_argument"] of cases) {
    const error = thrownBy(() => search(options));
    assert.ok(error instanceof fb.FirstbadError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
  }
  assert.equal(thrownBy(() => new fb.CulpritSearch(graph, 5)).code, "invalid_argument");
  assert.equal(thrownBy(() => new fb.CulpritSearch(graph)).code, "invalid_argument");
});

test("findCulprit rejects unknown options before any call", async () => {
  const oracle = () => assert.fail("asked");
  for (const options of [{ concurency: 2 }, { concurrency: 0 }, { budget: -1 }, { journal: 5 }, { find: "fix" }]) {
    assert.equal((await rejectionOf(find(oracle, options))).code, "invalid_argument");
  }
  assert.equal((await rejectionOf(fb.findCulprit(graph, "oracle", ENDS))).code, "invalid_argument");
  assert.equal((await rejectionOf(fb.findCulprit(graph, oracle))).code, "invalid_argument");
});

test("invalid observations are rejected with the invalid part", () => {
  const cases = [
    [{ passes: -1 }, /^answer\.passes: -1 .*whole number/],
    [{ fails: 0.5 }, /^answer\.fails: 0\.5 .*whole number/],
    [{ passes: "3" }, /^answer\.passes: "3" /],
    [{ outcome: "pass", passes: 0, fails: 2 }, /outcome/],
    [{ outcome: "ok", passes: 1 }, /^answer\.outcome: "ok" .*"pass"/],
    [{ note: "x" }, /^answer: .*outcome or counts/],
    [{ outcome: "pass", started: Number.NaN }, /^answer\.started: NaN .*finite/],
    [{ outcome: "pass", ended: -1 }, /^answer\.ended: -1 .*0 or above/],
    [{ outcome: "pass", started: 5, ended: 4 }, /ended: 4.*started/],
    [{ outcome: "pass", signals: { deep: [1, { er: Number.NaN }] } }, /^answer\.signals\.deep\[1\]\.er: NaN /],
    [{ outcome: "pass", signals: () => {} }, /^answer\.signals: /],
    [{ outcome: "pass", outcom: 1 }, /^answer: "outcom" .*outcome/],
  ];
  for (const [answer, message] of cases) {
    const driven = search();
    const error = thrownBy(() => driven.observe("r5", answer));
    assert.equal(error.code, "invalid_argument", error.message);
    assert.match(error.message, message);
    assert.equal(driven.events.length, 0);
  }
  const driven = search();
  driven.observe("r5", { outcome: "pass", started: 1.5, ended: 2 });
  const { started, ended } = driven.report().observations[0];
  assert.deepEqual([started, ended], [1.5, 2]);
});

test("one run handles several bad branches, merges, and a flaky test", async () => {
  for (const culprits of [["b2"], ["m", "x1"], ["a1", "x2"]]) {
    for (const given of [{ flakeRate: 0.1 }, { minFlakeRate: 0.01, confidence: 0.999, concurrency: 3 }]) {
      const options = { bad: ["tip", "x2"], good: "base", search: "bayes", ...given };
      const report = await fb.findRegressions(LINEAGE, brokenBy(...culprits), options);
      assert.equal(report.status, "found", report.message);
      assert.deepEqual(report.points.map(({ bad }) => bad).sort(), culprits);
      for (const { probability } of report.points) assert.ok(probability >= (given.confidence ?? 0.99));
    }
  }
  const flake = await fb.findRegressions(LINEAGE, () => true, { bad: ["tip", "x2"], search: "bayes" });
  assert.equal(flake.status, "not_reproduced");
});

test("without the Bayesian search, there is no probability and no flake rate", async () => {
  const report = await fb.findRegressions(line(9), brokenFrom(4), { bad: "r8" });
  assert.equal(report.points[0].probability, null);
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(report.points[0]))), Object.keys(report.points[0]));
  for (const options of [{ flakeRate: 0.1 }, { confidence: 0.9 }, { search: "bayes", flakeRate: 2 }]) {
    const error = thrownBy(() => new fb.RegressionSearch(line(9), { bad: "r8", ...options }));
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, /^(flakeRate|confidence): /);
  }
});
