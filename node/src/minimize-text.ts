/** The smallest text that still has a property, in one call. */

import { BindingText } from "./binding.js";
import { driven } from "./drive.js";
import { invalid, native } from "./errors.js";
import { MINIMIZE, type ReductionOptions } from "./generated/options.js";
import { Divisible } from "./items.js";
import { type MinimizeOptions, reproduced } from "./minimize.js";
import { type MinimizeReport, Minimizer } from "./minimizer.js";
import { isIterable, parted } from "./options.js";
import type { Interesting } from "./oracle.js";
import { linesOf } from "./outline.js";
import type { ReductionProbe } from "./probe.js";
import type { Search } from "./search.js";
import { bytesOf, textOf } from "./surrogates.js";

/** How to take a text apart and how to run that. */
export interface MinimizeTextOptions extends Omit<MinimizeOptions, "parents" | "later"> {
  /**
   * Whether to go on within lines, to single words and signs, and to the blanks and line ends that lay them out; by
   * default only to what lines list, quote and name. What a string or a comment says stays together.
   */
  fine?: boolean;
  /**
   * The language that the text is in. Then nothing is tested that does not parse, which costs no run and counts as
   * unresolved. By default anything is tested.
   */
  language?: TextLanguage;
}

/** What a text says itself. */
const TREE = ["parents", "later"] as const;

/** A language that texts can be parsed in. */
export type TextLanguage = "python" | "javascript" | "typescript" | "tsx" | "json";

/** Files that are reduced together: texts by their names. */
export type TextFiles = Readonly<Record<string, string>>;

/** What is kept of a text, or of several files. */
type Left = string | Record<string, string>;

/** A search among the pieces of a text, whose callback gets texts. */
type TextSearch = new (
  text: Divisible<Left>,
  options: ReductionOptions,
) => Search<MinimizeReport<Left>, ReductionProbe, Left>;

/**
 * Finds the smallest text that still has a property: blocks first, then what is in them, then what is in lines. What a
 * block is, brackets and indentation say: see `outline`. A line goes with the one that it stands below, and a block with
 * the bracket that closes it. When no more lines go, blocks are tried without what stands around them, elements of
 * lists are left out (in XML and HTML elements and attributes), quoted texts become empty, numbers 0 and names short, or
 * `int` where a type stands as in C. The comma before a bracket goes when what was behind it went, and a block of Python
 * with nothing left in it gets `pass`. No grammar is needed. Texts that are equal are tested once, and with a `language`
 * those that do not parse are not tested.
 *
 * `report.items` is the text that is kept, `report.kept` the indices of its lines and, from the number of lines on, of what
 * is in them. `guarantee` is `"1-minimal"` by default: each piece that is left was tried without, and each line alone,
 * whatever stands below it and whatever bracket it closes; so were each block, what stands around it, and each two lines
 * that are next to each other in what is left, if no bracket ties them to others or a block ends on one and the next begins
 * on the other. A line that `fine` made of several is none of these. What `dependencies` say, they are never tried without.
 *
 * It makes a {@link Minimizer} and drives it with {@link run}, whose promises about errors and signals hold here. An
 * entry of `dependencies` adds to what the text says itself.
 *
 * @param text A text, whose lines end with `\n`, or its lines, with their ends. Or several files that are reduced together,
 * texts by their names: what goes from one lets more go from another, and a name is shortened in all of them alike. Then
 * `interesting` gets an object with all their names, and `report.items` is one.
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
export function minimizeText(
  text: string | Iterable<string>,
  interesting: Interesting<string>,
  options?: MinimizeTextOptions,
): Promise<MinimizeReport<string>>;
export function minimizeText<Files extends TextFiles>(
  text: Files,
  interesting: Interesting<Record<keyof Files, string>>,
  options?: MinimizeTextOptions,
): Promise<MinimizeReport<Record<keyof Files, string>>>;
export async function minimizeText(
  text: string | Iterable<string> | TextFiles,
  interesting: Interesting<never>,
  options?: MinimizeTextOptions,
): Promise<MinimizeReport<Left>> {
  for (const name of TREE) {
    if (Object.hasOwn(options ?? {}, name)) {
      const expected = "none, for the text says what stands below what; use minimize with outline for another tree";
      throw invalid("options", name, expected);
    }
  }
  const [{ fine = false, language }, given] = parted(options, "fine", "language");
  if (typeof fine !== "boolean") throw invalid("fine", fine, "true or false");
  if (language !== undefined && typeof language !== "string")
    throw invalid("language", language, "a name, as a string");
  const names = areFiles(text) ? Object.keys(text) : undefined;
  const whole = (areFiles(text) ? Object.values(text) : [text]).map((file) => linesOf(file).join(""));
  if (whole.join("") === "") throw invalid("text", text, "at least one line");
  const Search = Minimizer as unknown as TextSearch;
  return reproduced(
    await driven(
      Search,
      MINIMIZE,
      () => inPieces(whole, names, fine, language),
      interesting as Interesting<Left>,
      given,
      {
        of: "minimizeText",
        callback: "interesting",
        own: ["fine", "language"],
        but: TREE,
      },
    ),
  );
}

/** Whether it is files by their names. */
function areFiles(text: string | Iterable<string> | TextFiles): text is TextFiles {
  return typeof text === "object" && text !== null && !isIterable(text);
}

/** A text, or several files, to be taken apart. */
function inPieces(
  files: readonly string[],
  names: readonly string[] | undefined,
  fine: boolean,
  language: string | undefined,
): Divisible<Left> {
  const pieces = native(() => BindingText.parse(files.map(bytesOf), fine, language));
  return new Divisible(
    pieces.length,
    (set) => {
      const texts = native(() => pieces.pick(set)).map(textOf);
      return names === undefined
        ? (texts[0] as string)
        : Object.fromEntries(names.map((name, at) => [name, texts[at] as string]));
    },
    (options) => native(() => pieces.complete(options)),
    () => pieces.digest(),
    (algorithm, written) => native(() => pieces.card(algorithm, written)),
    (search) => pieces.knownTo(search),
  );
}
