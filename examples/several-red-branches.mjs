// Finds the culprits of four failing branches in one search: docs/several-red-branches.md.

import { findRegressions, Repository } from "firstbad";

const branches = ["main", "dev", "release/2", "gift-cards"];
const repo = new Repository(".");
const graph = await repo.graph(branches);
const oracle = repo.commandOracle(["python3", "check.py"], { timeout: 60 });
const report = await findRegressions(graph, oracle, { bad: branches, good: "v1.0" });
await oracle.close();
const names = new Map(branches.map((branch) => [graph.resolve(branch), branch]));
for (const { bad, leaves } of report.points) {
  console.log(
    bad.slice(0, 8),
    "breaks",
    leaves
      .map((leaf) => names.get(leaf))
      .sort()
      .join(", "),
  );
}
console.log("without another search:", report.leaves.filter(({ result }) => result === "propagated").length);

// Prints:
// 93688fcf breaks dev, main, release/2
// ca9b7fe2 breaks gift-cards
// without another search: 2
