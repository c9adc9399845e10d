// Tests versions with a function: docs/write-an-oracle.md.

import { CommitGraph, findRegressions } from "firstbad";

const versions = ["1.0", "1.1", "1.2", "2.0", "2.1"];
function oracle(version) {
  if (version === "1.2") return null; // there is no build of 1.2
  return version < "2.0"; // your test
}
const report = await findRegressions(CommitGraph.linear(versions), oracle, { bad: "2.1", good: "1.0" });
console.log(report.status, report.points[0].candidates);

// Prints:
// ambiguous [ '1.2', '2.0' ]
