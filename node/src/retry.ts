/** Retries, for oracles whose machine failed rather than the code. */

import { FirstbadError } from "./errors.js";

/**
 * An error that an oracle throws, or rejects with, to run a probe again. The probe is abandoned, and the search asks
 * for its revision again, at most `retries` times in a row. After that the run rejects with this error.
 */
export class Retry extends Error {
  override readonly name = "Retry";
  /** The code, as for every error of this package. */
  readonly code = "retry";
  /** The revision with too many retries, when the run rejects. Null in reductions. */
  declare readonly revision?: string | null;
  /** The number of attempts in a row, when the run rejects. */
  declare readonly tries?: number;

  constructor(message = "the machine failed, not the code: ask again", options?: ErrorOptions) {
    super(message, options);
  }
}

/** @internal Returns whether an error requests a retry. A command does so with an error of the core. */
export function asksAgain(error: unknown): error is Retry | FirstbadError {
  return error instanceof Retry || (error instanceof FirstbadError && error.code === "retry");
}
