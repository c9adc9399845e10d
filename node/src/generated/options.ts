/** The options of every search. Generated from the tables of options by `make generate`; do not edit. */

import {
  aPrior, aRate, anEarlierVerdict, type Costs, type Earlier, type Kind, type Prior, type Rate, someCosts, whereFirst,
} from "../configuration.js";
import { type Dependencies, someDependencies } from "../dependencies.js";
import { aList, anObject, asItIs, type Fields, objectsByName, someIds } from "../fields.js";
import { type Results, someResults } from "../observation.js";

/** Options of a regression search. */
export interface RegressionOptions {
  /**
   * The bad revisions, known to fail. With several, each gets a regression point. With `find: "fix"`, these are the
   * older endpoints, and the default is the roots of the history.
   */
  bad?: string | Iterable<string>;
  /**
   * The good revisions, known to pass. The default is the roots of the history, and a root is tested before a point
   * depends on it. With `find: "fix"`, these are the newer endpoints, and required.
   */
  good?: string | Iterable<string>;
  /**
   * Whether to look for an older endpoint if none is given, or the revisions to try first. firstbad tests ancestors
   * along first parents, in growing steps, until one has the other outcome. If the graph was read from Git, firstbad
   * first tries the last tag before each newer endpoint. The default is false, and the roots are assumed to have the
   * other outcome.
   */
  findGood?: boolean | string | Iterable<string> | null;
  /**
   * How to search. The default is `"auto"`. `"auto"`: the strategy that reaches the goal set by `prefer` with the
   * fewest runs. Every outcome is trusted. `"linear"`: along a shortest path, one by one from the leaf (RPA, Section
   * 3.2). `"binary"`: along a shortest path by halving, with the midpoint rounded up toward the leaf (RPA, Section
   * 3.2). `"multiplying"`: along a shortest path with doubling gaps, and again in the last gap (RPA, Algorithm 3).
   * `"gallop"`: along a shortest path with doubling gaps, then by halving the last gap. `"bisect"`: on the whole graph,
   * the revision that `git bisect` would test, including its handling of skips. `"weighted"`: on the whole graph, by
   * halving the prior probability. Recent revisions are more likely culprits. `"bayes"`: on the whole graph with a
   * flaky test, by flake-aware culprit finding for each newer endpoint (FACF, Section 3), with all runs as evidence. A
   * revision is run again if that gives the most information.
   */
  search?: "auto" | "linear" | "binary" | "multiplying" | "gallop" | "bisect" | "weighted" | "bayes";
  /**
   * The goal of `search: "auto"`. The default is `"fewest"`. `"fewest"`: the fewest runs. `"latest"`: the newest
   * regression point, even if outcomes come and go.
   */
  prefer?: "fewest" | "latest";
  /**
   * Whether a point also counts for the other newer endpoints that descend from it (RPA, Algorithm 2). The default is
   * true, except with `prefer: "latest"`.
   */
  propagate?: boolean | null;
  /** Whether to continue into failing parents until all parents of the culprit pass. The default is true. */
  checkParents?: boolean;
  /**
   * Whether to test each given endpoint once at the start. The default is true. Known outcomes are reused. If false,
   * firstbad trusts the endpoints, and the report lists the untested ones.
   */
  testEndpoints?: boolean;
  /**
   * Whether to run the culprit and its parents again before firstbad reports the culprit, each alone in a clean
   * worktree. The default is true. Runs that were already like this are not repeated. Has no effect without
   * `checkParents`, and with `search: "bayes"`, which repeats runs anyway.
   */
  confirm?: boolean;
  /**
   * The change to find: `"regression"` or `"fix"`. The default is `"regression"`. `"regression"`: the change from pass
   * to fail that broke the test. `"fix"`: the change from fail to pass that fixed the test. `good` then holds the newer
   * revisions and `bad` the older ones.
   */
  find?: "regression" | "fix";
  /**
   * The signature of the failure to search for. Failures with another signature count as unresolved. The default is the
   * signature at the first newer endpoint that was tested, if any.
   */
  signature?: string | null;
  /**
   * Whether to distinguish failures by how the test fails, using its output or the `signature` of the observation. If
   * true, all failures except that of the bad revision are unresolved. If false, all failures count, unless you give a
   * `signature`. With `"auto"`, the default, firstbad first finds the culprit without comparing output. If the culprit
   * fails in another way than the bad revision, the search continues, without repeating a run, to the commit that
   * introduced the failure of the bad revision. With `"auto"`, a `signature` of an observation counts from the start.
   */
  distinguishFailures?: boolean | "auto";
  /**
   * The prior probability of each revision. `"changes"` ranks commits by the files they touch and the name of the test,
   * and is the default if the graph was read from Git. `"uniform"` makes all revisions equally likely, and is the
   * default otherwise. Weights by revision can have any unit and must be 0 or above. An unlisted revision weighs 1, or
   * the smallest listed weight above 0 if that is less. The prior decides the order of the runs and excludes no
   * revision. Only for the searches `"auto"`, `"weighted"`, and `"bayes"`.
   */
  prior?: Prior | null;
  /**
   * The names of the failing tests, as words or as the test runner prints them. List several if they began to fail
   * together. Cards show the names, and `prior: "changes"` compares them with the changed files. The default is the
   * test that a command oracle's command names, if any.
   */
  test?: string | Iterable<string> | null;
  /**
   * The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The default,
   * also for unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which is called for
   * each suspect. Only for the searches `"auto"`, `"weighted"`, and `"bayes"`.
   */
  costs?: Costs | null;
  /**
   * The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`.
   * The default is `"estimate"`, which estimates the rate from the runs of the search. Only with `search: "bayes"`.
   */
  flakeRate?: Rate | null;
  /** The minimum flake rate, in [0, 1). The default is 0. Only with `search: "bayes"`. */
  minFlakeRate?: number | null;
  /**
   * The probability that the test passes at a broken revision, in the same forms as `flakeRate`. The default is 0. Only
   * with `search: "bayes"`.
   */
  falsePassRate?: Rate | null;
  /**
   * The prior probability that the failure of a newer endpoint was a flake, in [0, 1), or `"uniform"` for 1 / (suspects
   * + 1). The default is 0.4. Only with `search: "bayes"`.
   */
  priorNoCulprit?: number | "uniform" | null;
  /**
   * The probability at which a result is accepted, above 0.5 and below 1. The default is 0.99. Only with `search:
   * "bayes"`.
   */
  confidence?: number | null;
  /**
   * Whether to verify results before they are reported. The default is true. The rates must fit the runs, and the
   * culprit and its parents are run until they differ at any rates. If they do not, the search for this endpoint ends
   * as `contradictory`. Only with `search: "bayes"`.
   */
  verify?: boolean | null;
}

/** @internal */
export const REGRESSION: Kind<RegressionOptions> = {
  algorithm: "regression",
  search: "RegressionSearch",
  fields: {
    bad: someIds,
    good: someIds,
    findGood: whereFirst,
    search: asItIs,
    prefer: asItIs,
    propagate: asItIs,
    checkParents: asItIs,
    testEndpoints: asItIs,
    confirm: asItIs,
    find: asItIs,
    signature: asItIs,
    distinguishFailures: asItIs,
    prior: aPrior,
    test: someIds,
    costs: someCosts,
    flakeRate: aRate(),
    minFlakeRate: asItIs,
    falsePassRate: aRate(),
    priorNoCulprit: asItIs,
    confidence: asItIs,
    verify: asItIs,
  },
};

/** Options of a culprit search. */
export interface CulpritOptions {
  /**
   * The bad revision, known to fail. Exactly one. It is a suspect and can be run again. Its first failure is part of
   * `priorNoCulprit` and is not counted as a run.
   */
  bad: string | Iterable<string>;
  /**
   * The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their
   * ancestors are not suspects. firstbad runs a good revision to estimate the flake rate, and before it reports a child
   * of the revision as the culprit.
   */
  good?: string | Iterable<string>;
  /**
   * The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`.
   * The default is `"estimate"`, which estimates the rate from the runs of the search.
   */
  flakeRate?: Rate;
  /** The minimum flake rate, in [0, 1). The default is 0. The paper's evaluation uses 0.1. */
  minFlakeRate?: number;
  /** The probability that the test passes at a broken revision, in the same forms as `flakeRate`. The default is 0. */
  falsePassRate?: Rate;
  /**
   * The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the name of the test,
   * and is the default if the graph was read from Git. `"uniform"` makes all suspects equally likely, and is the
   * default otherwise. Weights by revision can have any unit and must be 0 or above. They are scaled to sum to 1 minus
   * `priorNoCulprit`. An unlisted suspect weighs 1, or the smallest listed weight above 0 if that is less.
   */
  prior?: Prior | null;
  /**
   * The names of the failing tests, as words or as the test runner prints them. List several if they began to fail
   * together. Cards show the names, and `prior: "changes"` compares them with the changed files. The default is the
   * test that a command oracle's command names, if any.
   */
  test?: string | Iterable<string> | null;
  /**
   * The prior probability that there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects + 1) (FACF, Section
   * 2.4). The default is 0.4, the share in the paper's evaluation.
   */
  priorNoCulprit?: number | "uniform" | null;
  /** The probability at which a hypothesis is accepted, above 0.5 and below 1. The default is 0.99. */
  confidence?: number;
  /**
   * How to choose the next runs. The default is `"cdf"`. `"cdf"`: thresholds over the cumulative posterior (FACF,
   * Algorithm 2, NextRuns), without runs that give no information. `"expected-gain"`: thresholds over the cumulative
   * expected gain (FACF, "Choosing the Thresholds in NextRuns"), without runs that give no information.
   * `"information"`: the runs with the highest expected information about the culprit. The choice looks ahead if that
   * pays off. `"bisect"`: bisection, the paper's baseline (FACF, "Bisection"). A revision counts as failing only after
   * `reruns` failures.
   */
  strategy?: "cdf" | "expected-gain" | "information" | "bisect";
  /** The number of failures that make a revision fail, 1 or above. Only with `choose: "bisect"`. The default is 1. */
  reruns?: number | null;
  /**
   * The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The default,
   * also for unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which is called for
   * each suspect.
   */
  costs?: Costs | null;
  /**
   * Whether the search verifies its conclusion before it ends. The default is true. The culprit and its parents are run
   * until they differ at any rates, or `bad` is run until false passes do not explain its passes. If a run contradicts
   * the conclusion, the search resumes. If the given rates do not fit the runs, it continues with both rates unknown.
   * Without verification, rates that do not fit end the search as `contradictory`. Ignored with `choose: "bisect"`.
   */
  verify?: boolean;
  /**
   * The signature of the failure to search for. Failures with another signature count as unresolved. The default is the
   * first signature observed at a revision that is known to fail.
   */
  signature?: string | null;
}

/** @internal */
export const CULPRIT: Kind<CulpritOptions> = {
  algorithm: "culprit",
  search: "CulpritSearch",
  fields: {
    bad: someIds,
    good: someIds,
    flakeRate: aRate(),
    minFlakeRate: asItIs,
    falsePassRate: aRate(),
    prior: aPrior,
    test: someIds,
    priorNoCulprit: asItIs,
    confidence: asItIs,
    strategy: asItIs,
    reruns: asItIs,
    costs: someCosts,
    verify: asItIs,
    signature: asItIs,
  },
};

/** Options of a verification. */
export interface VerificationOptions {
  /**
   * The conclusion to verify: the culprit, or none for a flake. A flake is correct as soon as `bad` passes. Required,
   * because an inconclusive report has no conclusion to verify.
   */
  culprit: string | null;
  /** The bad revision, known to fail (`s_n` in the paper). Exactly one. */
  bad: string | Iterable<string>;
  /**
   * The good revisions, ancestors of `bad` (`s_0` in the paper). The default is the roots of its history. Each is
   * checked.
   */
  good?: string | Iterable<string>;
  /**
   * The probability that the test fails at a healthy revision: a rate in [0, 1), or counts of past runs. The default is
   * 0, so that `minFlakeRate` applies. The report of a culprit search has an estimate.
   */
  flakeRate?: Exclude<Rate, "estimate">;
  /**
   * The minimum flake rate, above 0 and below 1. The default is 0.1, as in the paper. It reruns even a test that never
   * flakes 9 times.
   */
  minFlakeRate?: number;
  /**
   * The probability that flakes mislead none of the checks, above 0 and below 1. The default is 0.99999999, which the
   * paper uses for each single check.
   */
  confidence?: number;
  /**
   * The result of an earlier verification of the same conclusion, if this one repeats it some hours later. If the
   * verdicts differ, the conclusion depends on time or environment (`not_reproducible`). The default is none.
   */
  again?: Earlier | null;
  /**
   * The signature of the failure to search for. Failures with another signature count as unresolved. The default is the
   * first signature observed at a revision that must fail.
   */
  signature?: string | null;
}

/** @internal */
export const VERIFICATION: Kind<VerificationOptions> = {
  algorithm: "verification",
  search: "CulpritVerifier",
  fields: {
    culprit: asItIs,
    bad: someIds,
    good: someIds,
    flakeRate: aRate(""),
    minFlakeRate: asItIs,
    confidence: asItIs,
    again: anEarlierVerdict,
    signature: asItIs,
  },
};

/** Options of a reduction. */
export interface ReductionOptions {
  /**
   * The indices of the items that each item needs, by item index. A list among them means that any one of its members
   * is enough. firstbad never tests a set in which a needed item is missing, and items that need each other stay
   * together. Default: no dependencies.
   */
  dependencies?: Dependencies | null;
  /**
   * The parent of each item in a tree, as an index, or none. Indices from the number of items on are groups, which are
   * not items themselves. firstbad goes through the tree level by level from the top, and removes an item together with
   * its parent. Default: no tree.
   */
  parents?: Iterable<number | null> | null;
  /**
   * The number of tree levels to go through, at least 1. Items below the last level stay together. The number of tree
   * entries times the number of levels can be at most 2^24. Default: all levels.
   */
  depth?: number | null;
  /**
   * Whether every set that contains a set with the property also has the property. If so, firstbad does not test sets
   * whose outcomes follow from this. Default: false.
   */
  monotonic?: boolean;
  /**
   * The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if firstbad
   * runs an oracle.
   */
  keep?: "pass" | "fail";
  /**
   * The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first failure that
   * firstbad observes.
   */
  signature?: string | null;
  /**
   * The probability, at least 0.5 and below 1, with which the result must be correct although outcomes can be wrong.
   * firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every outcome.
   */
  confidence?: number | null;
  /**
   * The probability that a set with the property is observed without it: a rate in [0, 1), counts of past runs, or
   * `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
   */
  flakeRate?: Rate;
  /**
   * The probability that a set without the property is observed with it, in the forms of `flakeRate`. It applies only
   * with a `confidence`. Default: `"estimate"`.
   */
  falsePassRate?: Rate;
}

/** @internal */
export const ISOLATE: Kind<ReductionOptions> = {
  algorithm: "isolate",
  search: "Isolator",
  fields: {
    dependencies: someDependencies,
    parents: aList("several numbers", asItIs),
    depth: asItIs,
    monotonic: asItIs,
    keep: asItIs,
    signature: asItIs,
    confidence: asItIs,
    flakeRate: aRate(),
    falsePassRate: aRate(),
  },
};

/** Options of a minimization. */
export interface MinimizerOptions {
  /**
   * The algorithm that chooses which sets to test. Default: `"auto"`. `"auto"`: adaptive group testing. It learns from
   * outcomes how many items are needed and whether needed items come in clusters. If most sets are unresolved, it
   * switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin algorithm, which tests
   * subsets, then complements, and then cuts the items into more parts (Zeller and Hildebrandt 2002, Figure 5; IDD,
   * Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests for n items (IDD, Section 3.1).
   */
  algorithm?: "auto" | "ddmin" | "recursive";
  /**
   * The indices of the items that each item needs, by item index. A list among them means that any one of its members
   * is enough. firstbad never tests a set in which a needed item is missing, and items that need each other stay
   * together. Default: no dependencies.
   */
  dependencies?: Dependencies | null;
  /**
   * The weight of each item, above 0: its size, or its probability of being needed relative to the other items.
   * Default: equal weights.
   */
  weights?: Iterable<number> | null;
  /**
   * The parent of each item in a tree, as an index, or none. Indices from the number of items on are groups, which are
   * not items themselves. firstbad goes through the tree level by level from the top, and removes an item together with
   * its parent. Default: no tree.
   */
  parents?: Iterable<number | null> | null;
  /**
   * The number of tree levels to go through, at least 1. Items below the last level stay together. The number of tree
   * entries times the number of levels can be at most 2^24. Default: all levels.
   */
  depth?: number | null;
  /**
   * Passes over single items that follow after the tree: one list of item indices for each pass. In its pass, an item
   * is removed together with everything below it. Before its pass, it is removed only with its parent. If a pass
   * removes anything, firstbad repeats the tree and all passes so far before the next pass. Default: no later passes.
   */
  later?: Iterable<Iterable<number>> | null;
  /**
   * Whether every set that contains a set with the property also has the property. If so, firstbad does not test sets
   * whose outcomes follow from this. Default: false.
   */
  monotonic?: boolean;
  /**
   * The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`. `"fixpoint"`: no single item can be
   * removed, provided that adding items never hides the property. In a tree, an item is removed together with
   * everything below it. In a text, or if adding items can hide the property, some single items may still be removable.
   * `"1-minimal"`: every set with one item less was tested, and none of them had the property.
   */
  guarantee?: "fixpoint" | "1-minimal";
  /**
   * The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if firstbad
   * runs an oracle.
   */
  keep?: "pass" | "fail";
  /**
   * The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first failure that
   * firstbad observes.
   */
  signature?: string | null;
  /**
   * The probability, at least 0.5 and below 1, with which the result must be correct although outcomes can be wrong.
   * firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every outcome.
   */
  confidence?: number | null;
  /**
   * The probability that a set with the property is observed without it: a rate in [0, 1), counts of past runs, or
   * `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
   */
  flakeRate?: Rate;
  /**
   * The probability that a set without the property is observed with it, in the forms of `flakeRate`. It applies only
   * with a `confidence`. Default: `"estimate"`.
   */
  falsePassRate?: Rate;
}

/** @internal */
export const MINIMIZE: Kind<MinimizerOptions> = {
  algorithm: "minimize",
  search: "Minimizer",
  fields: {
    algorithm: asItIs,
    dependencies: someDependencies,
    weights: aList("several numbers", asItIs),
    parents: aList("several numbers", asItIs),
    depth: asItIs,
    later: aList("several lists", aList("several numbers", asItIs)),
    monotonic: asItIs,
    guarantee: asItIs,
    keep: asItIs,
    signature: asItIs,
    confidence: asItIs,
    flakeRate: aRate(),
    falsePassRate: aRate(),
  },
};

/** The cost of a build and the cost of a test, in any unit. The default is measured from the seconds in the observations, and is 10 to 1 until then. */
export interface SuiteCosts {
  /** The cost of a build, 0 or above. */
  build: number;
  /** The cost of one test, above 0. */
  test: number;
}

/** @internal */
export const SUITE_COSTS: Fields<SuiteCosts> = {
  build: asItIs,
  test: asItIs,
};

/** Options of a triage. */
export interface TriageOptions {
  /** The bad revision, at which the tests fail. Exactly one. */
  bad: string | Iterable<string>;
  /**
   * The good revisions, `bad` or ancestors of it. The default is the roots of its history. These revisions and their
   * ancestors are not suspects. firstbad runs the first good revision to find the tests that fail there as well.
   */
  good?: string | Iterable<string>;
  /**
   * The ids of the failing tests, each once. The default is the tests that fail in `tonight`. Without `tonight`, the
   * whole suite runs once at `bad` and, without `last`, once at the first good revision.
   */
  tests?: string | Iterable<string>;
  /**
   * The results of last night's run of the suite at `bad`, by test. They order the search and count as one run. The
   * default is no results. A test of `tests` without a result there counts as failed.
   */
  tonight?: Results;
  /** The results of the last green run of the suite, at the first good revision, by test. The default is no results. */
  last?: Results;
  /** The ids of tests that are listed and never searched. The default is none. */
  quarantine?: string | Iterable<string>;
  /**
   * The probability at which a verdict is accepted, for each test, above 0.5 and below 1. The default is 0.95. A
   * confidence of 0.99 costs 15% to 20% more test runs.
   */
  confidence?: number;
  /**
   * The cost of a build and the cost of a test, in any unit. The default is measured from the seconds in the
   * observations, and is 10 to 1 until then.
   */
  costs?: SuiteCosts | null;
  /**
   * The number of builds that stay available after their run, or `"all"`. The default is 2. A run at a kept build costs
   * little.
   */
  keepBuilds?: number | "all";
  /** The largest number of tests of one probe, 1 or above. By default, there is no limit. */
  batch?: number | null;
  /**
   * The largest number of tests that are searched, 1 or above. The default is 500. If there are more, the search takes
   * one test of each signature first.
   */
  maxTests?: number;
  /**
   * The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the names of the
   * tests, and is the default if the graph was read from Git. `"uniform"` makes all suspects equally likely, and is the
   * default otherwise. Weights by revision can have any unit and must be 0 or above. An unlisted suspect weighs 1, or
   * the smallest listed weight above 0 if that is less.
   */
  prior?: Prior | null;
}

/** @internal */
export const TRIAGE: Kind<TriageOptions> = {
  algorithm: "triage",
  search: "TriageSearch",
  fields: {
    bad: someIds,
    good: someIds,
    tests: someIds,
    tonight: someResults,
    last: someResults,
    quarantine: someIds,
    confidence: asItIs,
    costs: anObject(SUITE_COSTS),
    keepBuilds: asItIs,
    batch: asItIs,
    maxTests: asItIs,
    prior: aPrior,
  },
};

/** The options of one of several metrics. */
export interface MetricOptions {
  /** The smallest change that matters. */
  atLeast?: number | string | null;
  /** The unit of the number, for reports. */
  unit?: string | null;
  /** The direction of a regression. */
  worse?: "up" | "down" | "either" | null;
}

/** @internal */
export const METRIC: Fields<MetricOptions> = {
  atLeast: asItIs,
  unit: asItIs,
  worse: asItIs,
};

/** The cost of a build and the cost of a measurement, in any unit. The default is measured from the seconds in the observations, and is 0.25 to 1 until then: a build may be reused. */
export interface ChangeCosts {
  /** The cost of a build, 0 or above. */
  build: number;
  /** The cost of a measurement, above 0. */
  measurement: number;
}

/** @internal */
export const CHANGE_COSTS: Fields<ChangeCosts> = {
  build: asItIs,
  measurement: asItIs,
};

/** Options of a search for a change in numbers. */
export interface ChangeOptions {
  /** The bad revision, at which the number is worse. Exactly one. */
  bad: string | Iterable<string>;
  /**
   * The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their
   * ancestors are not suspects. firstbad measures the first good revision.
   */
  good?: string | Iterable<string>;
  /**
   * The direction of a regression. `"up"` is the default: a larger number is worse. `"down"`: a smaller number is
   * worse. `"either"`: both, as measured at the endpoints. `"up"`: a larger number is worse, as for time, memory, and
   * size. `"down"`: a smaller number is worse, as for throughput and accuracy. `"either"`: both directions matter.
   */
  worse?: "up" | "down" | "either";
  /**
   * What to find: `"regression"`, the commit that made the number worse, or `"fix"`, the commit that made it better.
   * The default is `"regression"`.
   */
  find?: "regression" | "fix";
  /**
   * The smallest change that matters: a fraction such as `0.03`, a percentage such as `"3%"`, or an amount such as
   * `"2kB"`, `"15ms"`, or `"300"` in the unit of the number. The default is 0.03.
   */
  atLeast?: number | string;
  /**
   * The unit of the number, for reports: `"s"`, `"B"`, or any text of at most 20 characters. The default is the unit of
   * `atLeast`, if it has one.
   */
  unit?: string | null;
  /**
   * The options of each metric by its name, if each run measures several. Absent options have the values of this
   * configuration. The default is a single metric without a name.
   */
  metrics?: Readonly<Record<string, MetricOptions>> | ReadonlyMap<string, MetricOptions>;
  /** The probability at which the search names a commit, above 0.5 and below 1. The default is 0.99. */
  confidence?: number;
  /**
   * Whether to continue while a change of at least `atLeast` is unexplained. The default is false: one step is enough.
   */
  allSteps?: boolean;
  /**
   * Whether each revision has one number without noise, such as a size. `"auto"` is the default: numbers are exact if
   * both endpoints repeat theirs.
   */
  exact?: boolean | "auto";
  /**
   * Measure an endpoint again every so many measurements, to notice a machine that becomes slower, and half as often on
   * a machine that proves to be steady. The default is 3. 0 turns this off.
   */
  controlEvery?: number;
  /**
   * Whether each run measures the first good revision as well, on the same machine, and tells its number as `control`.
   * The search then compares the two. The default is false.
   */
  paired?: boolean;
  /**
   * The largest number of measurements, 6 or above. The search then ends undecided, with its best guess. The default is
   * 150.
   */
  maxMeasurements?: number;
  /**
   * The cost of a build and the cost of a measurement, in any unit. The default is measured from the seconds in the
   * observations, and is 0.25 to 1 until then: a build may be reused.
   */
  costs?: ChangeCosts | null;
  /**
   * The prior probability of each suspect. `"changes"` ranks commits by the files they touch, and is the default if the
   * graph was read from Git. `"uniform"` makes all suspects equally likely, and is the default otherwise. Weights by
   * revision can have any unit and must be 0 or above. An unlisted suspect weighs 1, or the smallest listed weight
   * above 0 if that is less.
   */
  prior?: Prior | null;
}

/** @internal */
export const CHANGE: Kind<ChangeOptions> = {
  algorithm: "change",
  search: "ChangeSearch",
  fields: {
    bad: someIds,
    good: someIds,
    worse: asItIs,
    find: asItIs,
    atLeast: asItIs,
    unit: asItIs,
    metrics: objectsByName(METRIC),
    confidence: asItIs,
    allSteps: asItIs,
    exact: asItIs,
    controlEvery: asItIs,
    paired: asItIs,
    maxMeasurements: asItIs,
    costs: anObject(CHANGE_COSTS),
    prior: aPrior,
  },
};

/** Options of a {@link Porter}. */
export interface PorterOptions {
  /** The revision at which the test fails. */
  start: string;
  /**
   * A revision that is believed to pass, an ancestor of `start`. The walk leads to this revision and ends there. A
   * galloping walk tests this revision first, and again with each new patch. At most one can be given. Default: the
   * walk follows first parents.
   */
  good?: string | Iterable<string> | null;
  /** The oldest revision to test, an ancestor of `start`. Default: the walk goes back to the first commit. */
  oldest?: string | null;
  /**
   * The revisions to walk along, for example releases, newest first. Each must be an ancestor of the previous one, and
   * the first one an ancestor of `start`. Cannot be combined with `good` or `oldest`. Default: all revisions on the
   * way.
   */
  revisions?: string | Iterable<string> | null;
  /**
   * The way to go from revision to revision: `"gallop"` or `"strict"`. Default: `"gallop"`. `"gallop"`: steps of 1, 2,
   * 4, ... versions while the outcome stays the same, then bisection of the last step. `"strict"`: one version after
   * the other (IDD, Figure 2).
   */
  walk?: "gallop" | "strict";
  /**
   * The algorithm that reduces patches. The paper uses `"recursive"`. Default: `"auto"`. `"auto"`: adaptive group
   * testing. It learns from outcomes how many items are needed and whether needed items come in clusters. If most sets
   * are unresolved, it switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin algorithm,
   * which tests subsets, then complements, and then cuts the items into more parts (Zeller and Hildebrandt 2002, Figure
   * 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests for n items (IDD, Section 3.1).
   */
  algorithm?: "auto" | "ddmin" | "recursive";
  /**
   * The smallest parts of patches to remove: `"lines"`, `"edits"`, `"definitions"`, `"hunks"`, or `"files"`. With the
   * algorithm `"auto"` and without `figure2`, the patch that the test needs consists of whole definitions. Default:
   * `"lines"`. `"files"`: whole files. `"hunks"`: hunks, and single header changes. `"definitions"`: the definitions
   * that change, which are the outermost blocks of each hunk that contain changes, found by the indentation of the
   * lines. `"edits"`: edits. An edit is a single change, but a replaced line stays with the similar line that replaced
   * it. Up to six dissimilar lines stay with their replacements. A line stays with the condition that controls it.
   * `"lines"`: single changes.
   */
  granularity?: "files" | "hunks" | "definitions" | "edits" | "lines";
  /**
   * Whether to reduce patches level by level, files first (IDD, Section 3.4). If so, brackets are removed only in
   * pairs, and patches in the result are also reduced by whole definitions and blocks. If not, patches are reduced by
   * lines at once. Default: true.
   */
  hierarchical?: boolean;
  /**
   * Whether the walk ends at a version that passes while firstbad reduces a patch for it. An older version still wins
   * if it passes with the reduced patch, before another patch is needed. If false, such passes are ignored, as in the
   * paper (IDD, Figure 2). firstbad then misses a version if one commit contains both the cause and a conflict with the
   * patch (Section 4.1). Default: true.
   */
  earlyPass?: boolean;
  /**
   * Whether to also compute the result of the paper's Figure 2 (IDD): the smallest change from the passing version to
   * the failure, including the changes that the test needs. This takes additional runs. Default: false.
   */
  figure2?: boolean;
  /**
   * The most changes that a carried patch can have, at least 1. The search ends if it needs a larger patch. Default: no
   * limit.
   */
  maxPatch?: number | null;
  /**
   * Files and folders to copy from `start` into every version, such as the test and its helpers. They are not part of
   * any patch. Default: none.
   */
  alwaysKeep?: string | Iterable<string> | null;
  /**
   * The files and folders to search for the cause, relative to the top of the repository. These are names, not
   * patterns. Everything else stays as it is at `start` in every version and in every patch. Default: all files.
   */
  paths?: string | Iterable<string> | null;
  /**
   * Whether the oracle also runs a control command. The control must pass in every version that counts as the same
   * failure. On the way back, it must also pass in every version that counts as passing with a patch. An observation
   * that passes but has `control` in its signals does not count as a pass. With a control, the walk also ends at a
   * version that passes without those hunks of the carried patch that do not apply. Default: false. Without a control,
   * the report warns if this matters.
   */
  controlled?: boolean;
  /**
   * Whether the search ends once the commit is known (`"commit"`), or also finds the patches that explain it
   * (`"explanation"`). Default: `"explanation"`. `"commit"`: when the commit is known. `"explanation"`: when the commit
   * is explained by a carried patch, a cause, and a repair.
   */
  until?: "commit" | "explanation";
  /**
   * The revision to bring the fix forward to: `start`, one of its ancestors on the walk, or one of its descendants.
   * Default: the fix is not brought forward.
   */
  forward?: string | null;
  /**
   * The factor, above 1, by which the run time must differ from the run time at the start to count as another failure.
   * Both slower and faster runs count. Default: the run time does not matter.
   */
  secondsFactor?: number | null;
  /**
   * The factor, above 1, by which the memory use must differ from the memory use at the start to count as another
   * failure. Default: memory use does not matter.
   */
  memoryFactor?: number | null;
  /**
   * Revisions whose parents exist but are missing from this repository, as in a shallow clone. A walk that reaches one
   * of them ends with the status `"revision_not_readable"`. Default: none.
   */
  boundary?: string | Iterable<string> | null;
}

/** @internal */
export const PORT: Kind<PorterOptions> = {
  algorithm: "port",
  search: "Porter",
  fields: {
    start: asItIs,
    good: someIds,
    oldest: asItIs,
    revisions: someIds,
    walk: asItIs,
    algorithm: asItIs,
    granularity: asItIs,
    hierarchical: asItIs,
    earlyPass: asItIs,
    figure2: asItIs,
    maxPatch: asItIs,
    alwaysKeep: someIds,
    paths: someIds,
    controlled: asItIs,
    until: asItIs,
    forward: asItIs,
    secondsFactor: asItIs,
    memoryFactor: asItIs,
    boundary: someIds,
  },
};

/** The history that the changes come from, with full commit ids. The search only stores it for the code that builds trees from sets of changes. Default: none. */
export interface SlicedHistory {
  /**
   * The revision before the first change. It must be a first-parent ancestor of `tip`. Default: with `onto`, the newest
   * first parent of `tip` that `onto` has.
   */
  base?: string;
  /** The size of the changes that the history is divided into. Default: `"commit"`. */
  granularity?: "commit" | "file" | "hunk" | "definition";
  /**
   * The branch to pick the commits for, such as a release branch. Sets of changes are applied to it, and every set
   * contains the changes of `tip`. Commits that the branch already has, by patch-id or by a line of `git cherry-pick
   * -x`, are left out. Default: none, and sets of changes are applied to `base`.
   */
  onto?: string | null;
  /**
   * The files and folders to slice, relative to the top of the repository. These are names, not patterns. Everything
   * else stays as it is at `base`. Default: all files.
   */
  paths?: string | Iterable<string>;
  /**
   * Files and folders, such as tests, to copy from `tip` into every set of changes. They are not part of any change.
   * Default: none.
   */
  tests?: string | Iterable<string>;
  /** The revision with all changes. */
  tip: string;
}

/** @internal */
export const SLICED_HISTORY: Fields<SlicedHistory> = {
  base: asItIs,
  granularity: asItIs,
  onto: asItIs,
  paths: someIds,
  tests: someIds,
  tip: asItIs,
};

/** The changes that flow into one variable or result. */
export interface Charge {
  /** The indices of the changes. */
  changes: Iterable<number>;
  /** The path of the file, relative to the top of the repository. */
  file: string;
  /** The qualified name of the definition. */
  name: string;
  /** The name of the variable, or `"return"` for the result. */
  variable: string;
}

/** @internal */
export const CHARGE: Fields<Charge> = {
  changes: aList("several numbers", asItIs),
  file: asItIs,
  name: asItIs,
  variable: asItIs,
};

/** Options of a {@link Slicer}. */
export interface SlicerOptions {
  /**
   * The history that the changes come from, with full commit ids. The search only stores it for the code that builds
   * trees from sets of changes. Default: none.
   */
  history?: SlicedHistory | null;
  /**
   * The other commits that each change is from, by change index, such as earlier commits that do not parse. Default:
   * none.
   */
  joined?: Dependencies | null;
  /** The indices of the changes that are merge commits. Default: none. */
  merges?: Iterable<number> | null;
  /** The outcome to keep: `"pass"` or `"fail"`. Default: `"pass"`. */
  keep?: "pass" | "fail";
  /**
   * The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the failure of all changes
   * together.
   */
  signature?: string | null;
  /**
   * The algorithm that finds the slice. Default: `"auto"`. `"auto"`: adaptive group testing. It also tests the removals
   * that facts suggest. `"definer"`: dynamic delta refinement with the rules of the paper (DEFINER, Figure 9).
   * `"coverage"`: only the start, tested once and not reduced (CSlicer). `"ddmin"`: the ddmin algorithm, which tests
   * subsets, then complements, and then cuts the changes into more parts (Zeller and Hildebrandt 2002). `"recursive"`:
   * recursive bisection with at most 2n - 1 tests for n changes (IDD, Section 3.1).
   */
  algorithm?: "auto" | "definer" | "coverage" | "ddmin" | "recursive";
  /**
   * The changes that `"definer"` reverts first. Default: `"combined"`. `"random"`: random parts, regardless of scores.
   * `"neg"`: changes with a score below 0. This is the paper's default. `"nonpos"`: changes with a score of at most 0.
   * `"low"`: the third of the changes with the lowest scores. `"combined"`: `"neg"`, `"nonpos"`, and `"low"` in turn.
   */
  scheme?: "random" | "neg" | "nonpos" | "low" | "combined";
  /**
   * The indices of the changes that each change is predicted to depend on, by change index. A list among them means
   * that any one of its members is enough. firstbad postpones sets that lack a predicted dependency, and tests them
   * only if the result depends on them. Default: no dependencies.
   */
  dependencies?: Dependencies | null;
  /**
   * The indices of changes that may be sufficient, such as the changes that a test covers. firstbad tests them once,
   * together with their predicted dependencies, and ignores them if they are not sufficient. Default: no start.
   */
  start?: Iterable<number> | null;
  /**
   * The indices of changes that every set contains. The search then starts with these changes alone. It adds first the
   * changes that they are predicted to depend on, then more of the newest ones, until the test passes. Only for `keep`
   * `"pass"`, and not for the algorithms `"definer"` and `"coverage"`. Default: no changes.
   */
  always?: Iterable<number> | null;
  /** Whether to learn from facts in `signals` which changes matter. Default: true. */
  learn?: boolean;
  /**
   * The changes that flow into variables and results. Each entry has a `file`, the qualified `name` of a definition, a
   * `variable` (`"return"` for the result), and the indices of the `changes`. Facts that do not name changes count for
   * or against these. Default: none.
   */
  charges?: Iterable<Charge> | null;
  /** Warnings to include in the report, in sentences. Default: none. */
  warnings?: string | Iterable<string> | null;
  /**
   * The guarantee to reach. Default: `"1-minimal"`. `"fixpoint"`: no single item can be removed, provided that adding
   * items never hides the property. In a tree, an item is removed together with everything below it. In a text, or if
   * adding items can hide the property, some single items may still be removable. `"1-minimal"`: every set with one
   * item less was tested, and none of them had the property.
   */
  guarantee?: "fixpoint" | "1-minimal";
  /** The seed for the random choices of `"definer"`. Default: 0. */
  seed?: number;
}

/** @internal */
export const SLICE: Kind<SlicerOptions> = {
  algorithm: "slice",
  search: "Slicer",
  fields: {
    history: anObject(SLICED_HISTORY),
    joined: someDependencies,
    merges: aList("several numbers", asItIs),
    keep: asItIs,
    signature: asItIs,
    algorithm: asItIs,
    scheme: asItIs,
    dependencies: someDependencies,
    start: aList("several numbers", asItIs),
    always: aList("several numbers", asItIs),
    learn: asItIs,
    charges: aList("several objects", anObject(CHARGE)),
    warnings: someIds,
    guarantee: asItIs,
    seed: asItIs,
  },
};
