/** Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories. */

import type { BindingSearch } from "./binding.js";
import { aPriorProbability, aRate, type Kind, opened, type Rate, restored } from "./configuration.js";
import { native } from "./errors.js";
import { aNumber, aSeed, asItIs, reportFrom, someIds } from "./fields.js";
import type { CommitGraph } from "./graph.js";
import type { RegressionReport } from "./report.js";
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
   * culprits). With a flaky test: `bayes`, flake-aware culprit finding for every bad revision, one belief over what was
   * seen for all of them (FACF, Section 3). `auto`, the default: whatever reaches the goal set by `prefer` with the
   * fewest queries, taking the test for reliable.
   */
  search?: "auto" | "linear" | "binary" | "multiplying" | "gallop" | "halving" | "weighted" | "bayes";
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
  /**
   * With `search: "bayes"`: how often the test fails at a healthy revision, a rate in [0, 1) or past counts; by default
   * it is estimated as the search goes.
   */
  flakeRate?: Rate;
  /** With `search: "bayes"`: no flake rate below this is believed, in [0, 1); by default 0. */
  flakeRateFloor?: number;
  /** With `search: "bayes"`: how often the test passes at a broken revision; by default never. */
  falsePassRate?: Rate;
  /**
   * With `search: "bayes"`: how likely it is beforehand that a bad revision's failure was a flake, in [0, 1), or
   * `"uniform"` for as likely as each suspect; by default 0.4.
   */
  priorNoCulprit?: number | "uniform";
  /** With `search: "bayes"`: the probability at which an answer is taken for true, in (0.5, 1); by default 0.99. */
  confidence?: number;
  /** Kept with the configuration; no choice of this search is random. */
  seed?: number;
}

/** @internal */
export const REGRESSION: Kind<RegressionOptions> = {
  algorithm: "regression",
  fields: {
    bad: someIds,
    good: someIds,
    search: asItIs,
    prefer: asItIs,
    propagate: asItIs,
    clean: asItIs,
    verifyEnds: asItIs,
    find: asItIs,
    signature: asItIs,
    flakeRate: aRate(),
    flakeRateFloor: aNumber("a rate in [0, 1)"),
    falsePassRate: aRate(),
    priorNoCulprit: aPriorProbability,
    confidence: aNumber("a probability in (0.5, 1)"),
    seed: aSeed,
  },
};

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

  /** @internal */
  override reportOf(binding: BindingSearch): RegressionReport {
    const report = reportFrom<RegressionReport>(native(() => binding.report()));
    for (const point of report.points) {
      // Not enumerable, so that points without a belief compare, print and stringify as the core writes them.
      if (point.probability === undefined) Object.defineProperty(point, "probability", { value: null });
      if (point.find === undefined) Object.defineProperty(point, "find", { value: "regression" });
    }
    return report;
  }
}
