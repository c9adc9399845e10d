/** Results of a function that measures a revision. */

import { undefinedReturned } from "./binding.js";
import { invalid } from "./errors.js";
import { aNumber, json, numbersById } from "./fields.js";
import { type Observation, observationJson } from "./observation.js";
import { isIterable, isRecord, pairsOf } from "./options.js";
import type { OracleContext } from "./oracle.js";

/** An observation with a number. Its outcome is a pass by default. */
export type NumberObservation = Omit<Observation, "outcome"> & Partial<Pick<Observation, "outcome">>;

/** Numbers by the name of their metric. A missing number is unresolved. */
export type Numbers =
  | ReadonlyMap<string, number | null | undefined>
  | Readonly<Record<string, number | null | undefined>>;

/**
 * A value that a function of {@link findChange} can return: a number, null or undefined (unresolved), or an observation.
 * If the search has several `metrics`, numbers by name. An object with the name of a field of {@link Observation} is an
 * observation, so use a Map if a metric has such a name.
 */
export type Measured = number | NumberObservation | Numbers | "unresolved" | null | undefined;

/** A function that measures a revision. An error ends the run and reaches the caller unchanged, except {@link Retry}. */
export type Measure = (revision: string, context: OracleContext) => Measured | PromiseLike<Measured>;

/** @internal The results for a revision and for the good revision, from one run. */
export class Pair {
  constructor(
    readonly measured: Measured,
    readonly control: Measured,
  ) {}
}

const OBSERVED = ["outcome", "passes", "fails", "metric", "metrics", "results"];

/** Returns whether a value is an observation rather than numbers by name. */
function isObservation(value: unknown): value is NumberObservation {
  return isRecord(value) && OBSERVED.some((name) => Object.hasOwn(value, name));
}

/** @internal Returns whether the good revision must be measured: the result has a number and no control. */
export function needsControl(measured: Measured): boolean {
  if (isObservation(measured)) return measured.metric != null && measured.control == null;
  return measured !== null && measured !== undefined && measured !== "unresolved";
}

/** @internal Returns what was measured as the binding takes it. `metrics` are the names of the metrics of the search. */
export function measuredJson(measured: unknown, metrics: readonly string[], argument = "answer"): string {
  if (measured instanceof Pair) return pairJson(measured, metrics, argument);
  if (measured === undefined) return undefinedReturned();
  if (measured === null || measured === "unresolved") return observationJson("unresolved", argument);
  if (isObservation(measured)) {
    const { outcome, passes, fails } = measured;
    const isCounted = outcome != null || passes != null || fails != null;
    return observationJson(isCounted ? (measured as Observation) : { ...measured, outcome: "pass" }, argument);
  }
  const expected =
    metrics.length > 0
      ? `numbers by name (${metrics.join(", ")}), nothing (unresolved), or an observation`
      : "a number, nothing (unresolved), or an observation";
  if (metrics.length > 0 && (isRecord(measured) || isIterable(measured))) {
    return numbersJson(measured, metrics, argument, expected);
  }
  if (typeof measured !== "number" || metrics.length > 0) throw invalid(argument, measured, expected);
  return json(argument, { outcome: "pass", metric: aNumber()(argument, measured) });
}

function pairJson({ measured, control }: Pair, metrics: readonly string[], argument: string): string {
  const seen: Observation = JSON.parse(measuredJson(measured, metrics, argument));
  const { metric }: Observation = JSON.parse(measuredJson(control, metrics, argument));
  const note = "not compared: the run measured no number at the good revision";
  return json(argument, metric == null ? { outcome: "unresolved", note } : { ...seen, control: metric });
}

/** Returns numbers by name. Names that the search does not know are kept, but one of them must be known. */
function numbersJson(given: object, metrics: readonly string[], argument: string, expected: string): string {
  const pairs = [...((pairsOf(given) ?? []) as Iterable<[unknown, unknown]>)];
  const isKnown = pairs.some((pair) => Array.isArray(pair) && metrics.includes(pair[0] as string));
  if (pairs.length > 0 && !isKnown) throw invalid(argument, given, expected);
  const told = pairs.filter(([, number]) => number !== null && number !== undefined);
  const numbers = numbersById("a finite number")(argument, told);
  return json(argument, told.length > 0 ? { outcome: "pass", metrics: numbers } : { outcome: "unresolved" });
}
