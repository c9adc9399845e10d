/** The types of reports. Generated from the types of reports in Rust by `make generate`; do not edit. */

import {
  type Observation, type Outcome, type PortObservation, portObservation, type SubsetObservation, subsetObservation,
  type RevisionObservation, type SuiteObservation, suiteObservation,
} from "../observation.js";
import { withIndices } from "../change-set.js";
import { type Patch, portedPatch } from "../patch.js";
import type { CarriedBy, VariantTarget } from "../probe.js";
import { each, every, type Shape, shaped } from "../written.js";

/** A file that a commit changed. */
export interface FileStats {
  /** The path of the file, relative to the top folder. */
  readonly path: string;
  /** The number of added lines. */
  readonly added: number;
  /** The number of deleted lines. */
  readonly deleted: number;
}

/** @internal */
export const FILE_STATS: Shape<FileStats> = {
  path: ["path"],
  added: ["added"],
  deleted: ["deleted"],
};

/** The size of a commit's changes. */
export interface CommitStats {
  /** The number of changed files. */
  readonly files: number;
  /** The number of added lines. Binary files count as zero. */
  readonly added: number;
  /** The number of deleted lines. Binary files count as zero. */
  readonly deleted: number;
  /** The ten files with the most changed lines, largest first. */
  readonly largest: readonly FileStats[];
}

/** @internal */
export const COMMIT_STATS: Shape<CommitStats> = {
  files: ["files"],
  added: ["added"],
  deleted: ["deleted"],
  largest: ["largest", each(shaped(FILE_STATS))],
};

/** A submodule that a commit updates to another commit. */
export interface SubmoduleChange {
  /** The path of the submodule, relative to the top folder. */
  readonly path: string;
  /** The commit of the submodule before the update. */
  readonly before: string;
  /** The commit of the submodule after the update. */
  readonly after: string;
  /** The number of new submodule commits, or 0 if they are not available. */
  readonly commits: number;
  /** The newest submodule commits, at most five, each as an abbreviated id and a subject. */
  readonly newest: readonly string[];
}

/** @internal */
export const SUBMODULE_CHANGE: Shape<SubmoduleChange> = {
  path: ["path"],
  before: ["before"],
  after: ["after"],
  commits: ["commits"],
  newest: ["newest"],
};

/** A description of a commit. Its texts come from the author and must be escaped before they are shown. */
export interface Commit {
  /** The first line of the commit message, at most 200 characters. */
  readonly subject: string;
  /** The name of the author, at most 200 characters. */
  readonly author: string;
  /** The author's e-mail address, or an empty string if it is unknown. */
  readonly email: string;
  /** The author date in ISO 8601, to the second, with the author's UTC offset. */
  readonly authorDate: string;
  /** The commit date in ISO 8601, to the second, with the committer's UTC offset. */
  readonly commitDate: string;
  /** The changes against the first parent. They are read only for culprits. */
  readonly changed: CommitStats | null;
  /** The URL of the commit, if the remote is a known forge that has the commit. */
  readonly url: string | null;
  /** The URL of the pull or merge request, if the message of the commit or of its merge commit names one. */
  readonly requestUrl: string | null;
  /** The submodules that the commit updates. They are read only for culprits. */
  readonly submodules: readonly SubmoduleChange[];
}

/** @internal */
export const COMMIT: Shape<Commit> = {
  subject: ["subject"],
  author: ["author"],
  email: ["email"],
  authorDate: ["author_date"],
  commitDate: ["commit_date"],
  changed: ["changed", shaped(COMMIT_STATS)],
  url: ["url"],
  requestUrl: ["request_url"],
  submodules: ["submodules", each(shaped(SUBMODULE_CHANGE))],
};

/** The result for one newer endpoint. */
export interface LeafReport {
  /** The endpoint. */
  leaf: string;
  /** The older revision that replaced the endpoint, if the endpoint is unresolved. */
  replacedBy: string | null;
  /**
   * How the search ended. `open`: the search has not finished. `searched`: a search for this endpoint found its points.
   * `propagated`: a point found for another endpoint also explains this one (RPA, Algorithm 2). `not_reproduced`: the
   * endpoint does not fail or fails in another way. For a fix, no earlier revision failed. `no_passing_revision`: the
   * endpoint fails, and no ancestor was observed to pass. `untestable`: the endpoint is unresolved, and no older
   * revision was observed to fail. `contradictory`: a revision that the result depends on had two different outcomes.
   * With `search: "bayes"`, no culprit explains the outcomes at the given flake rate, or the rates are unknown and so
   * high that a run carries too little information.
   */
  result:
    | "open"
    | "searched"
    | "propagated"
    | "not_reproduced"
    | "no_passing_revision"
    | "untestable"
    | "contradictory";
  /** The points of the endpoint, as indices into the points of the report. */
  points: number[];
}

/** @internal */
export const LEAF_REPORT: Shape<LeafReport> = {
  leaf: ["leaf"],
  replacedBy: ["replaced_by"],
  result: ["result"],
  points: ["points"],
};

/** A pair of a passing and a failing revision between which the outcome changed (RPA, Definition 2). */
export interface RegressionPoint {
  /** The passing revision, or `null` if no ancestor was observed to pass. With `find: "fix"`, the newer one. */
  good: string | null;
  /** The failing revision. With `find: "fix"`, the older one. */
  bad: string;
  /**
   * The revision that changed the outcome. `null` if there are candidates, if no ancestor had the other outcome, or if
   * the revision had inconsistent outcomes. Also `null` if `paths` left out commits right before it (`outsidePaths`).
   */
  culprit: string | null;
  /** The newer endpoints that this point explains, in the order in which they were given. */
  leaves: string[];
  /** The number of edges on a shortest path from `bad` to each leaf, parallel to `leaves`. */
  distances: number[];
  /**
   * Whether the newer revision and each of its parents were observed to have opposite outcomes, so that the newer
   * revision alone is the culprit. Always false for a root.
   */
  parentsPass: boolean;
  /**
   * Whether the culprit and its parents were each run alone in a clean worktree, the parents after the culprit, with
   * the same outcomes. Always false with `confirm: false`. Also false with `search: "bayes"`, which reports a
   * `probability` instead.
   */
  confirmed: boolean;
  /**
   * The untested endpoints that the point depends on (`testEndpoints: false`). Includes the older side if it never had
   * the given outcome in a run.
   */
  untestedEndpoints: string[];
  /**
   * Revisions with inconsistent outcomes: the newer outcome before the older side, or the older outcome between the
   * newer side and a leaf. At most 10, oldest first.
   */
  inconsistent: string[];
  /**
   * All remaining suspects, oldest first, if there are unresolved revisions between the two sides. Empty if the edge
   * itself was tested. With `outsidePaths`, this includes the newer revision.
   */
  candidates: string[];
  /**
   * Whether the newer revision touches none of the paths that the history was simplified to. The culprit can then be an
   * earlier commit that was not considered.
   */
  outsidePaths: boolean;
  /**
   * The culprits of other points with the same change (equal patch-ids), such as cherry-picks. Together they are one
   * finding.
   */
  sameChange: string[];
  /** The unresolved parents of the newer revision, in the order of its parents. */
  unresolvedParents: string[];
  /** With `search: "bayes"`, the probability that the point is right for all its leaves, in [0, 1]. */
  probability: number | null;
  /**
   * Whether the point is a regression or, with `find: "fix"`, a fix. `regression`: the change from pass to fail that
   * broke the test. `fix`: the change from fail to pass that fixed the test. `good` then holds the newer revisions and
   * `bad` the older ones.
   */
  find: "regression" | "fix";
  /**
   * An identifier of this finding, 32 hexadecimal digits. It is the same in every run, language, and version that finds
   * the same culprit, or the same candidates.
   */
  fingerprint: string;
}

/** @internal */
export const REGRESSION_POINT: Shape<RegressionPoint> = {
  good: ["good"],
  bad: ["bad"],
  culprit: ["culprit"],
  leaves: ["leaves"],
  distances: ["distances"],
  parentsPass: ["parents_pass"],
  confirmed: ["confirmed"],
  untestedEndpoints: ["untested_endpoints"],
  inconsistent: ["inconsistent"],
  candidates: ["candidates"],
  outsidePaths: ["outside_paths"],
  sameChange: ["same_change"],
  unresolvedParents: ["unresolved_parents"],
  probability: ["probability"],
  find: ["find"],
  fingerprint: ["fingerprint"],
};

/**
 * The status of a search. `running`: the search is not done: it has targets to ask for or waits for outcomes. `found`:
 * the search found its result, down to an edge for each bad revision. `ambiguous`: unresolved revisions hide the
 * culprit, so the result has several candidates. `not_reproduced`: no bad revision fails, or none fails with the
 * failure searched for. `good_end_fails`: a revision given as good fails. `no_passing_revision`: no culprit found,
 * because no revision passes. `untestable`: no culprit found, because the bad revisions and their replacements are
 * unresolved. `budget`: the budget was used up before the search was done. `stopped`: the caller or the oracle stopped
 * the search before it was done. `contradictory`: no single culprit fits the outcomes at the given flake rate.
 * `too_flaky`: the test fails or passes by chance so often that the search would take too many runs. `spread`: the
 * number changed between the endpoints, but no single commit changed it by enough. `no_change`: the number at the
 * endpoints does not differ by enough. `history_exhausted`: no tested revision passes, and there are no older
 * revisions. `patch_too_large`: the patch that the test needs exceeds its maximum size. `revision_not_readable`: older
 * revisions exist but are missing from this repository.
 */
export type Status =
  | "running"
  | "found"
  | "ambiguous"
  | "not_reproduced"
  | "good_end_fails"
  | "no_passing_revision"
  | "untestable"
  | "budget"
  | "stopped"
  | "contradictory"
  | "too_flaky"
  | "spread"
  | "no_change"
  | "history_exhausted"
  | "patch_too_large"
  | "revision_not_readable";

/** A reason why a commit is tested early or late. */
export type CommitReason =
  /** The commit touches a source file that the test is named after. */
  | {
      readonly kind: "named";
      /** The path of the file. */
      readonly file: string;
    }
  /** The commit touches source files whose names share words with the test's file. */
  | {
      readonly kind: "paths";
      /** The shared words, as in the test. */
      readonly words: readonly string[];
    }
  /** The subject of the commit shares words with the test. */
  | {
      readonly kind: "subject";
      /** The shared words, as in the test. */
      readonly words: readonly string[];
    }
  /** The commit touches source files. */
  | {
      readonly kind: "source";
      /** The number of source files. */
      readonly files: number;
      /** The number of added and deleted lines in these files. 0 if lines were not counted. */
      readonly lines: number;
      /** Whether the commit also touches tests. */
      readonly tests: boolean;
    }
  /** The commit touches no source file. */
  | {
      readonly kind: "no_source";
    }
  /** The commit touches a file that the test depends on, according to the build graph. */
  | {
      readonly kind: "affects";
      /** The first such file of the closest target. */
      readonly file: string;
      /** The name of the target. */
      readonly target: string;
      /** The number of dependencies from the closest failing test to the target. 0 for the test itself. */
      readonly depth: number;
    }
  /** The commit touches nothing that the test is known to depend on, according to the build graph. */
  | {
      readonly kind: "unlikely";
    }
  /** The commit cannot have broken the test, according to the build graph. */
  | {
      readonly kind: "excluded";
    };

/** The reason why a revision was tested. It concerns this revision or a child of it. */
export interface SelectionReason {
  /** The reasons as text that can follow the name of the revision. */
  readonly message: string;
  /**
   * The child that the reasons concern, if the child is more likely to be the culprit than the revision. A test of the
   * parent is as informative as a test of the child.
   */
  readonly before: string | null;
  /** The reasons, strongest first, at most three. */
  readonly reasons: readonly CommitReason[];
}

/** @internal */
export const SELECTION_REASON: Shape<SelectionReason> = {
  message: ["message"],
  before: ["before"],
  reasons: ["reasons"],
};

/** The result of a regression search, final or the best so far. */
export interface RegressionFields {
  /** The status of the search. */
  status: Status;
  /** The result in one sentence. */
  message: string;
  /**
   * The change that was searched for. `regression`: the change from pass to fail that broke the test. `fix`: the change
   * from fail to pass that fixed the test. `good` then holds the newer revisions and `bad` the older ones.
   */
  find: "regression" | "fix";
  /** The regression points, in the order in which they were found. */
  points: RegressionPoint[];
  /** The result for each newer endpoint, in the given order. */
  leaves: LeafReport[];
  /** Warnings about the result or its cost, in sentences. */
  warnings: string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  asked: number;
  /** The number of outcomes that cost a run. */
  runs: number;
  /** The number of runs that confirmed or contradicted the result. */
  confirmations: number;
  /** All observations, in the order in which they were reported. */
  observations: RevisionObservation[];
  /**
   * Why revisions were tried, with `prior: "changes"`. Covers the culprits and the tested revisions for which the prior
   * has reasons.
   */
  why: Readonly<Record<string, SelectionReason>>;
  /**
   * Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search
   * runs, and if the repository could not be read.
   */
  commits: Commits;
  /** The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty. */
  names: Readonly<Record<string, readonly string[]>>;
  /**
   * The paths to which the history was simplified. If not empty, only the endpoints and commits that touch these paths
   * were considered, and `parentsPass` of every point is false, because a commit's parent in this history need not be
   * its real parent.
   */
  paths: string[];
  /** Whether the search followed first parents only. */
  firstParent: boolean;
}

/** @internal */
export const REGRESSION_FIELDS: Shape<RegressionFields> = {
  status: ["status"],
  message: ["message"],
  find: ["find"],
  points: ["points", each(shaped(REGRESSION_POINT))],
  leaves: ["leaves", each(shaped(LEAF_REPORT))],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  confirmations: ["confirmations"],
  observations: ["observations"],
  why: ["why", every(shaped(SELECTION_REASON))],
  commits: ["commits", every(shaped(COMMIT))],
  names: ["names"],
  paths: ["paths"],
  firstParent: ["first_parent"],
};

/** A hypothesis with its probability. */
export interface Hypothesis {
  /** The suspect. Absent for the hypothesis that there is no culprit. */
  revision: string | null;
  /** The posterior probability, from 0 to 1. */
  probability: number;
}

/** @internal */
export const HYPOTHESIS: Shape<Hypothesis> = {
  revision: ["revision"],
  probability: ["probability"],
};

/** The number of passing and failing runs. */
export interface RunCounts {
  /** The number of runs that passed. */
  passes: number;
  /** The number of runs that failed. */
  fails: number;
}

/** @internal */
export const RUN_COUNTS: Shape<RunCounts> = {
  passes: ["passes"],
  fails: ["fails"],
};

/** A required outcome that was not observed. */
export interface MissingRun {
  /** The revision. */
  revision: string;
  /** The outcome that no run of the revision had: pass or fail. */
  outcome: "pass" | "fail";
}

/** @internal */
export const MISSING_RUN: Shape<MissingRun> = {
  revision: ["revision"],
  outcome: ["outcome"],
};

/** The result of a culprit search, final or the best so far. */
export interface CulpritFields {
  /** The status of the search. */
  status: Status;
  /**
   * The conclusion. `culprit`: one revision is the culprit (FACF: `CULPRIT_VERSION_IDENTIFIED`). `flake`: there is no
   * culprit: the failure was a flake (FACF: `FLAKE_IDENTIFIED`). `inconclusive`: there is no conclusion, or none yet.
   */
  conclusion: "culprit" | "flake" | "inconclusive";
  /**
   * The reason for the conclusion, or for its absence. `running`: the search is still running. `confident`: the
   * probability of the conclusion has reached the requested confidence. `bisected`: with `choose: "bisect"`, a single
   * hypothesis is left if every outcome is right. See `probability` for how likely that is. `inseparable`: the
   * remaining suspects differ only at revisions that cannot be settled: unresolved revisions, revisions inside an
   * unresolved block, and revisions at the maximum number of runs. `unproven`: a revision has reached the confidence
   * but is not reported as the culprit. The `missing` runs cannot be obtained, or the revision has no parent that could
   * pass. `missing`: CulpritReport.missing `contradictory`: no single culprit explains the outcomes at the given flake
   * rate. `good_end_fails`: a good revision fails. `too_flaky`: the search would take too many runs at the estimated
   * `flakeRate` and `falsePassRate`. `budget`: the budget was used up first. `stopped`: the caller or the oracle
   * stopped the search first.
   */
  reason:
    | "running"
    | "confident"
    | "bisected"
    | "inseparable"
    | "unproven"
    | "contradictory"
    | "good_end_fails"
    | "too_flaky"
    | "budget"
    | "stopped";
  /** The result in one or two sentences. */
  message: string;
  /** The culprit. `null` unless the conclusion is `culprit`. */
  culprit: string | null;
  /**
   * The posterior probability of the conclusion, in [0, 1]. For `culprit` it is that of the culprit, for `flake` that
   * of no culprit, and for `inconclusive` that of the most probable hypothesis.
   */
  probability: number;
  /** The posterior probability that there is no culprit, in [0, 1]. */
  noCulprit: number;
  /**
   * The smallest set of hypotheses that reaches the confidence, most probable first. If the reason is `inseparable`,
   * all hypotheses that no test can separate. While the search runs, at most the ten most probable hypotheses.
   */
  credibleSet: Hypothesis[];
  /**
   * The missing runs of a suspect that has reached the confidence: a failure of the suspect and a pass of each parent.
   * Until none is missing, the conclusion is `inconclusive`. If they cannot be obtained, the reason is `unproven`.
   * Empty in all other cases.
   */
  missing: MissingRun[];
  /** Warnings about the result or its cost, in sentences. */
  warnings: string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  asked: number;
  /** The number of outcomes that cost a run. An observation with counts is one run of the oracle. */
  runs: number;
  /** The flake rate, in [0, 1): as given, or the posterior mean if it is estimated. */
  flakeRate: number;
  /** The rate of false passes, in [0, 1): as given, or the posterior mean if it is estimated. */
  falsePassRate: number;
  /**
   * Whether the given rates fit the observations. True if no rate was given. False if the observations are `1 / (1 -
   * confidence)` times as likely with both rates unknown. Both rates are then estimated (`verify`).
   */
  ratesConsistent: boolean;
  /** Whether the final verification confirmed the conclusion (`verify`). */
  verified: boolean;
  /**
   * The length of the longest row of failures at healthy revisions, if neither the flake rate nor chance explains it at
   * the requested confidence. Set when the search ends. Revisions are healthy under the most probable hypothesis. Runs
   * are ordered by `started`, or by when they were reported if a start time is missing.
   */
  failureStreak: number | null;
  /** The runs at revisions that are healthy under the most probable hypothesis, as evidence of the flake rate. */
  healthyRuns: RunCounts;
  /** All observations, in the order in which they were reported. */
  observations: RevisionObservation[];
  /**
   * Why revisions were tried, with `prior: "changes"`. Covers the culprit and the tested revisions for which the prior
   * has reasons.
   */
  why: Readonly<Record<string, SelectionReason>>;
  /**
   * An identifier of this finding, 32 hexadecimal digits. It is the same in every run that finds the same culprit, or
   * the same suspects that no test can separate, also in a regression search. `null` if there is no culprit, or none
   * yet.
   */
  fingerprint: string | null;
  /**
   * Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search
   * runs, and if the repository could not be read.
   */
  commits: Commits;
}

/** @internal */
export const CULPRIT_FIELDS: Shape<CulpritFields> = {
  status: ["status"],
  conclusion: ["conclusion"],
  reason: ["reason"],
  message: ["message"],
  culprit: ["culprit"],
  probability: ["probability"],
  noCulprit: ["no_culprit"],
  credibleSet: ["credible_set", each(shaped(HYPOTHESIS))],
  missing: ["missing", each(shaped(MISSING_RUN))],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  flakeRate: ["flake_rate"],
  falsePassRate: ["false_pass_rate"],
  ratesConsistent: ["rates_consistent"],
  verified: ["verified"],
  failureStreak: ["failure_streak"],
  healthyRuns: ["healthy_runs", shaped(RUN_COUNTS)],
  observations: ["observations"],
  why: ["why", every(shaped(SELECTION_REASON))],
  fingerprint: ["fingerprint"],
  commits: ["commits", every(shaped(COMMIT))],
};

/** A check and its runs. */
export interface Check {
  /**
   * The role of the revision. `good`: a good revision, `s_0`. It must pass. `parent`: a parent of the culprit,
   * `s_(k-1)`. It must pass. `culprit`: the culprit, `s_k`. It must never pass. `bad`: the bad revision, `s_n`. With a
   * culprit it must never pass, and with a flake it must pass.
   */
  role: "good" | "parent" | "culprit" | "bad";
  /** The revision. */
  revision: string;
  /** The runs of the revision. */
  runs: RunCounts;
}

/** @internal */
export const CHECK: Shape<Check> = {
  role: ["role"],
  revision: ["revision"],
  runs: ["runs", shaped(RUN_COUNTS)],
};

/**
 * Why a conclusion is incorrect or cannot be verified ("When is a Culprit Incorrect?"). `bad_never_passes`: the flake
 * cannot be reproduced, because the bad revision never passes. `bad_passes`: the bad revision passes, so its failure
 * was a flake. `culprit_passes`: the culprit passes. `parent_never_passes`: a parent of the culprit never passes.
 * `good_never_passes`: a good revision never passes. The failure may depend on time or environment.
 * `no_good_pass_before_bad_fail`: no pass of a good revision came before a failure of the bad revision.
 * `no_bad_fail_before_good_pass`: no failure of the bad revision came before a pass of a good revision.
 * `no_parent_pass_before_culprit_fail`: no pass of a parent came before a failure of the culprit.
 * `no_culprit_fail_before_parent_pass`: no failure of the culprit came before a pass of a parent. `not_reproducible`:
 * an earlier verification had the opposite verdict. `unresolved`: a required revision is unresolved, so the conclusion
 * cannot be verified.
 */
export type ReasonCode =
  | "bad_never_passes"
  | "bad_passes"
  | "culprit_passes"
  | "parent_never_passes"
  | "good_never_passes"
  | "no_good_pass_before_bad_fail"
  | "no_bad_fail_before_good_pass"
  | "no_parent_pass_before_culprit_fail"
  | "no_culprit_fail_before_parent_pass"
  | "not_reproducible"
  | "unresolved";

/** A reason against a conclusion. */
export interface VerificationReason {
  /** The kind of reason. */
  code: ReasonCode;
  /** The revision that the reason concerns. */
  revision: string;
  /** The reason in a sentence. */
  message: string;
}

/** @internal */
export const VERIFICATION_REASON: Shape<VerificationReason> = {
  code: ["code"],
  revision: ["revision"],
  message: ["message"],
};

/** The result of a culprit verification. */
export interface VerificationFields {
  /**
   * The status of the verification: `found` if there is a verdict, `ambiguous` if a required revision is unresolved.
   */
  status: Status;
  /** Whether the conclusion is correct, or `null` as long as there is no verdict. */
  correct: boolean | null;
  /** Why the conclusion is incorrect or cannot be verified. Empty if the conclusion is correct. */
  reasons: VerificationReason[];
  /** The result in one sentence. */
  message: string;
  /** The verified conclusion: the culprit, or `null` for a flake. */
  culprit: string | null;
  /**
   * The maximum number of runs of each check: `ceil(log((1 - C) / n) / log(f))`. `n` is the number of ways in which
   * flakes can mislead the verification: two for each good revision and each parent of the culprit, or one for a flake.
   */
  reruns: number;
  /** The runs of each check. */
  checks: Check[];
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  asked: number;
  /** The number of outcomes that cost a run. */
  runs: number;
  /** All observations, in the order in which they were reported. */
  observations: RevisionObservation[];
  /**
   * Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search
   * runs, and if the repository could not be read.
   */
  commits: Commits;
}

/** @internal */
export const VERIFICATION_FIELDS: Shape<VerificationFields> = {
  status: ["status"],
  correct: ["correct"],
  reasons: ["reasons", each(shaped(VERIFICATION_REASON))],
  message: ["message"],
  culprit: ["culprit"],
  reruns: ["reruns"],
  checks: ["checks", each(shaped(CHECK))],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  observations: ["observations"],
  commits: ["commits", every(shaped(COMMIT))],
};

/**
 * A guarantee about the size of a reduction's result. `best so far`: no guarantee, because the search stopped early.
 * The result is the smallest set found so far. `fixpoint`: no single item can be removed, provided that adding items
 * never hides the property. In a tree, an item is removed together with everything below it. In a text, or if adding
 * items can hide the property, some single items may still be removable. `1-minimal`: every set with one item less was
 * tested, and none of them had the property.
 */
export type Guarantee = "best so far" | "fixpoint" | "1-minimal";

/** The report of a minimization: the smallest set that still has the property, or the best set so far. */
export interface MinimizeFields {
  /** The status of the search. */
  status: Status;
  /** The result in one sentence. */
  message: string;
  /** The indices of the kept items, ascending. */
  kept: number[];
  /** The guarantee about the size of the kept set. */
  guarantee: Guarantee;
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  asked: number;
  /** The number of outcomes that cost a run. */
  runs: number;
  /** All observations, in the order in which they were reported. */
  observations: SubsetObservation[];
}

/** @internal */
export const MINIMIZE_FIELDS: Shape<MinimizeFields> = {
  status: ["status"],
  message: ["message"],
  kept: ["kept"],
  guarantee: ["guarantee"],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  observations: ["observations", each(subsetObservation)],
};

/**
 * The report of an isolation: two sets, one inside the other, with the smallest difference found. The larger set has
 * the property, and the smaller one lacks it.
 */
export interface IsolateFields {
  /** The status of the search. */
  status: Status;
  /** The result in one sentence. */
  message: string;
  /** The indices of the items in the set that has the property, ascending. */
  kept: number[];
  /** The indices of the items in the set that lacks the property. All of them are also in `kept`. */
  lacking: number[];
  /** The indices of the items that are in `kept` and not in `lacking`. */
  difference: number[];
  /** The guarantee about the size of the difference. */
  guarantee: Guarantee;
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  asked: number;
  /** The number of outcomes that cost a run. */
  runs: number;
  /** All observations, in the order in which they were reported. */
  observations: SubsetObservation[];
}

/** @internal */
export const ISOLATE_FIELDS: Shape<IsolateFields> = {
  status: ["status"],
  message: ["message"],
  kept: ["kept"],
  lacking: ["lacking"],
  difference: ["difference"],
  guarantee: ["guarantee"],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  observations: ["observations", each(subsetObservation)],
};

/** The runs behind a culprit, summed over its tests. */
export interface CulpritEvidence {
  /** The number of its tests that failed at the commit. */
  readonly failing: number;
  /** The number of its tests that passed at every parent. */
  readonly passing: number;
  /** The runs at the commit. */
  readonly atCommit: RunCounts;
  /** The runs at the parents. */
  readonly atParents: RunCounts;
}

/** @internal */
export const CULPRIT_EVIDENCE: Shape<CulpritEvidence> = {
  failing: ["failing"],
  passing: ["passing"],
  atCommit: ["at_commit", shaped(RUN_COUNTS)],
  atParents: ["at_parents", shaped(RUN_COUNTS)],
};

/**
 * The people who should know about a culprit. The core leaves them empty. A caller that reads the repository fills
 * them.
 */
export interface People {
  /** The author of the commit. */
  readonly author: string | null;
  /** The co-authors of the commit. */
  readonly coAuthors: readonly string[];
  /** The pull request of the commit, as a URL or a number. */
  readonly pullRequest: string | null;
  /** The owners of the changed files. */
  readonly owners: readonly string[];
}

/** @internal */
export const PEOPLE: Shape<People> = {
  author: ["author"],
  coAuthors: ["co_authors"],
  pullRequest: ["pull_request"],
  owners: ["owners"],
};

/** A commit that broke tests. */
export interface TriageCulprit {
  /** The full id of the commit. */
  readonly commit: string;
  /** The full ids of its parents. */
  readonly parents: readonly string[];
  /** The ids of the tests that the commit broke, in the order of the configuration. */
  readonly tests: readonly string[];
  /** The probability that the commit is the culprit: the least of its tests. */
  readonly probability: number;
  /** Whether each of its tests was seen to pass at every parent. False if a new test does not exist at a parent. */
  readonly parentsPass: boolean;
  /** The runs at the commit and at its parents. */
  readonly evidence: CulpritEvidence;
  /** The most frequent signature of its tests, or `null` if no signature is known. */
  readonly signature: string | null;
  /** An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds this commit. */
  readonly fingerprint: string;
  /** The people who should know. */
  readonly people: People;
}

/** @internal */
export const TRIAGE_CULPRIT: Shape<TriageCulprit> = {
  commit: ["commit"],
  parents: ["parents"],
  tests: ["tests"],
  probability: ["probability"],
  parentsPass: ["parents_pass"],
  evidence: ["evidence", shaped(CULPRIT_EVIDENCE)],
  signature: ["signature"],
  fingerprint: ["fingerprint"],
  people: ["people", shaped(PEOPLE)],
};

/** The estimated cost of one search for each test. */
export interface SeparateEstimate {
  /** The number of builds. */
  readonly builds: number;
  /** The number of test runs. */
  readonly testRuns: number;
}

/** @internal */
export const SEPARATE_ESTIMATE: Shape<SeparateEstimate> = {
  builds: ["builds"],
  testRuns: ["test_runs"],
};

/** The results of a test at a revision. */
export interface RevisionRuns {
  /** The revision. */
  readonly revision: string;
  /** The number of passes. */
  readonly passes: number;
  /** The number of failures. */
  readonly fails: number;
  /** The number of runs without a result. */
  readonly unresolved: number;
}

/** @internal */
export const REVISION_RUNS: Shape<RevisionRuns> = {
  revision: ["revision"],
  passes: ["passes"],
  fails: ["fails"],
  unresolved: ["unresolved"],
};

/**
 * What happened to a test. `broken`: one commit broke the test. A failure was seen there, and a pass at every parent.
 * `broken_in`: one of several commits broke the test. No testable revision separates them. `flaky`: the test fails by
 * chance. A pass was seen where it had failed. `environment`: the test fails at the good revision on this machine,
 * although the last green run has a pass. `failed_before`: the test failed in the last green run, or fails at the good
 * revision as well. It is not new. `quarantined`: the test is in the quarantine. It was not searched. `new`: the test
 * does not exist at the good revision. The culprit is the commit at which it fails first. `removed`: the test has a
 * result only in the last green run. `fixed`: the test failed in the last green run and passes now. `infra`: the test
 * had no result at the bad revision, or only failures of the machine. `intermittent`: the test was broken and repaired
 * before. The culprit is the newest break. `undecided`: there is no verdict, or none yet.
 */
export type Verdict =
  | "broken"
  | "broken_in"
  | "flaky"
  | "environment"
  | "failed_before"
  | "quarantined"
  | "new"
  | "removed"
  | "fixed"
  | "infra"
  | "intermittent"
  | "undecided";

/** The verdict about a test. */
export interface TestVerdict {
  /** The id of the test, or `(build)` if the bad revision cannot be built. */
  readonly id: string;
  /** The verdict. */
  readonly verdict: Verdict;
  /** The commit that broke the test. `null` unless the verdict names one. */
  readonly culprit: string | null;
  /**
   * The commits that may have broken the test, oldest first. Empty unless the verdict is `broken_in` or `undecided`.
   */
  readonly candidates: readonly string[];
  /** The probability of the verdict, in [0, 1]. `null` if the test was not searched. */
  readonly probability: number | null;
  /** The number of runs of the test in this search. */
  readonly runs: number;
  /** The results of the test in this search, by revision, oldest first. */
  readonly observations: readonly RevisionRuns[];
  /** The signature of the test's failure, or `null` if it is unknown. */
  readonly signature: string | null;
  /** The test of the same signature that was searched first. `null` for this test and for tests without a signature. */
  readonly leader: string | null;
  /** A detail of the verdict as a sentence, or `null`. */
  readonly note: string | null;
}

/** @internal */
export const TEST_VERDICT: Shape<TestVerdict> = {
  id: ["id"],
  verdict: ["verdict"],
  culprit: ["culprit"],
  candidates: ["candidates"],
  probability: ["probability"],
  runs: ["runs"],
  observations: ["observations", each(shaped(REVISION_RUNS))],
  signature: ["signature"],
  leader: ["leader"],
  note: ["note"],
};

/** The result of a triage, final or the best so far. */
export interface TriageFields {
  /** The status of the search. */
  readonly status: Status;
  /** The result in one or two sentences. */
  readonly message: string;
  /** The full id of the bad revision. */
  readonly bad: string;
  /** The full ids of the good revisions. firstbad runs the first of them. */
  readonly good: readonly string[];
  /** The probability at which a verdict is accepted. */
  readonly confidence: number;
  /** The commits that broke tests, the one with the most tests first. */
  readonly culprits: readonly TriageCulprit[];
  /**
   * The verdicts: `(build)` if it was searched, then the configured tests in their order, then fixed and removed tests.
   */
  readonly tests: readonly TestVerdict[];
  /** The number of builds. */
  readonly builds: number;
  /** The number of runs of single tests. */
  readonly testRuns: number;
  /** The duration of all runs in seconds. `null` if no observation has a duration. */
  readonly seconds: number | null;
  /** The estimated cost of one search for each test. */
  readonly separateEstimate: SeparateEstimate;
  /** The number of suspects. */
  readonly suspects: number;
  /** The full ids of the revisions with results, in the order of the history, oldest first. */
  readonly revisions: readonly string[];
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  readonly asked: number;
  /** The number of outcomes that cost a run. */
  readonly runs: number;
  /** All observations, in the order in which they were reported. */
  readonly observations: readonly SuiteObservation[];
  /**
   * Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search
   * runs, and if the repository could not be read.
   */
  readonly commits: Commits;
  /** The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** @internal */
export const TRIAGE_FIELDS: Shape<TriageFields> = {
  status: ["status"],
  message: ["message"],
  bad: ["bad"],
  good: ["good"],
  confidence: ["confidence"],
  culprits: ["culprits", each(shaped(TRIAGE_CULPRIT))],
  tests: ["tests", each(shaped(TEST_VERDICT))],
  builds: ["builds"],
  testRuns: ["test_runs"],
  seconds: ["seconds"],
  separateEstimate: ["separate_estimate", shaped(SEPARATE_ESTIMATE)],
  suspects: ["suspects"],
  revisions: ["revisions"],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  observations: ["observations", each(suiteObservation)],
  commits: ["commits", every(shaped(COMMIT))],
  names: ["names"],
};

/**
 * The conclusion about a metric. `step`: one commit changed the number by at least `atLeast`. `several`: several
 * commits each changed the number by at least `atLeast`. `spread`: the number changed between the endpoints, but no
 * single commit changed it by at least `atLeast`. `none`: the numbers at the endpoints do not differ by `atLeast` in
 * the direction searched for. `set`: one of several commits changed the number. Revisions without a number separate
 * them. `undecided`: there is no conclusion, or none yet. The candidates are the best guess.
 */
export type ChangeConclusion = "step" | "several" | "spread" | "none" | "set" | "undecided";

/** A commit that changed the number. */
export interface Step {
  /** The full id of the commit. */
  readonly commit: string;
  /** The full ids of its parents. */
  readonly parents: readonly string[];
  /**
   * The median at its parents, in the unit of the number. With several parents, the median that is closest to `after`.
   */
  readonly before: number;
  /** The median at the commit, in the unit of the number. */
  readonly after: number;
  /** Whether the number is only known to be at least `after`, because of a timeout. */
  readonly censored: boolean;
  /** `after` minus `before`. */
  readonly change: number;
  /** The change in percent of `before`. `null` if `before` is not positive. */
  readonly percent: number | null;
  /** The limits of `change`, which hold with a probability of 95%, from the noise of the measurements. */
  readonly interval: readonly [number, number];
  /** The share of the change between the endpoints. It can exceed 1 if another commit changed the number back. */
  readonly share: number;
  /** The posterior probability that this commit changed the number, in [0, 1]. It is 1 for exact numbers. */
  readonly probability: number;
  /** The number of measurements at the commit and its parents. */
  readonly measurements: number;
  /** An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds this commit. */
  readonly fingerprint: string;
}

/** @internal */
export const STEP: Shape<Step> = {
  commit: ["commit"],
  parents: ["parents"],
  before: ["before"],
  after: ["after"],
  censored: ["censored"],
  change: ["change"],
  percent: ["percent"],
  interval: ["interval"],
  share: ["share"],
  probability: ["probability"],
  measurements: ["measurements"],
  fingerprint: ["fingerprint"],
};

/** The noise of the measurements. */
export interface Noise {
  /** The standard deviation of a measurement, in the unit of the number at the good revision. Outliers count little. */
  readonly deviation: number;
  /** The same in percent of the number at the good revision. `null` if that number is not positive. */
  readonly percent: number | null;
  /** The probability that the machine drifted during the search, in [0, 1]. */
  readonly drift: number;
  /**
   * The range of the endpoints' measurements over time without their noise, as the largest difference between means of
   * three measurements of the same revision. `null` below six measurements.
   */
  readonly driftRange: number | null;
  /**
   * The largest difference between the medians of two builds of the same endpoint. `null` if no endpoint was built
   * twice.
   */
  readonly rebuild: number | null;
}

/** @internal */
export const NOISE: Shape<Noise> = {
  deviation: ["deviation"],
  percent: ["percent"],
  drift: ["drift"],
  driftRange: ["drift_range"],
  rebuild: ["rebuild"],
};

/** The measurements at a revision. */
export interface SeriesPoint {
  /** The full id of the revision. */
  readonly revision: string;
  /**
   * Its position in the history between the endpoints, from 0 for the good revision to the number of suspects for the
   * bad one.
   */
  readonly position: number;
  /**
   * The numbers in the order in which they were measured. Paired numbers are divided by their control, or their control
   * is subtracted.
   */
  readonly values: readonly number[];
  /** The place of each number in the observations of the report. */
  readonly observations: readonly number[];
  /** The median of the numbers. */
  readonly median: number;
  /** The number that the conclusion expects at this revision. `null` without a step. */
  readonly fitted: number | null;
  /** The number of values that are only limits, because of a timeout. */
  readonly censored: number;
}

/** @internal */
export const SERIES_POINT: Shape<SeriesPoint> = {
  revision: ["revision"],
  position: ["position"],
  values: ["values"],
  observations: ["observations"],
  median: ["median"],
  fitted: ["fitted"],
  censored: ["censored"],
};

/** A change that no step explains. */
export interface Unexplained {
  /** The change between the endpoints minus the changes of all steps, in the unit of the number. */
  readonly change: number;
  /** The same in percent of the number at the good revision. `null` if that number is not positive. */
  readonly percent: number | null;
  /** The limits of `change`, which hold with a probability of 95%. */
  readonly interval: readonly [number, number];
}

/** @internal */
export const UNEXPLAINED: Shape<Unexplained> = {
  change: ["change"],
  percent: ["percent"],
  interval: ["interval"],
};

/** The result for one of several metrics. */
export interface MetricChange {
  /** The name of the metric, if the search has several. */
  readonly metric: string | null;
  /** The unit of the number, or `null` if it is unknown. */
  readonly unit: string | null;
  /** The smallest change that matters, as text: `3%` or `2kB`. */
  readonly atLeast: string;
  /** The conclusion. */
  readonly conclusion: ChangeConclusion;
  /** The median at the good revision. `null` without a measurement. */
  readonly before: number | null;
  /** The median at the bad revision. `null` without a measurement. */
  readonly after: number | null;
  /** `after` minus `before`. */
  readonly change: number | null;
  /** The change in percent of `before`. `null` if `before` is not positive. */
  readonly percent: number | null;
  /** The limits of `change`, which hold with a probability of 95%. `null` if the noise is unknown. */
  readonly interval: readonly [number, number] | null;
  /** The commits that changed the number, the largest change first. */
  readonly steps: readonly Step[];
  /** The suspects that remain if the conclusion is `set` or `undecided`, the most probable first, at most ten. */
  readonly candidates: readonly Hypothesis[];
  /** If the conclusion is `spread`, the largest change of a single commit that was measured. */
  readonly largest: Step | null;
  /** What no step explains. `null` without a step. */
  readonly unexplained: Unexplained | null;
  /** The noise. `null` if the numbers are exact or no revision was measured twice. */
  readonly noise: Noise | null;
  /** Whether revisions have one number without noise. */
  readonly exact: boolean;
  /**
   * The posterior probability of the conclusion, in [0, 1], and that of the best guess if there is none. It is 1 for
   * exact numbers. `null` if a comparison of medians led to the conclusion.
   */
  readonly probability: number | null;
  /** The measurements by revision, in the order of the history, oldest first. */
  readonly series: readonly SeriesPoint[];
}

/** @internal */
export const METRIC_CHANGE: Shape<MetricChange> = {
  metric: ["metric"],
  unit: ["unit"],
  atLeast: ["at_least"],
  conclusion: ["conclusion"],
  before: ["before"],
  after: ["after"],
  change: ["change"],
  percent: ["percent"],
  interval: ["interval"],
  steps: ["steps", each(shaped(STEP))],
  candidates: ["candidates", each(shaped(HYPOTHESIS))],
  largest: ["largest", shaped(STEP)],
  unexplained: ["unexplained", shaped(UNEXPLAINED)],
  noise: ["noise", shaped(NOISE)],
  exact: ["exact"],
  probability: ["probability"],
  series: ["series", each(shaped(SERIES_POINT))],
};

/**
 * The result of a search for a change in numbers, final or the best so far. If there are several metrics, the fields
 * from `metric` to `series` describe the first one.
 */
export interface ChangeFields {
  /** The status of the search. */
  readonly status: Status;
  /** The result in one or two sentences. */
  readonly message: string;
  /** The full id of the bad revision. */
  readonly bad: string;
  /** The full ids of the good revisions. firstbad measures the first of them. */
  readonly good: readonly string[];
  /**
   * What the search looked for: the commit that made the number worse, or better. `regression`: the change from pass to
   * fail that broke the test. `fix`: the change from fail to pass that fixed the test. `good` then holds the newer
   * revisions and `bad` the older ones.
   */
  readonly find: "regression" | "fix";
  /** Whether the search continued while a change of at least `atLeast` was unexplained. */
  readonly allSteps: boolean;
  /** The probability at which the search names a commit. */
  readonly confidence: number;
  /** The name of the metric, if the search has several. */
  readonly metric: string | null;
  /** The unit of the number, or `null` if it is unknown. */
  readonly unit: string | null;
  /** The smallest change that matters, as text: `3%` or `2kB`. */
  readonly atLeast: string;
  /** The conclusion. */
  readonly conclusion: ChangeConclusion;
  /** The median at the good revision. `null` without a measurement. */
  readonly before: number | null;
  /** The median at the bad revision. `null` without a measurement. */
  readonly after: number | null;
  /** `after` minus `before`. */
  readonly change: number | null;
  /** The change in percent of `before`. `null` if `before` is not positive. */
  readonly percent: number | null;
  /** The limits of `change`, which hold with a probability of 95%. `null` if the noise is unknown. */
  readonly interval: readonly [number, number] | null;
  /** The commits that changed the number, the largest change first. */
  readonly steps: readonly Step[];
  /** The suspects that remain if the conclusion is `set` or `undecided`, the most probable first, at most ten. */
  readonly candidates: readonly Hypothesis[];
  /** If the conclusion is `spread`, the largest change of a single commit that was measured. */
  readonly largest: Step | null;
  /** What no step explains. `null` without a step. */
  readonly unexplained: Unexplained | null;
  /** The noise. `null` if the numbers are exact or no revision was measured twice. */
  readonly noise: Noise | null;
  /** Whether revisions have one number without noise. */
  readonly exact: boolean;
  /**
   * The posterior probability of the conclusion, in [0, 1], and that of the best guess if there is none. It is 1 for
   * exact numbers. `null` if a comparison of medians led to the conclusion.
   */
  readonly probability: number | null;
  /** The measurements by revision, in the order of the history, oldest first. */
  readonly series: readonly SeriesPoint[];
  /** The results for the other metrics, in the order of their names. */
  readonly otherMetrics: readonly MetricChange[];
  /** Whether each run measured a good revision as well. */
  readonly paired: boolean;
  /** The number of measurements. */
  readonly measurements: number;
  /** The number of builds. */
  readonly builds: number;
  /** The full ids of the revisions without a number, oldest first. */
  readonly unresolved: readonly string[];
  /** The duration of all runs in seconds. `null` if no observation has a duration. */
  readonly seconds: number | null;
  /** The number of suspects. */
  readonly suspects: number;
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** The number of outcomes from the oracle, including outcomes that cost no run. */
  readonly asked: number;
  /** The number of outcomes that cost a run. */
  readonly runs: number;
  /** All observations, in the order in which they were reported. */
  readonly observations: readonly RevisionObservation[];
  /**
   * Details of the commits in the result, by full id. Empty if the history is not from a repository, while the search
   * runs, and if the repository could not be read.
   */
  readonly commits: Commits;
  /** The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** @internal */
export const CHANGE_FIELDS: Shape<ChangeFields> = {
  status: ["status"],
  message: ["message"],
  bad: ["bad"],
  good: ["good"],
  find: ["find"],
  allSteps: ["all_steps"],
  confidence: ["confidence"],
  metric: ["metric"],
  unit: ["unit"],
  atLeast: ["at_least"],
  conclusion: ["conclusion"],
  before: ["before"],
  after: ["after"],
  change: ["change"],
  percent: ["percent"],
  interval: ["interval"],
  steps: ["steps", each(shaped(STEP))],
  candidates: ["candidates", each(shaped(HYPOTHESIS))],
  largest: ["largest", shaped(STEP)],
  unexplained: ["unexplained", shaped(UNEXPLAINED)],
  noise: ["noise", shaped(NOISE)],
  exact: ["exact"],
  probability: ["probability"],
  series: ["series", each(shaped(SERIES_POINT))],
  otherMetrics: ["other_metrics", each(shaped(METRIC_CHANGE))],
  paired: ["paired"],
  measurements: ["measurements"],
  builds: ["builds"],
  unresolved: ["unresolved"],
  seconds: ["seconds"],
  suspects: ["suspects"],
  warnings: ["warnings"],
  asked: ["asked"],
  runs: ["runs"],
  observations: ["observations"],
  commits: ["commits", every(shaped(COMMIT))],
  names: ["names"],
};

/** The effect of the forwarded fix on a second test. */
export interface RegressionCheck {
  /** The observation without the fix. */
  readonly before: Observation;
  /** The observation with the fix. */
  readonly after: Observation;
  /** Whether the second test passed without the fix and failed with it. */
  readonly breaks: boolean;
  /** The result in one sentence. */
  readonly message: string;
}

/** @internal */
export const REGRESSION_CHECK: Shape<RegressionCheck> = {
  before: ["before"],
  after: ["after"],
  breaks: ["breaks"],
  message: ["message"],
};

/** A patch that the search found. */
export interface PatchDetails {
  /** The tree that the patch applies to: a revision, or a revision with a part of an earlier read applied. */
  readonly on: VariantTarget;
  /** The number of changes in the patch. */
  readonly changes: number;
  /** The number of changes before the reduction. */
  readonly of: number;
  /** The guarantee about the size of the patch. */
  readonly guarantee: Guarantee;
}

/** @internal */
export const PATCH_DETAILS: Shape<PatchDetails> = {
  on: ["on"],
  changes: ["changes"],
  of: ["of"],
  guarantee: ["guarantee"],
};

/**
 * The reason why a version, or a part of a patch, does not show the wanted outcome (IDD, Tables 2 and 3). `patch`: the
 * patch does not apply. `parse`: a file does not parse with the patch, so nothing was run. `setup`: the setup that the
 * test needs failed. `configure`: the configuration of the build failed. `build`: the build failed. `test`: the test
 * fails in another way. On the way forward, the test fails. `timeout`: the test exceeded its time limit. `control`: the
 * control fails. `effort`: the failure is the same, but its time or memory is outside the given factors. `unresolved`:
 * the outcome is unresolved at an unknown stage.
 */
export type Reason =
  | "patch"
  | "parse"
  | "setup"
  | "configure"
  | "build"
  | "test"
  | "timeout"
  | "control"
  | "effort"
  | "unresolved";

/**
 * The end of a reduction. `reduced`: the reduction found a smallest patch. `passed`: the version passed with a part of
 * the difference (Section 4.1). It is the good one, unless an older version passes with the smallest patch. If it
 * passed with the lines of the carried patch, no smallest patch was searched for. `contradicted`: the outcomes
 * contradicted each other. `running`: the reduction is still running.
 */
export type ReductionResult = "reduced" | "passed" | "contradicted" | "running";

/** A reduction of the difference between two trees. */
export interface PorterReduction {
  /**
   * The purpose of the reduction. `walk`: a new patch for the walk, because the carried one no longer works. `carried`:
   * the patch in `PorterReport.carried`. `cause`: the patch in `PorterReport.cause`. `repair`: the patch in
   * `PorterReport.repair`. `figure2`: the patch in `PorterReport.figure2`. `forward`: the patch in
   * `PorterReport.forward`.
   */
  readonly purpose: "walk" | "carried" | "cause" | "repair" | "figure2" | "forward";
  /** The revision that the patch is for. */
  readonly revision: string;
  /** The position of the revision, as in `PorterStep.place`. */
  readonly place: number;
  /** Whether the reduction happened on the way forward. */
  readonly forward: boolean;
  /** The reason why the carried patch no longer worked, for a reduction of the walk. `null` for other purposes. */
  readonly reason: Reason | null;
  /** The number of changes at the start. */
  readonly before: number;
  /**
   * The number of changes left after one round over files, hunks, and lines. `null` unless a smallest patch was found.
   */
  readonly first: number | null;
  /** The number of changes at the end. `null` unless a smallest patch was found. */
  readonly after: number | null;
  /** How the reduction ended. */
  readonly result: ReductionResult;
  /** The number of outcomes that took a run. */
  readonly runs: number;
  /** The number of outcomes without a run: conflicts, files that do not parse, and files that were tested before. */
  readonly free: number;
  /** The number of unwanted outcomes by reason. */
  readonly failed: Readonly<Partial<Record<Reason, number>>>;
}

/** @internal */
export const PORTER_REDUCTION: Shape<PorterReduction> = {
  purpose: ["purpose"],
  revision: ["revision"],
  place: ["place"],
  forward: ["forward"],
  reason: ["reason"],
  before: ["before"],
  first: ["first"],
  after: ["after"],
  result: ["result"],
  runs: ["runs"],
  free: ["free"],
  failed: ["failed"],
};

/**
 * The outcome at a version. `kept`: the wanted outcome: the failure of the start on the way back, and a pass on the way
 * forward. `pass`: a pass on the way back. `other`: another outcome. `skipped`: the version does not build without a
 * patch and was skipped. `reduced`: another outcome, after which a new patch was found that keeps the wanted outcome.
 */
export type StepOutcome = "kept" | "pass" | "other" | "skipped" | "reduced";

/** A version on the way. */
export interface PorterStep {
  /** The revision of this version. */
  readonly revision: string;
  /** Whether the version is on the way forward. */
  readonly forward: boolean;
  /** The outcome at this version. */
  readonly outcome: StepOutcome;
  /** A description: outcome, failure, and stage, with the carried patch. */
  readonly seen: string;
  /**
   * How the patch was applied, from `"carried"` in the oracle's `signals`, or `null` if the signals do not contain it.
   */
  readonly carried: CarriedBy | null;
  /** The position on the way: 0 for the start, 1 for the revision before it, and -1 for the revision after it. */
  readonly place: number;
  /** The number of changes in the carried patch. */
  readonly patch: number;
  /** The reason why the version did not show the wanted outcome with the patch, or `null` if it did or if it passed. */
  readonly reason: Reason | null;
  /**
   * The reason why the version did not show the wanted outcome without the patch. `null` if it did, if it passed or was
   * not tested, or if there was no carried patch.
   */
  readonly alone: Reason | null;
}

/** @internal */
export const PORTER_STEP: Shape<PorterStep> = {
  revision: ["revision"],
  forward: ["forward"],
  outcome: ["outcome"],
  seen: ["seen"],
  carried: ["carried"],
  place: ["place"],
  patch: ["patch"],
  reason: ["reason"],
  alone: ["alone"],
};

/** The report of iterative delta debugging, final or so far. */
export interface PorterFields {
  /** The status of the search. */
  readonly status: Status;
  /** The result in a few sentences. */
  readonly message: string;
  /** A description of the failure that the search follows, or `null` before it was observed. */
  readonly failure: string | null;
  /** The newest revision on the walk that passes with its carried patch, or `null` if none was found. */
  readonly good: string | null;
  /**
   * The revision after `good` on the walk, which fails as the start does with its own patch. `null` if none was found.
   */
  readonly bad: string | null;
  /**
   * The revisions between `bad` and `good` that do not build without a patch, newest first. Any of them may be the
   * culprit. Revisions between two that fail to build in the same way are included without a test.
   */
  readonly between: readonly string[];
  /**
   * The patch that the test needs to pass at `good`, or `null` if it needs none or was not searched for. The guarantee
   * applies to the failure of `bad`, which needs the whole patch. If `good` does not pass with that patch, the
   * guarantee applies to the pass of `good`.
   */
  readonly carried: Patch | null;
  /** The smallest change found that brings the failure back at `good` with `carried`. */
  readonly cause: Patch | null;
  /** The smallest change found that makes `bad` pass. */
  readonly repair: Patch | null;
  /**
   * The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes that the
   * test needs. `null` without the option `figure2`.
   */
  readonly figure2: Patch | null;
  /** The fix for the revision that it was brought forward to, if a run there passed. */
  readonly forward: Patch | null;
  /** The effect of that fix on a second test, or `null` if none was run. */
  readonly also: RegressionCheck | null;
  /** The versions of the walk, in the order in which they were tested. */
  readonly steps: readonly PorterStep[];
  /** The reductions, in the order in which they started. */
  readonly reductions: readonly PorterReduction[];
  /** The number of revisions tested on the walk back and forward. */
  readonly visited: number;
  /** The number of revisions skipped because they do not build without a patch. */
  readonly skipped: number;
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** The number of outcomes that took a run. */
  readonly runs: number;
  /**
   * The number of runs after which `good` and `bad` were known. The other runs explain the commit. `null` if they are
   * not known.
   */
  readonly runsToCommit: number | null;
  /** The number of probes that got an outcome, with or without a run. */
  readonly asked: number;
  /** The number of outcomes that are conflicts: the patch does not apply. */
  readonly conflicts: number;
  /** The total run time of all tests for which a time was reported, in seconds. `null` if there are no times. */
  readonly seconds: number | null;
  /** All observations, in the order in which they were reported. */
  readonly observations: readonly PortObservation[];
  /**
   * Details of the commits in the result, by full id. Empty while the search runs, if the history is not from a
   * repository, or if the repository cannot be read.
   */
  readonly commits: Commits;
}

/** @internal */
export const PORTER_FIELDS: Shape<PorterFields> = {
  status: ["status"],
  message: ["message"],
  failure: ["failure"],
  good: ["good"],
  bad: ["bad"],
  between: ["between"],
  carried: ["carried", portedPatch],
  cause: ["cause", portedPatch],
  repair: ["repair", portedPatch],
  figure2: ["figure2", portedPatch],
  forward: ["forward", portedPatch],
  also: ["also", shaped(REGRESSION_CHECK)],
  steps: ["steps", each(shaped(PORTER_STEP))],
  reductions: ["reductions", each(shaped(PORTER_REDUCTION))],
  visited: ["visited"],
  skipped: ["skipped"],
  warnings: ["warnings"],
  runs: ["runs"],
  runsToCommit: ["runs_to_commit"],
  asked: ["asked"],
  conflicts: ["conflicts"],
  seconds: ["seconds"],
  observations: ["observations", each(portObservation)],
  commits: ["commits", every(shaped(COMMIT))],
};

/** The size of the slice after a run (Figure 13, "history reduction per test run"). */
export interface SliceSize {
  /** The number of runs so far. */
  readonly run: number;
  /** The number of changes in the smallest set that was observed to hold. */
  readonly changes: number;
}

/** @internal */
export const SLICE_SIZE: Shape<SliceSize> = {
  run: ["run"],
  changes: ["changes"],
};

/** The evidence that one change of the slice is needed. */
export interface SliceReason {
  /** The index of the change. */
  readonly change: number;
  /** The name of the change. */
  readonly name: string;
  /** The indices of the set, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /** The slice without the change. If that set could not be built, changes that depend on it are also removed. */
  readonly set: string;
  /**
   * The index of the change that Git cannot apply without this one. None if a test shows that this change is needed.
   */
  readonly contextOf: number | null;
  /**
   * The index of the observation in the report's observations. If the set was not tested, of the larger set in `alike`.
   */
  readonly observation: number;
  /** The outcome of the set, which differs from the outcome to keep. */
  readonly outcome: Outcome;
  /** Whether the outcome took a run. Conflicts and earlier outcomes of equal files do not. */
  readonly ran: boolean;
  /**
   * The indices of earlier observations of larger sets that could not be built. The first one is the slice without the
   * change alone.
   */
  readonly unbuilt: readonly number[];
  /**
   * The indices of the observations of a larger and a smaller set that are unresolved in the same stage with the same
   * signature. Sets between them count as unresolved and are not tested. Usually, the smaller set is the base. Empty if
   * there are no such sets.
   */
  readonly alike: readonly number[];
}

/** @internal */
export const SLICE_REASON: Shape<SliceReason> = {
  change: ["change"],
  name: ["name"],
  set: ["changes"],
  contextOf: ["context_of"],
  observation: ["observation"],
  outcome: ["outcome"],
  ran: ["ran"],
  unbuilt: ["unbuilt"],
  alike: ["alike"],
};

/** The report of slicing: the smallest slice found, final or the best so far. */
export interface SlicerFields {
  /** The status of the search. */
  readonly status: Status;
  /** The result in a few sentences. */
  readonly message: string;
  /**
   * The indices of the changes in the slice, oldest first. Contains all changes until the outcome of all changes
   * together is known, and is empty if they do not hold together.
   */
  readonly kept: readonly number[];
  /**
   * The names of the changes in the slice, oldest first: full shas, with the file and the hunk or definition if the
   * history was divided more finely than into commits.
   */
  readonly commits: readonly string[];
  /** The indices of the changes that every set contains. */
  readonly always: readonly number[];
  /**
   * The command that picks the commits of the slice, oldest first, with full shas. None if the slice is empty or has
   * parts of commits.
   */
  readonly cherryPick: string | null;
  /** The number of changes before the search. */
  readonly of: number;
  /**
   * The guarantee about the slice. `"1-minimal"` means that no change can be removed, alone or together with the
   * changes that depend on it.
   */
  readonly guarantee: Guarantee;
  /** The evidence for each change of the slice that was shown to be needed so far, newest change first. */
  readonly why: readonly SliceReason[];
  /** The number of changes left after each run that removed any. */
  readonly sizes: readonly SliceSize[];
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** The number of outcomes that took a run. */
  readonly runs: number;
  /** The number of probes that got an outcome, with or without a run. */
  readonly asked: number;
  /** All observations, in the order in which they were reported. */
  readonly observations: readonly SubsetObservation[];
  /**
   * Details of the commits in the result, by full id. Empty while the search runs, if the history is not from a
   * repository, or if the repository cannot be read.
   */
  readonly details: Commits;
}

/** @internal */
export const SLICER_FIELDS: Shape<SlicerFields> = {
  status: ["status"],
  message: ["message"],
  kept: ["kept"],
  commits: ["names"],
  always: ["always"],
  cherryPick: ["cherry_pick"],
  of: ["of"],
  guarantee: ["guarantee"],
  why: ["why", each(withIndices(shaped(SLICE_REASON)))],
  sizes: ["sizes", each(shaped(SLICE_SIZE))],
  warnings: ["warnings"],
  runs: ["runs"],
  asked: ["asked"],
  observations: ["observations", each(subsetObservation)],
  details: ["commits", every(shaped(COMMIT))],
};

/** The effect of one outcome on a search. */
export interface Explanation {
  /** The number of the run, counted from 1, or `null` if the outcome cost no run. */
  readonly run: number | null;
  /** The full id of the revision, if the search is in a history. */
  readonly revision: string | null;
  /** The changes to keep, if the search tests changes. */
  readonly changes: string | null;
  /** The outcome. */
  readonly outcome: Outcome;
  /** The reason why the search asked for the target. `null` if the reason is unknown or the search did not ask. */
  readonly reason: string | null;
  /** The number of suspects before the outcome, or `null` if it is unknown, as in reductions. */
  readonly suspectsBefore: number | null;
  /** The number of suspects after the outcome. */
  readonly suspectsAfter: number | null;
  /** The best result after the outcome, as text with abbreviated ids. `null` if there is no result yet. */
  readonly best: string | null;
  /** The whole explanation, as text with abbreviated ids. */
  readonly message: string;
  /**
   * The tests to run, as indices into the search's list of tests. An empty set asks only for a build. Absent for the
   * whole suite, and if the search has a single test.
   */
  readonly tests: string | null;
  /** The id of the read whose changes the indices refer to. Absent if they refer to the changes of the whole search. */
  readonly universe: number | null;
}

/** @internal */
export const EXPLANATION: Shape<Explanation> = {
  run: ["run"],
  revision: ["revision"],
  changes: ["changes"],
  outcome: ["outcome"],
  reason: ["reason"],
  suspectsBefore: ["suspects_before"],
  suspectsAfter: ["suspects_after"],
  best: ["best"],
  message: ["message"],
  tests: ["tests"],
  universe: ["universe"],
};

/** A suspect with its probability and the reasons for it. */
export interface CommitSuspect {
  /** The id of the commit. */
  readonly change: string;
  /**
   * The probability that the commit is the culprit before anything was run, from 0 to 1. The probabilities of all
   * suspects sum to 1.
   */
  readonly probability: number;
  /** The reasons, strongest first. */
  readonly reasons: readonly CommitReason[];
  /** The reasons as text that can follow the name of the commit. */
  readonly message: string;
}

/** @internal */
export const COMMIT_SUSPECT: Shape<CommitSuspect> = {
  change: ["change"],
  probability: ["probability"],
  reasons: ["reasons"],
  message: ["message"],
};

/** A reason why a change is suspicious: it touches a target that a failing test depends on. */
export interface RankingReason {
  /** The files of the change that are in the target, with their paths in the change. */
  readonly files: readonly string[];
  /** The touched target. */
  readonly target: string;
  /** The targets on a shortest path of dependencies, from the closest failing test to this target. */
  readonly path: readonly string[];
  /** The number of dependencies on the path, or 1 for the test itself. */
  readonly distance: number;
  /** The number of failing tests that depend on the target. */
  readonly tests: number;
  /** The contribution to the score: the weighted distance (Definition 10), averaged over the failing tests. */
  readonly weight: number;
  /** Whether the dependency exists only in the graph of an earlier revision. */
  readonly before: boolean;
}

/** @internal */
export const RANKING_REASON: Shape<RankingReason> = {
  files: ["files"],
  target: ["target"],
  path: ["path"],
  distance: ["distance"],
  tests: ["tests"],
  weight: ["weight"],
  before: ["before"],
};

/** A change that may have broken a failing test. */
export interface Suspect {
  /** The id of the change. */
  readonly change: string;
  /** The score under the chosen heuristic, at least 0. A higher score is more suspicious. */
  readonly score: number;
  /**
   * The sum of the weights of the reasons (Definition 11), under any heuristic. For a change of n > 16 source files,
   * the sum is divided by (n / 16)^3, because mass changes touch the dependencies of every test.
   */
  readonly suspiciousness: number;
  /** The number of files in the change. */
  readonly size: number;
  /** The distance of the closest touched target, at least 1. */
  readonly distance: number;
  /** The weighted distance of the closest touched target, averaged over the failing tests. */
  readonly closeness: number;
  /** The number of failing tests that the change may have broken. */
  readonly tests: number;
  /** The touched targets, closest first. */
  readonly reasons: readonly RankingReason[];
}

/** @internal */
export const SUSPECT: Shape<Suspect> = {
  change: ["change"],
  score: ["score"],
  suspiciousness: ["suspiciousness"],
  size: ["size"],
  distance: ["distance"],
  closeness: ["closeness"],
  tests: ["tests"],
  reasons: ["reasons", each(shaped(RANKING_REASON))],
};

/** One outcome. The columns are in reading order. */
export interface ReportRow {
  /**
   * The number of the run, from 1, in the order told. `null` if the outcome was known before or the test did not run.
   */
  run: number | null;
  /** The full id of the tested revision; `null` for a set of items. */
  revision: string | null;
  /** The first line of the commit message; `null` if it is unknown. */
  subject: string | null;
  /** The tested set of items or changes in short form, such as `"0-3,7"`; `null` for an unchanged revision. */
  changes: string | null;
  /** The outcome. */
  outcome: Outcome;
  /** The duration of the test, in seconds. */
  seconds: number | null;
  /** The signature of the failure. */
  signature: string | null;
  /** The stage at which the test ended, unless it passed. */
  stage: string | null;
  /** The number of runs that passed, if the test ran several times. */
  passes: number | null;
  /** The number of runs that failed, if the test ran several times. */
  fails: number | null;
  /** The measured number, in the unit of the caller. */
  metric: number | null;
  /** The number that the same run measured at a good revision, if the search compares pairs. */
  control: number | null;
  /** Whether the number is only a limit that the measurement exceeded; `null` without a number. */
  censored: boolean | null;
  /** The maximum memory of the largest process of the test, in bytes. */
  memory: number | null;
  /** The cost of the test, in the unit of the budget's `cost`. */
  cost: number | null;
  /** The start of the test, in seconds on the clock of the observations. */
  started: number | null;
  /** The end of the test, on the same clock. */
  ended: number | null;
  /** A note for readers, such as the location of the log or the reason for an unresolved outcome. */
  note: string | null;
  /** The file with the output of the test. */
  output: string | null;
  /** The probe that was asked; `null` if the outcome was told without a probe. */
  probe: number | null;
}

/** @internal */
export const REPORT_ROW: Shape<ReportRow> = {
  run: ["run"],
  revision: ["revision"],
  subject: ["subject"],
  changes: ["changes"],
  outcome: ["outcome"],
  seconds: ["seconds"],
  signature: ["signature"],
  stage: ["stage"],
  passes: ["passes"],
  fails: ["fails"],
  metric: ["metric"],
  control: ["control"],
  censored: ["censored"],
  memory: ["memory"],
  cost: ["cost"],
  started: ["started"],
  ended: ["ended"],
  note: ["note"],
  output: ["output"],
  probe: ["probe"],
};

/** The descriptions of the commits in a report, by their full ids. */
export type Commits = Readonly<Record<string, Commit>>;
