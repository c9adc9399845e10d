/** Regression points in one call. */

import { type ConductOptions, conducted, type HistorySource, historyFrom } from "./conduct.js";
import type { Oracle } from "./oracle.js";
import { REGRESSION, type RegressionOptions, RegressionSearch } from "./regression-search.js";
import type { RegressionReport } from "./report.js";

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindRegressionsOptions extends RegressionOptions, ConductOptions {}

/**
 * Finds a regression point for every bad revision of a commit graph (RPA), with as few calls of the oracle as it can.
 *
 * It makes a {@link RegressionSearch} and drives it with {@link run}, whose promises about errors and signals hold here.
 *
 * @example
 * ```ts
 * const graph = await CommitGraph.fromGit(".", { tips: ["main", "dev"] });
 * const report = await findRegressions(graph, (revision) => testPasses(revision), { bad: ["main", "dev"] });
 * for (const { good, bad } of report.points) console.log(`${good} passes, ${bad} fails`);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link RegressionSearch} and {@link run} do; what the oracle throws, unchanged.
 */
export async function findRegressions(
  graph: HistorySource,
  oracle: Oracle,
  options: FindRegressionsOptions,
): Promise<RegressionReport> {
  return conducted(RegressionSearch, REGRESSION, historyFrom(graph), oracle, options);
}
