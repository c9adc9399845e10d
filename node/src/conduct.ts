/** A whole search in one call: what the functions for all algorithms have in common. */

import type { Kind } from "./configuration.js";
import { FirstbadError, invalid } from "./errors.js";
import { type CommitGraph, type GraphSource, graphFrom } from "./graph.js";
import { checkedOptions } from "./options.js";
import type { Oracle } from "./oracle.js";
import { RUN_OPTIONS, type RunOptions, run } from "./run.js";
import type { Search } from "./search.js";

/** What every function that runs a search takes beside the options of its search. */
export interface ConductOptions extends RunOptions {
  /** Not available in this version. */
  journal?: never;
}

/** Where a history comes from. */
export type HistorySource = CommitGraph | GraphSource | PromiseLike<CommitGraph>;

/** @internal Makes a search and drives it to its end. */
export async function conducted<Options extends object, Report>(
  Search: new (graph: CommitGraph, options: Options) => Search<Report>,
  kind: Kind<Options>,
  graph: HistorySource,
  oracle: Oracle,
  options: Options & ConductOptions,
): Promise<Report> {
  const known = Object.keys(kind.fields);
  checkedOptions(options, [...known, ...RUN_OPTIONS, "journal"]);
  const given: Partial<Options & ConductOptions> = options ?? {};
  if (given.journal !== undefined && given.journal !== null) {
    throw new FirstbadError("invalid_argument", "journals are not available in this version; use snapshot()");
  }
  if (typeof oracle !== "function") throw invalid("oracle", oracle, "a function");
  const search = new Search(graphFrom(await graph), picked(given, known) as Options);
  return run(search, oracle, picked(given, RUN_OPTIONS) as RunOptions);
}

function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
