/** The smallest set of items that still has a property, to be asked for by hand. */

import type { BindingSearch } from "./binding.js";
import { restored } from "./configuration.js";
import { native } from "./errors.js";
import { MINIMIZE, type MinimizerOptions } from "./generated/options.js";
import { MINIMIZE_FIELDS, type MinimizeFields } from "./generated/reports.js";
import { Divisible, type Items, type Kept } from "./items.js";
import { Reduction, type ReductionCard, reductionReport } from "./reduction.js";
import { type InWords, readAs } from "./words.js";

/** The smallest set that still has the property, final or the best so far. */
export interface MinimizeReport<Whole = unknown[]> extends MinimizeFields, InWords {
  /** What is kept, in its original order. */
  items: Whole;
}

/**
 * A search for the smallest set of items that still has a property (delta debugging; Zeller and Hildebrandt 2002, and
 * Artho, "Iterative Delta Debugging", Section 3), to be driven by hand; {@link run} and {@link minimize} drive it for
 * you. All items are asked once, first; without a `confidence` no set is asked twice.
 *
 * @example
 * ```ts
 * const search = new Minimizer(["a", "b", "c", "d"], { algorithm: "ddmin" });
 * while (!search.done) {
 *   for (const probe of search.ask(4)) search.tell(probe.id, stillFails(search.subject(probe)));
 * }
 * search.report().items;
 * ```
 */
export class Minimizer<Given extends Items> extends Reduction<MinimizeReport<Kept<Given>>, Given> {
  /**
   * @throws {@link FirstbadError} `invalid_argument` where there are no items, for dependencies and parents that are no
   * items or go round, for weights and parents of another number than the items, for numbers out of range.
   */
  constructor(items: Given, options?: MinimizerOptions) {
    super(MINIMIZE, items, options);
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included. A snapshot holds indices: give the same
   * items.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of a minimisation, or one of another number
   * of items.
   */
  static restore<Given extends Items>(items: Given, snapshot: string): Minimizer<Given> {
    const whole = Divisible.of(items);
    return new Minimizer(whole as unknown as Given, restored(MINIMIZE, whole.size, snapshot));
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language.
   *
   * @param items The items that it was about: a report holds indices alone.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
   */
  static reportFromJson<Given extends Items>(items: Given, text: string): MinimizeReport<Kept<Given>> {
    const whole = Divisible.of<Given>(items);
    return minimizeReport(readAs(MINIMIZE.algorithm, text), (indices) => whole.pick(indices.join(",")));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): MinimizeReport<Kept<Given>> {
    return minimizeReport(
      native(() => binding.report()),
      (indices) => this.pick(indices),
      this.card,
    );
  }
}

/** @internal The report that the core wrote, of the items that it keeps. */
export function minimizeReport<Whole>(
  written: string,
  pick: (indices: readonly number[]) => Whole,
  card?: ReductionCard,
): MinimizeReport<Whole> {
  return reductionReport(MINIMIZE.algorithm, MINIMIZE_FIELDS, written, ({ kept }) => pick(kept), card);
}
