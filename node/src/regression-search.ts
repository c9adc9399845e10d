/** Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories. */

import { BindingSearch } from "./binding.js";
import { invalid, native } from "./errors.js";
import { CommitGraph } from "./graph.js";
import { checkedOptions, json, severalIds, text } from "./options.js";
import { type RegressionReport, regressionReport } from "./report.js";
import { Search } from "./search.js";

/** What a regression search is told before it starts. */
export interface RegressionOptions {
  /**
   * Revisions that fail: the newer ends, each of which gets its regression point; one id or several. With
   * `find: "fix"` the older ends, by default the roots.
   */
  bad?: string | Iterable<string>;
  /**
   * Revisions that pass: the older ends, one id or several; by default the roots, each of which is asked before a
   * point rests on it. With `find: "fix"` the newer ends.
   */
  good?: string | Iterable<string>;
  /**
   * How to search. On a shortest path: `linear` and `binary` (RPA, Section 3.2), `multiplying` (RPA, Algorithm 3),
   * `gallop`. On the graph: `halving` (what `git bisect` would test), `weighted` (recent revisions are likelier
   * culprits). `auto`, the default: whatever reaches the goal set by `prefer` with the fewest queries.
   */
  search?: "auto" | "linear" | "binary" | "multiplying" | "gallop" | "halving" | "weighted";
  /** What `auto` optimises for: the fewest queries (the default), or the newest regression point. */
  prefer?: "fewest" | "latest";
  /**
   * Whether a point found also answers for the other ends that come from it (RPA, Algorithm 2). By default it does,
   * unless `prefer` is `latest`.
   */
  propagate?: boolean | null;
  /** Whether to go on into failing parents until every parent of the answer is seen to pass; by default yes. */
  clean?: boolean;
  /** Whether to test the given ends first; by default not. */
  verifyEnds?: boolean;
  /** Which change is sought: from pass to fail (the default), or from fail to pass. */
  find?: "regression" | "fix";
  /**
   * The failure searched for: failures with another signature count as unresolved. By default the one seen at the
   * first newer end that was tested, if any.
   */
  signature?: string | null;
  /** Kept with the configuration; no choice of this search is random. */
  seed?: number;
}

/** @internal Options by the core's names. */
const NAMES: Record<keyof RegressionOptions, string> = {
  bad: "bad",
  good: "good",
  search: "search",
  prefer: "prefer",
  propagate: "propagate",
  clean: "clean",
  verifyEnds: "verify_ends",
  find: "find",
  signature: "signature",
  seed: "seed",
};

/** @internal */
export const REGRESSION_OPTIONS = Object.keys(NAMES) as (keyof RegressionOptions)[];

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
    super(
      (options as unknown) instanceof BindingSearch
        ? (options as unknown as BindingSearch)
        : native(() => BindingSearch.regression(binding(graph), configuration(options))),
    );
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of a regression search, or one of another
   * history.
   */
  static restore(graph: CommitGraph, snapshot: string): RegressionSearch {
    const restored = native(() => BindingSearch.restoreRegression(binding(graph), text("snapshot", snapshot)));
    return new RegressionSearch(graph, restored as unknown as RegressionOptions);
  }

  override report(): RegressionReport {
    return regressionReport(this.reportJson());
  }
}

function binding(graph: CommitGraph) {
  if (!(graph instanceof CommitGraph)) throw invalid("graph", graph, "a CommitGraph");
  return CommitGraph.bindingOf(graph);
}

function configuration(options: RegressionOptions): string {
  const given: Record<string, unknown> = checkedOptions(options, REGRESSION_OPTIONS);
  for (const ends of ["bad", "good"]) {
    if (ends in given) given[ends] = severalIds(ends, given[ends]);
  }
  const renamed = Object.entries(given).map(([name, value]) => [NAMES[name as keyof RegressionOptions], value]);
  return json("options", Object.fromEntries(renamed));
}
