/** The smallest text that still has a property, in one call. */

import { BindingText } from "./binding.js";
import { digestOf } from "./digest.js";
import { driven } from "./drive.js";
import { invalid, native } from "./errors.js";
import { Divisible } from "./items.js";
import { type MinimizeOptions, reproduced } from "./minimize.js";
import { MINIMIZE, type MinimizeReport, Minimizer } from "./minimizer.js";
import { parted } from "./options.js";
import type { Interesting } from "./oracle.js";
import { linesOf } from "./outline.js";
import type { ReductionProbe } from "./probe.js";
import type { ReductionOptions } from "./reduction.js";
import type { Search } from "./search.js";
import { bytesOf, textOf } from "./surrogates.js";

/** How to take a text apart and how to run that. */
export interface MinimizeTextOptions extends Omit<MinimizeOptions, "parents" | "later"> {
  /**
   * Whether to go on within lines, to single words and signs, and to the blanks and line ends that lay them out; by
   * default only to what lines list, quote and name.
   */
  fine?: boolean;
  /**
   * The language that the text is in. Then nothing is tested that does not parse, which costs no run and counts as
   * unresolved. By default anything is tested.
   */
  language?: TextLanguage;
}

/** A language that texts can be parsed in. */
export type TextLanguage = "python" | "javascript" | "typescript" | "tsx" | "json";

/** A search among the pieces of a text, whose callback gets texts. */
type TextSearch = new (
  text: Divisible<string>,
  options: ReductionOptions,
) => Search<MinimizeReport<string>, ReductionProbe, string>;

/**
 * Finds the smallest text that still has a property: blocks first, then what is in them, then what is in lines. What a
 * block is, brackets and indentation say: see `outline`. A line is never kept without the one that it stands below, nor a
 * block without the bracket that closes it. When no more lines go, blocks are tried without what stands around them,
 * elements of lists are left out, quoted texts become empty, numbers 0 and names short. The comma before a bracket goes
 * when what was behind it went, and a block of Python with nothing left in it gets `pass`. No grammar is needed. Texts
 * that are equal are tested once, and with a `language` those that do not parse are not tested.
 *
 * `report.items` is the text that is kept, `report.kept` the indices of its lines and, from the number of lines on, of what
 * is in them. `guarantee` is `"1-minimal"` by default: each piece that is left was tried without.
 *
 * It makes a {@link Minimizer} and drives it with {@link run}, whose promises about errors and signals hold here. An
 * entry of `dependencies` adds to what the text says itself.
 *
 * @param text A text, whose lines end with `\n`, or its lines, with their ends.
 *
 * @example
 * ```ts
 * const report = await minimizeText(readFileSync("big.json", "utf8"), (kept) => crashes(kept));
 * writeFileSync("small.json", report.items);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` where the whole text has not the property, `invalid_argument` where
 * there is no grammar for the language, or the text does not parse in it; else as {@link Minimizer} and
 * {@link run} do; what `interesting` throws, unchanged.
 */
export async function minimizeText(
  text: string | Iterable<string>,
  interesting: Interesting<string>,
  options?: MinimizeTextOptions,
): Promise<MinimizeReport<string>> {
  for (const name of ["parents", "later"]) {
    if (Object.hasOwn(options ?? {}, name)) {
      const expected = "none, for the text says what stands below what; use minimize with outline for another tree";
      throw invalid("options", name, expected);
    }
  }
  const [{ fine = false, language }, given] = parted(options, "fine", "language");
  if (typeof fine !== "boolean") throw invalid("fine", fine, "true or false");
  if (language !== undefined && typeof language !== "string")
    throw invalid("language", language, "a name, as a string");
  const whole = linesOf(text).join("");
  if (whole === "") throw invalid("text", text, "at least one line");
  const Search = Minimizer as unknown as TextSearch;
  return reproduced(
    await driven(Search, MINIMIZE, () => inPieces(whole, fine, language), interesting, given, {
      of: "minimizeText",
      callback: "interesting",
    }),
  );
}

/** A text, to be taken apart. */
function inPieces(whole: string, fine: boolean, language: string | undefined): Divisible<string> {
  const pieces = native(() => BindingText.parse(bytesOf(whole), fine, language));
  return new Divisible(
    pieces.length,
    (set) => textOf(native(() => pieces.pick(set))),
    (options) => native(() => pieces.complete(options)),
    () => digestOf([whole]),
    (algorithm, written) => native(() => pieces.card(algorithm, written)),
    (search) => pieces.knownTo(search),
  );
}
