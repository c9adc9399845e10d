/** The smallest difference between a set of items that has a property and one that has it not, in one call. */

import { type DriveOptions, driven } from "./drive.js";
import { ISOLATE, type ReductionOptions } from "./generated/options.js";
import { type IsolateReport, Isolator } from "./isolator.js";
import type { Items, Kept } from "./items.js";
import { reproduced } from "./minimize.js";
import type { Interesting } from "./oracle.js";
import type { ReductionProbe } from "./probe.js";

/** How to isolate and how to run it. `signal` is the AbortSignal, `signature` the failure to be kept. */
export interface IsolateOptions extends ReductionOptions, DriveOptions<ReductionProbe> {}

/**
 * Finds two sets of items as near to each other as it can, of which one has a property and the other one, within it,
 * has it not (the algorithm dd of Zeller and Hildebrandt 2002): their difference is what matters, given the rest. That
 * takes fewer calls of `interesting` than {@link minimize}, and says less.
 *
 * It makes an {@link Isolator} and drives it with {@link run}, whose promises about errors and signals hold here.
 *
 * @example
 * ```ts
 * const report = await isolate(options, (kept) => crashes(kept));
 * console.log(report.items, "make it crash, beside", report.lacking.length, "others");
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` where the property does not hold for all items together, or holds
 * without any; else as {@link Isolator} and {@link run} do; what `interesting` throws, unchanged.
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
