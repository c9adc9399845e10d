// Triages the tests of builds: docs/triage-a-red-nightly.md.

import { CommitGraph, triage } from "firstbad";

const broken = { test_price: 640, test_total: 640, test_label: 871 }; // the first bad build of each test
const oracle = (build, tests) =>
  Object.fromEntries((tests ?? Object.keys(broken)).map((test) => [test, Number(build) < broken[test]]));
const graph = CommitGraph.linear(Array.from({ length: 1000 }, (_, build) => String(build)));
const report = await triage(graph, oracle, { bad: "999", good: "0" });
for (const { commit, tests } of report.culprits) console.log(commit, ...tests);

// Prints:
// 640 test_price test_total
// 871 test_label
