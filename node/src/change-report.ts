/** The report of a search for a change in numbers. */

import type { ChangeFields } from "./generated/reports.js";
import type { InWords } from "./words.js";

/** The result of a search for a change in numbers, final or the best so far. */
export interface ChangeReport extends ChangeFields, InWords {
  /** Returns the measurements as an SVG file without scripts and links, for light themes, dark themes, and paper. */
  toSvg(): string;
}
