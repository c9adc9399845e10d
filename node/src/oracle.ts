/** The one thing that callers bring along: something that knows whether a revision passes, or whether items are interesting. */

import type { Answer } from "./observation.js";
import type { AnyProbe, Probe, ReductionProbe } from "./probe.js";

/** What an oracle gets beside the revision, or beside the items. */
export interface OracleContext<P extends AnyProbe = Probe> {
  /** Aborted when nobody waits for the answer any more; its `reason` says why. */
  readonly signal: AbortSignal;
  /** The probe that it answers. */
  readonly probe: P;
}

/**
 * What any search asks: it answers at once or with a promise. What it throws, or rejects with, is never an answer: it
 * ends the run and reaches the caller unchanged, {@link Retry} excepted.
 */
export type Callback<Subject, P extends AnyProbe> = (
  subject: Subject,
  context: OracleContext<P>,
) => Answer | PromiseLike<Answer>;

/** Tells whether a revision passes: true, or `"pass"`, where it does. A {@link Callback}. */
export type Oracle = Callback<string, Probe>;

/**
 * Tells whether some of the items still have the property: true, or `"pass"`, where they do; nothing, or `"unresolved"`,
 * where that cannot be told. `kept` holds them in their original order. A {@link Callback}.
 */
export type Interesting<Kept> = Callback<Kept, ReductionProbe>;
