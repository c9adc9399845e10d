import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fb, packageFile, rejectionOf, thrownBy, unhandled } from "./support.mjs";

let folder;
let repository;
let shas;
const environment = { ...process.env };

const path = (...names) => join(folder, ...names);

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const output = execFileSync("git", ["-C", path("repo"), ...config, ...words], { encoding: "utf8" });
  return output.trim();
}

/** Commits on main with a counter in `value`, which breaks at 5. A branch starts at 2. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-repository-"));
  process.env.XDG_CACHE_HOME = path("cache");
  execFileSync("git", ["init", "-q", "-b", "main", path("repo")]);
  const commit = (name, value) => {
    writeFileSync(path("repo", name), String(value));
    git("add", "-A");
    git("commit", "-q", "-m", `${name} ${value}`);
    return git("rev-parse", "HEAD");
  };
  shas = [0, 1, 2].map((value) => commit("value", value));
  git("checkout", "-q", "-b", "side");
  commit("other", "x");
  git("checkout", "-q", "main");
  shas.push(...[3, 4, 5, 6, 7].map((value) => commit("value", value)));
  git("tag", "v1.0", shas[0]);
  repository = new fb.Repository(path("repo"));
});

after(async () => {
  process.env.XDG_CACHE_HOME = environment.XDG_CACHE_HOME;
  if (environment.XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
  rmSync(folder, { recursive: true, force: true });
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

const TEST = ["sh", "-c", 'test "$(cat value)" -lt 5'];

/** Returns the folders of worktrees, to check that they are removed. */
function worktrees() {
  const place = path("trees");
  const left = () =>
    existsSync(place) ? readdirSync(place, { recursive: true }).filter((name) => name.endsWith("value")) : [];
  return { place, left };
}

test("names and graphs come from git", async () => {
  assert.equal(repository.resolve("main"), shas.at(-1));
  assert.equal(repository.resolve("v1.0"), shas[0]);
  assert.equal(thrownBy(() => repository.resolve("nowhere")).code, "unknown_revision");
  const graph = await repository.graph();
  assert.equal(graph.size, 9);
  assert.equal(graph.resolve("main"), shas.at(-1));
  assert.equal(graph.resolve(shas[3].slice(0, 10)), shas[3]);
  assert.deepEqual(graph.parents("main"), [shas.at(-2)]);
  for (const part of ["main", ["main"], { tips: ["main"] }, { tips: "main" }]) {
    assert.deepEqual([...(await repository.graph(part)).ids], shas);
    assert.deepEqual([...repository.graphSync(part).ids], shas);
  }
  const part = await fb.CommitGraph.fromGit(path("repo"), { tips: "main", exclude: shas[3], firstParent: true });
  assert.deepEqual([...part.ids], shas.slice(3));
  const touched = await repository.graph({ tips: ["side"], paths: ["other"] });
  assert.deepEqual([...touched.ids], [shas[2], repository.resolve("side")]);
});

test("an endpoint outside the paths is not the culprit", async () => {
  const graph = await repository.graph({ tips: ["main", "v1.0"], paths: ["value"] });
  assert.equal(graph.size, shas.length);
  const beside = await repository.graph({ tips: ["side"], paths: ["value"] });
  const ends = { bad: "side", good: "v1.0" };
  const report = await fb.findRegressions(beside, (revision) => revision !== repository.resolve("side"), ends);
  const [point] = report.points;
  assert.deepEqual([point.good, point.bad, point.outsidePaths], [shas[2], repository.resolve("side"), false]);
  git("checkout", "-q", "--detach", "side");
  git("commit", "-q", "--allow-empty", "-m", "nothing");
  const tip = git("rev-parse", "HEAD");
  git("checkout", "-q", "main");
  const further = await repository.graph({ tips: [tip, "v1.0"], paths: ["value"] });
  const found = await fb.findRegressions(further, (revision) => revision !== tip, { ...ends, bad: tip });
  assert.deepEqual([found.points[0].outsidePaths, found.points[0].candidates], [true, [tip]]);
  const refused = await rejectionOf(repository.graph({ tips: ["main"], paths: ["nothing"] }));
  assert.match(refused.message, /^paths: \["nothing"\] is not valid/);
});

test("Git errors have a code", async () => {
  assert.match(thrownBy(() => new fb.Repository(path())).code, /^(git|io)$/);
  assert.match((await rejectionOf(fb.CommitGraph.fromGit(path("none")))).code, /^(git|io)$/);
  assert.equal((await rejectionOf(repository.graph("nowhere"))).code, "unknown_revision");
  assert.equal((await rejectionOf(repository.graph({ tip: "main" }))).code, "invalid_argument");
  assert.equal(thrownBy(() => new fb.Repository(5)).code, "invalid_argument");
});

test("a command finds the regression and removes its worktrees", async () => {
  const { place, left } = worktrees();
  const status = git("status", "--porcelain");
  const oracle = repository.commandOracle(TEST, { worktrees: place, timeout: 60 });
  const report = await fb.findRegressions(repository.graph("main"), oracle, {
    bad: "main",
    good: "v1.0",
    concurrency: 2,
  });
  assert.deepEqual([report.points[0].good, report.points[0].bad], [shas[4], shas[5]]);
  assert.ok(report.observations.every(({ seconds }) => seconds >= 0));
  assert.ok(readdirSync(oracle.outputDir).length >= report.runs);
  await oracle.close();
  await oracle.close();
  assert.deepEqual(left(), []);
  assert.equal(git("status", "--porcelain"), status);
  assert.ok(existsSync(oracle.outputDir));
});

test("worktrees are prepared in advance", async () => {
  const { place, left } = worktrees();
  const oracle = repository.commandOracle(["true"], { worktrees: place });
  assert.equal(await oracle.checkOut("main"), undefined);
  assert.notDeepEqual(left(), []);
  assert.deepEqual(readdirSync(oracle.outputDir), []);
  assert.equal((await oracle("main")).outcome, "pass");
  assert.equal((await rejectionOf(oracle.checkOut("nothing"))).code, "unknown_revision");
  oracle.interrupt();
  assert.equal((await rejectionOf(oracle.checkOut("main"))).code, "interrupted");
  await oracle.close();
  assert.equal((await rejectionOf(oracle.checkOut("main"))).code, "oracle_closed");
  assert.deepEqual(left(), []);
});

test("the next revision is checked out during a test", async () => {
  // With one job, only the preparation of worktrees creates a second one.
  const line = 'until [ $(ls -d ../tree-*/ | wc -l) -ge 2 ]; do :; done; test "$(cat value)" -lt 5';
  const oracle = repository.commandOracle(["sh", "-c", line], { worktrees: path("trees"), timeout: 60 });
  const report = await fb.findRegressions(repository.graph("main"), oracle, { bad: "main", good: "v1.0" });
  assert.deepEqual([report.points[0].good, report.points[0].bad], [shas[4], shas[5]]);
  await oracle.close();
});

test("exit codes mean the same as for git bisect run, or follow the options", async () => {
  const outcome = async (script, options = {}) => {
    const oracle = repository.commandOracle(["sh", "-c", script], options);
    try {
      return (await oracle("main")).outcome;
    } catch (error) {
      return error.code;
    } finally {
      await oracle.close();
    }
  };
  assert.equal(await outcome("exit 0"), "pass");
  assert.equal(await outcome("exit 1"), "fail");
  assert.equal(await outcome("exit 125"), "unresolved");
  assert.equal(await outcome("exit 127"), "command_not_found");
  assert.equal(await outcome("exit 128"), "command_stopped");
  assert.equal(await outcome("exit 3", { exitCodes: { 3: "unresolved" } }), "unresolved");
  assert.equal(await outcome("exit 3", { exitCodes: new Map([[3, "pass"]]) }), "pass");
  assert.equal(await outcome("exit 75", { exitCodes: { 75: "retry" } }), "retry");
  assert.equal(await outcome("kill -9 $$", { onSignal: "fail" }), "fail");
  assert.equal(await outcome("exit 139", { exitCodes: { 139: "fail" } }), "fail");
  const advice = async (script, options) => {
    const oracle = repository.commandOracle(["sh", "-c", script], options);
    const { message } = await rejectionOf(oracle("main"));
    await oracle.close();
    return message;
  };
  assert.match(
    await advice("exit 139"),
    /exit code 139.*\nhelp: set onSignal or exitCodes to choose an outcome for it/,
  );
  assert.match(await advice("exit 127"), /command not found: .*\nhelp: .* use exitCodes: \{ 127: "unresolved" \}/);
  const late = { timeout: 0.1, onTimeout: "stop" };
  assert.match(
    await advice("sleep 60", late),
    /help: set onTimeout to choose an outcome for it, or set a longer timeout/,
  );
  assert.equal(await outcome("sleep 60", { timeout: 0.2 }), "unresolved");
  assert.equal(await outcome("sleep 60", { timeout: 0.2, onTimeout: "fail" }), "fail");
  assert.equal(await outcome('test "$WORD" = hello', { env: { WORD: "hello", NONE: undefined } }), "pass");
  for (const options of [{ timeout: -1 }, { onTimeout: "maybe" }, { exitCodes: { x: "pass" } }, { time: 1 }]) {
    assert.equal(thrownBy(() => repository.commandOracle(["true"], options)).code, "invalid_argument");
  }
  assert.equal(thrownBy(() => repository.commandOracle("npm test")).code, "invalid_argument");
  assert.equal(thrownBy(() => repository.commandOracle([])).code, "invalid_argument");
});

test("untracked test files are copied", async () => {
  const check = join(repository.path, "check.sh");
  const helper = join(repository.path, "helper.sh");
  writeFileSync(check, ". ./helper.sh 2> /dev/null || exit 3\n");
  const tested = async (options) => {
    const oracle = repository.commandOracle(["sh", "check.sh"], options);
    const { outcome } = await oracle("main");
    await oracle.close();
    return [oracle.carried, outcome];
  };
  assert.deepEqual(await tested(), [["check.sh"], "fail"]);
  writeFileSync(helper, "true\n");
  assert.deepEqual(await tested({ copyFiles: ["check.sh", helper] }), [["check.sh", "helper.sh"], "pass"]);
  const without = { copyFiles: false, exitCodes: { 2: "unresolved", 127: "unresolved" } };
  assert.deepEqual(await tested(without), [[], "unresolved"]);
  for (const file of [check, helper]) rmSync(file);
  for (const copyFiles of ["check.sh", true, ["../check.sh"]]) {
    assert.match(thrownBy(() => repository.commandOracle(["true"], { copyFiles })).message, /^copyFiles: /);
  }
});

const printed = (seen) => readFileSync(seen.output, "utf8");

test("revisions with the same lock file share an environment", async () => {
  const line = `echo made >> "${path("made")}"; mkdir modules; echo x > modules/name`;
  const described = {
    files: ["no-such.lock"],
    command: ["sh", "-c", line],
    link: new Set(["modules"]),
    version: undefined,
  };
  const environments = path("environments");
  const test = 'test -L modules && test -e "$FIRSTBAD_ENVIRONMENT/modules/name"';
  for (const revision of ["main", "v1.0"]) {
    const oracle = repository.commandOracle(["sh", "-c", test], { environment: described, environments });
    assert.equal((await oracle(revision)).outcome, "pass");
    await oracle.close();
  }
  assert.equal(readFileSync(path("made"), "utf8"), "made\n");
  const broken = repository.commandOracle(["true"], {
    environment: { ...described, command: ["false"] },
    environments,
  });
  const seen = await broken("main");
  assert.deepEqual([seen.outcome, seen.stage], ["unresolved", "setup"]);
  assert.match(seen.note, /^environment failed: exit code 1/);
  await broken.close();
});

test("setups, patches, kept builds, and variables", async () => {
  const fix = "--- a/value\n+++ b/value\n@@ -1 +1 @@\n-7\n\\ No newline at end of file\n+70\n";
  const created = fb.Patch.parse("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n");
  const line = 'cat value new; echo "$FIRSTBAD_NEW_WORKTREE"; echo "$FIRSTBAD_REPOSITORY"';
  const setup = ["sh", "-c", "echo set up"];
  const oracle = repository.commandOracle(["sh", "-c", line], { setup, applyPatches: [fix, created], keepBuild: true });
  for (const fresh of ["1", "0"]) {
    const seen = await oracle("main");
    assert.equal(seen.outcome, "pass");
    assert.ok(seen.note.endsWith(`; output in ${seen.output}`));
    const [first, words, second, ...rest] = printed(seen).trimEnd().split("\n");
    assert.match(`${first}|${words}|${second}`, /^==> setup: .*\|set up\|==> test: /);
    assert.deepEqual(rest, ["70", "new", fresh, repository.path]);
  }
  const blocked = await oracle("v1.0");
  assert.equal(blocked.outcome, "unresolved");
  assert.match(blocked.note, /^fix-up 1 of 2: the patch does not apply to value/);
  await oracle.close();
  const script = "echo first; head -c 100000 /dev/zero | tr '\\0' x; echo; echo last";
  const chatty = repository.commandOracle(["sh", "-c", script], { outputLimit: 4096 });
  const long = printed(await chatty("main"));
  assert.ok(long.length < 6000 && long.startsWith("first\n") && long.endsWith("\nlast\n"), long);
  assert.match(long, /bytes of output are left out here/);
  await chatty.close();
  const late = repository.commandOracle(["true"], { setup: ["sleep", "60"], stageTimeout: 0.05 });
  const seen = await late("main");
  assert.equal(seen.outcome, "unresolved");
  assert.match(seen.note, /still running after 0.05 s/);
  assert.deepEqual([seen.stage, seen.signature], ["setup", "timeout"]);
  await late.close();
  const code = (options) => thrownBy(() => repository.commandOracle(["true"], options));
  assert.equal(code({ applyPatches: ["fix.patch"] }).code, "patch_syntax");
  for (const [options, words] of [
    [{ keepBuild: "cold" }, /^keepBuild: "cold"/],
    [{ configure: "./configure" }, /^configure: .*\["npm", "test"\]/],
    [{ build: "make" }, /^build: .*\["npm", "test"\]/],
    [{ build: [] }, /^build/],
    [{ control: [5] }, /^control: 5/],
    [{ control: [""] }, /^control/],
    [{ passPattern: "a(" }, /^passPattern: .*unclosed group/],
    [{ environment: "conda" }, /^environment: "conda" .*"venv", "uv", "npm", "pnpm"/],
    [{ environment: 5 }, /^environment: 5 .*preset's name/],
    [{ environment: { files: ["a"] } }, /^environment: .*missing field `command`/],
    [{ environment: { files: "a", command: ["b"] } }, /^environment\.files: "a" .*array of texts/],
    [{ environment: { files: ["a"], command: ["b"], link: ["../c"] } }, /^environment\.link: "\.\.\/c"/],
    [{ distinguishFailures: 1 }, /distinguishFailures/],
    [{ setup: "npm ci" }, /^setup: .*\["npm", "test"\]/],
    [{ setup: [5] }, /^setup: 5/],
    [{ setup: [] }, /^setup/],
    [{ stageTimeout: -1 }, /^stageTimeout/],
    [{ outputLimit: 100 }, /^outputLimit: 100/],
    [{ outputLimit: 1e300 }, /^outputLimit/],
    [{ applyPatches: created }, /^applyPatches/],
    [{ applyPatches: [5] }, /^applyPatches\[0\]/],
    [{ submodules: 1 }, /submodules/],
    [{ failPattern: "a(" }, /^failPattern: .*unclosed group/],
    [{ preset: "pytset" }, /^preset: .*"pytest"/],
  ]) {
    const { code: found, message } = code(options);
    assert.equal(found, "invalid_argument", message);
    assert.match(message, words);
  }
});

test("patterns of failures, and submodules", async () => {
  const run = async (command, options, of = repository) => {
    const oracle = of.commandOracle(command, options);
    try {
      return await oracle("main");
    } finally {
      await oracle.close();
    }
  };
  const outcome = async (line, options) => (await run(["sh", "-c", line], options)).outcome;
  assert.equal(await outcome("echo total is 7; exit 1", { failPattern: "^total is [0-9]$" }), "fail");
  assert.equal(await outcome("echo the total is 7; exit 1", { failPattern: "^total is [0-9]$" }), "unresolved");
  assert.equal(await outcome("exit 2", { preset: "pytest" }), "unresolved");
  assert.equal(await outcome("exit 2", { preset: "pytest", exitCodes: { 2: "fail" } }), "fail");
  const above = path("above");
  execFileSync("git", ["init", "-q", "-b", "main", above]);
  const config = ["-c", "protocol.file.allow=always", "-c", "user.name=T", "-c", "user.email=t@example.org"];
  execFileSync("git", ["-C", above, ...config, "submodule", "--quiet", "add", path("repo"), "sub"], {
    stdio: "ignore",
  });
  execFileSync("git", ["-C", above, ...config, "commit", "-q", "-m", "with a submodule"]);
  for (const [submodules, word] of [
    [false, ""],
    [true, "value\n"],
  ]) {
    const options = { submodules, outputDir: path("submodules") };
    assert.equal(printed(await run(["ls", "sub"], options, new fb.Repository(above))), word);
  }
});

test("trees have ids", () => {
  const tree = (name) => git("rev-parse", `${name}^{tree}`);
  assert.deepEqual(repository.treeIds(["main", "v1.0"]), [
    [shas.at(-1), tree("main")],
    [shas[0], tree("v1.0")],
  ]);
  assert.equal(thrownBy(() => repository.treeIds(["nowhere"])).code, "unknown_revision");
});

/** A command that writes its process id and hangs. */
const hanging = (file) => ["sh", "-c", `echo $$ > ${path(file)}; sleep 600`];

async function appears(file) {
  for (let n = 0; n < 500; n++) {
    if (existsSync(path(file)) && readFileSync(path(file), "utf8").endsWith("\n"))
      return Number(readFileSync(path(file)));
    await sleep(20);
  }
  throw new Error(`${file} did not appear`);
}

async function ends(pid) {
  for (let n = 0; n < 500; n++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
  throw new Error(`process ${pid} is still there`);
}

test("an aborted signal ends the command's processes and rejects with its reason", async () => {
  const oracle = repository.commandOracle(hanging("aborted"));
  const controller = new AbortController();
  const reason = new Error("enough");
  const options = { bad: "main", good: "v1.0", signal: controller.signal };
  const running = rejectionOf(fb.findRegressions(repository.graph("main"), oracle, options));
  const pid = await appears("aborted");
  controller.abort(reason);
  assert.equal(await running, reason);
  await ends(pid);
  assert.equal(await rejectionOf(oracle("main", { signal: AbortSignal.abort(reason) })), reason);
  await oracle.close();
});

test("a command that ignores signals is killed within a second", async () => {
  const { place, left } = worktrees();
  const line = `trap '' TERM; echo $$ > ${path("stubborn")}; while :; do sleep 0.05; done`;
  const oracle = repository.commandOracle(["sh", "-c", line], { killAfter: 300, worktrees: place });
  const controller = new AbortController();
  const running = rejectionOf(oracle("main", { signal: controller.signal }));
  const pid = await appears("stubborn");
  const began = performance.now();
  controller.abort();
  assert.equal(await running, controller.signal.reason);
  await ends(pid);
  await oracle.close();
  assert.ok(performance.now() - began < 1000, `${performance.now() - began} ms`);
  assert.deepEqual(left(), []);
});

test("interrupt and close end running commands", async () => {
  const oracle = repository.commandOracle(hanging("closed"));
  const running = rejectionOf(oracle("main"));
  const pid = await appears("closed");
  await oracle[Symbol.asyncDispose]();
  assert.equal((await running).code, "interrupted");
  await ends(pid);
  assert.equal((await rejectionOf(oracle("main"))).code, "oracle_closed");
  assert.equal(process.listenerCount("SIGINT"), 0);
});

for (const [how, finish] of [
  ["exits", (child) => child.stdin.end("go\n")],
  ["is interrupted", (child) => child.kill("SIGINT")],
  ["is terminated", (child) => child.kill("SIGTERM")],
]) {
  test(`no process is left when the process ${how} with a command running`, async () => {
    const { place, left } = worktrees();
    const file = `ended-${how.replaceAll(" ", "-")}`;
    const program = `
      import { createRequire } from "node:module";
      const fb = createRequire(${JSON.stringify(fileURLToPath(packageFile))})("firstbad");
      const oracle = new fb.Repository(${JSON.stringify(path("repo"))})
        .commandOracle(${JSON.stringify(hanging(file))}, { worktrees: ${JSON.stringify(place)} });
      oracle("main").catch(() => {});
      process.stdin.on("data", () => process.exit(7));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["pipe", "inherit", "inherit"],
    });
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve([code, signal])));
    const pid = await appears(file);
    assert.ok(left().length > 0);
    finish(child);
    const [code, signal] = await ended;
    assert.ok(code === 7 || signal === "SIGINT" || signal === "SIGTERM", `${code} ${signal}`);
    await ends(pid);
    assert.deepEqual(left(), []);
  });
}

test("stages, patterns of passes, and signatures", async () => {
  const made = [];
  const oracle = (script, options) => {
    made.push(repository.commandOracle(["sh", "-c", script], options));
    return made.at(-1);
  };
  const seen = async (script, options) => {
    const { outcome, stage, signature } = await oracle(script, options)("main");
    return [outcome, stage, signature];
  };
  const STAGES = ["setup", "configure", "build", "control"];
  const stages = (failing) => {
    const script = (name) => `echo error: in ${name} 7; exit ${name === failing ? 3 : 0}`;
    return Object.fromEntries(STAGES.map((name) => [name, ["sh", "-c", script(name)]]));
  };
  for (const stage of STAGES) {
    assert.deepEqual(await seen("exit 1", stages(stage)), ["unresolved", stage, `exit code 3: error: in ${stage} #`]);
  }
  assert.deepEqual(await seen("exit 1", stages()), ["fail", "test", undefined]);
  assert.deepEqual(await seen("exit 0", stages("control")), ["pass", undefined, undefined]);
  const headings = printed(await oracle("exit 1", stages())("main")).match(/^==> \w+/gm);
  assert.deepEqual(
    headings,
    ["setup", "configure", "build", "test", "control"].map((stage) => `==> ${stage}`),
  );

  const passPattern = "^all \\d+ passed$";
  assert.deepEqual(await seen("echo all 12 passed", { passPattern }), ["pass", undefined, undefined]);
  const [outcome, stage, why] = await seen("exit 0", { passPattern });
  assert.deepEqual([outcome, stage], ["unresolved", "test"]);
  assert.match(why, /^exit code 0, but the output has no match of /);

  const failing = "echo Error: $FIRSTBAD_WORKTREE/value has 7 words; exit 1";
  const signature = "exit code 1: Error: value has # words";
  assert.deepEqual(await seen(failing), ["fail", "test", undefined]);
  assert.deepEqual(await seen(failing, { distinguishFailures: true }), ["fail", "test", signature]);
  const { commandOf, runCommand } = createRequire(import.meta.url)("../../node/dist/command-oracle.js");
  const asked = await runCommand(commandOf(oracle(failing)), "main", undefined, true);
  assert.equal(asked.signature, signature);
  const by = { distinguishFailures: true, failPattern: "has (\\d+)" };
  assert.deepEqual(await seen(failing, by), ["fail", "test", "exit code 1: 7"]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  const large = await oracle("x=$(head -c 300000000 /dev/zero | tr '\\0' a); echo ${#x}")("main");
  assert.ok(large.memory >= 300_000_000, `${large.memory}`);
  for (const one of made) await one.close();
});

test("a journal belongs to one command", async () => {
  const journal = path("one-command.jsonl");
  const graph = await repository.graph("main");
  const made = [];
  const oracle = (command, options) => {
    made.push(repository.commandOracle(command, { worktrees: path("trees"), ...options }));
    return made.at(-1);
  };
  const options = { bad: "main", good: "v1.0", journal };
  const exitCodes = { 3: "fail" };
  const first = await fb.findRegressions(graph, oracle(TEST, { exitCodes }), { ...options, budget: 2 });
  assert.equal(first.status, "budget");
  const kept = readFileSync(journal);
  for (const [other, words] of [
    [oracle(["true"], { exitCodes }), /Its command is \["sh","-c",.*\], not \["true"\]\nhelp: /],
    [oracle(TEST, { exitCodes: { 3: "stop" } }), /Its exitCodes is \{"3":"fail"\}, not \{"3":"stop"\}/],
    [oracle(TEST, { exitCodes, failPattern: "x" }), /Its failPattern is set only in this run, to "x"/],
    [oracle(TEST, { exitCodes, setup: ["true"] }), /Its setup is set only in this run, to \["true"\]/],
    [() => true, /not with a function/],
  ]) {
    const error = await rejectionOf(fb.findRegressions(graph, other, options));
    assert.equal(error.code, "journal");
    assert.match(error.message, words);
    assert.deepEqual(readFileSync(journal), kept);
  }
  // With the ask/tell interface, only another command is refused.
  const session = fb.Session.open(journal, new fb.RegressionSearch(graph, { bad: "main", good: "v1.0" }));
  assert.match((await rejectionOf(fb.run(session, oracle(["true"])))).message, /was recorded with another test/);
  await fb.run(session, (revision) => shas.indexOf(revision) < 5, { budget: 3 });
  session.close();
  const report = await fb.findRegressions(graph, oracle(TEST, { exitCodes }), options);
  assert.deepEqual(
    report.points.map((point) => point.bad),
    [shas[5]],
  );
  // By default, a crash stops the run, so no outcome is stored.
  const crashing = (onSignal) => fb.findRegressions(graph, oracle(TEST, { exitCodes, onSignal }), options);
  assert.equal((await crashing("fail")).status, "found");
  assert.match((await rejectionOf(crashing("pass"))).message, /Its onSignal is "fail", not "pass"/);
  for (const one of made) await one.close();
});

test("a journal of a cause belongs to one command", async () => {
  const options = { journal: path("cause.jsonl") };
  const [test, other] = [TEST, ["false"]].map((command) => repository.commandOracle(command));
  await repository.minimizeCommit(shas[5], test, options);
  const error = await rejectionOf(repository.minimizeCommit(shas[5], other, options));
  assert.match(error.message, /was recorded with another test\. Its command is/);
  await test.close();
  await other.close();
});

test("revision names cannot run programs", () => {
  const mark = path("mark");
  writeFileSync(path("monitor"), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  git("config", "core.fsmonitor", path("monitor"));
  try {
    for (const look of [(name) => repository.resolve(name), (name) => repository.treeIds(name)]) {
      assert.equal(thrownBy(() => look(":value")).code, "unknown_revision");
      assert.equal(existsSync(mark), false);
    }
    git("rev-parse", ":value");
    assert.equal(existsSync(mark), true, "git by itself does run it");
  } finally {
    git("config", "--unset", "core.fsmonitor");
  }
});

test("references to the checkout give a warning, and filters name their option", async () => {
  const warnings = [];
  const listen = (warning) => warnings.push(warning.message);
  process.on("warning", listen);
  try {
    const oracle = repository.commandOracle(["make", "-C", path("repo")]);
    await oracle.close();
    const printing = repository.commandOracle(["sh", "-c", 'echo "$FIRSTBAD_REPOSITORY/value"']);
    await printing("main");
    await printing.close();
    await sleep(0);
  } finally {
    process.off("warning", listen);
  }
  assert.equal(warnings.filter((text) => text.includes("checkout")).length, 2);
});

test("the preset follows the command", async () => {
  const script = path("pytest");
  writeFileSync(script, "#!/bin/sh\nexit 5\n", { mode: 0o755 });
  const outcomes = [];
  for (const options of [{}, { preset: "none" }, { preset: "pytest" }]) {
    const oracle = repository.commandOracle([script], options);
    outcomes.push((await oracle("main")).outcome);
    await oracle.close();
  }
  assert.deepEqual(outcomes, ["unresolved", "fail", "unresolved"]);
});

test("a cherry-picked change is one finding", async () => {
  const place = mkdtempSync(join(tmpdir(), "firstbad-picked-"));
  try {
    const config = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    const git = (...words) => execFileSync("git", ["-C", place, ...config, ...words], { encoding: "utf8" }).trim();
    const commit = (name, text) => {
      writeFileSync(join(place, name), text);
      git("add", "-A");
      git("commit", "-q", "-m", `${name} ${text}`);
      return git("rev-parse", "HEAD");
    };
    git("init", "-q", "-b", "main");
    const good = commit("value", "good");
    git("branch", "next");
    const culprit = commit("value", "bad");
    git("checkout", "-q", "next");
    commit("other", "more");
    git("cherry-pick", "-x", culprit);
    const picked = git("rev-parse", "HEAD");
    const there = new fb.Repository(place);
    const oracle = there.commandOracle(["grep", "-q", "good", "value"]);
    const report = await fb.findRegressions(await there.graph(), oracle, { bad: ["main", "next"], good });
    const same = Object.fromEntries(report.points.map((point) => [point.bad, point.sameChange]));
    assert.deepEqual(same, { [culprit]: [picked], [picked]: [culprit] });
    assert.match(report.toString(), /the same change is/);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
