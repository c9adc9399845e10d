/** The culprit, or "it was a flake", in one call. */

import type { BuildGraph, BuildTargets } from "./build-graph.js";
import { type Changelist, type Changelists, changelistsFrom } from "./changelist.js";
import { type DriveOptions, driven, type HistorySource, historyFrom } from "./drive.js";
import { CULPRIT, type CulpritOptions, type CulpritReport, CulpritSearch } from "./culprit-search.js";
import { invalid } from "./errors.js";
import { type Factor, weigh } from "./factors.js";
import { CommitGraph } from "./graph.js";
import { parted, severalIds, text } from "./options.js";
import type { Oracle } from "./oracle.js";
import { type PriorOptions, type Ranking, rankSuspects } from "./ranking.js";
import { Repository } from "./repository.js";

/** What is known of the suspects before a test runs. */
export interface SuspicionOptions {
  /**
   * What the test depends on, at `bad`: the prior is then made of it (FACF, Section 3.3), and the ranking is in the
   * report. Where nothing between `good` and `bad` affects the test, a process warning says so, and all revisions are
   * taken for equally likely: a flake will be found out, and what the build graph lacks, too.
   */
  buildGraph?: BuildGraph | BuildTargets;
  /** The target of the test in the build graph, or a test's id whose file is in one. */
  test?: string;
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
   * Whether revisions that do not affect the test weigh nothing: they share the outcome of those before them (FACF,
   * Section 1). By default they do; else a tenth of the whole is spread evenly over all.
   */
  excludeUnaffected?: boolean;
}

/** What to look for and how to run it. `signal` is the AbortSignal, `signature` the failure searched for. */
export interface FindCulpritOptions extends CulpritOptions, SuspicionOptions, DriveOptions {}

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
 * @throws {@link FirstbadError}, as {@link CulpritSearch} and {@link run} do, and as {@link rankSuspects} does with a
 * `buildGraph`; what the oracle or a factor throws, unchanged.
 */
export async function findCulprit(
  graph: HistorySource,
  oracle: Oracle,
  options: FindCulpritOptions,
): Promise<CulpritReport> {
  const [known, rest] = parted(options, "buildGraph", "test", "changes", "factors", "priorBy", "excludeUnaffected") as [
    SuspicionOptions,
    CulpritOptions & DriveOptions,
  ];
  const { buildGraph, ...others } = known;
  if (buildGraph === undefined) {
    for (const [name, value] of Object.entries(others)) throw invalid(name, value, "nothing without a buildGraph");
    return driven(CulpritSearch, CULPRIT, historyFrom(graph), oracle, rest);
  }
  const history = await historyFrom(graph)();
  const [prior, ranking] = await expected(history, rest, buildGraph, others);
  const searching = prior === undefined ? rest : { ...rest, prior };
  const report = await driven(CulpritSearch, CULPRIT, () => history, oracle, searching);
  return { ...report, ranking };
}

/** The prior that a build graph gives, and the ranking that it comes from. */
async function expected(
  history: CommitGraph,
  search: CulpritOptions,
  buildGraph: BuildGraph | BuildTargets,
  known: Omit<SuspicionOptions, "buildGraph">,
): Promise<[CulpritOptions["prior"], Ranking]> {
  const { test, factors = [], priorBy = "suspiciousness", excludeUnaffected = true } = known;
  if (test === undefined) throw invalid("test", test, "the build target of the test, with a buildGraph");
  if (search.prior !== undefined && search.prior !== null) {
    throw invalid("prior", search.prior, "either a prior or a buildGraph, which makes one (see factors)");
  }
  const ends = { bad: severalIds("bad", search.bad), good: severalIds("good", search.good ?? []) };
  const changes = known.changes === undefined ? await fromGit(history, ends) : changelistsFrom(known.changes);
  const ranking = rankSuspects(buildGraph, { changes, test: text("test", test) });
  const { weights, warning } = ranking.priorIn(history, ends, {
    by: priorBy,
    exclude: excludeUnaffected,
    factors: weigh(changes, factors),
  });
  if (warning !== null) process.emitWarning(`buildGraph: ${warning}`, "FirstbadWarning");
  return [weights ?? undefined, ranking];
}

/** What the revisions of a graph changed, from the repository that it was read from. */
async function fromGit(history: CommitGraph, ends: { bad: string[]; good: string[] }): Promise<Changelist[]> {
  const { repository, firstParent } = CommitGraph.bindingOf(history);
  if (repository === null) {
    throw invalid("changes", undefined, "changes, because the graph was not read from a repository");
  }
  // What an end means is for the graph to say: it was read before.
  const named = (names: string[]) => names.map((name) => history.resolve(name));
  const good = ends.good.length > 0 ? named(ends.good) : history.roots;
  const merges = firstParent ? "first-parent" : "own";
  const found = await new Repository(repository).changes(good, named(ends.bad), { merges });
  return found.filter((change) => history.has(change.id));
}
