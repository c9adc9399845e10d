/** Changelists: the files that a commit changes, and its author. */

import { invalid } from "./errors.js";
import { isIterable, isRecord, severalTexts, text } from "./options.js";

/** The effect of a change on a file. A rename deletes the old name and adds the new one. */
export type FileStatus = "added" | "modified" | "deleted";

/**
 * An atomic change to the code, such as a commit. A ranking needs `id` and `files`, and for moved or deleted files
 * `renames` and `statuses`. Factors use the other properties.
 */
export interface Changelist {
  /** The id of the change, such as a hash or a number. */
  readonly id: string;
  /** The files that it added, changed or deleted, as the build graph names them. A rename has both names. */
  readonly files: readonly string[];
  /** The new name of each renamed file by its old name. Both are among `files`. */
  readonly renames?: Readonly<Record<string, string>>;
  /** The status of each file. A missing file is unknown. */
  readonly statuses?: Readonly<Record<string, FileStatus>>;
  /** The ids of the parent changes or revisions. Default: the previous change in the list. */
  readonly parents?: readonly string[];
  /** The name of the author. */
  readonly author?: string;
  /** The e-mail address of the author. */
  readonly email?: string;
  /** The time of the commit, in seconds since 1970. */
  readonly time?: number;
  /** The whole message. */
  readonly message?: string;
  /** The number of added lines. Binary files have none. */
  readonly added?: number;
  /** The number of deleted lines. */
  readonly deleted?: number;
  /**
   * The numbers of added and deleted lines by file, under the new name of a renamed file. A missing file is unknown.
   */
  readonly counts?: Readonly<Record<string, readonly [added: number, deleted: number]>>;
  /**
   * The touched lines by file, first and last, numbered from 1 in the file after the change. Only `factors.trace` uses
   * them. A missing file is unknown.
   */
  readonly lines?: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;
}

/** Changelists, oldest first: a Map from ids to files, `[id, files]` pairs, {@link Changelist}s, or an object. */
export type Changelists =
  | ReadonlyMap<string, Iterable<string>>
  | Iterable<Changelist | readonly [id: string, files: Iterable<string>]>
  | Readonly<Record<string, Iterable<string>>>;

const EXPECTED = "a Map from ids to files, [id, files] pairs, or changelists, oldest first";

/** @internal Returns changelists from all supported forms. */
export function changelistsFrom(given: Changelists): Changelist[] {
  if (typeof given !== "object" || given === null) throw invalid("changes", given, EXPECTED);
  return Array.from(entries(given), (one) => {
    if (Array.isArray(one)) {
      if (one.length !== 2) throw invalid("changes", one, EXPECTED);
      const id = text("changes", one[0]);
      return { id, files: filesOf(id, one[1]) };
    }
    if (typeof one !== "object" || one === null || !("id" in one)) throw invalid("changes", one, EXPECTED);
    const changelist = one as Changelist;
    const id = text("changes", changelist.id);
    return { ...changelist, id, files: filesOf(id, changelist.files) };
  });
}

/** @internal Returns changelists for a ranking. With `content`, the ranking is by content. */
export function rankedParts(changes: readonly Changelist[], content = false): object[] {
  return changes.map(({ id, files, renames = {}, statuses = {}, parents = [], message = "", counts = {} }) => ({
    ...(content ? { message, counts } : {}),
    id,
    files,
    renames,
    statuses,
    parents: severalTexts(`changes[${JSON.stringify(id)}].parents`, parents),
  }));
}

function entries(given: object): Iterable<unknown> {
  if (isIterable(given)) return given;
  if (!isRecord(given)) throw invalid("changes", given, EXPECTED);
  const entries = Object.entries(given);
  const moved = entries.find(([id]) => /^(0|[1-9]\d{0,9})$/.test(id) && Number(id) < 0xffff_ffff);
  if (moved) {
    throw invalid("changes", moved[0], "a Map instead of an object: JavaScript reorders keys that look like integers");
  }
  return entries;
}

function filesOf(id: string, files: unknown): string[] {
  const argument = `changes[${JSON.stringify(id)}]`;
  if (!isIterable(files)) throw invalid(argument, files, "several paths");
  return Array.from(files, (file) => text(argument, file));
}
