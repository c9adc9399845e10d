/** The culprit, or "it was a flake", in one call. */

import { type ConductOptions, conducted, type HistorySource, historyFrom } from "./conduct.js";
import { CULPRIT, type CulpritOptions, type CulpritReport, CulpritSearch } from "./culprit-search.js";
import type { Oracle } from "./oracle.js";

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindCulpritOptions extends CulpritOptions, ConductOptions {}

/**
 * Finds out who broke a flaky test, how sure that is, or that nobody did (FACF), on a list or any commit graph.
 *
 * It makes a {@link CulpritSearch} and drives it with {@link run}, whose promises about errors and signals hold here.
 * The oracle runs the test anew at every call: one revision is asked again where that tells most. With a `concurrency`
 * above 1 it may be asked twice at the same time.
 *
 * @example
 * ```ts
 * const report = await findCulprit(graph, (revision) => testPasses(revision), { bad: "main", good: "v1.0" });
 * console.log(report.message);
 * if (report.conclusion === "inconclusive") console.log(report.credibleSet);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link CulpritSearch} and {@link run} do; what the oracle throws, unchanged.
 */
export async function findCulprit(
  graph: HistorySource,
  oracle: Oracle,
  options: FindCulpritOptions,
): Promise<CulpritReport> {
  return conducted(CulpritSearch, CULPRIT, historyFrom(graph), oracle, options);
}
