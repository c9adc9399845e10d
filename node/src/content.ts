/** Ranks suspects by the output of `git log` and the name of the failing test, without a build graph. */

import { type BindingContentRanking, rankCommits as rank } from "./binding.js";
import { BuildGraph, type BuildTargets } from "./build-graph.js";
import { type Changelists, changelistsFrom, rankedParts } from "./changelist.js";
import { invalid, native } from "./errors.js";
import type { CommitSuspect } from "./generated/reports.js";
import { checkedOptions, severalIds } from "./options.js";
import { Ranked } from "./ranked.js";
import { type BuildGraphsAt, graphsAt } from "./ranking.js";

/** The options of a ranking by content. */
export interface RankCommitsOptions {
  /**
   * The name of the failing test, in words or as its runner names it (`"tests/cart.test.js"`), or several tests that
   * started to fail together. With a `buildGraph`, its target. Default: unknown.
   */
  test?: string | Iterable<string>;
  /** The build graph of the test. The probabilities of both rankings are multiplied, each with its floor. */
  buildGraph?: BuildGraph | BuildTargets;
  /** The build graph before the first change, as in {@link rankSuspects}. */
  before?: BuildGraph;
  /** Build graphs right after some changes, as in {@link rankSuspects}. */
  graphs?: BuildGraphsAt;
}

/**
 * Changes with their probabilities, the most likely first, from {@link rankCommits}. Iteration yields `[change,
 * probability]` pairs, the newest first among equals. Searches take a ranking as `prior`, and report its reasons.
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

  /** The words of the failing tests that were searched for. Other endings also match. */
  get words(): readonly string[] {
    return (this.written as { words: string[] }).words;
  }

  /** A sentence about the ranked changes and the words. */
  override get message(): string {
    return native(() => this.binding.message());
  }

  /** Returns the weight of every change. The sum is 1. */
  prior(): Map<string, number> {
    return new Map(this);
  }

  /** @internal Returns the weights with their reasons, as searches take them. */
  asPrior(): unknown {
    return JSON.parse(native(() => this.binding.prior()));
  }
}

/**
 * Ranks changes by their files and messages and the name of the failing test, without a run.
 *
 * A commit that touches source files is more likely to break a test than one that touches only documentation. A commit
 * is even more likely if it touches the file that the test is named after, or its subject contains words of the test.
 * Half of the probability is spread evenly over all commits. Searches use this ranking with `prior: "changes"`.
 *
 * @param changes The changes since the test passed, oldest first, from {@link Repository.changes}.
 *
 * @example
 * ```ts
 * const ranking = rankCommits(await repo.changes("v1.0", "main"), { test: "tests/cart.test.js" });
 * for (const { change, message } of ranking.suspects.slice(0, 3)) console.log(change, message);
 * ```
 *
 * @throws {@link FirstbadError} `unknown_build_target` if a test is not in the build graph, and `invalid_argument` if a
 * change or an option is invalid.
 */
export function rankCommits(changes: Changelists, options?: RankCommitsOptions): CommitRanking {
  const given = checkedOptions<RankCommitsOptions>(options, ["test", "buildGraph", "before", "graphs"]);
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
