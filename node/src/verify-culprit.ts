/** A conclusion put to the test in one call. */

import { CulpritVerifier, type VerificationReport } from "./culprit-verifier.js";
import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { VERIFICATION, type VerificationOptions } from "./generated/options.js";
import type { Oracle } from "./oracle.js";

/** What to verify and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface VerifyCulpritOptions extends VerificationOptions, DriveOptions {}

/**
 * Verifies a culprit, or that a failure was a flake (`culprit: null`), by reruns (FACF, Section 4).
 *
 * It makes a {@link CulpritVerifier} and drives it with {@link run}, whose promises about errors and signals hold here.
 * With a `concurrency` above 1 runs fly side by side, where their order in time does not matter.
 *
 * @example
 * ```ts
 * const found = await findCulprit(graph, oracle, { bad: "main", good: "v1.0" });
 * if (found.conclusion !== "inconclusive") {
 *   const { culprit, flakeRate } = found;
 *   const verified = await verifyCulprit(graph, oracle, { culprit, bad: "main", good: "v1.0", flakeRate });
 *   console.log(verified.correct, verified.reasons);
 * }
 * ```
 *
 * @throws {@link FirstbadError}, as {@link CulpritVerifier} and {@link run} do; what the oracle throws, unchanged.
 */
export async function verifyCulprit(
  graph: HistorySource,
  oracle: Oracle,
  options: VerifyCulpritOptions,
): Promise<VerificationReport> {
  return driven(CulpritVerifier, VERIFICATION, historyFrom(graph), oracle, options, { of: "verifyCulprit" });
}
