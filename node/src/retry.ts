/** For oracles whose machine failed, and not the code under test. */

import { FirstbadError } from "./errors.js";

/**
 * Throw it from an oracle, or reject with it: the probe is abandoned and its revision asked again, at most `retries`
 * times in a row for each revision. After that the run rejects with it.
 */
export class Retry extends Error {
  override readonly name = "Retry";
  /** As every error of this package, and that of a command, has. */
  readonly code = "retry";
  /** The revision where it was thrown once too often, when the run rejects with it; in reductions null. */
  declare readonly revision?: string | null;
  /** How often in a row it was thrown there, when the run rejects with it. */
  declare readonly tries?: number;

  constructor(message = "the machine failed, not the code: ask again", options?: ErrorOptions) {
    super(message, options);
  }
}

/** @internal Whether an oracle asks for another run: a command does so with an error of the core. */
export function asksAgain(error: unknown): error is Retry | FirstbadError {
  return error instanceof Retry || (error instanceof FirstbadError && error.code === "retry");
}
