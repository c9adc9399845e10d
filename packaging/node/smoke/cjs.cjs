// Required; the classes are the ones that `import` gives.
const assert = require("node:assert/strict");
const fb = require("firstbad");

(async () => {
  const graph = fb.CommitGraph.linear(["a", "b", "c", "d"]);
  const report = await fb.findRegressions(graph, (id) => id < "c", { bad: "d", good: "a" });
  assert.deepEqual([report.points[0].good, report.points[0].bad], ["b", "c"]);
  assert.equal((await import("firstbad")).CommitGraph, fb.CommitGraph);
})();
