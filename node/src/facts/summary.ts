/** What was true of all values of a variable. */

import { type Scalar, seen } from "./values.js";

/** The most values of a variable that is one of few. */
const FEW = 5;

/** The most types of a variable that are told. */
const MOST_TYPES = 8;

/** The signs that are told, by those that were seen of -1, 0 and 1. */
const SIGNS: Readonly<Record<string, readonly number[]>> = {
  negative: [-1],
  zero: [0],
  positive: [1],
  nonnegative: [0, 1],
  nonpositive: [-1, 0],
  nonzero: [-1, 1],
};

/** As it was before the test began. */
const { stringify } = JSON;

/** A kind of fact, and its values. */
export type Kind = readonly [kind: string, values: readonly Scalar[]];

/** What was seen of a variable: of a fixed size, however many values there were. */
export class Summary {
  /** The values, by their JSON, and the types that they have; undefined once there are too many, or one has no JSON. */
  #values: Map<string, [type: string, value: Scalar]> | undefined = new Map();
  /** The types; undefined once there are too many. */
  #types: Set<string> | undefined = new Set();
  /** The signs of numbers; undefined once there was something else. */
  #signs: Set<number> | undefined = new Set();
  /** The lowest and the highest number; undefined once there was something else, or one that JSON does not have. */
  #range: [low: number, high: number] | undefined = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  /** Takes a value in. */
  add(given: unknown): void {
    const { type, value, sign } = seen(given);
    this.#addTypes([type]);
    this.#addValues(value === undefined ? undefined : [[type, value]]);
    this.#addSigns(sign === undefined ? undefined : [sign]);
    this.#addRange(sign === undefined || typeof value !== "number" ? undefined : [value, value]);
  }

  /** Takes in what facts say of another part of the run: a kind that is not there did not hold. */
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

  /** The kinds of facts that hold of all values. */
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
