/**
 * The shared code of reductions: delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", 2002).
 */

import { Changes } from "./change-set.js";
import { type Kind, opened } from "./configuration.js";
import { native } from "./errors.js";
import { indicesFrom, reportFrom } from "./fields.js";
import type { ReductionOptions } from "./generated/options.js";
import { Divisible, type Items, type Kept } from "./items.js";
import type { Observation } from "./observation.js";
import { Patch } from "./patch.js";
import type { ReductionProbe } from "./probe.js";
import { Search } from "./search.js";
import { type InWords, worded } from "./words.js";

/**
 * How far a result can be trusted: `1-minimal`, where every set with one item less was tested and was not seen to have
 * the property; `fixpoint`, where no single item can go, in a tree with all below it, if larger sets have the property
 * whenever smaller ones have it (else, and in a text, single ones may still go); `best so far`, where the search was
 * ended before.
 */
export type Guarantee = "1-minimal" | "fixpoint" | "best so far";

/** An observation with the set of items that it is about. */
export interface SubsetObservation extends Observation {
  /** The indices of the items that were kept, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /** The same in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The probe of the observation, or `null` if the outcome was known. */
  probe: number | null;
}

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
export function reductionReport<Report extends Reduced, Whole>(
  algorithm: string,
  written: string,
  items: (report: Report) => Whole,
  card?: ReductionCard,
): Report & { items: Whole; runs: number } & InWords {
  const core = reportFrom<Report>(written);
  const found = items(core);
  const report = { ...core, observations: setsOf(core.observations), runs: core.runs, items: found };
  const known = () => (found instanceof Patch ? { text: String(found) } : {});
  return worded(report, algorithm, written, known, card && (() => card(algorithm, written, found)));
}

interface Reduced {
  message: string;
  runs: number;
  observations: SubsetObservation[];
}

/** @internal Returns observations of the core, whose changes are in short form. */
export function setsOf(observations: readonly SubsetObservation[]): SubsetObservation[] {
  return observations.map(({ changes, ...rest }) => Object.assign(new Changes(changes as unknown as string), rest));
}
