/** One culprit, with a flaky test: FACF (Henderson et al. 2023). */

import type { BindingSearch } from "./binding.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { CULPRIT, type CulpritOptions } from "./generated/options.js";
import { CULPRIT_FIELDS, type CulpritFields } from "./generated/reports.js";
import type { CommitGraph } from "./graph.js";
import { type Posterior, posteriorFrom, posteriorOf } from "./posterior.js";
import type { Ranking } from "./ranking.js";
import { Search } from "./search.js";
import { drawn, type InWords, readAs, worded } from "./words.js";
import { madeFrom } from "./written.js";

/** The answer of a culprit search, final or the best so far. Where the `conclusion` is `"culprit"`, there is one. */
export type CulpritReport = CulpritFindings &
  ({ conclusion: "culprit"; culprit: string } | { conclusion: "flake" | "inconclusive"; culprit: null });

/** What the answer of a culprit search says, whatever it concludes. */
export interface CulpritFindings extends CulpritFields, InWords {
  /** The posterior probability of every suspect, as it was when this report was made. */
  posterior: Posterior;
  /** The suspects as the build graph ranks them, where `findCulprit` was given one. */
  ranking?: Ranking;
}

/**
 * A search for the culprit with a flaky test, to be driven by hand; {@link run} and {@link findCulprit} drive it for
 * you. One batch may hold the same revision several times, each with a probe id of its own.
 *
 * Nobody is named before a failure of the culprit and a pass of each of its parents was seen; the search asks for those
 * runs itself, and without them the conclusion is `inconclusive` (`missing`). It ends whatever the oracle says: a
 * revision is not run again once its runs are four times what would settle it by themselves, on average, and suspects
 * that only such revisions or unresolved ones tell apart are the answer together. With known rates of 0.1 and 0 and
 * 1,000 suspects these are 20 runs, with an estimate about 460.
 *
 * @example
 * ```ts
 * const search = new CulpritSearch(graph, { bad: "main", good: "v1.0", flakeRate: 0.1 });
 * while (!search.done) {
 *   for (const probe of search.ask(4)) search.tell(probe.id, test(probe.revision));
 * }
 * const { conclusion, culprit, probability } = search.report();
 * ```
 */
export class CulpritSearch extends Search<CulpritReport> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`; `invalid_argument` for rates,
   * probabilities, weights or costs out of range, for other than one bad revision, for a good one that is no ancestor
   * of it or that is it, and where every suspect weighs 0.
   */
  constructor(graph: CommitGraph, options: CulpritOptions) {
    super(opened(CULPRIT, graph, options));
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of a culprit search, or one of another
   * history.
   */
  static restore(graph: CommitGraph, snapshot: string): CulpritSearch {
    return new CulpritSearch(graph, restored(CULPRIT, graph, snapshot));
  }

  /** What is believed about every suspect now. */
  get posterior(): Posterior {
    return believed(Search.bindingOf(this));
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language. Its posterior has
   * the hypotheses of `credibleSet` alone: a million suspects are not written down.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
   */
  static reportFromJson(text: string): CulpritReport {
    return culpritReport(readAs(CULPRIT.algorithm, text));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): CulpritReport {
    return culpritReport(
      native(() => binding.report()),
      believed(binding),
      binding,
    );
  }
}

function culpritReport(written: string, posterior?: Posterior, binding?: BindingSearch): CulpritReport {
  const report = madeFrom(CULPRIT_FIELDS, written);
  const { credibleSet, noCulprit } = report;
  const whole = { ...report, posterior: posterior ?? posteriorOf(credibleSet, noCulprit) } as CulpritReport;
  return worded(whole, CULPRIT.algorithm, written, undefined, drawn(binding, written));
}

function believed(binding: BindingSearch): Posterior {
  return posteriorFrom(native(() => binding.posterior()));
}
