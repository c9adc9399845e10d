/** The dependencies of items in a reduction. */

import { invalid } from "./errors.js";
import { aCount, aList, type Field } from "./fields.js";
import { pairsOf } from "./options.js";

/** A need of an item: the index of another item, or any one of several. */
export type Need = number | Iterable<number>;

/** The needs of each item, by index. Items without needs can be omitted. */
export type Dependencies =
  | ReadonlyMap<number, Iterable<Need>>
  | Iterable<readonly [item: number, needs: Iterable<Need>]>
  | Readonly<Record<number, Iterable<Need>>>;

/** Dependencies as the core takes them. */
type Written = Record<number, (number | number[])[]>;

const aNeed: Field = (argument, value) =>
  typeof value === "number"
    ? aCount(argument, value)
    : aList("an index, or several of which one is needed", aCount)(argument, value);

const someNeeds = aList("a list of what the item needs", aNeed);

/** @internal {@link Dependencies}. */
export const someDependencies: Field = (argument, value) => {
  const pairs = pairsOf(value);
  if (pairs === undefined) throw invalid(argument, value, "an object or a Map from indices to lists of indices");
  const found: Written = {};
  for (const pair of pairs) {
    if (!Array.isArray(pair) || pair.length !== 2) throw invalid(argument, pair, "[index, needs] pairs");
    const item = anItem(argument, pair[0]);
    if (Object.hasOwn(found, item)) throw invalid(argument, item, "each item once");
    found[item] = someNeeds(`${argument}[${item}]`, pair[1]) as (number | number[])[];
  }
  return found;
};

/** Returns an index, which is a string as the key of an object. */
function anItem(argument: string, value: unknown): number {
  const written = typeof value === "string" && /^\d+$/.test(value);
  return aCount(argument, written ? Number(value) : value) as number;
}
