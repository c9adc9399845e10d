/** What all functions that take an options object check in the same way. */

import { fileURLToPath } from "node:url";
import { instead } from "./binding.js";
import { FirstbadError, invalid } from "./errors.js";

/**
 * @internal The given options without those that are undefined or null; an option that is not among `known` is
 * refused, because a misspelt one would silently do nothing. `of` is what was called with them.
 */
export function checkedOptions<T extends object>(
  options: T | null | undefined,
  known: readonly string[],
  of?: string,
): Partial<T> {
  if (options === undefined || options === null) return {};
  if (!isRecord(options)) throw invalid("options", options, "an object");
  const given: Partial<T> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw noOption(name, known, of);
    if (value !== undefined && value !== null) given[name as keyof T] = value;
  }
  return given;
}

/** An iterable that is not a string, such as an array or a Set. */
export type Several<T> = Iterable<T> & object;

/** @internal What refuses an option of this name, and says which one may be meant. */
export function noOption(name: string, known: readonly string[], of?: string): FirstbadError {
  const where = of === undefined ? "here" : `of ${of}`;
  const message = `options: ${JSON.stringify(name)} is no option ${where}; ${instead(name, [...known])}`;
  return new FirstbadError("invalid_argument", message);
}

/** @internal The names of all the options that an interface declares. */
export function namesOf<T>(names: Readonly<Record<keyof T, true>>): readonly (keyof T & string)[] {
  return Object.keys(names) as (keyof T & string)[];
}

/** @internal Some of the options by name, and the rest, which is for somebody else to check. */
export function parted<T extends object, Name extends keyof T & string>(
  options: T | null | undefined,
  ...names: Name[]
): [Partial<Pick<T, Name>>, Omit<T, Name> | undefined] {
  if (options === undefined || options === null) return [{}, undefined];
  if (!isRecord(options)) throw invalid("options", options, "an object");
  const entries = Object.entries(options);
  const mine = (name: string) => names.includes(name as Name);
  const given = entries.filter(([name, value]) => mine(name) && value !== undefined && value !== null);
  const rest = entries.filter(([name]) => !mine(name));
  return [Object.fromEntries(given) as Partial<Pick<T, Name>>, Object.fromEntries(rest) as Omit<T, Name>];
}

/** @internal One id or several, as an array. */
export function severalIds(argument: string, value: unknown): string[] {
  if (typeof value === "string") return [wellFormed(argument, value)];
  if (!isIterable(value)) throw invalid(argument, value, "an id or several ids");
  const ids = [...value];
  for (const id of ids) if (typeof id !== "string") throw invalid(argument, id, "ids that are strings");
  return ids.map((id) => wellFormed(argument, id as string));
}

/** @internal Several texts, as an array. */
export function severalTexts(argument: string, value: unknown): string[] {
  if (!isIterable(value)) throw invalid(argument, value, "a string, or several");
  return Array.from(value, (part, place) => text(`${argument}[${place}]`, part));
}

/** @internal A text, where the binding takes nothing else. */
export function text(argument: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(argument, value, "a string");
  return wellFormed(argument, value);
}

/** A text without halves of characters: the core would take each for the same replacement, and two ids for one. */
function wellFormed(argument: string, value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw invalid(argument, value, "a string without lone surrogates");
  return value;
}

/** @internal Where a file is. */
export function pathOf(argument: string, value: unknown): string {
  if (value instanceof URL && value.protocol === "file:") return fileURLToPath(value);
  if (typeof value !== "string" || value === "" || value.includes("\0")) {
    throw invalid(argument, value, "a path, or a file: URL");
  }
  return value;
}

/** @internal A number that the binding can take as it is. */
export function wholeNumber(argument: string, value: unknown, least: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > 0xffff_ffff) {
    throw invalid(argument, value, `a whole number, at least ${least}`);
  }
  return value;
}

/**
 * @internal An object whose properties are what it is given for, of whatever realm: no list, no date, no promise, nor what
 * else has values of its own.
 */
export function isRecord(value: unknown): value is object {
  const kind = Object.prototype.toString.call(value);
  return (kind === "[object Object]" || kind === "[object Module]") && !isIterable(value);
}

/** @internal What there is by name: the pairs of what can be iterated over, or of a record; undefined for anything else. */
export function pairsOf(value: unknown): Iterable<unknown> | undefined {
  if (isIterable(value)) return value;
  return isRecord(value) ? Object.entries(value) : undefined;
}

/** @internal */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** @internal */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (typeof value === "object" || typeof value === "function") && value !== null && "then" in value
    ? typeof value.then === "function"
    : false;
}
