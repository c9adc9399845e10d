/** How much a run may spend. */

import { invalid } from "./errors.js";
import { checkedOptions, isRecord } from "./options.js";

/** What is not given is not limited. */
export interface Budget {
  /** At most this many answers of the oracle, those of earlier runs of the same search included. */
  runs?: number;
  /** At most this long, in seconds from the start of the run; what is running then is not awaited. */
  seconds?: number;
  /** No further probe once the observations' costs add up to this. */
  cost?: number;
}

/** @internal A number means runs. */
export function budgetFrom(budget: number | Budget | null | undefined): Budget {
  if (typeof budget !== "number" && budget !== undefined && budget !== null && !isRecord(budget)) {
    throw invalid("budget", budget, "a number of runs, or an object with runs, seconds and cost");
  }
  const given = typeof budget === "number" ? { runs: budget } : checkedOptions(budget, ["runs", "seconds", "cost"]);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw invalid(`budget.${name}`, value, "a finite number, 0 or above");
    }
  }
  if (given.runs !== undefined && !Number.isSafeInteger(given.runs)) {
    throw invalid("budget.runs", given.runs, "a whole number, 0 or above");
  }
  return given;
}
