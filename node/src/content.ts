/** Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph. */

import { type BindingContentRanking, rankCommits as rank } from "./binding.js";
import { BuildGraph, type BuildTargets } from "./build-graph.js";
import { type Changelists, changelistsFrom, rankedParts } from "./changelist.js";
import { invalid, native } from "./errors.js";
import type { CommitSuspect } from "./generated/reports.js";
import { checkedOptions, severalIds } from "./options.js";
import { Ranked } from "./ranked.js";
import { type BuildGraphsAt, graphsAt } from "./ranking.js";

/** What to rank by, beside the changes. */
export interface RankContentOptions {
  /**
   * What the failing test is called, in words or as its runner calls it (`"tests/cart.test.js"`), or several that began to
   * fail together. With a `buildGraph` a target of it. By default it is not known.
   */
  test?: string | Iterable<string>;
  /** What the test depends on: the probabilities of both are then multiplied, each with its floor. */
  buildGraph?: BuildGraph | BuildTargets;
  /** The build graph before the first change, as in {@link rankSuspects}. */
  before?: BuildGraph;
  /** Build graphs right after some changes, as in {@link rankSuspects}. */
  graphs?: BuildGraphsAt;
}

/**
 * Changes with their probabilities, the likeliest first; made by {@link rankCommits}. Iterating over it gives `[change,
 * probability]` pairs; of equals the newest comes first. Searches take it as their `prior`, and say why they tried a revision.
 */
export class CommitRanking extends Ranked<CommitSuspect, BindingContentRanking> {
  /** @internal */
  static adopt(binding: BindingContentRanking): CommitRanking {
    return new CommitRanking(binding);
  }

  /** @internal */
  protected override numberOf({ probability }: CommitSuspect): number {
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
 * const ranking = rankCommits(await repo.changes("v1.0", "main"), { test: "tests/cart.test.js" });
 * for (const { change, message } of ranking.suspects.slice(0, 3)) console.log(change, message);
 * ```
 *
 * @throws {@link FirstbadError} `unknown_build_target`, `invalid_argument`.
 */
export function rankCommits(changes: Changelists, options?: RankContentOptions): CommitRanking {
  const given = checkedOptions<RankContentOptions>(options, ["test", "buildGraph", "before", "graphs"]);
  const tests = severalIds("test", given.test ?? []);
  const parts = JSON.stringify(rankedParts(changelistsFrom(changes), true));
  if (given.buildGraph === undefined) {
    for (const name of ["before", "graphs"] as const) {
      if (given[name] !== undefined) throw invalid(name, given[name], "nothing without a buildGraph");
    }
    return CommitRanking.adopt(native(() => rank(parts, tests)));
  }
  if (tests.length === 0) throw invalid("test", given.test, "the build target of the test, with a buildGraph");
  const build = BuildGraph.bindingOf("buildGraph", given.buildGraph);
  const before = given.before === undefined ? undefined : BuildGraph.bindingOf("before", given.before);
  const [names, graphs] = graphsAt(given.graphs);
  return CommitRanking.adopt(native(() => build.rankCommits(parts, tests, before, names, graphs)));
}
