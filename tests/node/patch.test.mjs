import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fb, fc, rejectionOf, thrownBy, unhandled } from "./support.mjs";

/** Changes: 0 and 1 are in x, 2 to 4 create the file n, 5 and 6 delete the file d. */
const TEXT = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,3 +1,3 @@ head
 one
-two
+2
 three
diff --git a/n b/n
new file mode 100644
--- /dev/null
+++ b/n
@@ -0,0 +1,2 @@
+a
+b
diff --git a/d b/d
deleted file mode 100644
--- a/d
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
const BEFORE = { x: "one\ntwo\nthree\n", d: "gone\n" };
const AFTER = { x: "one\n2\nthree\n", n: "a\nb\n" };
const patch = fb.Patch.parse(TEXT);

let folder;
let repository;
let shas;
const environment = { ...process.env };

const path = (...names) => join(folder, ...names);

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", path("repo"), ...config, ...words], { encoding: "utf8" }).trim();
}

/** Three commits. The second breaks `value`, among many other changes. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-patch-"));
  process.env.XDG_CACHE_HOME = path("cache");
  execFileSync("git", ["init", "-q", "-b", "main", path("repo")]);
  const commit = (files) => {
    mkdirSync(path("repo", "src"), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(path("repo", name), content);
    git("add", "-A");
    git("commit", "-q", "-m", "words");
    return git("rev-parse", "HEAD");
  };
  const lines = (...changed) => Array.from({ length: 20 }, (_, line) => changed[line] ?? `line ${line}`).join("\n");
  shas = [
    commit({ "src/code": `${lines()}\n`, other: "old\n" }),
    commit({ "src/code": `${lines("first", "broken")}\nlast\n`, other: "new\n", more: "1\n2\n" }),
    commit({ other: "newer\n" }),
  ];
  repository = new fb.Repository(path("repo"));
});

after(async () => {
  process.env.XDG_CACHE_HOME = environment.XDG_CACHE_HOME;
  if (environment.XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
  rmSync(folder, { recursive: true, force: true });
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

test("a patch has files, hunks, and changes, and prints unchanged", () => {
  assert.equal(patch.length, 7);
  assert.equal(`${patch}`, TEXT);
  for (const given of [Buffer.from(TEXT), new Uint8Array(Buffer.from(TEXT))]) {
    assert.deepEqual(Buffer.from(fb.Patch.parse(given).bytes), Buffer.from(TEXT));
  }
  const { files, changes } = patch;
  assert.deepEqual(
    files.map(({ path, oldPath, newPath, header, changes }) => [path, oldPath, newPath, header, changes]),
    [
      ["x", "x", "x", [], [0, 1]],
      ["n", null, "n", ["creation"], [2, 3, 4]],
      ["d", "d", null, ["deletion"], [5, 6]],
    ],
  );
  assert.deepEqual(files[0].hunks, [
    { oldStart: 1, oldCount: 3, newStart: 1, newCount: 3, heading: "head", changes: [0, 1] },
  ]);
  assert.equal(files[0].binary, false);
  assert.deepEqual(changes[1], { index: 1, file: 0, hunk: 0, kind: "added", path: "x", text: "2", line: 2 });
  assert.deepEqual(changes[2], { index: 2, file: 1, hunk: null, kind: "creation", path: "n", text: "n", line: null });
  assert.equal(patch.changes, changes);
  assert.ok(Object.isFrozen(changes) && Object.isFrozen(changes[0]) && Object.isFrozen(files[0].hunks[0].changes));
  // Changes, hunks, files.
  assert.deepEqual(patch.parents, [7, 7, 11, 8, 8, 12, 9, 10, 11, 12, null, null, null]);
  assert.deepEqual(patch.dependencies, [[], [], [], [2], [2], [6], []]);
  assert.deepEqual(patch.origin, [0, 1, 2, 3, 4, 5, 6]);
});

test("any subset is a patch without changes that cannot stand alone", () => {
  const property = fc.property(fc.subarray([0, 1, 2, 3, 4, 5, 6]), (chosen) => {
    const part = patch.subset([...chosen].reverse());
    assert.ok(part instanceof fb.Patch);
    assert.deepEqual(part.origin, patch.standing(chosen));
    assert.equal(part.length, part.origin.length);
    assert.ok(part.origin.every((change) => patch.dependencies[change].every((other) => part.origin.includes(other))));
    assert.equal(`${fb.Patch.parse(part.bytes)}`, `${part}`);
    // It applies wherever the whole patch applies.
    const { x } = part.apply(BEFORE);
    assert.equal(x.includes("2\n"), chosen.includes(1));
    assert.equal(x.includes("two\n"), !chosen.includes(0));
  });
  fc.assert(property, { seed: 6, numRuns: 100 });
  assert.equal(patch.subset(new Set()).length, 0);
  assert.equal(`${patch.subset([3])}`, "");
});

test("applying a patch keeps the form of the files", () => {
  assert.deepEqual(patch.apply(BEFORE), AFTER);
  assert.deepEqual(patch.apply(new Map(Object.entries(BEFORE))), new Map(Object.entries(AFTER).sort()));
  assert.deepEqual(patch.apply(Object.entries(BEFORE)), AFTER);
  const bytes = patch.apply({ x: Buffer.from(BEFORE.x), d: BEFORE.d });
  assert.ok(bytes.n instanceof Uint8Array);
  assert.equal(Buffer.from(bytes.x).toString(), AFTER.x);
  const latin = fb.Patch.parse(Buffer.from("--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+\xe9\n", "latin1"));
  assert.deepEqual([...latin.apply({ l: Buffer.from("a\n") }).l], [0xe9, 10]);
  assert.match(thrownBy(() => latin.apply({ l: "a\n" })).message, /^files: .*"l" is not UTF-8/);
});

test("conflicts and invalid patches have a code and a message", () => {
  const conflict = thrownBy(() => patch.apply({ ...BEFORE, x: "other\n" }));
  assert.ok(conflict instanceof fb.FirstbadError);
  assert.equal(conflict.code, "patch_conflict");
  assert.match(conflict.message, /\bx\b.*hunk 1/);
  assert.equal(thrownBy(() => patch.apply({})).code, "patch_conflict");
  const syntax = thrownBy(() => fb.Patch.parse(TEXT.replace("@@ -1,3 +1,3 @@", "@@ -1,9 +1,3 @@")));
  assert.equal(syntax.code, "patch_syntax");
  assert.match(syntax.message, /line \d+/);
  assert.equal(fb.Patch.parse("").length, 0);
  assert.equal(thrownBy(() => fb.Patch.parse("nothing\n")).code, "patch_syntax");
  const cases = [
    [() => fb.Patch.parse(5), /^text: 5/],
    [() => fb.Patch.parse(), /^text: undefined/],
    [() => patch.subset([7]), /^changes: 7/],
    [() => patch.subset([1, 1]), /^changes: 1/],
    [() => patch.subset([-1]), /^changes\[0\]: -1/],
    [() => patch.subset("0"), /^changes: "0"/],
    [() => patch.standing([0.5]), /^changes\[0\]: 0.5/],
    [() => patch.apply("x"), /^files: "x"/],
    [() => patch.apply({ x: 5 }), /^files\["x"\]: 5/],
    [() => patch.apply([["x"]]), /^files: \[ 'x' \]/],
  ];
  for (const [call, message] of cases) {
    const error = thrownBy(call);
    assert.equal(error.code, "invalid_argument", error.message);
    assert.match(error.message, message);
  }
});

test("minimizePatch reduces files, hunks, and lines up to the granularity", async () => {
  const needed = (part) => `${part}`.includes("+b");
  const asked = [];
  const report = await fb.minimizePatch(patch, (part, { probe }) => {
    asked.push(part.origin);
    assert.deepEqual(part.origin, [...probe.changes], "a part that cannot stand is not asked");
    return needed(part);
  });
  assert.deepEqual(report.kept, [2, 4]);
  assert.ok(report.items instanceof fb.Patch);
  assert.deepEqual(report.items.apply(BEFORE), { ...BEFORE, n: "b\n" });
  assert.equal(new Set(asked.map(String)).size, asked.length);
  for (const granularity of ["files", "hunks"]) {
    assert.deepEqual((await fb.minimizePatch(patch, needed, { granularity })).kept, [2, 3, 4]);
  }
  assert.deepEqual((await fb.minimizePatch(patch, needed, { dependencies: { 4: [2, 1], 1: [0] } })).kept, [0, 1, 2, 4]);
  assert.deepEqual((await fb.minimize(patch, async (part) => needed(part), { concurrency: 3 })).kept, [2, 4]);
  const apart = await fb.isolate(patch, needed);
  assert.deepEqual([apart.difference, apart.lacking.includes(2)], [[4], true]);
  // The difference cannot stand alone.
  assert.ok(apart.items instanceof fb.Patch && apart.items.length === 0);
  const search = new fb.Minimizer(patch);
  const restored = fb.Minimizer.restore(patch, search.snapshot());
  assert.ok((await fb.run(restored, needed)).items instanceof fb.Patch);

  const never = () => assert.fail("called");
  assert.match((await rejectionOf(fb.minimizePatch(TEXT, never))).message, /^patch: /);
  assert.match((await rejectionOf(fb.minimizePatch(patch, never, { granularity: "words" }))).message, /^granularity: /);
  assert.match((await rejectionOf(fb.minimizePatch(patch, never, 5))).message, /^options: 5/);
  assert.match((await rejectionOf(fb.minimizePatch(patch, never, { grain: 1 }))).message, /^options: "grain"/);
  assert.match((await rejectionOf(fb.minimizePatch(patch, never, { dependencies: 1 }))).message, /^dependencies: 1/);
  for (const [options, message] of [
    [{ depth: 1 }, /^options: "depth" .*granularity/],
    [{ parents: [] }, /^options: "parents" .*tree/],
  ]) {
    assert.match((await rejectionOf(fb.minimizePatch(patch, never, options))).message, message);
    assert.match((await rejectionOf(repository.minimizeCommit(shas[1], never, options))).message, message);
  }
  assert.equal((await rejectionOf(fb.minimizePatch(fb.Patch.parse(""), never))).code, "invalid_argument");
  assert.equal((await rejectionOf(fb.minimizePatch(patch, () => false))).code, "not_reproduced");
});

test("the deciding changes are in the patch for any number of jobs", () => {
  const arbitrary = [fc.subarray([0, 1, 2, 3, 4, 5, 6], { maxLength: 3 }), fc.integer({ min: 1, max: 4 })];
  const property = fc.property(...arbitrary, fc.constantFrom(1, 2, undefined), (chosen, k, depth) => {
    const needed = [...new Set(chosen.flatMap((change) => [change, ...patch.dependencies[change]]))];
    const options = depth === undefined ? {} : { depth };
    for (const search of [
      new fb.Isolator(patch, options),
      new fb.Minimizer(patch, { ...options, guarantee: "1-minimal" }),
    ]) {
      const holds = (changes) => needed.every((change) => changes.includes(change));
      while (!search.done) {
        for (const probe of search.ask(k)) {
          assert.deepEqual(search.subject(probe).origin, [...probe.changes]);
          search.tell(probe.id, holds(probe.changes));
        }
      }
      const { status, guarantee, kept, lacking } = search.report();
      if (lacking && needed.length === 0) {
        assert.equal(status, "not_reproduced");
        continue;
      }
      assert.deepEqual([status, guarantee, holds(kept)], ["found", "1-minimal", true]);
      if (lacking) assert.equal(holds(lacking), false);
      else if (depth === undefined) assert.deepEqual(kept, needed.sort());
    }
  });
  fc.assert(property, { seed: 9, numRuns: 100 });
});

test("a repository returns the patch between two revisions", async () => {
  const between = await repository.diff(shas[0], "main");
  assert.deepEqual(
    between.files.map(({ path }) => path),
    ["more", "other", "src/code"],
  );
  assert.equal((await repository.diff("main", "main")).length, 0);
  for (const [old, now, message] of [
    ["nowhere", "main", /^old: .*"nowhere"/],
    ["main", "nowhere", /^new: .*"nowhere"/],
  ]) {
    const error = await rejectionOf(repository.diff(old, now));
    assert.equal(error.code, "unknown_revision");
    assert.match(error.message, message);
  }
  assert.equal((await rejectionOf(repository.diff("main"))).code, "invalid_argument");
});

const TEST = ["sh", "-c", "! grep -q broken src/code"];

test("a command runs with a patch on the revision", async () => {
  await using(repository.commandOracle(TEST), async (oracle) => {
    const whole = await repository.diff(shas[0], shas[1]);
    assert.equal((await oracle(shas[0])).outcome, "pass");
    for (const given of [whole, whole.bytes, `${whole}`]) {
      assert.equal((await oracle(shas[0], { patch: given })).outcome, "fail");
    }
    assert.equal((await oracle(shas[0], { patch: whole.subset([]) })).outcome, "pass");
    assert.equal((await oracle(shas[0])).outcome, "pass");
    assert.equal((await rejectionOf(oracle(shas[1], { patch: 5 }))).code, "invalid_argument");
  });
});

// Rust, Python and the command line have the same test on the same file.
test("a conflict is the same observation everywhere", async () => {
  const conflict = JSON.parse(readFileSync(new URL("../patch_conflict.json", import.meta.url), "utf8"));
  execFileSync("git", ["init", "-q", "-b", "main", path("conflict")]);
  writeFileSync(path("conflict", conflict.file), conflict.content);
  git("-C", path("conflict"), "add", "-A");
  git("-C", path("conflict"), "commit", "-q", "-m", "words");
  const other = new fb.Repository(path("conflict"));
  await using(other.commandOracle(["false"]), async (oracle) => {
    assert.deepEqual(await oracle("HEAD", { patch: conflict.patch }), conflict.observation);
  });
});

test("a patch does not remove user files", async () => {
  // The patch is for another repository, which has a file of the same name as the user's file.
  const mine = path("mine");
  writeFileSync(mine, "x\n");
  const folder = path("theirs");
  execFileSync("git", ["init", "-q", "-b", "main", folder]);
  mkdirSync(dirname(join(folder, mine)), { recursive: true });
  writeFileSync(join(folder, mine), "x\n");
  git("-C", folder, "add", "-A");
  git("-C", folder, "commit", "-q", "-m", "words");
  const created = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n";
  const header = `diff --git ${mine} ${mine}\ndeleted file mode 100644\n--- ${mine}\n+++ /dev/null\n`;
  const patch = `${created}${header}@@ -1 +0,0 @@\n-x\n`;
  const repository = new fb.Repository(folder);
  const refusal = { code: "patch_syntax", message: /line 7: the name .* is absolute/ };
  await using(repository.commandOracle(["true"]), (oracle) => assert.rejects(oracle("HEAD", { patch }), refusal));
  assert.equal(thrownBy(() => repository.commandOracle(["true"], { applyPatches: [patch] })).code, "patch_syntax");
  assert.ok(existsSync(mine));
});

test("errors contain no control sequences", () => {
  const patch = fb.Patch.parse('--- "a/\\033[2Jx"\n+++ "b/\\033[2Jx"\n@@ -1 +1 @@\n-a\n+b\n');
  assert.ok(thrownBy(() => patch.apply({})).message.includes("does not apply to \\u{1b}[2Jx: "));
});

/** Calls `body` with an oracle, and closes the oracle afterwards. */
async function using(oracle, body) {
  try {
    await body(oracle);
  } finally {
    await oracle.close();
  }
}

const breaking = (report) => report.items.changes.map(({ kind, text }) => [kind, text]);

test("minimizeCommit finds the part of a commit that breaks its parent", async () => {
  const status = git("status", "--porcelain");
  await using(repository.commandOracle(TEST), async (oracle) => {
    for (const [options, concurrency] of [
      [{}, 1],
      [{ parent: shas[0] }, 2],
    ]) {
      const report = await repository.minimizeCommit(shas[1], oracle, { ...options, concurrency });
      assert.deepEqual(breaking(report), [["added", "broken"]]);
      assert.ok(report.runs > 1 && report.observations.every(({ seconds }) => seconds >= 0));
    }
    const files = await repository.minimizeCommit(shas[1], oracle, { granularity: "files" });
    assert.deepEqual(
      files.items.files.map(({ path }) => path),
      ["src/code"],
    );
    // The parent fails without the commit.
    assert.deepEqual((await repository.minimizeCommit("main", oracle)).kept, []);
  });
  assert.equal(git("status", "--porcelain"), status);
  assert.ok(readFileSync(path("repo", "src", "code"), "utf8").includes("broken"));
});

test("minimizeCommit accepts any function with an oracle", async () => {
  const seen = [];
  const report = await repository.minimizeCommit(shas[1], (part, { signal, probe }) => {
    assert.ok(part instanceof fb.Patch && !signal.aborted && probe.changes.length === part.length);
    seen.push(`${part}`);
    return !seen.at(-1).includes("+broken");
  });
  assert.deepEqual(breaking(report), [["added", "broken"]]);
  assert.equal(new Set(seen).size, seen.length);
  const mine = new Error("mine");
  const throwing = () => {
    throw mine;
  };
  assert.equal(await rejectionOf(repository.minimizeCommit(shas[1], throwing)), mine);
  assert.equal((await rejectionOf(repository.minimizeCommit(shas[1], () => true))).code, "not_reproduced");
  const cases = [
    [["nowhere", throwing], "unknown_revision", /^culprit: .*"nowhere"/],
    [["nowhere", throwing, { parent: "main" }], "unknown_revision", /^culprit: /],
    [["main", throwing, { parent: "nowhere" }], "unknown_revision", /^parent: /],
    [[shas[0], throwing], "invalid_argument", /^culprit: .*parent/],
    [[5, throwing], "invalid_argument", /^culprit: 5/],
    [["main", "make"], "invalid_argument", /^oracle: "make"/],
    [["main", throwing, { keep: "pass" }], "invalid_argument", /^options: "keep"/],
    [["main", throwing, { parent: 5 }], "invalid_argument", /^parent: 5/],
    [["main", throwing, 5], "invalid_argument", /^options: 5/],
  ];
  for (const [given, code, message] of cases) {
    const error = await rejectionOf(repository.minimizeCommit(...given));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
  }
});

test("command errors end the run, and an oracle belongs to its repository", async () => {
  await using(repository.commandOracle(TEST), async (oracle) => {
    const error = await rejectionOf(repository.minimizeCommit(shas[1], oracle, { parent: shas[1] }));
    assert.equal(error.code, "invalid_argument", "nothing is between a revision and itself");
  });
  await using(repository.commandOracle(["sh", "-c", "exit 127"]), async (oracle) => {
    assert.equal((await rejectionOf(repository.minimizeCommit(shas[1], oracle))).code, "command_not_found");
  });
  execFileSync("git", ["clone", "-q", path("repo"), path("copy")]);
  const other = new fb.Repository(path("copy"));
  await using(other.commandOracle(TEST), async (oracle) => {
    const error = await rejectionOf(repository.minimizeCommit(shas[1], oracle));
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, /^oracle: .*copy/);
  });
});

test("findRegressions explains the culprit", async () => {
  await using(repository.commandOracle(TEST), async (oracle) => {
    const kinds = new Set();
    const options = { bad: "main", good: shas[0], explain: true, concurrency: 2 };
    const onProgress = ({ probe }) => kinds.add(probe === null ? "done" : "set" in probe ? "changes" : "revision");
    const report = await fb.findRegressions(repository.graph("main"), oracle, { ...options, onProgress });
    assert.deepEqual([report.points[0].good, report.points[0].bad], [shas[0], shas[1]]);
    assert.equal(report.causes.length, 1);
    // The lines that the change replaces belong to it.
    const removed = ["line 0", "line 1"].map((line) => ["removed", line]);
    const added = ["first", "broken"].map((line) => ["added", line]);
    assert.deepEqual(breaking(report.causes[0]), [removed[0], added[0], removed[1], added[1]]);
    assert.deepEqual([...kinds].sort(), ["changes", "done", "revision"]);

    const { runs } = report;
    const short = await fb.findRegressions(repository.graph("main"), oracle, { ...options, budget: runs + 2 });
    assert.deepEqual([short.causes[0].status, short.causes[0].guarantee], ["budget", "best so far"]);
    assert.equal(short.causes[0].runs, 2);

    // No ancestor passes.
    const broken = await fb.findRegressions(repository.graph({ tips: "main", exclude: shas[1] }), oracle, {
      bad: "main",
      explain: true,
    });
    assert.deepEqual([broken.status, broken.points, broken.causes], ["no_passing_revision", [], []]);
    assert.match(broken.message, /^no passing revision found/);
    const plain = await fb.findRegressions(repository.graph("main"), oracle, { ...options, explain: false });
    assert.equal("causes" in plain, false);
  });
  const never = () => assert.fail("called");
  for (const explain of [true, "yes"]) {
    const error = await rejectionOf(fb.findRegressions(repository.graph("main"), never, { bad: "main", explain }));
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, /^explain: /);
  }
});

test("an error in an explanation has the points", async () => {
  const options = { bad: "main", good: shas[0], explain: true };
  const graph = await repository.graph("main");
  await using(repository.commandOracle(TEST), async (oracle) => {
    for (const reason of [new Error("enough"), "enough"]) {
      const controller = new AbortController();
      const onProgress = ({ probe }) => {
        if (probe !== null && "set" in probe) controller.abort(reason);
      };
      const running = fb.findRegressions(graph, oracle, { ...options, onProgress, signal: controller.signal });
      const error = await rejectionOf(running);
      assert.equal(error, reason);
      if (typeof reason === "object") assert.deepEqual(error.firstbadReport.points[0].bad, shas[1]);
    }
    // Without points there is no report.
    const error = await rejectionOf(fb.findRegressions(graph, oracle, { ...options, signal: AbortSignal.abort() }));
    assert.equal("firstbadReport" in error, false);
  });
  // The first half has no patch. With a patch the command cannot run.
  const line = `test -z "$FIRSTBAD_PATCH" || exit 127; ${TEST[2]}`;
  await using(repository.commandOracle(["sh", "-c", line]), async (oracle) => {
    const error = await rejectionOf(fb.findRegressions(graph, oracle, options));
    assert.equal(error.code, "command_not_found");
    assert.deepEqual([error.firstbadReport.status, error.firstbadReport.points.length], ["found", 1]);
  });
});

test("the cause of a flaky failure is confirmed", async () => {
  const graph = await repository.graph("main");
  await using(repository.commandOracle(TEST), async (oracle) => {
    const noise = { search: "bayes", flakeRate: 0.1 };
    const report = await fb.findRegressions(graph, oracle, { bad: "main", good: shas[0], explain: true, ...noise });
    const [cause] = report.causes;
    assert.equal(cause.status, "found");
    // Sets run again until they are certain.
    assert.ok(new Set(cause.observations.map(({ set }) => set)).size < cause.runs);
  });
});

test("an empty patch has no cause", async () => {
  const folder = path("empty");
  const inside = (...words) => execFileSync("git", ["-C", folder, ...words], { encoding: "utf8" }).trim();
  execFileSync("git", ["init", "-q", "-b", "main", folder]);
  for (const message of ["one", "two", "three"]) {
    const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    inside(...config, "commit", "-q", "--allow-empty", "-m", message);
  }
  const [good, bad] = [inside("rev-parse", "main~1"), inside("rev-parse", "main")];
  const empty = new fb.Repository(folder);
  const command = ["sh", "-c", `test $FIRSTBAD_REVISION != ${bad}`];
  await using(empty.commandOracle(command), async (oracle) => {
    const refused = await rejectionOf(empty.minimizeCommit(bad, oracle));
    assert.match(refused.message, /^culprit: .*has the same files/);
    const report = await fb.findRegressions(empty.graph("main"), oracle, { bad: "main", explain: true });
    assert.deepEqual([report.points[0].bad, report.causes], [bad, [null]]);
    assert.ok(
      report.message.endsWith(`${bad} has no cause to find, because ${good} has the same files`),
      report.message,
    );
  });
});

test("hunks of a series depend on the hunks that added their lines", () => {
  const first = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n");
  const second = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
  const [, byContext] = fb.hunkDependencies([first, second]);
  assert.deepEqual(byContext, { of: { patch: 1, file: 0, hunk: 0 }, needs: [{ patch: 0, file: 0, hunk: 0 }] });
  assert.deepEqual(fb.hunkDependencies([first, second], { reach: "touched" })[1].needs, []);
  assert.deepEqual(fb.hunkDependencies([]), []);
  assert.throws(() => fb.hunkDependencies([first], { reach: "far" }), {
    code: "invalid_argument",
    message: /^reach: /,
  });
  assert.throws(() => fb.hunkDependencies(["text"]), { code: "invalid_argument", message: /^patches: / });
});

test("a patch cannot be constructed from text", () => {
  const error = thrownBy(() => new fb.Patch("x"));
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /^patch: "x" is not valid; expected Patch\.parse\(text\)/);
});

test("a patch without the content of a binary file reduces the rest", () => {
  const bare = "diff --git a/logo b/logo\nindex 2222..3333 100644\nBinary files a/logo and b/logo differ\n";
  const rest = "--- a/t\n+++ b/t\n@@ -1 +1 @@\n-a\n+b\n";
  const patch = fb.Patch.parse(bare + rest);
  assert.throws(() => patch.apply({ t: "a\n" }), /logo/);
  const left = patch.withContent();
  assert.deepEqual([String(left), left.origin], [rest, [1, 2]]);
  assert.deepEqual(left.apply({ t: "a\n" }), { t: "b\n" });
  assert.equal(String(left.withContent()), rest);
});
