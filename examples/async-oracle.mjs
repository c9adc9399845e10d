// Starts a process for each revision, and stops it if the search no longer needs it: docs/write-an-oracle.md.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { CommitGraph, findRegressions } from "firstbad";

const oracle = async (version, { signal }) => {
  const [code] = await once(spawn("test", [version, "!=", "1.3"], { signal }), "exit");
  return code === 0;
};

const graph = CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"]);
const report = await findRegressions(graph, oracle, { bad: "1.3", good: "1.0" });
console.log(report.points[0].culprit);

// Prints:
// 1.3
