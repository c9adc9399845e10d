/** What reductions take apart: lists of anything. */

import { picked } from "./change-set.js";
import { invalid } from "./errors.js";
import { isIterable } from "./options.js";

/** What a reduction can take apart: items of any kind, in their order. A string is a list of characters. */
export type Items = Iterable<unknown>;

/** What is kept of such items: those of them, in an array, in their original order. */
export type Kept<Given extends Items> = Given extends Iterable<infer Item> ? Item[] : never;

/** @internal Something in parts, of which any can be kept. */
export class Divisible<Given extends Items> {
  constructor(
    /** How many parts it has. */
    readonly size: number,
    /** What is kept, by a set of indices in short. */
    readonly pick: (set: string) => Kept<Given>,
  ) {}

  /** What is divisible already stays as it is. */
  static of<Given extends Items>(items: Given | Divisible<Given>): Divisible<Given> {
    if (items instanceof Divisible) return items;
    if (typeof items !== "string" && !isIterable(items)) throw invalid("items", items, "an iterable, like an array");
    const list: unknown[] = [...items];
    return new Divisible(list.length, (set) => picked(list, set) as Kept<Given>);
  }
}
