// The same declarations, as CommonJS sees them.
import fb = require("../../node");

const graph: fb.CommitGraph = fb.CommitGraph.linear(["a", "b"]);
const report: Promise<fb.RegressionReport> = fb.findRegressions(graph, () => true, { bad: "b" });
export = report;
