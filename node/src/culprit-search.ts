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

/** The result of a culprit search, final or the best so far. `culprit` is set if the `conclusion` is `"culprit"`. */
export type CulpritReport = CulpritFindings &
  ({ conclusion: "culprit"; culprit: string } | { conclusion: "flake" | "inconclusive"; culprit: null });

/** The fields that every result of a culprit search has. */
export interface CulpritFindings extends CulpritFields, InWords {
  /** The posterior probability of every suspect at the time of the report. */
  posterior: Posterior;
  /** The ranking of the suspects by the build graph, if you passed one to `findCulprit`. */
  ranking?: Ranking;
}

/**
 * A search for the culprit with a flaky test, with the ask/tell interface. {@link run} and {@link findCulprit} drive it
 * for you. A batch can contain a revision several times, with different probe ids.
 *
 * The search reports a culprit only after the culprit failed and each of its parents passed in at least one run.
 * Without these runs the conclusion is `inconclusive` (`missing`). The search always ends. It stops testing a revision
 * after four times the runs that would settle it on average, and reports the suspects together that it cannot separate.
 * For 1,000 suspects the limit is 20 runs with known rates of 0.1 and 0, and about 460 runs with an estimated rate.
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
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, and `invalid_argument` if a rate,
   * probability, weight or cost is out of range, there is not exactly one bad revision, a good revision is not a proper
   * ancestor of the bad one, or every suspect has the weight 0.
   */
  constructor(graph: CommitGraph, options: CulpritOptions) {
    super(opened(CULPRIT, graph, options));
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a culprit search, or its history differs.
   */
  static restore(graph: CommitGraph, snapshot: string): CulpritSearch {
    return new CulpritSearch(graph, restored(CULPRIT, graph, snapshot));
  }

  /** The current probabilities of the suspects. */
  get posterior(): Posterior {
    return believed(Search.bindingOf(this));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`. Its posterior
   * contains only the hypotheses of `credibleSet`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
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
