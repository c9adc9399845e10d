/** Patches: unified diffs of Git, from which single changes can be removed. */

import { inspect } from "node:util";
import { type BindingFiles, BindingPatch, cardPage, optionsInPatch, patchCard } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { indicesFrom } from "./fields.js";
import { pairsOf } from "./options.js";

/** The kind of a change. */
export type ChangeKind = "mode" | "creation" | "deletion" | "rename" | "copy" | "removed" | "added" | "binary";

/** A change: an added or removed line, a change of a file's header, or the whole content of a binary file. */
export interface Change {
  /** The number of the change in the patch, from 0. */
  readonly index: number;
  /** The number of the file in the patch, from 0. */
  readonly file: number;
  /** The number of the hunk in the file, from 0, or null for headers and binary files. */
  readonly hunk: number | null;
  /** The kind of the change. */
  readonly kind: ChangeKind;
  /** The path of the file: the new path, or the old path of a deleted file. */
  readonly path: string;
  /** The line without its sign and line end, or a description of a header change (`100644 -> 100755`). */
  readonly text: string;
  /**
   * The number of the line, from 1, in the old file for a removed line and in the new file for an added line. Otherwise
   * null.
   */
  readonly line: number | null;
}

/** One hunk of a file. */
export interface Hunk {
  /** The first line in the old file, from 1, or the line before if `oldCount` is 0. */
  readonly oldStart: number;
  /** The number of lines of the old file. */
  readonly oldCount: number;
  /** The first line in the new file, from 1, or the line before if `newCount` is 0. */
  readonly newStart: number;
  /** The number of lines of the new file. */
  readonly newCount: number;
  /** The text after the second `@@`, usually the name of a function. */
  readonly heading: string;
  /** The numbers of the changes in the patch. */
  readonly changes: readonly number[];
}

/** The part of a patch about one file. */
export interface FilePatch {
  /** The new path, or the old path of a deleted file. */
  readonly path: string;
  /** The old path, or null for a new file. */
  readonly oldPath: string | null;
  /** The new path, or null for a deleted file. */
  readonly newPath: string | null;
  /** Whether the content is binary. A binary file has at most one change. */
  readonly binary: boolean;
  /** The kinds of its header changes: a mode, and one of creation, deletion, rename and copy. */
  readonly header: readonly ChangeKind[];
  /** The numbers of its changes in the patch. */
  readonly changes: readonly number[];
  /** The hunks, in order. */
  readonly hunks: readonly Hunk[];
}

/** Files by path: an object, a Map, or `[path, content]` pairs. */
export type Files<Content extends string | Uint8Array> =
  | Readonly<Record<string, Content>>
  | ReadonlyMap<string, Content>
  | Iterable<readonly [path: string, content: Content]>;

/**
 * The numbered changes of one or several diffs. A patch is immutable.
 *
 * A *change* is one added or one removed line, one change of a file's header (its mode, its creation, deletion, rename
 * or copy), or the whole content of a binary file. Changes are numbered from 0 in the order of the patch. A patch is a
 * hierarchy of files, hunks and lines (Artho, "Iterative Delta Debugging", Section 3.4 and Figure 5).
 *
 * @example
 * ```ts
 * const patch = Patch.parse(readFileSync("fix.patch"));
 * const first = patch.subset(patch.files[0].changes);
 * writeFileSync("first.patch", first.bytes); // `git apply` accepts it
 * ```
 */
export class Patch {
  readonly #binding: BindingPatch;
  #files: readonly FilePatch[] | undefined;
  #changes: readonly Change[] | undefined;

  private constructor(binding: BindingPatch) {
    if (!(binding instanceof BindingPatch)) {
      throw invalid("patch", binding, "Patch.parse(text), or repository.diff");
    }
    this.#binding = binding;
  }

  /** @internal Returns the patch of a binding object. */
  static adopt(binding: BindingPatch): Patch {
    return new Patch(binding);
  }

  /**
   * Parses the output of `git diff`, `git show`, `git format-patch`, or `diff -u`, with or without prefixes. Text
   * around the diffs is kept, but is not a change. An empty text is a patch without changes. Bytes need not be UTF-8.
   *
   * @throws {@link FirstbadError} `patch_syntax`, with the line, if the text contains an invalid diff, a combined diff
   * of a merge, or no diff at all.
   */
  static parse(text: string | Uint8Array): Patch {
    const bytes = bytesOf("text", text);
    return new Patch(native(() => BindingPatch.parse(bytes)));
  }

  /** The number of changes. */
  get length(): number {
    return this.#binding.size;
  }

  /** The files, in the order of the patch. A file can occur more than once. */
  get files(): readonly FilePatch[] {
    this.#files ??= frozen(JSON.parse(native(() => this.#binding.files())) as FilePatch[]);
    return this.#files;
  }

  /** All changes, in order. */
  get changes(): readonly Change[] {
    this.#changes ??= frozen(JSON.parse(native(() => this.#binding.changes())) as Change[]);
    return this.#changes;
  }

  /**
   * The number of each change in the patch that {@link Patch.subset} was called on, ascending. For a parsed patch, its
   * own numbers.
   */
  get origin(): number[] {
    return JSON.parse(native(() => this.#binding.origin()));
  }

  /**
   * The tree of files, hunks and changes, for `parents` of a reduction: the number of the parent of each change, then
   * of each hunk, then of each file. Files have no parents.
   */
  get parents(): (number | null)[] {
    return JSON.parse(native(() => this.#binding.parents()));
  }

  /** The changes that each change needs, for `dependencies` of a reduction. */
  get dependencies(): number[][] {
    return JSON.parse(native(() => this.#binding.dependencies()));
  }

  /**
   * Returns a patch with only these changes, given in any order, except those that cannot stand alone. `git apply`
   * accepts the result wherever it accepts the whole patch.
   *
   * @throws {@link FirstbadError} `invalid_argument` if a number is out of range or occurs twice.
   */
  subset(changes: Iterable<number>): Patch {
    const numbers = indicesFrom("changes", changes);
    return new Patch(native(() => this.#binding.subset(numbers)));
  }

  /**
   * Removes the binary files whose content is not in the patch, because they cannot be applied. Use `git diff --binary` to
   * include the content. The `origin` of the result maps its changes to this patch.
   */
  withContent(): Patch {
    return new Patch(native(() => this.#binding.withContent()));
  }

  /**
   * Returns the changes among these that {@link Patch.subset} keeps, ascending.
   *
   * @throws {@link FirstbadError} `invalid_argument` if a number is out of range or occurs twice.
   */
  standing(changes: Iterable<number>): number[] {
    const numbers = indicesFrom("changes", changes);
    return JSON.parse(native(() => this.#binding.standing(numbers)));
  }

  /**
   * Returns the files after the patch, as `git apply` does, but in memory. The result is a Map for a Map, and otherwise
   * an object. Contents are texts if all given contents are texts, and otherwise bytes. Contents have no modes, and the
   * content of a symbolic link is its target.
   *
   * @throws {@link FirstbadError} `patch_conflict` if a file is missing, exists already, or differs from the patch,
   * `invalid_argument` if contents are texts and a result is not valid text.
   */
  apply<Content extends string | Uint8Array>(files: ReadonlyMap<string, Content>): Map<string, Whole<Content>>;
  apply<Content extends string | Uint8Array>(files: Files<Content>): Record<string, Whole<Content>>;
  apply(files: Files<string | Uint8Array>): Map<string, string | Uint8Array> | Record<string, string | Uint8Array> {
    const pairs = pairsOf(files);
    if (pairs === undefined) throw invalid("files", files, "an object or a Map from paths");
    const given: BindingFiles = { paths: [], contents: [] };
    let texts = true;
    for (const pair of pairs) {
      if (!Array.isArray(pair) || pair.length !== 2) throw invalid("files", pair, "[path, content] pairs");
      const [path, content] = pair;
      if (typeof path !== "string") throw invalid("files", path, "paths that are strings");
      given.paths.push(path);
      given.contents.push(bytesOf(`files[${JSON.stringify(path)}]`, content));
      texts &&= typeof content === "string";
    }
    const { paths, contents } = native(() => this.#binding.apply(given));
    const after = paths.map((path, place) => {
      const content = contents[place] as Uint8Array;
      return [path, texts ? textOf(path, content) : content] as const;
    });
    return files instanceof Map ? new Map(after) : Object.fromEntries(after);
  }

  /** Returns the patch as a self-contained HTML page with colors, which notebooks also show. */
  toHtml(): string {
    return cardPage(this.#card());
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": inspect(this), "text/html": this.#card() };
  }

  #card(): string {
    return native(() => patchCard(this.bytes));
  }

  /** Returns the patch as text, with invalid UTF-8 replaced. {@link Patch.bytes} is exact. */
  toString(): string {
    return native(() => this.#binding.text());
  }

  /** The exact bytes of the patch. */
  get bytes(): Uint8Array {
    return native(() => this.#binding.bytes());
  }

  /** @internal */
  [inspect.custom](): string {
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
    return `Patch(${count(this.length, "change")} in ${count(this.files.length, "file")})`;
  }

  /** @internal Returns the options of a reduction as JSON, with the tree and dependencies of the patch. */
  static complete(patch: Patch, options: string, granularity: string): string {
    return native(() => optionsInPatch(options, patch.#binding, granularity));
  }

  /** @internal */
  static pick(patch: Patch, set: string): Patch {
    return new Patch(native(() => patch.#binding.pick(set)));
  }
}

/** The type of contents from {@link Patch.apply}: texts or bytes. */
export type Whole<Content extends string | Uint8Array> = Content extends string ? string : Uint8Array;

/** @internal Returns a text or bytes as bytes. */
export function bytesOf(argument: string, value: unknown): Uint8Array {
  if (typeof value === "string") return Buffer.from(value);
  if (!(value instanceof Uint8Array)) throw invalid(argument, value, "a string or a Uint8Array");
  return value;
}

function textOf(path: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw invalid(
      "files",
      "contents that are strings",
      `Uint8Arrays: the new content of ${JSON.stringify(path)} is not UTF-8`,
    );
  }
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** @internal The patch that a report holds, as text or in base64. */
export function portedPatch({ text, bytes }: { text: string | null; bytes: string | null }): Patch {
  return Patch.parse(text ?? Buffer.from(bytes ?? "", "base64"));
}
