/** Budgets of runs. */

import { invalid } from "./errors.js";
import { checkedOptions, isRecord } from "./options.js";

/** A limit for a run. Properties that are not given are not limited. */
export interface Budget {
  /** The maximum number of runs of the oracle, including earlier runs of the same search. */
  runs?: number;
  /** The maximum time from the start of the run, in seconds. Running tests are not awaited. */
  seconds?: number;
  /** The maximum sum of the costs of observations. When the sum reaches it, no new probe starts. */
  cost?: number;
  /** The maximum number of builds: of runs without {@link Observation.reused}, including earlier runs of the same search. */
  builds?: number;
}

/** @internal A number means runs. */
export function budgetFrom(budget: number | Budget | null | undefined): Budget {
  if (typeof budget !== "number" && budget !== undefined && budget !== null && !isRecord(budget)) {
    throw invalid("budget", budget, "a number of runs, or an object with runs, seconds, cost and builds");
  }
  const names = ["runs", "seconds", "cost", "builds"];
  const given: Budget = typeof budget === "number" ? { runs: budget } : checkedOptions(budget, names);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw invalid(`budget.${name}`, value, "a finite number, 0 or above");
    }
  }
  for (const name of ["runs", "builds"] as const) {
    const limit = given[name];
    if (limit !== undefined && !Number.isSafeInteger(limit)) {
      throw invalid(`budget.${name}`, limit, "a whole number, 0 or above");
    }
  }
  return given;
}
