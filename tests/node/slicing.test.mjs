// Slices of histories in small Git repositories.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fb, fc, lines, rejectionOf, repositoryAt, thrownBy, tick, unhandled } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-slicing-"));
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

const PLACES = ["zero", "one", "two"];

/** A file whose lines are far enough apart to change separately. */
const app = (now = {}) =>
  lines(...PLACES.flatMap((place) => [`-- ${place}`, `in ${place}`, now[place] ?? place, `${place} ends`, "--"]));

/** The changes of eight commits. 1, 3 and 5 are a feature, and 3 edits lines of 1. */
const STEPS = [
  { "docs/a": "words\n" },
  { "src/app": app({ zero: "start" }) },
  { "src/app": app({ zero: "start", one: "other" }) },
  { "src/app": app({ zero: "start\nfeature", one: "other" }) },
  { "docs/a": "more words\n" },
  { "src/lib": "helper\n" },
  { "src/app": app({ zero: "start\nfeature", one: "other", two: "another" }) },
  { "tests/t": "feature\n" },
];

const SUBJECTS = [
  "Docs",
  "Start",
  "Other",
  'The feature: it\'s "new" / ../x',
  "More docs",
  "Ein Helfer für …",
  "Another",
  "A test",
];

/** Creates a history of these steps. `commits` are the hashes after the base. */
function historyOf(name, steps = STEPS, subjects = SUBJECTS) {
  const versions = [{ "src/app": app(), "docs/a": "\n" }];
  for (const step of steps) versions.push({ ...versions.at(-1), ...step });
  const messageOf = (version) => `${version === 0 ? "Base" : subjects[version - 1]}\n\nAnd why.\n`;
  const scene = repositoryAt(join(folder, name), versions, messageOf);
  const [base, ...commits] = scene.shas;
  const [before] = versions;
  return { ...scene, base, commits, before };
}

/** Returns the files of the base with a patch. */
const filesOf = ({ before }, patch) => (patch.length === 0 ? before : patch.apply(before));

/** Passes if the feature is complete. */
const whole = (files) => files["src/app"].includes("start\nfeature\n") && files["src/lib"] === "helper\n";

/** Returns an oracle for the feature that counts its calls. */
function featureOf(scene) {
  const oracle = (probe) => {
    oracle.probes.push(probe);
    return whole(filesOf(scene, probe.patch));
  };
  oracle.probes = [];
  return oracle;
}

const TIP = { tip: "main" };

/** A function that starts to call a function of an earlier commit, and a file in a language without a grammar. */
const CALLS = [
  { "lib.js": "export const helper = () => 2;\n" },
  { "A.java": "class A {}\n" },
  { "app.js": 'import { helper } from "./lib.js";\n\nexport function total() {\n  return helper();\n}\n' },
];

/** Returns a report as JSON, without values that differ between runs. */
const answered = (report) => {
  const { observations, run_seconds, ...answer } = JSON.parse(report.toJson());
  return answer;
};

test("changes depend on the definitions that they use", async () => {
  const scene = historyOf("definitions", CALLS, ["Helper", "Java", "Use"]);
  const oracle = ({ patch }) => {
    const [uses, defines] = ["helper()", "const helper"].map((words) => patch.toString().includes(words));
    return uses && !defines ? "unresolved" : uses;
  };
  const sliced = (options) => fb.sliceHistory(scene.path, { base: scene.base, tip: "main", oracle, ...options });
  const apart = await sliced({ dependencies: "hunks" });
  const found = await sliced({ dependencies: "syntax" });
  for (const report of [apart, found]) assert.deepEqual(report.commits, [scene.commits[0], scene.commits[2]]);
  assert.match(found.warnings.join(), /"A.java".*the grammar of Java is not built in; the cargo feature "java" has it/);
  const parts = await sliced({ granularity: "definition" });
  const names = [`${scene.commits[0]}:lib.js`, `${scene.commits[2]}:app.js`];
  assert.deepEqual([...new Set(parts.commits.map((name) => name.split("#")[0]))], names);
  assert.ok(parts.commits.includes(`${scene.commits[2]}:app.js#total`), String(parts.commits));
});

test("a feature needs three of eight commits, and merge conflicts cost no run", async () => {
  const scene = historyOf("feature");
  const { repository, base, commits, path } = scene;
  const said = [];
  const oracle = async (probe, { signal, probe: { id } }) => {
    await tick();
    assert.equal(signal.aborted, false);
    assert.equal(probe.id, id);
    return counted(probe);
  };
  const counted = featureOf(scene);
  const report = await fb.sliceHistory(repository, {
    base: "main~8",
    ...TIP,
    oracle,
    dependencies: "none",
    onProgress: ({ kind, runs, asked }) => said.push([kind, runs, asked]),
  });
  assert.ok(report instanceof fb.SlicerReport);
  const slice = [1, 3, 5].map((at) => commits[at]);
  assert.deepEqual([report.status, report.commits, report.kept], ["found", slice, [1, 3, 5]]);
  assert.deepEqual([report.of, report.guarantee, report.runs], [8, "1-minimal", report.runs]);
  assert.equal(report.runs, counted.probes.length);
  assert.deepEqual(said.at(-1), ["done", report.runs, report.asked]);
  assert.equal(report.observations.length, report.asked);
  assert.deepEqual(report.observations[0].changes, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(report.observations[0].set, "0-7");

  // Each probe is the base with a patch, and names its changes.
  const [all, none] = counted.probes;
  assert.deepEqual(all.changes, commits);
  assert.deepEqual([all.revision, all.tree], [base, scene.git("rev-parse", "main^{tree}")]);
  assert.deepEqual([none.changes, none.patch.length, none.tree], [[], 0, scene.git("rev-parse", `${base}^{tree}`)]);
  const trees = counted.probes.map(({ tree }) => tree);
  assert.equal(new Set(trees).size, trees.length);

  // A change conflicts without the changes whose lines it edits.
  const free = report.observations.filter(({ ran }) => ran === false);
  assert.equal(free.length, report.asked - report.runs);
  const conflict = free.find(({ stage }) => stage === "patch");
  assert.match(conflict.note, new RegExp(`^${commits[3]} cannot be merged: .*src/app`));
  assert.deepEqual(report.why.map(({ change }) => change).sort(), [1, 3, 5]);
  for (const why of report.why) {
    assert.equal(why.name, commits[why.change]);
    assert.deepEqual(report.observations[why.observation].changes, why.changes);
    assert.equal(report.observations[why.observation].set, why.set);
    assert.equal(why.outcome, "fail");
    assert.ok(why.ran);
  }
  const start = report.why.find(({ change }) => change === 1);
  assert.deepEqual([start.changes, start.unbuilt.length], [[5], 1]);
  assert.deepEqual(report.observations[start.unbuilt[0]].changes, [3, 5]);
  assert.equal(report.sizes.at(-1).changes, 3);

  assert.match(report.toText(), /^3 of 8 commits are needed for the pass \(1-minimal, /);
  assert.equal(String(report), report.toText().trimEnd());
  const shown = report[Symbol.for("Jupyter.display")]();
  assert.ok(
    report.toHtml().includes(shown["text/html"]) && shown["text/html"].startsWith("<section"),
    shown["text/html"],
  );
  assert.ok(report.toMarkdown().includes(`\n  - \`${slice[0].slice(0, 12)}\` `), report.toMarkdown());
  assert.deepEqual(Object.keys(report.details).sort(), [base, ...slice, commits.at(-1)].sort());
  assert.deepEqual(JSON.parse(JSON.stringify(report)), JSON.parse(report.toJson()));
  assert.deepEqual(JSON.parse(report.toJson()).names, slice);

  // Predictions and other algorithms change only the number of runs.
  for (const options of [{}, { algorithm: "definer", scheme: "neg", seed: 3 }, { algorithm: "ddmin" }, { jobs: 3 }]) {
    const other = await fb.sliceHistory(path, { base, ...TIP, oracle: featureOf(scene), ...options });
    assert.deepEqual([other.commits, other.guarantee], [slice, "1-minimal"]);
  }
  const guessed = { 3: [1] };
  const hinted = await fb.sliceHistory(path, { base, ...TIP, oracle: featureOf(scene), dependencies: guessed });
  assert.deepEqual(hinted.commits, slice);
  const started = { algorithm: "coverage", start: [1, 3, 5, 6] };
  const covered = await fb.sliceHistory(path, { base, ...TIP, oracle: featureOf(scene), ...started });
  assert.deepEqual([covered.kept, covered.guarantee], [[1, 3, 5, 6], "best so far"]);
});

test("patches are applied by `git am`, and a branch is made of them", async () => {
  const scene = historyOf("patches");
  const { git, base, commits } = scene;
  const report = await fb.sliceHistory(scene.path, { base, ...TIP, oracle: featureOf(scene) });
  const refs = git("for-each-ref");
  const patches = await report.patches();
  assert.equal(git("for-each-ref"), refs);
  assert.deepEqual(
    patches.map(({ name }) => name),
    ["0001-Start.patch", "0002-The-feature-it-s-new-.-x.patch", "0003-Ein-Helfer-f-r.patch"],
  );
  assert.deepEqual(
    patches.map(({ commit }) => commit),
    [1, 3, 5].map((at) => commits[at]),
  );
  const mails = join(folder, "mails");
  mkdirSync(mails);
  for (const { name, bytes, text } of patches) {
    assert.equal(Buffer.from(bytes).toString(), text);
    writeFileSync(join(mails, name), bytes);
  }
  const tip = await report.createBranch("slice/one");
  assert.equal(tip, patches.at(-1).made);
  assert.equal(git("rev-parse", "slice/one"), tip);
  assert.deepEqual(
    git("log", "--format=%s", `${base}..slice/one`).split("\n"),
    [5, 3, 1].map((at) => SUBJECTS[at]),
  );
  git("checkout", "-q", "-b", "mailed", base);
  git(
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@example.org",
    "am",
    "-q",
    ...patches.map(({ name }) => join(mails, name)),
  );
  assert.equal(git("diff", "mailed", "slice/one"), "");
  assert.equal(git("show", "slice/one:src/app"), app({ zero: "start\nfeature" }).trim());
  for (const [name, words] of [
    ["slice/one", /^name: .*expected the name of a new branch/],
    ["a..b", /^name: .*expected a valid branch name/],
    [5, /^name: 5/],
  ]) {
    assert.match((await rejectionOf(report.createBranch(name))).message, words);
  }
});

test("paths that count, and tests from the tip", async () => {
  const scene = historyOf("paths");
  const { base, commits } = scene;
  const seen = [];
  const oracle = ({ patch }) => {
    const files = filesOf(scene, patch);
    seen.push(files);
    return files["tests/t"] === "feature\n" && whole(files);
  };
  const options = { base, ...TIP, oracle, paths: ["src"], tests: new Set(["tests"]) };
  const report = await fb.sliceHistory(scene.path, options);
  assert.deepEqual([report.of, report.commits], [5, [1, 3, 5].map((at) => commits[at])]);
  assert.ok(seen.every((files) => files["tests/t"] === "feature\n" && files["docs/a"] === "\n"));
  // The branch does not include the tests.
  const branch = await report.createBranch("counted");
  assert.deepEqual(scene.git("ls-tree", "-r", "--name-only", branch).split("\n"), ["docs/a", "src/app", "src/lib"]);

  // Parts of commits.
  const both = { "src/app": app({ zero: "feature", two: "TWO" }), "src/lib": "helper\n" };
  const parts = historyOf("parts", [both], ["Both"]);
  const judge = ({ patch }) => filesOf(parts, patch)["src/app"].includes("feature\n");
  const sliced = (granularity) => fb.sliceHistory(parts.path, { base: parts.base, ...TIP, oracle: judge, granularity });
  assert.deepEqual((await sliced("file")).commits, [`${parts.commits[0]}:src/app`]);
  const hunks = await sliced("hunk");
  assert.deepEqual([hunks.commits, hunks.of], [[`${parts.commits[0]}:src/app#0`], 4]);
  const [patch] = await hunks.patches();
  assert.equal(filesOf(parts, fb.Patch.parse(patch.bytes))["src/app"], app({ zero: "feature" }));
});

const COMMAND = [
  "sh",
  "-c",
  "grep -qx feature src/app && grep -qx helper src/lib 2>/dev/null || { echo 'error: no feature'; exit 1; }",
];

test("a command runs at the base, and breaking commits are found", async () => {
  const scene = historyOf("command");
  const slice = [1, 3, 5].map((at) => scene.commits[at]);
  const oracle = toClose(scene.repository.commandOracle(COMMAND));
  const options = { base: scene.base, ...TIP, oracle, concurrency: 2 };
  const report = await fb.sliceHistory(scene.repository, options);
  assert.deepEqual([report.status, report.commits], ["found", slice]);
  assert.match(report.observations.find(({ outcome }) => outcome === "fail").signature, /no feature/);
  const broken = toClose(scene.repository.commandOracle(["sh", "-c", "! grep -qx feature src/app"]));
  const failing = await fb.sliceHistory(scene.repository, { ...options, oracle: broken, keep: "fail" });
  assert.deepEqual(failing.commits, slice.slice(0, 2));
});

test("an unexpected outcome at the tip or the base ends the search", async () => {
  const scene = historyOf("ends");
  const slice = (oracle) => fb.sliceHistory(scene.path, { base: scene.base, ...TIP, oracle });
  const failing = await slice(() => ({ outcome: "fail", note: "it broke" }));
  assert.deepEqual([failing.status, failing.commits, failing.runs], ["not_reproduced", [], 1]);
  assert.match(failing.message, /the test does not pass with all 8 changes/);
  assert.equal((await rejectionOf(failing.patches())).code, "not_reproduced");
  assert.equal((await rejectionOf(failing.createBranch("nothing"))).code, "not_reproduced");
  assert.equal((await slice(() => undefined)).status, "untestable");
  const passing = await slice(() => true);
  assert.deepEqual([passing.status, passing.commits, passing.runs], ["found", [], 2]);
  assert.deepEqual(await passing.patches(), []);
});

test("outcomes of equal trees are shared", async () => {
  const scene = historyOf("store");
  const store = new fb.OutcomeStore(join(folder, "store.db"), { oracle: "test" });
  const oracle = featureOf(scene);
  const options = { base: scene.base, ...TIP, oracle, store };
  const first = await fb.sliceHistory(scene.path, options);
  const runs = oracle.probes.length;
  assert.equal(first.runs, runs);
  const again = await fb.sliceHistory(scene.path, { ...options, journal: join(folder, "stored.jsonl") });
  assert.deepEqual([again.commits, again.runs, again.asked], [first.commits, 0, first.asked]);
  // The trees do not depend on the granularity.
  const counted = await fb.sliceHistory(scene.path, {
    ...options,
    paths: ["src", "docs", "tests"],
    algorithm: "ddmin",
  });
  assert.deepEqual(counted.commits, first.commits);
  assert.equal(oracle.probes.length - runs, counted.runs);
  assert.ok(counted.runs < counted.asked);
});

test("a run killed after any event resumes to the same result", async () => {
  // The last commit reverts the one before it, so different sets have equal files.
  const scene = historyOf("journal", [...STEPS.slice(0, 7), { "src/app": STEPS[3]["src/app"] }]);
  const journal = join(folder, "run.jsonl");
  const oracle = featureOf(scene);
  const options = { base: "main~8", ...TIP, oracle };
  const whole = await fb.sliceHistory(scene.path, { ...options, journal });
  assert.ok(whole.observations.some(({ ran, stage }) => ran === false && stage !== "patch"));
  const all = oracle.probes.length;
  const written = readFileSync(journal, "utf8").trim().split("\n");
  const events = (text) => text.map((line) => JSON.parse(line)).map(({ at, ...event }) => event);
  for (let kept = 1; kept <= written.length; kept++) {
    const part = join(folder, `part-${kept}.jsonl`);
    writeFileSync(part, `${written.slice(0, kept).join("\n")}\n`);
    appendFileSync(part, '{"torn');
    oracle.probes.length = 0;
    const report = await fb.sliceHistory(scene.path, { ...options, journal: part });
    const answer = answered(report);
    assert.deepEqual(answer, answered(whole));
    assert.equal(report.observations.length, whole.observations.length);
    assert.ok(oracle.probes.length <= all, "what was answered is not run again");
    const now = readFileSync(part, "utf8").trim().split("\n");
    assert.deepEqual(events(now).slice(0, kept), events(written).slice(0, kept));
  }
  // A journal of a command goes on with that command alone, and a limit does not hold for who goes on.
  const command = toClose(scene.repository.commandOracle(COMMAND));
  const commanded = { ...options, oracle: command, journal: join(folder, "command.jsonl") };
  const begun = await fb.sliceHistory(scene.repository, { ...commanded, budget: 3 });
  assert.deepEqual([begun.status, begun.runs], ["budget", 3]);
  const refused = fb.sliceHistory(scene.repository, { ...commanded, oracle });
  assert.equal((await rejectionOf(refused)).code, "journal");
  const ended = await fb.sliceHistory(scene.repository, commanded);
  assert.deepEqual([ended.status, ended.commits], ["found", whole.commits]);
  // By hand the same search is that of its names and options.
  const { configuration } = JSON.parse(readFileSync(journal, "utf8").split("\n", 1)[0]);
  const { changes: names, history, dependencies } = configuration;
  const byHand = new fb.Slicer(names, { history, dependencies });
  const session = fb.Session.open(journal, byHand);
  assert.deepEqual([session.done, session.report().commits], [true, whole.commits]);
  session.close();
});

test("budgets, known outcomes, signals, and errors work as in every run", async () => {
  const scene = historyOf("run");
  const oracle = featureOf(scene);
  const slice = (options) => fb.sliceHistory(scene.path, { base: scene.base, ...TIP, oracle, ...options });
  const poor = await slice({ budget: 3 });
  assert.deepEqual([poor.status, poor.runs, poor.guarantee], ["budget", 3, "best so far"]);
  assert.ok(poor.commits.length >= 3);
  oracle.probes.length = 0;
  const known = new Map([
    [[0, 1, 2, 3, 4, 5, 6, 7], true],
    [[], false],
  ]);
  const told = await slice({ known });
  assert.equal(told.commits.length, 3);
  assert.ok(oracle.probes.every(({ changes }) => changes.length > 0 && changes.length < 8));
  const repeated = await slice({ known: told.observations });
  assert.deepEqual([repeated.commits, repeated.runs], [told.commits, 0]);

  const controller = new AbortController();
  const reason = new Error("enough");
  const aborted = slice({
    signal: controller.signal,
    oracle: (_, { signal }) => {
      controller.abort(reason);
      assert.equal(signal.reason, reason);
      return new Promise(() => {});
    },
  });
  assert.equal(await rejectionOf(aborted), reason);
  // Aborted while git was at it, nothing is run.
  const early = new AbortController();
  let runs = 0;
  const unasked = slice({ signal: early.signal, onProgress: () => early.abort(reason), oracle: () => runs++ < 0 });
  assert.equal(await rejectionOf(unasked), reason);
  await tick();
  assert.equal(runs, 0);
  const failure = new Error("its own");
  const throwing = () => {
    throw failure;
  };
  assert.equal(await rejectionOf(slice({ oracle: throwing })), failure);
  let tries = 0;
  const again = await slice({
    budget: 2,
    oracle: (probe) => {
      if (tries++ === 0) throw new fb.Retry("once more");
      return oracle(probe);
    },
  });
  assert.equal(again.status, "budget");
});

test("invalid arguments are named", async () => {
  const scene = historyOf("arguments");
  const other = historyOf("elsewhere", STEPS.slice(0, 2));
  const elsewhere = toClose(other.repository.commandOracle(["true"]));
  const keyed = new fb.OutcomeStore(join(folder, "keyed.db"), { oracle: "test", key: { a: "b" } });
  scene.git("branch", "side", scene.base);
  scene.git("checkout", "-q", "side");
  scene.git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "side");
  const refused = async (options, repo = scene.repository) => {
    const error = await rejectionOf(fb.sliceHistory(repo, options));
    assert.ok(error instanceof fb.FirstbadError, error);
    return `${error.code} ${error.message}`;
  };
  const given = { base: scene.base, ...TIP, oracle: () => true };
  for (const [options, expected] of [
    [undefined, /^invalid_argument base: undefined/],
    [{ ...given, base: undefined }, /^invalid_argument base: undefined/],
    [{ ...given, tip: 5 }, /^invalid_argument tip: 5/],
    [{ ...given, base: "nowhere" }, /^unknown_revision .*nowhere/],
    [{ ...given, base: "side" }, /^invalid_argument base: "side" is not valid; expected an ancestor of "main"/],
    [{ ...given, base: "main", tip: "main~1" }, /^invalid_argument base: "main"/],
    [{ ...given, paths: ["nothing"] }, /^invalid_argument paths: "?nothing/],
    [{ ...given, tests: ["nothing"] }, /^invalid_argument tests: .*nothing/],
    [{ ...given, granularity: "line" }, /^invalid_argument granularity: .*line/],
    [{ ...given, oracle: undefined }, /^invalid_argument oracle: undefined is not valid; expected a command oracle/],
    [{ ...given, oracle: elsewhere }, /^invalid_argument oracle: .*a command oracle of/],
    [{ ...given, oracle: () => "passed" }, /^invalid_argument oracle, for changes 0-7: answer: "passed"/],
    [{ ...given, path: ["src"] }, /^invalid_argument options: "path" is not an option of sliceHistory; .*paths/],
    [{ ...given, history: {} }, /^invalid_argument options: "history" is not an option of sliceHistory/],
    [{ ...given, reader: scene.repository }, /^invalid_argument reader: /],
    [{ ...given, algorithm: "fast" }, /^invalid_argument algorithm: .*fast/],
    [{ ...given, algorithm: "coverage" }, /^invalid_argument algorithm: "coverage" is not valid; expected a start/],
    [{ ...given, scheme: "high" }, /^invalid_argument scheme: .*high/],
    [
      { ...given, dependencies: "some" },
      /^invalid_argument dependencies: "some" is not valid; expected "auto", "hunks", "syntax", "none"/,
    ],
    [{ ...given, dependencies: { 0: [8] } }, /^invalid_argument dependencies/],
    [{ ...given, start: [8] }, /^invalid_argument start: 8 is not valid; expected indices below 8/],
    [{ ...given, keep: "unresolved" }, /^invalid_argument keep: /],
    [{ ...given, store: {} }, /^invalid_argument store: /],
    [{ ...given, store: keyed }, /^invalid_argument store: "one with keys of revisions"/],
    [{ ...given, concurrency: 0 }, /^invalid_argument concurrency: 0/],
  ]) {
    assert.match(await refused(options), expected);
  }
  assert.match(await refused(given, 5), /^invalid_argument repo: 5/);
  assert.match(await refused(given, folder), /^git /);
});

test("a search by hand takes names or a number of changes", async () => {
  const names = ["parser", "docs", "lexer", "tests"];
  const search = new fb.Slicer(names);
  const holds = (kept) => kept.includes("parser") && kept.includes("lexer");
  const [first] = search.ask();
  assert.deepEqual(search.subject(first), names);
  assert.deepEqual([...first.changes], [0, 1, 2, 3]);
  search.tell(first.id, true);
  search.observe([1, 3], { outcome: "unresolved", ran: false });
  const restored = fb.Slicer.restore(names, search.snapshot());
  assert.equal(restored.snapshot(), search.snapshot());
  const report = await fb.run(restored, holds);
  assert.deepEqual([report.status, report.commits, report.kept], ["found", ["parser", "lexer"], [0, 2]]);
  assert.equal(thrownBy(() => fb.Slicer.restore(names, "{}")).code, "snapshot");
  assert.equal(thrownBy(() => fb.Slicer.restore(5, new fb.Slicer(4).snapshot())).code, "snapshot");
  assert.match((await rejectionOf(report.patches())).message, /^report: .*expected one of sliceHistory/);
  assert.match((await rejectionOf(report.createBranch("x"))).message, /^report: /);

  const counted = await fb.run(new fb.Slicer(3, { keep: "fail" }), (kept) => !kept.includes("2"));
  assert.deepEqual([counted.commits, counted.of], [["2"], 3]);
  for (const [changes, expected] of [
    [0, /^changes: 0 /],
    [1.5, /^changes: 1.5 /],
    ["abc", /^changes: "abc" /],
    [undefined, /^changes: undefined /],
    [[], /^changes: /],
    [["a", 5], /^changes\[1\]: 5 /],
    [["a", "a"], /^changes: "a" is not valid; expected each name once/],
    [20_000, /^changes: 20000 /],
  ]) {
    assert.match(thrownBy(() => new fb.Slicer(changes)).message, expected);
  }
  assert.match(thrownBy(() => new fb.Slicer(3, { changes: ["a"] })).message, /^options: "changes"/);
  assert.match(thrownBy(() => new fb.Slicer(3, { history: { bse: "a" } })).message, /^history: "bse"/);
});

test("the slice is 1-minimal with and without facts", async () => {
  const scenes = fc.record({
    needed: fc.uniqueArray(fc.nat(11), { maxLength: 4 }),
    algorithm: fc.constantFrom("auto", "definer", "recursive", "ddmin"),
    seed: fc.nat(1000),
  });
  const holds = async ({ needed, algorithm, seed }) => {
    const search = new fb.Slicer(12, { algorithm, seed, learn: seed % 2 === 0 });
    const report = await fb.run(search, (kept) => needed.every((one) => kept.includes(String(one))));
    assert.deepEqual(
      report.kept,
      [...needed].sort((a, b) => a - b),
    );
  };
  await fc.assert(fc.asyncProperty(scenes, holds), { numRuns: 60, seed: 1 });
});

test("a commit is picked for another branch", async () => {
  const steps = [{ helper: "helper\n" }, { docs: "docs\n" }, { feature: "feature\n" }];
  const history = historyOf("release", steps, ["Helper (#1)", "Docs", "Feature"]);
  const [helper, , feature] = history.commits;
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  const onto = history.git(...who, "commit-tree", "-p", history.base, "-m", "1.1", `${history.base}^{tree}`);
  history.git("branch", "release", onto);
  const oracle = ({ revision, changes, patch }) => {
    assert.deepEqual([revision, changes.includes(feature)], [onto, true]);
    return patch.toString().includes("+helper");
  };
  const report = await fb.sliceHistory(history.path, { onto: "release", tip: "main", oracle });
  assert.deepEqual(report.commits, [helper, feature]);
  assert.equal(report.cherryPick, `git cherry-pick -x ${helper} ${feature}`);
  assert.match(report.toMarkdown(), / needs #1 \(1-minimal, /);
  const newest = await report.createBranch("picked");
  assert.match(history.git("log", "-1", "--format=%B", newest), new RegExp(`cherry picked from commit ${feature}`));
  const alone = await fb.sliceHistory(history.path, { onto: "release", tip: "main", oracle: () => true });
  assert.deepEqual([alone.commits, alone.runs], [[feature], 1]);
  const refused = await rejectionOf(fb.sliceHistory(history.path, { base: "release", tip: "main", oracle }));
  assert.match(refused.message, /pass onto: "release" instead of base/);
});
