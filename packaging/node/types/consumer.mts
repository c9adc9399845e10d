// Imports of a TypeScript program, which is compiled and not run.
import * as fb from "firstbad";
import { CommitGraph, FirstbadError, findCulprit, findRegressions, type RegressionReport, Repository } from "firstbad";
import JestReporter from "firstbad/jest";
import VitestReporter from "firstbad/vitest";

const repository = new Repository(".");
const oracle = repository.commandOracle(["make", "test"], { timeout: 60, environment: "npm" });
export const report = await findRegressions(repository.graph("main"), oracle, { bad: "main", good: "v1.0" });
const bad: string[] = report.points.map((point) => point.bad);
const culprit = await findCulprit(CommitGraph.linear(bad), async (id) => id === "a" || null, { bad: "b" });
for (const [revision, probability] of culprit.posterior) console.log(revision.length, probability.toFixed(2));
export const kept: number[] = (await fb.minimize([1, 2, 3], (part) => part.includes(2))).items;
try {
  await oracle.close();
} catch (error) {
  if (error instanceof FirstbadError && error.code === "io") console.error(error.message);
}
// @ts-expect-error a revision is a text
void findRegressions(repository.graph("main"), oracle, { bad: 3 });
new VitestReporter({ good: "v1.0", limit: 2 });
new JestReporter({ rootDir: "." }, { good: "v1.0" });
export type Answer = RegressionReport;
