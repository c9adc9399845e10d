/** Whether a conclusion holds: the reruns of FACF, Section 4. */

import type { BindingSearch } from "./binding.js";
import { opened, restored } from "./configuration.js";
import { invalid, native } from "./errors.js";
import { VERIFICATION, type VerificationOptions } from "./generated/options.js";
import { VERIFICATION_FIELDS, type VerificationFields } from "./generated/reports.js";
import type { CommitGraph } from "./graph.js";
import { Search } from "./search.js";
import { drawn, type InWords, readAs, worded } from "./words.js";
import { madeFrom } from "./written.js";

/** The result of a verification. */
export interface VerificationReport extends VerificationFields, InWords {}

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
  const report = madeFrom(VERIFICATION_FIELDS, written);
  return worded(report, VERIFICATION.algorithm, written, undefined, drawn(binding, written));
}
