/** What items are, in one word: two lists have the same digest if they are the same, whatever language made them. */

import { createHash, type Hash } from "node:crypto";

/**
 * @internal The SHA-256, in hex, of all items: for each a byte that says what it is, the number of its bytes in eight
 * bytes, and its bytes. Texts count as UTF-8, byte arrays as they are, and the rest as JSON with sorted keys; null where
 * an item has no such form.
 */
export function digestOf(items: readonly unknown[]): string | null {
  const hash = createHash("sha256");
  for (const item of items) {
    if (typeof item === "string") {
      if (!WELL_FORMED.test(item)) return null;
      add(hash, "s", item);
    } else if (item instanceof Uint8Array) {
      add(hash, "b", item);
    } else {
      const written = canonical(item, []);
      if (written === null) return null;
      add(hash, "j", written);
    }
  }
  return hash.digest("hex");
}

/** @internal The same of a patch, which counts as one item. */
export function digestOfPatch(bytes: Uint8Array): string {
  const hash = createHash("sha256");
  add(hash, "p", bytes);
  return hash.digest("hex");
}

/** Without halves of surrogate pairs, which have no UTF-8. */
const WELL_FORMED = /^\P{Surrogate}*$/u;

function add(hash: Hash, kind: string, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  hash.update(kind).update(length).update(bytes);
}

/** JSON without spaces, keys sorted; null for what JSON would leave out, change or refuse. */
function canonical(value: unknown, within: readonly unknown[]): string | null {
  switch (typeof value) {
    case "string":
      return WELL_FORMED.test(value) ? JSON.stringify(value) : null;
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : null;
    case "boolean":
      return String(value);
    case "object":
      break;
    default:
      return null;
  }
  if (value === null) return "null";
  if (within.includes(value)) return null;
  const path = [...within, value];
  if (Array.isArray(value))
    return joined(
      "[",
      Array.from(value, (part) => canonical(part, path)),
      "]",
    );
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  const keys = Object.keys(value).sort(byCodePoints);
  const fields = keys.map((key) => {
    const [name, part] = [canonical(key, path), canonical((value as Record<string, unknown>)[key], path)];
    return name === null || part === null ? null : `${name}:${part}`;
  });
  return joined("{", fields, "}");
}

function joined(start: string, parts: readonly (string | null)[], end: string): string | null {
  return parts.includes(null) ? null : `${start}${parts.join(",")}${end}`;
}

/** Not by UTF-16, which other languages do not sort by. */
function byCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"));
}
