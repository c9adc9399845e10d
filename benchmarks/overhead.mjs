/**
 * What one question costs through the Node package, and a graph from git.
 *
 * One `ask(1)` plus one `tell` on a linear graph of 1,000 revisions, with nothing between: `linear` asks 998 times in
 * one search, `binary` about 10 times in each of many. Reductions are of 4,096 items, 30 of them needed, with answers
 * known before: one `ask(1)` plus one `tell`, and a whole `minimize`, which hands out arrays of items. With
 * `--repository`, also the graph of that repository, side by side with `git rev-list --parents --all`. `--package` names
 * the package's folder (by default ../node).
 */

import { deepStrictEqual, strictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    repository: { type: "string" },
    rounds: { type: "string", default: "9" },
    package: { type: "string", default: resolve(import.meta.dirname, "../node") },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const { CommitGraph, minimize, Minimizer, RegressionSearch } = await import(resolve(options.package, "dist/index.mjs"));

const REVISIONS = 1000;
const AIM_MICROSECONDS = 3;

const ITEMS = 4096;
const NEEDED = 30;
const AIM_MICROSECONDS_FOR_A_SET = 10;

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const seconds = (start) => Number(process.hrtime.bigint() - start) / 1e9;

/** The mean of one ask plus tell over so many searches, each made outside the clock. */
function microsecondsPerQuestion(search, searches) {
  const ids = Array.from({ length: REVISIONS }, (_, number) => number.toString(16).padStart(40, "0"));
  const graph = CommitGraph.linear(ids);
  // Everything but the first revision fails, so that `linear` has to ask for all of them.
  const ready = Array.from(
    { length: searches },
    () => new RegressionSearch(graph, { bad: ids.at(-1), good: ids[0], search, testEndpoints: false }),
  );
  let questions = 0;
  // The processor's time: on a shared machine the clock on the wall measures the neighbours.
  const start = process.cpuUsage();
  for (const one of ready) {
    for (let probes = one.ask(1); probes.length > 0; probes = one.ask(1)) {
      one.tell(probes[0].id, false);
      questions += 1;
    }
  }
  const { user, system } = process.cpuUsage(start);
  for (const one of ready) strictEqual(one.report().points[0].bad, ids[1]);
  return (user + system) / questions;
}

const items = Array.from({ length: ITEMS }, (_, number) => number);

/** What the oracle says in a reduction, in order; the same algorithm asks the same again. */
async function reductionAnswers() {
  // Scattered by a multiplier that has no factor in common with the number of items.
  const needed = Array.from({ length: NEEDED }, (_, number) => (number * 1597 + 311) % ITEMS).sort((a, b) => a - b);
  const answers = [];
  const report = await minimize(items, (kept) => {
    const there = new Set(kept);
    answers.push(needed.every((item) => there.has(item)));
    return answers.at(-1);
  });
  deepStrictEqual(report.kept, needed);
  return answers;
}

/** The mean of one ask plus tell over so many reductions, each made outside the clock. */
function microsecondsPerSet(answers, searches) {
  const ready = Array.from({ length: searches }, () => new Minimizer(items));
  const start = process.cpuUsage();
  for (const one of ready) {
    for (const answer of answers) one.tell(one.ask(1)[0].id, answer);
  }
  const { user, system } = process.cpuUsage(start);
  for (const one of ready) strictEqual(one.done, true);
  return (user + system) / (searches * answers.length);
}

/** The mean of one call of the callback over so many whole reductions. */
async function microsecondsPerCall(answers, reductions) {
  const start = process.cpuUsage();
  for (let reduction = 0; reduction < reductions; reduction += 1) {
    let next = 0;
    await minimize(items, () => answers[next++]);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / (reductions * answers.length);
}

/** Seconds for a graph from a repository and for `git rev-list --parents --all`, in turns; and ids, if wanted. */
async function graphFrom(repository) {
  const ours = [];
  const theirs = [];
  const listing = [];
  let commits = 0;
  for (let round = 0; round < rounds; round += 1) {
    let start = process.hrtime.bigint();
    const graph = await CommitGraph.fromGit(repository);
    ours.push(seconds(start));
    start = process.hrtime.bigint();
    commits = [...graph.ids].length;
    listing.push(seconds(start));
    start = process.hrtime.bigint();
    execFileSync("git", ["rev-list", "--parents", "--all"], {
      cwd: repository,
      stdio: ["ignore", "ignore", "inherit"],
    });
    theirs.push(seconds(start));
  }
  return { commits, graph: median(ours), rev_list: median(theirs), list_of_ids: median(listing) };
}

const figures = {};
const kinds = { linear: 10, binary: 1000 };
for (const [search, searches] of Object.entries(kinds)) {
  const measured = Array.from({ length: rounds }, () => microsecondsPerQuestion(search, searches));
  figures[search] = median(measured);
  figures[`${search}_least`] = Math.min(...measured);
}
const answers = await reductionAnswers();
const reductions = {
  "one ask plus tell": microsecondsPerSet,
  "one call in a whole `minimize`": microsecondsPerCall,
};
for (const [kind, measure] of Object.entries(reductions)) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure(answers, 20));
  figures[kind] = median(measured);
  figures[`${kind}_least`] = Math.min(...measured);
}
if (options.repository) figures.graph_from_git = await graphFrom(options.repository);

if (options.json) {
  console.log(JSON.stringify(figures));
} else {
  for (const search of Object.keys(kinds)) {
    const verdict = figures[search] <= AIM_MICROSECONDS ? "met" : "missed";
    const least = figures[`${search}_least`].toFixed(2);
    const value = `${figures[search].toFixed(2)} us (median; ${least} in the quietest round)`;
    console.log(`| Node: one ask plus tell, ${search} | ${value} | at most ${AIM_MICROSECONDS} | ${verdict} |`);
  }
  for (const kind of Object.keys(reductions)) {
    const verdict = figures[kind] <= AIM_MICROSECONDS_FOR_A_SET ? "met" : "missed";
    const least = figures[`${kind}_least`].toFixed(2);
    const value = `${figures[kind].toFixed(2)} us (median; ${least} in the quietest round)`;
    const aim = `at most ${AIM_MICROSECONDS_FOR_A_SET}`;
    console.log(`| Node: reducing ${ITEMS} items, ${kind} | ${value} | ${aim} | ${verdict} |`);
  }
  const read = figures.graph_from_git;
  if (read) {
    const ratio = read.graph / read.rev_list;
    console.log(`| Node: graph of ${read.commits} commits from git | ${read.graph.toFixed(4)} s | | |`);
    console.log(`| \`git rev-list --parents --all >/dev/null\` there | ${read.rev_list.toFixed(4)} s | | |`);
    console.log(`| Node: ours over git's | ${ratio.toFixed(3)} times | at most 1 | ${ratio <= 1 ? "met" : "missed"} |`);
    console.log(`| Node: all ids as an array, on request | ${read.list_of_ids.toFixed(4)} s | | |`);
  }
}
