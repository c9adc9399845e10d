// The same package, required.
import fb = require("firstbad");
import JestReporter = require("firstbad/jest");

const graph = new fb.CommitGraph({ a: [], b: ["a"] });
export const points: Promise<string[]> = fb
  .findRegressions(graph, (id) => id === "a", { bad: "b" })
  .then((report) => report.points.map((point) => point.bad));
export const reporter: InstanceType<typeof JestReporter> = new JestReporter({ rootDir: "." });
