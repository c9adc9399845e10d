// Resumes a search from its journal: docs/resume.md.

import { findRegressions, Repository } from "firstbad";

const repo = new Repository(".");
const oracle = repo.commandOracle(["python3", "check.py"], { timeout: 60 });
let report;
for (const budget of [2, 20]) {
  // two jobs, the first one too short
  const options = { bad: "main", good: "v1.0", journal: "run.jsonl", budget };
  report = await findRegressions(repo.graph("main"), oracle, options);
  console.log(report.status);
}
await oracle.close();
console.log(report.points[0].culprit.slice(0, 8));

// Prints:
// budget
// found
// 93688fcf
