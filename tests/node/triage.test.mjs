// Triage: one search for the culprits of a red suite.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fb, fc, line, place, rejectionOf, thrownBy } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-triage-"));
after(() => rmSync(folder, { recursive: true }));
const graph = line(16);
const ends = { bad: "r15", good: "r0" };
const CULPRITS = { a: 5, b: 5, c: 11 };
const FOUND = { a: "r5", b: "r5", c: "r11" };

/** Runs a suite whose tests break at `CULPRITS`. More tests than asked are reported. */
const suite = (revision) => ({
  green: true,
  ...Object.fromEntries(Object.entries(CULPRITS).map(([id, culprit]) => [id, place(revision) < culprit])),
});
const found = ({ tests }) => Object.fromEntries(tests.map(({ id, culprit }) => [id, culprit]));

test("tests are asked and told by their ids", () => {
  const search = new fb.TriageSearch(graph, { tests: Object.keys(CULPRITS), ...ends });
  const [first] = search.ask();
  assert.deepEqual(first, { id: 0, revision: "r15", tests: ["a", "b", "c"], set: "0-2" });
  assert.deepEqual(search.inFlight, [first]);
  search.tell(first.id, {
    a: false,
    b: { outcome: "fail", signature: "TypeError", passes: 1, fails: 2 },
    c: { outcome: "fail", signature: "KeyError", seconds: 2, note: "not kept" },
    unknown: true,
  });
  assert.deepEqual(search.events[1].observation, {
    outcome: "fail",
    results: {
      a: { outcome: "fail" },
      b: { outcome: "fail", signature: "TypeError", passes: 1, fails: 2 },
      c: { outcome: "fail", signature: "KeyError", seconds: 2 },
    },
  });
  while (!search.done) for (const probe of search.ask(2)) search.tell(probe, suite(probe.revision));
  const report = search.report();
  assert.deepEqual(found(report), FOUND);
  const { commit, parents, tests, parentsPass } = report.culprits[0];
  assert.deepEqual(
    { commit, parents, tests, parentsPass },
    { commit: "r5", parents: ["r4"], tests: ["a", "b"], parentsPass: true },
  );
});

test("the outcomes of a suite can be a Map, pairs, an object, an observation, or one outcome", () => {
  const told = (answer) => {
    const search = new fb.TriageSearch(graph, { tests: ["outcome", "y"], ...ends });
    search.tell(search.ask()[0], answer);
    const { outcome, stage, results } = search.events[1].observation;
    return { outcome, stage, results: results && Object.entries(results).map(([id, result]) => [id, result.outcome]) };
  };
  const both = {
    outcome: "fail",
    stage: undefined,
    results: [
      ["outcome", "fail"],
      ["y", "pass"],
    ],
  };
  assert.deepEqual(
    told(
      new Map([
        ["outcome", false],
        ["y", true],
      ]),
    ),
    both,
  );
  assert.deepEqual(
    told([
      ["outcome", "fail"],
      ["y", "pass"],
    ]),
    both,
  );
  assert.deepEqual(told({ results: { outcome: false, y: true } }), both);
  assert.deepEqual(told({ results: { y: true }, stage: "test" }), {
    outcome: "pass",
    stage: "test",
    results: [["y", "pass"]],
  });
  assert.deepEqual(told({}), { outcome: "unresolved", stage: "test", results: undefined });
  assert.deepEqual(told({ outcome: "unresolved", stage: "build" }), {
    outcome: "unresolved",
    stage: "build",
    results: undefined,
  });
  assert.deepEqual(told(true), { outcome: "pass", stage: undefined, results: undefined });
});

test("wrong results are refused", async () => {
  const search = new fb.TriageSearch(graph, { tests: ["x"], ...ends });
  const [probe] = search.ask();
  for (const [answer, message] of [
    [{ x: 3.5 }, /^answer\["x"\]: 3.5 is not valid/],
    [{ x: "passes" }, /^answer\["x"\]: "passes" is not valid/],
    [[true], /^answer: true is not valid; expected \[id, result\] pairs/],
    [7, /^answer: 7 is not valid/],
  ]) {
    const error = thrownBy(() => search.tell(probe, answer));
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, message);
  }
  const error = await rejectionOf(fb.run(search, () => ({ x: 3.5 })));
  assert.match(error.message, /^oracle, at revision "r15": answer\["x"\]/);
  const single = await rejectionOf(fb.findRegressions(graph, () => ({ results: { x: true } }), ends));
  assert.match(single.message, /does not ask for several tests/);
});

test("without tests, the suite runs once at each end", async () => {
  const calls = [];
  const report = await fb.triage(
    graph,
    (revision, tests, { probe, signal }) => {
      assert.ok(signal instanceof AbortSignal && probe.revision === revision);
      calls.push([revision, tests]);
      return suite(revision);
    },
    ends,
  );
  assert.deepEqual(found(report), FOUND);
  assert.deepEqual(calls.slice(0, 3), [
    ["r15", null],
    ["r0", null],
    ["r15", ["a", "b", "c"]],
  ]);
  assert.deepEqual(
    report.observations.slice(0, 3).map(({ set }) => set),
    [null, null, "0-2"],
  );
  assert.deepEqual(report.observations[2].results.a, { outcome: "fail" });
  const passing = await fb.triage(graph, async () => new Map([["a", true]]), ends);
  assert.equal(passing.message, "no test fails at r15");
});

test("reports of runners start the search", async () => {
  const xml = `<testsuite><testcase classname="m" name="a"><failure message="1 != 2"/></testcase>
    <testcase classname="m" name="old"><failure message="no"/></testcase></testsuite>`;
  const tonight = await fb.readResults(new TextEncoder().encode(xml));
  assert.deepEqual(tonight.get("m::a"), { outcome: "fail", signature: "# != #" });
  const last = { "m::a": true, "m::old": false, "m::gone": "pass" };
  const report = await fb.triage(graph, (revision) => place(revision) < 3, { tonight, last, ...ends });
  assert.deepEqual(
    report.tests.map(({ id, verdict, culprit }) => [id, verdict, culprit]),
    [
      ["m::a", "broken", "r3"],
      ["m::old", "failed_before", null],
      ["m::gone", "removed", null],
    ],
  );
  assert.match(thrownBy(() => new fb.TriageSearch(graph, { last: { x: 3.5 }, ...ends })).message, /^last\["x"\]: 3.5/);
});

test("reports are read from files and contents, and errors have codes", async () => {
  const path = join(folder, "night.tap");
  writeFileSync(path, "TAP version 14\nok 1 - a\nnot ok 2 - b\n1..2\n");
  const bytes = (content) => new TextEncoder().encode(content);
  const both = await fb.readResults([path, bytes("TAP version 14\nok 1 - b\n1..1\n")]);
  assert.deepEqual(
    [...both],
    [
      ["a", { outcome: "pass" }],
      ["b", { outcome: "fail", passes: 1, fails: 1 }],
    ],
  );
  const xml = bytes('<testsuite><testcase classname="tests.test_a.Sum" name="b"/></testsuite>');
  assert.deepEqual([...(await fb.readResults(xml, { runner: "pytest" })).keys()], ["tests/test_a.py::Sum::b"]);
  mkdirSync(join(folder, "tests", "test_a"), { recursive: true });
  writeFileSync(join(folder, "tests", "test_a", "Sum.py"), "");
  const rooted = await fb.readResults(xml, { runner: "pytest", root: folder });
  assert.deepEqual([...rooted.keys()], ["tests/test_a/Sum.py::b"]);
  for (const [report, code, options] of [
    [bytes(""), "empty_report"],
    [bytes("what is this"), "unknown_format"],
    [bytes("<testsuite></wrong>"), "report_syntax"],
    [join(folder, "missing.xml"), "io"],
    [7, "invalid_argument"],
    [path, "invalid_argument", { runner: "tox" }],
  ]) {
    const error = await rejectionOf(fb.readResults(report, options));
    assert.ok(error instanceof fb.FirstbadError);
    assert.equal(error.code, code);
  }
});

test("an error keeps all outcomes, Retry repeats a probe, and several probes run at once", async () => {
  const calls = [];
  const failures = [new fb.Retry("the disk is full"), new RangeError("stop")];
  const oracle = async (revision, tests) => {
    calls.push([revision, tests]);
    if ([2, 6].includes(calls.length)) throw failures.shift();
    return suite(revision);
  };
  const error = await rejectionOf(fb.triage(graph, oracle, ends));
  assert.equal(error.message, "stop");
  assert.deepEqual(calls[1], calls[2]);
  assert.equal(error.search.runs, 4);
  assert.deepEqual(found(await fb.run(error.search, oracle)), FOUND);
  const atOnce = [];
  const both = Promise.withResolvers?.() ?? { promise: Promise.resolve(), resolve() {} };
  const report = await fb.triage(
    graph,
    async (revision, tests) => {
      if (tests === null && atOnce.push(revision) === 2) both.resolve();
      if (tests === null) await both.promise;
      return suite(revision);
    },
    { concurrency: 4, ...ends },
  );
  assert.deepEqual([found(report), atOnce], [FOUND, ["r15", "r0"]]);
});

test("a report has every form, and steps have observations", async () => {
  const steps = [];
  const report = await fb.triage(graph, suite, { onProgress: (step) => steps.push(step), ...ends });
  const again = fb.TriageSearch.reportFromJson(report.toJson());
  assert.deepEqual(again, report);
  assert.match(report.toText(), /r5 +2 tests/);
  for (const text of [report.toMarkdown(), report.toHtml(), report.toAnnotations("gitlab")]) assert.ok(text);
  assert.equal(report.toRows().length, report.observations.length);
  assert.equal(report.explain().length, report.observations.length);
  const told = steps.find(({ kind }) => kind === "told");
  assert.deepEqual([told.observation.outcome, told.observation.results.a], ["fail", { outcome: "fail" }]);
});

test("budgets of builds, known outcomes, and no store", async () => {
  const stopped = await fb.triage(graph, suite, { tests: ["a"], budget: { builds: 3 }, ...ends });
  assert.deepEqual([stopped.status, stopped.runs], ["budget", 3]);
  const { observations } = await fb.triage(graph, suite, { tests: ["a"], ...ends });
  const known = await fb.triage(graph, suite, { tests: ["a"], known: observations, ...ends });
  assert.deepEqual([known.runs, found(known)], [0, { a: "r5" }]);
  const whole = { r15: suite("r15"), r0: suite("r0") };
  assert.deepEqual(found(await fb.triage(graph, suite, { known: whole, ...ends })), FOUND);
  const error = await rejectionOf(fb.triage(graph, suite, { store: {}, ...ends }));
  assert.match(error.message, /"store" is not an option of triage/);
});

/** A history, and an oracle that gives each test of each revision any outcome, or none. */
const worlds = fc
  .record({
    parents: fc.array(fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 8 }),
    outcomes: fc.array(
      fc.array(fc.constantFrom(true, true, false, false, null, "missing"), { minLength: 3, maxLength: 3 }),
      { minLength: 9, maxLength: 9 },
    ),
    broken: fc.array(fc.nat(8), { maxLength: 2 }),
    isGoodGiven: fc.boolean(),
    areTestsGiven: fc.boolean(),
  })
  .map(({ parents, outcomes, broken, isGoodGiven, areTestsGiven }) => {
    const edges = parents.map((of, before) => [
      `r${before + 1}`,
      [...new Set(of.map((parent) => `r${parent % (before + 1)}`))],
    ]);
    const oracle = (revision, tests) => {
      if (broken.includes(place(revision))) return { outcome: "unresolved", stage: "build" };
      const seen = ["a", "b", "c"].map((id, index) => [id, outcomes[place(revision)][index]]);
      return new Map(seen.filter(([id, outcome]) => outcome !== "missing" && (tests?.includes(id) ?? true)));
    };
    const options = { bad: `r${parents.length}` };
    if (isGoodGiven) options.good = "r0";
    if (areTestsGiven) options.tests = ["a", "b", "c"];
    return { history: new fb.CommitGraph([["r0", []], ...edges]), oracle, options };
  });

test("every triage ends, and names only what failed and passed before", () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 3 }), ({ history, oracle, options }, k) => {
      const search = new fb.TriageSearch(history, options);
      for (let round = 0; round < 400 && !search.done; round++) {
        for (const { id, revision, tests } of search.ask(k)) search.tell(id, oracle(revision, tests));
      }
      const report = search.report();
      assert.notEqual(report.status, "running");
      for (const { id, verdict, culprit, observations } of report.tests) {
        if (!["broken", "intermittent"].includes(verdict) || id === "(build)") continue;
        const at = (revision) => observations.find((runs) => runs.revision === revision);
        assert.ok(at(culprit).fails > 0 && oracle(culprit, [id]).get(id) === false);
        for (const parent of history.parents(culprit)) {
          assert.ok(at(parent).passes > 0 && oracle(parent, [id]).get(id) === true);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a triage that is killed after any event resumes", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async ({ history, oracle, options }) => {
      const journal = join(folder, `run-${count++}.jsonl`);
      const whole = await fb.triage(history, oracle, { journal, ...options });
      const lines = readFileSync(journal, "utf8").split(/(?<=\n)/);
      for (let kept = 1; kept < lines.length; kept++) {
        writeFileSync(journal, lines.slice(0, kept).join(""));
        assert.deepEqual(await fb.triage(history, oracle, { journal, ...options }), whole);
      }
      const session = fb.Session.open(journal, new fb.TriageSearch(history, options));
      assert.equal([...session.replay()].at(-1).status, whole.status);
      if (session.runs > 0) {
        session.undo();
        assert.deepEqual((await fb.run(session, oracle)).tests, whole.tests);
      }
      session.close();
    }),
    { numRuns: 4 },
  );
});

const RUNNER = `
import { readFileSync } from "node:fs";
const wanted = readFileSync(process.argv[2], "utf8").split("\\n").filter(Boolean);
for (const line of readFileSync("shop.txt", "utf8").split("\\n").filter(Boolean)) {
  const [id, outcome] = line.split(" ");
  if (wanted.includes(id) || wanted.length === 0) {
    console.log(JSON.stringify({ id, outcome, message: id + " is wrong" }));
  }
}
`;

/** Returns a repository with two breaking commits. */
function shop() {
  const path = mkdtempSync(join(folder, "shop-"));
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...words], { cwd: path });
  git("init", "-q", "-b", "main");
  writeFileSync(join(path, "run.mjs"), RUNNER);
  const outcomes = { price: "pass", tax: "pass", green: "pass" };
  for (const [number, change] of [{}, {}, { price: "fail" }, {}, { tax: "fail" }, {}].entries()) {
    Object.assign(outcomes, change);
    const lines = Object.entries(outcomes).map((words) => words.join(" "));
    writeFileSync(join(path, "shop.txt"), lines.join("\n"));
    writeFileSync(join(path, "number.txt"), String(number));
    git("add", ".");
    git("commit", "-q", "-m", `Change ${number}`);
  }
  return new fb.Repository(path);
}

test("a suite oracle runs chosen tests of each build", async () => {
  const repository = shop();
  const history = await repository.graph(["main"]);
  const [program, builds] = [[process.execPath, "run.mjs", "{tests_file}"], join(folder, "builds")];
  const build = [process.execPath, "-e", `require("node:fs").appendFileSync(${JSON.stringify(builds)}, "x")`];
  const options = { results: "jsonl:-", build, outputDir: join(folder, "output") };
  const [journal, range] = [join(folder, "suite.jsonl"), { bad: "main", good: history.roots }];
  const oracle = repository.suiteOracle(program, { ...options, worktrees: join(folder, "trees") });
  const report = await fb.triage(history, oracle, { journal, ...range });
  const culprits = report.culprits.map(({ commit, tests }) => [report.commits[commit].subject, tests]);
  assert.deepEqual(culprits, [
    ["Change 2", ["price"]],
    ["Change 4", ["tax"]],
  ]);
  assert.equal(report.builds, readFileSync(builds, "utf8").length);
  assert.ok(report.observations.some(({ reused }) => reused));
  assert.deepEqual(found(await fb.triage(history, oracle, { jobs: 3, ...range })), found(report));
  const whole = await oracle("main");
  assert.equal(whole.results.price.signature, "price is wrong");
  assert.deepEqual(Object.keys(whole.results), ["green", "price", "tax"]);
  assert.deepEqual(Object.keys((await oracle("main", ["tax", "missing"])).results), ["tax"]);
  assert.equal((await oracle("main", [])).outcome, "pass");
  assert.equal((await rejectionOf(oracle("main", [7]))).code, "invalid_argument");
  assert.equal(await rejectionOf(oracle("main", null, { signal: AbortSignal.abort("late") })), "late");
  await oracle.close();
  assert.equal((await rejectionOf(oracle("main"))).code, "oracle_closed");
  const other = repository.suiteOracle([...program, "-v"], options);
  const error = await rejectionOf(fb.triage(history, other, { journal, ...range }));
  await other.close();
  assert.match(error.message, /another test/);
  for (const [given, message] of [
    [{ runner: "tox" }, /unknown runner/],
    [{ results: "jsonl:-", infra: ["("] }, /infra/],
    [{ runer: "pytest" }, /did you mean "runner"/],
    [{}, /no known test runner/],
  ]) {
    assert.match(thrownBy(() => repository.suiteOracle(["./check.sh"], given)).message, message);
  }
});
