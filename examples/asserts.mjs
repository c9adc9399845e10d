// Turns a test with assertions into an oracle: docs/write-an-oracle.md.

import assert from "node:assert";
import { asserts, CommitGraph, findRegressions } from "firstbad";

const totalIsRounded = asserts((version) => {
  const total = version < "2.0" ? 10.05 : 10.1;
  assert.equal(total, 10.05, `total ${total}`);
});

const versions = CommitGraph.linear(["1.0", "1.1", "2.0", "2.1"]);
const { points, observations } = await findRegressions(versions, totalIsRounded, { bad: "2.1", good: "1.0" });
console.log(points[0].culprit, observations[0].note);

// Prints:
// 2.0 total 10.1
