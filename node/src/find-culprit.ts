/** Finds the culprit of a flaky failure. */

import { type BindingGraph, changesBetween } from "./binding.js";
import { BuildGraph, type BuildTargets } from "./build-graph.js";
import { type Changelist, type Changelists, changelistsFrom, rankedParts } from "./changelist.js";
import { CommitRanking } from "./content.js";
import { type CulpritReport, CulpritSearch } from "./culprit-search.js";
import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { invalid, native, nativePromise } from "./errors.js";
import { type Factor, weigh } from "./factors.js";
import { CULPRIT, type CulpritOptions } from "./generated/options.js";
import { CommitGraph } from "./graph.js";
import { parted, severalIds } from "./options.js";
import type { Oracle } from "./oracle.js";
import { type BuildGraphsAt, graphsAt, type PriorOptions, priorJson, Ranking, testsFrom } from "./ranking.js";

/** Information about the suspects before a test runs. */
export interface SuspicionOptions {
  /**
   * The build graph at `bad`, which determines the prior (FACF, Section 3.3). The report contains the ranking. If the
   * changes come from Git, or with `prior: "changes"`, the prior is multiplied by that of `rankCommits`. With
   * `prior: "uniform"`, only the build graph counts. `test` must be a target, the id of a test whose file is in a
   * target, or several of them (see `rankSuspects`). If nothing between `good` and `bad` affects the test, you
   * get a process warning and a uniform prior.
   */
  buildGraph?: BuildGraph | BuildTargets;
  /**
   * The changes of the revisions, oldest first. A revision without a change does not affect the test. Default: read
   * from the repository of the graph.
   */
  changes?: Changelists;
  /** Functions that return a factor for a changelist: above 1 for more suspicious, below 1 for less. */
  factors?: Iterable<Factor>;
  /** The source of the weights: the sum `suspiciousness` (the default) or the minimum `distance`. */
  priorBy?: PriorOptions["by"];
  /**
   * Whether revisions that cannot affect the test have the weight 0 (FACF, Section 1). Only a complete build graph
   * excludes revisions ({@link BuildGraph.complete}). With other graphs, such as imports, or if false, these revisions
   * share 2% of the weight. Default: true.
   */
  excludeUnaffected?: boolean;
  /**
   * The build graph at the good revision, used for deleted files and lost dependencies. Default: read from the
   * repository if `buildGraph` came from a revision, or from the top of the worktree.
   */
  before?: BuildGraph;
  /**
   * Build graphs at other revisions, by id or name. A change is also looked up in the graphs of its revision and its
   * parents.
   */
  graphs?: BuildGraphsAt;
}

const SUSPICION = ["buildGraph", "changes", "factors", "priorBy", "excludeUnaffected", "before", "graphs"] as const;

/**
 * What to search for, and how to run the search. `signal` is an AbortSignal, and `signature` is the failure to search
 * for.
 */
export interface FindCulpritOptions extends CulpritOptions, SuspicionOptions, DriveOptions {}

const CALLED = { of: "findCulprit", own: SUSPICION };

/**
 * Finds the culprit of a flaky failure with its probability, or concludes that it is a flake (FACF), on a list or any
 * commit graph.
 *
 * Runs a {@link CulpritSearch}. Errors and signals are handled as by {@link run}. The oracle must run the test at every
 * call, because the search can test a revision several times. With a `concurrency` above 1, it can test a revision in
 * parallel.
 *
 * @example
 * ```ts
 * const report = await findCulprit(graph, (revision) => testPasses(revision), { bad: "main", good: "v1.0" });
 * console.log(report.message);
 * if (report.conclusion === "inconclusive") console.log(report.credibleSet);
 * ```
 *
 * @throws {@link FirstbadError}, as {@link CulpritSearch} and {@link run} do, and as `rankSuspects` does with a
 * `buildGraph`; what the oracle or a factor throws, unchanged.
 */
export async function findCulprit(
  graph: HistorySource,
  oracle: Oracle,
  options: FindCulpritOptions,
): Promise<CulpritReport> {
  const [known, rest] = parted(options, ...SUSPICION) as [SuspicionOptions, CulpritOptions & DriveOptions];
  const { buildGraph, ...others } = known;
  if (buildGraph === undefined) {
    for (const [name, value] of Object.entries(others)) throw invalid(name, value, "nothing without a buildGraph");
    return driven(CulpritSearch, CULPRIT, historyFrom(graph), oracle, rest, CALLED);
  }
  const history = await historyFrom(graph)();
  const [prior, ranking] = await expected(history, rest, buildGraph, others);
  // The test is a target of the build graph, not a name for the search.
  const { test: _, prior: __, ...searched } = rest;
  const searching = prior === undefined ? searched : { ...searched, prior };
  const report = await driven(CulpritSearch, CULPRIT, () => history, oracle, searching, CALLED);
  return Object.assign(report, { ranking });
}

/** Returns the prior from a build graph, and the ranking. */
async function expected(
  history: CommitGraph,
  search: CulpritOptions,
  buildGraph: BuildGraph | BuildTargets,
  known: Omit<SuspicionOptions, "buildGraph">,
): Promise<[CulpritOptions["prior"], Ranking]> {
  const { factors = [], priorBy = "suspiciousness", excludeUnaffected = true } = known;
  const { test } = search;
  if (test === undefined) throw invalid("test", test, "the build target of the test, with a buildGraph");
  const asked = search.prior ?? null;
  const bad = severalIds("bad", search.bad);
  const good = severalIds("good", search.good ?? []);
  const tests = testsFrom(test);
  const build = BuildGraph.bindingOf("buildGraph", buildGraph);
  const before = known.before === undefined ? undefined : BuildGraph.bindingOf("before", known.before);
  const [names, graphs] = graphsAt(known.graphs);
  const within = CommitGraph.bindingOf(history);
  const changes = known.changes === undefined ? await fromGit(within, bad, good) : changelistsFrom(known.changes);
  const how = { by: priorBy, exclude: excludeUnaffected, factors: weigh(changes, factors) };
  const given = {
    changes: rankedParts(changes, true),
    tests,
    bad,
    good,
    options: JSON.parse(priorJson(how)),
    prior: asked === null || typeof asked === "string" ? asked : "weights",
    areRead: known.changes === undefined,
  };
  const suspected = await nativePromise(() => build.suspects(within, JSON.stringify(given), before, names, graphs));
  const { weights, warning } = JSON.parse(native(() => suspected.prior()));
  if (warning !== null) process.emitWarning(`buildGraph: ${warning}`, "FirstbadWarning");
  const both = native(() => suspected.content());
  const alone = weights === null ? undefined : new Map<string, number>(Object.entries(weights));
  const prior = both === null ? alone : CommitRanking.adopt(both);
  return [prior, Ranking.adopt(native(() => suspected.ranking()))];
}

/** Reads the changes of the revisions of a graph from its repository. */
async function fromGit(history: BindingGraph, bad: string[], good: string[]): Promise<Changelist[]> {
  const found = await nativePromise(() => changesBetween(history, bad, good));
  if (found === null) {
    throw invalid("changes", undefined, "changes, because the graph was not read from a repository");
  }
  return JSON.parse(found);
}
