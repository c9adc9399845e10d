/** What an oracle answers. */

import { undefinedReturned } from "./binding.js";
import { Changes } from "./change-set.js";
import { FirstbadError, invalid } from "./errors.js";
import { aBoolean, aCount, aNumber, anAmount, aSize, asItIs, aText, type Fields, fieldsJson } from "./fields.js";

/** Whether a revision has the wanted property. `unresolved` (it could not be told) is never a failure. */
export type Outcome = "pass" | "fail" | "unresolved";

/**
 * A stage of a test, in the order in which they come: applying a patch, reading what it makes of files in their languages
 * (where one does not parse, nothing was run), what the test needs around it, configuring the build, the build, the test
 * itself, and a second command after a test that failed (Artho, "Iterative Delta Debugging", Section 5.1).
 */
export type Stage = "patch" | "parse" | "setup" | "configure" | "build" | "test" | "control";

/**
 * An outcome with what came along. Only `outcome` is needed.
 *
 * As an object it is always truthy, whatever was seen, and so is an outcome, a word: do not write `if (await
 * oracle.run(revision))`, but `if ((await oracle.run(revision)).outcome === "pass")`.
 */
export interface Observation {
  /** What was seen. */
  outcome: Outcome;
  /** Which failure it was, as any text: another failure than the one searched for counts as unresolved. */
  signature?: string | null;
  /** The stage at which the test ended, where it did not pass; left out if that is not known. */
  stage?: Stage | null;
  /** How many runs passed, where the test was run several times. */
  passes?: number | null;
  /** How many runs failed, where the test was run several times. */
  fails?: number | null;
  /** A measured number (a duration, a size), in the caller's unit. */
  metric?: number | null;
  /** How long the test took, in seconds, 0 or above. */
  seconds?: number | null;
  /** The most memory that a process of the test had at once (resident), in bytes; a whole number, 0 or above. */
  memory?: number | null;
  /** What the test cost, 0 or above, in the unit of the budget's `cost`. */
  cost?: number | null;
  /** When the test was started, in seconds, 0 or above, on any clock that all observations of a search share. */
  started?: number | null;
  /** When it ended, on the same clock; not before `started`. */
  ended?: number | null;
  /** Facts seen along the way, as any JSON value. */
  signals?: unknown;
  /** Words for people: how it ended, why it is unresolved. */
  note?: string | null;
  /** The file that holds what the test printed. */
  output?: string | null;
  /** Whether the test was run: false for an answer that cost no run, which no budget counts. By default true. */
  ran?: boolean | null;
  /** Whether the test reused what an earlier run had built in the same worktree. By default false. */
  reused?: boolean | null;
}

/** An observation with the revision that it is about. */
export interface RevisionObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The probe that it answered; `null` if it was known without being asked. */
  probe: number | null;
}

/** An observation with the set of items that it is about. */
export interface SubsetObservation extends Observation {
  /** The indices of the items that were kept, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /** The same in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The probe that it answered; `null` if it was known without being asked. */
  probe: number | null;
}

/** An observation with what it is about. */
export interface PortObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The changes on it in short (`"0-3,7"`); null, or empty, for the revision as it is. */
  set: string | null;
  /** The number of the read that they are changes of; null without changes. */
  universe: number | null;
  /** The probe that it answered; null if it was known without being asked. */
  probe: number | null;
}

/** An observation as the core writes it. */
type WrittenObservation<About> = Observation & { changes?: string; universe?: number; probe: number | null } & About;

/** @internal An observation of the core, whose changes are a set in short. */
export function subsetObservation(seen: WrittenObservation<{ changes: string }>): SubsetObservation {
  const { changes, ...rest } = seen;
  return Object.assign(new Changes(changes), rest);
}

/** @internal An observation of the core about a revision with changes on it. */
export function portObservation(seen: WrittenObservation<{ revision: string }>): PortObservation {
  const { revision, changes, universe, probe, ...rest } = seen;
  return { revision, set: changes ?? null, universe: universe ?? null, probe, ...rest };
}

/**
 * Several runs at once, by their counts alone. Searches that take the test for reliable see a pass where all passed, a
 * failure where all failed, and nothing resolved where some did; flaky tests are a matter of {@link findCulprit}.
 */
export type CountedObservation = Omit<Observation, "outcome"> & { outcome?: Outcome | null } & (
    | { passes: number }
    | { fails: number }
  );

/** What an oracle may answer: true is pass, false is fail, nothing is unresolved. */
export type Answer = Outcome | Observation | CountedObservation | boolean | null | undefined;

const WORDS = ["pass", "fail", "unresolved"] as const;

const STAGES = ["patch", "parse", "setup", "configure", "build", "test", "control"] as const;

const FIELDS: Fields<Observation> = {
  outcome: (argument, value) => {
    if (!WORDS.includes(value as Outcome)) throw invalid(argument, value, '"pass", "fail" or "unresolved"');
    return value;
  },
  signature: aText,
  stage: (argument, value) => {
    if (!STAGES.includes(value as Stage)) throw invalid(argument, value, `one of ${STAGES.join(", ")}`);
    return value;
  },
  passes: aCount,
  fails: aCount,
  metric: aNumber(),
  seconds: anAmount,
  memory: aSize,
  cost: anAmount,
  started: anAmount,
  ended: anAmount,
  signals: asItIs,
  note: aText,
  output: aText,
  ran: aBoolean,
  reused: aBoolean,
};

/** @internal The binding's number for an answer that is nothing but an outcome; -1 for any other. */
export function bareOutcome(answer: Answer): number {
  switch (answer) {
    case true:
    case "pass":
      return 0;
    case false:
    case "fail":
      return 1;
    case null:
    case "unresolved":
      return 2;
    default:
      return -1;
  }
}

/** @internal A valid answer as an observation, with the outcome that the core reads off counts. */
export function observed(answer: Answer): Observation {
  if (answer === undefined) return JSON.parse(undefinedReturned()) as Observation;
  const word = WORDS[bareOutcome(answer)];
  if (word) return { outcome: word };
  const { outcome, ...rest } = answer as Observation | CountedObservation;
  if (outcome) return { outcome, ...rest };
  const [passes, fails] = [rest.passes ?? 0, rest.fails ?? 0];
  return { outcome: passes > 0 === fails > 0 ? "unresolved" : passes > 0 ? "pass" : "fail", ...rest };
}

/** @internal Any answer as the binding takes it. */
export function observationJson(answer: Answer, argument = "answer"): string {
  if (answer === undefined) return undefinedReturned();
  const word = WORDS[bareOutcome(answer)];
  if (word) return `{"outcome":"${word}"}`;
  const says = (part: unknown) => part !== undefined && part !== null;
  if (
    typeof answer !== "object" ||
    answer === null ||
    Array.isArray(answer) ||
    ![answer.outcome, answer.passes, answer.fails].some(says)
  ) {
    throw invalid(
      argument,
      answer,
      '"pass", "fail", "unresolved", a boolean, nothing (unresolved), or an object with an outcome or counts ' +
        "(passes, fails)",
    );
  }
  return fieldsJson(answer, FIELDS, argument);
}

/** @internal What was thrown about an answer, to be thrown on: where it is none, with what was called, and for what. */
export function noAnswer(
  error: unknown,
  probe: { readonly revision?: string; readonly set?: string },
  callback?: string,
): unknown {
  // Errors from the caller's getters are passed on unchanged.
  if (!(error instanceof FirstbadError) || error.code !== "invalid_argument") return error;
  const { revision } = probe;
  const called = callback ?? (revision === undefined ? "interesting" : "oracle");
  const subject = revision === undefined ? `for changes ${probe.set ?? ""}` : `at revision ${JSON.stringify(revision)}`;
  return new FirstbadError(error.code, `${called}, ${subject}: ${error.message}`);
}
