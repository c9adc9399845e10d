/** How a search came to its answer. */

import type { BindingSearch } from "./binding.js";
import { native } from "./errors.js";
import { reportFrom } from "./fields.js";
import type { Outcome } from "./observation.js";

/** What one answer did for a search. */
export interface Explanation {
  /** Which run of the test it was, from 1; null if it cost none. */
  readonly run: number | null;
  /** What was tested, as its full id; null if it is about items alone. */
  readonly revision: string | null;
  /** The set of items or changes that was tested, in short: `"0-3,7"`; null for a revision as it is. */
  readonly changes: string | null;
  /** What was seen. */
  readonly outcome: Outcome;
  /** Why that was asked, as far as it can be told from what was known then; null if it cannot, or nobody asked. */
  readonly reason: string | null;
  /** How many revisions could be blamed before the answer; null if that is not known, as for items. */
  readonly suspectsBefore: number | null;
  /** How many could be blamed after it. */
  readonly suspectsAfter: number | null;
  /** The best answer after it in words, with short ids; null if there was none yet. */
  readonly best: string | null;
  /** All of it in words, with short ids. */
  readonly message: string;
}

/** @internal An explanation for each answer that counts. */
export function explanations(search: BindingSearch): Explanation[] {
  const written = reportFrom<Explanation[]>(native(() => search.explanations()));
  return written.map(({ run, outcome, reason, suspectsBefore, suspectsAfter, best, message, ...target }) => {
    const { revision = null, changes = null } = target as { revision?: string; changes?: string };
    return { run, revision, changes, outcome, reason, suspectsBefore, suspectsAfter, best, message };
  });
}
