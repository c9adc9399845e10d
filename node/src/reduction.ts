/**
 * What all reductions have in common: they take items apart to see which of them matter (delta debugging; Zeller and
 * Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
 */

import type { BindingSearch } from "./binding.js";
import { Changes } from "./change-set.js";
import { aRate, type Kind, opened, type Rate } from "./configuration.js";
import { type Dependencies, someDependencies } from "./dependencies.js";
import { native } from "./errors.js";
import { aCount, aList, aNumber, aSeed, asItIs, type Field, indicesFrom, reportFrom } from "./fields.js";
import { Divisible, type Items, type Kept } from "./items.js";
import type { Observation } from "./observation.js";
import type { ReductionProbe } from "./probe.js";
import { Search } from "./search.js";

/**
 * How far a result can be trusted: `1-minimal`, where every set with one item less was tested and has not the property;
 * `fixpoint`, where going over it again with all that is known would drop nothing (so that it is 1-minimal wherever
 * larger sets have the property whenever smaller ones have it); `best so far`, where the search was ended before.
 */
export type Guarantee = "1-minimal" | "fixpoint" | "best so far";

/** What a reduction is told before it starts. */
export interface ReductionOptions {
  /**
   * How to minimise. `auto`, the default: group testing that learns how many items are needed and how they cluster;
   * `ddmin` (Zeller and Hildebrandt 2002) to the letter; `recursive`: at most 2n - 1 questions (Artho, "Iterative Delta
   * Debugging", Section 3.1); `group`: Hwang's splitting; `probdd`: probabilistic delta debugging. An isolation has one
   * way only.
   */
  algorithm?: "auto" | "ddmin" | "recursive" | "group" | "probdd";
  /**
   * What each item needs: a set without it is never asked. `{ 3: [0, [1, 2]] }` says that item 3 needs item 0, and item
   * 1 or 2. Items that need each other stay together.
   */
  dependencies?: Dependencies;
  /** How much each item weighs, above 0: its size, or how likely it is needed, against the others. By default alike. */
  weights?: Iterable<number>;
  /**
   * The tree that the items form: for each the index of its parent, null for none. Indices from the number of items on
   * are groups, which are no items themselves. The tree is gone through from the top; an item goes with its parent.
   */
  parents?: Iterable<number | null>;
  /** How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all. */
  depth?: number;
  /** Whether larger sets have the property whenever smaller ones have it; then nothing is asked that follows. */
  monotone?: boolean;
  /** How far to go; by default to a `fixpoint`. */
  guarantee?: Exclude<Guarantee, "best so far">;
  /** Which outcome means that the property holds: `pass`, the default, or `fail`, where an oracle is asked. */
  keep?: "pass" | "fail";
  /** With `keep: "fail"`: the failure to be kept, others count as unresolved. By default that of all items together. */
  signature?: string | null;
  /**
   * Where answers may be wrong: how sure the result is to be, in [0.5, 1); sets are then asked until they are sure. By
   * default every answer is trusted.
   */
  confidence?: number;
  /** With a confidence: how often a set that has the property is seen without it; by default it is estimated. */
  flakeRate?: Rate;
  /** With a confidence: how often a set that has not the property is seen with it; by default it is estimated. */
  falsePassRate?: Rate;
  /** Kept with the configuration; no choice of a reduction is random. */
  seed?: number;
}

const anIndexOrNull: Field = (argument, value) =>
  value === null || value === undefined ? null : aCount(argument, value);

/** @internal */
export const REDUCTION: Kind<ReductionOptions>["fields"] = {
  algorithm: asItIs,
  dependencies: someDependencies,
  weights: aList("one weight for each item", aNumber("a finite number above 0")),
  parents: aList("one index or null for each item", anIndexOrNull),
  depth: aCount,
  monotone: asItIs,
  guarantee: asItIs,
  keep: asItIs,
  signature: asItIs,
  confidence: aNumber("a probability, at least 0.5 and below 1"),
  flakeRate: aRate(),
  falsePassRate: aRate(),
  seed: aSeed,
};

/** An observation with the set of items that it is about. */
export interface SetObservation extends Observation {
  /** The indices of the items that were kept, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /** The same in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The probe that it answered; null where it was known without being asked. */
  probe: number | null;
}

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
    super(opened(kind, whole.size, options ?? {}, undefined, whole.structured));
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

  /** @internal The items with these indices, ascending. */
  protected pick(indices: readonly number[]): Kept<Given> {
    return this.#items.pick(indices.join(","));
  }

  /** @internal The core's report, with what is the same in all reductions in the form that it has here. */
  protected read<Written extends { queries: number; observations: SetObservation[] }>(
    binding: BindingSearch,
  ): Written & { runs: number } {
    const report = reportFrom<Written>(native(() => binding.report()));
    const observations = report.observations.map(({ changes, ...rest }) =>
      Object.assign(new Changes(changes as unknown as string), rest),
    );
    return { ...report, observations, runs: report.queries };
  }
}
