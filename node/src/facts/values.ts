/** What is seen of a value, without calling anything that belongs to it. */

import { types } from "node:util";

/** Numbers beyond this are not the same in every language. */
const LARGEST = 2 ** 53;

/** The longest text that is kept as a value. */
const LONGEST = 100;

/** The most attributes of an object that are looked at. */
const MOST_ATTRIBUTES = 32;

/** A value that JSON has. */
export type Scalar = null | boolean | number | string;

/** What is seen of a value. */
export interface Seen {
  readonly type: string;
  /** The value; undefined where only its type is known, and of a number its sign. */
  readonly value?: Scalar;
  /** Of a number -1, 0 or 1. */
  readonly sign?: number;
}

/** What is seen of a value. */
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
      // What is added makes 0 of -0.
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

/** Whether JSON can hold a text: halves of characters are none. */
export function isText(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The attributes that an object has by itself; undefined if they are too many. */
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
