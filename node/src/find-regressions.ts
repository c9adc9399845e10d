/** Finds regression points and their causes. */

import type { ExplainedReport } from "./causes.js";
import type { CommandOracle } from "./command-oracle.js";
import { type DriveOptions, drivenToEnd, type HistorySource, historyFrom } from "./drive.js";
import { invalid } from "./errors.js";
import { explained } from "./explain.js";
import { REGRESSION, type RegressionOptions } from "./generated/options.js";
import { parted } from "./options.js";
import type { Oracle } from "./oracle.js";
import type { Probe, ReductionProbe } from "./probe.js";
import type { Progress } from "./progress.js";
import type { RegressionReport } from "./regression-report.js";
import { RegressionSearch } from "./regression-search.js";
import { repositoryOf } from "./repository.js";

/**
 * The options of {@link findRegressions}. `signal` is an AbortSignal, `signature` the failure to search for. With
 * `explain`, the budget limits all searches together.
 */
export interface FindRegressionsOptions<Explain extends boolean = boolean>
  extends RegressionOptions,
    Omit<DriveOptions, "onProgress"> {
  /**
   * True reduces the patch from `good` to `bad` of every point to a smallest part that breaks `good`, as
   * {@link Repository.minimizeCommit} does. The oracle must be a command oracle. Default: false.
   *
   * If an error of the oracle or an aborted signal ends a reduction, the thrown object has the points as its property
   * `firstbadReport`, a {@link RegressionReport}.
   *
   * With a `journal`, each reduction has a journal `<journal>.cause-<first 12 characters of bad>.jsonl`.
   */
  explain?: Explain;
  /** Called at every step of all searches, one after the other. True shows the progress on the terminal. */
  onProgress?:
    | boolean
    | ((progress: Explain extends true ? Progress<Probe> | Progress<ReductionProbe> : Progress) => void);
}

/**
 * Finds a regression point for every bad revision of a commit graph (RPA), with as few runs as possible. With `explain:
 * true`, it also finds the changes that cause the failure.
 *
 * Runs a {@link RegressionSearch}. Errors and signals are handled as by {@link run}.
 *
 * @example
 * ```ts
 * const graph = await CommitGraph.fromGit(".", { tips: ["main", "dev"] });
 * const report = await findRegressions(graph, (revision) => testPasses(revision), { bad: ["main", "dev"] });
 * for (const { good, bad } of report.points) console.log(`${good} passes, ${bad} fails`);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link RegressionSearch} and {@link run} do; errors of the oracle, unchanged. With
 * `explain: true`, an error after the search has the points as its property `firstbadReport`.
 */
export async function findRegressions<Explain extends boolean = false>(
  graph: HistorySource,
  // No overloads: a mistake in the options gets its own message.
  oracle: Explain extends true ? CommandOracle : Oracle,
  options: FindRegressionsOptions<Explain>,
): Promise<Explain extends true ? ExplainedReport : RegressionReport>;
export async function findRegressions(
  graph: HistorySource,
  oracle: Oracle,
  options: FindRegressionsOptions,
): Promise<RegressionReport | ExplainedReport> {
  const [{ explain = false }, given] = parted(options, "explain");
  if (typeof explain !== "boolean") throw invalid("explain", explain, "a boolean");
  if (explain && repositoryOf(oracle) === undefined) {
    throw invalid("explain", explain, "a command oracle, such as one of repository.commandOracle");
  }
  const began = performance.now();
  const search = await drivenToEnd(
    RegressionSearch,
    REGRESSION,
    historyFrom(graph),
    oracle,
    given as RegressionOptions,
    { of: "findRegressions", own: ["explain"] },
  );
  return explain ? explained(search, oracle as CommandOracle, options, began) : search.report();
}
