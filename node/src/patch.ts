/** Patches: unified diffs as git writes them, any changes of which may be left out. */

import { inspect } from "node:util";
import { type BindingFiles, BindingPatch, cardPage, optionsInPatch, patchCard } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { indicesFrom } from "./fields.js";
import { pairsOf } from "./options.js";

/** What a change does. */
export type ChangeKind = "mode" | "creation" | "deletion" | "rename" | "copy" | "removed" | "added" | "binary";

/** One change: an added or removed line, a change of a file's header, or the whole content of a binary file. */
export interface Change {
  /** Its number in the patch, from 0. */
  readonly index: number;
  /** The number of its file in the patch, from 0. */
  readonly file: number;
  /** The number of its hunk in the file, from 0; null for header changes and binary files. */
  readonly hunk: number | null;
  /** What it does. */
  readonly kind: ChangeKind;
  /** The file's path: the new one, or the old one of a deleted file. */
  readonly path: string;
  /** The line without its sign and line end; for header changes what changes, in words (`100644 -> 100755`). */
  readonly text: string;
  /** The number of the line, from 1: of a removed line in the old file, of an added one in the new file; else null. */
  readonly line: number | null;
}

/** One hunk of a file. */
export interface Hunk {
  /** Where it begins in the old file, from 1; with a count of 0 the line before. */
  readonly oldStart: number;
  /** How many lines it has there. */
  readonly oldCount: number;
  /** Where it begins in the new file, from 1; with a count of 0 the line before. */
  readonly newStart: number;
  /** How many lines it has there. */
  readonly newCount: number;
  /** The text behind the second `@@`: git puts the function's name there. */
  readonly heading: string;
  /** The numbers of its changes in the patch. */
  readonly changes: readonly number[];
}

/** The part of a patch about one file. */
export interface FilePatch {
  /** The new path, or the old one of a deleted file. */
  readonly path: string;
  /** The path before; null for a new file. */
  readonly oldPath: string | null;
  /** The path after; null for a deleted file. */
  readonly newPath: string | null;
  /** Whether its content is binary: one change at most. */
  readonly binary: boolean;
  /** What its header changes: a mode, one of creation, deletion, rename and copy, both, or nothing. */
  readonly header: readonly ChangeKind[];
  /** The numbers of its changes in the patch. */
  readonly changes: readonly number[];
  /** Its hunks, in order. */
  readonly hunks: readonly Hunk[];
}

/** Files by their paths: an object, a Map, or `[path, content]` pairs. */
export type Files<Content extends string | Uint8Array> =
  | Readonly<Record<string, Content>>
  | ReadonlyMap<string, Content>
  | Iterable<readonly [path: string, content: Content]>;

/**
 * A patch: what one or several diffs change, as numbered changes. It cannot be changed.
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

  /** @internal A patch made by the binding. */
  static adopt(binding: BindingPatch): Patch {
    return new Patch(binding);
  }

  /**
   * Reads the diffs of `git diff`, `git show` and `git format-patch`, with or without prefixes, and plain `diff -u`. Text
   * around the diffs is kept, but is no change; an empty text is a patch without changes. Bytes need not be UTF-8.
   *
   * @throws {@link FirstbadError} `patch_syntax`, with the line, for what is no patch as git writes them; combined diffs
   * of merges are refused, because they cannot be applied, and so is text without any diff.
   */
  static parse(text: string | Uint8Array): Patch {
    const bytes = bytesOf("text", text);
    return new Patch(native(() => BindingPatch.parse(bytes)));
  }

  /** The number of changes. */
  get length(): number {
    return this.#binding.size;
  }

  /** The files, in the order of the patch. A file may stand there more than once. */
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
   * For each change its number in the patch that this one was taken from by {@link Patch.subset}, ascending; a patch that
   * was read is its own origin.
   */
  get origin(): number[] {
    return JSON.parse(native(() => this.#binding.origin()));
  }

  /**
   * Files, hunks and changes as a tree, for `parents` of a reduction: for each entry the number of its parent entry.
   * First come the changes, then all hunks, then all files, which have none.
   */
  get parents(): (number | null)[] {
    return JSON.parse(native(() => this.#binding.parents()));
  }

  /** For each change the changes that it cannot do without, all of them, for `dependencies` of a reduction. */
  get dependencies(): number[][] {
    return JSON.parse(native(() => this.#binding.dependencies()));
  }

  /**
   * The patch with only these changes, given in any order, and without those of them that cannot stand without what is
   * missing: always a patch that `git apply` accepts on the files that the whole patch fits.
   *
   * @throws {@link FirstbadError} `invalid_argument` where a number is none of a change, or is given twice.
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
   * The changes that {@link Patch.subset} keeps of these, ascending.
   *
   * @throws {@link FirstbadError} `invalid_argument` where a number is none of a change, or is given twice.
   */
  standing(changes: Iterable<number>): number[] {
    const numbers = indicesFrom("changes", changes);
    return JSON.parse(native(() => this.#binding.standing(numbers)));
  }

  /**
   * `git apply` in memory: the files after the patch, from the files before it, in the form in which they are given: a
   * Map for a Map, else an object; text where all contents given are text, else bytes. Modes are none of a content; that
   * of a symbolic link is its target.
   *
   * @throws {@link FirstbadError} `patch_conflict` where a file is missing, is there already, or is not as the patch
   * expects it; `invalid_argument` where texts are given and a content becomes none.
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

  /** The patch as a page that needs no other file, in colours: what a notebook shows. */
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

  /** The patch as text; bytes that are not UTF-8 are replaced, which {@link Patch.bytes} does not do. */
  toString(): string {
    return native(() => this.#binding.text());
  }

  /** The patch byte for byte as it was read or taken out of another. */
  get bytes(): Uint8Array {
    return native(() => this.#binding.bytes());
  }

  /** @internal */
  [inspect.custom](): string {
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
    return `Patch(${count(this.length, "change")} in ${count(this.files.length, "file")})`;
  }

  /** @internal The options of a reduction, as JSON, with what a patch says itself. */
  static complete(patch: Patch, options: string, granularity: string): string {
    return native(() => optionsInPatch(options, patch.#binding, granularity));
  }

  /** @internal */
  static pick(patch: Patch, set: string): Patch {
    return new Patch(native(() => patch.#binding.pick(set)));
  }
}

/** What {@link Patch.apply} makes of contents: text, or bytes. */
export type Whole<Content extends string | Uint8Array> = Content extends string ? string : Uint8Array;

/** @internal A text or bytes as bytes. */
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
