/** Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018), extended for real histories. */

import type { BindingSearch } from "./binding.js";
import { withReadCauses } from "./causes.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { REGRESSION, type RegressionOptions } from "./generated/options.js";
import { REGRESSION_FIELDS } from "./generated/reports.js";
import type { CommitGraph } from "./graph.js";
import type { RegressionReport } from "./regression-report.js";
import { Search } from "./search.js";
import { drawn, readAs, worded } from "./words.js";
import { madeFrom } from "./written.js";

/**
 * A search for regression points, with the ask/tell interface. {@link run} and {@link findRegressions} drive it for
 * you.
 *
 * @example
 * ```ts
 * const search = new RegressionSearch(graph, { bad: ["main"], good: ["v1.0"] });
 * while (!search.done) {
 *   for (const probe of search.ask(4)) search.tell(probe.id, test(probe.revision));
 * }
 * search.report().points;
 * ```
 */
export class RegressionSearch extends Search<RegressionReport> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `invalid_argument` if there is no bad
   * revision, a revision is both good and bad, or a good revision is a descendant of a bad one.
   */
  constructor(graph: CommitGraph, options: RegressionOptions) {
    super(opened(REGRESSION, graph, options));
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a regression search, or its history
   *   differs.
   */
  static restore(graph: CommitGraph, snapshot: string): RegressionSearch {
    return new RegressionSearch(graph, restored(REGRESSION, graph, snapshot));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`. A report with
   * causes becomes an {@link ExplainedReport}.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson(text: string): RegressionReport {
    const written = readAs(REGRESSION.algorithm, text);
    return withReadCauses(regressionReport(written), text, written);
  }

  /** @internal */
  override reportOf(binding: BindingSearch): RegressionReport {
    return regressionReport(
      native(() => binding.report()),
      binding,
    );
  }
}

function regressionReport(written: string, binding?: BindingSearch): RegressionReport {
  const report = madeFrom(REGRESSION_FIELDS, written) as RegressionReport;
  return worded(report, REGRESSION.algorithm, written, undefined, drawn(binding, written));
}
