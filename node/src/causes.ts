/** The causes of regression points: the part of each patch that matters. */

import { readCauses } from "./binding.js";
import { native } from "./errors.js";
import { type MinimizeReport, minimizeReport } from "./minimizer.js";
import { Patch } from "./patch.js";
import type { RegressionReport } from "./regression-report.js";
import { worded } from "./words.js";

/** The result of a regression search with causes. */
export interface ExplainedReport extends RegressionReport {
  /**
   * The smallest part of the patch from `good` to `bad` that still breaks `good`, parallel to `points`. Null for a point
   * without a search for its cause (`message` has the reason). If the full patch does not break `good`, the status is
   * `not_reproduced`.
   */
  causes: (MinimizeReport<Patch> | null)[];
}

/** The cause of one point, as the core reads it from JSON. */
interface ReadCause {
  known: object;
  report: object | null;
  patch: string | null;
}

/** @internal Attaches the causes in `text` to a report and returns the report. `written` is the report without causes. */
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
