/** Oracles: functions that test a revision or a set of items. */

import type { Answer, SuiteAnswer } from "./observation.js";
import type { AnyProbe, Probe, ReductionProbe, SuiteProbe } from "./probe.js";

/** A value that tells the outcome of a probe of this kind. */
export type AnswerOf<P extends AnyProbe> = P extends SuiteProbe ? SuiteAnswer : Answer;

/** The context of an oracle, besides the revision or the items. */
export interface OracleContext<P extends AnyProbe = Probe> {
  /** A signal that is aborted when the outcome is no longer wanted. Its `reason` says why. */
  readonly signal: AbortSignal;
  /** The probe of this call. */
  readonly probe: P;
}

/**
 * A function that a search calls. It returns an outcome or a promise of one. An error is not an outcome: it ends the
 * run and reaches the caller unchanged, except {@link Retry}.
 */
export type Callback<Subject, P extends AnyProbe> = (
  subject: Subject,
  context: OracleContext<P>,
) => Answer | PromiseLike<Answer>;

/** A {@link Callback} that tests a revision. It returns true or `"pass"` if the revision passes. */
export type Oracle = Callback<string, Probe>;

/**
 * A function that runs tests of a revision: all tests if `tests` is `null`, and only a build if it is empty. It can
 * return more tests than asked. A missing test is unresolved.
 */
export type SuiteCallback = (
  revision: string,
  tests: readonly string[] | null,
  context: OracleContext<SuiteProbe>,
) => SuiteAnswer | PromiseLike<SuiteAnswer>;

/**
 * A {@link Callback} that tests a set, given in the original order. It returns true or `"pass"` if the set has the
 * property, and null, undefined or `"unresolved"` if the test does not decide.
 */
export type Interesting<Kept> = Callback<Kept, ReductionProbe>;
