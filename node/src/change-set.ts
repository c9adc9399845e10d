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

/** Up to how many stretches are put together at once: arguments of a call have their limit. */
const AT_ONCE = 1024;

/** @internal The items in a set written by the core, in their own order. */
export function picked<Item>(items: readonly Item[], set: string): Item[] {
  const runs = runsOf(set);
  const parts: Item[][] = [];
  // Copying stretches is several times faster than copying items.
  for (let place = 0; place < runs.length; place += 2) parts.push(items.slice(runs[place], runs[place + 1]));
  if (parts.length === 1) return parts[0] as Item[];
  return parts.length <= AT_ONCE ? ([] as Item[]).concat(...parts) : (parts.flat(1) as Item[]);
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
