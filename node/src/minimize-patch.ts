/** The smallest part of a patch that still has a property, in one call. */

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

/** How to take a patch apart and how to run that. */
export interface MinimizePatchOptions extends Omit<MinimizeOptions, "parents" | "depth" | "later"> {
  /**
   * How far to go: whole files, hunks (and single header changes), definitions (the outermost blocks of each hunk that hold
   * changes, as the indentation tells them), edits (single changes, of which what was replaced goes with what took its place,
   * and a line with the condition that decides it), or single changes. By default `"lines"`;
   * `explain` takes `"edits"`, so that what is left can be read.
   */
  granularity?: "files" | "hunks" | "definitions" | "edits" | "lines";
}

/** @internal What a patch is applied to, where that is known: parts of it that leave a file which does not parse are not run. */
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
 * Delta Debugging", Section 3.4; Zeller and Hildebrandt 2002). `interesting` gets patches that `git apply` accepts on
 * what the whole patch fits: what cannot stand alone is never tried alone.
 *
 * It makes a {@link Minimizer} and drives it with {@link run}, whose promises about errors and signals hold here. An
 * entry of `dependencies` adds to what the patch says itself.
 *
 * @example
 * ```ts
 * const patch = Patch.parse(readFileSync("big.patch"));
 * const report = await minimizePatch(patch, (part) => breaks(part.apply(files)));
 * writeFileSync("small.patch", report.items.bytes);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` where the whole patch has not the property; else as {@link Minimizer} and
 * {@link run} do; what `interesting` throws, unchanged.
 */
export async function minimizePatch(
  patch: Patch,
  interesting: Interesting<Patch>,
  options?: MinimizePatchOptions,
): Promise<MinimizeReport<Patch>> {
  return reproduced(await patchMinimized(patch, interesting, options));
}

/** @internal The same, where nothing to reduce is a report as well. */
export async function patchMinimized(
  patch: Patch,
  interesting: Interesting<Patch>,
  options: MinimizePatchOptions | undefined,
  base?: PatchBase,
): Promise<MinimizeReport<Patch>> {
  return (await patchSearched(patch, interesting, options, base)).report();
}

/** @internal The same, for the search at its end. */
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

/** @internal Refuses a tree beside the one that a patch is. */
export function checkTree(options: object | null | undefined): void {
  const given = options ?? {};
  if (Object.hasOwn(given, "parents")) throw invalid("options", "parents", "no tree, for a patch is one by itself");
  if (Object.hasOwn(given, "later")) {
    throw invalid("options", "later", "no passes, for a patch says itself what is tried when");
  }
  if (Object.hasOwn(given, "depth")) {
    throw invalid("options", "depth", 'granularity instead: "files", "hunks", "definitions", "edits" or "lines"');
  }
}
