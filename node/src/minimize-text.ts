/** The smallest part of a text that still has a property, in one call. */

import { optionsInOutline, reductionCard } from "./binding.js";
import { picked } from "./change-set.js";
import { digestOf } from "./digest.js";
import { driven } from "./drive.js";
import { invalid, native } from "./errors.js";
import { Divisible } from "./items.js";
import { type MinimizeOptions, reproduced } from "./minimize.js";
import { MINIMIZE, type MinimizeReport, Minimizer } from "./minimizer.js";
import type { Interesting } from "./oracle.js";
import { linesOf } from "./outline.js";
import type { ReductionProbe } from "./probe.js";
import type { ReductionOptions } from "./reduction.js";
import type { Search } from "./search.js";

/** How to take a text apart and how to run that. Indices are those of lines. */
export interface MinimizeTextOptions extends Omit<MinimizeOptions, "parents"> {}

/** A search among the lines of a text, whose callback gets texts. */
type TextSearch = new (
  lines: Divisible<string>,
  options: ReductionOptions,
) => Search<MinimizeReport<string>, ReductionProbe, string>;

/**
 * Finds a smallest part of a text that still has a property: blocks first, then what is in them, line by line. What a
 * block is, its indentation says: see `outline`. A line is never kept without the one that it stands below, nor a
 * block without the bracket that closes it. `report.items` is the text that is kept, `report.kept` the indices of its
 * lines.
 *
 * It makes a {@link Minimizer} and drives it with {@link run}, whose promises about errors and signals hold here. An
 * entry of `dependencies` adds to what the brackets say.
 *
 * @param text A text, whose lines end with `\n`, or its lines, with their ends.
 *
 * @example
 * ```ts
 * const report = await minimizeText(readFileSync("big.json", "utf8"), (kept) => crashes(kept));
 * writeFileSync("small.json", report.items);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` where the whole text has not the property; else as {@link Minimizer} and
 * {@link run} do; what `interesting` throws, unchanged.
 */
export async function minimizeText(
  text: string | Iterable<string>,
  interesting: Interesting<string>,
  options?: MinimizeTextOptions,
): Promise<MinimizeReport<string>> {
  if (Object.hasOwn(options ?? {}, "parents")) {
    throw invalid(
      "options",
      "parents",
      "no tree, for the indentation makes one; use minimize with outline for another",
    );
  }
  const lines = linesOf(text);
  if (lines.length === 0) throw invalid("text", text, "at least one line");
  const whole = new Divisible(
    lines.length,
    (set) => picked(lines, set).join(""),
    (options) => native(() => optionsInOutline(options, lines)),
    () => digestOf(lines),
    (algorithm, written) => native(() => reductionCard(algorithm, written, undefined, lines)),
  );
  const Search = Minimizer as unknown as TextSearch;
  return reproduced(
    await driven(Search, MINIMIZE, () => whole, interesting, options, { of: "minimizeText", callback: "interesting" }),
  );
}
