/** Verifies a conclusion by reruns. */

import { CulpritVerifier, type VerificationReport } from "./culprit-verifier.js";
import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { VERIFICATION, type VerificationOptions } from "./generated/options.js";
import type { Oracle } from "./oracle.js";

/**
 * What to verify, and how to run the search. `signal` is an AbortSignal, and `signature` is the failure to search for.
 */
export interface VerifyCulpritOptions extends VerificationOptions, DriveOptions {}

/**
 * Verifies a culprit, or that a failure was a flake (`culprit: null`), by reruns (FACF, Section 4).
 *
 * Runs a {@link CulpritVerifier}. Errors and signals are handled as by {@link run}. With a `concurrency` above 1, runs
 * are parallel if their order in time does not matter.
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
 * @throws {@link FirstbadError} See {@link CulpritVerifier} and {@link run}. Also throws errors of the oracle,
 * unchanged.
 */
export async function verifyCulprit(
  graph: HistorySource,
  oracle: Oracle,
  options: VerifyCulpritOptions,
): Promise<VerificationReport> {
  return driven(CulpritVerifier, VERIFICATION, historyFrom(graph), oracle, options, { of: "verifyCulprit" });
}
