/** Whether a conclusion holds: the reruns of FACF, Section 4. */

import type { BindingSearch } from "./binding.js";
import type { Commits } from "./commit.js";
import { opened, restored } from "./configuration.js";
import type { RunCounts } from "./culprit-search.js";
import { invalid, native } from "./errors.js";
import { reportFrom } from "./fields.js";
import { VERIFICATION, type VerificationOptions } from "./generated/options.js";
import type { CommitGraph } from "./graph.js";
import type { RevisionObservation } from "./report.js";
import { Search, type Status } from "./search.js";
import { drawn, type InWords, readAs, worded } from "./words.js";

/** The runs of one check. */
export interface Check {
  /**
   * What the revision is checked as: the `good` end and each `parent` of the culprit must pass, the `culprit` and the
   * `bad` end must never pass. For a flake the `bad` end must pass.
   */
  role: "good" | "parent" | "culprit" | "bad";
  /** The revision. */
  revision: string;
  /** Its runs. */
  runs: RunCounts;
}

/**
 * Why a conclusion is not correct, or why nothing is proved (FACF, "When is a Culprit Incorrect?"):
 *
 * - `bad_never_passes`: the flake cannot be reproduced.
 * - `bad_passes`: the revision that was seen to fail passes; it was a flake.
 * - `culprit_passes`.
 * - `parent_never_passes`: it broke before the revision that was blamed.
 * - `good_never_passes`: the failure may depend on the time or the environment.
 * - `no_good_pass_before_bad_fail`, `no_bad_fail_before_good_pass`, `no_parent_pass_before_culprit_fail`,
 *   `no_culprit_fail_before_parent_pass`: the order in time that would prove it was not seen.
 * - `not_reproducible`: an earlier verification said otherwise.
 * - `unresolved`: a revision cannot be tested. It alone leaves `correct` at null.
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

/** A reason with its revision. */
export interface VerificationReason {
  /** Which condition it is, for programs. */
  code: ReasonCode;
  /** The revision that it is about. */
  revision: string;
  /** A sentence for people. */
  message: string;
}

/** The answer of a verification. */
export interface VerificationReport extends InWords {
  /** Where the verification stands: `found` once there is a verdict, `ambiguous` where a revision cannot be tested. */
  status: Status;
  /** The verdict; null as long as there is none. */
  correct: boolean | null;
  /** Why the conclusion is not correct, or why nothing can be said; empty if it is correct. */
  reasons: VerificationReason[];
  /** A summary in one sentence. */
  message: string;
  /** The conclusion verified: the culprit, or null for a flake. */
  culprit: string | null;
  /**
   * How many runs each check takes at most: `ceil(log((1 - C) / n) / log(f))` (FACF, "How Many Reruns to Conduct"), where
   * flakes could mislead the verdict in `n` ways: two for each good end and each parent of the culprit, one for a flake.
   */
  reruns: number;
  /** What each check saw. */
  checks: Check[];
  /** The number of outcomes from the oracle. */
  runs: number;
  /** All observations, in the order told. */
  observations: RevisionObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  commits: Commits;
  /** Warnings about the result, in sentences. */
  warnings: string[];
}

/** Requires `culprit`, because a forgotten one must not mean "a flake". */
function complete(options: VerificationOptions): VerificationOptions {
  if (options.culprit === undefined) {
    const expected = "the revision that was blamed, or null to verify that the failure was a flake";
    throw invalid("culprit", options.culprit, expected);
  }
  return options;
}

/**
 * A verification of a conclusion by reruns, with the ask/tell interface. {@link run} and {@link verifyCulprit} drive it
 * for you.
 *
 * The conclusion holds if the good revision and the parents of the culprit pass, both before and after the culprit and
 * the bad revision fail, and these two never pass. A proof that the conclusion is wrong ends the verification. The
 * order of runs comes from `started` and `ended` of the observations, which {@link run} records. Observations without
 * times count in the order told, and only one probe can be in flight.
 */
export class CulpritVerifier extends Search<VerificationReport> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, and `invalid_argument` if a rate or
   * confidence is out of range, the culprit is not a suspect, or an earlier report has another conclusion.
   */
  constructor(graph: CommitGraph, options: VerificationOptions) {
    super(opened(VERIFICATION, graph, options, complete));
  }

  /**
   * Restores a verification from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a verification, or its history differs.
   */
  static restore(graph: CommitGraph, snapshot: string): CulpritVerifier {
    return new CulpritVerifier(graph, restored(VERIFICATION, graph, snapshot));
  }

  /** @internal */
  override get wantsTimes(): boolean {
    return true;
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson(text: string): VerificationReport {
    return verificationReport(readAs(VERIFICATION.algorithm, text));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): VerificationReport {
    return verificationReport(
      native(() => binding.report()),
      binding,
    );
  }
}

function verificationReport(written: string, binding?: BindingSearch): VerificationReport {
  const report = reportFrom<VerificationReport>(written);
  return worded(report, VERIFICATION.algorithm, written, undefined, drawn(binding, written));
}
