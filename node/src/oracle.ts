/** The one thing that callers bring along: something that knows whether a revision passes. */

import type { Answer } from "./observation.js";
import type { Probe } from "./search.js";

/** What an oracle gets beside the revision. */
export interface OracleContext {
  /** Aborted when nobody waits for the answer any more; its `reason` says why. */
  readonly signal: AbortSignal;
  /** The probe that it answers. */
  readonly probe: Probe;
}

/**
 * Tells whether a revision passes, at once or with a promise. What it throws, or rejects with, is never an answer: it
 * ends the run and reaches the caller unchanged, {@link Retry} excepted.
 */
export type Oracle = (revision: string, context: OracleContext) => Answer | PromiseLike<Answer>;
