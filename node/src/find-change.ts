/** Finds the commit that changed a number. */

import type { ChangeReport } from "./change-report.js";
import { ChangeSearch } from "./change-search.js";
import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { CHANGE, type ChangeOptions } from "./generated/options.js";
import type { Measure } from "./measured.js";
import type { Oracle } from "./oracle.js";

/** What to search for, and how to run the search. */
export interface FindChangeOptions extends ChangeOptions, Omit<DriveOptions, "store"> {}

/**
 * Finds the commit that made a program slower, larger, or less accurate: runs a {@link ChangeSearch}. Errors and signals
 * are handled as by {@link run}.
 *
 * `measure` gets a revision and returns its number, or nothing if the revision cannot be measured. It can also return an
 * observation, or numbers by name if the search has `metrics`. With `paired: true`, each run calls it for the revision
 * and then for the first good revision. firstbad repeats measurements until it is certain enough. Runs at the same time
 * disturb measurements of time, so keep `concurrency: 1` for them.
 *
 * @example
 * ```ts
 * const report = await findChange(graph, (revision) => secondsOf(revision), { bad: "main", good: "v1.0" });
 * console.log(report.message);
 * for (const { commit, percent } of report.steps) console.log(commit, percent);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link ChangeSearch} and {@link run} do; what `measure` throws, unchanged.
 */
export async function findChange(
  graph: HistorySource,
  measure: Measure,
  options: FindChangeOptions,
): Promise<ChangeReport> {
  const oracle = measure as unknown as Oracle;
  const called = { of: "findChange", callback: "measure", but: ["store"] };
  return driven(ChangeSearch, CHANGE, historyFrom(graph), oracle, options, called);
}
