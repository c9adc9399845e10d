// Verifies the culprit of a flaky test: docs/verify-the-culprit.md.

import { CommitGraph, findCulprit, verifyCulprit } from "firstbad";

const graph = CommitGraph.linear(Array.from({ length: 1001 }, (_, number) => String(1000 + number)));
const oracle = (build) => Number(build) < 1700;

const endpoints = { bad: "2000", good: "1000" };
const { conclusion, culprit, flakeRate } = await findCulprit(graph, oracle, endpoints);
if (conclusion !== "inconclusive") {
  const verified = await verifyCulprit(graph, oracle, { ...endpoints, culprit, flakeRate });
  console.log(verified.correct);
}

// Prints:
// true
