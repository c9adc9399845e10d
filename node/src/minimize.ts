/** The smallest set of items that still has a property, in one call. */

import { type DriveOptions, driven } from "./drive.js";
import { FirstbadError } from "./errors.js";
import { MINIMIZE, type MinimizerOptions } from "./generated/options.js";
import type { Items, Kept } from "./items.js";
import { type MinimizeReport, Minimizer } from "./minimizer.js";
import type { Interesting } from "./oracle.js";
import type { ReductionProbe } from "./probe.js";

/** How to minimise and how to run it. `signal` is the AbortSignal, `signature` the failure to be kept. */
export interface MinimizeOptions extends MinimizerOptions, DriveOptions<ReductionProbe> {}

/**
 * Finds a smallest set of items that still has a property, with as few calls of `interesting` as it can (delta
 * debugging; Zeller and Hildebrandt 2002, and Artho, "Iterative Delta Debugging", Section 3).
 *
 * It makes a {@link Minimizer} and drives it with {@link run}, whose promises about errors and signals hold here. All
 * items together are asked once, first; without a `confidence` no set is asked twice. Where a budget ends it, the report
 * has the best set so far.
 *
 * @example
 * ```ts
 * const report = await minimize("{[(x)]}", (kept) => crashes(kept.join("")), { concurrency: 4 });
 * console.log(report.items.join(""), report.guarantee);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` where the property does not hold for all items together; else as
 * {@link Minimizer} and {@link run} do; what `interesting` throws, unchanged.
 */
export async function minimize<Given extends Items>(
  items: Given,
  interesting: Interesting<Kept<Given>>,
  options?: MinimizeOptions,
): Promise<MinimizeReport<Kept<Given>>> {
  return reproduced(
    await driven(Minimizer<Given>, MINIMIZE, () => items, interesting, options, {
      of: "minimize",
      callback: "interesting",
    }),
  );
}

/** @internal A report, unless there was nothing to reduce. */
export function reproduced<Report extends { status: string; message: string }>(report: Report): Report {
  if (report.status === "not_reproduced") throw new FirstbadError("not_reproduced", report.message);
  return report;
}
