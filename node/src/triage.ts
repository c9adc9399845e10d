/** Finds the commits that broke the tests of a red suite. */

import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { TRIAGE, type TriageOptions } from "./generated/options.js";
import type { Callback, SuiteCallback } from "./oracle.js";
import type { SuiteCall, SuiteProbe } from "./probe.js";
import { type TriageReport, TriageSearch } from "./triage-search.js";

/** What to search for, and how to run the search. */
export interface TriageRunOptions extends TriageOptions, Omit<DriveOptions<SuiteProbe>, "store"> {}

/**
 * Finds the commits that broke the tests of a red suite: runs a {@link TriageSearch}. Errors and signals are handled as
 * by {@link run}.
 *
 * The oracle gets a revision and the ids of the tests to run there. The tests are `null` for the whole suite, and empty
 * for a build alone. The oracle returns outcomes by test, or one outcome of all tests. It can return more tests than
 * asked, and a missing test is unresolved. {@link Repository.suiteOracle} runs a test runner.
 *
 * @example
 * ```ts
 * const report = await triage(graph, (revision, tests) => runTests(revision, tests), { bad: "main", good: "v1.0" });
 * for (const { commit, tests } of report.culprits) console.log(commit, tests);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link TriageSearch} and {@link run} do; what the oracle throws, unchanged.
 */
export async function triage(
  graph: HistorySource,
  oracle: SuiteCallback,
  options: TriageRunOptions,
): Promise<TriageReport> {
  const called = oracle as unknown as Callback<SuiteCall, SuiteProbe>;
  return driven(TriageSearch, TRIAGE, historyFrom(graph), called, options, { of: "triage", but: ["store"] });
}
