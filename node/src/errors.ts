/** The one error class of this package, and the one place where the binding's errors become it. */

import { inspect } from "node:util";

/**
 * What kind of error it is; the same words in Rust, Python and Node.
 *
 * - `empty_graph`, `duplicate_revision`, `unknown_parent`, `cycle`: the revisions given make no commit graph.
 * - `unknown_revision`, `ambiguous_revision`: a name stands for no revision, or for several.
 * - `unknown_build_target`: a name stands for no build target.
 * - `invalid_argument`: an argument has a value that cannot be meant.
 * - `contradiction`: two different outcomes for one revision; the first one is kept.
 * - `non_deterministic`: two different outcomes for one set of items; the first one is kept.
 * - `not_reproduced`: the property to be kept does not hold for all items together: there is nothing to reduce.
 * - `search_in_use`: another run is driving the search.
 * - `unknown_probe`: an answer to a probe that was never asked.
 * - `unknown_read`: a content that was never asked for.
 * - `snapshot`: a snapshot or an event does not belong to this search.
 * - `patch_syntax`: a text is no patch as git writes them.
 * - `patch_conflict`: a patch does not fit the files that it is applied to.
 * - `journal`: a journal cannot be read, or belongs to another search.
 * - `journal_locked`: somebody else writes to the journal.
 * - `store`: an outcome store cannot be used.
 * - `git`: git answered with an error, or a folder is no repository.
 * - `shallow`: a search would begin where a shallow clone was cut off.
 * - `missing_objects`: a partial clone does not have what a revision holds.
 * - `command_not_found`: an oracle's command cannot be run at all.
 * - `command_stopped`: an oracle's command ended in a way that stops the run.
 * - `retry`: an oracle's command says that the machine failed, and not the code, once too often.
 * - `interrupted`: a command was interrupted from outside.
 * - `oracle_closed`: an oracle was called after it was closed.
 * - `io`: a file or a process could not be handled.
 * - `internal`: a bug in this package.
 */
export type ErrorCode =
  | "empty_graph"
  | "duplicate_revision"
  | "unknown_parent"
  | "cycle"
  | "unknown_revision"
  | "ambiguous_revision"
  | "unknown_build_target"
  | "invalid_argument"
  | "contradiction"
  | "non_deterministic"
  | "not_reproduced"
  | "search_in_use"
  | "unknown_probe"
  | "unknown_read"
  | "snapshot"
  | "patch_syntax"
  | "patch_conflict"
  | "journal"
  | "journal_locked"
  | "store"
  | "git"
  | "shallow"
  | "missing_objects"
  | "command_not_found"
  | "command_stopped"
  | "retry"
  | "interrupted"
  | "oracle_closed"
  | "io"
  | "internal";

/** Whatever this package itself finds wrong. What an oracle throws is never wrapped in it. */
export class FirstbadError extends Error {
  override readonly name = "FirstbadError";

  /** Of an oracle's command: the full id of the revision that it was run at. */
  declare readonly revision?: string;
  /** Of an oracle's command: its exit code, for a signal `n` it is `128 + n`. */
  declare readonly exitCode?: number;
  /** Of an oracle's command: the file that holds its output. */
  declare readonly output?: string;
  /** Of a command that says that the machine failed: how often in a row, when a run rejects with it. */
  declare readonly tries?: number;

  constructor(
    /** The stable kind of error, for programs. */
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)));
    const own = (line: string) => line.includes(__dirname);
    // What is of interest is who called this package.
    if (this.stack !== undefined)
      this.stack = this.stack
        .split("\n")
        .filter((line) => !own(line))
        .join("\n");
  }
}

/** What there is to say of an error beside its code. */
export interface ErrorDetails {
  revision?: string | null;
  exitCode?: number | null;
  output?: string | null;
}

/** @internal An `invalid_argument`, in the core's words. */
export function invalid(argument: string, value: unknown, expected: string): FirstbadError {
  return new FirstbadError("invalid_argument", `${argument}: ${shown(value)} is not valid; expected ${expected}`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value);
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 5, maxStringLength: 80 });
}

/** @internal What the binding threw, as a {@link FirstbadError}: its message is JSON with the code, the message and the details. */
export function converted(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof FirstbadError) return thrown;
  try {
    const { code, message, details } = JSON.parse(thrown.message);
    return new FirstbadError(code, message, details);
  } catch {
    return new FirstbadError("internal", thrown.message);
  }
}

/** @internal A name of the core as it is written here. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** @internal Runs something of the binding. */
export function native<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw converted(thrown);
  }
}

/** @internal Awaits something of the binding. */
export async function nativePromise<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw converted(thrown);
  }
}
