/** The report of a regression search. */

import type { RegressionFields } from "./generated/reports.js";
import type { InWords } from "./words.js";

/** The result of a regression search, final or the best so far. */
export interface RegressionReport extends RegressionFields, InWords {
  /**
   * Returns the outcomes as a `git bisect log`, for `git bisect replay`. Git has one bad revision. If there are several,
   * the log has the bad revision of the first point. Revisions with contradictory outcomes are skipped.
   */
  toBisectLog(): string;
}
