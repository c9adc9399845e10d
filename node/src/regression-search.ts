/** Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories. */

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
 * A search for regression points, to be driven by hand; {@link run} and {@link findRegressions} drive it for you.
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
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`; `invalid_argument` where no newer end is
   * given, where a revision is both good and bad, or where an older end comes after a newer one.
   */
  constructor(graph: CommitGraph, options: RegressionOptions) {
    super(opened(REGRESSION, graph, options));
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of a regression search, or one of another
   * history.
   */
  static restore(graph: CommitGraph, snapshot: string): RegressionSearch {
    return new RegressionSearch(graph, restored(REGRESSION, graph, snapshot));
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language. Where it was
   * written with its causes it is an {@link ExplainedReport}.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
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
