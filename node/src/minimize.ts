/** Finds the smallest set of items that still has a property. */

import { type DriveOptions, driven } from "./drive.js";
import { FirstbadError } from "./errors.js";
import { MINIMIZE, type MinimizerOptions } from "./generated/options.js";
import type { Items, Kept } from "./items.js";
import { type MinimizeReport, Minimizer } from "./minimizer.js";
import type { Interesting } from "./oracle.js";
import type { ReductionProbe } from "./probe.js";

/** How to minimize, and how to run the search. `signal` is an AbortSignal, and `signature` is the failure to keep. */
export interface MinimizeOptions extends MinimizerOptions, DriveOptions<ReductionProbe> {}

/**
 * Finds the smallest set of items that still has a property, with as few calls of `interesting` as possible. The
 * algorithm is delta debugging (Zeller and Hildebrandt 2002, and Artho, "Iterative Delta Debugging", Section 3).
 *
 * Runs a {@link Minimizer}. Errors and signals are handled as by {@link run}. The search tests all items first. Without
 * a `confidence`, it never tests a set twice. If the search uses up its budget, the report contains the smallest set so
 * far.
 *
 * @example
 * ```ts
 * const report = await minimize("{[(x)]}", (kept) => crashes(kept.join("")), { concurrency: 4 });
 * console.log(report.items.join(""), report.guarantee);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` if all items together do not have the property, and the errors of
 * {@link Minimizer} and {@link run}. Also throws errors of `interesting`, unchanged.
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

/** @internal Returns a report, or throws `not_reproduced`. */
export function reproduced<Report extends { status: string; message: string }>(report: Report): Report {
  if (report.status === "not_reproduced") throw new FirstbadError("not_reproduced", report.message);
  return report;
}
