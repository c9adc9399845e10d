/** The search for the smallest difference between a set with a property and a set without it. */

import type { BindingSearch } from "./binding.js";
import { restored } from "./configuration.js";
import { native } from "./errors.js";
import { ISOLATE, type ReductionOptions } from "./generated/options.js";
import { ISOLATE_FIELDS, type IsolateFields } from "./generated/reports.js";
import { Divisible, type Items, type Kept } from "./items.js";
import { Reduction, type ReductionCard, reductionReport } from "./reduction.js";
import { type InWords, readAs } from "./words.js";

/** The smallest difference found between a set with a property and a subset without it. */
export interface IsolateReport<Whole = unknown[]> extends IsolateFields, InWords {
  /** The items of the difference in their original order. A patch omits changes that cannot stand alone. */
  items: Whole;
}

/**
 * A search for the smallest difference between a set with a property and a set without it (the algorithm dd of Zeller
 * and Hildebrandt 2002), with the ask/tell interface. {@link run} and {@link isolate} drive it for you.
 *
 * @example
 * ```ts
 * const search = new Isolator(["a", "b", "c", "d"]);
 * while (!search.done) {
 *   for (const probe of search.ask(4)) search.tell(probe.id, stillFails(search.subject(probe)));
 * }
 * search.report().items;
 * ```
 */
export class Isolator<Given extends Items> extends Reduction<IsolateReport<Kept<Given>>, Given> {
  /** @throws {@link FirstbadError} See {@link Minimizer}. */
  constructor(items: Given, options?: ReductionOptions) {
    super(ISOLATE, items, options);
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight. Pass the same items, because a
   * snapshot contains only indices.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of an isolation, or the number of items
   *   differs.
   */
  static restore<Given extends Items>(items: Given, snapshot: string): Isolator<Given> {
    const whole = Divisible.of(items);
    return new Isolator(whole as unknown as Given, restored(ISOLATE, whole.size, snapshot));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @param items The same items, because a report contains only indices.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson<Given extends Items>(items: Given, text: string): IsolateReport<Kept<Given>> {
    const whole = Divisible.of<Given>(items);
    return isolateReport(readAs(ISOLATE.algorithm, text), (indices) => whole.pick(indices.join(",")));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): IsolateReport<Kept<Given>> {
    return isolateReport(
      native(() => binding.report()),
      (indices) => this.pick(indices),
      this.card,
    );
  }
}

function isolateReport<Whole>(
  written: string,
  pick: (indices: readonly number[]) => Whole,
  card?: ReductionCard,
): IsolateReport<Whole> {
  return reductionReport(ISOLATE.algorithm, ISOLATE_FIELDS, written, ({ difference }) => pick(difference), card);
}
