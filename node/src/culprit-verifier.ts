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

/** The answer of a verification. */
export interface VerificationReport extends VerificationFields, InWords {}

/** A conclusion that was forgotten is not "a flake". */
function complete(options: VerificationOptions): VerificationOptions {
  if (options.culprit === undefined) {
    const expected = "the revision that was blamed, or null to verify that the failure was a flake";
    throw invalid("culprit", options.culprit, expected);
  }
  return options;
}

/**
 * A check of a conclusion by reruns, to be driven by hand; {@link run} and {@link verifyCulprit} drive it for you.
 *
 * The good end and the culprit's parents are to pass, before and after the culprit and the bad end fail; those two must
 * then never pass. What proves the conclusion wrong ends it at once. Which run came before which is read off the
 * observations' `started` and `ended`, which {@link run} notes; where they are told without, they count as run in the
 * order told, and only one probe flies at a time.
 */
export class CulpritVerifier extends Search<VerificationReport> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`; `invalid_argument` for rates and
   * confidences out of range, for a culprit that is no suspect between the ends, and for an earlier report of another
   * conclusion.
   */
  constructor(graph: CommitGraph, options: VerificationOptions) {
    super(opened(VERIFICATION, graph, options, complete));
  }

  /**
   * A verification as {@link Search.snapshot} left it, probes in flight included.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of a verification, or one of another
   * history.
   */
  static restore(graph: CommitGraph, snapshot: string): CulpritVerifier {
    return new CulpritVerifier(graph, restored(VERIFICATION, graph, snapshot));
  }

  /** @internal */
  override get wantsTimes(): boolean {
    return true;
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
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
