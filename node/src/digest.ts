/** Digests of items, which are the same in all front ends. */

import { digest } from "./binding.js";
import { native } from "./errors.js";

/** @internal Returns the digest of items, or null if an item has no form that all languages share. */
export function digestOf(items: readonly unknown[]): string | null {
  const kinds: string[] = [];
  const contents: Uint8Array[] = [];
  const add = (kind: string, content: string | Uint8Array) => {
    kinds.push(kind);
    contents.push(typeof content === "string" ? Buffer.from(content, "utf8") : content);
  };
  for (const item of items) {
    if (typeof item === "string") {
      if (!WELL_FORMED.test(item)) return null;
      add("text", item);
    } else if (item instanceof Uint8Array) {
      add("bytes", item);
    } else {
      if (!hasJson(item, [])) return null;
      add("json", JSON.stringify(item));
    }
  }
  return native(() => digest(kinds, contents));
}

/** @internal Returns the digest of a patch, which counts as one item. */
export function digestOfPatch(bytes: Uint8Array): string | null {
  return native(() => digest(["patch"], [bytes]));
}

/** A text without lone surrogates, which UTF-8 cannot encode. */
const WELL_FORMED = /^\P{Surrogate}*$/u;

/** Returns whether a value has a JSON form. `JSON.stringify` silently omits or changes values without one. */
function hasJson(value: unknown, within: readonly unknown[]): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || within.includes(value)) return false;
  const path = [...within, value];
  if (Array.isArray(value)) return Array.from(value).every((part) => hasJson(part, path));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => hasJson(part, path));
}
