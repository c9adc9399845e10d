/**
 * Conversion of options to the core and of reports from it. Each options object is a table of fields, which defines
 * names, checks and messages: `flakeRate` here is `flake_rate` in the core.
 */

import { spelled } from "./binding.js";
import { camelCase, invalid, native } from "./errors.js";
import { isIterable, noOption, pairsOf, severalIds, text } from "./options.js";

/** @internal Checks a value for problems that JSON would hide, and converts it to the form of the core. */
export type Field = (argument: string, value: unknown) => unknown;

/** @internal A field for each property of an options object. */
export type Fields<T> = { readonly [Name in keyof Required<T>]: Field };

/**
 * @internal Returns the properties as JSON for the core, without those that are undefined or null. An unknown property
 * is refused, because a misspelled one would silently do nothing.
 *
 * @param whole The name of the object in messages. Without one, its properties are separate arguments.
 * @param of The function that was called.
 */
export function fieldsJson(
  given: object,
  fields: Readonly<Record<string, Field>>,
  whole?: string,
  of?: string,
): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, name)) {
      if (whole === undefined) throw noOption(name, Object.keys(fields), of);
      throw invalid(whole, name, `one of ${Object.keys(fields).join(", ")}`);
    }
    if (value === undefined || value === null) continue;
    const argument = whole === undefined ? name : `${whole}.${name}`;
    parts.push(`"${snakeCase(name)}":${json(argument, (fields[name] as Field)(argument, value))}`);
  }
  return `{${parts.join(",")}}`;
}

/**
 * @internal Returns JSON for the core. Values without a JSON form are refused, such as NaN, which would become null.
 */
export function json(argument: string, value: unknown): string {
  const paths = new Map<unknown, string>();
  const checked = function (this: unknown, key: string, part: unknown): unknown {
    const holder = paths.get(this);
    const path = holder === undefined ? argument : Array.isArray(this) ? `${holder}[${key}]` : `${holder}.${key}`;
    if (typeof part === "number" && !Number.isFinite(part)) throw invalid(path, part, "a finite number");
    if (typeof part === "object") paths.set(part, path);
    return part;
  };
  let written: string | undefined;
  try {
    written = JSON.stringify(value, checked);
  } catch (error) {
    // Circular values and BigInts have no JSON form. Other errors come from a getter or a toJSON method.
    if (!(error instanceof TypeError && /circular|BigInt/.test(error.message))) throw error;
  }
  if (written === undefined) throw invalid(argument, value, "something that JSON can hold");
  return written;
}

/** @internal A value that only the core checks. */
export const asItIs: Field = (_, value) => value;

/** @internal One id or several. */
export const someIds: Field = severalIds;

/** @internal A text. */
export const aText: Field = text;

/** @internal A boolean. */
export const aBoolean: Field = (argument, value) => {
  if (typeof value !== "boolean") throw invalid(argument, value, "a boolean");
  return value;
};

/** @internal A number. `expected` describes the range, which the core checks. */
export const aNumber =
  (expected = "a finite number"): Field =>
  (argument, value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw invalid(argument, value, expected);
    return value;
  };

/** @internal A number, 0 or more. */
export const anAmount: Field = (argument, value) => {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    throw invalid(argument, value, "a finite number, 0 or above");
  }
  return value;
};

const wholeUpTo =
  (most: number): Field =>
  (argument, value) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most) {
      throw invalid(argument, value, `a whole number from 0 to ${most}`);
    }
    return value;
  };

/** @internal A count. */
export const aCount = wholeUpTo(0xffff_ffff);

/** @internal A seed. */
export const aSeed = wholeUpTo(Number.MAX_SAFE_INTEGER);

/** @internal A number of bytes. */
export const aSize = wholeUpTo(Number.MAX_SAFE_INTEGER);

/** @internal A list of any iterable. `expected` describes the items. */
export const aList =
  (expected: string, item: Field): Field =>
  (argument, value) => {
    if (!isIterable(value)) throw invalid(argument, value, expected);
    return Array.from(value, (each, place) => item(`${argument}[${place}]`, each));
  };

/** @internal An object with these fields. */
export const anObject =
  (fields: Readonly<Record<string, Field>>): Field =>
  (argument, value) => {
    if (typeof value !== "object" || value === null) throw invalid(argument, value, "an object");
    return JSON.parse(fieldsJson(value, fields, argument));
  };

/** @internal Objects with these fields, by name: a Map or an object. */
export const objectsByName =
  (fields: Readonly<Record<string, Field>>): Field =>
  (argument, value) => {
    const pairs = pairsOf(value);
    if (pairs === undefined) throw invalid(argument, value, "a Map from names to objects, or an object");
    const objects = Array.from(pairs as Iterable<readonly [unknown, unknown]>, ([name, one]) => {
      const known = text(argument, name);
      return [known, anObject(fields)(`${argument}[${JSON.stringify(known)}]`, one)];
    });
    return Object.fromEntries(objects);
  };

/** @internal Returns indices as the binding takes them. */
export function indicesFrom(argument: string, value: unknown): Uint32Array {
  return Uint32Array.from(aList("several indices", aCount)(argument, value) as number[]);
}

/** Numbers by revision. An object can have any keys, because their order does not matter. */
export type NumbersById =
  | ReadonlyMap<string, number>
  | Iterable<readonly [id: string, number: number]>
  | Readonly<Record<string, number>>;

/** @internal Numbers by revision: a Map, `[id, number]` pairs, or an object. */
export const numbersById =
  (expected: string): Field =>
  (argument, value) => {
    const pairs = pairsOf(value);
    if (pairs === undefined) {
      throw invalid(argument, value, "a Map from ids to numbers, [id, number] pairs, or an object");
    }
    const numbers = new Map<string, number>();
    for (const pair of pairs) {
      if (!Array.isArray(pair) || pair.length !== 2) throw invalid(argument, pair, "[id, number] pairs");
      const id = text(argument, pair[0]);
      const name = `${argument}[${JSON.stringify(id)}]`;
      if (numbers.has(id)) throw invalid(argument, id, "each id once");
      numbers.set(id, aNumber(expected)(name, pair[1]) as number);
    }
    return Object.fromEntries(numbers);
  };

/**
 * @internal Returns the JSON of the core with camelCase names and JavaScript's names of options. Values that callers put into
 * observations are unchanged.
 */
export function reportFrom<Report>(written: string): Report {
  return camelCased(JSON.parse(native(() => spelled(written)))) as Report;
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [camelCase(name), camelCased(part)]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
