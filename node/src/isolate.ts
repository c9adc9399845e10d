/** Finds the smallest difference between a set with a property and a set without it. */

import { type DriveOptions, driven } from "./drive.js";
import { ISOLATE, type ReductionOptions } from "./generated/options.js";
import { type IsolateReport, Isolator } from "./isolator.js";
import type { Items, Kept } from "./items.js";
import { reproduced } from "./minimize.js";
import type { Interesting } from "./oracle.js";
import type { ReductionProbe } from "./probe.js";

/** How to isolate, and how to run the search. `signal` is an AbortSignal, and `signature` is the failure to keep. */
export interface IsolateOptions extends ReductionOptions, DriveOptions<ReductionProbe> {}

/**
 * Finds a set of items with a property and a subset without it, with the smallest difference (the algorithm dd of
 * Zeller and Hildebrandt 2002). It needs fewer calls of `interesting` than {@link minimize}, but the result is only a
 * difference.
 *
 * Runs an {@link Isolator}. Errors and signals are handled as by {@link run}.
 *
 * @example
 * ```ts
 * const report = await isolate(options, (kept) => crashes(kept));
 * console.log(report.items, "make it crash, beside", report.lacking.length, "others");
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` if all items together do not have the property, or no items have it,
 * and the errors of {@link Isolator} and {@link run}. Also throws errors of `interesting`, unchanged.
 */
export async function isolate<Given extends Items>(
  items: Given,
  interesting: Interesting<Kept<Given>>,
  options?: IsolateOptions,
): Promise<IsolateReport<Kept<Given>>> {
  return reproduced(
    await driven(Isolator<Given>, ISOLATE, () => items, interesting, options, {
      of: "isolate",
      callback: "interesting",
    }),
  );
}
