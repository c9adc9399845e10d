/** The probabilities of suspects, with the interface of a Map. */

import { inspect } from "node:util";
import { type BindingPosterior, beliefCard, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { FirstbadError, invalid, native } from "./errors.js";
import { aNumber } from "./fields.js";
import type { Hypothesis } from "./generated/reports.js";
import { wholeNumber } from "./options.js";

/** The iterator types of a Map, because `MapIterator` requires TypeScript 5.6. */
type Entries = ReadonlyMap<string, number>;

/** The maximum number of suspects in a printed posterior. */
const SHOWN = 5;

/**
 * The posterior probability of every suspect by its id, parents first (FACF, Section 3). Later outcomes do not change
 * it. The probabilities and {@link Posterior.noCulprit} sum to 1.
 *
 * The probabilities are converted on access, so a report with a million suspects takes no longer than one with ten.
 */
export class Posterior implements ReadonlyMap<string, number> {
  readonly #binding: BindingPosterior;
  #ids: string[] | undefined;
  #probabilities: Float64Array | undefined;

  /** @internal */
  constructor(binding: BindingPosterior) {
    this.#binding = binding;
  }

  /** The probability in [0, 1] that there is no culprit, because the failure was a flake. */
  get noCulprit(): number {
    return this.#binding.noCulprit;
  }

  /** The number of suspects, 1 or above. */
  get size(): number {
    return this.#binding.size;
  }

  /** Returns the probability of a suspect by its id or another name, or undefined for other revisions. */
  get(revision: string): number | undefined {
    return typeof revision === "string" ? (this.#binding.get(revision) ?? undefined) : undefined;
  }

  /** Returns whether a revision is a suspect. */
  has(revision: string): boolean {
    return this.get(revision) !== undefined;
  }

  *keys(): ReturnType<Entries["keys"]> {
    yield* this.#allIds();
  }

  *values(): ReturnType<Entries["values"]> {
    yield* this.#allProbabilities();
  }

  *entries(): ReturnType<Entries["entries"]> {
    const probabilities = this.#allProbabilities();
    for (const [place, id] of this.#allIds().entries()) yield [id, probabilities[place] as number];
  }

  [Symbol.iterator](): ReturnType<Entries["entries"]> {
    return this.entries();
  }

  forEach(visit: (probability: number, revision: string, posterior: Posterior) => void, self?: unknown): void {
    for (const [id, probability] of this.entries()) visit.call(self, probability, id, this);
  }

  /**
   * Returns the fewest hypotheses that together reach `level`, most probable first. "No culprit" is a hypothesis.
   * Parents come first if hypotheses are equally probable.
   *
   * @param level A probability in (0, 1]. Default: 0.99.
   * @param most The maximum number of hypotheses, 1 or above. Default: no maximum.
   * @throws {@link FirstbadError} `invalid_argument` if an argument is out of range.
   */
  credibleSet(level = 0.99, most?: number): Hypothesis[] {
    const expected = "a probability above 0, at most 1";
    const reach = aNumber(expected)("level", level) as number;
    if (!(reach > 0 && reach <= 1)) throw invalid("level", level, expected);
    const count = most === undefined || most === null ? undefined : wholeNumber("most", most, 1);
    return JSON.parse(native(() => this.#binding.credibleSet(reach, count)));
  }

  /** Returns the most likely suspects as an HTML page with bars, as notebooks show it. The page needs no other file. */
  toHtml(): string {
    return cardPage(this.#card());
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": inspect(this), "text/html": this.#card() };
  }

  #card(): string {
    const likeliest = this.credibleSet(1, 10).map(({ revision, probability }) => ({ revision, probability }));
    return native(() => beliefCard(JSON.stringify(likeliest), this.size, this.noCulprit));
  }

  /**
   * Returns the most probable suspects as JSON, which is the same in every language. The object has `suspects` (the
   * number of suspects), `no_culprit`, and `likeliest`, a list of objects with `revision` and `probability`, most probable
   * first. Suspects with probability 0 are omitted.
   *
   * @param limit The maximum number of listed suspects, 1 or above. Default: 100.
   * @throws {@link FirstbadError} `invalid_argument` if `limit` is not an integer of 1 or above.
   */
  toJson(limit = 100): string {
    return JSON.stringify({ suspects: this.size, no_culprit: this.noCulprit, likeliest: this.#best(limit) });
  }

  /** Returns the value of {@link Posterior.toJson} for the 100 most probable suspects, for `JSON.stringify`. */
  toJSON(): { suspects: number; noCulprit: number; likeliest: { revision: string; probability: number }[] } {
    return { suspects: this.size, noCulprit: this.noCulprit, likeliest: this.#best(100) };
  }

  #best(limit: number): { revision: string; probability: number }[] {
    const most = wholeNumber("limit", limit, 1);
    const best = this.credibleSet(1, most + 1).flatMap(({ revision, probability }) =>
      revision === null || probability === 0 ? [] : [{ revision, probability }],
    );
    return best.slice(0, most);
  }

  /** @internal */
  [inspect.custom](): string {
    const shown = this.credibleSet(1, SHOWN).map(({ revision, probability }) => {
      return `${revision === null ? "no culprit" : inspect(revision)} => ${Number(probability.toPrecision(4))}`;
    });
    const more = this.size + 1 - shown.length;
    return `Posterior(${this.size}) { ${shown.join(", ")}${more > 0 ? `, ... ${more} more` : ""} }`;
  }

  #allIds(): string[] {
    this.#ids ??= this.#binding.ids().split("\0");
    return this.#ids;
  }

  #allProbabilities(): Float64Array {
    this.#probabilities ??= this.#binding.probabilities();
    return this.#probabilities;
  }
}

/** @internal */
export function posteriorFrom(binding: BindingPosterior | null): Posterior {
  if (binding === null) throw new FirstbadError("internal", "this search keeps no belief");
  return new Posterior(binding);
}

/** @internal Returns a posterior of these suspects only, in this order. */
export function posteriorOf(hypotheses: readonly Hypothesis[], noCulprit: number): Posterior {
  const suspects = new Map(
    hypotheses.flatMap(({ revision, probability }) => (revision === null ? [] : [[revision, probability] as const])),
  );
  const likeliest = [...hypotheses].sort((one, other) => other.probability - one.probability);
  const writtenDown: Pick<BindingPosterior, keyof BindingPosterior> = {
    noCulprit,
    size: suspects.size,
    get: (revision) => suspects.get(revision) ?? null,
    ids: () => [...suspects.keys()].join("\0"),
    probabilities: () => Float64Array.from(suspects.values()),
    credibleSet: (level, most) => {
      let mass = 0;
      const reached = likeliest.findIndex(({ probability }) => {
        mass += probability;
        return mass >= level;
      });
      const count = Math.min(reached < 0 ? likeliest.length : reached + 1, most ?? likeliest.length);
      return JSON.stringify(likeliest.slice(0, count));
    },
  };
  return new Posterior(writtenDown as BindingPosterior);
}
