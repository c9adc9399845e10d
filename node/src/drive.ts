/** The shared code of all functions that create and run a search. */

import { commandOf } from "./command-oracle.js";
import { type Kind, openedInTime } from "./configuration.js";
import { invalid, native } from "./errors.js";
import { CommitGraph, type GraphSource, graphFrom } from "./graph.js";
import { checkedOptions, namesOf } from "./options.js";
import type { Callback } from "./oracle.js";
import { warnOfStore } from "./outcome-store.js";
import type { AnyProbe, Probe } from "./probe.js";
import { RUN_OPTIONS, type RunOptions, run, runSettings } from "./run.js";
import { Search } from "./search.js";
import { type KnownOptions, prepare, Session } from "./session.js";

/** The options of all functions that run a search, besides those of the search. */
export interface DriveOptions<P extends AnyProbe = Probe> extends RunOptions<P>, KeepOptions<P> {}

/** How to keep a run, and the outcomes that it has before it starts. */
export interface KeepOptions<P extends AnyProbe = Probe> extends KnownOptions<P> {
  /**
   * The file that keeps the run. After a crash, the same call resumes the run. See {@link Session}. A journal belongs to
   * one test. You cannot resume it with another command, or with a function instead of a command. Default: no journal.
   */
  journal?: string | URL;
}

const KEPT = namesOf<KeepOptions>({ journal: true, known: true, store: true });

/** @internal */
export const DRIVE_OPTIONS: readonly string[] = [...RUN_OPTIONS, ...KEPT];

/** The source of a history. */
export type HistorySource = CommitGraph | GraphSource | PromiseLike<CommitGraph>;

/** @internal Returns a function that reads the history on demand. */
export function historyFrom(history: HistorySource): () => Promise<CommitGraph> {
  return async () => graphFrom(await history);
}

/** @internal The names of a function and its oracle in messages. Default for the oracle: `oracle`. */
export interface Called {
  of: string;
  callback?: string;
  /** The options of the function itself, besides those of the search and the run. */
  own?: readonly string[];
  /** The options of the search and of its run that the function does not take. */
  but?: readonly string[];
}

/** @internal Creates a search and runs it to its end. */
export async function driven<Options extends object, World, Report, P extends AnyProbe, Subject>(
  Made: new (world: World, options: Options) => Search<Report, P, Subject>,
  kind: Kind<Options>,
  world: () => World | PromiseLike<World>,
  oracle: Callback<Subject, P>,
  options: (Options & DriveOptions<P>) | undefined,
  called: Called,
): Promise<Report> {
  return (await drivenToEnd(Made, kind, world, oracle, options, called)).report();
}

/** @internal Returns the finished search. */
export async function drivenToEnd<Options extends object, World, Report, P extends AnyProbe, Subject>(
  Made: new (world: World, options: Options) => Search<Report, P, Subject>,
  kind: Kind<Options>,
  world: () => World | PromiseLike<World>,
  oracle: Callback<Subject, P>,
  options: (Options & DriveOptions<P>) | undefined,
  { of, callback = "oracle", own = [], but = [] }: Called,
): Promise<Search<Report, P, Subject>> {
  const known = Object.keys(kind.fields).filter((name) => !but.includes(name));
  const running = DRIVE_OPTIONS.filter((name) => !but.includes(name));
  const given = checkedOptions<Options & DriveOptions<P>>(options, [...own, ...known, ...running], of);
  runSettings(picked(given, RUN_OPTIONS));
  if (typeof oracle !== "function") throw invalid(callback, oracle, "a function");
  const at = await world();
  const wanted = told(kind, oracle, picked(options ?? {}, known) as Options);
  const byPrior = at instanceof CommitGraph && known.includes("prior");
  const search = new Made(at, byPrior ? await openedInTime(kind, at, wanted) : wanted);
  return toEnd(search, oracle, given as DriveOptions<P>);
}

/** Adds the names of the tests in the command, its kept builds, or its metrics to the options, unless the caller gives them. */
function told<Options extends object>({ fields }: Kind<Options>, oracle: object, options: Options): Options {
  const command = commandOf(oracle);
  const isMissing = (name: string) => name in fields && (options as Record<string, unknown>)[name] == null;
  if (command === undefined) return options;
  if ("metrics" in fields) {
    const { unit, metrics } = JSON.parse(native(() => command.searchOptions()));
    const implied = metrics === undefined ? { unit } : { metrics };
    return { ...options, ...(Object.keys(implied).every(isMissing) ? implied : {}) };
  }
  const keepBuilds = isMissing("keepBuilds") ? native(() => command.keepBuilds()) : null;
  if (keepBuilds !== null) return { ...options, keepBuilds: JSON.parse(keepBuilds) };
  const test = isMissing("test") ? native(() => command.tests()) : [];
  return test.length > 0 ? { ...options, test } : options;
}

/** @internal Runs a search to its end, kept as its options say. */
export async function toEnd<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  oracle: Callback<Subject, P>,
  options: DriveOptions<P>,
): Promise<Search<Report, P, Subject>> {
  const settings: RunOptions<P> = picked(options, RUN_OPTIONS);
  const { journal, ...kept }: KeepOptions<P> = picked(options, KEPT);
  if (journal === undefined) {
    prepare(search, kept.known, kept.store);
    try {
      await run(search, oracle, settings);
      return search;
    } catch (error) {
      throw withSearch(error, search);
    } finally {
      warnOfStore(Search.bindingOf(search));
    }
  }
  const session = Session.answeredBy(oracle, journal, search, kept);
  try {
    await run(session, oracle, settings);
    return session;
  } catch (error) {
    throw withSearch(error, session);
  } finally {
    session.close();
  }
}

/** Attaches the search to an error, so that `run(error.search, oracle)` continues. */
function withSearch(error: unknown, search: object): unknown {
  if (error instanceof Error && !("search" in error) && Object.isExtensible(error)) {
    Object.defineProperty(error, "search", { value: search, configurable: true, writable: true });
  }
  return error;
}

/** @internal Returns some options by name. */
export function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}
