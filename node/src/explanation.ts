/** Explanations of a search, outcome by outcome. */

import type { BindingSearch } from "./binding.js";
import { native } from "./errors.js";
import { EXPLANATION, type Explanation } from "./generated/reports.js";
import { shaped } from "./written.js";

/** @internal Returns an explanation for each outcome that counts. */
export function explanations(search: BindingSearch): Explanation[] {
  return JSON.parse(native(() => search.explanations())).map(shaped(EXPLANATION));
}
