/** Sets of indices in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */

const COMMA = 44;
const DASH = 45;
const ZERO = 48;

/**
 * @internal The stretches of neighbouring indices in a set written by the core, ascending: where the first one begins,
 * where it ends (exclusive), where the second one begins, and so on.
 */
export function runsOf(set: string): number[] {
  const runs: number[] = [];
  let first = -1;
  let number = 0;
  const end = () => {
    runs.push(first < 0 ? number : first, number + 1);
    first = -1;
    number = 0;
  };
  for (let place = 0; place < set.length; place++) {
    const code = set.charCodeAt(place);
    if (code === COMMA) end();
    else if (code === DASH) [first, number] = [number, 0];
    else number = number * 10 + code - ZERO;
  }
  if (set !== "") end();
  return runs;
}

/** @internal The indices in a set written by the core, ascending. */
export function indicesOf(set: string): number[] {
  const runs = runsOf(set);
  const indices: number[] = [];
  for (let place = 0; place < runs.length; place += 2) {
    for (let index = runs[place] as number; index < (runs[place + 1] as number); index++) indices.push(index);
  }
  return indices;
}

/** @internal The items in a set written by the core, in their own order. */
export function picked<Item>(items: readonly Item[], set: string): Item[] {
  const runs = runsOf(set);
  if (runs.length === 0) return [];
  let count = 0;
  for (let place = 0; place < runs.length; place += 2) count += (runs[place + 1] as number) - (runs[place] as number);
  // A copy of as many neighbours is by far the quickest way to an array of that size; the first stretch is right in it.
  const [first, end] = runs as [number, number];
  const kept = items.slice(first, first + count);
  let next = end - first;
  for (let place = 2; place < runs.length; place += 2) {
    const end = runs[place + 1] as number;
    for (let index = runs[place] as number; index < end; index++) kept[next++] = items[index] as Item;
  }
  return kept;
}

/** @internal What speaks of a set of changes: the set in short, and its indices once somebody asks for them. */
export class Changes {
  #indices: readonly number[] | undefined;

  constructor(
    /** The changes that are kept in short, as snapshots and journals write them: `"0-3,7"` stands for 0, 1, 2, 3, 7. */
    readonly set: string,
  ) {}

  /** The indices of the changes that are kept, ascending; made when first asked for. */
  get changes(): readonly number[] {
    this.#indices ??= Object.freeze(indicesOf(this.set));
    return this.#indices;
  }

  /** As in snapshots, and in the other languages: the set in short as `changes`. */
  toJSON(): object {
    const { set, ...rest } = this;
    return { ...rest, changes: set };
  }
}

/** @internal Makes an object that the core wrote with a `set` in short; its indices are made when first asked for. */
export const withIndices =
  <T extends { readonly set: string }>(make: (written: Readonly<Record<string, unknown>>) => T) =>
  (written: Readonly<Record<string, unknown>>): T & Changes => {
    const { set, ...rest } = make(written);
    return Object.assign(new Changes(set), rest) as T & Changes;
  };
