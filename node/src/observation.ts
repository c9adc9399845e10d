/** What an oracle answers. */

import { invalid } from "./errors.js";
import { json } from "./options.js";

/** Whether a revision has the wanted property. `unresolved` (it could not be told) is never a failure. */
export type Outcome = "pass" | "fail" | "unresolved";

/** An outcome with what came along. Only `outcome` is needed. */
export interface Observation {
  /** What was seen. */
  outcome: Outcome;
  /** Which failure it was, as any text: another failure than the one searched for counts as unresolved. */
  signature?: string | null;
  /** How many runs passed, where the test was run several times. */
  passes?: number | null;
  /** How many runs failed, where the test was run several times. */
  fails?: number | null;
  /** A measured number (a duration, a size), in the caller's unit. */
  metric?: number | null;
  /** How long the test took, in seconds, 0 or above. */
  seconds?: number | null;
  /** What the test cost, 0 or above, in the unit of the budget's `cost`. */
  cost?: number | null;
  /** Facts seen along the way, as any JSON value. */
  signals?: unknown;
  /** Words for people: where the log is, why it is unresolved. */
  note?: string | null;
}

/** What an oracle may answer: true is pass, false is fail, nothing is unresolved. */
export type Answer = Outcome | Observation | boolean | null | undefined;

/** @internal The binding's number for an answer that is nothing but an outcome; -1 for any other. */
export function bareOutcome(answer: Answer): number {
  switch (answer) {
    case true:
    case "pass":
      return 0;
    case false:
    case "fail":
      return 1;
    case undefined:
    case null:
    case "unresolved":
      return 2;
    default:
      return -1;
  }
}

const WORDS = ["pass", "fail", "unresolved"] as const;

/** @internal A valid answer as an observation. */
export function observed(answer: Answer): Observation {
  const outcome = WORDS[bareOutcome(answer)];
  return outcome ? { outcome } : (answer as Observation);
}

/** @internal Any answer as the binding takes it. */
export function observationJson(answer: Answer): string {
  const outcome = WORDS[bareOutcome(answer)];
  if (outcome) return JSON.stringify({ outcome });
  if (typeof answer !== "object" || answer === null || !WORDS.includes(answer.outcome)) {
    throw invalid(
      "answer",
      answer,
      '"pass", "fail", "unresolved", a boolean, nothing (unresolved), or an object whose outcome is one of the three',
    );
  }
  return json("answer", answer);
}
