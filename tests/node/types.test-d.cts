// The same declarations, as CommonJS sees them.
import fb = require("../../node");

const graph: fb.CommitGraph = fb.CommitGraph.linear(["a", "b"]);
const report: Promise<fb.RegressionReport> = fb.findRegressions(graph, () => true, { bad: "b" });
const culprit: Promise<fb.CulpritReport> = fb.findCulprit(graph, () => true, { bad: "b", flakeRate: 0.1 });
const verified: Promise<fb.VerificationReport> = fb.verifyCulprit(graph, () => true, {
  culprit: null,
  bad: "b",
  flakeRate: 0.1,
});
const minimized: Promise<fb.MinimizeReport<string[]>> = fb.minimize("abc", (kept) => kept.includes("a"));
const patch: fb.Patch = fb.Patch.parse("");
const part: Promise<fb.MinimizeReport<fb.Patch>> = fb.minimizePatch(patch, (part) => part.length > 0);
const ported: Promise<fb.PorterReport> = fb.iterativeDeltaDebugging(".", () => true, { start: "main" });
const slice: Promise<fb.SlicerReport> = fb.sliceHistory(".", { base: "v1.0", tip: "main", oracle: () => true });
export = [report, culprit, verified, minimized, part, ported, slice];
