/** Suspects without running anything: Culprit Finder (Ziftci and Reardon 2017). */

import { type BindingBuildGraph, type BindingRanking, fitSharpness as fit } from "./binding.js";
import { BuildGraph, type BuildTargets } from "./build-graph.js";
import { type Changelists, changelistsFrom, rankedParts } from "./changelist.js";
import { invalid, native } from "./errors.js";
import type { NumbersById } from "./fields.js";
import { aNumber, asItIs, type Fields, fieldsJson, numbersById } from "./fields.js";
import type { Suspect } from "./generated/reports.js";
import { CommitGraph } from "./graph.js";
import { checkedOptions, isIterable, isRecord, severalIds, text } from "./options.js";
import { Ranked } from "./ranked.js";

/** What suspects are ranked by: all three heuristics of the paper (Definition 11), or one of them alone. */
export type Heuristic = "suspiciousness" | "size" | "distance" | "changelog";

/** What to rank, and how. */
export interface RankOptions {
  /** The changes since the test passed, oldest first. */
  changes: Changelists;
  /**
   * The build target of the test, or of several; the id of a test will do whose file is in a target. Tests in one target
   * count once.
   */
  test: string | Iterable<string>;
  /** What to rank by; by default `suspiciousness`. */
  by?: Heuristic;
  /** The build graph before the first change, where deleted files and lost dependencies are looked up. */
  before?: BuildGraph;
  /**
   * Build graphs right after some changes, by their ids: a change is looked up in its own and in that of the change
   * before it, too.
   */
  graphs?: BuildGraphsAt;
}

/** Build graphs by the changes, or revisions, that they are of. */
export type BuildGraphsAt = ReadonlyMap<string, BuildGraph> | Readonly<Record<string, BuildGraph>>;

/** How a ranking becomes a prior. */
export interface PriorOptions {
  /** What weights come from: the summed score (Culprit Finder), or the minimum distance (FACF, Section 3.3). */
  by?: "suspiciousness" | "distance";
  /** How much scores count: weights are their power with this exponent, 0 or above; by default 1. 0 is uniform. */
  sharpness?: number;
  /** The part of the weight, in [0, 1], that is spread evenly, so that no suspect is impossible; by default 0.1. */
  floor?: number;
  /** The part of the weight, in [0, 1), that the `unlikely` changes have together; by default 0.02. */
  unlikely?: number;
  /** Whether `excluded` changes weigh nothing, as by default, or count among the unlikely ones. */
  exclude?: boolean;
  /** What else speaks for (above 1) or against a change, by its id; see `factors.weigh`. */
  factors?: NumbersById;
}

/** A weight for every revision, or none, and why. */
export interface HistoryPrior {
  /** The weights; `null` if nothing is known to affect the test. */
  weights: Map<string, number> | null;
  /** What is to be said then; else null. */
  warning: string | null;
}

interface Written {
  tests: string[];
  excluded: string[];
  unlikely: string[];
  unplaced: string[];
  cycles: string[][];
  complete: boolean;
  message: string;
}

const PRIOR: Fields<PriorOptions> = {
  by: asItIs,
  sharpness: aNumber("a finite number, 0 or above"),
  floor: aNumber("a part of the whole, in [0, 1]"),
  unlikely: aNumber("a part of the whole, in [0, 1)"),
  exclude: asItIs,
  factors: numbersById("a finite number, 0 or above"),
};

/** @internal */
export function priorJson(options: PriorOptions | undefined): string {
  return fieldsJson(checkedOptions(options, Object.keys(PRIOR)), PRIOR);
}

/**
 * Changelists with their scores, the most suspicious first; made by {@link rankSuspects}. Iterating over it gives `[change,
 * score]` pairs. Ties go to the change with more files, then to the newer one.
 */
export class Ranking extends Ranked<Suspect, BindingRanking> {
  /** @internal */
  static adopt(binding: BindingRanking): Ranking {
    return new Ranking(binding);
  }

  /** @internal */
  protected override numberOf({ score }: Suspect): number {
    return score;
  }

  /** @internal */
  protected override get written(): Written {
    return super.written as Written;
  }

  /** The build targets of the tests that fail, each once. */
  get tests(): readonly string[] {
    return this.written.tests;
  }

  /**
   * The changes that cannot have broken them, in the order given: by build graphs that know all inputs, and have seen all
   * of the change's files, it touches nothing the tests depend on.
   */
  get excluded(): readonly string[] {
    return this.written.excluded;
  }

  /**
   * The other changes of which nothing says that they matter, in the order given: the graph does not know all inputs
   * (imports never do), or none has seen all their files.
   */
  get unlikely(): readonly string[] {
    return this.written.unlikely;
  }

  /** Whether the build graphs know all inputs of their targets, and may exclude a change. */
  get complete(): boolean {
    return this.written.complete;
  }

  /** Files of the changes that are in no target, and count for nothing, in the order met. */
  get unplaced(): readonly string[] {
    return this.written.unplaced;
  }

  /** Groups of targets that depend on one another in a circle, and count as one target each. */
  get cycles(): readonly (readonly string[])[] {
    return this.written.cycles;
  }

  /** The same in a sentence or two, for people. */
  override get message(): string {
    return this.written.message;
  }

  /**
   * A weight for every change, summing to 1; empty if there is no suspect. {@link CulpritSearch} takes it as `prior`;
   * where its history has revisions without a change, like merges, use `buildGraph` of {@link findCulprit} or
   * {@link Ranking.priorIn}.
   *
   * @throws {@link FirstbadError} `invalid_argument`.
   */
  prior(options?: PriorOptions): Map<string, number> {
    const how = priorJson(options);
    return new Map(Object.entries(JSON.parse(native(() => this.binding.prior(how)))));
  }

  /**
   * A weight for every revision between `good` (by default the roots) and `bad`, `bad` included. Those without a change
   * are excluded, as far as the build graph may exclude; a merge only if what came with all but one parent cannot matter.
   * By default `by` is `distance`.
   *
   * @throws {@link FirstbadError} `unknown_revision` for changes that the graph does not know, `invalid_argument`.
   */
  priorIn(
    graph: CommitGraph,
    ends: { bad: string | Iterable<string>; good?: string | Iterable<string> },
    options?: PriorOptions,
  ): HistoryPrior {
    if (!(graph instanceof CommitGraph)) throw invalid("graph", graph, "a CommitGraph");
    const { bad = [], good = [] } = checkedOptions(ends, ["bad", "good"]);
    const [to, from] = [severalIds("bad", bad), severalIds("good", good)];
    const how = priorJson({ by: "distance", ...options });
    const found = JSON.parse(native(() => this.binding.priorIn(CommitGraph.bindingOf(graph), to, from, how)));
    return { ...found, weights: found.weights && new Map(Object.entries(found.weights)) };
  }
}

/**
 * Ranks changes by how suspicious they are of having broken a test, or several at once, without running any.
 *
 * A change that touches nothing the test depends on, directly or not, is no suspect (Culprit Finder, Definition 9); it is
 * `excluded` if the build graph knows all inputs, and else `unlikely`. Of the others those that touch more targets, and
 * closer ones, are more suspicious (Definition 11). Files, and the tests, are looked up under all the names that the
 * changes gave them.
 *
 * Of several tests the score is the mean of the scores for each: most tests that begin to fail in one range were broken
 * by one version (FACF, "Evaluation Dataset"), so a change is the more suspicious the more of them it explains.
 *
 * @example
 * ```ts
 * const ranking = rankSuspects(graph, { changes: { c1: ["lib.js"], c2: ["readme"] }, test: "//app:test" });
 * for (const [change, score] of ranking) console.log(change, score);
 * ```
 *
 * @throws {@link FirstbadError} `unknown_build_target` with the nearest names, `invalid_argument`.
 */
export function rankSuspects(graph: BuildGraph | BuildTargets, options: RankOptions): Ranking {
  const within = BuildGraph.bindingOf("graph", graph);
  const given = checkedOptions(options, ["changes", "test", "by", "before", "graphs"], "rankSuspects");
  if (given.changes === undefined) throw invalid("changes", undefined, "the changes, oldest first");
  const tests = testsFrom(given.test);
  const before = given.before === undefined ? undefined : BuildGraph.bindingOf("before", given.before);
  const changes = JSON.stringify(rankedParts(changelistsFrom(given.changes)));
  const by = text("by", given.by ?? "suspiciousness");
  const [names, graphs] = graphsAt(given.graphs);
  return Ranking.adopt(native(() => within.rank(changes, tests, by, before, names, graphs)));
}

/** @internal The names of one test or several. */
export function testsFrom(test: unknown): string[] {
  const expected = "the build target of the test, or of several";
  const listed = typeof test === "string" ? [test] : isIterable(test) ? [...test] : [];
  if (listed.length === 0) throw invalid("test", test, expected);
  for (const one of listed) if (typeof one !== "string") throw invalid("test", one, expected);
  return listed as string[];
}

/** @internal Names of changes or revisions, and parallel to them their build graphs. */
export function graphsAt(graphs: BuildGraphsAt | undefined): [string[], BindingBuildGraph[]] {
  if (graphs === undefined) return [[], []];
  if (!(graphs instanceof Map || isRecord(graphs))) throw invalid("graphs", graphs, "a Map of BuildGraphs by change");
  const pairs: [string, BuildGraph][] = graphs instanceof Map ? [...graphs] : Object.entries(graphs);
  const bound = pairs.map(([name, graph]) => BuildGraph.bindingOf(`graphs[${JSON.stringify(name)}]`, graph));
  return [pairs.map(([name]) => text("graphs", name)), bound];
}

/**
 * The sharpness, in [0, 8], under which known culprits were most likely: past rankings, each with the change that was to
 * blame. `by` and `floor` are as in {@link PriorOptions}.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
export function fitSharpness(
  cases: Iterable<readonly [ranking: Ranking, culprit: string]>,
  options?: Pick<PriorOptions, "by" | "floor">,
): number {
  const { by = "suspiciousness", floor = 0.1 } = checkedOptions(options, ["by", "floor"]);
  const expected = "[ranking, change] pairs";
  if (!isIterable(cases)) throw invalid("cases", cases, expected);
  const listed = Array.from(cases as Iterable<unknown>, (one) => {
    if (!Array.isArray(one) || !(one[0] instanceof Ranking)) throw invalid("cases", one, expected);
    return [one[0].toJson(), text("cases", one[1])] as const;
  });
  const part = aNumber("a part of the whole, in [0, 1]")("floor", floor) as number;
  const rankings = listed.map(([ranking]) => ranking);
  return native(() =>
    fit(
      rankings,
      listed.map(([, culprit]) => culprit),
      text("by", by),
      part,
    ),
  );
}
