// Finds the commits that broke some branches of a Git repository, from Node.
//
//     node demo/find.mjs REPOSITORY --good v1.0 --bad main --bad dev -- python3 check.py
//
// The command runs at one commit after another, in separate worktrees. Exit codes are those of `git bisect run`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findRegressions, Repository } from "../node/dist/index.mjs"; // if it is installed: from "firstbad"

const COLOURS = { pass: "32", fail: "31", unresolved: "33", culprit: "1;31", cancelled: "2" };
const SHOWN = { pass: "passes", fail: "fails", unresolved: "does not run", cancelled: "no longer needed" };

/** Colors the text if the output is a terminal. */
const painted = (text, colour) => (process.stdout.isTTY ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text);

const cut = process.argv.indexOf("--");
const command = process.argv.slice(cut + 1);
const { values: given, positionals } = parseArgs({
  args: process.argv.slice(2, cut),
  allowPositionals: true,
  options: {
    good: { type: "string", multiple: true, default: [] },
    bad: { type: "string", multiple: true, default: [] },
    jobs: { type: "string", default: "2" },
    folder: { type: "string" }, // the directory for worktrees and output
    json: { type: "string" }, // the file for the report
  },
});

const [path] = positionals;
const repository = new Repository(path);
const graph = await repository.graph(given.bad);
const log = execFileSync("git", ["-C", path, "log", "--format=%H%x09%s", ...given.bad, "--"], { encoding: "utf8" });
const subjects = new Map(
  log
    .trim()
    .split("\n")
    .map((line) => line.split("\t")),
);
const named = (sha) => `${sha.slice(0, 8)}  ${subjects.get(sha)}`;

function show({ kind, probe, observation }) {
  if (kind !== "told" && kind !== "cancelled") return;
  const outcome = observation?.outcome ?? "cancelled";
  const run = String(probe.id + 1).padStart(2);
  const name = named(probe.revision).slice(0, 44).padEnd(44);
  console.log(painted(`  run ${run}  ${name}  ${SHOWN[outcome]}`, outcome));
}

const folders = given.folder ? { worktrees: `${given.folder}/trees`, outputDir: `${given.folder}/output` } : {};
const oracle = repository.commandOracle(command, { timeout: 60, ...folders });
const report = await findRegressions(graph, oracle, {
  bad: given.bad,
  good: given.good,
  concurrency: Number(given.jobs),
  onProgress: show,
});
await oracle.close();

const branches = new Map(given.bad.map((name) => [graph.resolve(name), name]));
console.log(`\n  ${report.status} after ${report.runs} test runs`);
for (const { good, bad, candidates, clean, leaves } of report.points) {
  console.log();
  if (candidates.length > 0) {
    console.log(painted(`  one of these ${candidates.length} (unresolved commits lie between):`, "culprit"));
    for (const sha of candidates) console.log(painted(`    ${named(sha)}`, "culprit"));
  } else {
    console.log(painted(`  culprit  ${named(bad)}`, "culprit"));
  }
  console.log(`  after    ${good ? named(good) : "no passing commit"}`);
  console.log(`  clean    ${clean ? "yes: every parent passes" : "no"}`);
  console.log(`  breaks   ${leaves.map((leaf) => branches.get(leaf)).join(", ")}`);
}
if (given.json) writeFileSync(given.json, JSON.stringify(report));
