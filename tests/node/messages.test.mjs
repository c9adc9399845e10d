// Messages about invalid arguments: the argument, the value, and the expected value.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fb, line, place, rejectionOf, thrownBy, unhandled } from "./support.mjs";

const PATCH = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n";

/** The folder of all files, including the repository. */
let home;
let folder;
const path = (...names) => join(folder, ...names);
const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...config, ...words], { cwd: folder, encoding: "utf8", env: environment }).trim();
}

before(() => {
  home = mkdtempSync(join(tmpdir(), "firstbad-messages-"));
  folder = join(home, "repository");
  mkdirSync(folder);
  git("init", "-q", "-b", "main");
  for (let number = 0; number < 8; number++) {
    writeFileSync(path("value"), `${number}\n`);
    git("add", "value");
    git("commit", "-q", "-m", `${number}`);
  }
});

after(() => {
  rmSync(home, { recursive: true, force: true });
  assert.deepEqual(unhandled, []);
});

test("a misspelled option names the function and the nearest option", async () => {
  const graph = line(8);
  const passes = () => true;
  const of = async (name, call) => {
    const { code, message } = await rejectionOf((async () => call())());
    assert.equal(code, "invalid_argument");
    assert.match(message, new RegExp(`options: "sginature" is not an option of ${name}; did you mean "signature"`));
  };
  const options = { bad: "r7", sginature: "x" };
  await of("findRegressions", () => fb.findRegressions(graph, passes, options));
  await of("findCulprit", () => fb.findCulprit(graph, passes, options));
  await of("RegressionSearch", () => new fb.RegressionSearch(graph, options));
  const misspelt = { failPatern: "x" };
  const refused = await rejectionOf((async () => new fb.Repository(folder).commandOracle(["true"], misspelt))());
  assert.match(refused.message, /options: "failPatern" is not an option of commandOracle; did you mean "failPattern"/);
  const other = async (name, given, call) => {
    const { message } = await rejectionOf((async () => call())());
    assert.match(message, new RegExp(`options: "${given}" is not an option of ${name}[;:]`));
  };
  await other("minimize", "guarante", () => fb.minimize([1], passes, { guarante: "1-minimal" }));
  await other("minimizeText", "jbos", () => fb.minimizeText("a", passes, { jbos: 1 }));
  await other("verifyCulprit", "culprits", () => fb.verifyCulprit(graph, passes, { culprits: "r1" }));
  await other("minimizePatch", "granularty", () => fb.minimizePatch(fb.Patch.parse(PATCH), passes, { granularty: 1 }));
  await other("fromGit", "fecth", () => fb.CommitGraph.fromGit(folder, { fecth: true }));
  await other("run", "budgett", () => fb.run(new fb.RegressionSearch(graph, { bad: "r7" }), passes, { budgett: 1 }));
});

test("suggestions include the function's own options", async () => {
  const graph = line(8);
  const passes = () => true;
  const repository = new fb.Repository(folder);
  const said = async (call) => (await rejectionOf((async () => call())())).message;
  const nearest = async (name, call) => assert.match(await said(call), new RegExp(`; did you mean "${name}"\\?$`));
  await nearest("priorBy", () => fb.findCulprit(graph, passes, { bad: "r7", priorBye: "distance" }));
  await nearest("buildGraph", () => fb.findCulprit(graph, passes, { bad: "r7", buildgraph: {} }));
  await nearest("explain", () => fb.findRegressions(graph, passes, { bad: "r7", explian: true }));
  await nearest("granularity", () => fb.minimizePatch(fb.Patch.parse(PATCH), passes, { granularty: "files" }));
  await nearest("fine", () => fb.minimizeText("a", passes, { fien: true }));
  await nearest("fetch", () => fb.CommitGraph.fromGit(folder, { fecth: true }));
  const ofCommit = () => repository.minimizeCommit("main", passes, { parnet: "main~1" });
  await nearest("parent", ofCommit);
  assert.match(await said(ofCommit), /"parnet" is not an option of minimizeCommit;/);
  // Options that a text determines are not suggested.
  const ofText = await said(() => fb.minimizeText("a", passes, { zzz: 1 }));
  assert.match(ofText, /expected one of fine, language, algorithm, dependencies, weights, depth, /);
  assert.doesNotMatch(ofText, /parents|later/);
  const all = await said(() => fb.findCulprit(graph, passes, { bad: "r7", zzz: 1 }));
  assert.match(
    all,
    /expected one of buildGraph, changes, factors, priorBy, excludeUnaffected, before, graphs, bad, good, /,
  );
});

test("a value without names is not an options object", async () => {
  const graph = line(8);
  const refused = async (name, call) => {
    const { code, message } = await rejectionOf((async () => call())());
    assert.equal(code, "invalid_argument", name);
    assert.ok(message.startsWith(`${name}: `), message);
  };
  for (const value of [/x/, new Date(0), Promise.resolve({}), 3n]) {
    for (const name of ["prior", "costs", "known", "budget"]) {
      await refused(name, () => fb.findRegressions(graph, () => true, { bad: "r7", [name]: value }));
    }
    await refused("dependencies", () => fb.minimize([1, 2], () => true, { dependencies: value }));
    await refused("options", () => fb.findRegressions(graph, () => true, value));
    await refused("targets", () => new fb.BuildGraph(value));
    await refused("changes", () => fb.rankCommits(value));
    await refused("files", () => fb.Patch.parse(PATCH).apply(value));
  }
  await refused("budget", () => fb.findRegressions(graph, () => true, { bad: "r7", budget: [] }));
  await refused("partial", () => new fb.BuildGraph({}, { partial: "no" }));
});

test("options of commands are checked", () => {
  const words = `an array such as ["npm", "test"], or ["sh", "-c", line] for a shell`;
  for (const [command, options, message] of [
    [null, {}, `command: null is not valid; expected ${words}`],
    ["npm test", {}, `command: "npm test" is not valid; expected ${words}`],
    [["true", 3], {}, 'command: 3 is not valid; expected strings, in an array like ["npm", "test"]'],
    [["a\0b"], {}, 'command: "a\\u0000b" is not valid; expected strings without zero bytes'],
    [["true"], { setup: "npm ci" }, `setup: "npm ci" is not valid; expected ${words}`],
    [
      ["true"],
      { onTimeout: "x" },
      'onTimeout: "x" is not valid; expected one of "pass", "fail", "unresolved", "stop", "retry"',
    ],
    [["true"], { exitCodes: { 1: "x" } }, 'exitCodes["1"]: "x" is not valid; expected one of "pass", "fail", '],
    [["true"], { exitCodes: ["fail"] }, "exitCodes: [ 'fail' ] is not valid; expected an object or a Map"],
    [["true"], { env: ["a=b"] }, "env: [ 'a=b' ] is not valid; expected an object or a Map"],
    [["true"], { env: { PORT: 8080 } }, 'env["PORT"]: 8080 is not valid; expected a string'],
    [["true"], { env: { "A=": "b" } }, 'env: "A=" is not valid; expected a name without `=` and zero bytes'],
    [["true"], { env: { A: "b\0" } }, 'env["A"]: "b\\u0000" is not valid; expected a string without zero bytes'],
    [["true"], { submodules: "yes" }, 'submodules: "yes" is not valid; expected a boolean'],
    [["true"], { failPattern: /x/ }, "failPattern: {} is not valid; expected a string"],
    [["true"], { outputDir: "" }, 'outputDir: "" is not valid; expected a path, or a file: URL'],
  ]) {
    const { code, message: said } = thrownBy(() => oracleOf(command, options));
    assert.equal(code, "invalid_argument");
    assert.ok(said.startsWith(message), said);
  }
});

test("environments made by others are for commands", async () => {
  const oracle = oracleOf(["sh", "-c", 'test "$FIRSTBAD_TEST" = yes'], { env: process.env });
  process.env.FIRSTBAD_TEST = "no";
  const own = oracleOf(["sh", "-c", 'test "$FIRSTBAD_TEST" = yes'], { env: { FIRSTBAD_TEST: "yes", NONE: undefined } });
  try {
    assert.equal((await own("main")).outcome, "pass");
    assert.equal((await oracle("main")).outcome, "fail");
  } finally {
    delete process.env.FIRSTBAD_TEST;
    await Promise.all([oracle.close(), own.close()]);
  }
});

/** Creates a folder with the built package but without its binary. */
function bare() {
  const place = mkdtempSync(path("bare-"));
  cpSync(fileURLToPath(new URL("../../node/dist/", import.meta.url)), place, {
    recursive: true,
    filter: (file) => !file.endsWith(".node"),
  });
  return place;
}

/** Returns the message of loading it on a system. Default: this one. */
function loading(place, system = {}) {
  const pretend = Object.entries(system).map(
    ([name, value]) => `Object.defineProperty(process, "${name}", { value: "${value}" });`,
  );
  const load = `try { require(${JSON.stringify(join(place, "index.js"))}) } catch (error) { console.log(error.code, error.message) }`;
  return execFileSync(process.execPath, ["-e", `${pretend.join("")}${load}`], { encoding: "utf8" });
}

const GLIBC = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime !== undefined;

test("a missing native module is named with advice", () => {
  const place = bare();
  const system = `firstbad has no native module that loads on ${process.platform} ${process.arch}`;
  const index = (name) => JSON.stringify(pathToFileURL(join(place, name)).href);
  for (const load of [`import ${index("index.mjs")}`, `import ${index("index.js")}`]) {
    writeFileSync(path("load.mjs"), load);
    const { status, stderr } = spawnSync(process.execPath, [path("load.mjs")], { encoding: "utf8" });
    assert.equal(status, 1);
    assert.ok(stderr.includes(system), stderr);
    assert.match(
      stderr,
      /: none is installed\. This system needs the package firstbad-[a-z0-9-]+, which npm .*npm install.*cargo/,
    );
    assert.match(stderr, /code: 'missing_binary'/);
  }
});

test("the package for a system is named, or advice to build it", () => {
  const place = bare();
  const fits = [
    [{ platform: "darwin", arch: "arm64" }, "firstbad-darwin-arm64"],
    [{ platform: "win32", arch: "x64" }, "firstbad-win32-x64-msvc"],
  ];
  if (GLIBC) fits.push([{ platform: "linux", arch: "arm64" }, "firstbad-linux-arm64-gnu"]);
  for (const [system, name] of fits)
    assert.ok(loading(place, system).includes(`This system needs the package ${name}, `), name);
  const none = loading(place, { platform: "freebsd", arch: "x64" });
  assert.match(none, /^missing_binary .* on freebsd x64 .*There is no package for this system: build it from a clone/);
});

test("an installed package for another system is named", () => {
  const place = bare();
  const other = join(place, "node_modules/firstbad-win32-arm64-msvc");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, "package.json"), '{ "name": "firstbad-win32-arm64-msvc", "version": "0.1.0" }');
  assert.match(loading(place), /\. firstbad-win32-arm64-msvc is for another system\. If npm omitted it/);
});

test("a native module that cannot be loaded gives the reason", { skip: !GLIBC || process.arch !== "x64" }, () => {
  const place = bare();
  writeFileSync(join(place, "binding.linux-x64-gnu.node"), "no library");
  assert.match(loading(place), /^missing_binary .*with Node \d+\.[\d.]+: .*binding\.linux-x64-gnu\.node/);
});

test("system messages with a period stay one sentence", async () => {
  const { withoutBinding } = await import(pathToFileURL(join(bare(), "load.js")).href);
  assert.match(withoutBinding(new Error("Module not found."), []).message, /: Module not found\. There is no package/);
});

test("a native module of another version is rejected", { skip: !GLIBC || process.arch !== "x64" }, () => {
  const place = bare();
  const installed = join(place, "node_modules/firstbad-linux-x64-gnu");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), '{ "name": "firstbad-linux-x64-gnu", "version": "0.0.9" }');
  writeFileSync(join(installed, "index.js"), 'exports.version = () => "0.0.9";');
  const said = loading(place);
  assert.match(
    said,
    /^binary_version firstbad \d+\.\d+\.\d+ was loaded with a native module of version 0\.0\.9: .*npm ci/,
  );
  writeFileSync(join(installed, "index.js"), "exports.cli = () => 0;");
  assert.match(loading(place), /^binary_version .* with a native module of another version: /);
});

const oracleOf = (command, options) =>
  new fb.Repository(folder).commandOracle(command, {
    worktrees: join(home, "trees"),
    outputDir: join(home, "out"),
    ...options,
  });

test("arguments similar to a graph give advice", async () => {
  const said = (given) => thrownBy(() => new fb.CommitGraph(given)).message;
  assert.match(said(new fb.Repository(folder)), /expected a graph of it: await repository\.graph\(\)$/);
  assert.match(said(Promise.resolve(line(3))), /expected what it resolves to: await it first$/);
  assert.match(said(/x/), /expected a Map from ids to parent ids, \[id, parents\] pairs, or a plain object$/);
  const refused = await rejectionOf(fb.findRegressions(new fb.Repository(folder), () => true, { bad: "main" }));
  assert.match(refused.message, /await repository\.graph\(\)/);
});

test("a probe is accepted as its id", () => {
  const search = new fb.RegressionSearch(line(8), { bad: "r7", good: "r0", testEndpoints: false });
  const [one, other] = search.ask(2);
  assert.equal(search.wanted(one), true);
  search.abandon(other);
  search.tell(one, place(one.revision) < 5);
  assert.equal(search.runs, 1);
  assert.match(thrownBy(() => search.tell({ id: "a" }, true)).message, /expected a probe, or its id$/);
});

test("endless retries name the revision and the number", async () => {
  const error = new fb.Retry("no network");
  const options = { bad: "r7", good: "r0", retries: 2 };
  const thrown = await rejectionOf(fb.findRegressions(line(8), () => Promise.reject(error), options));
  assert.equal(thrown, error);
  assert.deepEqual([thrown.code, thrown.revision, thrown.tries], ["retry", "r7", 3]);
});

test("a command that cannot run is described", async () => {
  const sha = git("rev-parse", "main");
  for (const [command, code] of [
    [["sh", "-c", "exit 126"], 126],
    [["no-such-program"], 127],
    [["sh", "-c", "kill -9 $$"], 137],
  ]) {
    const oracle = oracleOf(command);
    const error = await rejectionOf(oracle("main"));
    assert.deepEqual([error.revision, error.exitCode], [sha, code]);
    assert.ok(error.output.includes(sha), error.output);
    await oracle.close();
    const closed = await rejectionOf(oracle("main"));
    assert.deepEqual([closed.code, closed.message.split("\nhelp: ")[0]], ["oracle_closed", "the oracle is closed"]);
  }
});

test("times are seconds", () => {
  const said = (options) => thrownBy(() => oracleOf(["true"], options)).message;
  assert.equal(said({ timeout: "5m" }), 'timeout: "5m" is not valid; expected a number');
  assert.match(said({ stageTimeout: "30s" }), /^stageTimeout: "30s" is not valid/);
  assert.match(said({ timeout: 0 }), /^timeout: 0 is not valid; expected more than 0 seconds/);
});

test("an invalid history range is rejected", async () => {
  const repository = new fb.Repository(pathToFileURL(folder));
  for (const [part, message] of [
    [{ tips: [] }, /^tips: \[\] is not valid; expected at least one, or no tips, which means HEAD and all branches/],
    [[], /^tips: \[\] is not valid/],
    [{ paths: [] }, /^paths: \[\] is not valid; expected at least one, or no paths, which means all commits/],
    [{ paths: [""] }, /^paths: \[""\] is not valid; expected texts that are not empty/],
  ]) {
    assert.match(thrownBy(() => repository.graphSync(part)).message, message);
    assert.match((await rejectionOf(repository.graph(part))).message, message);
  }
  assert.equal((await fb.CommitGraph.fromGit(pathToFileURL(folder), { exclude: [] })).size, 8);
  assert.match(thrownBy(() => new fb.Repository(tmpdir())).message, /^git: /);
});

test("endpoints can be Git expressions", async () => {
  const graph = await fb.CommitGraph.fromGit(folder);
  const value = new Map(graph.ids.map((id, number) => [id, number]));
  const options = { bad: "HEAD~1", good: "main~6", prior: "uniform" };
  const { points } = await fb.findRegressions(graph, (id) => value.get(id) < 4, options);
  assert.deepEqual([points[0].leaves, points[0].bad], [[graph.resolve("HEAD~1")], git("rev-parse", "main~3")]);
});

test("ids cannot contain lone surrogates", () => {
  const broken = "a\ud800";
  const said = (call) => thrownBy(call).message;
  assert.match(
    said(() => fb.CommitGraph.linear([broken, "b"])),
    /expected a string without lone surrogates$/,
  );
  assert.match(
    said(() => new fb.RegressionSearch(line(3), { bad: broken })),
    /without lone surrogates$/,
  );
  assert.equal(fb.CommitGraph.linear(["a\u{1f600}", "b"]).size, 2);
});

test("bytes are not text", async () => {
  const error = await rejectionOf(fb.minimizeText(Buffer.from("a\n"), () => true));
  assert.match(error.message, /^text: .* is not valid; expected a string\. Decode bytes first$/);
});

test("an error has the search, which can be resumed", async () => {
  const mine = new Error("mine");
  let calls = 0;
  const oracle = (revision) => {
    calls += 1;
    if (calls === 3) throw mine;
    return place(revision) < 5;
  };
  const thrown = await rejectionOf(fb.findRegressions(line(16), oracle, { bad: "r15", good: "r0" }));
  assert.equal(thrown, mine);
  assert.deepEqual(Object.keys(thrown), []);
  assert.equal(thrown.search.runs, 2);
  assert.equal((await fb.run(thrown.search, oracle)).points[0].bad, "r5");
});

test("a stack trace starts at the caller", () => {
  const { message, stack } = thrownBy(() => fb.CommitGraph.linear([]));
  // Messages with help have several lines.
  assert.match(stack.split("\n")[message.split("\n").length], /messages\.test\.mjs/);
});

test("a signal ends an idle oracle with its reason", () => {
  const program = `
    const fb = require(process.argv[1]);
    const options = { bad: "b", good: "a", signal: AbortSignal.timeout(50) };
    fb.findRegressions(fb.CommitGraph.linear(["a", "b"]), () => new Promise(() => {}), options).catch((error) => {
      console.log(error.name);
    });`;
  const dist = fileURLToPath(new URL("../../node/dist/index.js", import.meta.url));
  assert.equal(execFileSync(process.execPath, ["-e", program, dist], { encoding: "utf8" }).trim(), "TimeoutError");
});
