/** Finds the smallest text that still has a property. */

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

/** How to reduce a text, and how to run the search. */
export interface MinimizeTextOptions extends Omit<MinimizeOptions, "parents" | "later"> {
  /**
   * Whether to also remove single words, signs, blanks, and line ends. Strings and comments stay whole. Default: only
   * list elements, quoted texts, and names within lines.
   */
  fine?: boolean;
  /**
   * The language of the text. A text that does not parse is unresolved without a run. Default: every text is tested.
   */
  language?: TextLanguage;
}

/** Options that the text determines. */
const TREE = ["parents", "later"] as const;

/** A language with a parser. */
export type TextLanguage = "python" | "javascript" | "typescript" | "tsx" | "json";

/** Files that are reduced together: texts by name. */
export type TextFiles = Readonly<Record<string, string>>;

/** The reduced text, or several files. */
type Left = string | Record<string, string>;

/** A search among the pieces of a text. The oracle gets texts. */
type TextSearch = new (
  text: Divisible<Left>,
  options: ReductionOptions,
) => Search<MinimizeReport<Left>, ReductionProbe, Left>;

/**
 * Finds the smallest text that still has a property: first by blocks, then by lines, then within lines. Brackets and
 * indentation define the blocks (see `outline`), without a grammar. When no more lines can be removed, the search
 * unwraps blocks, removes list elements (in XML and HTML, elements and attributes), empties quoted texts, replaces
 * numbers by 0, and shortens names. Types of C become `int`. A comma that became the last one is removed, and an empty
 * block of Python gets `pass`. Equal texts are tested once. With a `language`, texts that do not parse are not tested.
 *
 * `report.items` is the reduced text. In `report.kept`, indices below the number of lines are lines, and later ones are
 * pieces within lines. The default `guarantee` is `"1-minimal"`: the search tried to remove each remaining piece, line,
 * block, frame of a block, and pair of adjacent lines. The exceptions are pairs that brackets tie to other lines, and
 * lines that `fine` joined. A line is never removed while a remaining line needs it by `dependencies`.
 *
 * Runs a {@link Minimizer}. Errors and signals are handled as by {@link run}. `dependencies` are added to those of the
 * text.
 *
 * @param text A text, its lines with line ends, or an object of texts by file name. Several files are reduced together,
 * and a name is shortened in all of them. `interesting` and `report.items` then have an object of all files.
 *
 * @example
 * ```ts
 * const report = await minimizeText(readFileSync("big.json", "utf8"), (kept) => crashes(kept));
 * writeFileSync("small.json", report.items);
 * ```
 *
 * @throws {@link FirstbadError} `not_reproduced` if the whole text does not have the property, `invalid_argument` if
 * the language is unknown or the text does not parse, and the errors of {@link Minimizer} and {@link run}. Also throws
 * errors of `interesting`, unchanged.
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
      const expected = "none, because the text sets the tree. For another tree, use minimize with outline";
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

/** Returns whether the value is an object of files. */
function areFiles(text: string | Iterable<string> | TextFiles): text is TextFiles {
  return typeof text === "object" && text !== null && !isIterable(text);
}

/** Returns the pieces of a text or of several files. */
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
