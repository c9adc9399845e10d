/** The error class of this package, and the conversion of errors of the binding. */

import { inspect } from "node:util";

/**
 * The kind of an error, with the same names in Rust, Python and Node.
 *
 * - `empty_graph`, `duplicate_revision`, `unknown_parent`, `cycle`: the commit graph is not valid.
 * - `unknown_revision`, `ambiguous_revision`: a name matches no revision, or several.
 * - `unknown_build_target`: a name matches no build target.
 * - `invalid_argument`: an argument has an invalid value.
 * - `contradiction`: a revision has two different outcomes. The search keeps the first one.
 * - `non_deterministic`: a set of items has two different outcomes. The search keeps the first one.
 * - `not_reproduced`: all items together do not have the property, so there is nothing to reduce.
 * - `search_in_use`: another run is driving the search.
 * - `unknown_probe`: the search has not asked for this probe.
 * - `unknown_read`: the search has no such read.
 * - `snapshot`: a snapshot or an event does not belong to this search.
 * - `patch_syntax`: a text is not a patch.
 * - `patch_conflict`: a patch does not fit its files.
 * - `journal`: a journal cannot be read, or belongs to another search.
 * - `journal_locked`: a journal is in use.
 * - `empty_report`, `report_too_large`, `too_many_tests`, `report_too_deep`, `long_id`, `long_ids`, `unknown_format`,
 *   `report_syntax`, `unknown_outcome`, `unwritable_id`: a test report cannot be used.
 * - `store`: an outcome store cannot be used.
 * - `git`: Git failed, or a folder is not in a repository.
 * - `shallow`: the search reaches the boundary of a shallow clone.
 * - `missing_objects`: a partial clone lacks files of a revision.
 * - `command_not_found`: the command of an oracle cannot run.
 * - `command_stopped`: the command of an oracle ended in a way that stops the run.
 * - `retry`: the command of an oracle requested a retry too often.
 * - `interrupted`: a command was interrupted.
 * - `oracle_closed`: an oracle was called after `close`.
 * - `io`: a file or a process cannot be used.
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
  | "empty_report"
  | "report_too_large"
  | "too_many_tests"
  | "report_too_deep"
  | "long_id"
  | "long_ids"
  | "unknown_format"
  | "report_syntax"
  | "unknown_outcome"
  | "unwritable_id"
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

/** An error of this package. Errors of an oracle are never wrapped. */
export class FirstbadError extends Error {
  override readonly name = "FirstbadError";

  /** The full id of the revision of a command. */
  declare readonly revision?: string;
  /** The exit code of a command, `128 + n` for signal `n`. */
  declare readonly exitCode?: number;
  /** The file with the output of a command. */
  declare readonly output?: string;
  /** The number of attempts in a row, if a command requested too many retries. */
  declare readonly tries?: number;

  constructor(
    /** The stable kind of the error, for programs. */
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)));
    const own = (line: string) => line.includes(__dirname);
    // The stack must start at the caller of this package.
    if (this.stack !== undefined)
      this.stack = this.stack
        .split("\n")
        .filter((line) => !own(line))
        .join("\n");
  }
}

/** The details of an error, besides its code. */
export interface ErrorDetails {
  revision?: string | null;
  exitCode?: number | null;
  output?: string | null;
}

/** @internal Returns an `invalid_argument` error in the words of the core. */
export function invalid(argument: string, value: unknown, expected: string): FirstbadError {
  return new FirstbadError("invalid_argument", `${argument}: ${shown(value)} is not valid; expected ${expected}`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value);
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 5, maxStringLength: 80 });
}

/**
 * @internal Converts an error of the binding to a {@link FirstbadError}. Its message is JSON with the code, the message
 * and the details.
 */
export function converted(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof FirstbadError) return thrown;
  try {
    const { code, message, details } = JSON.parse(thrown.message);
    return new FirstbadError(code, message, details);
  } catch {
    return new FirstbadError("internal", thrown.message);
  }
}

/** @internal Converts a name of the core to camelCase. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** @internal Calls a function of the binding. */
export function native<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw converted(thrown);
  }
}

/** @internal Awaits a function of the binding. */
export async function nativePromise<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw converted(thrown);
  }
}
