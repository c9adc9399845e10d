/** Which conclusions to verify where verifying all is too dear: FACF, Section 4. */

import * as binding from "./binding.js";
import { native } from "./errors.js";
import { aNumber, aSeed } from "./fields.js";
import { checkedOptions, namesOf, severalIds, text } from "./options.js";

/** What a conclusion says, and how many are drawn. */
export interface SampleOptions {
  /** Who is blamed; none for a flake. */
  culprit?: string | null;
  /** Who was blamed before. */
  earlier?: string | Iterable<string>;
  /** The share of all conclusions that is drawn at random, in [0, 1]; by default the paper's 0.01. */
  share?: number;
  /** Another one draws others; by default 0. */
  seed?: number;
}

const OPTIONS = namesOf<SampleOptions>({ culprit: true, earlier: true, share: true, seed: true });

/**
 * Why a conclusion is to be verified; empty if it is not (FACF, "Sampling Strategy"). The paper verifies 1 % of all
 * conclusions (`random`), and the `first` one for each culprit. The two are told apart, so that statistics can be made
 * of each by itself.
 *
 * @param conclusion A name for the conclusion, another for each: the test and the revision that failed, say. The same
 * name gives the same answer with the same `seed`, in every language and on every machine.
 *
 * @example
 * ```ts
 * const why = sampleForVerification("//app:test at 4f1c", { culprit: "8ab2", earlier: blamed });
 * if (why.length > 0) await verifyCulprit(graph, oracle, { culprit: "8ab2", bad: "4f1c" });
 * ```
 *
 * @throws {@link FirstbadError} `invalid_argument` for a share out of [0, 1], a seed that is no whole number, or a name
 * that is no text.
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
