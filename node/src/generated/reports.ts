/** The types of reports. Generated from the types of reports in Rust by `make generate`; do not edit. */

import {
  type ChangesObservation, changesObservation, type Observation, type Outcome, type PortObservation, portObservation,
  type RevisionObservation,
} from "../observation.js";
import { withIndices } from "../change-set.js";
import { type Patch, portedPatch } from "../patch.js";
import type { CarriedBy, VariantTarget } from "../probe.js";
import { each, every, type Shape, shaped } from "../written.js";

/** A file that a commit changed. */
export interface ChangedFile {
  /** Its name, seen from the top folder. */
  readonly path: string;
  /** How many lines were added. */
  readonly added: number;
  /** How many lines were deleted. */
  readonly deleted: number;
}

/** @internal */
export const CHANGED_FILE: Shape<ChangedFile> = {
  path: ["path"],
  added: ["added"],
  deleted: ["deleted"],
};

/** What a commit changed, counted. */
export interface Changed {
  /** How many files. */
  readonly files: number;
  /** How many lines it added; binary files have none. */
  readonly added: number;
  /** How many lines it deleted. */
  readonly deleted: number;
  /** The files with the most lines changed, the most first: at most ten. */
  readonly largest: readonly ChangedFile[];
}

/** @internal */
export const CHANGED: Shape<Changed> = {
  files: ["files"],
  added: ["added"],
  deleted: ["deleted"],
  largest: ["largest", each(shaped(CHANGED_FILE))],
};

/** A submodule that a commit updates to another commit. */
export interface SubmoduleChange {
  /** The path of the submodule, relative to the top folder. */
  readonly path: string;
  /** The commit of the submodule before the update. */
  readonly before: string;
  /** The commit of the submodule after the update. */
  readonly after: string;
  /** The number of submodule commits that came in, or 0 if they are not available. */
  readonly commits: number;
  /** The newest of these commits, at most five, each as an abbreviated id and a subject. */
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

/** What people know a commit by. The texts are whatever its author wrote: what shows them makes them harmless. */
export interface Commit {
  /** The first line of the commit message, cut to 200 characters. */
  readonly subject: string;
  /** The name of the author, cut to 200 characters. */
  readonly author: string;
  /** The author's e-mail address; empty if it is not known. */
  readonly email: string;
  /**
   * When it was written (git's author date): ISO 8601, to the second, with the author's own offset from UTC, as `git
   * show` has it.
   */
  readonly authorDate: string;
  /** When it got its place in the history (git's commit date), likewise with the committer's offset. */
  readonly commitDate: string;
  /** What it changed, against its first parent; of commits that are to blame, where it could be read. */
  readonly changed: Changed | null;
  /** The submodules that it updates to other commits, read for the same commits as `changed`. */
  readonly submodules: readonly SubmoduleChange[];
  /** Its page at the forge that the repository was cloned from, where that is a known one and has the commit. */
  readonly url: string | null;
  /**
   * The page of the pull or merge request that it was part of, likewise: its message names it, or that of a merge that
   * brought it.
   */
  readonly requestUrl: string | null;
}

/** @internal */
export const COMMIT: Shape<Commit> = {
  subject: ["subject"],
  author: ["author"],
  email: ["email"],
  authorDate: ["author_date"],
  commitDate: ["commit_date"],
  changed: ["changed", shaped(CHANGED)],
  submodules: ["submodules", each(shaped(SUBMODULE_CHANGE))],
  url: ["url"],
  requestUrl: ["request_url"],
};

/** What became of one newer end. */
export interface LeafReport {
  /** The end. */
  leaf: string;
  /** The older revision that was searched from, where the end itself could not be tested; else `null`. */
  replacedBy: string | null;
  /**
   * How its answer came about. `open`: not answered yet. `searched`: by a search of its own. `propagated`: a point
   * found for another end answers for it too (RPA, Algorithm 2). `not_reproduced`: it does not fail, or with another
   * failure, or (for a fix) nothing before it failed. `no_passing_revision`: it fails, and nothing before it was seen
   * to pass. `untestable`: it could not be tested, and no older revision that could be was seen to fail.
   * `contradictory`: a revision that the result depends on had two different outcomes. With `search: "bayes"`: no
   * culprit explains the outcomes at the given flake rate, or the rates are unknown and so high that a run carries too
   * little information.
   */
  ending:
    | "open"
    | "searched"
    | "propagated"
    | "not_reproduced"
    | "no_passing_revision"
    | "untestable"
    | "contradictory";
  /** Its points, as indices into the report's points. */
  points: number[];
}

/** @internal */
export const LEAF_REPORT: Shape<LeafReport> = {
  leaf: ["leaf"],
  replacedBy: ["replaced_by"],
  ending: ["ending"],
  points: ["points"],
};

/** An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2). */
export interface RegressionPoint {
  /** The revision that passes; `null` if no ancestor was seen to. With `find: "fix"` the newer one. */
  good: string | null;
  /** The revision that fails. With `find: "fix"` the older one. */
  bad: string;
  /**
   * The revision that changed the outcome; `null` if there are candidates, if no ancestor had the other outcome, or if
   * its own outcomes were inconsistent.
   */
  culprit: string | null;
  /** The newer ends that this point answers for, in the order in which they were given. */
  leaves: string[];
  /** Parallel to `leaves`: how many edges a shortest path from `bad` to the leaf has. */
  distances: number[];
  /**
   * Whether the newer revision was seen to be as it is and every parent of it to be otherwise: then it is the culprit
   * by itself. Never where there is no parent: a first commit has nothing that it could have broken.
   */
  clean: boolean;
  /**
   * Whether the culprit and its parents were each run alone in a clean worktree, the parents after the culprit, with
   * the same outcomes. Always false with `confirm: false`. Also false with `search: "bayes"`, because `probability`
   * says how certain the point is.
   */
  confirmed: boolean;
  /**
   * The untested endpoints that the point depends on (`verifyEnds: false`). Includes the older side if it never had the
   * given outcome in a run.
   */
  trusted: string[];
  /**
   * Outcomes that come and go: revisions that were seen, before the older side, to be like the newer one, or after the
   * newer side, on the way to a leaf, to be like the older one; at most 10, oldest first.
   */
  exceptions: string[];
  /**
   * All suspects left, oldest first, if unresolved revisions stand between; empty if the edge itself was tested. With
   * `beyondPaths` the newer revision is among them.
   */
  candidates: string[];
  /**
   * Whether the newer revision touches none of the paths that the history was simplified to: what is to blame may be a
   * commit before it that was not looked at.
   */
  beyondPaths: boolean;
  /**
   * The culprits of other points that make the same change (equal patch-ids), such as its cherry-picks. Together they
   * are one finding.
   */
  sameChange: string[];
  /** Parents of the newer revision that could not be tested, in their own order. */
  unresolvedParents: string[];
  /** With `search: "bayes"`: how likely the point is right for all of its leaves, in [0, 1]. */
  probability: number | null;
  /**
   * What the point is: a regression, or (with `find: "fix"`) the repair of one. `regression`: from pass to fail, who
   * broke it. `fix`: from fail to pass, who repaired it; `good` then holds the newer ends, `bad` the older ones.
   */
  find: "regression" | "fix";
  /**
   * A name for this finding, 32 hexadecimal digits: the same in every run, language, and version. It depends only on
   * `find` and on the id of the culprit, or on the ids of all candidates. With fewer candidates it is another finding.
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
  clean: ["clean"],
  confirmed: ["confirmed"],
  trusted: ["trusted"],
  exceptions: ["exceptions"],
  candidates: ["candidates"],
  beyondPaths: ["beyond_paths"],
  sameChange: ["same_change"],
  unresolvedParents: ["unresolved_parents"],
  probability: ["probability"],
  find: ["find"],
  fingerprint: ["fingerprint"],
};

/**
 * Where a search stands. `running`: not done yet: there is something to ask, or answers are awaited. `found`: every bad
 * revision has its answer, down to an edge. `ambiguous`: unresolved revisions stand between: the answer names
 * candidates. `not_reproduced`: no bad revision fails (or not with the failure searched for). `good_end_fails`: a
 * revision given as good fails. `no_passing_revision`: no revision that passes was found, so nobody is blamed.
 * `untestable`: what was given as bad cannot be tested, nor what takes its place, so nobody is blamed. `budget`: the
 * budget was used up first. `stopped`: the caller or its oracle stopped it first. `contradictory`: the answers fit no
 * single culprit at the flake rate given. `too_flaky`: the test fails, or passes, by itself so often that telling would
 * take too many runs. `history_exhausted`: no revision on the way passes, and there is none older. `patch_too_large`:
 * what the test needs became larger than it may be. `revision_not_readable`: older revisions exist, and are not in this
 * repository.
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
  | "history_exhausted"
  | "patch_too_large"
  | "revision_not_readable";

/** Why a commit is tried early, or late. */
export type ContentReason =
  /** It touches a source file that the test is named after. */
  | {
      readonly kind: "named";
      /** The file. */
      readonly file: string;
    }
  /** It touches source files whose names have words of the test's file. */
  | {
      readonly kind: "paths";
      /** The words, as the test has them. */
      readonly words: readonly string[];
    }
  /** Its subject has words of the test. */
  | {
      readonly kind: "subject";
      /** The words, as the test has them. */
      readonly words: readonly string[];
    }
  /** It touches source files. */
  | {
      readonly kind: "source";
      /** How many. */
      readonly files: number;
      /** How many lines it adds and deletes there; 0 also where they were not counted. */
      readonly lines: number;
      /** Whether it touches tests, too. */
      readonly tests: boolean;
    }
  /** It touches no source file. */
  | {
      readonly kind: "no_source";
    }
  /** By the build graph the test depends on what it touches. */
  | {
      readonly kind: "affects";
      /** The first such file, of the closest target. */
      readonly file: string;
      /** The target. */
      readonly target: string;
      /** How many dependencies lead there from the closest failing test; 0 for the test itself. */
      readonly depth: number;
    }
  /** The build graph does not say that the test depends on what it touches. */
  | {
      readonly kind: "unlikely";
    }
  /** By the build graph it cannot have broken the test. */
  | {
      readonly kind: "excluded";
    };

/** Why a revision was tried: what spoke for it, or for the one right after it, before anything was run. */
export interface WhyTried {
  /** The same for people, to follow the name of the revision. */
  readonly message: string;
  /**
   * The child that is likelier to be the culprit than the revision itself: then the reasons are the child's, for the
   * test of its parent tells as much.
   */
  readonly before: string | null;
  /** What counts most first, at most three. */
  readonly reasons: readonly ContentReason[];
}

/** @internal */
export const WHY_TRIED: Shape<WhyTried> = {
  message: ["message"],
  before: ["before"],
  reasons: ["reasons"],
};

/** The answer of a regression search, final or the best so far. */
export interface RegressionFields {
  /** Where the search stands. */
  status: Status;
  /** The same in one sentence, for people. */
  message: string;
  /**
   * Which change was looked for. `regression`: from pass to fail, who broke it. `fix`: from fail to pass, who repaired
   * it; `good` then holds the newer ends, `bad` the older ones.
   */
  find: "regression" | "fix";
  /** The regression points, in the order found. */
  points: RegressionPoint[];
  /** What became of each newer end, in the order given. */
  leaves: LeafReport[];
  /** What is to be known before one believes the answer, or its cost, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  queries: number;
  /** The number of runs that confirmed or contradicted the result. */
  confirmations: number;
  /** Everything that was seen, in the order told. */
  observations: RevisionObservation[];
  /**
   * Why revisions were tried, for those that were asked or are to blame and of which the prior knows it (`prior:
   * "changes"`).
   */
  why: Readonly<Record<string, WhyTried>>;
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  commits: Commits;
  /** The branches and tags of the newer ends, by their full ids, at most three of each; known where `commits` are. */
  names: Readonly<Record<string, readonly string[]>>;
  /**
   * The paths that the history was simplified to before it was searched: only commits that touch them were looked at,
   * and the ends. Then no point is clean: what lies right before a commit here need not be its parent. Empty: all
   * commits.
   */
  paths: string[];
  /** Whether only first parents were followed. */
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
  queries: ["queries"],
  confirmations: ["confirmations"],
  observations: ["observations"],
  why: ["why", every(shaped(WHY_TRIED))],
  commits: ["commits", every(shaped(COMMIT))],
  names: ["names"],
  paths: ["paths"],
  firstParent: ["first_parent"],
};

/** A hypothesis with its probability. */
export interface Hypothesis {
  /** The suspect; nothing for "no culprit". */
  revision: string | null;
  /** Its posterior probability, in [0, 1]. */
  probability: number;
}

/** @internal */
export const HYPOTHESIS: Shape<Hypothesis> = {
  revision: ["revision"],
  probability: ["probability"],
};

/** An outcome of a revision that was not seen. */
export interface MissingRun {
  /** The revision. */
  revision: string;
  /** The outcome that no run of it had: a pass or a failure. */
  outcome: "pass" | "fail";
}

/** @internal */
export const MISSING_RUN: Shape<MissingRun> = {
  revision: ["revision"],
  outcome: ["outcome"],
};

/** How many runs passed and how many failed. */
export interface Tally {
  /** Runs that passed. */
  passes: number;
  /** Runs that failed. */
  fails: number;
}

/** @internal */
export const TALLY: Shape<Tally> = {
  passes: ["passes"],
  fails: ["fails"],
};

/** The answer of a culprit search, final or the best so far (FACF: Henderson et al. 2023). */
export interface CulpritFields {
  /** Where the search stands. */
  status: Status;
  /**
   * Who is to blame. `culprit`: one revision (FACF: `CULPRIT_VERSION_IDENTIFIED`). `flake`: nobody: the failure was a
   * flake (FACF: `FLAKE_IDENTIFIED`). `inconclusive`: it cannot be said, or not yet.
   */
  conclusion: "culprit" | "flake" | "inconclusive";
  /**
   * Why that, or why not more. `running`: not done yet. `confident`: the conclusion's probability has reached the
   * confidence asked for. `bisected`: with `choose: "bisect"`: nothing else is left if every outcome is what its reruns
   * make of it. How likely that is, the probability says. `inseparable`: the suspects left differ only at revisions
   * that cannot be tested: unresolved ones, those inside a block of such, and those whose runs did not settle it.
   * `unproven`: one revision has reached the confidence, and is not named: of what it rests on, the `missing` runs were
   * not seen and cannot be had, or it has no parent that could pass. `missing`: CulpritReport.missing `contradictory`:
   * the answers fit no single culprit at the flake rate given. `good_end_fails`: the end that was given as good fails.
   * `too_flaky`: the rates found, see `flakeRate` and `falsePassRate`, would take too many runs. `budget`: the budget
   * was used up first. `stopped`: the caller or its oracle stopped it first.
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
  /** The same in one or two sentences, for people. */
  message: string;
  /** The culprit; nothing unless the conclusion is `culprit`. */
  culprit: string | null;
  /**
   * The posterior probability of the conclusion, in [0, 1]: for `culprit` that it is this revision, for `flake` that
   * there is no culprit, for `inconclusive` that of the most probable hypothesis.
   */
  probability: number;
  /** The posterior probability that there is no culprit, in [0, 1]. */
  noCulprit: number;
  /**
   * The fewest hypotheses that reach the confidence together, most probable first, once the search has ended; for
   * `inseparable` all those that cannot be told apart; while it runs only the most probable ones, at most ten.
   */
  credibleSet: Hypothesis[];
  /**
   * Where one suspect has reached the confidence: what was not seen (yet), of a failure of it and a pass of each of its
   * parents. Nobody is named before all of it was; else the conclusion is `inconclusive` and the reason `unproven`.
   * Empty in all other cases.
   */
  missing: MissingRun[];
  /** What is to be known before one believes the answer, or its cost, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  queries: number;
  /** How many executions of the test all answers stand for, counts included. */
  runs: number;
  /** The flake rate: as given, or its posterior mean if it is estimated, in [0, 1). */
  flakeRate: number;
  /** The rate of false passes, likewise. */
  falsePassRate: number;
  /**
   * Whether the rates told fit what was seen; true if none were told. False once what was seen is `1 / (1 -
   * confidence)` times as likely with both rates unknown: these are then estimated instead (`verify`).
   */
  ratesFit: boolean;
  /** Whether the short verification at the end has confirmed the conclusion (`verify`). */
  verified: boolean;
  /**
   * Once the search has ended: how many failures came in a row at revisions that are healthy by the most probable
   * hypothesis, by `started` or else in the order told, if neither the flake rate nor chance explains that with the
   * confidence asked for.
   */
  burst: number | null;
  /** Runs at revisions that are healthy by the most probable hypothesis: what was seen of the flake rate. */
  seenAtHealthy: Tally;
  /** Everything that was seen, in the order told. */
  observations: RevisionObservation[];
  /**
   * Why revisions were tried, for those that were asked or are to blame and of which the prior knows it (`prior:
   * "changes"`).
   */
  why: Readonly<Record<string, WhyTried>>;
  /**
   * A name for this finding, as that of a `RegressionPoint`: of the culprit, or of all suspects that cannot be told
   * apart. `null` as long as there is no culprit.
   */
  fingerprint: string | null;
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
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
  queries: ["queries"],
  runs: ["runs"],
  flakeRate: ["flake_rate"],
  falsePassRate: ["false_pass_rate"],
  ratesFit: ["rates_fit"],
  verified: ["verified"],
  burst: ["burst"],
  seenAtHealthy: ["seen_at_healthy", shaped(TALLY)],
  observations: ["observations"],
  why: ["why", every(shaped(WHY_TRIED))],
  fingerprint: ["fingerprint"],
  commits: ["commits", every(shaped(COMMIT))],
};

/** The runs of one check. */
export interface Check {
  /**
   * What the revision is checked as. `good`: a good end, `s_0`: it must pass. `parent`: a parent of the culprit,
   * `s_(k-1)`: it must pass. `culprit`: the culprit, `s_k`: it must never pass. `bad`: the revision that was seen to
   * fail, `s_n`: it must never pass; if the failure is said to have been a flake, it must pass.
   */
  role: "good" | "parent" | "culprit" | "bad";
  /** The revision. */
  revision: string;
  /** Its runs. */
  runs: Tally;
}

/** @internal */
export const CHECK: Shape<Check> = {
  role: ["role"],
  revision: ["revision"],
  runs: ["runs", shaped(TALLY)],
};

/**
 * Why a conclusion is not correct, or cannot be trusted ("When is a Culprit Incorrect?"). `bad_never_passes`: the flake
 * cannot be reproduced: the revision that was seen to fail never passes. `bad_passes`: the revision that was seen to
 * fail passes: it was a flake. `culprit_passes`: the culprit passes. `parent_never_passes`: a parent of the culprit
 * never passes. `good_never_passes`: the good end never passes: the failure may depend on the time or the environment.
 * `no_good_pass_before_bad_fail`: no pass of the good end came before a failure of the bad one.
 * `no_bad_fail_before_good_pass`: no failure of the bad end came before a pass of the good one.
 * `no_parent_pass_before_culprit_fail`: no pass of a parent came before a failure of the culprit.
 * `no_culprit_fail_before_parent_pass`: no failure of the culprit came before a pass of a parent. `not_reproducible`:
 * an earlier verification said otherwise. `unresolved`: a revision cannot be tested, so nothing is proved about it.
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

/** A reason with its revision, in a sentence. */
export interface VerificationReason {
  /** Which condition it is. */
  code: ReasonCode;
  /** The revision that it is about. */
  revision: string;
  /** A sentence for people. */
  message: string;
}

/** @internal */
export const VERIFICATION_REASON: Shape<VerificationReason> = {
  code: ["code"],
  revision: ["revision"],
  message: ["message"],
};

/** The answer of a verification. */
export interface VerificationFields {
  /** Where the verification stands: `found` once there is a verdict, `ambiguous` if a revision cannot be tested. */
  status: Status;
  /** The verdict; `null` as long as there is none. */
  correct: boolean | null;
  /** Why the conclusion is not correct, or why nothing can be said; empty if it is correct. */
  reasons: VerificationReason[];
  /** The same in one sentence, for people. */
  message: string;
  /** The conclusion verified: the culprit, or `null` for a flake. */
  culprit: string | null;
  /**
   * How many runs each check takes at most: `ceil(log((1 - C) / n) / log(f))` for the `n` ways in which flakes could
   * mislead the verdict: two for each good end and each parent of the culprit, one for a flake.
   */
  reruns: number;
  /** What each check saw. */
  checks: Check[];
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  queries: number;
  /** Everything that was seen, in the order told. */
  observations: RevisionObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
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
  queries: ["queries"],
  observations: ["observations"],
  commits: ["commits", every(shaped(COMMIT))],
};

/**
 * What is certain about a reduction's result. `best so far`: nothing yet: it was ended before. `fixpoint`: no single
 * item can go, in a tree with all below it, if more items never hide the property. Where they may, and in a text,
 * single ones may still go. `1-minimal`: every set with one item less was tested, and was not seen to have the
 * property.
 */
export type Guarantee = "best so far" | "fixpoint" | "1-minimal";

/** The smallest set that still has the property, final or the best so far. */
export interface MinimizeFields {
  /** Where the search stands. */
  status: Status;
  /** The same in one sentence, for people. */
  message: string;
  /** The items that are kept, as indices, ascending. */
  kept: number[];
  /** What is certain about them. */
  guarantee: Guarantee;
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  queries: number;
  /** Everything that was seen, in the order told. */
  observations: ChangesObservation[];
}

/** @internal */
export const MINIMIZE_FIELDS: Shape<MinimizeFields> = {
  status: ["status"],
  message: ["message"],
  kept: ["kept"],
  guarantee: ["guarantee"],
  warnings: ["warnings"],
  queries: ["queries"],
  observations: ["observations", each(changesObservation)],
};

/** Two sets as near to each other as was found: one has the property, the other one, within it, has it not. */
export interface IsolateFields {
  /** Where the search stands. */
  status: Status;
  /** The same in one sentence, for people. */
  message: string;
  /** The items of the set that has the property, as indices, ascending. */
  kept: number[];
  /** The items of the set that has it not: all of them in `kept`. */
  lacking: number[];
  /** What is in the one and not in the other. */
  difference: number[];
  /** What is certain about the difference. */
  guarantee: Guarantee;
  /** Warnings about the result, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  queries: number;
  /** Everything that was seen, in the order told. */
  observations: ChangesObservation[];
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
  queries: ["queries"],
  observations: ["observations", each(changesObservation)],
};

/** What a second test says of the fix that was brought forward. */
export interface Also {
  /** What it said without the fix. */
  readonly before: Observation;
  /** What it said with the fix. */
  readonly after: Observation;
  /** Whether it passed without the fix and failed with it. */
  readonly breaks: boolean;
  /** The same in one sentence, for people. */
  readonly message: string;
}

/** @internal */
export const ALSO: Shape<Also> = {
  before: ["before"],
  after: ["after"],
  breaks: ["breaks"],
  message: ["message"],
};

/** A patch that the search found. */
export interface PatchDetails {
  /** What it is a patch of: a revision, or a revision with a part of an earlier read on it. */
  readonly on: VariantTarget;
  /** How many changes it has. */
  readonly changes: number;
  /** How many changes it was reduced from. */
  readonly of: number;
  /** What is certain about its size. */
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
 * How a reduction ended. `reduced`: a smallest patch was found. `passed`: the same, and a part of the whole was seen to
 * pass (Section 4.1): that version is the answer, unless an older one passes with the smallest patch. `contradicted`:
 * the answers did not go together. `running`: it goes on.
 */
export type ReductionEnding = "reduced" | "passed" | "contradicted" | "running";

/**
 * Why an answer is not the outcome that is followed. `patch`: the patch does not apply. `parse`: a file does not parse
 * with it, so that nothing was run. `setup`: what the test needs around it could not be set up. `configure`: the build
 * could not be configured. `build`: it does not build. `test`: the test fails in another way, or, going forward, fails.
 * `timeout`: the test was ended because of its time. `control`: the control fails. `effort`: the same failure, with
 * another time or memory than the factors allow. `unresolved`: it could not be told, and not at which stage.
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

/** A reduction: what lies between two trees, taken apart. */
export interface PorterReduction {
  /**
   * What it was for. `walk`: to go on with it, because the patch carried so far does not do. `carried`:
   * `PorterReport.carried`. `cause`: `PorterReport.cause`. `repair`: `PorterReport.repair`. `figure2`:
   * `PorterReport.figure2`. `forward`: `PorterReport.forward`.
   */
  readonly purpose: "walk" | "carried" | "cause" | "repair" | "figure2" | "forward";
  /** The revision that the patch is for. */
  readonly revision: string;
  /** Where that lies: as `PorterStep.place`. */
  readonly place: number;
  /** Whether it was made on the way forward. */
  readonly forward: boolean;
  /** On the walk: why the patch carried so far does not do there; `null` for other purposes. */
  readonly reason: Reason | null;
  /** How many changes it began with. */
  readonly before: number;
  /** How many were left when files, hunks and lines had been gone through once; `null` unless it ended as reduced. */
  readonly first: number | null;
  /** How many were left where nothing more could be taken away; `null` unless it ended as reduced. */
  readonly after: number | null;
  /** How it ended. */
  readonly ending: ReductionEnding;
  /** How many answers cost a run. */
  readonly runs: number;
  /** How many answers cost none: conflicts, files that do not parse, files that were tested before. */
  readonly free: number;
  /** How many of these answers were another outcome, by why. */
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
  ending: ["ending"],
  runs: ["runs"],
  free: ["free"],
  failed: ["failed"],
};

/**
 * What a version showed. `kept`: the outcome that is followed: going back the failure of the start, going forward a
 * pass. `pass`: it passes, going back. `other`: another outcome. `skipped`: it does not build by itself, and was left
 * out. `reduced`: another outcome, and a smaller or other patch was made with which the outcome is kept.
 */
export type StepOutcome = "kept" | "pass" | "other" | "skipped" | "reduced";

/** One version on the way. */
export interface PorterStep {
  /** The revision. */
  readonly revision: string;
  /** Whether it lies on the way forward. */
  readonly forward: boolean;
  /** What it showed. */
  readonly outcome: StepOutcome;
  /** The same in words: outcome, failure and stage, with the patch carried there. */
  readonly seen: string;
  /** How the patch was carried there: what the oracle's `signals` say under `"carried"`; `null` if they do not. */
  readonly carried: CarriedBy | null;
  /** Where it lies: 0 at the start, 1 at the revision before it on the way, -1 at the one after it. */
  readonly place: number;
  /** How many changes the patch has that was carried there. */
  readonly patch: number;
  /** Why it did not show the outcome that is followed with the patch; `null` if it did, or passed. */
  readonly reason: Reason | null;
  /** Why it did not without the patch; `null` if it did, passed, or was not tested, or if no patch was carried. */
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

/** The answer of iterative delta debugging, final or so far. */
export interface PorterFields {
  /** Where the search stands. */
  readonly status: Status;
  /** The same in some sentences, for people. */
  readonly message: string;
  /** The failure that is followed, in words; `null` before it was seen. */
  readonly failure: string | null;
  /** The newest revision on the walk that passes with the patch carried there; `null` if none was found. */
  readonly good: string | null;
  /** The revision after it on the walk, which fails as the start does with its own patch; `null` if none was found. */
  readonly bad: string | null;
  /** Revisions between them that do not build by themselves, newest first: any of them may be the one that broke it. */
  readonly between: readonly string[];
  /**
   * What the test needs: `good` passes with it. Its guarantee is about the failure of `bad`, which needs all of it;
   * where `good` does not pass with what that failure needs, about the pass. `null` if it is nothing, or was not found
   * out.
   */
  readonly carried: Patch | null;
  /** The smallest change found that brings the failure back on `good` with `carried`. */
  readonly cause: Patch | null;
  /** The smallest change found with which the bad side passes. */
  readonly repair: Patch | null;
  /**
   * The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes that the
   * test needs. `null` without the option `figure2`.
   */
  readonly figure2: Patch | null;
  /** The fix for the revision that it was brought forward to, where a run showed that it passes. */
  readonly forward: Patch | null;
  /** What a second test says of that fix; `null` if none was run. */
  readonly also: Also | null;
  /** What was looked at on the way, in that order. */
  readonly steps: readonly PorterStep[];
  /** The reductions, in the order in which they were begun. */
  readonly reductions: readonly PorterReduction[];
  /** How many revisions were tested on the walk back and forward. */
  readonly visited: number;
  /** How many revisions were left out because they do not build by themselves. */
  readonly skipped: number;
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** How many answers cost a run. */
  readonly queries: number;
  /** How many answers came to probes. */
  readonly asked: number;
  /** How many of all answers were that a patch does not apply. */
  readonly conflicts: number;
  /** How long the tests took together, in seconds, as far as that was told; `null` if it never was. */
  readonly seconds: number | null;
  /** Everything that was seen, in the order told. */
  readonly observations: readonly PortObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
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
  also: ["also", shaped(ALSO)],
  steps: ["steps", each(shaped(PORTER_STEP))],
  reductions: ["reductions", each(shaped(PORTER_REDUCTION))],
  visited: ["visited"],
  skipped: ["skipped"],
  warnings: ["warnings"],
  queries: ["queries"],
  asked: ["asked"],
  conflicts: ["conflicts"],
  seconds: ["seconds"],
  observations: ["observations", each(portObservation)],
  commits: ["commits", every(shaped(COMMIT))],
};

/** How far the search was after a run (Figure 13, "history reduction per test run"). */
export interface SliceSize {
  /** How many answers had cost a run. */
  readonly run: number;
  /** How many changes the smallest set had that was seen to hold. */
  readonly changes: number;
}

/** @internal */
export const SLICE_SIZE: Shape<SliceSize> = {
  run: ["run"],
  changes: ["changes"],
};

/** What shows that one change of the slice is needed. */
export interface SliceReason {
  /** The change, as an index. */
  readonly change: number;
  /** Its name. */
  readonly name: string;
  /** The indices of the set, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /**
   * The set that was asked: the slice without the change, and without those that rest on it where it could not be built
   * with them.
   */
  readonly set: string;
  /** The number of the answer among the observations. */
  readonly observation: number;
  /** What was seen of the set: not what is to be kept. */
  readonly outcome: Outcome;
  /** Whether that cost a run: a conflict does not, nor does what was seen of equal files before. */
  readonly ran: boolean;
  /**
   * The numbers of the answers before it, where sets with more changes could not be built: the slice without the change
   * alone is the first of them.
   */
  readonly unbuilt: readonly number[];
}

/** @internal */
export const SLICE_REASON: Shape<SliceReason> = {
  change: ["change"],
  name: ["name"],
  set: ["changes"],
  observation: ["observation"],
  outcome: ["outcome"],
  ran: ["ran"],
  unbuilt: ["unbuilt"],
};

/** The smallest slice that was found, final or the best so far. */
export interface SlicerFields {
  /** Where the search stands. */
  readonly status: Status;
  /** The same in some sentences, for people. */
  readonly message: string;
  /**
   * The changes of the slice, as indices, oldest first. All, before it is known whether they hold together; none if
   * they do not.
   */
  readonly kept: readonly number[];
  /** Their names. */
  readonly commits: readonly string[];
  /** How many changes there were. */
  readonly of: number;
  /**
   * What is certain about the slice. `"1-minimal"`: no change of it can go, neither alone nor with those that rest on
   * it.
   */
  readonly guarantee: Guarantee;
  /**
   * For each change of the slice the answer that shows that it is needed, newest first; only those that were shown so
   * far.
   */
  readonly why: readonly SliceReason[];
  /** How many changes were left after each run that made them fewer. */
  readonly sizes: readonly SliceSize[];
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** How many answers cost a run. */
  readonly queries: number;
  /** How many answers came to probes, those that cost no run included. */
  readonly asked: number;
  /** Everything that was seen, in the order told. */
  readonly observations: readonly ChangesObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  readonly details: Commits;
}

/** @internal */
export const SLICER_FIELDS: Shape<SlicerFields> = {
  status: ["status"],
  message: ["message"],
  kept: ["kept"],
  commits: ["names"],
  of: ["of"],
  guarantee: ["guarantee"],
  why: ["why", each(withIndices(shaped(SLICE_REASON)))],
  sizes: ["sizes", each(shaped(SLICE_SIZE))],
  warnings: ["warnings"],
  queries: ["queries"],
  asked: ["asked"],
  observations: ["observations", each(changesObservation)],
  details: ["commits", every(shaped(COMMIT))],
};

/** What one answer did for a search. */
export interface Explanation {
  /** Which run of the test it was, from 1; `null` if it cost none. */
  readonly run: number | null;
  /** The revision, if the search is about a history. */
  readonly revision: string | null;
  /** The changes that are kept, if the search is about changes. */
  readonly changes: string | null;
  /** What was seen. */
  readonly outcome: Outcome;
  /** Why that was asked, as far as it can be told from what was known then; `null` if it cannot, or nobody asked. */
  readonly reason: string | null;
  /** How many revisions could be blamed before the answer; `null` if that is not known, as for items. */
  readonly suspectsBefore: number | null;
  /** How many could be blamed after it. */
  readonly suspectsAfter: number | null;
  /** The best answer after it in words, with short ids; `null` if there was none yet. */
  readonly best: string | null;
  /** All of it in words, with short ids. */
  readonly message: string;
  /** The number of the read whose changes the indices name; `null` if they name all that there are. */
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
  universe: ["universe"],
};

/** A suspect, with what speaks for it. */
export interface ContentSuspect {
  /** The commit. */
  readonly change: string;
  /** How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is 1. */
  readonly probability: number;
  /** Why, what counts most first. */
  readonly reasons: readonly ContentReason[];
  /** The same for people, to follow the name of the commit. */
  readonly message: string;
}

/** @internal */
export const CONTENT_SUSPECT: Shape<ContentSuspect> = {
  change: ["change"],
  probability: ["probability"],
  reasons: ["reasons"],
  message: ["message"],
};

/** Why a change is suspicious: it touches a target that a failing test depends on. */
export interface RankingReason {
  /** The files of the change that are in the target, as the change names them. */
  readonly files: readonly string[];
  /** The target. */
  readonly target: string;
  /** The targets on a shortest path of dependencies, from the closest failing test to this one. */
  readonly path: readonly string[];
  /** How many dependencies that is; 1 for the test itself. */
  readonly distance: number;
  /** How many of the failing tests depend on it. */
  readonly tests: number;
  /** What it adds to the score: the weighted distance (Definition 10), the mean over the failing tests. */
  readonly weight: number;
  /** Whether it is so only in the graph of an earlier revision. */
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
  /** The change. */
  readonly change: string;
  /** What it was ranked by: higher is more suspicious, never below 0. */
  readonly score: number;
  /**
   * The sum of the weights of its reasons (Definition 11), whatever it was ranked by; of a change of n > 16 source
   * files divided by (n / 16)^3, because one of everything touches what the tests depend on whatever it is about.
   */
  readonly suspiciousness: number;
  /** The number of its files. */
  readonly size: number;
  /** The distance of the closest target that it touches, 1 or above. */
  readonly distance: number;
  /** How close it comes to the failing tests: the weighted distance of the closest target, the mean over the tests. */
  readonly closeness: number;
  /** How many of the failing tests it may have broken. */
  readonly tests: number;
  /** What it touches, the closest first. */
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

/** One answer, with its columns in the order in which a person reads them. */
export interface ReportRow {
  /**
   * Which run of the test it was, from 1, in the order told; `null` if it cost none: it was known beforehand, or the
   * test was not run.
   */
  run: number | null;
  /** What was tested: the revision, as its full id; `null` if it is about items alone. */
  revision: string | null;
  /** The first line of the commit's message; `null` if that is not known. */
  subject: string | null;
  /** What was tested: the set of items or changes in short, as `"0-3,7"`; `null` if it is about a revision as it is. */
  changes: string | null;
  /** What was seen. */
  outcome: Outcome;
  /** How long the test took, in seconds. */
  seconds: number | null;
  /** Which failure it was. */
  signature: string | null;
  /** The stage at which the test ended, where it did not pass. */
  stage: string | null;
  /** How many runs passed, where the test was run several times. */
  passes: number | null;
  /** How many runs failed, where the test was run several times. */
  fails: number | null;
  /** A measured number, in the caller's unit. */
  metric: number | null;
  /** The most memory that a process of the test had at once, in bytes. */
  memory: number | null;
  /** What the test cost, in the unit of the budget's `cost`. */
  cost: number | null;
  /** When the test was started, in seconds on the clock of the observations. */
  started: number | null;
  /** When it ended, on the same clock. */
  ended: number | null;
  /** Words for people: where the log is, why it is unresolved. */
  note: string | null;
  /** The file that holds what the test printed. */
  output: string | null;
  /** The probe that it answered; `null` if it was known without being asked. */
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
  memory: ["memory"],
  cost: ["cost"],
  started: ["started"],
  ended: ["ended"],
  note: ["note"],
  output: ["output"],
  probe: ["probe"],
};

/** What the commits are called that an answer names, by their full ids. */
export type Commits = Readonly<Record<string, Commit>>;
