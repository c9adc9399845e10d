/** Changelists: what a commit did to which files, and who made it. */

import { invalid } from "./errors.js";
import { isIterable, isRecord, severalTexts, text } from "./options.js";

/** What a change did to a file. A renamed one is deleted under its old name and added under the new one. */
export type FileStatus = "added" | "modified" | "deleted";

/**
 * An atomic change to the code, like a commit. For a ranking `id` and `files` are enough, and where files were moved or
 * deleted `renames` and `statuses`; factors look at the rest.
 */
export interface Changelist {
  /** Its id: a sha, a number. */
  readonly id: string;
  /** The files that it added, changed or deleted, as the build graph names them; of a renamed one both names. */
  readonly files: readonly string[];
  /** The files that it renamed: by the old name the new one. Both are among `files`. */
  readonly renames?: Readonly<Record<string, string>>;
  /** By file what it did to that; where a file is not in it, nobody has looked. */
  readonly statuses?: Readonly<Record<string, FileStatus>>;
  /** The ids of the changes, or revisions, that it was made upon; by default the one before it in the list. */
  readonly parents?: readonly string[];
  /** The author's name. */
  readonly author?: string;
  /** The author's e-mail address. */
  readonly email?: string;
  /** When it was committed, in seconds since 1970. */
  readonly time?: number;
  /** The whole message. */
  readonly message?: string;
  /** How many lines it added; binary files have none. */
  readonly added?: number;
  /** How many lines it deleted. */
  readonly deleted?: number;
  /**
   * By file how many lines it added, and how many it deleted; of a renamed one under its new name. Where a file is not in
   * it, nobody has looked.
   */
  readonly counts?: Readonly<Record<string, readonly [added: number, deleted: number]>>;
  /**
   * By file which lines it touched, first and last, numbered from 1 in the file after it. Only `factors.trace` looks at
   * it; where a file is not in it, nobody knows its lines.
   */
  readonly lines?: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;
}

/** Changelists, oldest first: a Map from ids to files, `[id, files]` pairs, {@link Changelist}s, or an object. */
export type Changelists =
  | ReadonlyMap<string, Iterable<string>>
  | Iterable<Changelist | readonly [id: string, files: Iterable<string>]>
  | Readonly<Record<string, Iterable<string>>>;

const EXPECTED = "a Map from ids to files, [id, files] pairs, or changelists, oldest first";

/** @internal Changelists from what stands for them. */
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

/** @internal What a ranking needs of changelists; with `content` one by what they touch. */
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
