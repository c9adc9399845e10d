/** Inspection of values without calling their code. */

import { types } from "node:util";

/** Larger numbers differ between languages. */
const LARGEST = 2 ** 53;

/** The maximum length of a recorded text. */
const LONGEST = 100;

/** The maximum number of recorded attributes of an object. */
const MOST_ATTRIBUTES = 32;

/** A value that JSON has. */
export type Scalar = null | boolean | number | string;

/** The recorded properties of a value. */
export interface Seen {
  readonly type: string;
  /** The value, or undefined if only its type is recorded. */
  readonly value?: Scalar;
  /** The sign of a number: -1, 0 or 1. */
  readonly sign?: number;
}

/** Returns the recorded properties of a value. */
export function seen(value: unknown): Seen {
  const type = value === null ? "null" : typeof value;
  switch (type) {
    case "null":
    case "undefined":
      return { type, value: null };
    case "boolean":
      return { type, value: value as boolean };
    case "number": {
      const number = value as number;
      if (Number.isNaN(number)) return { type };
      const sign = Math.sign(number) + 0;
      // Adding 0 converts -0 to 0.
      return Math.abs(number) <= LARGEST ? { type, value: number + 0, sign } : { type, sign };
    }
    case "bigint":
      return { type, sign: value === 0n ? 0 : (value as bigint) < 0n ? -1 : 1 };
    case "string": {
      const text = value as string;
      return text.length <= LONGEST && isText(text) ? { type, value: text } : { type };
    }
    default:
      return { type };
  }
}

/** Returns whether JSON can contain a text, which lone surrogates prevent. */
export function isText(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the own attributes of an object, or undefined if there are too many. */
export function attributes(value: unknown): [name: string, value: unknown][] | undefined {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return [];
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return [];
  const names = Reflect.ownKeys(value);
  if (names.length > MOST_ATTRIBUTES) return undefined;
  const found: [string, unknown][] = [];
  for (const name of names) {
    if (typeof name !== "string" || !isText(name)) continue;
    const property = Reflect.getOwnPropertyDescriptor(value, name);
    if (property !== undefined && "value" in property) found.push([name, property.value]);
  }
  return found;
}
