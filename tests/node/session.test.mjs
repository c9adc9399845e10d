// Searches with a journal that are started, killed, and resumed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { outcomeOf, patch, porter } from "./porting-reads.mjs";
import { brokenFrom, deferred, fb, fc, line, packageFile, rejectionOf, thrownBy, tick, unhandled } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-session-"));
let files = 0;
const fresh = () => join(folder, `${files++}.jsonl`);
const search = (options = {}) => new fb.RegressionSearch(line(64), { bad: "r63", good: "r0", ...options });
const items = ["a", "b", "c", "d", "e", "f", "g", "h"];
const holding = (kept) => kept.includes("c") && kept.includes("f");
const lines = (path) => readFileSync(path, "utf8").split("\n").filter(Boolean).map(JSON.parse);

after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await tick();
  assert.deepEqual(unhandled, []);
});

test("outcomes are written before the call returns, and the next run resumes", () => {
  const path = fresh();
  const first = fb.Session.open(path, search());
  assert.deepEqual([first.path, first.resumed, first.recovered], [path, false, null]);
  const [probe] = first.ask();
  assert.equal(lines(path).at(-1).event, "asked");
  first.tell(probe.id, false);
  const told = lines(path).at(-1);
  assert.deepEqual([told.event, told.id, told.observation], ["told", probe.id, { outcome: "fail" }]);
  const [open] = first.ask();
  first.close();
  const second = fb.Session.open(path, search());
  assert.deepEqual([second.id, second.resumed, second.runs], [first.id, true, 1]);
  assert.deepEqual(second.inFlight, [open]);
  assert.equal(second.snapshot(), first.snapshot());
  second.close();
});

test("a search with a journal is a search", async () => {
  const path = fresh();
  const original = search();
  const session = fb.Session.open(path, original);
  assert.ok(session instanceof fb.Search);
  const report = await fb.run(session, brokenFrom(9), { concurrency: 3 });
  assert.deepEqual(report, await fb.run(search(), brokenFrom(9), { concurrency: 3 }));
  assert.deepEqual(original.report(), report);
  assert.deepEqual(session.events, original.events);
  session.close();
  session.close();
  assert.deepEqual(session.report(), report);
  assert.equal(thrownBy(() => session.stop()).code, "journal");
  assert.equal(thrownBy(() => original.undo()).code, "journal");
});

test("`using` closes it", () => {
  const path = fresh();
  const session = fb.Session.open(path, search());
  session[Symbol.dispose]?.() ?? session.close();
  fb.Session.open(path, search()).close();
});

test("each misuse has a code and names the expected value", () => {
  const path = fresh();
  const session = fb.Session.open(path, search());
  const locked = thrownBy(() => fb.Session.open(path, search()));
  assert.equal(locked.code, "journal_locked");
  assert.match(locked.message, /another session of this process/);
  const other = fresh();
  const foreign = fresh();
  writeFileSync(foreign, "something else\n");
  const begun = search();
  begun.ask();
  const cases = [
    [() => fb.Session.open(other, session), "journal", /the search already has a journal: /],
    [() => fb.Session.open(path.slice(0, -5), {}), "invalid_argument", /^search: /],
    [() => fb.Session.open("", search()), "invalid_argument", /^path: /],
    [() => fb.Session.open(new URL("https://example.org/a"), search()), "invalid_argument", /^path: /],
    [() => fb.Session.open(other, search(), { wait: -1 }), "invalid_argument", /^wait: -1 /],
    [() => fb.Session.open(other, search(), { wait: "1" }), "invalid_argument", /^wait: "1" /],
    [() => fb.Session.open(other, search(), { weight: 1 }), "invalid_argument", /one of known, .*wait/],
    [() => fb.Session.open(join(folder, "none", "a.jsonl"), search()), "journal", /none/],
    [() => fb.Session.open(foreign, search()), "journal", /it is not a journal/],
    [() => session.ask(1, { lease: 0 }), "invalid_argument", /^lease: 0 /],
    [() => session.ask(1, { lease: "60" }), "invalid_argument", /^lease: "60" /],
    [() => session.ask(0, { lease: 60 }), "invalid_argument", /^k: 0 /],
    [() => session.ask(1, { leese: 60 }), "invalid_argument", /did you mean "lease"/],
    [() => session.leasedUntil(0.5), "invalid_argument", /^id: 0.5 /],
  ];
  for (const [call, code, words] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, `${call}: ${error}`);
    assert.equal(error.code, code, `${call}: ${error.message}`);
    assert.match(error.message, words);
  }
  session.ask();
  session.close();
  assert.match(
    thrownBy(() => fb.Session.open(path, begun)).message,
    /both the journal and the search have events\nhelp: use a new search$/,
  );
  const wrong = thrownBy(() => fb.Session.open(path, search({ search: "linear" })));
  assert.equal(wrong.code, "journal");
  assert.match(wrong.message, /Its search is .*"linear"/);
  assert.match(
    thrownBy(() => fb.Session.open(path, new fb.RegressionSearch(line(65), { bad: "r63", good: "r1" }))).message,
    /another search/,
  );
  fb.Session.open(pathToFileURL(path), search()).close();
});

test("an incomplete line is dropped and reported", () => {
  const path = fresh();
  const first = fb.Session.open(path, search());
  for (const { id } of first.ask(2)) first.tell(id, true);
  first.close();
  const whole = readFileSync(path);
  for (const torn of ['{"event":"asked","id":', "\0\0\0"]) {
    writeFileSync(path, whole);
    appendFileSync(path, torn);
    const second = fb.Session.open(path, search());
    assert.equal(second.recovered, `the last line was incomplete and was dropped (${torn.length} bytes)`);
    assert.equal(second.runs, first.runs);
    second.close();
    assert.deepEqual(readFileSync(path), whole);
  }
  writeFileSync(path, whole.subarray(0, whole.length - 10));
  const third = fb.Session.open(path, search());
  assert.equal(third.runs, first.runs - 1);
  third.close();
});

test("damage is an error with its line, and an older journal gives a note", () => {
  const path = fresh();
  const first = fb.Session.open(path, search());
  for (const { id } of first.ask(3)) first.tell(id, true);
  first.close();
  const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
  writeFileSync(path, lines.toSpliced(3, 1).join(""));
  assert.match(thrownBy(() => fb.Session.open(path, search())).message, /line 4 cannot be read: its checksum/);
  const bare = lines.map((line) => line.replace(/,"crc":"[0-9a-f]{8}"/, ""));
  writeFileSync(path, bare.join("").replace('{"journal":2', '{"journal":1'));
  const older = fb.Session.open(path, search());
  assert.deepEqual([older.recovered.includes("no checksums"), older.runs], [true, 2]);
  older.close();
});

test("a probe with an ended lease is returned again, and a late outcome counts", async () => {
  const path = fresh();
  const session = fb.Session.open(path, search());
  const [brief] = session.ask(1, { lease: 0.001 });
  const now = Date.now() / 1000;
  assert.ok(Math.abs(session.leasedUntil(brief.id) - now) < 60);
  while (Date.now() / 1000 <= session.leasedUntil(brief.id)) await tick();
  const [again] = session.ask(1, { lease: 3600 });
  assert.equal(again.revision, brief.revision);
  assert.notEqual(again.id, brief.id);
  assert.equal(session.leasedUntil(brief.id), null);
  session.tell(brief.id, true);
  assert.equal(session.runs, 1);
  session.close();
  const later = fb.Session.open(path, search());
  assert.equal(later.leasedUntil(again.id), session.leasedUntil(again.id));
  later.close();
});

test("run takes over probes in flight, leased or not", async () => {
  const path = fresh();
  const first = fb.Session.open(path, search());
  const [plain] = first.ask();
  const [lent] = first.ask(1, { lease: 0.001 });
  while (Date.now() / 1000 <= first.leasedUntil(lent.id)) await tick();
  first.close();
  const second = fb.Session.open(path, search());
  const asked = [];
  const oracle = async (revision, { probe }) => {
    asked.push(probe.id);
    await tick();
    return brokenFrom(20)(revision);
  };
  // With a free place, the run asks for more while two probes are in flight, one of them after its lease.
  const report = await fb.run(second, oracle, { concurrency: 3 });
  assert.deepEqual(asked.slice(0, 2), [plain.id, lent.id]);
  assert.equal(new Set(asked).size, asked.length);
  const events = second.events.filter(({ event, confirms }) => event === "asked" && !confirms);
  assert.equal(new Set(events.map(({ revision }) => revision)).size, events.length, "nothing is asked twice");
  assert.equal(report.points[0].bad, "r20");
  second.close();
});

test("an unchanged error ends the run, and the same call resumes from the journal", async () => {
  const journal = fresh();
  const trouble = { not: "an Error" };
  const call = (oracle) => fb.findRegressions(line(64), oracle, { bad: "r63", good: "r0", journal });
  let calls = 0;
  const failing = (revision) => {
    if (++calls === 4) throw trouble;
    return brokenFrom(20)(revision);
  };
  assert.equal(await rejectionOf(call(failing)), trouble);
  const seen = [];
  const report = await call((revision) => {
    seen.push(revision);
    return brokenFrom(20)(revision);
  });
  const whole = await fb.run(search(), brokenFrom(20));
  assert.deepEqual(report.points, whole.points);
  assert.equal(report.runs, whole.runs);
  assert.equal(seen.length, whole.runs - 3);
  assert.deepEqual(await call(() => assert.fail("it is done")), report);
});

test("journal errors do not hide an error of the oracle", async () => {
  const journal = fresh();
  const trouble = new Error("the disk went away, and the test with it");
  const oracle = () => {
    rmSync(journal);
    throw trouble;
  };
  const options = { bad: "r63", good: "r0", journal };
  assert.equal(await rejectionOf(fb.findRegressions(line(64), oracle, options)), trouble);
  const gone = await rejectionOf(
    fb.findRegressions(line(64), () => rmSync(journal) ?? true, { ...options, concurrency: 2 }),
  );
  assert.equal(gone.code, "journal");
  assert.match(gone.message, /the file was removed/);
});

test("an aborted signal ends the run with its reason, and the journal resumes", async () => {
  const journal = fresh();
  const controller = new AbortController();
  const reason = new Error("enough");
  const options = { bad: "r63", good: "r0", journal, concurrency: 2 };
  const started = deferred();
  let calls = 0;
  const oracle = (revision) => {
    if (++calls < 4) return brokenFrom(20)(revision);
    started.resolve();
    return new Promise(() => {});
  };
  const running = rejectionOf(fb.findRegressions(line(64), oracle, { ...options, signal: controller.signal }));
  await started.promise;
  controller.abort(reason);
  assert.equal(await running, reason);
  let asked = 0;
  const report = await fb.findRegressions(line(64), (revision) => ++asked && brokenFrom(20)(revision), options);
  assert.equal(report.points[0].bad, "r20");
  assert.equal(asked, report.runs - 3);
});

test("a used up budget or a stop ends the run and not the search", async () => {
  const journal = fresh();
  const call = (options) =>
    fb.findRegressions(line(64), brokenFrom(20), { bad: "r63", good: "r0", journal, ...options });
  assert.equal((await call({ budget: 2 })).status, "budget");
  const still = await call({ budget: 2 });
  assert.deepEqual([still.status, still.runs], ["budget", 2]);
  const session = fb.Session.open(journal, search());
  assert.equal(session.status, "running");
  session.stop();
  session.close();
  assert.equal((await call({})).status, "found");
});

test("invalid options leave no journal", async () => {
  const journal = fresh();
  const refused = [{ concurrency: 0 }, { badd: "r1" }, { bad: "nowhere" }, { known: [["nowhere", true]] }];
  for (const options of refused.slice(0, 3)) {
    await rejectionOf(fb.findRegressions(line(8), () => true, { bad: "r7", good: "r0", journal, ...options }));
    assert.equal(existsSync(journal), false, JSON.stringify(options));
  }
  const error = await rejectionOf(fb.findRegressions(line(8), () => true, { bad: "r7", journal, ...refused[3] }));
  assert.equal(error.code, "unknown_revision");
  fb.Session.open(journal, new fb.RegressionSearch(line(8), { bad: "r7" })).close();
  assert.equal((await rejectionOf(fb.minimize([1], () => true, { journal: 5 }))).code, "invalid_argument");
});

test("every search accepts a journal and known outcomes", async () => {
  const graph = line(32);
  const ends = { bad: "r31", good: "r0" };
  const oracle = brokenFrom(20);
  const calls = [
    (each, options) => fb.findRegressions(graph, each(oracle), { ...ends, ...options }),
    (each, options) => fb.findCulprit(graph, each(oracle), { ...ends, flakeRate: 0.1, ...options }),
    (each, options) => fb.verifyCulprit(graph, each(oracle), { ...ends, culprit: "r20", flakeRate: 0.1, ...options }),
    (each, options) => fb.minimize(items, each(holding), options),
    (each, options) => fb.isolate(items, each(holding), options),
    (each, options) =>
      fb.minimizeText(
        "a\nb\nc\n",
        each((text) => text.includes("b")),
        options,
      ),
  ];
  for (const call of calls) {
    const journal = fresh();
    let asked = 0;
    const counting = (callback) => (subject) => {
      asked += 1;
      return callback(subject);
    };
    const alone = await call(counting, {});
    const total = asked;
    assert.ok(total >= 2, `${call}`);
    const part = await call(counting, { journal, budget: 1 });
    assert.equal(part.status, "budget", `${call}`);
    asked = 0;
    const report = await call(counting, { journal });
    assert.equal(asked, total - 1, `${call}`);
    assert.equal(report.status, alone.status);
    assert.equal(report.asked ?? report.runs, total);
    const unasked = await call(() => () => assert.fail(`${call}`), { journal });
    assert.equal(unasked.asked ?? unasked.runs, total);
    const known = await call(() => () => assert.fail(`${call}`), { known: report.observations });
    assert.deepEqual([known.asked ?? known.runs, known.status], [0, report.status], `${call}`);
    const read = JSON.parse(JSON.stringify(report.observations));
    assert.equal((await call(() => () => assert.fail(`${call}`), { known: read })).status, report.status);
  }
});

test("known outcomes are accepted in any form and told once", async () => {
  const pairs = [
    ["r20", false],
    ["r19", { outcome: "pass", note: "seen by hand" }],
  ];
  const graph = line(64);
  const never = () => assert.fail("all is known");
  const journal = fresh();
  for (const known of [pairs, new Map(pairs), Object.fromEntries(pairs), new Set(pairs), new Map(pairs).entries()]) {
    for (const more of [{}, { journal }]) {
      const report = await fb.findRegressions(graph, never, {
        bad: "r63",
        good: "r0",
        testEndpoints: false,
        ...more,
        known,
      });
      assert.deepEqual([report.points[0].bad, report.runs, report.observations.length], ["r20", 0, 2]);
    }
  }
  const sets = [
    [[0, 1, 2, 3, 4, 5, 6, 7], true],
    [new Set([2, 5]), true],
    [[2], false],
    [[5], false],
  ];
  const report = await fb.minimize(items, never, { known: sets });
  assert.deepEqual([report.items, report.runs], [["c", "f"], 0]);
  const twice = new fb.CulpritSearch(graph, { bad: "r63", good: "r0", flakeRate: 0.1 });
  const again = [
    ["r40", true],
    ["r40", true],
  ];
  const path = fresh();
  fb.Session.open(path, twice, { known: again }).close();
  assert.equal(twice.events.length, 2);
  const resumed = fb.Session.open(path, new fb.CulpritSearch(graph, { bad: "r63", good: "r0", flakeRate: 0.1 }), {
    known: [...again, ["r40", true]],
  });
  assert.equal(resumed.events.length, 3);
  resumed.close();
});

test("impossible known outcomes are rejected", async () => {
  const cases = [
    [5, /^known: 5 /],
    ["r20", /^known: "r20" /],
    [[["r20"]], /^known: \[ 'r20' \] /],
    [[["r20", "passed"]], /^known\[0\]: "passed" /],
    [
      [
        ["r20", true],
        ["r19", { outcome: "pass", passes: -1 }],
      ],
      /^known\[1\]\.passes: -1 /,
    ],
    [[[20, true]], /^known\[0\]: 20 /],
    [[{ outcome: "pass" }], /^known: /],
    [[null], /^known: null /],
  ];
  for (const [known, words] of cases) {
    const error = await rejectionOf(fb.findRegressions(line(64), () => true, { bad: "r63", known }));
    assert.equal(error.code, "invalid_argument", error.message);
    assert.match(error.message, words);
  }
  for (const named of [[9], ["a"], "0-", "0-9"]) {
    const known = [typeof named === "string" ? { changes: named, outcome: "pass" } : [named, true]];
    const error = await rejectionOf(fb.minimize(items, () => true, { known }));
    assert.equal(error.code, "invalid_argument", error.message);
  }
  const contrary = [
    ["r20", true],
    ["r20", false],
  ];
  const error = await rejectionOf(fb.findRegressions(line(64), () => true, { bad: "r63", known: contrary }));
  assert.equal(error.code, "contradiction");
});

test("a reduction resumes only with the same items", () => {
  const open = (path, given, Kind = fb.Minimizer) => fb.Session.open(path, new Kind(given)).close();
  const patch = (word) => fb.Patch.parse(`--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+${word}\n`);
  const lists = [
    [items, [...items.slice(1), "z"]],
    [
      [1, 2.5, null, true],
      [1, 2.5, null, false],
    ],
    [[{ a: 1, b: [2, 3] }], [{ a: 1, b: [2, 4] }]],
    [[new Uint8Array([1])], [new Uint8Array([2])]],
    [["a"], [new Uint8Array([97])]],
    [["1"], [1]],
    [patch("b"), patch("c")],
  ];
  for (const [one, other] of lists) {
    const path = fresh();
    open(path, one);
    open(path, one);
    const error = thrownBy(() => open(path, other));
    assert.equal(error.code, "journal");
    assert.match(error.message, /It has other items of the same number/);
    assert.match(thrownBy(() => open(path, one, fb.Isolator)).message, /Its algorithm is "minimize", not "isolate"/);
  }
  const path = fresh();
  open(path, [{ b: 1, a: "ü\u{1f600}", "\uff5e": 0, "\u{1f600}": 0 }]);
  open(path, [{ "\u{1f600}": 0, a: "ü\u{1f600}", "\uff5e": 0, b: 1 }]);
  assert.equal(lines(path)[0].world.items.digest, "91fa10b638fecfb08be6a66f385196ae6cc892162af9d214c2940608be690b75");
});

test("items without a JSON form have no digest", () => {
  const circle = {};
  circle.self = circle;
  const without = [
    undefined,
    () => {},
    Symbol("s"),
    10n,
    Number.NaN,
    new Map(),
    new Date(0),
    [undefined],
    { a: undefined },
    circle,
    "\ud800",
    { "\ud800": 1 },
  ];
  for (const item of without) {
    const path = fresh();
    fb.Session.open(path, new fb.Minimizer(["a", item])).close();
    assert.equal(lines(path)[0].world.items.digest, undefined);
    fb.Session.open(path, new fb.Minimizer(["b", 5])).close();
  }
  const shared = [1];
  const path = fresh();
  fb.Session.open(path, new fb.Minimizer([[shared, shared]])).close();
  assert.equal(typeof lines(path)[0].world.items.digest, "string");
});

test("a replay shows the state at every step", () => {
  const path = fresh();
  const session = fb.Session.open(path, search());
  const live = [];
  const note = () => live.push([session.status, session.runs, session.report()]);
  while (!session.done) {
    const [{ id, revision }] = session.ask();
    note();
    session.tell(id, brokenFrom(20)(revision));
    note();
  }
  session.undo(1);
  note();
  const before = session.snapshot();
  const steps = [...session.replay()];
  assert.deepEqual(
    steps.map(({ event }) => event),
    session.events,
  );
  assert.deepEqual(
    steps.map(({ status, runs, report }) => [status, runs, report]),
    live,
  );
  assert.deepEqual(
    [...steps].reverse().map(({ report }) => report),
    live.map(([, , report]) => report).reverse(),
  );
  assert.ok(
    steps.every(({ at }, place) => Math.abs(at - Date.now() / 1000) < 600 && at >= (steps[place - 1]?.at ?? 0)),
  );
  assert.equal(session.snapshot(), before);
  const lazily = session.replay();
  assert.equal(lazily.next().value.runs, 0);
  assert.equal(lazily.next().value.report.runs, 1);
  session.close();
  assert.equal([...session.replay()].length, steps.length);
  rmSync(path);
  assert.equal(thrownBy(() => [...session.replay()]).code, "journal");
});

test("a session reopened at any time equals a search in memory", () => {
  const kinds = [
    [() => search(), (probe) => brokenFrom(20)(probe.revision), ["r5", "r40", "nowhere"]],
    [
      () => new fb.CulpritSearch(line(32), { bad: "r31", good: "r0", flakeRate: 0.2 }),
      (probe) => brokenFrom(9)(probe.revision),
      ["r5", "r30"],
    ],
    [
      () => new fb.Minimizer(items),
      (probe) => holding(probe.changes.map((index) => items[index])),
      [[2, 5], [0, 1], [9]],
    ],
  ];
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("ask"), k: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("lend"), k: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant("tell"), nth: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("abandon"), nth: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("undo"), answers: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("enqueue", "observe"), nth: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("reopen", "kill") }) },
  );
  const property = fc.property(fc.constantFrom(...kinds), fc.array(step, { maxLength: 40 }), (kind, steps) => {
    const [make, truth, names] = kind;
    const memory = make();
    let path = fresh();
    let session = fb.Session.open(path, make());
    const both = (act) => {
      const results = [session, memory].map((each) => {
        try {
          return { value: act(each) };
        } catch (error) {
          return { code: error.code, message: error.message };
        }
      });
      assert.deepEqual(JSON.stringify(results[0]), JSON.stringify(results[1]));
    };
    for (const { do: action, k, nth, answers } of steps) {
      if (action === "ask") both((each) => each.ask(k));
      if (action === "lend") both((each) => (each === session ? each.ask(k, { lease: 1e6 }) : each.ask(k)));
      if (action === "undo") both((each) => each.undo(answers));
      if (action === "enqueue") both((each) => each.enqueue(names[nth % names.length]));
      if (action === "observe") {
        both((each) => each.observe(names[nth % names.length], { outcome: "unresolved", note: "by hand" }));
      }
      const probe = memory.inFlight[nth % memory.inFlight.length];
      if (action === "tell" && probe) both((each) => each.tell(probe.id, truth(probe)));
      if (action === "abandon" && probe) both((each) => each.abandon(probe.id));
      if (action === "reopen") {
        session.close();
        session = fb.Session.open(path, make());
      }
      if (action === "kill") {
        // The file as another machine finds it, after the writer has ended.
        const copy = fresh();
        copyFileSync(path, copy);
        session.close();
        path = copy;
        session = fb.Session.open(path, make());
      }
      both((each) => [each.status, each.runs, each.inFlight]);
    }
    both((each) => [each.snapshot(), each.report()]);
    while (!memory.done && memory.runs < 200) {
      const probes = memory.inFlight.length > 0 ? memory.inFlight : memory.ask(2);
      if (memory.inFlight.length > session.inFlight.length) session.ask(2);
      for (const probe of probes) both((each) => each.tell(probe.id, truth(probe)));
    }
    both((each) => [each.snapshot(), each.report()]);
    session.close();
  });
  fc.assert(property, { seed: 17, numRuns: 150 });
});

test("a search with reads resumes after every event", async () => {
  const plain = porter();
  await fb.run(plain, outcomeOf, { reader: patch });
  const path = join(folder, "reads.jsonl");
  let over = false;
  for (let steps = 0; !over; ) {
    const session = fb.Session.open(path, porter());
    const [request] = session.reads;
    const [probe] = session.inFlight;
    if (request) session.give(request.id, patch(request));
    else if (probe) session.tell(probe.id, outcomeOf(probe));
    else over = session.ask().length === 0;
    if (!over) steps++;
    assert.equal(session.events.length, steps);
    session.close();
  }
  const session = fb.Session.open(path, porter());
  assert.deepEqual(session.report(), plain.report());
  assert.equal(session.events.filter(({ event }) => event === "read").length, 2);
  assert.equal([...session.replay()].length, session.events.length);
  assert.deepEqual([session.asked, session.runs], [plain.asked, plain.runs]);
  assert.ok(session.runs < session.asked);
  session.close();
  assert.ok(!readFileSync(path, "utf8").includes("content"));
});

test("Ctrl-C says how to resume with a journal", { skip: process.platform === "win32" }, async () => {
  const path = fresh();
  const program = `
    const { createRequire } = require("node:module");
    const { CommitGraph, findRegressions } = createRequire(${JSON.stringify(packageFile.href)})("firstbad");
    const graph = CommitGraph.linear(["a", "b", "c", "d"]);
    const oracle = async (revision) => {
      if (revision === "d") return false;
      process.kill(process.pid, "SIGINT");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    };
    findRegressions(graph, oracle, { bad: "d", good: "a", journal: ${JSON.stringify(path)} });
  `;
  const ended = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  assert.equal(ended.signal, "SIGINT");
  const words = `firstbad: the journal ${JSON.stringify(path)} has all outcomes (1). The same call with this journal resumes`;
  assert.ok(ended.stderr.startsWith(words), ended.stderr);
});
