/** Dependencies between the hunks of successive patches. */

import * as binding from "./binding.js";
import { invalid, native } from "./errors.js";
import { checkedOptions, isIterable } from "./options.js";
import { Patch } from "./patch.js";

/** A hunk in a series of patches, or the header of a file in it. */
export interface HunkId {
  /** The number of the patch in the series, from 0. */
  patch: number;
  /** The number of the file in the patch, from 0. */
  file: number;
  /** The number of the hunk in the file, from 0, or null for the header and binary content. */
  hunk: number | null;
}

/** The direct dependencies of a hunk. */
export interface HunkDependency {
  /** The hunk or header. */
  of: HunkId;
  /** The hunks and headers of earlier patches that it needs directly, ascending. */
  needs: HunkId[];
}

/**
 * Returns the dependencies of every hunk and header of successive patches on earlier patches, in order. A hunk needs
 * the hunks that added or moved the lines that it touches, and the headers that created, renamed or copied its file
 * (Artho, "Iterative Delta Debugging", Section 3.4).
 *
 * @param patches The patches, each based on the previous one.
 * @param options `reach` selects the lines that count as touched by a hunk: all lines including the `"context"` (the
 * default), or only the `"touched"` lines.
 *
 * @example
 * ```ts
 * const [, second] = hunkDependencies([Patch.parse(older), Patch.parse(newer)]);
 * second.needs; // [{ patch: 0, file: 0, hunk: 0 }]
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` if a value is not a Patch, `reach` is unknown, or there are more
 * than 2^22 needs.
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
