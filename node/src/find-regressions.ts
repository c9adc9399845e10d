/** Regression points in one call, and what made them. */

import { budgetFrom, budgetLeft } from "./budget.js";
import type { CommandOracle } from "./command-oracle.js";
import { type ConductOptions, conducted, type HistorySource, historyFrom } from "./conduct.js";
import { invalid } from "./errors.js";
import { patchMinimized } from "./minimize-patch.js";
import type { MinimizeReport } from "./minimizer.js";
import { parted, pathOf } from "./options.js";
import type { Oracle } from "./oracle.js";
import type { Patch } from "./patch.js";
import type { Probe, ReductionProbe } from "./probe.js";
import type { ReductionOptions } from "./reduction.js";
import { REGRESSION, type RegressionOptions, RegressionSearch } from "./regression-search.js";
import type { RegressionReport } from "./report.js";
import { over, repositoryOf } from "./repository.js";
import type { Progress } from "./run.js";

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindRegressionsOptions extends RegressionOptions, ConductOptions {
  /** True goes on from every point to the changes that matter: see {@link ExplainRegressionsOptions}. */
  explain?: false;
}

/** The same, with explanations. The budget is one for all. */
export interface ExplainRegressionsOptions extends Omit<FindRegressionsOptions, "onProgress" | "explain"> {
  /**
   * Goes on from every point with a `good` side to a smallest part of the patch from `good` to `bad` that breaks `good`,
   * as {@link Repository.minimizeCommit} does. The oracle has to be a command oracle.
   *
   * Whatever ends this second half early, an error of the oracle or an aborted signal, has the points as its property
   * `firstbadReport`, a {@link RegressionReport}, if it is an object.
   *
   * With a `journal`, each of these reductions is kept beside it, in `<journal>.cause-<first 12 characters of bad>.jsonl`.
   */
  explain: true;
  /** Called at every step of all searches, one after the other. */
  onProgress?: (progress: Progress<Probe> | Progress<ReductionProbe>) => void;
}

/** The answer of a regression search with explanations. */
export interface ExplainedReport extends RegressionReport {
  /**
   * Parallel to `points`: the smallest part of the patch from `good` to `bad` that was found to break `good`; null where
   * no ancestor passes, or nothing is between the two (`message` says which). Where the whole patch does not break it the
   * status is `not_reproduced`.
   */
  causes: (MinimizeReport<Patch> | null)[];
}

/**
 * Finds a regression point for every bad revision of a commit graph (RPA), with as few calls of the oracle as it can.
 * With `explain: true` it goes on to the changes that matter.
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
 * @throws {@link FirstbadError}, as {@link RegressionSearch} and {@link run} do; what the oracle throws, unchanged. With
 * `explain: true` and the points found, the error has them as its property `firstbadReport`.
 */
export async function findRegressions(
  graph: HistorySource,
  oracle: CommandOracle,
  options: ExplainRegressionsOptions,
): Promise<ExplainedReport>;
export async function findRegressions(
  graph: HistorySource,
  oracle: Oracle,
  options: FindRegressionsOptions,
): Promise<RegressionReport>;
export async function findRegressions(
  graph: HistorySource,
  oracle: Oracle,
  options: FindRegressionsOptions | ExplainRegressionsOptions,
): Promise<RegressionReport | ExplainedReport> {
  const [{ explain = false }, given] = parted(options, "explain");
  if (typeof explain !== "boolean") throw invalid("explain", explain, "a boolean");
  if (explain && repositoryOf(oracle) === undefined) {
    throw invalid("explain", explain, "a command oracle beside it, as repository.commandOracle makes them");
  }
  const began = performance.now();
  const search = conducted(RegressionSearch, REGRESSION, historyFrom(graph), oracle, given as RegressionOptions);
  return explain ? explained(await search, oracle as CommandOracle, options, began) : search;
}

async function explained(
  report: RegressionReport,
  oracle: CommandOracle,
  options: FindRegressionsOptions | ExplainRegressionsOptions,
  began: number,
): Promise<ExplainedReport> {
  try {
    return await withCauses(report, oracle, options, began);
  } catch (error) {
    if (typeof error === "object" && error !== null) Reflect.set(error, "firstbadReport", report);
    throw error;
  }
}

async function withCauses(
  report: RegressionReport,
  oracle: CommandOracle,
  options: FindRegressionsOptions | ExplainRegressionsOptions,
  began: number,
): Promise<ExplainedReport> {
  const [run] = parted(options, "concurrency", "jobs", "signal", "onProgress", "retries", "signature", "seed");
  const parts: { queries: number; observations: { cost?: number | null }[] }[] = [report];
  const causes: (MinimizeReport<Patch> | null)[] = [];
  const words = report.message === "" ? [] : [report.message];
  for (const { good, bad } of report.points) {
    const patch = good === null ? undefined : await repositoryOf(oracle)?.diff(good, bad);
    if (good === null || patch === undefined || patch.length === 0) {
      const why = good === null ? "no ancestor was seen to pass" : `${good} has the same files`;
      words.push(`no part of ${bad} can be blamed: ${why}`);
      causes.push(null);
      continue;
    }
    const spent = {
      runs: sum(parts.map(({ queries }) => queries)),
      seconds: (performance.now() - began) / 1000,
      cost: sum(parts.flatMap(({ observations }) => observations.map(({ cost }) => cost ?? 0))),
    };
    const budget = budgetLeft(budgetFrom(options.budget), spent);
    const journal = options.journal && `${pathOf("journal", options.journal)}.cause-${bad.slice(0, 12)}.jsonl`;
    const given = { ...run, ...noiseOf(options), budget, journal, keep: "fail" } as object;
    const cause = await patchMinimized(patch, over(good, oracle), given);
    parts.push(cause);
    causes.push(cause);
  }
  return { ...report, message: words.join("; "), causes };
}

/** What the search knows of the test's noise; a pass that is false for it is a flake of "it fails". */
function noiseOf({ search, confidence, flakeRate, falsePassRate }: RegressionOptions): ReductionOptions {
  if (search !== "bayes") return {};
  return {
    confidence: confidence ?? 0.99,
    flakeRate: falsePassRate ?? 0,
    falsePassRate: flakeRate ?? "estimate",
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
