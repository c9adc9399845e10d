/** What a search believes about every suspect, read like a Map. */

import { inspect } from "node:util";
import { type BindingPosterior, beliefCard, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { FirstbadError, invalid, native } from "./errors.js";
import { aNumber } from "./fields.js";
import type { Hypothesis } from "./generated/reports.js";
import { wholeNumber } from "./options.js";

/** What a Map's iterators are called depends on the version of TypeScript: `MapIterator` is there from 5.6 on. */
type Entries = ReadonlyMap<string, number>;

/** How many suspects are shown where a posterior is printed. */
const SHOWN = 5;

/**
 * The posterior probability of every suspect by its id (FACF, Section 3), as it was when it was taken: what is told
 * later does not change it. Suspects come parents first. What the probabilities lack to 1 is {@link Posterior.noCulprit}.
 *
 * It stays in the core until it is looked at, so that a report on a million suspects is as quick as one on ten.
 */
export class Posterior implements ReadonlyMap<string, number> {
  readonly #binding: BindingPosterior;
  #ids: string[] | undefined;
  #probabilities: Float64Array | undefined;

  /** @internal */
  constructor(binding: BindingPosterior) {
    this.#binding = binding;
  }

  /** The probability that there is no culprit: the failure was a flake. */
  get noCulprit(): number {
    return this.#binding.noCulprit;
  }

  /** How many suspects there are; at least 1. */
  get size(): number {
    return this.#binding.size;
  }

  /** The probability of a suspect, by its id or another name of it; undefined for what is no suspect. */
  get(revision: string): number | undefined {
    return typeof revision === "string" ? (this.#binding.get(revision) ?? undefined) : undefined;
  }

  /** Whether a revision is a suspect. */
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
   * The fewest hypotheses, "no culprit" among them, that reach `level` together; the most probable first, and parents
   * first among equals.
   *
   * @param level A probability in (0, 1]; by default 0.99.
   * @param most How many at most, where the beginning is enough.
   * @throws {@link FirstbadError} `invalid_argument`.
   */
  credibleSet(level = 0.99, most?: number): Hypothesis[] {
    const expected = "a probability above 0, at most 1";
    const reach = aNumber(expected)("level", level) as number;
    if (!(reach > 0 && reach <= 1)) throw invalid("level", level, expected);
    const count = most === undefined || most === null ? undefined : wholeNumber("most", most, 1);
    return JSON.parse(native(() => this.#binding.credibleSet(reach, count)));
  }

  /** The likeliest suspects as a page that needs no other file, with bars: what a notebook shows. */
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
   * The best of it as JSON, not a million zeros: an object with `suspects` (how many there are), `no_culprit`, and `likeliest`:
   * objects with `revision` and `probability`, the most probable first, without those of probability 0. The same in every
   * language.
   *
   * @param limit How many suspects are named at most.
   * @throws {@link FirstbadError} `invalid_argument` where that is no whole number, at least 1.
   */
  toJson(limit = 100): string {
    return JSON.stringify({ suspects: this.size, no_culprit: this.noCulprit, likeliest: this.#best(limit) });
  }

  /** The same for `JSON.stringify`: the 100 best. */
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

/** @internal One that was written down: these suspects and no others, in this order. */
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
