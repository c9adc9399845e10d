import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenFrom, fb, fc, line, place, thrownBy } from "./support.mjs";

const search = (options = {}) => new fb.RegressionSearch(line(16), { bad: "r15", good: "r0", ...options });

/** Drives a search with the ask/tell interface. */
function drive(driven, oracle) {
  while (!driven.done) for (const { id, revision } of driven.ask()) driven.tell(id, oracle(revision));
  return driven.report();
}

test("ask and tell find the regression", () => {
  const driven = search();
  const report = drive(driven, brokenFrom(9));
  assert.equal(driven.status, "found");
  assert.equal(report.status, "found");
  assert.equal(report.points.length, 1);
  const [point] = report.points;
  assert.deepEqual([point.good, point.bad, point.parentsPass], ["r8", "r9", true]);
  assert.deepEqual([point.leaves, point.distances], [["r15"], [6]]);
  assert.deepEqual(point.candidates, []);
  assert.deepEqual(point.unresolvedParents, []);
  assert.equal(report.runs, driven.runs);
  assert.equal(report.observations.length, report.runs);
  assert.deepEqual(Object.keys(report.observations[0]), ["revision", "probe", "outcome"]);
});

test("every outcome is explained", async () => {
  const driven = search({ search: "binary" });
  const report = drive(driven, brokenFrom(9));
  const explained = driven.explain();
  assert.deepEqual(report.explain(), explained);
  assert.deepEqual(
    explained.map(({ run, revision, outcome }) => [run, revision, outcome]),
    report.observations.map(({ revision, outcome }, place) => [place + 1, revision, outcome]),
  );
  const [first] = explained;
  const why = "it is the bad revision";
  assert.equal(first.message, `run 1: r15 fails. Tested because ${why}. It ruled out no suspect, and 15 are left`);
  assert.deepEqual([first.changes, first.reason, first.suspectsBefore, first.best], [null, why, 15, first.best]);
  assert.deepEqual([explained.at(-1).suspectsAfter, explained.at(-1).best], [0, "the culprit is r9"]);
  assert.ok(!Object.keys(report).includes("explain"));
  const read = fb.RegressionSearch.reportFromJson(report.toJson());
  assert.match(thrownBy(() => read.explain()).message, /^report: .* is not valid; expected a report with its search/);
  const kept = await fb.minimize([..."abcd"], (items) => items.includes("c"));
  assert.equal(kept.explain()[0].message, "run 1: with changes 0-3, the test passes. 4 of 4 items are kept so far");
});

test("every form of an outcome is accepted", () => {
  const forms = [
    ["pass", [true, "pass", { outcome: "pass" }, { outcome: "pass", note: null, seconds: undefined }]],
    ["fail", [false, "fail", { outcome: "fail", signals: { any: ["json", 1] } }]],
    ["unresolved", [undefined, null, "unresolved", { outcome: "unresolved", note: "does not build" }]],
  ];
  for (const [outcome, answers] of forms) {
    for (const answer of answers) {
      const driven = search();
      driven.tell(driven.ask()[0].id, answer);
      assert.equal(driven.events[1].observation.outcome, outcome);
      const other = search();
      other.observe("r5", answer);
      assert.equal(other.events[0].observation.outcome, outcome);
    }
  }
});

test("the stage is part of an outcome, and the memory is not", () => {
  const driven = search();
  const [{ id }] = driven.ask();
  driven.tell(id, { outcome: "unresolved", stage: "build", memory: 2 ** 40 });
  driven.tell(id, { outcome: "unresolved", stage: "build", memory: 8 });
  driven.tell(id, null);
  // An unresolved outcome at this stage says nothing about the revision.
  driven.tell(id, { outcome: "unresolved", stage: "setup" });
  const failing = search();
  const [probe] = failing.ask();
  failing.tell(probe.id, { outcome: "fail", stage: "build" });
  const error = thrownBy(() => failing.tell(probe.id, { outcome: "fail", stage: "test" }));
  assert.deepEqual([error.code, /stage build.*fail/.test(error.message)], ["contradiction", true]);
  assert.deepEqual(driven.events[1].observation, { outcome: "unresolved", stage: "build", memory: 2 ** 40 });
  for (const stage of ["patch", "setup", "configure", "build", "test", "control"]) {
    const other = search();
    other.observe("r5", { outcome: "fail", stage });
    assert.deepEqual(other.events[0].observation, { outcome: "fail", stage });
  }
});

test("an invalid outcome is rejected with its value, and nothing is told", () => {
  const bad = [5, "passed", "PASS", {}, [], { outcome: "ok" }, () => true, Number.NaN, 0n, Symbol("s")];
  const parts = [
    { note: 5 },
    { passes: -1 },
    { passes: 0.5 },
    { seconds: -1 },
    { cost: Number.NaN },
    { metric: Number.POSITIVE_INFINITY },
    { signals: 1n },
    { stage: "link" },
    { memory: -1 },
    { memory: 0.5 },
    { unknown: 1 },
  ];
  const answers = [...bad, ...parts.map((part) => ({ outcome: "pass", ...part }))];
  for (const answer of answers) {
    const driven = search();
    const [{ id }] = driven.ask();
    const error = thrownBy(() => driven.tell(id, answer));
    assert.ok(error instanceof fb.FirstbadError, String(error));
    assert.equal(error.code, "invalid_argument", error.message);
    assert.equal(driven.runs, 0);
    assert.equal(thrownBy(() => driven.observe("r5", answer)).code, "invalid_argument");
  }
  const driven = search();
  assert.match(thrownBy(() => driven.tell(driven.ask()[0].id, "passed")).message, /"passed"/);
});

test("an outcome can be told twice but not changed", () => {
  const driven = search();
  const [{ id }] = driven.ask();
  driven.tell(id, true);
  driven.tell(id, "pass");
  const error = thrownBy(() => driven.tell(id, false));
  assert.equal(error.code, "contradiction");
  assert.match(error.message, /pass.*fail/);
  assert.equal(driven.runs, 1);
});

test("probes can be abandoned, enqueued, and undone", () => {
  const driven = search();
  const [probe] = driven.ask();
  assert.deepEqual(driven.inFlight, [probe]);
  assert.equal(driven.wanted(probe.id), true);
  driven.abandon(probe.id);
  assert.deepEqual(driven.inFlight, []);
  driven.enqueue("r3");
  const [next] = driven.ask();
  assert.equal(next.revision, "r3");
  driven.tell(next.id, false);
  assert.equal(driven.runs, 1);
  driven.undo();
  assert.equal(driven.runs, 0);
  assert.equal(thrownBy(() => driven.undo(5)).code, "invalid_argument");
});

test("wrong ids, revisions and numbers have codes", () => {
  const driven = search();
  const cases = [
    [() => driven.tell(99, true), "unknown_probe"],
    [() => driven.wanted(99), "unknown_probe"],
    [() => driven.abandon(99), "unknown_probe"],
    [() => driven.tell(-1, true), "invalid_argument"],
    [() => driven.tell("0", true), "invalid_argument"],
    [() => driven.observe("zz", true), "unknown_revision"],
    [() => driven.enqueue("zz"), "unknown_revision"],
    [() => driven.ask(0), "invalid_argument"],
    [() => driven.ask(1.5), "invalid_argument"],
    [() => driven.ask("2"), "invalid_argument"],
    [() => driven.stop("tired"), "invalid_argument"],
    [() => driven.setBudget(-1), "invalid_argument"],
    [() => driven.setBudget({ seconds: 1 }), "invalid_argument"],
    [() => driven.setBudget({ rums: 1 }), "invalid_argument"],
    [() => driven.apply({ event: "slept" }), "invalid_argument"],
    [() => driven.apply({ event: "asked", id: 7, revision: "r3" }), "snapshot"],
    [() => fb.RegressionSearch.restore(line(16), "{}"), "snapshot"],
    [() => new fb.RegressionSearch({ a: [] }, { bad: "a" }), "invalid_argument"],
    [() => search({ bad: "zz" }), "unknown_revision"],
    [() => search({ bad: [] }), "invalid_argument"],
    [() => search({ bad: [7] }), "invalid_argument"],
    [() => search({ search: "quick" }), "invalid_argument"],
    [() => search({ test_endpoints: true }), "invalid_argument"],
    [() => search({ checkParents: "yes" }), "invalid_argument"],
    [() => search({ confidence: 1n }), "invalid_argument"],
    [() => search({ bad: "r0", good: "r15" }), "invalid_argument"],
  ];
  for (const [call, code] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, `${call}: ${error}`);
    assert.equal(error.code, code, `${call}: ${error.message}`);
  }
});

test("options that are undefined or null keep their defaults", () => {
  const driven = search({ propagate: null, signature: undefined, checkParents: undefined, testEndpoints: null });
  assert.equal(drive(driven, brokenFrom(4)).points[0].bad, "r4");
});

test("a budget ends the search, and a larger one resumes it", () => {
  const driven = search({ search: "linear" });
  driven.setBudget(2);
  drive(driven, brokenFrom(3));
  assert.equal(driven.status, "budget");
  assert.equal(driven.runs, 2);
  driven.setBudget({ runs: 100 });
  assert.equal(driven.status, "running");
  driven.stop();
  assert.equal(driven.status, "stopped");
});

test("a restored search continues with its probes in flight", () => {
  const property = fc.property(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 4 }), (first, told) => {
    const one = search();
    for (let n = 0; n < told && !one.done; n++) {
      const [{ id, revision }] = one.ask();
      one.tell(id, brokenFrom(first)(revision));
    }
    one.ask(2);
    const snapshot = one.snapshot();
    const other = fb.RegressionSearch.restore(line(16), snapshot);
    assert.equal(other.snapshot(), snapshot);
    assert.deepEqual(other.inFlight, one.inFlight);
    const replayed = search();
    for (const event of one.events) replayed.apply(event);
    assert.equal(replayed.snapshot(), snapshot);
    for (const each of [one, other, replayed]) {
      for (const { id, revision } of each.inFlight) each.tell(id, brokenFrom(first)(revision));
      assert.equal(place(drive(each, brokenFrom(first)).points[0].bad), first);
    }
    assert.equal(other.snapshot(), one.snapshot());
    assert.deepEqual(one.eventsSince(1), one.events.slice(1));
  });
  fc.assert(property, { seed: 11, numRuns: 60 });
});

test("a snapshot of another history is rejected", () => {
  const snapshot = search().snapshot();
  assert.equal(thrownBy(() => fb.RegressionSearch.restore(line(17), snapshot.replace("r15", "r16"))).code, "snapshot");
});

test("advice in messages has the option names of Node", () => {
  const graph = fb.CommitGraph.linear(["a", "b", "c"]);
  const error = thrownBy(() => new fb.RegressionSearch(graph, { bad: "c", flakeRate: 0.1 }));
  assert.match(error.message, /^flakeRate: 0.1 is not valid; expected nothing, or search: "bayes"/);
  const two = thrownBy(() => new fb.CulpritSearch(graph, { bad: ["b", "c"] }));
  assert.match(two.message, /use findRegressions with search: "bayes"/);
  // The text of the caller is unchanged.
  const unknown = thrownBy(() => new fb.RegressionSearch(graph, { bad: 'flake_rate="x"' }));
  assert.ok(unknown.message.includes('flake_rate=\\"x\\"'), unknown.message);
});

test("a report without a point has the kind of change", async () => {
  const graph = fb.CommitGraph.linear(["1", "2", "3"]);
  const report = await fb.findRegressions(graph, () => true, { bad: "1", good: "3", find: "fix" });
  assert.deepEqual([report.status, report.find, report.points], ["good_end_fails", "fix", []]);
  assert.match(report.toText(), /^1 was given as bad, but it passes/);
  assert.equal(new fb.RegressionSearch(graph, { bad: "3", good: "1" }).report().find, "regression");
});

test("cheap revisions are tested first, and a cost function is called for each suspect", () => {
  const graph = fb.CommitGraph.linear(Array.from({ length: 20 }, (_, number) => String(number)));
  const first = (options) =>
    new fb.RegressionSearch(graph, { bad: "19", good: "0", testEndpoints: false, ...options }).ask()[0].revision;
  assert.equal(first({}), "9");
  assert.equal(first({ costs: { 7: 0.1 } }), "7");
  assert.equal(first({ costs: new Map([["7", 0.1]]) }), "7");
  for (const ends of [
    { bad: "16", good: "4" },
    { bad: "4", good: "16", find: "fix" },
  ]) {
    const called = [];
    const costs = (id) => {
      called.push(id);
      return id === "8" ? 0.1 : 1;
    };
    assert.equal(first({ ...ends, costs }), "8");
    assert.deepEqual(
      called,
      Array.from({ length: 12 }, (_, number) => String(number + 5)),
    );
  }
  const culprits = (costs) =>
    new fb.CulpritSearch(graph, { bad: "19", good: "0", flakeRate: 0.1, strategy: "information", costs })
      .ask(4)
      .map(({ revision }) => revision);
  assert.deepEqual(
    culprits((id) => (id === "9" ? 1000 : 1)),
    culprits({ 9: 1000 }),
  );
  assert.throws(() => first({ costs: () => Number.NaN }), /^FirstbadError: costs\["1"\]|costs\["1"\]: NaN/);
  assert.throws(() => first({ costs: 3 }), /costs: 3 is not valid/);
  assert.throws(() => first({ search: "binary", costs: { 7: 0.1 } }), /costs: "1 costs" is not valid/);
  const error = new Error("of its own");
  const costs = () => {
    throw error;
  };
  assert.throws(() => first({ costs }), error);
});

test("without a good revision, the search finds one", () => {
  const graph = fb.CommitGraph.linear(Array.from({ length: 1000 }, (_, place) => `r${place}`));
  const asked = (options) => {
    const search = new fb.RegressionSearch(graph, { bad: "r999", ...options });
    const seen = [];
    while (!search.done && seen.length < 4) {
      const [probe] = search.ask();
      seen.push(probe.revision);
      search.tell(probe.id, Number(probe.revision.slice(1)) < 900);
    }
    return seen;
  };
  assert.deepEqual(asked({ findGood: true }), ["r999", "r983", "r967", "r935"]);
  assert.deepEqual(asked({ findGood: "r990" }), ["r999", "r990", "r981", "r963"]);
  assert.deepEqual(asked({ findGood: ["r990"] }), asked({ findGood: "r990" }));
  assert.deepEqual(asked({ findGood: false }), asked({}));
  assert.throws(
    () => asked({ good: "r0", findGood: true }),
    /findGood: true is not valid; expected nothing, because an older endpoint is given/,
  );
  assert.throws(() => asked({ findGood: ["v1"] }), { code: "unknown_revision" });
});

test("two different failures are both reported", () => {
  const warnings = (words) =>
    drive(search(), (revision) => {
      const passes = Number(revision.slice(1)) < 9;
      return passes || { outcome: "fail", signals: { failure: words(revision) } };
    }).warnings;
  assert.deepEqual(
    warnings(() => "the same"),
    [],
  );
  const [warning] = warnings((revision) => `${revision} is wrong`);
  assert.match(
    warning,
    /^r9 fails in another way than r15, so there may be two bugs: "r9 is wrong" instead of "r15 is wrong"/,
  );
});

test("options are tokens in JSON and JavaScript names in text", () => {
  const written = JSON.parse(drive(search(), brokenFrom(9)).toJson());
  written.message += "; try ⟦search=bayes⟧";
  written.warnings = ["try ⟦flake_rate=estimate⟧ ⟦lfs=true⟧ and not ⟦This⟧"];
  const report = fb.RegressionSearch.reportFromJson(JSON.stringify(written));
  assert.match(report.message, /; try search: "bayes"$/);
  assert.deepEqual(report.warnings, ['try flakeRate: "estimate" lfs: true and not ⟦This⟧']);
  assert.match(report.toText(), /try flakeRate: "estimate" lfs: true/);
  const again = JSON.parse(report.toJson());
  assert.deepEqual([again.message, again.warnings], [written.message, written.warnings]);
});
