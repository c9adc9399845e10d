// Ranks commits without a test run: docs/rank-suspects.md.

import { Repository, rankCommits } from "firstbad";

const repo = new Repository(".");
const ranking = rankCommits(await repo.changes("v1.0", "main"), { test: "check.py" });
console.log(ranking.suspects[0].change.slice(0, 12), "-", ranking.suspects[0].message);

// Prints:
// 56e771b1e6d6 - touches 1 source file, 5 lines
