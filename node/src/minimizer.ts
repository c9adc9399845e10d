/** The search for the smallest set of items that still has a property. */

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
  /** The kept items in their original order. */
  items: Whole;
}

/**
 * A search for the smallest set of items that still has a property (delta debugging; Zeller and Hildebrandt 2002, and
 * Artho, "Iterative Delta Debugging", Section 3), with the ask/tell interface. {@link run} and {@link minimize} drive
 * it for you. The search tests all items first. Without a `confidence`, it never tests a set twice.
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
   * @throws {@link FirstbadError} `invalid_argument` if there are no items, a dependency or parent is invalid or part
   * of a cycle, the number of weights or parents differs, or a number is out of range.
   */
  constructor(items: Given, options?: MinimizerOptions) {
    super(MINIMIZE, items, options);
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight. Pass the same items, because a
   * snapshot contains only indices.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a minimization, or the number of items
   *   differs.
   */
  static restore<Given extends Items>(items: Given, snapshot: string): Minimizer<Given> {
    const whole = Divisible.of(items);
    return new Minimizer(whole as unknown as Given, restored(MINIMIZE, whole.size, snapshot));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @param items The same items, because a report contains only indices.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
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

/** @internal Returns the report of the core with its items. */
export function minimizeReport<Whole>(
  written: string,
  pick: (indices: readonly number[]) => Whole,
  card?: ReductionCard,
): MinimizeReport<Whole> {
  return reductionReport(MINIMIZE.algorithm, MINIMIZE_FIELDS, written, ({ kept }) => pick(kept), card);
}
