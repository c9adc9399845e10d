/** Ranks suspects without running a test: Culprit Finder (Ziftci and Reardon 2017). */

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

/** The heuristic of a ranking: all three of the paper (Definition 11), or one of them. */
export type Heuristic = "suspiciousness" | "size" | "distance" | "changelog";

/** The options of a ranking. */
export interface RankOptions {
  /** The changes since the test passed, oldest first. */
  changes: Changelists;
  /**
   * The build target of one or several tests, or the id of a test whose file is in a target. Tests in one target count
   * once.
   */
  test: string | Iterable<string>;
  /** The heuristic. Default: `suspiciousness`. */
  by?: Heuristic;
  /** The build graph before the first change, used for deleted files and lost dependencies. */
  before?: BuildGraph;
  /**
   * Build graphs right after some changes, by id. A change is also looked up in its graph and that of the previous
   * change.
   */
  graphs?: BuildGraphsAt;
}

/** Build graphs by change or revision. */
export type BuildGraphsAt = ReadonlyMap<string, BuildGraph> | Readonly<Record<string, BuildGraph>>;

/** The options of a prior from a ranking. */
export interface PriorOptions {
  /** The source of the weights: the summed score (Culprit Finder), or the minimum distance (FACF, Section 3.3). */
  by?: "suspiciousness" | "distance";
  /** The exponent of the scores, 0 or more. 0 gives uniform weights. Default: 1. */
  sharpness?: number;
  /** The share of the weight, in [0, 1], that is spread evenly over all suspects. Default: 0.1. */
  floor?: number;
  /** The share of the weight, in [0, 1), of all `unlikely` changes together. Default: 0.02. */
  unlikely?: number;
  /** Whether `excluded` changes have the weight 0. If false, they count as unlikely. Default: true. */
  exclude?: boolean;
  /** A factor by the id of a change, above 1 for more suspicious. See `factors.weigh`. */
  factors?: NumbersById;
}

/** A weight for every revision, or none, and why. */
export interface HistoryPrior {
  /** The weights, or `null` if no revision affects the test. */
  weights: Map<string, number> | null;
  /** A warning if there are no weights. */
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
 * Changelists with their scores, the most suspicious first, from {@link rankSuspects}. Iteration yields `[change,
 * score]` pairs. Among equal scores, the change with more files is first, then the newer one.
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

  /** The build targets of the failing tests, without duplicates. */
  get tests(): readonly string[] {
    return this.written.tests;
  }

  /**
   * The changes that cannot have broken the tests, in the given order. They touch no dependency of the tests, in
   * complete build graphs that contain all their files.
   */
  get excluded(): readonly string[] {
    return this.written.excluded;
  }

  /**
   * The other changes without a known effect on the tests, in the given order. The graph is not complete (imports never
   * are), or no graph contains all their files.
   */
  get unlikely(): readonly string[] {
    return this.written.unlikely;
  }

  /** Whether the build graphs contain all inputs of their targets, so that they can exclude changes. */
  get complete(): boolean {
    return this.written.complete;
  }

  /** Files of the changes that are in no target and do not count, in the order found. */
  get unplaced(): readonly string[] {
    return this.written.unplaced;
  }

  /** The groups of targets in a dependency cycle. Each group counts as one target. */
  get cycles(): readonly (readonly string[])[] {
    return this.written.cycles;
  }

  /** A summary in one or two sentences. */
  override get message(): string {
    return this.written.message;
  }

  /**
   * Returns a weight for every change, with the sum 1, or an empty Map without suspects. Pass the weights to {@link
   * CulpritSearch} as `prior`. If the history has revisions without a change, such as merges, use `buildGraph` of
   * {@link findCulprit} or {@link Ranking.priorIn}.
   *
   * @throws {@link FirstbadError} `invalid_argument` if an option is out of range.
   */
  prior(options?: PriorOptions): Map<string, number> {
    const how = priorJson(options);
    return new Map(Object.entries(JSON.parse(native(() => this.binding.prior(how)))));
  }

  /**
   * Returns a weight for every revision between `good` (by default the roots) and `bad`, including `bad`. If the build
   * graph is complete, revisions without a change are excluded. A merge is excluded only if the changes of all parents
   * but one have no effect. The default of `by` is `distance`.
   *
   * @throws {@link FirstbadError} `unknown_revision` if a change is not in the graph, `invalid_argument`.
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
 * Ranks changes by how suspicious they are of breaking one or several tests, without running a test.
 *
 * A change that touches no direct or indirect dependency of the test is not a suspect (Culprit Finder, Definition 9).
 * It is `excluded` if the build graph is complete, and `unlikely` otherwise. Other changes are more suspicious if they
 * touch more targets and closer targets (Definition 11). Files and tests are looked up under all names that the changes
 * gave them.
 *
 * For several tests, the score is the mean of the scores for each test. Most tests that start to fail in one range have
 * the same culprit (FACF, "Evaluation Dataset"), so a change that explains more tests is more suspicious.
 *
 * @example
 * ```ts
 * const ranking = rankSuspects(graph, { changes: { c1: ["lib.js"], c2: ["readme"] }, test: "//app:test" });
 * for (const [change, score] of ranking) console.log(change, score);
 * ```
 *
 * @throws {@link FirstbadError} `unknown_build_target`, whose message suggests similar names, and `invalid_argument`.
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

/** @internal Returns the names of one test or several. */
export function testsFrom(test: unknown): string[] {
  const expected = "the build target of the test, or of several";
  const listed = typeof test === "string" ? [test] : isIterable(test) ? [...test] : [];
  if (listed.length === 0) throw invalid("test", test, expected);
  for (const one of listed) if (typeof one !== "string") throw invalid("test", one, expected);
  return listed as string[];
}

/** @internal Returns the names of changes or revisions, and their build graphs in the same order. */
export function graphsAt(graphs: BuildGraphsAt | undefined): [string[], BindingBuildGraph[]] {
  if (graphs === undefined) return [[], []];
  if (!(graphs instanceof Map || isRecord(graphs))) throw invalid("graphs", graphs, "a Map of BuildGraphs by change");
  const pairs: [string, BuildGraph][] = graphs instanceof Map ? [...graphs] : Object.entries(graphs);
  const bound = pairs.map(([name, graph]) => BuildGraph.bindingOf(`graphs[${JSON.stringify(name)}]`, graph));
  return [pairs.map(([name]) => text("graphs", name)), bound];
}

/**
 * Returns the sharpness, in [0, 8], that makes known culprits most likely, from past rankings with their culprits. `by`
 * and `floor` are those of {@link PriorOptions}.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an option is out of range.
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
