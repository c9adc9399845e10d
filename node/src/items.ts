/** The items of reductions: lists and patches. */

import { inspect } from "node:util";
import { type BindingSearch, optionsInLines, reductionCard } from "./binding.js";
import { picked } from "./change-set.js";
import { digestOf, digestOfPatch } from "./digest.js";
import { invalid, native } from "./errors.js";
import { isIterable } from "./options.js";
import { Patch } from "./patch.js";

/**
 * The input of a reduction: items of any kind, in their order, or a patch, whose items are its changes. A string is a
 * list of characters.
 */
export type Items = Iterable<unknown> | Patch;

/** The kept part of the items: an array in the original order, or a patch. */
export type Kept<Given extends Items> = Given extends Patch
  ? Patch
  : Given extends Iterable<infer Item>
    ? Item[]
    : never;

/** The maximum number of items on a card, and of characters of each item. */
const SHOWN = 200;
const LONG = 1000;

/** @internal An object with parts, any of which can be kept. */
export class Divisible<Whole> {
  constructor(
    /** The number of parts. */
    readonly size: number,
    /** Returns the kept parts of a set of indices in short form. */
    readonly pick: (set: string) => Whole,
    /** Returns the options of an algorithm as JSON, with the structure of the parts. */
    readonly structured: (configuration: string, algorithm: string) => string,
    /** Returns the digest, or `null` if there is none. */
    readonly digest: () => string | null,
    /** Returns the card of a report, from its algorithm, its JSON, and the kept parts. */
    readonly card: (algorithm: string, written: string, kept: unknown) => string,
    /** Tells a search the outcomes that are known without a run. */
    readonly knownTo: (search: BindingSearch) => void = () => {},
  ) {}

  /** Returns a `Divisible` unchanged. */
  static of<Given extends Items>(items: Given | Divisible<Kept<Given>>): Divisible<Kept<Given>> {
    if (items instanceof Divisible) return items;
    if (items instanceof Patch) return ofPatch(items) as Divisible<Kept<Given>>;
    if (typeof items !== "string" && !isIterable(items)) {
      throw invalid("items", items, "an iterable, like an array, or a Patch");
    }
    const list: unknown[] = [...items];
    return new Divisible(
      list.length,
      (set) => picked(list, set) as Kept<Given>,
      (options, algorithm) =>
        algorithm === "minimize" && areTexts(list) ? native(() => optionsInLines(options, list)) : options,
      () => digestOf(list),
      (algorithm, written, kept) => {
        const left = (kept as unknown[]).slice(0, SHOWN).map((item) => inspect(item).slice(0, LONG));
        return native(() => reductionCard(algorithm, written, undefined, list.length, left));
      },
    );
  }
}

/** Returns whether the items can be lines of a text. */
function areTexts(list: readonly unknown[]): list is string[] {
  const [first] = list;
  return typeof first === "string" && first.endsWith("\n") && list.every((item) => typeof item === "string");
}

/** @internal Returns a patch, divided by `granularity`. */
export function ofPatch(
  patch: Patch,
  granularity = "lines",
  knownTo?: (search: BindingSearch) => void,
): Divisible<Patch> {
  return new Divisible<Patch>(
    patch.length,
    (set) => Patch.pick(patch, set),
    (options) => Patch.complete(patch, options, granularity),
    () => digestOfPatch(patch.bytes),
    (algorithm, written) => native(() => reductionCard(algorithm, written, patch.bytes)),
    knownTo,
  );
}
