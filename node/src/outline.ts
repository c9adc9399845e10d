/** The tree that the lines of a text form. */

import * as binding from "./binding.js";
import { invalid, native } from "./errors.js";
import { severalTexts } from "./options.js";

/** The tree that the lines of a text form, as {@link minimize} takes it. */
export interface Outline {
  /** For each line the index of the line that it stands below; null at the top. */
  parents: (number | null)[];
  /**
   * By index, the indices of the lines that a line does not stand without: the brackets that close it. A list among them
   * means any one of its members: `try` stands with one of its clauses.
   */
  dependencies: Record<number, (number | number[])[]>;
}

/**
 * The tree that the lines of a text form by their brackets and their indentation: programs, JSON, YAML, any markup.
 *
 * A line stands below the last one before it whose brackets are open, or else that is indented less. One that closes
 * brackets of another goes with it, and neither goes without the other; one that opens as many again, and `else` and its
 * like, needs what it goes on with. A `{` by itself belongs to what it is level with, unless what is before it has ended,
 * by a closing bracket, a comma or a semicolon. A line that ends a block by a word (`fi`, `done`, `esac`, `end` and its
 * like) or by a tag (`</p>`) goes with the line that it is level with, likewise a `then` or a `do`. In a text that begins
 * with a tag (XML, HTML) tags are brackets, however their lines are indented. `#if` goes with its `#endif`, a line with a
 * backslash at its end with the next one. An empty line is level with the next one that is not.
 *
 * @param text A text, or its lines, with their ends or without.
 *
 * @example
 * ```ts
 * const lines = ["if (a) {", "  b();", "}", "c();"];
 * outline(lines); // { parents: [null, 0, 0, null], dependencies: { 0: [2] } }
 * const report = await minimize(lines, (kept) => crashes(kept), { ...outline(lines) });
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` for what is neither a text nor texts.
 */
export function outline(text: string | Iterable<string>): Outline {
  const lines = linesOf(text);
  const [parents, dependencies] = JSON.parse(native(() => binding.outline(lines)));
  return { parents, dependencies };
}

/** @internal The lines of a text with their ends, or lines as they are given. */
export function linesOf(text: string | Iterable<string>): string[] {
  if (typeof text === "string") return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  if (ArrayBuffer.isView(text)) throw invalid("text", text, "a string; decode bytes first");
  return severalTexts("text", text);
}
