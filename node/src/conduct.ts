/** A whole search in one call: what the functions for all algorithms have in common. */

import type { Kind } from "./configuration.js";
import { FirstbadError, invalid } from "./errors.js";
import { type CommitGraph, type GraphSource, graphFrom } from "./graph.js";
import { checkedOptions } from "./options.js";
import type { Callback } from "./oracle.js";
import type { AnyProbe, Probe } from "./probe.js";
import { RUN_OPTIONS, type RunOptions, run } from "./run.js";
import type { Search } from "./search.js";

/** What every function that runs a search takes beside the options of its search. */
export interface ConductOptions<P extends AnyProbe = Probe> extends RunOptions<P> {
  /** Not available in this version. */
  journal?: never;
}

/** Where a history comes from. */
export type HistorySource = CommitGraph | GraphSource | PromiseLike<CommitGraph>;

/** @internal A history, where it is time to look at it. */
export function historyFrom(history: HistorySource): () => Promise<CommitGraph> {
  return async () => graphFrom(await history);
}

/** @internal Makes a search in a world and drives it to its end; `callback` is what messages call the oracle. */
export async function conducted<Options extends object, World, Report, P extends AnyProbe, Subject>(
  Search: new (world: World, options: Options) => Search<Report, P, Subject>,
  kind: Kind<Options>,
  world: () => World | PromiseLike<World>,
  oracle: Callback<Subject, P>,
  options: (Options & ConductOptions<P>) | undefined,
  callback = "oracle",
): Promise<Report> {
  const known = Object.keys(kind.fields);
  checkedOptions(options, [...known, ...RUN_OPTIONS, "journal"]);
  const given: Partial<Options & ConductOptions<P>> = options ?? {};
  if (given.journal !== undefined && given.journal !== null) {
    throw new FirstbadError("invalid_argument", "journals are not available in this version; use snapshot()");
  }
  if (typeof oracle !== "function") throw invalid(callback, oracle, "a function");
  const search = new Search(await world(), picked(given, known) as Options);
  return run(search, oracle, picked(given, RUN_OPTIONS) as RunOptions<P>);
}

function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
