/**
 * The shared code of reductions: delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", 2002).
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
 * A reduction. Its probes are sets of items. {@link Search.subject} returns the kept items in their original order, or
 * the patch with the kept changes.
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

  /** Returns the items that a probe keeps, in their original order. */
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

  /** @internal Returns the items with these ascending indices. */
  protected pick(indices: readonly number[]): Kept<Given> {
    return this.#items.pick(indices.join(","));
  }
}

/** @internal Draws the card of a report, from its algorithm, its JSON, and the kept items. */
export type ReductionCard = (algorithm: string, written: string, kept: unknown) => string;

/** @internal Returns a report of the core with its items. */
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
