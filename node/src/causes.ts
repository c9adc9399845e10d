/** The causes of a report's points: what of each point's patch matters. */

import { readCauses } from "./binding.js";
import { native } from "./errors.js";
import { type MinimizeReport, minimizeReport } from "./minimizer.js";
import { Patch } from "./patch.js";
import type { RegressionReport } from "./regression-report.js";
import { worded } from "./words.js";

/** The answer of a regression search with explanations. */
export interface ExplainedReport extends RegressionReport {
  /**
   * Parallel to `points`: the smallest part of the patch from `good` to `bad` that was found to break `good`; null if none
   * was looked for, because no ancestor passes, the search for the point was ended early or nothing is between the two
   * (`message` says which). If the whole patch does not break `good`, the status is `not_reproduced`.
   */
  causes: (MinimizeReport<Patch> | null)[];
}

/** What a JSON text says of the cause of one point, as the core reads it. */
interface ReadCause {
  known: object;
  report: object | null;
  patch: string | null;
}

/** @internal The very same report, with the causes that the text has from which it was read; `written` is the report alone. */
export function withReadCauses(report: RegressionReport, text: string, written: string): RegressionReport {
  const read: (ReadCause | null)[] = JSON.parse(native(() => readCauses(text)));
  if (read.every((cause) => cause === null)) return report;
  const causes = read.map((cause) => {
    if (!cause?.report || cause.patch === null) return null;
    const part = Patch.parse(cause.patch);
    return minimizeReport(JSON.stringify(cause.report), () => part);
  });
  const known = read.map((cause) => cause?.known ?? null);
  return worded(Object.assign(report, { causes }), "regression", written, () => ({ causes: known }));
}
