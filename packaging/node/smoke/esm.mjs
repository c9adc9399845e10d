// Imports by name and as a namespace.
import assert from "node:assert/strict";
import * as fb from "firstbad";
import { CommitGraph, findCulprit, findRegressions } from "firstbad";

const graph = CommitGraph.linear(["a", "b", "c", "d"]);
const report = await findRegressions(graph, async (id) => id < "c", { bad: "d", good: "a" });
assert.deepEqual([report.points[0].good, report.points[0].bad], ["b", "c"]);
const { conclusion, culprit } = await findCulprit(graph, (id) => id < "c", { bad: "d", good: "a", flakeRate: 0.1 });
assert.deepEqual([conclusion, culprit], ["culprit", "c"]);
assert.throws(() => CommitGraph.linear([]), fb.FirstbadError);
