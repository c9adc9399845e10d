/** The main job in one call. */

import { FirstbadError, invalid } from "./errors.js";
import { type CommitGraph, type GraphSource, graphFrom } from "./graph.js";
import { checkedOptions } from "./options.js";
import type { Oracle } from "./oracle.js";
import { REGRESSION_OPTIONS, type RegressionOptions, RegressionSearch } from "./regression-search.js";
import type { RegressionReport } from "./report.js";
import { RUN_OPTIONS, type RunOptions, run } from "./run.js";

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindRegressionsOptions extends RegressionOptions, RunOptions {
  /** Not available in this version. */
  journal?: never;
}

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
  graph: CommitGraph | GraphSource | PromiseLike<CommitGraph>,
  oracle: Oracle,
  options: FindRegressionsOptions,
): Promise<RegressionReport> {
  const given = checkedOptions<FindRegressionsOptions>(options, [...REGRESSION_OPTIONS, ...RUN_OPTIONS, "journal"]);
  if (given.journal !== undefined) {
    throw new FirstbadError("invalid_argument", "journals are not available in this version; use snapshot()");
  }
  if (typeof oracle !== "function") throw invalid("oracle", oracle, "a function");
  const search = new RegressionSearch(graphFrom(await graph), picked(given, REGRESSION_OPTIONS));
  return run(search, oracle, picked(given, RUN_OPTIONS));
}

function picked<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]])) as Pick<T, K>;
}
