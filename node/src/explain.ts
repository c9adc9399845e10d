/**
 * Reduces the patch at a regression point to its cause. The core chooses the points, the options, and the rest of the
 * budget.
 */

import { explain, explainedReport, explained as told } from "./binding.js";
import { type Budget, budgetFrom } from "./budget.js";
import type { ExplainedReport } from "./causes.js";
import type { CommandOracle } from "./command-oracle.js";
import type { DriveOptions } from "./drive.js";
import { native } from "./errors.js";
import { json, reportFrom } from "./fields.js";
import { REGRESSION_FIELDS } from "./generated/reports.js";
import { type MinimizePatchOptions, patchSearched } from "./minimize-patch.js";
import type { MinimizeReport } from "./minimizer.js";
import { parted, pathOf } from "./options.js";
import type { Patch } from "./patch.js";
import type { Probe, ReductionProbe } from "./probe.js";
import type { RegressionReport } from "./regression-report.js";
import { over, Repository, repositoryOf } from "./repository.js";
import { Search } from "./search.js";
import { drawn, worded } from "./words.js";
import { madeFrom } from "./written.js";

/** How to run and keep both halves. */
type Options = Omit<DriveOptions<Probe>, "onProgress" | "known"> & { onProgress?: unknown };

/** An explanation in the core. */
interface Explanation {
  message: string;
  configuration: MinimizePatchOptions;
  granularity: MinimizePatchOptions["granularity"];
  points: { good: string; bad: string; noCause: string | null; journalSuffix: string }[];
  left: Omit<Budget, "seconds">;
}

/** @internal Returns the report of a search with the causes of its points. An error that stops it has the points. */
export async function explained(
  search: Search<RegressionReport>,
  oracle: CommandOracle,
  options: Options,
  began: number,
): Promise<ExplainedReport> {
  const report = search.report();
  try {
    return await withCauses(search, report, oracle, options, began);
  } catch (error) {
    if (typeof error === "object" && error !== null) Reflect.set(error, "firstbadReport", report);
    throw error;
  }
}

async function withCauses(
  search: Search<RegressionReport>,
  report: RegressionReport,
  oracle: CommandOracle,
  options: Options,
  began: number,
): Promise<ExplainedReport> {
  const [run] = parted(options, "concurrency", "jobs", "signal", "onProgress", "retries");
  const { seconds, ...budget } = budgetFrom(options.budget);
  const binding = Search.bindingOf(search);
  let written = native(() => explain(binding.configuration(), binding.report(), json("budget", budget)));
  let explanation = reportFrom<Explanation>(written);
  const causes: (MinimizeReport<Patch> | null)[] = [];
  const found: (object | null)[] = [];
  for (const [place, { good, bad, noCause, journalSuffix }] of explanation.points.entries()) {
    const repository = repositoryOf(oracle);
    const patch = noCause === null && repository ? await Repository.diffToReduce(repository, good, bad) : undefined;
    let cause: Search<MinimizeReport<Patch>, ReductionProbe, Patch> | undefined;
    if (patch !== undefined && patch.length > 0) {
      const left: Budget = { ...explanation.left };
      if (seconds !== undefined) left.seconds = Math.max(seconds - (performance.now() - began) / 1000, 0);
      const journal = options.journal && pathOf("journal", options.journal) + journalSuffix;
      const { configuration, granularity } = explanation;
      const given = { ...run, ...configuration, granularity, budget: left, journal } as MinimizePatchOptions;
      const base = repository && { repository: Repository.bindingOf(repository), revision: good };
      cause = await patchSearched(patch, over(good, oracle), given, base);
    }
    if (patch !== undefined) {
      const report = cause && Search.bindingOf(cause).report();
      written = native(() => told(written, place, report));
      explanation = reportFrom<Explanation>(written);
    }
    causes.push(cause?.report() ?? null);
    found.push(
      cause === undefined ? null : { report: JSON.parse(Search.bindingOf(cause).report()), patch: String(patch) },
    );
  }
  const core = native(() => explainedReport(written, binding.report()));
  const { message, status, points } = madeFrom(REGRESSION_FIELDS, core);
  for (const [place, point] of report.points.entries()) point.confirmed = points[place]?.confirmed ?? false;
  const whole = Object.assign(report, { message, status, causes });
  return worded(whole, "regression", core, () => ({ causes: found }), drawn(binding, core));
}
