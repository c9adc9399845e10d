/** A whole search in one call: what the functions for all algorithms have in common. */

import type { Kind } from "./configuration.js";
import { invalid } from "./errors.js";
import { type CommitGraph, type GraphSource, graphFrom } from "./graph.js";
import { checkedOptions, namesOf } from "./options.js";
import type { Callback } from "./oracle.js";
import { warnOfStore } from "./outcome-store.js";
import type { AnyProbe, Probe } from "./probe.js";
import { RUN_OPTIONS, type RunOptions, run, runSettings } from "./run.js";
import { Search } from "./search.js";
import { type KnownOptions, prepare, Session } from "./session.js";

/** What every function that runs a search takes beside the options of its search. */
export interface DriveOptions<P extends AnyProbe = Probe> extends RunOptions<P>, KeepOptions<P> {}

/** What a run keeps and what it knows before it begins. */
export interface KeepOptions<P extends AnyProbe = Probe> extends KnownOptions<P> {
  /**
   * A file that the run is kept in: see {@link Session}. Where it exists already, the same call goes on with it, whatever
   * ended the run before; an answer that is there is there for good. It belongs to one test: another command is refused, and
   * so is a function where a command was. By default none.
   */
  journal?: string | URL;
}

const KEPT = namesOf<KeepOptions>({ journal: true, known: true, store: true });

/** Where a history comes from. */
export type HistorySource = CommitGraph | GraphSource | PromiseLike<CommitGraph>;

/** @internal A history, where it is time to look at it. */
export function historyFrom(history: HistorySource): () => Promise<CommitGraph> {
  return async () => graphFrom(await history);
}

/** @internal Makes a search in a world and drives it to its end; `callback` is what messages call the oracle. */
export async function driven<Options extends object, World, Report, P extends AnyProbe, Subject>(
  Made: new (world: World, options: Options) => Search<Report, P, Subject>,
  kind: Kind<Options>,
  world: () => World | PromiseLike<World>,
  oracle: Callback<Subject, P>,
  options: (Options & DriveOptions<P>) | undefined,
  callback = "oracle",
): Promise<Report> {
  return (await drivenToEnd(Made, kind, world, oracle, options, callback)).report();
}

/** @internal The same, for the search at its end. */
export async function drivenToEnd<Options extends object, World, Report, P extends AnyProbe, Subject>(
  Made: new (world: World, options: Options) => Search<Report, P, Subject>,
  kind: Kind<Options>,
  world: () => World | PromiseLike<World>,
  oracle: Callback<Subject, P>,
  options: (Options & DriveOptions<P>) | undefined,
  callback = "oracle",
): Promise<Search<Report, P, Subject>> {
  const known = Object.keys(kind.fields);
  const given = checkedOptions<Options & DriveOptions<P>>(options, [...known, ...RUN_OPTIONS, ...KEPT]);
  const settings = picked(given, RUN_OPTIONS) as RunOptions<P>;
  runSettings(settings);
  if (typeof oracle !== "function") throw invalid(callback, oracle, "a function");
  const search = new Made(await world(), picked(options ?? {}, known) as Options);
  const kept = picked(given, KEPT) as KeepOptions<P>;
  if (kept.journal === undefined) {
    prepare(search, kept.known, kept.store);
    try {
      await run(search, oracle, settings);
      return search;
    } finally {
      warnOfStore(Search.bindingOf(search));
    }
  }
  const { journal, ...more } = kept;
  const session = Session.answeredBy(oracle, journal, search, more);
  try {
    await run(session, oracle, settings);
    return session;
  } finally {
    session.close();
  }
}

function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
