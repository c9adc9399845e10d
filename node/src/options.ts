/** Checks that all functions with an options object share. */

import { fileURLToPath } from "node:url";
import { instead } from "./binding.js";
import { FirstbadError, invalid } from "./errors.js";

/**
 * @internal Returns the options without those that are undefined or null. An unknown option is refused, because a
 * misspelled one would silently do nothing. `of` is the function that was called.
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

/** @internal Returns the error for an unknown option, with a suggestion. */
export function noOption(name: string, known: readonly string[], of?: string): FirstbadError {
  const where = of === undefined ? "here" : `of ${of}`;
  const message = `options: ${JSON.stringify(name)} is not an option ${where}; ${instead(name, [...known])}`;
  return new FirstbadError("invalid_argument", message);
}

/** @internal Returns the names of all options of an interface. */
export function namesOf<T>(names: Readonly<Record<keyof T, true>>): readonly (keyof T & string)[] {
  return Object.keys(names) as (keyof T & string)[];
}

/** @internal Splits the options into those with these names and the rest. */
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

/** @internal Returns one id or several as an array. */
export function severalIds(argument: string, value: unknown): string[] {
  if (typeof value === "string") return [wellFormed(argument, value)];
  if (!isIterable(value)) throw invalid(argument, value, "an id or several ids");
  const ids = [...value];
  for (const id of ids) if (typeof id !== "string") throw invalid(argument, id, "ids that are strings");
  return ids.map((id) => wellFormed(argument, id as string));
}

/** @internal Returns several texts as an array. */
export function severalTexts(argument: string, value: unknown): string[] {
  if (!isIterable(value)) throw invalid(argument, value, "a string, or several");
  return Array.from(value, (part, place) => text(`${argument}[${place}]`, part));
}

/** @internal Returns a text, or throws if the value has another type. */
export function text(argument: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(argument, value, "a string");
  return wellFormed(argument, value);
}

/** Refuses lone surrogates. The core would replace them, so that two ids could become equal. */
function wellFormed(argument: string, value: string): string {
  if (/\p{Surrogate}/u.test(value)) throw invalid(argument, value, "a string without lone surrogates");
  return value;
}

/** @internal Returns the path of a file. */
export function pathOf(argument: string, value: unknown): string {
  if (value instanceof URL && value.protocol === "file:") return fileURLToPath(value);
  if (typeof value !== "string" || value === "" || value.includes("\0")) {
    throw invalid(argument, value, "a path, or a file: URL");
  }
  return value;
}

/** @internal Returns a whole number in the range of the binding. */
export function wholeNumber(argument: string, value: unknown, least: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > 0xffff_ffff) {
    throw invalid(argument, value, `a whole number, at least ${least}`);
  }
  return value;
}

/**
 * @internal Returns whether a value is a plain object, of any realm, rather than a list, date, promise, or other class.
 */
export function isRecord(value: unknown): value is object {
  const kind = Object.prototype.toString.call(value);
  return (kind === "[object Object]" || kind === "[object Module]") && !isIterable(value);
}

/** @internal Returns the pairs of an iterable or a plain object, or undefined for other values. */
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
