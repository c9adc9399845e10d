/** What reductions take apart: lists of anything, and patches. */

import { inspect } from "node:util";
import { type BindingSearch, optionsInLines, reductionCard } from "./binding.js";
import { picked } from "./change-set.js";
import { digestOf, digestOfPatch } from "./digest.js";
import { invalid, native } from "./errors.js";
import { isIterable } from "./options.js";
import { Patch } from "./patch.js";

/**
 * What a reduction can take apart: items of any kind, in their order, or a patch, whose items are its changes. A string
 * is a list of characters.
 */
export type Items = Iterable<unknown> | Patch;

/** What is kept of such items: an array of them in their original order; of a patch a patch. */
export type Kept<Given extends Items> = Given extends Patch
  ? Patch
  : Given extends Iterable<infer Item>
    ? Item[]
    : never;

/** How many items a card shows, and so many characters of each. */
const SHOWN = 200;
const LONG = 1000;

/** @internal Something in parts, of which any can be kept. */
export class Divisible<Whole> {
  constructor(
    /** How many parts it has. */
    readonly size: number,
    /** What is kept, by a set of indices in short. */
    readonly pick: (set: string) => Whole,
    /** The options of an algorithm, as JSON, with what it says itself about its parts. */
    readonly structured: (configuration: string, algorithm: string) => string,
    /** What it is, in one word; `null` if that cannot be told. */
    readonly digest: () => string | null,
    /** The card of a report on it: its algorithm, its JSON, and what is kept. */
    readonly card: (algorithm: string, written: string, kept: unknown) => string,
    /** Lets a search among its parts ask nothing that is known of them without a test. */
    readonly knownTo: (search: BindingSearch) => void = () => {},
  ) {}

  /** What is divisible already stays as it is. */
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

/** Whether these may be the lines of a text. */
function areTexts(list: readonly unknown[]): list is string[] {
  const [first] = list;
  return typeof first === "string" && first.endsWith("\n") && list.every((item) => typeof item === "string");
}

/** @internal A patch, to be taken apart so far. */
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
