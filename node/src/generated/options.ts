/** The options of every search. Generated from the tables of options by `make generate`; do not edit. */

import {
  aPrior, aRate, anEarlierVerdict, type Costs, type Earlier, type Kind, type Prior, type Rate, someCosts, whereFirst,
} from "../configuration.js";
import { type Dependencies, someDependencies } from "../dependencies.js";
import { aList, anObject, asItIs, type Fields, someIds } from "../fields.js";

/** Options of a regression search. */
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
   * Where no older end is given: whether to look back for one instead of assuming that the roots are, or the revisions
   * to try first. Then ancestors further and further back are asked, along first parents, until one is otherwise than
   * the newer end. In a history that was read from git the last tag before each newer end is tried first. By default
   * no.
   */
  findGood?: boolean | string | Iterable<string> | null;
  /**
   * How to search; by default `"auto"`. `"auto"`: whatever reaches the goal set by `prefer` with the fewest queries;
   * every answer is trusted. `"linear"`: on a shortest path, from the leaf backwards, one by one (RPA, Section 3.2).
   * `"binary"`: on a shortest path, halving; the midpoint is rounded up, towards the leaf (RPA, Section 3.2).
   * `"multiplying"`: on a shortest path, with gaps that double, started again in the last gap (RPA, Algorithm 3).
   * `"gallop"`: on a shortest path, with gaps that double, then halving in the last gap. `"bisect"`: on the whole
   * graph, the revision that `git bisect` would test, skips included. `"weighted"`: on the whole graph, halving prior
   * mass; recent revisions are likelier culprits. `"bayes"`: on the whole graph, flake-aware culprit finding for every
   * newer end, with one belief over what was seen for all of them (FACF, Section 3). Revisions are asked again if that
   * tells most.
   */
  search?: "auto" | "linear" | "binary" | "multiplying" | "gallop" | "bisect" | "weighted" | "bayes";
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
  checkParents?: boolean;
  /**
   * Whether to test the given ends first, each once; by default yes. What is known of them already costs nothing. If
   * not, they are taken to be what they were given as, and the report says so.
   */
  testEndpoints?: boolean;
  /**
   * Whether to run the culprit and its parents again before firstbad names the culprit, each alone in a clean worktree,
   * unless the search has already run them like this. By default yes. Nothing is confirmed without `clean`, or with
   * `search: "bayes"`, which repeats runs anyway.
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
   * Whether to distinguish failures by how the test fails, from its output or the `signature` of the observation. If
   * true, other failures than that of the bad revision are unresolved. If false, all failures count, unless you give a
   * `signature`. With `"auto"`, the default, firstbad first finds the culprit without distinguishing failures by their
   * output. If the culprit fails in another way than the bad revision, the search continues, without repeating a run,
   * until it finds the commit that introduced the failure of the bad revision. With `"auto"`, a `signature` of an
   * observation counts from the start.
   */
  distinguishFailures?: boolean | "auto";
  /**
   * How likely each revision broke it, before anything is asked: `"changes"`, by what it touches and what the test is
   * called, the default where the graph was read from git; `"uniform"`, all alike, the default elsewhere; or weights by
   * revision, 0 or above, in any unit, where one that is not named has the least of them that is above 0. It decides
   * what is asked first, and makes no revision impossible. For the searches `"auto"`, `"weighted"` and `"bayes"`.
   */
  prior?: Prior | null;
  /**
   * What the failing test is called, in words or as its runner calls it: one, or several that began to fail together.
   * Cards show it, and with `prior: "changes"` it says where to look. By default what the command of a command oracle
   * names, else it is not known.
   */
  test?: string | Iterable<string> | null;
  /**
   * What a run costs at a revision, above 0: questions are then chosen by what they tell per cost. By default, and at
   * revisions that are not named, 1. Python and Node also take a function of the id, which is called for each suspect.
   * For the searches `"auto"`, `"weighted"` and `"bayes"`.
   */
  costs?: Costs | null;
  /**
   * With `search: "bayes"`: how often the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or
   * `"estimate"`, which finds it out on the way; by default it is estimated.
   */
  flakeRate?: Rate | null;
  /** With `search: "bayes"`: no flake rate below this is believed, in [0, 1); by default 0. */
  minFlakeRate?: number | null;
  /**
   * With `search: "bayes"`: how often the test passes at a broken revision, in the forms of `flakeRate`; by default
   * never.
   */
  falsePassRate?: Rate | null;
  /**
   * With `search: "bayes"`: how likely it is beforehand that the failure of a newer end was a flake, in [0, 1), or
   * `"uniform"` for 1 / (suspects + 1); by default 0.4.
   */
  priorNoCulprit?: number | "uniform" | null;
  /**
   * With `search: "bayes"`: the probability at which an answer is taken for true, above 0.5 and below 1; by default
   * 0.99.
   */
  confidence?: number | null;
  /**
   * With `search: "bayes"`: whether an answer needs rates that fit what was seen, and enough runs of the culprit and of
   * its parents to show that they differ, whatever the rates; by default yes. A bad revision whose runs do not come to
   * that ends as `contradictory`.
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
   * The revision that was seen to fail: exactly one. It is a suspect like the others and may be asked again; its first
   * failure belongs to `priorNoCulprit` and is not counted.
   */
  bad: string | Iterable<string>;
  /**
   * Revisions that pass, ancestors of `bad`: one or several, by default its roots. They and their ancestors are no
   * suspects. They are asked if the flake rate is to be estimated, and before a child of theirs is named.
   */
  good?: string | Iterable<string>;
  /**
   * How often the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or `"estimate"`, the
   * default, which finds it out on the way.
   */
  flakeRate?: Rate;
  /** No flake rate below this is believed, in [0, 1); by default 0. The paper's evaluation uses 0.1. */
  minFlakeRate?: number;
  /** How often the test passes at a broken revision, in the forms of `flakeRate`; by default never. */
  falsePassRate?: Rate;
  /**
   * How likely each suspect is the culprit, before anything is asked: `"changes"`, by what it touches and what the test
   * is called, the default where the graph was read from git; `"uniform"`, all alike, the default elsewhere; or
   * weights, 0 or above, in any unit: they are scaled to sum to what "no culprit" leaves, and a suspect that is not
   * named weighs 1, or as much as the lightest one named (other than 0) if that is less.
   */
  prior?: Prior | null;
  /**
   * What the failing test is called, in words or as its runner calls it: one, or several that began to fail together.
   * Cards show it, and with `prior: "changes"` it says where to look. By default what the command of a command oracle
   * names, else it is not known.
   */
  test?: string | Iterable<string> | null;
  /**
   * How likely it is beforehand that there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects + 1) (FACF,
   * Section 2.4); by default 0.4, what the paper's evaluation saw.
   */
  priorNoCulprit?: number | "uniform" | null;
  /** The probability at which a hypothesis is taken for true, above 0.5 and below 1; by default 0.99. */
  confidence?: number;
  /**
   * How to choose the next runs; by default `"cdf"`. `"cdf"`: thresholds over the cumulative posterior (FACF, Algorithm
   * 2, NextRuns), without runs that would tell nothing. `"expected-gain"`: thresholds over the cumulative expected gain
   * (FACF, "Choosing the Thresholds in NextRuns"), without such runs. `"information"`: the runs that are expected to
   * tell most about the culprit, looking ahead if it pays. `"bisect"`: bisection in which a revision fails only if it
   * fails `reruns` times, the paper's baseline (FACF, "Bisection").
   */
  strategy?: "cdf" | "expected-gain" | "information" | "bisect";
  /** With `choose: "bisect"`: how often a revision must fail, 1 or above; by default once. */
  reruns?: number | null;
  /**
   * What a run costs at a revision, above 0: runs are then chosen by what they tell per cost. By default, and at
   * revisions that are not named, 1. Python and Node also take a function of the id, which is called for each suspect.
   */
  costs?: Costs | null;
  /**
   * Whether a short verification is the last stage: the culprit and its parents are run until they differ whatever the
   * rates, or `bad` until no false pass explains that it passes; by default yes. What contradicts the conclusion takes
   * the search up again, with both rates unknown where those told do not fit. If not, such rates end the search as
   * `contradictory`. Nothing of this with `choose: "bisect"`.
   */
  verify?: boolean;
  /**
   * The failure searched for: failures with another signature count as unresolved. By default the one seen first at a
   * revision that is known to fail.
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
   * The conclusion to verify: the revision that was blamed, or none if the failure is said to have been a flake, which
   * is correct as soon as `bad` passes. It has to be given: an inconclusive report holds no conclusion.
   */
  culprit: string | null;
  /** The revision that was seen to fail (the paper's s_n): exactly one. */
  bad: string | Iterable<string>;
  /**
   * Revisions that pass, ancestors of `bad`: one or several, by default its roots. Each is checked (the paper's s_0).
   */
  good?: string | Iterable<string>;
  /**
   * How often the test fails at a healthy revision: a rate in [0, 1), or counts of past runs; by default 0, so that the
   * floor holds. A culprit search reports the rate that it found.
   */
  flakeRate?: Exclude<Rate, "estimate">;
  /**
   * The flake rate is taken to be no lower than this, above 0 and below 1; by default the paper's 0.1, so that even a
   * test that never flaked is run 9 times.
   */
  minFlakeRate?: number;
  /**
   * How sure the verdict is to be, above 0 and below 1: flakes mislead none of its checks with this probability. By
   * default 0.99999999, which the paper asks of each check by itself.
   */
  confidence?: number;
  /**
   * What an earlier verification of the same conclusion said, if this one repeats it some hours later: if the two
   * differ, the conclusion depends on the time or the environment (`not_reproducible`). By default none.
   */
  again?: Earlier | null;
  /**
   * The failure searched for: failures with another signature count as unresolved. By default the one seen first at a
   * revision that is said to fail.
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
   * By index, the indices of what an item needs, all of it; a list among them means any one of its members. A set
   * without what its items need is never asked, and items that need each other stay together. By default no item needs
   * another.
   */
  dependencies?: Dependencies | null;
  /**
   * The tree that the items form: for each the index of its parent, or none. Indices from the number of items on are
   * groups, which are no items themselves. The tree is gone through from the top, level by level, and an item goes with
   * its parent. By default there is no tree.
   */
  parents?: Iterable<number | null> | null;
  /**
   * How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all; entries of
   * the tree times levels may be 2^24 at most.
   */
  depth?: number | null;
  /**
   * Whether what has the property has it with any further item, too: then nothing is asked that follows. By default
   * not.
   */
  monotonic?: boolean;
  /** Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked. */
  keep?: "pass" | "fail";
  /** With `keep: "fail"`: the failure to be kept, others count as unresolved. By default the one seen first. */
  signature?: string | null;
  /**
   * If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked until they are
   * sure. By default every answer is trusted.
   */
  confidence?: number | null;
  /**
   * With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1), counts of past
   * runs, or `"estimate"`, the default.
   */
  flakeRate?: Rate;
  /**
   * With a `confidence`: how often a set that has not the property is seen with it, in the forms of `flakeRate`; by
   * default it is estimated.
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
   * How to minimise; by default `"auto"`. `"auto"`: group testing that learns how many items are needed, and whether
   * they come in clusters. Where most sets cannot be told, bisection and neighbours take over. `"ddmin"`: subsets,
   * complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: bisection
   * with at most 2n - 1 questions (IDD, Section 3.1).
   */
  algorithm?: "auto" | "ddmin" | "recursive";
  /**
   * By index, the indices of what an item needs, all of it; a list among them means any one of its members. A set
   * without what its items need is never asked, and items that need each other stay together. By default no item needs
   * another.
   */
  dependencies?: Dependencies | null;
  /**
   * For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By default all
   * weigh alike.
   */
  weights?: Iterable<number> | null;
  /**
   * The tree that the items form: for each the index of its parent, or none. Indices from the number of items on are
   * groups, which are no items themselves. The tree is gone through from the top, level by level, and an item goes with
   * its parent. By default there is no tree.
   */
  parents?: Iterable<number | null> | null;
  /**
   * How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all; entries of
   * the tree times levels may be 2^24 at most.
   */
  depth?: number | null;
  /**
   * Items that are tried by themselves only when the tree was gone through, in passes: a list of items for each, in
   * which an item goes with all that is below it. Until then each goes with its parent. When a pass drops something,
   * the tree and the passes so far are gone through again before the next one. By default there are none.
   */
  later?: Iterable<Iterable<number>> | null;
  /**
   * Whether what has the property has it with any further item, too: then nothing is asked that follows. By default
   * not.
   */
  monotonic?: boolean;
  /**
   * How far to go; by default `"fixpoint"`. `"fixpoint"`: no single item can go, in a tree with all below it, if more
   * items never hide the property. Where they may, and in a text, single ones may still go. `"1-minimal"`: every set
   * with one item less was tested, and was not seen to have the property.
   */
  guarantee?: "fixpoint" | "1-minimal";
  /** Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked. */
  keep?: "pass" | "fail";
  /** With `keep: "fail"`: the failure to be kept, others count as unresolved. By default the one seen first. */
  signature?: string | null;
  /**
   * If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked until they are
   * sure. By default every answer is trusted.
   */
  confidence?: number | null;
  /**
   * With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1), counts of past
   * runs, or `"estimate"`, the default.
   */
  flakeRate?: Rate;
  /**
   * With a `confidence`: how often a set that has not the property is seen with it, in the forms of `flakeRate`; by
   * default it is estimated.
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

/** Options of a {@link Porter}. */
export interface PorterOptions {
  /** The revision at which the test fails. */
  start: string;
  /**
   * A revision that is thought to pass, an ancestor of `start`: the walk goes towards it and ends there. It is tested
   * as any other. By default the walk follows first parents.
   */
  good?: string | Iterable<string> | null;
  /** The oldest revision to look at, an ancestor of `start`. By default the walk ends where history does. */
  oldest?: string | null;
  /**
   * The revisions to walk along, newest first, each older than the one before and all older than `start`: releases, for
   * one. By default all on the way.
   */
  revisions?: string | Iterable<string> | null;
  /**
   * How to go from revision to revision: `"gallop"`, the default, or `"strict"`. `"gallop"`: 1, 2, 4, ... versions on
   * while the outcome stays, then halving in the gap. `"strict"`: one version after the other (IDD, Figure 2).
   */
  walk?: "gallop" | "strict";
  /**
   * How to reduce patches; by default `"auto"`. The paper's is `"recursive"`. `"auto"`: group testing that learns how
   * many items are needed, and whether they come in clusters. Where most sets cannot be told, bisection and neighbours
   * take over. `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section
   * 3.2). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
   */
  algorithm?: "auto" | "ddmin" | "recursive";
  /**
   * How finely patches are taken apart: `"lines"`, the default, `"definitions"`, `"hunks"` or `"files"`. `"files"`: to
   * whole files. `"hunks"`: to hunks, and single changes of headers. `"definitions"`: to definitions, the outermost
   * blocks of each hunk that hold changes, as the indentation of its lines tells them. `"edits"`: to single changes,
   * but a line that was replaced stays with the similar one that took its place, up to six lines with those that they
   * stand for, and a line with the condition that decides it. `"lines"`: to single changes.
   */
  granularity?: "files" | "hunks" | "definitions" | "edits" | "lines";
  /**
   * Whether patches are taken apart level by level, files first (IDD, Section 3.4), and no bracket is tried without the
   * one that closes it; those of the answer also by definitions and blocks, of which no half is tried. By default they
   * are. If not, at once to lines.
   */
  hierarchical?: boolean;
  /**
   * Whether a version that is seen to pass while a patch for it is reduced ends the walk; by default it does, unless an
   * older one passes with the patch that is left of that reduction, before another one is needed. If not, such a pass
   * is ignored, as in the paper (IDD, Figure 2), and a version where one commit holds the cause and a conflict with the
   * patch is missed (Section 4.1).
   */
  earlyPass?: boolean;
  /**
   * Whether to compute the result of the paper's Figure 2 (IDD) as well: the smallest change from the passing version
   * to the failure, including the changes that the test needs. It costs further runs. Default: false.
   */
  figure2?: boolean;
  /** The most changes that a carried patch may have: beyond, the search ends. By default any number. */
  maxPatch?: number | null;
  /**
   * Files and folders that are laid over every version as they are at `start`, and are no part of any patch: the test
   * itself, what it calls. By default none.
   */
  alwaysKeep?: string | Iterable<string> | null;
  /**
   * Whether the oracle also runs a control, a command that must pass in every version that counts as failing in the
   * same way, and, going back, in every one that counts as passing with a patch: an observation that passes and has
   * `control` in its signals does not. By default not, and a report says so where it matters.
   */
  controlled?: boolean;
  /**
   * The revision to bring the fix forward to: `start`, an ancestor of it on the walk, or a descendant. By default the
   * fix is not brought forward.
   */
  forward?: string | null;
  /**
   * A test that takes so many times as long as at the start, or was so many times as quick, fails in another way: above
   * 1. By default time does not count.
   */
  secondsFactor?: number | null;
  /** The same for memory. By default memory does not count. */
  memoryFactor?: number | null;
  /**
   * Revisions whose parents exist and are not here, as in a shallow clone: a walk that comes to one ends as
   * `"revision_not_readable"`. By default none.
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
    controlled: asItIs,
    forward: asItIs,
    secondsFactor: asItIs,
    memoryFactor: asItIs,
    boundary: someIds,
  },
};

/** The history that the changes come from, with full shas. It is only kept, for who makes trees of sets of changes; by default they come from elsewhere. */
export interface SlicedHistory {
  /** The revision before the first change, on the line of first parents of `tip`. */
  base: string;
  /** How finely it is taken apart. */
  granularity?: "commit" | "file" | "hunk" | "definition";
  /**
   * The files and folders that count, from the top of the repository, each by its name and not as a pattern: what is
   * elsewhere stays as it is at `base`. None: all count.
   */
  paths?: string | Iterable<string>;
  /**
   * Files and folders that are laid over every set of changes as they are at `tip`, and are no part of any change: the
   * tests.
   */
  tests?: string | Iterable<string>;
  /** The revision with all changes. */
  tip: string;
}

/** @internal */
export const SLICED_HISTORY: Fields<SlicedHistory> = {
  base: asItIs,
  granularity: asItIs,
  paths: someIds,
  tests: someIds,
  tip: asItIs,
};

/** The changes that flow into one variable or result. */
export interface Charge {
  /** The indices of the changes. */
  changes: Iterable<number>;
  /** The file, from the top of the repository. */
  file: string;
  /** The qualified name of the definition. */
  name: string;
  /** The variable, or `"return"` for the result. */
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
   * The history that the changes come from, with full shas. It is only kept, for who makes trees of sets of changes; by
   * default they come from elsewhere.
   */
  history?: SlicedHistory | null;
  /** Which outcome is to be kept: `"pass"`, the default, or `"fail"`. */
  keep?: "pass" | "fail";
  /**
   * With `keep: "fail"`: the failure to be kept, others count as unresolved. By default the one that all changes show.
   */
  signature?: string | null;
  /**
   * How to look for the slice; by default `"auto"`. `"auto"`: group testing; beside it, what facts say may go is asked
   * at once. `"definer"`: dynamic delta refinement, by the paper's rules (Figure 9). `"coverage"`: the start alone,
   * tested once, with nothing taken from it (CSlicer). `"ddmin"`: subsets, complements, finer and finer (Zeller and
   * Hildebrandt 2002). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
   */
  algorithm?: "auto" | "definer" | "coverage" | "ddmin" | "recursive";
  /**
   * Which changes `"definer"` reverts first; by default `"combined"`. `"random"`: parts that are drawn at random, and
   * nothing by scores. `"neg"`: those below 0, which is the paper's default. `"nonpos"`: those at most 0. `"low"`: the
   * lowest third. `"combined"`: those below 0, those at most 0 and the lowest third, in turn.
   */
  scheme?: "random" | "neg" | "nonpos" | "low" | "combined";
  /**
   * By index, the indices of the changes that a change is thought to rest on, all of them; a list among them means any
   * one of its members. A set without these is put off, and asked where the answer rests on it. By default none.
   */
  dependencies?: Dependencies | null;
  /**
   * The indices of changes that may be enough, those that a test covers: tested once, with what they are thought to
   * rest on, and dropped if that does not hold. By default there is no start.
   */
  start?: Iterable<number> | null;
  /** Whether to learn from facts in `signals` which changes matter; by default it does. */
  learn?: boolean;
  /**
   * The changes that flow into variables and results, each with its `file`, the qualified `name` of a definition, the
   * `variable` (`"return"` for the result) and the indices of the `changes`: facts that name no changes count for or
   * against these. By default there are none.
   */
  charges?: Iterable<Charge> | null;
  /**
   * What to know beforehand before one believes the answer, in sentences: it is among the report's warnings. By default
   * there is nothing.
   */
  warnings?: string | Iterable<string> | null;
  /**
   * How far to go; by default `"1-minimal"`. `"fixpoint"`: no single item can go, in a tree with all below it, if more
   * items never hide the property. Where they may, and in a text, single ones may still go. `"1-minimal"`: every set
   * with one item less was tested, and was not seen to have the property.
   */
  guarantee?: "fixpoint" | "1-minimal";
  /** What the choices of `"definer"` are drawn from; by default 0. */
  seed?: number;
}

/** @internal */
export const SLICE: Kind<SlicerOptions> = {
  algorithm: "slice",
  search: "Slicer",
  fields: {
    history: anObject(SLICED_HISTORY),
    keep: asItIs,
    signature: asItIs,
    algorithm: asItIs,
    scheme: asItIs,
    dependencies: someDependencies,
    start: aList("several numbers", asItIs),
    learn: asItIs,
    charges: aList("several objects", anObject(CHARGE)),
    warnings: someIds,
    guarantee: asItIs,
    seed: asItIs,
  },
};
