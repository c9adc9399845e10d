/** What a regression search answers. */

import type { RegressionFields } from "./generated/reports.js";
import type { InWords } from "./words.js";

/** The answer of a regression search, final or the best so far. */
export interface RegressionReport extends RegressionFields, InWords {
  /**
   * What was seen as a `git bisect log`, for `git bisect replay`, and for whoever else reads such logs. git knows one newer
   * end: of several it is that of the first point. What was seen otherwise each time is skipped.
   */
  toBisectLog(): string;
}
