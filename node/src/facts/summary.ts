/** Facts about all values of a variable. */

import { type Scalar, seen } from "./values.js";

/** The maximum number of values of a `one_of` fact. */
const FEW = 5;

/** The maximum number of types of a variable. */
const MOST_TYPES = 8;

/** The signs of a `sign` fact, by the observed signs (-1, 0 and 1). */
const SIGNS: Readonly<Record<string, readonly number[]>> = {
  negative: [-1],
  zero: [0],
  positive: [1],
  nonnegative: [0, 1],
  nonpositive: [-1, 0],
  nonzero: [-1, 1],
};

/** Originals from before the test starts. */
const { stringify } = JSON;

/** A kind of fact with its values. */
export type Kind = readonly [kind: string, values: readonly Scalar[]];

/** A summary of constant size of the values of a variable. */
export class Summary {
  /** The values by their JSON, with their types. Undefined after too many values, or one without JSON. */
  #values: Map<string, [type: string, value: Scalar]> | undefined = new Map();
  /** The types. Undefined after too many. */
  #types: Set<string> | undefined = new Set();
  /** The signs of numbers. Undefined after another value. */
  #signs: Set<number> | undefined = new Set();
  /** The lowest and highest number. Undefined after another value, or a number without JSON. */
  #range: [low: number, high: number] | undefined = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  /** Adds a value. */
  add(given: unknown): void {
    const { type, value, sign } = seen(given);
    this.#addTypes([type]);
    this.#addValues(value === undefined ? undefined : [[type, value]]);
    this.#addSigns(sign === undefined ? undefined : [sign]);
    this.#addRange(sign === undefined || typeof value !== "number" ? undefined : [value, value]);
  }

  /** Adds the facts of another part of the run. A missing kind did not hold. */
  merge(kinds: readonly Kind[]): void {
    const of = (...names: string[]) => kinds.find(([kind]) => names.includes(kind))?.[1];
    const types = of("type") as string[] | undefined;
    this.#addTypes(types);
    this.#addValues(of("constant", "one_of")?.map((value) => [seen(value).type, value]));
    const sign = of("sign")?.[0];
    this.#addSigns(typeof sign === "string" ? SIGNS[sign] : undefined);
    const range = of("range") as [number, number] | undefined;
    this.#addRange(range);
  }

  #addTypes(types: readonly string[] | undefined): void {
    for (const type of types ?? []) this.#types?.add(type);
    if (types === undefined || (this.#types?.size ?? 0) > MOST_TYPES) this.#types = undefined;
  }

  #addValues(values: readonly [string, Scalar][] | undefined): void {
    for (const [type, value] of values ?? []) this.#values?.set(stringify(value), [type, value]);
    if (values === undefined || (this.#values?.size ?? 0) > FEW) this.#values = undefined;
  }

  #addSigns(signs: readonly number[] | undefined): void {
    for (const sign of signs ?? []) this.#signs?.add(sign);
    if (signs === undefined) this.#signs = undefined;
  }

  #addRange(range: readonly [number, number] | undefined): void {
    if (range === undefined || this.#range === undefined) this.#range = undefined;
    else this.#range = [Math.min(this.#range[0], range[0]), Math.max(this.#range[1], range[1])];
  }

  /** Returns the kinds of facts that hold for all values. */
  kinds(): Kind[] {
    const kinds: Kind[] = [];
    if (this.#values !== undefined && this.#values.size > 0) {
      const values = [...this.#values.values()].sort(byTypeAndValue).map(([, value]) => value);
      kinds.push([values.length === 1 ? "constant" : "one_of", values]);
    }
    if (this.#range !== undefined) kinds.push(["range", this.#range]);
    const signs = this.#signs;
    const sign = Object.keys(SIGNS).find(
      (name) => signs?.size === SIGNS[name]?.length && SIGNS[name]?.every((of) => signs?.has(of)),
    );
    if (sign !== undefined) kinds.push(["sign", [sign]]);
    if (this.#types !== undefined && this.#types.size > 0) {
      kinds.push(["type", [...this.#types].sort()]);
      if (!this.#types.has("null") && !this.#types.has("undefined")) kinds.push(["not_none", []]);
    }
    return kinds;
  }
}

function byTypeAndValue([type, value]: [string, Scalar], [otherType, other]: [string, Scalar]): number {
  if (type !== otherType) return type < otherType ? -1 : 1;
  return value === other ? 0 : (value as number) < (other as number) ? -1 : 1;
}
