/** How a search came to its answer. */

import type { BindingSearch } from "./binding.js";
import { native } from "./errors.js";
import { EXPLANATION, type Explanation } from "./generated/reports.js";
import { shaped } from "./written.js";

/** @internal An explanation for each answer that counts. */
export function explanations(search: BindingSearch): Explanation[] {
  return JSON.parse(native(() => search.explanations())).map(shaped(EXPLANATION));
}
