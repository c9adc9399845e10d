/** Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph. */

import { type BindingContentRanking, fitContent as fit, rankContent as rank } from "./binding.js";
import { BuildGraph, type BuildTargets } from "./build-graph.js";
import { type Changelists, changelistsFrom, rankedParts } from "./changelist.js";
import { aWeights, type ContentWeights } from "./configuration.js";
import { invalid, native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import { checkedOptions, isIterable, severalIds, text } from "./options.js";
import { OutcomeStore } from "./outcome-store.js";
import { Ranked } from "./ranked.js";
import { type BuildGraphsAt, graphsAt } from "./ranking.js";
import { Repository } from "./repository.js";
import type { ContentReason } from "./why.js";

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

/** What to rank by, beside the changes. */
export interface RankContentOptions {
  /**
   * What the failing test is called, in words or as its runner calls it (`"tests/cart.test.js"`), or several that began to
   * fail together. With a `buildGraph` a target of it. By default it is not known.
   */
  test?: string | Iterable<string>;
  /** What counts how much. */
  weights?: ContentWeights;
  /** What the test depends on: the probabilities of both are then multiplied, each with its floor. */
  buildGraph?: BuildGraph | BuildTargets;
  /** The build graph before the first change, as in {@link rankSuspects}. */
  before?: BuildGraph;
  /** Build graphs right after some changes, as in {@link rankSuspects}. */
  graphs?: BuildGraphsAt;
}

/**
 * Changes with their probabilities, the likeliest first; made by {@link rankContent}. Iterating over it gives `[change,
 * probability]` pairs; of equals the newest comes first. Searches take it as their `prior`, and say why they tried a revision.
 */
export class ContentRanking extends Ranked<ContentSuspect, BindingContentRanking> {
  /** @internal */
  static adopt(binding: BindingContentRanking): ContentRanking {
    return new ContentRanking(binding);
  }

  /** @internal */
  protected override numberOf({ probability }: ContentSuspect): number {
    return probability;
  }

  /** The words of the failing tests that were looked for; other endings are found, too. */
  get words(): readonly string[] {
    return (this.written as { words: string[] }).words;
  }

  /** What was ranked, and by which words, in a sentence. */
  override get message(): string {
    return native(() => this.binding.message());
  }

  /** A weight for every change, summing to 1. */
  prior(): Map<string, number> {
    return new Map(this);
  }

  /** @internal The weights with their reasons, as searches take them. */
  asPrior(): unknown {
    return JSON.parse(native(() => this.binding.prior()));
  }
}

/**
 * Ranks changes by what they touch and by what the failing test is called, without running any.
 *
 * A commit that touches source files is likelier to have broken a test than one that touches documentation alone; one that
 * touches the file that the test is named after, or whose subject has the test's words, is likelier still. Half of the mass is
 * shared by all. It is the prior that searches make with `prior: "changes"`.
 *
 * @param changes The changes since the test passed, oldest first, as {@link Repository.changes} gives them.
 *
 * @example
 * ```ts
 * const ranking = rankContent(await repo.changes("v1.0", "main"), { test: "tests/cart.test.js" });
 * for (const { change, message } of ranking.suspects.slice(0, 3)) console.log(change, message);
 * ```
 *
 * @throws {@link FirstbadError} `unknown_build_target`, `invalid_argument`.
 */
export function rankContent(changes: Changelists, options?: RankContentOptions): ContentRanking {
  const given = checkedOptions<RankContentOptions>(options, ["test", "weights", "buildGraph", "before", "graphs"]);
  const tests = severalIds("test", given.test ?? []);
  const weights = weightsJson(given.weights);
  const parts = JSON.stringify(rankedParts(changelistsFrom(changes), true));
  if (given.buildGraph === undefined) {
    for (const name of ["before", "graphs"] as const) {
      if (given[name] !== undefined) throw invalid(name, given[name], "nothing without a buildGraph");
    }
    return ContentRanking.adopt(native(() => rank(parts, tests, weights)));
  }
  if (tests.length === 0) throw invalid("test", given.test, "the build target of the test, with a buildGraph");
  const build = BuildGraph.bindingOf("buildGraph", given.buildGraph);
  const before = given.before === undefined ? undefined : BuildGraph.bindingOf("before", given.before);
  const [names, graphs] = graphsAt(given.graphs);
  return ContentRanking.adopt(native(() => build.rankContent(parts, tests, weights, before, names, graphs)));
}

/** A culprit that is known, with where to look for it. */
export interface PastCulprit {
  /** The commit that was to blame. */
  culprit: string;
  /** Revisions before it, where all was well. */
  good: string | Iterable<string>;
  /** A revision that failed, which is it or comes after it. */
  bad: string;
  /** What the failing tests are called; by default nobody knows. */
  test?: string | Iterable<string>;
}

/** What to learn from, and what to begin with. */
export interface FitContentOptions {
  /**
   * Culprits that are known, as far as 10,000 commits go, all ranges together. By default those that the history of `tip`
   * names itself, in lines like `Fixes: <sha>`, in words like "a regression in <sha>", and in reverts that change a test; the
   * 200 newest, each among 256 commits around it, with the test file that the fix changes most.
   */
  culprits?: Iterable<PastCulprit>;
  /**
   * Outcomes that searches have shared, of all tests in the file: commits of the history of `tip` that fail where all their
   * parents pass are learned from, too, each with the tests that it broke as far as the words of the oracle name them. Its
   * suspects come after the oldest revision before it, and up to the newest one after it, between which all that were tested
   * agree with it. What was filed under keys of your own is left out, but for ids of trees.
   */
  store?: OutcomeStore | string;
  /** The history that is looked at without `culprits`, and with `store`; by default `HEAD`. */
  tip?: string;
  /** What to begin with. */
  weights?: ContentWeights;
}

/** Weights that were learned. */
export interface ContentFit {
  /** The weights. Their floor is the one that was begun with. */
  weights: Required<ContentWeights>;
  /** From how many culprits. */
  used: number;
  /** How many of them had a test that was known. */
  withTest: number;
  /** How many culprits were left out, because their suspects were too many, or did not have them. */
  leftOut: number;
  /** How many bits the weights that were begun with tell about a culprit on average, more than that all are alike. */
  bitsBefore: number;
  /** How many the learned ones tell, about the very culprits that they were learned from. */
  bits: number;
  /** The same in a sentence, for people. */
  message: string;
}

/**
 * Learns what counts how much for `prior: "changes"` from a project's own past culprits.
 *
 * The weights are those under which the culprits were likely, held near the ones that it begins with: a few culprits move
 * little, some hundred decide. They are never below 0, and the floor stays. The same history gives the same weights.
 *
 * @throws {@link FirstbadError} `unknown_revision`, `invalid_argument`, `store`, `git`.
 */
export async function fitContent(repository: Repository, options?: FitContentOptions): Promise<ContentFit> {
  const given = checkedOptions<FitContentOptions>(options, ["culprits", "store", "tip", "weights"]);
  const within = Repository.bindingOf(repository);
  const culprits = given.culprits === undefined ? undefined : json("culprits", culpritsFrom(given.culprits));
  const tip = text("tip", given.tip ?? "HEAD");
  const weights = weightsJson(given.weights);
  const kept = given.store instanceof OutcomeStore ? given.store.path : given.store;
  const store = kept === undefined ? undefined : text("store", kept);
  const found = JSON.parse(await nativePromise(() => fit(within, culprits, tip, weights, store)));
  const { weights: learned, used, with_test: withTest, left_out: leftOut, bits_before: bitsBefore, bits } = found;
  return { weights: camel(learned), used, withTest, leftOut, bitsBefore, bits, message: found.message };
}

function camel({ source_and_test: sourceAndTest, ...others }: Record<string, number>): Required<ContentWeights> {
  return { ...others, sourceAndTest } as unknown as Required<ContentWeights>;
}

function weightsJson(weights: ContentWeights | undefined): string | undefined {
  return weights === undefined ? undefined : JSON.stringify(aWeights("weights", weights));
}

function culpritsFrom(given: unknown): object[] {
  const expected = "objects with culprit, good and bad";
  if (!isIterable(given)) throw invalid("culprits", given, expected);
  return Array.from(given, (one) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) throw invalid("culprits", one, expected);
    const { culprit, good, bad, test } = checkedOptions<PastCulprit>(one as PastCulprit, [
      "culprit",
      "good",
      "bad",
      "test",
    ]);
    return {
      culprit: text("culprit", culprit),
      good: severalIds("good", good ?? []),
      bad: text("bad", bad),
      test: severalIds("test", test ?? []),
    };
  });
}
