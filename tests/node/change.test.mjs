// Changes in numbers: conversions, conclusions, paired measurements, and reports.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fb, fc, line, place, randomFrom, rejectionOf, thrownBy } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-change-"));
after(() => rmSync(folder, { recursive: true }));
const graph = line(32);
const ends = { bad: "r31", good: "r0" };

/** A number without noise: 1,000 bytes before r20, and 1,100 from there on. */
const size = (revision) => (place(revision) >= 20 ? 1100 : 1000);
const commits = ({ steps }) => steps.map(({ commit }) => commit);
const told = (search) =>
  search.events
    .filter(({ observation }) => observation)
    .map(({ observation }) => observation)
    .at(-1);

/** Returns a function that measures seconds with noise. Each step multiplies them from a revision on. */
function benchmark(steps, noise = 0.02) {
  const random = randomFrom(5);
  return async (revision) => {
    const factors = steps.filter(([first]) => place(revision) >= first).map(([, factor]) => factor);
    return factors.reduce((seconds, factor) => seconds * factor, 0.2) * (1 + noise * (random() - 0.5));
  };
}

test("a number is told as it is", async () => {
  for (const [measured, observation] of [
    [12.5, { outcome: "pass", metric: 12.5 }],
    [null, { outcome: "unresolved" }],
    ["unresolved", { outcome: "unresolved" }],
    [{ metric: 2.5 }, { outcome: "pass", metric: 2.5 }],
    [
      { metric: 60, censored: true },
      { outcome: "pass", metric: 60, censored: true },
    ],
    [
      { metric: 3, control: 2, outcome: "pass" },
      { outcome: "pass", metric: 3, control: 2 },
    ],
    [
      { metric: 3, outcome: "fail" },
      { outcome: "fail", metric: 3 },
    ],
  ]) {
    const search = new fb.ChangeSearch(graph, ends);
    search.tell(search.ask()[0], measured);
    assert.deepEqual(told(search), observation);
    const seen = [];
    const onProgress = ({ observation }) => seen.push(observation?.metric);
    await fb.run(new fb.ChangeSearch(graph, ends), () => measured, { onProgress, budget: 1 });
    assert.equal(seen[1], observation.metric);
    search.observe("r9", measured);
    assert.deepEqual(told(search), observation);
  }
});

test("a value that is not a number is refused", async () => {
  for (const [measured, message] of [
    [true, "answer: true is not valid; expected a number, nothing (unresolved), or an observation"],
    ["pass", 'answer: "pass" is not valid'],
    [Number.NaN, "answer: NaN is not valid; expected a finite number"],
    [Number.POSITIVE_INFINITY, "answer: Infinity is not valid; expected a finite number"],
    [[1.5], "answer: [ 1.5 ] is not valid"],
    [{ a: 1 }, "answer: { a: 1 } is not valid"],
    [{ metric: Number.NaN }, "answer.metric: NaN is not valid; expected a finite number"],
  ]) {
    const search = new fb.ChangeSearch(graph, ends);
    const [probe] = search.ask();
    const error = thrownBy(() => search.tell(probe, measured));
    assert.equal(error.code, "invalid_argument");
    assert.ok(error.message.startsWith(message), error.message);
    const rejection = await rejectionOf(fb.findChange(graph, () => measured, ends));
    assert.ok(rejection.message.startsWith(`measure, at revision "${probe.revision}": ${message}`), rejection.message);
  }
  const error = await rejectionOf(fb.findChange(graph, 7, ends));
  assert.match(error.message, /^measure: 7 is not valid; expected a function/);
});

test("several metrics are told by name", () => {
  const metrics = new Map([
    ["seconds", {}],
    ["memory", { atLeast: "1MB", worse: "up" }],
  ]);
  const search = new fb.ChangeSearch(graph, { metrics, ...ends });
  search.tell(search.ask()[0], { seconds: 1.5, memory: null, more: 3 });
  assert.deepEqual(told(search), { outcome: "pass", metrics: { seconds: 1.5, more: 3 } });
  const [probe] = search.ask();
  for (const [measured, message] of [
    [1.5, "answer: 1.5 is not valid; expected numbers by name (memory, seconds), nothing (unresolved), or"],
    [{ second: 1.5 }, "answer: { second: 1.5 } is not valid; expected numbers by name (memory, seconds)"],
    [{ seconds: true }, 'answer["seconds"]: true is not valid; expected a finite number'],
    [new Map([["seconds", Number.NaN]]), 'answer["seconds"]: NaN is not valid; expected a finite number'],
  ]) {
    const error = thrownBy(() => search.tell(probe, measured));
    assert.ok(error.message.startsWith(message), error.message);
  }
  search.tell(probe, { seconds: null });
  assert.deepEqual(told(search), { outcome: "unresolved" });
  for (const [given, message] of [
    [{ a: { worst: "up" } }, /^metrics\["a"\]: "worst" is not valid; expected one of atLeast, unit, worse/],
    [{ a: { atLeast: -1 } }, /^metrics\["a"\].*: -1 is not valid/],
    [{ a: 3 }, /^metrics\["a"\]: 3 is not valid; expected an object/],
    ["a", /^metrics: "a" is not valid; expected a Map from names to objects, or an object/],
  ]) {
    assert.match(thrownBy(() => new fb.ChangeSearch(graph, { metrics: given, ...ends })).message, message);
  }
});

test("a number without noise is found by halving", async () => {
  const report = await fb.findChange(graph, size, { atLeast: "50B", ...ends });
  const [{ commit, parents, before, after, change }] = report.steps;
  assert.deepEqual(
    { commit, parents, before, after, change },
    { commit: "r20", parents: ["r19"], before: 1000, after: 1100, change: 100 },
  );
  const { status, conclusion, exact, unit } = report;
  assert.deepEqual(
    { status, conclusion, exact, unit },
    { status: "found", conclusion: "step", exact: true, unit: "B" },
  );
  assert.ok(report.measurements < 20);
});

test("slower commits are found in noise", async () => {
  const steps = [
    [8, 1.2],
    [24, 1.3],
  ];
  const report = await fb.findChange(graph, benchmark(steps), { allSteps: true, unit: "s", ...ends });
  assert.equal(report.conclusion, "several");
  assert.deepEqual(commits(report).sort(), ["r24", "r8"]);
  assert.equal(report.exact, false);
  assert.equal(report.series.flatMap(({ values }) => values).length, report.measurements);
  const unchanged = await fb.findChange(graph, benchmark([]), ends);
  assert.deepEqual([unchanged.status, unchanged.conclusion, unchanged.steps], ["no_change", "none", []]);
});

test("metrics have their own culprits on shared builds", async () => {
  const measure = (revision) => ({ seconds: place(revision) >= 9 ? 2 : 1, size: size(revision) });
  const metrics = { seconds: { unit: "s" }, size: { atLeast: "50B" } };
  const report = await fb.findChange(graph, measure, { metrics, ...ends });
  const [other] = report.otherMetrics;
  assert.deepEqual([report.metric, commits(report)], ["seconds", ["r9"]]);
  assert.deepEqual([other.metric, other.unit, commits(other)], ["size", "B", ["r20"]]);
});

test("a pair is measured in one run", async () => {
  const calls = [];
  // The machine becomes 10% slower after every fourth run.
  const measure = async (revision, { probe, signal }) => {
    assert.ok(signal instanceof AbortSignal);
    const runs = Math.floor(calls.length / 2);
    calls.push([revision, probe.revision]);
    return size(revision) * 1.1 ** Math.floor(runs / 4);
  };
  const report = await fb.findChange(graph, measure, { paired: true, ...ends });
  assert.deepEqual(commits(report), ["r20"]);
  const revisions = report.observations.map(({ revision }) => revision);
  assert.deepEqual(
    calls,
    revisions.flatMap((revision) => [
      [revision, revision],
      ["r0", revision],
    ]),
  );
  for (const [run, { control }] of report.observations.entries()) {
    assert.ok(Math.abs(control - 1000 * 1.1 ** Math.floor(run / 4)) < 1e-6);
  }
});

test("a pair needs a number without a control", async () => {
  for (const [results, calls, observation] of [
    [[null], 1, { outcome: "unresolved" }],
    [[{ metric: 3, control: 2 }], 1, { outcome: "pass", metric: 3, control: 2 }],
    [[{ outcome: "unresolved", stage: "build" }], 1, { outcome: "unresolved", stage: "build" }],
    [[{ metric: 3, seconds: 1 }, 9], 2, { outcome: "pass", metric: 3, control: 9, seconds: 1 }],
    [[3, null], 2, { outcome: "unresolved", note: "not compared: the run measured no number at the good revision" }],
  ]) {
    let count = 0;
    const search = new fb.ChangeSearch(graph, { paired: true, ...ends });
    await fb.run(search, () => results[count++], { budget: 1 });
    assert.equal(count, calls);
    assert.deepEqual(told(search), observation);
  }
  const error = await rejectionOf(fb.findChange(graph, () => true, { paired: true, ...ends }));
  assert.match(error.message, /^measure, at revision "r\d+": answer: true is not valid/);
});

test("a signal ends the run with its reason, and the search keeps its numbers", async () => {
  const controller = new AbortController();
  let calls = 0;
  const measure = (revision) => {
    calls += 1;
    if (calls === 4) controller.abort(new Error("enough"));
    return size(revision);
  };
  const error = await rejectionOf(fb.findChange(graph, measure, { signal: controller.signal, ...ends }));
  assert.equal(error.message, "enough");
  assert.ok(error.search.runs >= 3);
  assert.deepEqual(commits(await fb.run(error.search, measure)), ["r20"]);
});

test("known numbers cost no run, and a store is refused", async () => {
  const { observations } = await fb.findChange(graph, size, ends);
  const known = await fb.findChange(graph, size, { known: observations, ...ends });
  assert.deepEqual([known.runs, commits(known)], [0, ["r20"]]);
  const some = await fb.findChange(graph, size, { known: { r0: 1000 }, ...ends });
  assert.deepEqual([some.observations[0].probe, some.observations[0].metric], [null, 1000]);
  const error = await rejectionOf(fb.findChange(graph, size, { known: { r0: true }, ...ends }));
  assert.match(error.message, /^known\[0\]: true is not valid; expected a number/);
  const refused = await rejectionOf(fb.findChange(graph, size, { store: {}, ...ends }));
  assert.match(refused.message, /"store" is not an option of findChange/);
});

test("the report has every form", async () => {
  const report = await fb.findChange(graph, benchmark([[12, 1.2]]), { unit: "s", ...ends });
  const again = fb.ChangeSearch.reportFromJson(report.toJson());
  assert.deepEqual(again, report);
  assert.equal(JSON.parse(JSON.stringify(report)).algorithm, "change");
  const texts = [report.toText(), report.toMarkdown(), report.toHtml(), report.toAnnotations("gitlab"), `${report}`];
  for (const text of [...texts, report.toSvg(), again.toSvg()]) assert.match(text, /r12/);
  assert.match(report.toSvg(), /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.equal(report.toRows().length, report.observations.length);
  assert.equal(report.explain().length, report.observations.length);
  assert.equal(Object.keys(report).includes("toSvg"), false);
});

/** A history, numbers for each revision in the order of measuring, and options. */
const worlds = fc.integer({ min: 2, max: 8 }).chain((count) => {
  const number = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -3, max: 3 }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((number) => Number(number.toFixed(6))),
    fc.double({ min: 0.9, max: 1.1, noNaN: true }),
  );
  const parents = Array.from({ length: count - 1 }, (_, place) =>
    fc.uniqueArray(fc.integer({ min: 0, max: place }), { minLength: 1, maxLength: 2 }),
  );
  const options = fc.record({
    worse: fc.constantFrom("up", "down", "either"),
    atLeast: fc.constantFrom(0.03, "50%", "2"),
    allSteps: fc.boolean(),
    exact: fc.constantFrom(true, false, "auto"),
    maxMeasurements: fc.integer({ min: 6, max: 30 }),
  });
  return fc.record({
    parents: fc.tuple(...parents),
    numbers: fc.array(fc.array(number, { minLength: 1, maxLength: 4 }), { minLength: count, maxLength: count }),
    options: options.map((options) => ({ bad: `r${count - 1}`, ...options })),
  });
});

const historyOf = (parents) =>
  new fb.CommitGraph([["r0", []], ...parents.map((of, place) => [`r${place + 1}`, of.map((parent) => `r${parent}`)])]);

test("every search ends, and names only what it measured", () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 3 }), ({ parents, numbers, options }, jobs) => {
      const history = historyOf(parents);
      const search = new fb.ChangeSearch(history, options);
      const calls = new Map();
      const measured = new Set();
      while (!search.done) {
        const probes = search.ask(jobs);
        assert.ok(probes.length > 0);
        for (const { id, revision } of probes) {
          const count = calls.get(revision) ?? 0;
          const of = numbers[place(revision)];
          calls.set(revision, count + 1);
          search.tell(id, of[count % of.length]);
          if (of[count % of.length] !== null) measured.add(revision);
        }
      }
      const report = search.report();
      assert.notEqual(report.status, "running");
      assert.ok(report.measurements <= options.maxMeasurements + jobs - 1);
      for (const step of report.steps) {
        assert.ok(measured.has(step.commit));
        // An ancestor of another parent cannot be the culprit either.
        const known = step.parents.filter((parent) => measured.has(parent));
        for (const parent of step.parents) {
          assert.ok(known.some((other) => other === parent || history.isAncestor(parent, other)));
        }
        assert.deepEqual([...step.parents].sort(), [...history.parents(step.commit)].sort());
      }
      assert.deepEqual(fb.ChangeSearch.reportFromJson(report.toJson()), report);
    }),
    { numRuns: 60 },
  );
});

test("a search that is killed after any event resumes", async () => {
  const journal = join(folder, "run.jsonl");
  const measure = (revision) => (place(revision) % 7 === 3 ? null : size(revision));
  const whole = await fb.findChange(graph, measure, { journal, ...ends });
  const lines = readFileSync(journal, "utf8").split("\n");
  for (let count = 1; count < lines.length; count += 3) {
    writeFileSync(journal, `${lines.slice(0, count).join("\n")}\n`);
    assert.deepEqual(await fb.findChange(graph, measure, { journal, ...ends }), whole);
  }
  const session = fb.Session.open(journal, new fb.ChangeSearch(graph, ends));
  assert.equal([...session.replay()].at(-1).status, whole.status);
  session.close();
  const search = fb.ChangeSearch.restore(graph, new fb.ChangeSearch(graph, ends).snapshot());
  assert.deepEqual(await fb.run(search, measure), whole);
});

/** Creates a repository with two steps, and a file that grows. */
function shop() {
  const top = join(folder, "shop");
  mkdirSync(top);
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], { cwd: top });
  git("init", "-q", "-b", "main");
  writeFileSync(join(top, "bench.cjs"), 'console.log("rate:", Number(require("fs").readFileSync("number.txt")));');
  for (const [number, throughput] of [50, 50, 50, 40, 40, 40].entries()) {
    writeFileSync(join(top, "number.txt"), `${throughput}`);
    writeFileSync(join(top, "app.js"), "x".repeat(number < 5 ? 1000 : 5000));
    writeFileSync(join(top, "count.txt"), `${number}`);
    git("add", ".");
    git("commit", "-q", "-m", `Change ${number}`);
  }
  return new fb.Repository(top);
}

test("a measure oracle measures a command, and names its metrics and units", async () => {
  const repository = shop();
  const history = await repository.graph(["main"]);
  const range = { bad: "main", good: history.roots, prior: "uniform" };
  const run = [process.execPath, "bench.cjs"];
  const subjects = (report, steps) => steps.map(({ commit }) => report.commits[commit].subject);
  const rate = repository.measureOracle(run, { metric: "regex:rate: ([0-9]+)" });
  const report = await fb.findChange(history, rate, { worse: "down", paired: true, ...range });
  assert.deepEqual(subjects(report, report.steps), ["Change 3"]);
  assert.ok(report.observations.every(({ control }) => control === 50));
  assert.equal((await rate("main")).metric, 40);
  const pair = await rate.runPaired("main", "main~5");
  assert.deepEqual([pair.metric, pair.control], [40, 50]);
  await rate.close();
  const both = repository.measureOracle(run, { metric: ["file-size:app.js", "last-number"], warmup: 0 });
  const found = await fb.findChange(history, both, { worse: "either", ...range });
  assert.deepEqual([found.metric, found.unit, subjects(found, found.steps)], ["file-size:app.js", "B", ["Change 5"]]);
  const [other] = found.otherMetrics;
  assert.deepEqual([other.metric, other.unit, subjects(found, other.steps)], ["last-number", null, ["Change 3"]]);
  await both.close();
  for (const [options, message] of [
    [{ metric: "second" }, /did you mean "seconds"/],
    [{ metric: "seconds", failPattern: "x" }, /^failPattern/],
    [{ metric: "seconds", takes: "min" }, /"takes" is not an option of measureOracle/],
  ]) {
    assert.match(thrownBy(() => repository.measureOracle(run, options)).message, message);
  }
});
