/** The results of an oracle. */

import { observationOfResults, undefinedReturned } from "./binding.js";
import { Changes } from "./change-set.js";
import { FirstbadError, invalid, native } from "./errors.js";
import {
  aBoolean,
  aCount,
  aNumber,
  anAmount,
  aSize,
  asItIs,
  aText,
  type Field,
  type Fields,
  fieldsJson,
  numbersById,
} from "./fields.js";
import { isRecord, pairsOf, text } from "./options.js";

/** The outcome of a test. `unresolved` is not a failure. */
export type Outcome = "pass" | "fail" | "unresolved";

/**
 * A stage of a test, in order: applying a patch, parsing patched files (if a file does not parse, nothing runs),
 * preparing requirements, configuring the build, building, testing, and running a second command after a failed test
 * (Artho, "Iterative Delta Debugging", Section 5.1).
 */
export type Stage = "patch" | "parse" | "setup" | "configure" | "build" | "test" | "control";

/**
 * An outcome with its details. Only `outcome` is required.
 *
 * An observation is an object and always truthy, and so is an outcome. Do not write `if (await oracle.run(revision))`,
 * but `if ((await oracle.run(revision)).outcome === "pass")`.
 */
export interface Observation {
  /** The outcome. */
  outcome: Outcome;
  /** A text that identifies the failure. A failure with another signature than the one searched for is unresolved. */
  signature?: string | null;
  /** The stage at which the test did not pass, if it is known. */
  stage?: Stage | null;
  /** The number of passed runs, if the test ran several times. */
  passes?: number | null;
  /** The number of failed runs, if the test ran several times. */
  fails?: number | null;
  /** A measured number (a duration, a size), in any unit. */
  metric?: number | null;
  /** Whether `metric` is only a limit that the measurement exceeded, such as the timeout of a benchmark. Default: false. */
  censored?: boolean | null;
  /** The number that the same run measured at a good revision, in a search with `paired: true`. */
  control?: number | null;
  /** The measured numbers by name, if the search has several metrics. */
  metrics?: Readonly<Record<string, number>> | null;
  /** The duration of the test in seconds, 0 or more. */
  seconds?: number | null;
  /** The peak resident memory of a process of the test, in bytes. A whole number, 0 or more. */
  memory?: number | null;
  /** The cost of the test, 0 or more, in the unit of the budget's `cost`. */
  cost?: number | null;
  /** The start of the test in seconds, 0 or more, on any clock that all observations of a search share. */
  started?: number | null;
  /** The end of the test on the same clock, not before `started`. */
  ended?: number | null;
  /** Additional facts, as any JSON value. */
  signals?: unknown;
  /** A note for people, such as why the outcome is unresolved. */
  note?: string | null;
  /** The file with the output of the test. */
  output?: string | null;
  /** Whether the test ran. An outcome without a run does not count toward a budget. Default: true. */
  ran?: boolean | null;
  /** Whether the test reused build results of an earlier run in the same worktree. Default: false. */
  reused?: boolean | null;
  /** The result of each test by its id, if the search tests several tests at once. A missing test is unresolved. */
  results?: Readonly<Record<string, TestResult>> | null;
}

/** The result of one test in an observation of several tests. Only `outcome` is required. */
export interface TestResult {
  /** The outcome. */
  outcome: Outcome;
  /** A text that identifies the failure. It orders the work and is never a verdict. */
  signature?: string | null;
  /** The duration of the test in seconds, 0 or more. */
  seconds?: number | null;
  /** The number of passed runs, if the test ran several times. */
  passes?: number | null;
  /** The number of failed runs, if the test ran several times. */
  fails?: number | null;
}

/** An observation with its revision. */
export interface RevisionObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The probe that was asked; `null` if the outcome was told without a probe. */
  probe: number | null;
}

/** An observation with its revision and its tests. */
export interface SuiteObservation extends RevisionObservation {
  /**
   * The tests that were asked, as indices in short form, in the order in which the search found the failing tests. Empty
   * for a build, and `null` for the whole suite.
   */
  set: string | null;
}

/** An observation with its set of items. */
export interface SubsetObservation extends Observation {
  /** The ascending indices of the kept items, computed on first use. */
  readonly changes: readonly number[];
  /** The short form of `changes`: `"0-3,7"` is 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The probe that was asked; `null` if the outcome was told without a probe. */
  probe: number | null;
}

/** An observation with its target. */
export interface PortObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The short form of the changes (`"0-3,7"`). Null or empty for the unchanged revision. */
  set: string | null;
  /** The id of the read whose changes they are, or null without changes. */
  universe: number | null;
  /** The probe that was asked, or null if the outcome was told without a probe. */
  probe: number | null;
}

/** An observation as the core writes it. */
type WrittenObservation<About> = Observation & { changes?: string; universe?: number; probe: number | null } & About;

/** @internal Converts an observation of the core, whose changes are in short form. */
export function subsetObservation(seen: WrittenObservation<{ changes: string }>): SubsetObservation {
  const { changes, ...rest } = seen;
  return Object.assign(new Changes(changes), rest);
}

/** @internal An observation of the core about the tests of a revision. */
export function suiteObservation(seen: WrittenObservation<{ revision: string; tests?: string }>): SuiteObservation {
  const { revision, tests, probe, ...rest } = seen;
  return { revision, set: tests ?? null, probe, ...rest };
}

/** @internal An observation of the core about a revision with changes on it. */
export function portObservation(seen: WrittenObservation<{ revision: string }>): PortObservation {
  const { revision, changes, universe, probe, ...rest } = seen;
  return { revision, set: changes ?? null, universe: universe ?? null, probe, ...rest };
}

/**
 * The counts of several runs. In searches for reliable tests, only passes are a pass, only fails are a failure, and
 * mixed counts are unresolved. For flaky tests, use {@link findCulprit}.
 */
export type CountedObservation = Omit<Observation, "outcome"> & { outcome?: Outcome | null } & (
    | { passes: number }
    | { fails: number }
  );

/** A value that an oracle can return: true is pass, false is fail, and null or undefined is unresolved. */
export type Answer = Outcome | Observation | CountedObservation | boolean | null | undefined;

/** An outcome of one test. */
export type TestAnswer = Answer | TestResult;

/** The results of tests by id: a Map, `[id, result]` pairs, or an object. */
export type Results =
  | ReadonlyMap<string, TestAnswer>
  | Iterable<readonly [id: string, result: TestAnswer]>
  | Readonly<Record<string, TestAnswer>>;

/**
 * A value that an oracle of several tests can return: outcomes by test, or one outcome of all tests. An object with an
 * `outcome`, counts or `results` is one {@link Observation}. Use a Map if a test has such an id.
 */
export type SuiteAnswer = Answer | Results;

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
  censored: aBoolean,
  control: aNumber(),
  metrics: numbersById("a finite number"),
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
  results: (argument, value) => someResults(argument, value),
};

const OF_A_TEST = ["outcome", "signature", "seconds", "passes", "fails"];

/** @internal The results of tests by id. */
export const someResults: Field = (argument, value) => {
  const pairs = pairsOf(value);
  if (pairs === undefined) throw invalid(argument, value, "a Map of results by test, [id, result] pairs, or an object");
  const entries = Array.from(pairs, (pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw invalid(argument, pair, "[id, result] pairs");
    const id = text(argument, pair[0]);
    const given = JSON.parse(observationJson(pair[1] as Answer, `${argument}[${JSON.stringify(id)}]`));
    return [id, Object.fromEntries(Object.entries(given).filter(([name]) => OF_A_TEST.includes(name)))];
  });
  return Object.fromEntries(entries);
};

/** @internal Returns the number of a plain outcome for the binding, or -1 for other values. */
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

/** @internal Returns the observation of a valid value, with the outcome derived from its counts. */
export function observed(answer: Answer): Observation {
  if (answer === undefined) return JSON.parse(undefinedReturned()) as Observation;
  const word = WORDS[bareOutcome(answer)];
  if (word) return { outcome: word };
  const { outcome, ...rest } = answer as Observation | CountedObservation;
  if (outcome) return { outcome, ...rest };
  const [passes, fails] = [rest.passes ?? 0, rest.fails ?? 0];
  return { outcome: passes > 0 === fails > 0 ? "unresolved" : passes > 0 ? "pass" : "fail", ...rest };
}

/** @internal Returns any value of an oracle as the binding takes it. */
export function observationJson(answer: Answer, argument = "answer"): string {
  if (answer === undefined) return undefinedReturned();
  const word = WORDS[bareOutcome(answer)];
  if (word) return `{"outcome":"${word}"}`;
  const says = (part: unknown) => part !== undefined && part !== null;
  if (
    typeof answer !== "object" ||
    answer === null ||
    Array.isArray(answer) ||
    ![answer.outcome, answer.passes, answer.fails, answer.results].some(says)
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

/** @internal Returns any value of an oracle of several tests as the binding takes it. */
export function suiteJson(answer: SuiteAnswer, argument = "answer"): string {
  if (isRecord(answer) && isObservation(answer as Partial<Observation>)) {
    const { results, ...rest } = answer as Partial<Observation>;
    if (!isRecord(results) || "outcome" in rest) return observationJson(answer as Answer, argument);
    const whole = JSON.parse(wholeJson(`${argument}.results`, results));
    return observationJson({ ...whole, ...rest, results: whole.results }, argument);
  }
  if (pairsOf(answer) === undefined) return observationJson(answer as Answer, argument);
  return wholeJson(argument, answer);
}

/** Returns the observation of several tests from their results. */
function wholeJson(argument: string, results: unknown): string {
  const written = JSON.stringify(someResults(argument, results));
  return native(() => observationOfResults(written));
}

/** Whether an object is an observation rather than results by test. */
function isObservation(answer: Partial<Observation>): boolean {
  const { outcome, passes, fails, results } = answer;
  const isCount = (count: unknown) => typeof count === "number";
  return WORDS.includes(outcome as Outcome) || isCount(passes) || isCount(fails) || isRecord(results);
}

/** @internal Adds the call and its probe to an error about an invalid outcome. */
export function noAnswer(
  error: unknown,
  probe: { readonly revision?: string; readonly set?: string },
  callback?: string,
): unknown {
  // Errors of the caller's getters are passed on unchanged.
  if (!(error instanceof FirstbadError) || error.code !== "invalid_argument") return error;
  const { revision } = probe;
  const called = callback ?? (revision === undefined ? "interesting" : "oracle");
  const subject = revision === undefined ? `for changes ${probe.set ?? ""}` : `at revision ${JSON.stringify(revision)}`;
  return new FirstbadError(error.code, `${called}, ${subject}: ${error.message}`);
}
