// Runs of commands with a journal that are killed and resumed.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { fb, ids, packageFile, rejectionOf, thrownBy, unhandled } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-outlive-"));
const path = (...names) => join(folder, ...names);
const git = (...words) => execFileSync("git", ["-C", path("repo"), ...words], { encoding: "utf8" }).trim();
const ENDS = { bad: "main", good: "v1.0" };
let shas;

/** Twenty commits with a counter in `value`, which breaks at 13. */
before(() => {
  mkdirSync(path("repo"));
  const commits = Array.from({ length: 20 }, (_, value) =>
    [
      "commit refs/heads/main",
      `committer T <t@example.org> ${1_700_000_000 + value} +0000`,
      "data 1",
      "c",
      "M 100644 inline value",
      `data ${String(value).length}`,
      `${value}\n`,
    ].join("\n"),
  );
  git("init", "-q", "-b", "main");
  execFileSync("git", ["-C", path("repo"), "fast-import", "--quiet"], { input: `${commits.join("\n")}\n` });
  shas = git("rev-list", "--reverse", "main").split("\n");
  git("tag", "v1.0", shas[0]);
});

after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sleep(20);
  assert.deepEqual(unhandled, []);
});

/** Creates the files of a test, and a command that ignores SIGTERM and hangs while the file `hang` exists. */
function scene(name) {
  const at = (...names) => path(name, ...names);
  mkdirSync(at("runs"), { recursive: true });
  const script = `echo $$ > ${at("runs")}/$FIRSTBAD_REVISION
    if [ -e ${at("hang")} ]; then trap "" TERM; sleep 600; fi
    test "$(cat value)" -lt 13`;
  const runs = () => readdirSync(at("runs"));
  return {
    at,
    journal: at("run.jsonl"),
    command: ["sh", "-c", script],
    options: { worktrees: at("trees"), outputDir: at("output") },
    runs,
    /** Returns the process group of the hanging command. */
    async hanging(told) {
      for (let n = 0; n < 1500; n++) {
        const last = existsSync(at("hang")) ? runs().find((sha) => !told().includes(sha)) : undefined;
        const written = last && readFileSync(at("runs", last), "utf8");
        if (written?.endsWith("\n")) {
          const group = -Number(written);
          assert.ok(isThere(group));
          return group;
        }
        await sleep(20);
      }
      throw new Error("nothing hangs");
    },
    left: () =>
      existsSync(at("trees"))
        ? readdirSync(at("trees"), { recursive: true }).filter((one) => one.endsWith(".git"))
        : [],
  };
}

/** Returns the revisions with outcomes in a journal. */
function toldIn(journal) {
  if (!existsSync(journal)) return [];
  const events = readFileSync(journal, "utf8").split("\n").filter(Boolean).map(JSON.parse);
  const revisions = new Map(events.filter(({ event }) => event === "asked").map(({ id, revision }) => [id, revision]));
  return events.filter(({ event }) => event === "told").map(({ id }) => revisions.get(id));
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ends(pid) {
  for (let n = 0; n < 1500 && isThere(pid); n++) await sleep(20);
  assert.equal(isThere(pid), false);
}

/** Repeats the call, which no longer hangs and asks only for the rest. */
async function goesOn({ at, journal, command, options, runs }) {
  const told = toldIn(journal);
  assert.ok(told.length >= 1);
  rmSync(at("hang"));
  rmSync(at("runs"), { recursive: true });
  mkdirSync(at("runs"));
  const repository = new fb.Repository(path("repo"));
  const oracle = repository.commandOracle(command, options);
  const report = await fb.findRegressions(repository.graph("main"), oracle, { ...ENDS, journal });
  await oracle.close();
  assert.deepEqual([report.points[0].good, report.points[0].bad], [shas[12], shas[13]]);
  assert.deepEqual(
    runs().filter((sha) => told.includes(sha)),
    [],
    "what was told is not run again",
  );
  assert.equal(report.runs - report.confirmations, told.length + runs().length);
}

test("an abort ends a run with commands within a second, and the journal resumes", async () => {
  const set = scene("abort");
  const repository = new fb.Repository(path("repo"));
  const oracle = repository.commandOracle(set.command, set.options);
  const controller = new AbortController();
  const reason = new Error("enough");
  const onProgress = ({ kind }) => kind === "told" && writeFileSync(set.at("hang"), "");
  const { journal } = set;
  const options = { ...ENDS, journal, onProgress, signal: controller.signal };
  const running = rejectionOf(fb.findRegressions(repository.graph("main"), oracle, options));
  const group = await set.hanging(() => toldIn(journal));
  const began = performance.now();
  controller.abort(reason);
  assert.equal(await running, reason);
  assert.ok(performance.now() - began < 1000);
  await oracle.close();
  const took = performance.now() - began;
  assert.ok(took < 3000, `${took} ms, on a machine that may be busy`);
  await ends(group);
  assert.deepEqual(set.left(), []);
  await goesOn(set);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"]) {
  test(`after ${signal}, the journal resumes`, async () => {
    const set = scene(signal);
    const { at, journal, command, options } = set;
    const program = `
      import { createRequire } from "node:module";
      import { writeFileSync } from "node:fs";
      const fb = createRequire(${JSON.stringify(fileURLToPath(packageFile))})("firstbad");
      const repository = new fb.Repository(${JSON.stringify(path("repo"))});
      const oracle = repository.commandOracle(${JSON.stringify(command)}, ${JSON.stringify(options)});
      const onProgress = ({ kind }) => kind === "told" && writeFileSync(${JSON.stringify(at("hang"))}, "");
      const search = { ...${JSON.stringify(ENDS)}, journal: ${JSON.stringify(journal)}, onProgress };
      await fb.findRegressions(repository.graph("main"), oracle, search);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    const ended = new Promise((resolve) => child.on("exit", (_, by) => resolve(by)));
    const group = await set.hanging(() => toldIn(journal));
    child.kill(signal);
    assert.equal(await ended, signal);
    // After SIGKILL, only the next command oracle removes worktrees.
    if (signal !== "SIGKILL") assert.deepEqual(set.left(), []);
    await ends(group);
    await goesOn(set);
    assert.deepEqual(set.left(), []);
  });
}

test("a terminated worker ends its commands and removes its worktrees", async () => {
  const set = scene("worker");
  const { at, journal, command, options } = set;
  const program = `
    const { writeFileSync } = require("node:fs");
    const fb = require("node:module").createRequire(${JSON.stringify(fileURLToPath(packageFile))})("firstbad");
    const repository = new fb.Repository(${JSON.stringify(path("repo"))});
    const oracle = repository.commandOracle(${JSON.stringify(command)}, ${JSON.stringify(options)});
    const onProgress = ({ kind }) => kind === "told" && writeFileSync(${JSON.stringify(at("hang"))}, "");
    const search = { ...${JSON.stringify(ENDS)}, journal: ${JSON.stringify(journal)}, onProgress };
    fb.findRegressions(repository.graph("main"), oracle, search);`;
  const worker = new Worker(program, { eval: true });
  const group = await set.hanging(() => toldIn(journal));
  await worker.terminate();
  await ends(group);
  for (let n = 0; n < 1500 && set.left().length > 0; n++) await sleep(20);
  assert.deepEqual(set.left(), []);
  await goesOn(set);
});

/** Runs a search that kills its process at a call of the oracle. Returns the tested revisions. */
async function killedAt(journal, call) {
  const program = `
    import { writeSync } from "node:fs";
    import { createRequire } from "node:module";
    const fb = createRequire(${JSON.stringify(fileURLToPath(packageFile))})("firstbad");
    let calls = 0;
    const oracle = (revision) => {
      writeSync(1, revision + "\\n");
      if (++calls === ${call}) process.kill(process.pid, "SIGKILL");
      return Number(revision.slice(1)) < 4;
    };
    const graph = fb.CommitGraph.linear(Array.from({ length: 10 }, (_, place) => "r" + place));
    const ends = { bad: "r9", good: "r0", search: "linear", journal: ${JSON.stringify(journal)} };
    const report = await fb.findRegressions(graph, oracle, ends);
    writeSync(1, "found " + report.points.map((point) => point.bad) + "\\n");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (bytes) => {
    said += bytes;
  });
  const by = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
  const lines = said.trimEnd().split("\n");
  assert.equal(by, lines.at(-1).startsWith("found ") ? null : "SIGKILL");
  return lines;
}

test("a killed run repeats only probes in flight", async () => {
  mkdirSync(path("killed"));
  const undisturbed = await killedAt(path("killed", "undisturbed"), 0);
  assert.equal(undisturbed.at(-1), "found r4");
  const answers = undisturbed.length - 1;
  const calls = Array.from({ length: answers }, (_, call) => call + 1);
  await Promise.all(
    [1, 2].map(async (half) => {
      for (const call of calls.filter((call) => call % 2 === half % 2)) {
        const journal = path("killed", `${call}.jsonl`);
        const first = await killedAt(journal, call);
        const second = await killedAt(journal, 0);
        // The interrupted call has no outcome. All earlier calls have one on disk.
        assert.deepEqual([...first.slice(0, call - 1), ...second], undisturbed);
      }
    }),
  );
});

test("a worker that exits during a run releases its journal", async () => {
  mkdirSync(path("exits"));
  const journal = path("exits", "run.jsonl");
  const ends = { bad: "r9", good: "r0", search: "linear", journal };
  const program = `
    const fb = require("node:module").createRequire(${JSON.stringify(fileURLToPath(packageFile))})("firstbad");
    let calls = 0;
    const oracle = (revision) => (++calls === 3 ? process.exit(5) : Number(revision.slice(1)) < 4);
    const graph = fb.CommitGraph.linear(${JSON.stringify(ids(10))});
    fb.findRegressions(graph, oracle, ${JSON.stringify(ends)});`;
  const worker = new Worker(program, { eval: true });
  assert.equal(await new Promise((resolve) => worker.on("exit", resolve)), 5);
  assert.deepEqual(toldIn(journal), ["r9", "r0"]);
  const asked = [];
  const oracle = (revision) => asked.push(revision) && Number(revision.slice(1)) < 4;
  const report = await fb.findRegressions(fb.CommitGraph.linear(ids(10)), oracle, ends);
  assert.deepEqual(
    report.points.map((point) => point.bad),
    ["r4"],
  );
  assert.equal(asked.length, report.runs - 2);
});

test("a worktree that cannot be removed is a warning", async () => {
  const { at, options } = scene("unremovable");
  const oracle = new fb.Repository(path("repo")).commandOracle(["true"], options);
  assert.equal((await oracle(shas[1])).outcome, "pass");
  const lock = readdirSync(at("trees"), { recursive: true }).find((one) => one.endsWith(".lock"));
  // A folder in place of the lock cannot be removed as a file.
  rmSync(at("trees", lock));
  mkdirSync(at("trees", lock));
  const warned = new Promise((resolve) => process.once("warning", resolve));
  await oracle.close();
  const { name, message } = await warned;
  assert.equal(name, "FirstbadWarning");
  assert.match(message, /cannot remove the folder .*\. The next command oracle of the repository tries again/);
});

test("each point has a journal for its explanation", async () => {
  const { at, journal, command, options } = scene("explain");
  const repository = new fb.Repository(path("repo"));
  const oracle = repository.commandOracle(command, options);
  const call = (more) =>
    fb.findRegressions(repository.graph("main"), oracle, { ...ENDS, journal, explain: true, ...more });
  const trouble = new Error("of the progress bar");
  const failing = ({ kind, probe }) => {
    if (kind === "told" && "set" in probe) throw trouble;
  };
  const error = await rejectionOf(call({ onProgress: failing }));
  assert.equal(error, trouble);
  const cause = `${journal}.cause-${shas[13].slice(0, 12)}.jsonl`;
  assert.ok(readFileSync(cause, "utf8").includes('"told"'));
  const report = await call();
  assert.equal(report.causes[0].status, "found");
  rmSync(at("runs"), { recursive: true });
  assert.deepEqual((await call()).causes[0].kept, report.causes[0].kept);
  await oracle.close();
  assert.equal(existsSync(at("runs")), false, "nothing is run again");
});

test("a graph from Git can be sent to a worker as JSON", async () => {
  const graph = await fb.CommitGraph.fromGit(path("repo"));
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    const fb = require(workerData.package);
    const graph = fb.CommitGraph.fromJson(workerData.graph);
    const oracle = (revision) => graph.ids.indexOf(revision) < 13;
    fb.findRegressions(graph, oracle, { bad: "main", good: "v1.0" }).then(
      ({ points: [{ bad }] }) => parentPort.postMessage([bad, graph.toJson()]),
    );`;
  const built = createRequire(packageFile).resolve("firstbad");
  const worker = new Worker(script, { eval: true, workerData: { graph: graph.toJson(), package: built } });
  const answer = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.deepEqual(answer, [shas[13], graph.toJson()]);
  assert.match(
    thrownBy(() => fb.CommitGraph.fromJson("{}")).message,
    /expected a commit graph that was written as JSON$/,
  );
});
