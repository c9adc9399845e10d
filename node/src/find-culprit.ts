/** The culprit, or "it was a flake", in one call. */

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

/** What is known of the suspects before a test runs. */
export interface SuspicionOptions {
  /**
   * What `test` depends on, at `bad`: the prior is then made of it (FACF, Section 3.3), and the ranking is in the report.
   * Where the changes come from git, or with `prior: "changes"`, what they touch speaks as well: both probabilities are
   * multiplied. `prior: "uniform"`: the build graph alone.
   * `test` is then its target, or a test's id whose file is in one; several, where several tests began to fail at once (see
   * `rankSuspects`). Where nothing between `good` and `bad` affects the test, a process warning says so, and all revisions are
   * taken for equally likely: a flake will be found out, and what the build graph lacks, too.
   */
  buildGraph?: BuildGraph | BuildTargets;
  /**
   * What each revision changed, oldest first; one without a change does not affect the test. By default from the
   * repository that the graph was read from.
   */
  changes?: Changelists;
  /** Functions of a changelist that say how much more (above 1) or less suspicious it is. */
  factors?: Iterable<Factor>;
  /** What weights come from; by default the summed `suspiciousness`; or the minimum `distance`. */
  priorBy?: PriorOptions["by"];
  /**
   * Whether revisions that cannot affect the test weigh nothing, as by default: they share the outcome of those before
   * them (FACF, Section 1). Only a build graph that knows all inputs says so ({@link BuildGraph.complete}); of others, like
   * those of imports, the revisions that they do not call affecting share 2 % of the weight. False: it is so with every
   * graph.
   */
  excludeUnaffected?: boolean;
  /**
   * The build graph at the good revision, where deleted files and lost dependencies are looked up; by default made from
   * the repository, where `buildGraph` was: a revision of it, or the top folder of its work tree.
   */
  before?: BuildGraph;
  /**
   * Build graphs at revisions between, by any name of theirs: a change is looked up in that of its own revision and in
   * those of its parents, too.
   */
  graphs?: BuildGraphsAt;
}

const SUSPICION = ["buildGraph", "changes", "factors", "priorBy", "excludeUnaffected", "before", "graphs"] as const;

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindCulpritOptions extends CulpritOptions, SuspicionOptions, DriveOptions {}

const CALLED = { of: "findCulprit", own: SUSPICION };

/**
 * Finds out who broke a flaky test, how sure that is, or that nobody did (FACF), on a list or any commit graph.
 *
 * It makes a {@link CulpritSearch} and drives it with {@link run}, whose promises about errors and signals hold here.
 * The oracle runs the test anew at every call: one revision is asked again where that tells most. With a `concurrency`
 * above 1 it may be asked twice at the same time.
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
  // The test of a build graph is a target of it, and no name for the search.
  const { test: _, prior: __, ...searched } = rest;
  const searching = prior === undefined ? searched : { ...searched, prior };
  const report = await driven(CulpritSearch, CULPRIT, () => history, oracle, searching, CALLED);
  return Object.assign(report, { ranking });
}

/** The prior that a build graph gives, and the ranking that it comes from. */
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

/** What the revisions of a graph changed, from the repository that it was read from. */
async function fromGit(history: BindingGraph, bad: string[], good: string[]): Promise<Changelist[]> {
  const found = await nativePromise(() => changesBetween(history, bad, good));
  if (found === null) {
    throw invalid("changes", undefined, "changes, because the graph was not read from a repository");
  }
  return JSON.parse(found);
}
