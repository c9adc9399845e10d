// A search in a Git repository with a command oracle. The first argument is the repository.
import assert from "node:assert/strict";
import { findRegressions, Repository } from "firstbad";

const repository = new Repository(process.argv[2]);
const oracle = repository.commandOracle(["git", "grep", "-q", "good", "--", "state.txt"], { timeout: 60 });
const report = await findRegressions(repository.graph("main"), oracle, { bad: "main", good: "v1.0", concurrency: 2 });
await oracle.close();
assert.equal(report.status, "found");
assert.equal(report.points.length, 1);
console.log(report.points[0].bad);
