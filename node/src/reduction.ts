/**
 * What all reductions have in common: they take items apart to see which of them matter (delta debugging; Zeller and
 * Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
 */

import { type Kind, opened } from "./configuration.js";
import { native } from "./errors.js";
import { indicesFrom } from "./fields.js";
import type { ReductionOptions } from "./generated/options.js";
import { Divisible, type Items, type Kept } from "./items.js";
import { Patch } from "./patch.js";
import type { ReductionProbe } from "./probe.js";
import { Search } from "./search.js";
import { type InWords, worded } from "./words.js";
import { madeFrom, type Shape } from "./written.js";

/**
 * Any reduction: its probes are sets of items, and {@link Search.subject} gives the items that a probe keeps, in their
 * original order; of a patch the patch with those changes.
 */
export abstract class Reduction<Report, Given extends Items> extends Search<Report, ReductionProbe, Kept<Given>> {
  readonly #items: Divisible<Kept<Given>>;

  /** @internal */
  constructor(
    kind: Kind<ReductionOptions>,
    items: Given | Divisible<Kept<Given>>,
    options: ReductionOptions | undefined,
  ) {
    const whole = Divisible.of<Given>(items);
    const structured = (configuration: string) => whole.structured(configuration, kind.algorithm);
    super(opened(kind, whole.size, options ?? {}, undefined, structured));
    native(() => whole.knownTo(Search.bindingOf(this)));
    this.#items = whole;
  }

  /** The items that a probe keeps, in their original order. */
  override subject(probe: ReductionProbe): Kept<Given> {
    return this.#items.pick(probe.set);
  }

  /** @internal */
  override target(given: unknown, argument = "changes"): Uint32Array {
    return indicesFrom(argument, given);
  }

  /** @internal */
  override digest(): string | null {
    return this.#items.digest();
  }

  /** @internal */
  protected get card(): ReductionCard {
    return this.#items.card;
  }

  /** @internal The items with these indices, ascending. */
  protected pick(indices: readonly number[]): Kept<Given> {
    return this.#items.pick(indices.join(","));
  }
}

/** @internal What draws the card of a report: by its algorithm, its JSON, and what is kept. */
export type ReductionCard = (algorithm: string, written: string, kept: unknown) => string;

/** @internal A report of the core with the items in it, and with what is the same in all reductions as it is here. */
export function reductionReport<Fields extends { message: string }, Whole>(
  algorithm: string,
  shape: Shape<Fields>,
  written: string,
  items: (report: Fields) => Whole,
  card?: ReductionCard,
): Fields & { items: Whole } & InWords {
  const core = madeFrom(shape, written);
  const found = items(core);
  const report = { ...core, items: found };
  const known = () => (found instanceof Patch ? { text: String(found) } : {});
  return worded(report, algorithm, written, known, card && (() => card(algorithm, written, found)));
}
