/** The tree of the lines of a text. */

import * as binding from "./binding.js";
import { invalid, native } from "./errors.js";
import { severalTexts } from "./options.js";

/** The tree of the lines of a text, as {@link minimize} takes it. */
export interface Outline {
  /** For each line the index of its parent line, or null at the top. */
  parents: (number | null)[];
  /**
   * By index, the indices of the lines that a line needs, such as its closing brackets. A list among them means any one
   * of its members: a `try` needs one of its clauses.
   */
  dependencies: Record<number, (number | number[])[]>;
}

/**
 * Returns the tree of the lines of a text by brackets and indentation, for programs, JSON, YAML, and markup.
 *
 * The parent of a line is the last line before it with an open bracket, or else the last one with less indentation. A
 * line and the line that closes its brackets need each other. An `else`, or a line that closes and reopens brackets,
 * needs the block that it continues. A `{` alone belongs to the line before it at the same level, unless that line ends
 * with a closing bracket, a comma, or a semicolon. A line that ends a block by a word (`fi`, `done`, `esac`, `end`) or
 * a tag (`</p>`), a `then`, and a `do` belong to the line at the same level. In XML and HTML, tags count as brackets.
 * An `#if` belongs to its `#endif`, and a line that ends with a backslash to the next line. An empty line has the level
 * of the next line with text.
 *
 * @param text A text, or its lines, with or without line ends.
 *
 * @example
 * ```ts
 * const lines = ["if (a) {", "  b();", "}", "c();"];
 * outline(lines); // { parents: [null, 0, 0, null], dependencies: { 0: [2] } }
 * const report = await minimize(lines, (kept) => crashes(kept), { ...outline(lines) });
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` if `text` is neither a text nor lines.
 */
export function outline(text: string | Iterable<string>): Outline {
  const lines = linesOf(text);
  const [parents, dependencies] = JSON.parse(native(() => binding.outline(lines)));
  return { parents, dependencies };
}

/** @internal Returns the lines of a text with their line ends, or lines unchanged. */
export function linesOf(text: string | Iterable<string>): string[] {
  if (typeof text === "string") return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  if (ArrayBuffer.isView(text)) throw invalid("text", text, "a string. Decode bytes first");
  return severalTexts("text", text);
}
