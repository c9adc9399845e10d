/** What the hunks of successive patches rest on. */

import * as binding from "./binding.js";
import { invalid, native } from "./errors.js";
import { checkedOptions, isIterable } from "./options.js";
import { Patch } from "./patch.js";

/** A hunk in a series of patches, or what else a patch does to a file. */
export interface HunkId {
  /** The number of the patch in the series, from 0. */
  patch: number;
  /** The number of the file in the patch, from 0. */
  file: number;
  /** The number of the hunk in the file, from 0; null for the changes of the file's header and its binary content. */
  hunk: number | null;
}

/** What a hunk rests on. */
export interface HunkDependency {
  /** The hunk, or header. */
  of: HunkId;
  /** What it needs from earlier patches, ascending; only what it needs directly. */
  needs: HunkId[];
}

/**
 * For every hunk and every header of successive patches what it needs from earlier ones, in the order of the series: those
 * that added or moved the lines that it touches, and those that created, renamed or copied its file (Artho, "Iterative
 * Delta Debugging", Section 3.4: a patch is a hierarchy of files and hunks).
 *
 * @param patches The patches, each made on top of the one before it.
 * @param options `reach`: how far a hunk reaches: to its `"context"` (the default), without which it would not apply, or
 * only to the lines that are `"touched"`.
 *
 * @example
 * ```ts
 * const [, second] = hunkDependencies([Patch.parse(older), Patch.parse(newer)]);
 * second.needs; // [{ patch: 0, file: 0, hunk: 0 }]
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` for something that is no Patch, another reach, or more than
 * 2^22 needs in all.
 */
export function hunkDependencies(
  patches: Iterable<Patch>,
  options?: { reach?: "context" | "touched" },
): HunkDependency[] {
  const { reach = "context" } = checkedOptions(options, ["reach"]);
  if (!isIterable(patches)) throw invalid("patches", patches, "Patches");
  const texts = [...patches].map((patch) => {
    if (!(patch instanceof Patch)) throw invalid("patches", patch, "Patches, as Patch.parse gives them");
    return patch.bytes;
  });
  if (typeof reach !== "string") throw invalid("reach", reach, '"context" or "touched"');
  return JSON.parse(native(() => binding.hunkDependencies(texts, reach)));
}
