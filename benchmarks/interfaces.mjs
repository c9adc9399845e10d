/** The Node half of interfaces.py: prints the microseconds per decision of each search as JSON. */

import { strictEqual } from "node:assert";
import { CommitGraph, CulpritSearch, Minimizer, RegressionSearch } from "../node/dist/index.mjs";

const [REVISIONS, NEEDED, SEARCHES, ROUNDS] = [1000, 10, 100, 15];
const names = Array.from({ length: REVISIONS }, (_, number) => `${number}`.padStart(4, "0"));
const firstBad = names[Math.floor((REVISIONS * 2) / 3)];
const needed = Array.from({ length: NEEDED }, (_, number) => (number * 97 + 31) % REVISIONS);
const graph = CommitGraph.linear(names);
const ends = { good: names[0], bad: names.at(-1) };

function usPerDecision(make, answer) {
  const searches = Array.from({ length: SEARCHES }, make);
  const answers = [];
  const first = make();
  for (let probes = first.ask(1); probes.length > 0; probes = first.ask(1)) {
    answers.push(answer(probes[0]));
    first.tell(probes[0].id, answers.at(-1));
  }
  const start = process.cpuUsage();
  for (const search of searches) {
    for (const one of answers) search.tell(search.ask(1)[0].id, one);
  }
  const { user, system } = process.cpuUsage(start);
  for (const search of searches) strictEqual(search.done, true);
  return (user + system) / (SEARCHES * answers.length);
}

function holds(probe) {
  const kept = new Set(probe.changes);
  return needed.every((item) => kept.has(item));
}

const passes = (probe) => probe.revision < firstBad;
const kinds = {
  regression: [() => new RegressionSearch(graph, ends), passes],
  culprit: [() => new CulpritSearch(graph, { ...ends, flakeRate: 0.1 }), passes],
  reduction: [() => new Minimizer(names.map((_, number) => number)), holds],
};
const figures = {};
for (const [kind, [make, answer]] of Object.entries(kinds)) {
  const rounds = Array.from({ length: ROUNDS }, () => usPerDecision(make, answer)).sort((a, b) => a - b);
  figures[kind] = rounds[ROUNDS >> 1];
}
console.log(JSON.stringify(figures));
