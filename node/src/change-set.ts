/** Short sets of indices: `"0-3,7"` is 0, 1, 2, 3 and 7. */

const COMMA = 44;
const DASH = 45;
const ZERO = 48;

/**
 * @internal Returns the ascending ranges of a set from the core: start, exclusive end, start, exclusive end, and so on.
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

/** @internal Returns the ascending indices of a set from the core. */
export function indicesOf(set: string): number[] {
  const runs = runsOf(set);
  const indices: number[] = [];
  for (let place = 0; place < runs.length; place += 2) {
    for (let index = runs[place] as number; index < (runs[place + 1] as number); index++) indices.push(index);
  }
  return indices;
}

/** @internal Returns the items of a set from the core, in their order. */
export function picked<Item>(items: readonly Item[], set: string): Item[] {
  const runs = runsOf(set);
  if (runs.length === 0) return [];
  let count = 0;
  for (let place = 0; place < runs.length; place += 2) count += (runs[place + 1] as number) - (runs[place] as number);
  // Copying a slice is the fastest way to create an array of this size. Its first range is already correct.
  const [first, end] = runs as [number, number];
  const kept = items.slice(first, first + count);
  let next = end - first;
  for (let place = 2; place < runs.length; place += 2) {
    const end = runs[place + 1] as number;
    for (let index = runs[place] as number; index < end; index++) kept[next++] = items[index] as Item;
  }
  return kept;
}

/** @internal A set of changes in short form, with its indices computed on demand. */
export class Changes {
  #indices: readonly number[] | undefined;

  constructor(
    /** The kept changes in short form, as in snapshots and journals: `"0-3,7"` is 0, 1, 2, 3, 7. */
    readonly set: string,
  ) {}

  /** The ascending indices of the kept changes, computed on first use. */
  get changes(): readonly number[] {
    this.#indices ??= Object.freeze(indicesOf(this.set));
    return this.#indices;
  }

  /** Returns the short form as `changes`, as in snapshots and other languages. */
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
