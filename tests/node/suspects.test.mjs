// Suspects without a run: build graphs, rankings, changes from Git, factors, and priors.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { fb, fc, rejectionOf, thrownBy } from "./support.mjs";

const vectors = JSON.parse(readFileSync(new URL("../vectors/suspicion.json", import.meta.url), "utf8"));

const near = (one, other, where) => assert.ok(Math.abs(one - other) < 1e-9, `${where}: ${one} for ${other}`);

function nearWeights(weights, expected, where) {
  assert.deepEqual([...weights.keys()].sort(), Object.keys(expected).sort(), where);
  for (const [id, weight] of weights) near(weight, expected[id], `${where}: ${id}`);
}

const build = (targets, partial) =>
  new fb.BuildGraph(
    targets.map(({ name, build_file: buildFile, ...rest }) => [name, { ...rest, buildFile }]),
    { partial },
  );

for (const found of vectors.rankings) {
  test(`ranking: ${found.name}`, () => {
    const before = found.before && build(found.before, found.partial);
    const { changes, by, history, tests, priors = [] } = found;
    const ranking = fb.rankSuspects(build(found.targets, found.partial), { changes, test: tests, by, before });
    const told = found.ranking;
    assert.deepEqual(
      ranking.suspects.map(({ change }) => change),
      told.suspects.map(({ change }) => change),
    );
    for (const [place, suspect] of ranking.suspects.entries()) {
      const expected = told.suspects[place];
      near(suspect.score, expected.score, suspect.change);
      near(suspect.suspiciousness, expected.suspiciousness, suspect.change);
      assert.deepEqual([suspect.size, suspect.distance], [expected.size, expected.distance]);
      assert.equal(suspect.tests, expected.tests);
      near(suspect.closeness, expected.closeness, suspect.change);
      assert.equal(suspect.reasons.length, expected.reasons.length);
      for (const [number, reason] of suspect.reasons.entries()) {
        const { path, weight, before = false, ...rest } = reason;
        const { weight: whole, ...why } = expected.reasons[number];
        assert.deepEqual({ ...rest, before }, why);
        near(weight, whole, rest.target);
        assert.equal(path.at(-1), rest.target);
        assert.ok(before || ranking.tests.includes(path[0]));
      }
    }
    assert.deepEqual([ranking.excluded, ranking.unplaced], [told.excluded, told.unplaced]);
    assert.deepEqual([ranking.unlikely, ranking.complete], [told.unlikely, told.complete]);
    assert.deepEqual(ranking.cycles, told.cycles);
    for (const { options, weights } of priors) nearWeights(ranking.prior(options), weights, found.name);
    if (history === undefined) return;
    const graph = new fb.CommitGraph(history.revisions);
    for (const { options, weights } of history.priors) {
      const made = ranking.priorIn(graph, { bad: history.bad, good: history.good }, options);
      assert.equal(made.weights === null, weights === null);
      assert.equal(made.warning !== null, weights === null);
      if (weights !== null) nearWeights(made.weights, weights, found.name);
    }
  });
}

test("factors", () => {
  for (const { config, change, factor } of vectors.factors) {
    const { factor: kind, factors, text, strength, ...rest } = config;
    const made = fb.factors[kind](factors ?? text ?? strength, ...(kind === "trace" ? [rest] : []));
    near(made(change), factor, JSON.stringify([config, change]));
  }
});

const app = new fb.BuildGraph({
  "//app:test": { files: ["app_test.py"], deps: ["//app:lib"], buildFile: "app/BUILD" },
  "//app:lib": { files: ["lib.py"], deps: ["//base"] },
  "//base": { folders: ["base"] },
  "//docs": { files: ["readme"] },
});
const changes = { c1: ["base/x/y.py"], c2: ["readme", "nowhere"], c3: ["lib.py", "app/BUILD"] };
const ranked = (options) => fb.rankSuspects(app, { changes, test: "//app:test", ...options });

test("a ranking has pairs, reasons, and a report", () => {
  const ranking = ranked();
  assert.deepEqual(
    [...ranking],
    ranking.suspects.map(({ change, score }) => [change, score]),
  );
  assert.deepEqual(
    [...ranking].map(([change]) => change),
    ["c3", "c1"],
  );
  assert.deepEqual([ranking.length, ranking.unlikely, ranking.unplaced], [2, ["c2"], ["nowhere"]]);
  assert.deepEqual([ranking.excluded, ranking.complete], [[], true]);
  assert.match(ranking.message, /1 file belongs to no target and did not count/);
  assert.match(ranking.toText(), /base\/x\/y.py in \/\/app:test -> \/\/app:lib -> \/\/base/);
  assert.match(ranking.toText(1), /1 more, less suspicious/);
  assert.match(ranking.toMarkdown(), /\| 1 \| `c3` \|/);
  assert.deepEqual(JSON.parse(ranking.toJson()), JSON.parse(JSON.stringify(ranking)));
  assert.equal(inspect(ranking), `Ranking(${ranking.message})`);
  const several = ["app_test.py::test_it[1]", "//app:test", "//app:lib"];
  assert.deepEqual(ranked({ test: several }).tests, ["//app:test", "//app:lib"]);
  assert.deepEqual([...ranked({ test: new Set(several) })], [...ranked({ test: several.slice(1) })]);
  assert.equal(new fb.BuildGraph({ test: {} }, { partial: true }).complete, false);
  assert.deepEqual([...ranked({ changes: new Map(Object.entries(changes)) })], [...ranking]);
  assert.deepEqual(
    [...ranked({ changes: Object.entries(changes).map(([id, files]) => ({ id, files })) })],
    [...ranking],
  );
  const empty = ranked({ changes: [] });
  assert.equal(empty.message, "there are no changes, so the cause is not in this graph");
  assert.equal(empty.prior().size, 0);
});

test("the text of a build graph", () => {
  assert.deepEqual([app.size, app.targets[0], app.cycles, app.warnings], [4, "//app:test", [], []]);
  assert.deepEqual(app.dependencies("//app:lib"), ["//base"]);
  assert.deepEqual([app.targetsOf("base/z"), app.targetsOf("nowhere")], [["//base"], []]);
  assert.equal(inspect(app), "BuildGraph(4 targets, 2 dependencies, 4 files)");
  const circle = new fb.BuildGraph({ a: { deps: ["b"] }, b: { deps: ["a"] } });
  assert.deepEqual(circle.cycles, [["a", "b"]]);
});

test("a build graph survives JSON", () => {
  const graph = new fb.BuildGraph({
    a: { files: ["a.py"], deps: ["b"], buildFile: "BUILD" },
    b: { folders: ["lib"], deps: ["a"] },
  });
  const again = fb.BuildGraph.fromJson(graph.toJson());
  assert.equal(again.toJson(), graph.toJson());
  assert.deepEqual([again.targets, again.cycles, again.warnings], [["a", "b"], [["a", "b"]], []]);
  const owners = ["a.py", "BUILD", "lib/x", "x"].map((file) => again.targetsOf(file));
  assert.deepEqual(owners, [["a"], ["a"], ["b"], []]);
  assert.equal(again.complete, true);
  assert.match(
    thrownBy(() => fb.BuildGraph.fromJson("{}")).message,
    /expected a build graph that was written as JSON$/,
  );
});

test("invalid arguments are errors", async () => {
  const cases = [
    [() => app.dependencies("//app:lob"), "unknown_build_target", /\/\/app:lib/],
    [() => ranked({ test: "//app:tset" }), "unknown_build_target", /did you mean "\/\/app:test"/],
    [() => ranked({ by: "age" }), "invalid_argument", /^by: "age"/],
    [() => ranked({ test: 3 }), "invalid_argument", /^test: 3/],
    [() => ranked({ test: [] }), "invalid_argument", /^test: \[\]/],
    [() => ranked({ test: ["//app:test", 3] }), "invalid_argument", /^test: 3/],
    [() => ranked({ graphs: 3 }), "invalid_argument", /^graphs: 3/],
    [() => ranked({ graphs: { c: 3 } }), "invalid_argument", /^graphs\["c"\]: 3/],
    [() => ranked().prior({ unlikely: 1 }), "invalid_argument", /^unlikely: 1/],
    [() => ranked({ changes: [{ id: "c", files: [], parents: 3 }] }), "invalid_argument", /parents: 3/],
    [() => ranked({ changes: [{ id: "c", files: [], statuses: { f: "lost" } }] }), "invalid_argument", /lost/],
    [() => new fb.BuildGraph({}, { partail: true }), "invalid_argument", /"partail"/],
    [() => ranked({ changes: "c1" }), "invalid_argument", /^changes: "c1"/],
    [() => ranked({ changes: undefined }), "invalid_argument", /^changes: undefined/],
    [() => ranked({ changes: { 1: [], 2: [] } }), "invalid_argument", /a Map instead/],
    [() => ranked({ changes: { c: "lib.py" } }), "invalid_argument", /several paths/],
    [
      () =>
        ranked({
          changes: [
            ["c", []],
            ["c", []],
          ],
        }),
      "invalid_argument",
      /each change once/,
    ],
    [() => ranked({ more: 1 }), "invalid_argument", /^options: "more"/],
    [() => fb.rankSuspects(3, { changes, test: "t" }), "invalid_argument", /^graph: 3/],
    [() => new fb.BuildGraph({ a: 1 }), "invalid_argument", /^targets\["a"\]: 1/],
    [() => new fb.BuildGraph({ a: { file: [] } }), "invalid_argument", /"file"/],
    [() => new fb.BuildGraph({ "//lib": {}, a: { deps: ["//lbi"] } }), "invalid_argument", /like "\/\/lib"/],
    [() => fb.BuildGraph.fromNx("no json"), "invalid_argument", /no json/],
    [() => ranked().prior({ floor: 2 }), "invalid_argument", /^floor: 2/],
    [() => ranked().prior({ sharpness: Number.NaN }), "invalid_argument", /^sharpness: NaN/],
    [() => ranked().toText(-1), "invalid_argument", /^most: -1/],
    [() => fb.fitSharpness([1]), "invalid_argument", /^cases: 1/],
    [() => fb.fitSharpness([], { floor: -1 }), "invalid_argument", /^floor: -1/],
    [() => fb.factors.size(-1), "invalid_argument", /^strength: -1/],
    [() => fb.factors.words({ "!": 1 }), "invalid_argument", /with a letter/],
    [() => fb.factors.words("fix"), "invalid_argument", /^words: "fix"/],
    [() => fb.factors.authors({ a: Number.NaN }), "invalid_argument", /^authors/],
    [() => fb.factors.trace(3), "invalid_argument", /^text: 3/],
    [() => fb.factors.weigh({ c: [] }, [3]), "invalid_argument", /^factors: 3/],
    [() => fb.factors.weigh({ c: [] }, [() => -1]), "invalid_argument", /^factors for "c": -1/],
  ];
  for (const [call, code, message] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, `${call}: ${error}`);
    assert.equal(error.code, code, `${call}: ${error}`);
    assert.match(error.message, message);
  }
  assert.equal((await rejectionOf(fb.BuildGraph.fromPython("/no/such/folder"))).code, "io");
});

test("errors of factors are unchanged, and factors multiply", () => {
  const mine = new Error("mine");
  const thrower = () => {
    throw mine;
  };
  assert.equal(
    thrownBy(() => fb.factors.weigh({ c: [] }, [thrower])),
    mine,
  );
  const found = fb.factors.weigh([{ id: "c1", files: [], added: 9 }], [() => 2, fb.factors.size()]);
  near(found.get("c1"), 2 * (1 + Math.log(10)), "c1");
});

test("patch lines are matched with trace lines", () => {
  const text = "--- a/./x\n+++ b/./x\n@@ -9,3 +9,4 @@\n a\n-b\n+c\n+d\n e\n@@ -40,2 +41,1 @@\n f\n-g\n";
  const lines = fb.factors.lines(fb.Patch.parse(text.replaceAll("./x", "x.js")));
  assert.deepEqual(lines, {
    "x.js": [
      [10, 11],
      [41, 41],
    ],
  });
  const trace = fb.factors.trace("x.js:14: wrong");
  const factor = (known) => trace({ id: "c", files: ["x.js"], lines: known });
  assert.deepEqual([factor(lines), factor({ "x.js": [[1, 2]] }), factor({})], [16, 4, 4]);
});

test("sharpness fits past cases", () => {
  const ranking = ranked();
  assert.equal(fb.fitSharpness([[ranking, "c3"]], { floor: 0 }), 8);
  assert.equal(fb.fitSharpness([[ranking, "c1"]], { floor: 0 }), 0);
});

const line = fb.CommitGraph.linear(Array.from({ length: 8 }, (_, place) => `r${place}`));
const lib = { test: { files: ["t"], deps: ["lib"] }, lib: { files: ["lib"] }, docs: { files: ["docs"] } };
const known = { r1: ["docs"], r3: ["lib"], r5: ["lib", "docs"], r6: ["docs"] };
const ends = { bad: "r7", good: "r0", flakeRate: 0.1 };
const brokenFrom = (first) => (revision) => Number(revision.slice(1)) < first;
const found = (first, options) =>
  fb.findCulprit(line, brokenFrom(first), { ...ends, buildGraph: lib, test: "test", changes: known, ...options });

test("the prior in one step", async () => {
  const report = await found(5, {});
  assert.deepEqual([report.conclusion, report.culprit], ["culprit", "r5"]);
  assert.deepEqual(
    [...report.ranking].map(([change]) => change),
    ["r5", "r3"],
  );
  const plain = await fb.findCulprit(line, brokenFrom(5), ends);
  assert.equal(plain.ranking, undefined);
  assert.ok(report.runs < plain.runs);
  // An excluded revision is never the culprit, even if the build graph is incomplete. No other revision becomes the
  // culprit, because r4 never passes.
  const without = await found(4, {});
  assert.deepEqual([without.culprit, without.reason], [null, "unproven"]);
  assert.deepEqual(without.missing, [{ revision: "r4", outcome: "pass" }]);
  assert.equal((await found(4, { excludeUnaffected: false })).culprit, "r4");
  const summed = await found(5, { priorBy: "distance", factors: [({ id }) => (id === "r5" ? 1 : 0)] });
  assert.equal(summed.culprit, "r5");
});

test("without evidence, all suspects are equal, with a warning", async () => {
  const said = [];
  const hear = (warning) => said.push(warning.message);
  process.on("warning", hear);
  const report = await found(5, { changes: { r3: ["docs"] } });
  await new Promise(setImmediate);
  process.off("warning", hear);
  assert.equal(said.length, 1);
  assert.match(said[0], /^buildGraph: the change does not touch .* The build graph cannot rank these revisions$/);
  const plain = await fb.findCulprit(line, brokenFrom(5), ends);
  assert.deepEqual(report.observations, plain.observations);
});

test("invalid arguments in one step are errors", async () => {
  for (const [options, message] of [
    [{ buildGraph: undefined }, /^changes: .* is not valid; expected nothing without a buildGraph/],
    [{ test: undefined }, /^test: undefined/],
    [{ prior: { r1: 1 } }, /^prior: /],
    [{ changes: undefined }, /^changes: undefined .* was not read from a repository/],
    [{ changes: { x: ["lib"] } }, /^changes: unknown revision/],
    [{ priorBy: "size" }, /by: "size" is not valid; expected "suspiciousness"/],
    [{ factors: [() => Number.POSITIVE_INFINITY] }, /^factors for "r1": Infinity/],
    [{ exclude: true }, /^options: "exclude"/],
  ]) {
    const error = await rejectionOf(found(5, options));
    assert.ok(error instanceof fb.FirstbadError, `${error}`);
    assert.match(error.message, message);
  }
});

test("changes are read from the repository", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "firstbad-suspects-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  const commit = (message, files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "-b", "main");
  commit("start", {
    "till.py": "import tax\n",
    "tax.py": "rate = 19\n",
    "test_till.py": "import till\n",
    "docs/a": "a",
  });
  git("tag", "good");
  commit("docs", { "docs/a": "b" });
  git("checkout", "-q", "-b", "side");
  commit("a side", { "docs/b": "b" });
  git("checkout", "-q", "main");
  commit("harmless", { "tax.py": "rate = 20\n" });
  const culprit = commit("breaks", { "till.py": "import tax\nbroken = True\n" });
  git("merge", "-q", "--no-ff", "-m", "merge", "side");

  const repository = new fb.Repository(folder);
  const own = await repository.changes("good", "main");
  assert.deepEqual(own.map(({ message }) => message).sort(), ["a side", "breaks", "docs", "harmless"]);
  const broken = own.find(({ id }) => id === culprit);
  assert.deepEqual([broken.files, broken.author, broken.added, broken.deleted], [["till.py"], "Ada", 1, 0]);
  const mainline = await repository.changes("good", "main", { merges: "first-parent" });
  assert.deepEqual(mainline.at(-1).files, ["docs/b"]);
  assert.equal((await rejectionOf(repository.changes("goood", "main"))).code, "unknown_revision");

  const buildGraph = await fb.BuildGraph.fromGit(repository, "main", "python");
  assert.deepEqual(buildGraph.dependencies("till.py"), ["tax.py"]);
  const bad = new Set([culprit, git("rev-parse", "main")]);
  for (const firstParent of [false, true]) {
    const graph = await repository.graph({ tips: ["main"], firstParent });
    const options = { bad: "main", good: "good", flakeRate: 0.1, buildGraph, test: "test_till.py" };
    const report = await fb.findCulprit(graph, (sha) => !bad.has(sha), options);
    assert.equal(report.culprit, culprit);
    assert.equal([...report.ranking][0][0], culprit);
  }

  // A later commit moves the code of the culprit, and several tests fail.
  git("checkout", "-q", "-b", "moved", "main");
  const tax = Array.from({ length: 20 }, (_, place) => `x${place} = ${place}\n`).join("");
  const start = commit("long", { "tax.py": tax, "test_tax.py": "import tax\n" });
  const edits = commit("edits", { "tax.py": `${tax}broken = 1\n` });
  git("mv", "tax.py", "duty.py");
  const moves = commit("renames", { "till.py": "import duty\n", "test_tax.py": "import duty\n" });
  const [, renamed] = await repository.changes(start, "moved");
  assert.deepEqual([renamed.renames, renamed.statuses["duty.py"]], [{ "tax.py": "duty.py" }, "added"]);
  for (const more of [{}, { before: await fb.BuildGraph.fromGit(repository, start, "python") }]) {
    const report = await fb.findCulprit(
      await repository.graph({ tips: ["moved"] }),
      (sha) => sha !== edits && sha !== moves,
      {
        bad: "moved",
        good: start,
        flakeRate: 0.1,
        // A graph from JSON can still read the graph before the changes.
        buildGraph: fb.BuildGraph.fromJson((await fb.BuildGraph.fromGit(repository, "moved", "python")).toJson()),
        test: ["test_till.py", "test_tax.py"],
        graphs: { [edits]: await fb.BuildGraph.fromGit(repository, edits, "python") },
        ...more,
      },
    );
    assert.equal(report.culprit, edits);
    assert.deepEqual(report.ranking.tests, ["test_till.py", "test_tax.py"]);
    assert.deepEqual([report.ranking.excluded, report.ranking.complete], [[], false]);
    assert.equal(report.ranking.suspects.find(({ change }) => change === edits).tests, 2);
  }
  git("checkout", "-q", "main");

  // With only first parents, the changes of a branch belong to its merge. Graphs can lack revisions.
  git("checkout", "-q", "-b", "later");
  const later = commit("in the branch", { "till.py": "import tax\nbroken = 2\n" });
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "brings it", "later");
  const merge = git("rev-parse", "HEAD");
  for (const [part, end, expected] of [
    [{ tips: ["main"] }, merge, later],
    [{ tips: ["main"], firstParent: true }, merge, merge],
    [{ tips: ["main"], paths: ["till.py", "tax.py"] }, later, later],
  ]) {
    const graph = await repository.graph(part);
    const options = { bad: end, flakeRate: 0.1, buildGraph, test: "test_till.py" };
    const report = await fb.findCulprit(graph, (sha) => sha !== later && sha !== merge, options);
    assert.equal(report.culprit, expected);
  }
});

test("priors are distributions", () => {
  const files = fc.array(fc.constantFrom("t", "lib", "docs", "nowhere"), { maxLength: 3 });
  const cases = {
    by: fc.constantFrom("suspiciousness", "distance"),
    sharpness: fc.double({ min: 0, max: 5, noNaN: true }),
    floor: fc.double({ min: 0, max: 1, noNaN: true }),
    exclude: fc.boolean(),
  };
  fc.assert(
    fc.property(fc.array(files, { minLength: 1, maxLength: 8 }), fc.record(cases), (touched, options) => {
      const listed = touched.map((files, place) => [`c${place}`, files]);
      const ranking = fb.rankSuspects(lib, { changes: listed, test: "test" });
      assert.equal(ranking.length + ranking.excluded.length + ranking.unlikely.length, listed.length);
      const scores = [...ranking].map(([, score]) => score);
      assert.deepEqual(
        scores,
        [...scores].sort((one, other) => other - one),
      );
      const prior = ranking.prior(options);
      const total = [...prior.values()].reduce((one, other) => one + other, 0);
      if (ranking.length > 0) near(total, 1, "sum");
      for (const weight of prior.values()) assert.ok(weight >= 0);
      if (options.exclude) for (const change of ranking.excluded) assert.equal(prior.get(change) ?? 0, 0);
    }),
  );
});

const content = JSON.parse(readFileSync(new URL("../vectors/content.json", import.meta.url), "utf8")).rankings;

test("vectors of rankings by content", () => {
  for (const { name, changes, tests, probabilities } of content) {
    const ranking = fb.rankCommits(changes, { test: tests });
    nearWeights(ranking.prior(), probabilities, name);
    assert.equal(ranking.length, changes.length);
    assert.equal(ranking.suspects[0].change, [...ranking][0][0]);
    assert.match(ranking.toText(), new RegExp(`^${ranking.message}`));
    assert.equal(String(ranking), ranking.toText().trimEnd());
    assert.deepEqual(JSON.parse(JSON.stringify(ranking)), JSON.parse(ranking.toJson()));
  }
});

test("a ranking by content is a prior with reasons", async () => {
  const ranking = fb.rankCommits({ b: ["readme.md"], c: ["cart.py"], d: ["readme.md"] }, { test: "test_cart.py" });
  const graph = fb.CommitGraph.linear(["a", "b", "c", "d"]);
  const search = new fb.RegressionSearch(graph, { bad: "d", good: "a", prior: ranking });
  const why = search.why("c");
  assert.equal(why.message, "touches cart.py, which the test is named after; touches 1 source file");
  assert.deepEqual(why.reasons[0], { kind: "named", file: "cart.py" });
  assert.equal(search.why("b").before, "c");
  assert.equal(search.why("a"), null);
  const report = await fb.run(search, (revision) => revision < "c");
  assert.deepEqual(report.why.c, why);
  const plain = new fb.CulpritSearch(graph, { bad: "d", good: "a", prior: ranking.prior() });
  assert.deepEqual([plain.why("c"), plain.report().why], [null, {}]);
  for (const [options, words] of [
    [{ test: 3 }, /test: 3/],
    [{ before: {} }, /before: .* nothing without a buildGraph/],
    [{ buildGraph: { t: {} } }, /test: undefined/],
  ]) {
    assert.match(thrownBy(() => fb.rankCommits({ c: ["a.py"] }, options)).message, words);
  }
  const build = { t: { files: ["a.py"] } };
  const both = fb.rankCommits({ c: ["a.py"], d: ["b.py"] }, { test: "t", buildGraph: build });
  assert.deepEqual(
    both.suspects.map(({ reasons }) => reasons[0].kind),
    ["affects", "unlikely"],
  );
});
