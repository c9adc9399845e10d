// Finds the culprit of a flaky test: docs/flaky-tests.md.

import { findCulprit, Repository } from "firstbad";

const repo = new Repository(".");
const oracle = repo.commandOracle(["python3", "check.py"], { timeout: 60 });
const report = await findCulprit(repo.graph("main"), oracle, { bad: "main", good: "v1.0", budget: 200 });
await oracle.close();
if (report.conclusion === "culprit") {
  console.log(report.culprit.slice(0, 8), "broke the test, probability above 99%:", report.probability > 0.99);
} else if (report.conclusion === "flake") console.log("the failure was a flake");
else throw new Error(report.message);

// Prints:
// 93688fcf broke the test, probability above 99%: true
