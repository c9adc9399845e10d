/** Chooses conclusions to verify if verifying all is too expensive: FACF, Section 4. */

import * as binding from "./binding.js";
import { native } from "./errors.js";
import { aNumber, aSeed } from "./fields.js";
import { checkedOptions, namesOf, severalIds, text } from "./options.js";

/** The options of a sample. */
export interface SampleOptions {
  /** The culprit, or null for a flake. */
  culprit?: string | null;
  /** The culprits of earlier conclusions. */
  earlier?: string | Iterable<string>;
  /** The share of conclusions that is sampled at random, in [0, 1]. Default: 0.01, as in the paper. */
  share?: number;
  /** The seed of the random sample. Default: 0. */
  seed?: number;
}

const OPTIONS = namesOf<SampleOptions>({ culprit: true, earlier: true, share: true, seed: true });

/**
 * Returns the reasons to verify a conclusion, or an empty array (FACF, "Sampling Strategy"). The paper verifies 1% of
 * all conclusions (`random`), and the `first` conclusion for each culprit. The reasons are separate, so that you can
 * compute statistics for each.
 *
 * @param conclusion A unique name for the conclusion, such as the test and the revision that failed. The same name and
 * `seed` give the same result in every language and on every machine.
 *
 * @example
 * ```ts
 * const why = sampleForVerification("//app:test at 4f1c", { culprit: "8ab2", earlier: blamed });
 * if (why.length > 0) await verifyCulprit(graph, oracle, { culprit: "8ab2", bad: "4f1c" });
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` if `share` is not in [0, 1], `seed` is not a whole number, or a name
 * is not a text.
 */
export function sampleForVerification(conclusion: string, options?: SampleOptions): ("random" | "first")[] {
  const given = checkedOptions(options, OPTIONS);
  const name = text("conclusion", conclusion);
  const culprit = given.culprit == null ? null : text("culprit", given.culprit);
  const earlier = severalIds("earlier", given.earlier ?? []);
  const share = aNumber("a share of all conclusions, in [0, 1]")("share", given.share ?? 0.01) as number;
  const seed = aSeed("seed", given.seed ?? 0) as number;
  return native(() => binding.sampleForVerification(name, culprit, earlier, share, seed)) as ("random" | "first")[];
}
