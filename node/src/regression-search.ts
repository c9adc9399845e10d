/** Regression points on commit graphs: RPA (Bendík, Beneš, Černá 2018) and what it needs on real histories. */

import type { BindingSearch } from "./binding.js";
import { withReadCauses } from "./causes.js";
import {
  aPrior,
  aPriorProbability,
  aRate,
  type Costs,
  type Kind,
  opened,
  type Prior,
  type Rate,
  restored,
  someCosts,
  whereFirst,
} from "./configuration.js";
import { native } from "./errors.js";
import { aNumber, asItIs, reportFrom, someIds } from "./fields.js";
import type { CommitGraph } from "./graph.js";
import type { RegressionReport } from "./report.js";
import { Search } from "./search.js";
import { drawn, readAs, worded } from "./words.js";

/** What a regression search is told before it starts. */
export interface RegressionOptions {
  /**
   * The newer ends, which fail: one revision or several, each of which gets its regression point. With `find: "fix"`
   * the older ends, by default the roots.
   */
  bad?: string | Iterable<string>;
  /**
   * The older ends, which pass: one revision or several; by default the roots, each of which is asked before a point
   * rests on it. With `find: "fix"` the newer ends.
   */
  good?: string | Iterable<string>;
  /**
   * Where no older end is given: whether to look back for one instead of assuming that the roots are, or the revisions to
   * try first. Then ancestors further and further back are asked, along first parents, until one is otherwise than the
   * newer end. In a history that was read from git the last tag before each newer end is tried first. By default no.
   */
  lookBack?: boolean | string | Iterable<string>;
  /**
   * How to search; by default `"auto"`. `"auto"`: whatever reaches the goal set by `prefer` with the fewest queries;
   * every answer is trusted. `"linear"`: on a shortest path, from the leaf backwards, one by one (RPA, Section 3.2).
   * `"binary"`: on a shortest path, halving; the midpoint is rounded up, towards the leaf (RPA, Section 3.2).
   * `"multiplying"`: on a shortest path, with gaps that double, started again in the last gap (RPA, Algorithm 3).
   * `"gallop"`: on a shortest path, with gaps that double, then halving in the last gap. `"halving"`: on the whole
   * graph, the revision that `git bisect` would test, skips included. `"weighted"`: on the whole graph, halving prior
   * mass; recent revisions are likelier culprits. `"bayes"`: on the whole graph, flake-aware culprit finding for every
   * newer end, with one belief over what was seen for all of them (FACF, Section 3). Revisions are asked again if that
   * tells most.
   */
  search?: "auto" | "linear" | "binary" | "multiplying" | "gallop" | "halving" | "weighted" | "bayes";
  /**
   * What `search: "auto"` optimises for; by default `"fewest"`. `"fewest"`: the fewest queries. `"latest"`: the newest
   * regression point, even if outcomes come and go.
   */
  prefer?: "fewest" | "latest";
  /**
   * Whether a point found also answers for the other ends that come from it (RPA, Algorithm 2). By default it does,
   * unless `prefer` is `"latest"`.
   */
  propagate?: boolean | null;
  /** Whether to go on into failing parents until every parent of the answer is seen to pass; by default yes. */
  clean?: boolean;
  /**
   * Whether to test the given ends first, each once; by default yes. What is known of them already costs nothing. If not,
   * they are taken to be what they were given as, and the report says so.
   */
  verifyEnds?: boolean;
  /**
   * Whether to run the culprit and its parents again before firstbad names the culprit, each alone in a clean worktree, unless
   * the search has already run them like this. By default yes. Nothing is confirmed without `clean`, or with `search: "bayes"`,
   * which repeats runs anyway.
   */
  confirm?: boolean;
  /**
   * Which change is sought; by default `"regression"`. `"regression"`: from pass to fail, who broke it. `"fix"`: from
   * fail to pass, who repaired it; `good` then holds the newer ends, `bad` the older ones.
   */
  find?: "regression" | "fix";
  /**
   * The failure searched for: failures with another signature count as unresolved. By default the one seen at the first
   * newer end that was tested, if any.
   */
  signature?: string | null;
  /**
   * Whether to distinguish failures by how the test fails, from its output or the `signature` of the observation. If true, other
   * failures than that of the bad revision are unresolved. If false, all failures count, unless you give a `signature`. With
   * `"auto"`, the default, firstbad first finds the culprit without distinguishing failures by their output. If the culprit fails
   * in another way than the bad revision, the search continues, without repeating a run, until it finds the commit that
   * introduced the failure of the bad revision. With `"auto"`, a `signature` of an observation counts from the start.
   */
  distinguishFailures?: "auto" | boolean;
  /**
   * How likely each revision broke it, before anything is asked: `"changes"`, by what it touches and what the test is
   * called, the default where the graph was read from git; `"uniform"`, all alike, the default elsewhere; or weights by
   * revision, 0 or above, in any unit, where one that is not named has the least of them that is above 0. It decides
   * what is asked first, and makes no revision impossible. For the searches `"auto"`, `"weighted"` and `"bayes"`.
   */
  prior?: Prior;
  /**
   * What the failing test is called, in words or as its runner calls it: one, or several that began to fail together. Cards
   * show it, and with `prior: "changes"` it says where to look. By default what the command of a command oracle names, else
   * it is not known.
   */
  test?: string | Iterable<string>;
  /**
   * What a run costs at a revision, above 0: questions are then chosen by what they tell per cost. By default, and at
   * revisions that are not named, 1. Python and Node also take a function of the id, which is called for each suspect.
   * For the searches `"auto"`, `"weighted"` and `"bayes"`.
   */
  costs?: Costs;
  /**
   * With `search: "bayes"`: how often the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or
   * `"estimate"`, which finds it out on the way; by default it is estimated.
   */
  flakeRate?: Rate;
  /** With `search: "bayes"`: no flake rate below this is believed, in [0, 1); by default 0. */
  flakeRateFloor?: number;
  /**
   * With `search: "bayes"`: how often the test passes at a broken revision, in the forms of `flakeRate`; by default
   * never.
   */
  falsePassRate?: Rate;
  /**
   * With `search: "bayes"`: how likely it is beforehand that the failure of a newer end was a flake, in [0, 1), or
   * `"uniform"` for 1 / (suspects + 1); by default 0.4.
   */
  priorNoCulprit?: number | "uniform";
  /**
   * With `search: "bayes"`: the probability at which an answer is taken for true, above 0.5 and below 1; by default
   * 0.99.
   */
  confidence?: number;
  /**
   * With `search: "bayes"`: whether an answer needs rates that fit what was seen, and enough runs of the culprit and of
   * its parents to show that they differ, whatever the rates; by default yes. A bad revision whose runs do not come to
   * that ends as `contradictory`.
   */
  verify?: boolean;
}

/** @internal */
export const REGRESSION: Kind<RegressionOptions> = {
  algorithm: "regression",
  search: "RegressionSearch",
  fields: {
    bad: someIds,
    good: someIds,
    lookBack: whereFirst,
    search: asItIs,
    prefer: asItIs,
    propagate: asItIs,
    clean: asItIs,
    verifyEnds: asItIs,
    confirm: asItIs,
    find: asItIs,
    signature: asItIs,
    distinguishFailures: asItIs,
    prior: aPrior,
    test: someIds,
    costs: someCosts,
    flakeRate: aRate(),
    flakeRateFloor: aNumber("a rate in [0, 1)"),
    falsePassRate: aRate(),
    priorNoCulprit: aPriorProbability,
    confidence: aNumber("a probability in (0.5, 1)"),
    verify: asItIs,
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
  const report = reportFrom<RegressionReport>(written);
  // What the core leaves out is there all the same, for whoever prints, spreads or stringifies a report.
  const otherwise = <T extends object, Name extends keyof T>(of: T, name: Name, value: T[Name]) => {
    if (of[name] === undefined) of[name] = value;
  };
  for (const point of report.points) {
    otherwise(point, "probability", null);
    otherwise(point, "find", "regression");
    otherwise(point, "trusted", []);
    otherwise(point, "exceptions", []);
    otherwise(point, "beyondPaths", false);
    otherwise(point, "confirmed", false);
    otherwise(point, "sameChange", []);
  }
  for (const name of ["why", "commits", "names"] as const) otherwise(report, name, {});
  for (const leaf of report.leaves) otherwise(leaf, "replacedBy", null);
  otherwise(report, "warnings", []);
  otherwise(report, "paths", []);
  otherwise(report, "firstParent", false);
  otherwise(report, "find", "regression");
  return worded(report, REGRESSION.algorithm, written, undefined, drawn(binding, written));
}
