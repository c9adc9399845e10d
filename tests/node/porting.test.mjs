// Iterative delta debugging on small Git repositories.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fb, lines, rejectionOf, repositoryAt, thrownBy, tick, unhandled } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-porting-"));
const environment = process.env.XDG_CACHE_HOME;

const oracles = [];

/** Registers an oracle to be closed at the end. */
function toClose(oracle) {
  oracles.push(oracle);
  return oracle;
}

before(() => {
  process.env.XDG_CACHE_HOME = join(folder, "cache");
});

after(async () => {
  for (const oracle of oracles) await oracle.close();
  if (environment === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = environment;
  // A search leaves no temporary objects.
  const left = readdirSync(join(folder, "cache"), { recursive: true }).filter((name) => /objects$/.test(name));
  assert.deepEqual(left, []);
  rmSync(folder, { recursive: true, force: true });
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

const repositoryOf = (name, versions) => repositoryAt(join(folder, name), versions);

/** The version `made` adds the feature `api`, and `broken` breaks it. Lines of context separate the changes. */
const versionsWith = ({ count, made, broken }) =>
  Array.from({ length: count }, (_, version) => ({
    "app.txt": lines(
      "one",
      "two",
      "three",
      version < broken ? "sound" : "bug",
      "four",
      "five",
      "six",
      "seven",
      ...(version < made ? [] : ["api"]),
      "eight",
      "nine",
      "ten",
    ),
    "version.txt": lines(String(version)),
  }));

/** Returns the file of a version with a patch, from the patch and Git alone. */
function fileOf({ git }, { revision, patch }, name = "app.txt") {
  const before = { [name]: `${git("show", `${revision}:${name}`)}\n` };
  const part = patch.subset(patch.files.filter(({ path }) => path === name).flatMap(({ changes }) => changes));
  return part.apply(before)[name];
}

const unbuilt = { outcome: "unresolved", stage: "build", signature: "no api" };
const wrong = { outcome: "fail", stage: "test", signature: "bug" };

/** Builds with `api`, and passes without `bug`. */
const judged = (text) => (!text.includes("api\n") ? unbuilt : text.includes("bug\n") ? wrong : "pass");

/** Returns a report as JSON, without values that differ between runs. */
const answered = (report) => {
  const { observations, seconds, run_seconds, ...answer } = JSON.parse(report.toJson());
  return answer;
};

test("without a carried patch, the cause and the repair are the broken line", async () => {
  const scene = repositoryOf("nothing", versionsWith({ count: 12, made: 0, broken: 5 }));
  const asked = [];
  const report = await fb.iterativeDeltaDebugging(
    scene.path,
    (probe, { signal, probe: { id } }) => {
      assert.equal(signal.aborted, false);
      assert.equal(probe.id, id);
      asked.push(probe);
      return judged(fileOf(scene, probe));
    },
    { start: "main" },
  );
  assert.ok(report instanceof fb.PorterReport);
  const { status, good, bad, carried, between, warnings } = report;
  assert.deepEqual([status, good, bad], ["found", scene.shas[4], scene.shas[5]]);
  assert.deepEqual([carried, between, warnings], [null, [], []]);
  assert.match(`${report.cause}`, /\+bug\n/);
  assert.match(`${report.repair}`, /-bug\n/);
  assert.deepEqual(report.details.cause.on, { revision: scene.shas[4] });
  assert.equal(report.details.cause.changes, report.cause.length);
  assert.equal(report.details.carried, undefined);
  assert.equal(report.runs, asked.length);
  assert.equal(report.runs, report.runs);
  assert.ok(
    asked.every(({ patch, tree, carried }) => patch instanceof fb.Patch && /^[0-9a-f]{40}$/.test(tree) && carried),
  );
  assert.equal(report.observations.length, report.asked);
  assert.deepEqual(report.observations[0], {
    revision: scene.shas.at(-1),
    set: null,
    universe: null,
    probe: 0,
    ...wrong,
    signals: { carried: "none", tree: asked[0].tree },
  });
});

test("the patch is carried back and the fix forward, in text and JSON", async () => {
  const scene = repositoryOf("missing", versionsWith({ count: 16, made: 8, broken: 4 }));
  const report = await fb.iterativeDeltaDebugging(
    scene.repository,
    async (probe) => {
      await tick();
      return judged(fileOf(scene, probe));
    },
    { start: "main", forward: "main", granularity: "lines", algorithm: "recursive", walk: "strict", jobs: 2 },
  );
  assert.deepEqual([report.status, report.good, report.bad], ["found", scene.shas[3], scene.shas[4]]);
  assert.equal(report.carried.length, 1);
  assert.match(`${report.carried}`, /\+api\n/);
  assert.match(`${report.cause}`, /\+bug\n/);
  assert.match(`${report.forward}`, /-bug\n/);
  assert.equal(report.also, null);
  const also = ({ patch }) => patch.length === 0;
  const held = await fb.iterativeDeltaDebugging(scene.repository, (probe) => judged(fileOf(scene, probe)), {
    start: "main",
    forward: "main",
    control: toClose(scene.repository.commandOracle(["true"])),
    also,
  });
  assert.deepEqual(held.warnings, []);
  assert.deepEqual([held.also.breaks, held.also.before.outcome, held.also.after.outcome], [true, "pass", "fail"]);
  assert.match(held.toText(), /warning: the other test fails with the fix, and passes without it/);
  assert.deepEqual(report.details.forward.on, { revision: scene.shas.at(-1) });
  const mended = judged(fileOf(scene, { revision: "main", patch: report.forward }));
  assert.equal(mended, "pass");
  const step = report.steps.find(({ outcome }) => outcome === "reduced");
  assert.deepEqual(
    [step.revision, step.place, step.patch, step.reason, step.alone],
    [scene.shas[7], 8, 0, "build", null],
  );
  const reduced = report.reductions.find(({ purpose }) => purpose === "walk");
  const { revision, place, forward: onward, reason, after: left, result } = reduced;
  assert.deepEqual([revision, place, onward, reason, left, result], [scene.shas[7], 8, false, "build", 1, "reduced"]);
  assert.ok(
    reduced.before > 1 &&
      reduced.first >= 1 &&
      reduced.runs > 0 &&
      reduced.free >= 0 &&
      typeof reduced.failed === "object",
  );
  const cause = report.reductions.find(({ purpose }) => purpose === "cause");
  assert.deepEqual([cause.reason, cause.after], [null, report.details.cause.changes]);
  const conflicts = report.observations.filter(({ stage }) => stage === "patch");
  assert.deepEqual([report.conflicts, report.seconds], [conflicts.length, null]);
  assert.ok(report.toMarkdown().includes("| does not build |"));
  assert.ok(report.steps.some(({ forward }) => forward));
  assert.match(report.warnings[0], /without a control, .*Add a control, or name paths to always keep/);

  const [good, bad] = [report.good, report.bad].map((id) => id.slice(0, 12));
  assert.match(report.toText(), new RegExp(`^First bad commit: ${bad} .*the next older version ${good} passes`, "s"));
  assert.match(report.toText(), /\n  needed +\d+ change/);
  assert.equal(String(report), report.toText().trimEnd());
  const shown = report[Symbol.for("Jupyter.display")]();
  assert.ok(
    report.toHtml().includes(shown["text/html"]) && shown["text/html"].startsWith("<section"),
    shown["text/html"],
  );
  assert.match(report.toMarkdown(), /```diff\n/);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), JSON.parse(report.toJson()));
  const written = JSON.parse(JSON.stringify(report));
  assert.equal(written.carried.text, String(report.carried));
});

/** A version compiles where there is a main; `sh` is all it takes. */
const SCRIPTS = versionsWith({ count: 10, made: 5, broken: 3 });
const BUILD = ["sh", "-c", "grep -q '^api$' app.txt || { echo 'error: no api'; exit 1; }"];
const TEST = ["sh", "-c", "if grep -q '^bug$' app.txt; then echo 'error: a bug'; exit 1; fi"];

test("a command with stages, without and with a control", async () => {
  const scene = repositoryOf("command", SCRIPTS);
  const said = [];
  const oracle = toClose(scene.repository.commandOracle(TEST, { build: BUILD }));
  const report = await fb.iterativeDeltaDebugging(scene.repository, oracle, {
    start: "main",
    control: ["grep", "-q", "^ten$", "app.txt"],
    concurrency: 2,
    onProgress: ({ kind, runs, asked }) => said.push([kind, runs, asked]),
  });
  assert.deepEqual([report.status, report.good], ["found", scene.shas[2]]);
  assert.match(`${report.carried}`, /\+api\n/);
  assert.match(report.failure, /error: a bug/);
  assert.deepEqual(report.warnings, []);
  assert.equal(JSON.parse(report.toJson()).status, "found");
  assert.deepEqual(said.at(-1), ["done", report.runs, report.asked]);

  // The control of the oracle itself guards as well.
  const guarded = toClose(scene.repository.commandOracle(TEST, { build: BUILD, control: ["true"] }));
  const own = await fb.iterativeDeltaDebugging(scene.repository, guarded, { start: "main" });
  assert.deepEqual([own.good, own.warnings], [report.good, []]);
  const bare = toClose(scene.repository.commandOracle(TEST, { build: BUILD }));
  const unguarded = await fb.iterativeDeltaDebugging(scene.repository, bare, { start: "main" });
  assert.deepEqual([unguarded.good, unguarded.warnings.length], [report.good, 1]);
});

test("a control decides which failures count", async () => {
  const scene = repositoryOf("control", SCRIPTS);
  const controls = [];
  const control = (probe, { signal }) => {
    controls.push([probe.revision, signal.aborted]);
    return fileOf(scene, probe).includes("ten\n");
  };
  const oracle = (probe) => judged(fileOf(scene, probe));
  const report = await fb.iterativeDeltaDebugging(scene.repository, oracle, { start: "main", control });
  assert.equal(report.good, scene.shas[2]);
  // After a failure, and after a pass that a patch brought about.
  const guards = ({ outcome, set }) => outcome === "fail" || (outcome === "pass" && set);
  const guarded = report.observations.filter((seen) => seen.ran !== false && guards(seen));
  assert.equal(controls.length, guarded.length);
  assert.ok(controls.every(([, aborted]) => !aborted));

  const refused = await fb.iterativeDeltaDebugging(scene.repository, oracle, {
    start: "main",
    control: async () => ({ outcome: "fail", note: "no such tool" }),
  });
  assert.equal(refused.status, "untestable");
  assert.match(refused.message, /the control fails.*no such tool/);
  const threw = fb.iterativeDeltaDebugging(scene.repository, oracle, { start: "main", control: () => 5 });
  assert.match((await rejectionOf(threw)).message, /^control, at revision "[0-9a-f]{40}": answer: 5 is not valid/);
});

test("conflicts and equal files cost no run", async () => {
  // The line that the api needs beside it was another before, so that it cannot be brought there.
  const versions = versionsWith({ count: 8, made: 4, broken: 0 }).map((files, version) =>
    version < 2 ? { ...files, "app.txt": lines("quite", "another", "text", "bug") } : files,
  );
  const scene = repositoryOf("conflict", versions);
  const trees = [];
  const report = await fb.iterativeDeltaDebugging(
    scene.repository,
    (probe) => {
      trees.push(probe.tree);
      return judged(fileOf(scene, probe));
    },
    { start: "main", walk: "strict" },
  );
  assert.equal(report.status, "history_exhausted");
  const free = report.observations.filter(({ ran }) => ran === false);
  const conflicts = free.filter(({ stage }) => stage === "patch");
  assert.ok(conflicts.length > 0);
  assert.match(conflicts[0].note, /app\.txt/);
  assert.equal(report.asked - report.runs, free.length);
  assert.equal(report.runs, trees.length);
  // The start is run twice on purpose; no other tree is.
  assert.equal(new Set(trees.slice(1)).size, trees.length - 1);
});

test("a part that does not parse is not run", async () => {
  const program = (...body) => `function total(a, b) {\n${lines(...body)}}\nmodule.exports = total;\n`;
  const old = program("  return (", "    a + b", "  );");
  const now = program("  const sums = [", "    a - b,", "  ];", "  return sums[0];");
  const scene = repositoryOf(
    "parse",
    [old, old, now, now].map((text, version) => ({ "prog.js": text, version: `${version}\n` })),
  );
  let runs = 0;
  const judge = (text) => {
    runs += 1;
    const module = {};
    // It throws where it does not parse.
    new Function("module", text)(module);
    try {
      return module.exports(1, 2) === 3;
    } catch {
      return null;
    }
  };
  const port = (probe) => judge(fileOf(scene, probe, "prog.js"));
  const ported = await fb.iterativeDeltaDebugging(scene.path, port, { start: "main" });
  const before = { "prog.js": old, version: "1\n" };
  const part = (patch) => judge(patch.apply(before)["prog.js"]);
  const reduced = await scene.repository.minimizeCommit(scene.shas[2], part);
  for (const { status, observations } of [ported, reduced]) {
    const free = observations.filter(({ stage }) => stage === "parse");
    assert.deepEqual([status, free.length > 0], ["found", true]);
    for (const { outcome, note, ran } of free) {
      assert.deepEqual([outcome, note, ran], ["unresolved", 'not run: "prog.js" does not parse as JavaScript', false]);
    }
  }
  assert.equal(runs, ported.runs + reduced.runs);
  assert.ok(ported.reductions.some(({ free, failed }) => free >= failed.parse && failed.parse > 0));
});

test("outcomes of equal trees are shared", async () => {
  const scene = repositoryOf("store", versionsWith({ count: 9, made: 5, broken: 3 }));
  let runs = 0;
  const oracle = (probe) => {
    runs++;
    return judged(fileOf(scene, probe));
  };
  const search = async (options = {}) => {
    runs = 0;
    const store = new fb.OutcomeStore(join(folder, "store.db"), { oracle: "test" });
    return fb.iterativeDeltaDebugging(scene.repository, oracle, { start: "main", store, ...options });
  };
  const first = await search();
  const all = runs;
  assert.deepEqual([first.status, first.runs], ["found", all]);
  const again = await search({ journal: join(folder, "stored.jsonl") });
  // The start fails twice: one run shows that it still does.
  assert.deepEqual([runs, again.runs, again.asked], [1, 1, first.asked]);
  assert.deepEqual([again.good, again.bad, `${again.cause}`], [first.good, first.bad, `${first.cause}`]);
  const guarded = await search({ control: () => true });
  assert.deepEqual([guarded.bad, runs], [first.bad, all]);
});

test("a run killed after any event resumes to the same result", async () => {
  const scene = repositoryOf("journal", versionsWith({ count: 6, made: 3, broken: 2 }));
  const journal = join(folder, "run.jsonl");
  const options = { start: "main", forward: "main" };
  let runs = 0;
  const oracle = (probe) => {
    runs++;
    return judged(fileOf(scene, probe));
  };
  const whole = await fb.iterativeDeltaDebugging(scene.repository, oracle, { ...options, journal });
  assert.equal(whole.status, "found");
  const all = runs;
  const written = readFileSync(journal, "utf8").trim().split("\n");
  const events = (text) => text.map((line) => JSON.parse(line)).map(({ at, ...event }) => event);
  for (let kept = 1; kept <= written.length; kept++) {
    const part = join(folder, `part-${kept}.jsonl`);
    writeFileSync(part, `${written.slice(0, kept).join("\n")}\n`);
    appendFileSync(part, '{"torn');
    cpSync(`${journal}.reads`, `${part}.reads`, { recursive: true });
    runs = 0;
    const report = await fb.iterativeDeltaDebugging(scene.repository, oracle, { ...options, journal: part });
    // Equal files are known after a resumption, too: nothing is run more often.
    const answer = answered(report);
    assert.deepEqual(answer, answered(whole));
    assert.equal(report.observations.length, whole.observations.length);
    assert.ok(runs <= all, "what was answered is not run again");
    assert.deepEqual(
      events(readFileSync(part, "utf8").trim().split("\n")).slice(0, kept),
      events(written).slice(0, kept),
    );
  }
  // A journal of a command goes on with that command alone.
  const command = toClose(scene.repository.commandOracle(TEST, { build: BUILD }));
  const commanded = { ...options, journal: join(folder, "command.jsonl") };
  const begun = await fb.iterativeDeltaDebugging(scene.repository, command, { ...commanded, budget: 2 });
  assert.equal(begun.status, "budget");
  const refused = fb.iterativeDeltaDebugging(scene.repository, oracle, commanded);
  assert.equal((await rejectionOf(refused)).code, "journal");
  const ended = await fb.iterativeDeltaDebugging(scene.repository, command, commanded);
  assert.deepEqual([ended.status, ended.good], ["found", whole.good]);
});

test("a snapshot with content resumes by hand", async () => {
  const scene = repositoryOf("snapshot", versionsWith({ count: 6, made: 0, broken: 3 }));
  const graph = scene.repository.graphSync("main");
  const [options, reader] = [{ start: "main" }, scene.repository];
  const oracle = ({ revision, changes = [] }) =>
    scene.shas.indexOf(revision) < 3 === changes.length > 0 ? wrong : "pass";
  const search = new fb.Porter(graph, options);
  const [probe] = search.ask();
  assert.deepEqual(search.subject(probe), { id: 0, revision: scene.shas.at(-1) });
  search.tell(probe.id, wrong);
  search.observe(scene.shas[4], wrong);
  const restored = fb.Porter.restore(graph, search.snapshot());
  assert.equal(restored.snapshot(), search.snapshot());
  const report = await fb.run(restored, oracle, { reader });
  assert.deepEqual([report.status, report.good], ["found", scene.shas[2]]);
  assert.equal(report.observations.find(({ revision }) => revision === scene.shas[4])?.probe, null);
  const changed = report.observations.find(({ set }) => set);
  assert.equal(typeof changed.universe, "number");
  assert.equal(thrownBy(() => fb.Porter.restore(graph, "{}")).code, "snapshot");
  const misled = thrownBy(() =>
    fb.Session.open(join(folder, "known.jsonl"), new fb.Porter(graph, options), { known: [changed] }),
  );
  assert.match(misled.message, /^known: .* a revision as it is, without changes on it$/);
});

test("a budget, the history, a limit, or a signal ends a search early", async () => {
  const scene = repositoryOf("early", versionsWith({ count: 9, made: 6, broken: 3 }));
  const oracle = (probe) => judged(fileOf(scene, probe));
  const port = (options, test = oracle) =>
    fb.iterativeDeltaDebugging(scene.repository, test, { start: "main", ...options });
  assert.equal((await port({ budget: 2 })).status, "budget");
  assert.equal((await port({ oldest: scene.shas[5] })).status, "history_exhausted");
  assert.equal((await port({ revisions: [scene.shas[7], scene.shas[4]] })).status, "history_exhausted");
  assert.equal((await port({ good: scene.shas[1] })).good, scene.shas[2]);
  assert.equal((await port({ start: scene.shas[2] }, () => true)).status, "not_reproduced");
  assert.equal((await port({}, () => undefined)).status, "untestable");
  const kept = await port({ alwaysKeep: ["app.txt"] });
  assert.deepEqual([kept.status, kept.carried, kept.warnings], ["history_exhausted", null, []]);

  // A shallow clone.
  const shallow = join(folder, "shallow");
  execFileSync("git", ["clone", "-q", "--depth", "2", `file://${scene.path}`, shallow]);
  await assert.rejects(fb.iterativeDeltaDebugging(shallow, oracle, { start: "main" }), (error) => {
    assert.equal(error.code, "shallow");
    assert.match(error.message, new RegExp(scene.shas.at(-2)));
    return true;
  });

  const controller = new AbortController();
  const reason = new Error("enough");
  const aborted = port({ signal: controller.signal }, (_, { signal }) => {
    controller.abort(reason);
    assert.equal(signal.reason, reason);
    return new Promise(() => {});
  });
  assert.equal(await rejectionOf(aborted), reason);
  const failure = new Error("its own");
  assert.equal(
    await rejectionOf(
      port({}, () => {
        throw failure;
      }),
    ),
    failure,
  );
  let tries = 0;
  const again = await port({ budget: 2 }, (probe) => {
    if (tries++ === 0) throw new fb.Retry("once more");
    return oracle(probe);
  });
  assert.equal(again.status, "budget");
});

test("invalid arguments are named", async () => {
  const scene = repositoryOf("arguments", versionsWith({ count: 5, made: 0, broken: 3 }));
  const other = repositoryOf("elsewhere", versionsWith({ count: 2, made: 0, broken: 1 }));
  const elsewhere = toClose(other.repository.commandOracle(["true"]));
  const keyed = new fb.OutcomeStore(join(folder, "keyed.db"), { oracle: "test", key: { a: "b" } });
  const pass = () => true;
  const refused = async (options, oracle = pass, repo = scene.repository) => {
    const error = await rejectionOf(fb.iterativeDeltaDebugging(repo, oracle, options));
    assert.ok(error instanceof fb.FirstbadError, error);
    return `${error.code} ${error.message}`;
  };
  const start = "main";
  for (const [given, expected] of [
    [refused(undefined), /^invalid_argument start: undefined/],
    [refused({ start: "nowhere" }), /^unknown_revision start: .*"nowhere"/],
    [refused({ start, good: "main~9" }), /^unknown_revision good: .*"main~9"/],
    [refused({ start, forward: "nowhere" }), /^unknown_revision forward: /],
    [refused({ start, hierarchical: false, granularity: "files" }), /^invalid_argument granularity: "files"/],
    [refused({ start: "main~1", good: "main" }), /^invalid_argument good: /],
    [refused({ start, maxPatch: 0 }), /^invalid_argument maxPatch: 0/],
    [refused({ start, secondsFactor: 1 }), /^invalid_argument secondsFactor: 1/],
    [refused({ start, revisions: [] }), /^invalid_argument revisions: /],
    [refused({ start, revisions: "main~1" }), /^invalid_argument revisions: "main~1"/],
    [refused({ start, alwaysKeep: ["nothing"] }), /^invalid_argument alwaysKeep: "nothing"/],
    [refused({ start, walk: "run" }), /^invalid_argument .*run/],
    [refused({ start, reader: scene.repository }), /^invalid_argument reader: /],
    [refused({ start, store: {} }), /^invalid_argument store: /],
    [refused({ start, store: keyed }), /^invalid_argument store: "one with keys of revisions"/],
    [
      refused({ start, controlled: true }),
      /^invalid_argument options: "controlled" is not an option of iterativeDeltaDebugging/,
    ],
    [
      refused({ start, boundary: [] }),
      /^invalid_argument options: "boundary" is not an option of iterativeDeltaDebugging/,
    ],
    [refused({ start, concurrency: 0 }), /^invalid_argument concurrency: 0/],
    [refused({ start, control: "make" }), /^invalid_argument control: "make"/],
    [refused({ start, control: elsewhere }), /^invalid_argument control: .*a command oracle of/],
    [refused({ start, also: 5 }), /^invalid_argument also: /],
    [refused({ start }, 5), /^invalid_argument oracle: 5/],
    [refused({ start }, elsewhere), /^invalid_argument oracle: /],
    [refused({ start }, () => "passed"), /^invalid_argument oracle, at revision "[0-9a-f]{40}": answer: "passed"/],
    [
      refused({ start, control: () => 2 }, () => false),
      /^invalid_argument control, at revision "[0-9a-f]{40}": answer: 2 is not valid/,
    ],
    [refused({ start }, pass, 5), /^invalid_argument repo: 5/],
    [refused({ start }, pass, folder), /^git /],
  ]) {
    assert.match(await given, expected);
  }
  assert.match(thrownBy(() => new fb.Porter({}, { start })).message, /^graph: /);
});

test("the core draws figures, and an unknown figure is an error", async () => {
  const scene = repositoryOf("figures", versionsWith({ count: 12, made: 8, broken: 4 }));
  const said = [];
  const report = await fb.iterativeDeltaDebugging(scene.path, (probe) => judged(fileOf(scene, probe)), {
    start: "main",
    forward: "main",
    onProgress: ({ kind, revision, patch }) => said.push([kind, revision, patch]),
  });
  assert.deepEqual(said[0], ["asked", scene.shas.at(-1), 0]);
  assert.deepEqual(said.at(-1), ["done", null, null]);
  assert.ok(said.some(([, revision, patch]) => revision === scene.shas[7] && patch > 0));
  const walk = report.reductions.find(({ purpose }) => purpose === "walk");
  for (const figure of ["sizes", "reductions"]) {
    const svg = report.toSvg(figure);
    assert.ok(svg.startsWith("<svg ") && svg.endsWith("</svg>\n"));
    assert.ok(svg.includes(`<title>${walk.revision.slice(0, 8)}, ${walk.purpose} (does not build)`), svg);
  }
  assert.ok(report.toSvg("fixpoint").includes("<title>Gain from further rounds</title>"));
  const error = thrownBy(() => report.toSvg("size"));
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /figure: "size" is not valid; expected one of "sizes", "reductions", "fixpoint"/);
});
