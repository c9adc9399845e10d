/** Finds the smallest part of a patch that still has a property. */

import type { BindingRepository, BindingSearch } from "./binding.js";
import { drivenToEnd } from "./drive.js";
import { invalid } from "./errors.js";
import { MINIMIZE, type ReductionOptions } from "./generated/options.js";
import { type Divisible, ofPatch } from "./items.js";
import { type MinimizeOptions, reproduced } from "./minimize.js";
import { type MinimizeReport, Minimizer } from "./minimizer.js";
import { parted, text } from "./options.js";
import type { Interesting } from "./oracle.js";
import { Patch } from "./patch.js";
import type { ReductionProbe } from "./probe.js";
import type { Search } from "./search.js";

/** How to reduce a patch, and how to run the search. */
export interface MinimizePatchOptions extends Omit<MinimizeOptions, "parents" | "depth" | "later"> {
  /**
   * The smallest unit: files, hunks (and header changes), definitions (the outermost blocks of a hunk, by indentation),
   * edits (a change with the line that it replaces, or a line with its condition), or single changes. Default:
   * `"lines"`. `explain` uses the readable `"edits"`.
   */
  granularity?: "files" | "hunks" | "definitions" | "edits" | "lines";
}

/** @internal The base of a patch, if it is known. Parts with a file that does not parse are then not run. */
export interface PatchBase {
  repository: BindingRepository;
  revision: string;
}

/** A search among the changes of a patch. */
type PatchSearch = new (
  patch: Divisible<Patch>,
  options: ReductionOptions,
) => Search<MinimizeReport<Patch>, ReductionProbe, Patch>;

/**
 * Finds a smallest part of a patch that still has a property: files first, then hunks, then lines (Artho, "Iterative
 * Delta Debugging", Section 3.4; Zeller and Hildebrandt 2002). `interesting` gets patches that `git apply` accepts
 * wherever it accepts the whole patch.
 *
 * Runs a {@link Minimizer}. Errors and signals are handled as by {@link run}. `dependencies` are added to those of the
 * patch.
 *
 * @example
 * ```ts
 * const patch = Patch.parse(readFileSync("big.patch"));
 * const report = await minimizePatch(patch, (part) => breaks(part.apply(files)));
 * writeFileSync("small.patch", report.items.bytes);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` if the whole patch does not have the property, and the errors of
 * {@link Minimizer} and {@link run}. Also throws errors of `interesting`, unchanged.
 */
export async function minimizePatch(
  patch: Patch,
  interesting: Interesting<Patch>,
  options?: MinimizePatchOptions,
): Promise<MinimizeReport<Patch>> {
  return reproduced(await patchMinimized(patch, interesting, options));
}

/** @internal Returns a report also if there is nothing to reduce. */
export async function patchMinimized(
  patch: Patch,
  interesting: Interesting<Patch>,
  options: MinimizePatchOptions | undefined,
  base?: PatchBase,
): Promise<MinimizeReport<Patch>> {
  return (await patchSearched(patch, interesting, options, base)).report();
}

/** @internal Returns the finished search. */
export async function patchSearched(
  patch: Patch,
  interesting: Interesting<Patch>,
  options: MinimizePatchOptions | undefined,
  base?: PatchBase,
): Promise<Search<MinimizeReport<Patch>, ReductionProbe, Patch>> {
  if (!(patch instanceof Patch)) throw invalid("patch", patch, "a Patch, as Patch.parse(text) reads it");
  checkTree(options);
  const [{ granularity = "lines" }, given] = parted(options, "granularity");
  const knownTo =
    base && ((search: BindingSearch) => base.repository.knownTo(search, base.revision, Buffer.from(patch.bytes)));
  const whole = ofPatch(patch, text("granularity", granularity), knownTo);
  const Search = Minimizer as unknown as PatchSearch;
  return drivenToEnd(Search, MINIMIZE, () => whole, interesting, given, {
    of: base === undefined ? "minimizePatch" : "minimizeCommit",
    callback: "interesting",
    own: [...(base === undefined ? [] : ["parent"]), "granularity"],
    but: ["parents", "later"],
  });
}

/** @internal Refuses options for a tree, which the patch determines. */
export function checkTree(options: object | null | undefined): void {
  const given = options ?? {};
  if (Object.hasOwn(given, "parents")) throw invalid("options", "parents", "no tree, because a patch has its own");
  if (Object.hasOwn(given, "later")) {
    throw invalid("options", "later", "no passes, because the granularity sets them");
  }
  if (Object.hasOwn(given, "depth")) {
    throw invalid("options", "depth", 'granularity instead: "files", "hunks", "definitions", "edits" or "lines"');
  }
}
