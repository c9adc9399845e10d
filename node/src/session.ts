/** Searches that outlive their process: their events are in a file, and whoever opens it goes on. */

import { type BindingSearch, journalCard, journalRecords } from "./binding.js";
import { commandOf } from "./command-oracle.js";
import { converted, invalid, native } from "./errors.js";
import { json } from "./fields.js";
import type { Status } from "./generated/reports.js";
import { type KnownOutcomes, knownJson } from "./known.js";
import { checkedOptions, namesOf, pathOf } from "./options.js";
import { OutcomeStore, warnOfStore } from "./outcome-store.js";
import { type AnyProbe, type Probe, probesFrom } from "./probe.js";
import { probeId, Search, type SearchEvent } from "./search.js";

/** What a search knows before it begins. */
export interface KnownOptions<P extends AnyProbe = Probe> {
  /** What is known already. It is no query, and told once however often a journal is opened. By default nothing. */
  known?: KnownOutcomes<P>;
  /** Where outcomes are shared with other runs. By default nowhere. */
  store?: OutcomeStore;
}

/** How a journal is opened. */
export interface SessionOptions<P extends AnyProbe = Probe> extends KnownOptions<P> {
  /**
   * How long to wait for another process that writes to the journal, in seconds; by default not at all. Nothing else
   * happens in this process meanwhile.
   */
  wait?: number;
}

const SESSION_OPTIONS = namesOf<SessionOptions>({ known: true, store: true, wait: true });

/** One step of a run, as {@link Session.replay} shows it. */
export interface ReplayStep<Report> {
  /** What happened. */
  readonly event: SearchEvent;
  /** When, in seconds since 1970. */
  readonly at: number;
  /** Where the search stood then. */
  readonly status: Status;
  /** How many answers had come from the oracle by then. */
  readonly runs: number;
  /** The best answer of that moment; made when it is looked at. */
  readonly report: Report;
}

/**
 * A search with a journal: a file of JSON lines that holds what happened. Every event is on disk before the call that made
 * it returns, so that a run which was killed goes on where it was: in another process, on another machine, in another
 * language.
 *
 * It is a {@link Search}: {@link run} drives it, and so can you. One process writes to a journal at a time. Writing is
 * done within {@link Search.ask}, {@link Search.tell} and the like, on the thread that calls them, and takes as long as the
 * disk does.
 *
 * @example
 * ```ts
 * const session = Session.open("run.jsonl", new RegressionSearch(graph, { bad: "main", good: "v1.0" }));
 * const report = await run(session, oracle);
 * session.close();
 * ```
 */
export class Session<Report, P extends AnyProbe = Probe, Subject = string> extends Search<Report, P, Subject> {
  readonly #search: Search<Report, P, Subject>;
  /** Where the journal is: absolute, and without links. */
  readonly path: string;
  /** The run's id, the same each time it is resumed. */
  readonly id: string;
  /** Whether there was a journal already. */
  readonly resumed: boolean;
  /** A description of the journal's losses: a last line torn by a crash, or possible undetected losses in a journal of an older
   * version, which has no checksums. `null` if the journal is complete. */
  readonly recovered: string | null;

  private constructor(search: Search<Report, P, Subject>, path: string, wait: number, oracle: object | undefined) {
    const binding = Search.bindingOf(search);
    const command = oracle && commandOf(oracle);
    const isFunction = oracle !== undefined && command === undefined;
    const opening = native(() => binding.attach(path, wait, search.digest(), command, isFunction));
    super(binding);
    this.#search = search;
    this.path = opening.path;
    this.id = opening.id;
    this.resumed = opening.resumed;
    this.recovered = opening.recovered ?? null;
  }

  /** @internal */
  override get keptIn(): string {
    return this.path;
  }

  /**
   * Begins a journal, or goes on with the one that is there. `search` is to be at its start then; it has the journal from
   * here on, so that what is done to it is written as well. A {@link CommandOracle} that is then {@link run} is compared with
   * the one that the journal knows; where it knows none, it is written down. What is told by hand, and what functions
   * answer, is not compared. A budget that was spent, or a stop, does not hold for who
   * takes it up.
   *
   * @param path The file; where the history is no repository's, it is kept in a second one beside it.
   * @param search The search; one with the same history (or items) and options, where the journal exists.
   * @throws {@link FirstbadError} `journal_locked` where somebody else writes to it; `journal` where it belongs to another
   * search (what differs is named), or cannot be read or written; those of {@link Search.observe} for what is `known`.
   */
  static open<Report, P extends AnyProbe, Subject>(
    path: string | URL,
    search: Search<Report, P, Subject>,
    options?: SessionOptions<P>,
  ): Session<Report, P, Subject> {
    return Session.answeredBy(undefined, path, search, options);
  }

  /** @internal {@link Session.open}, for answers of this oracle; `undefined` where they are told by hand. */
  static answeredBy<Report, P extends AnyProbe, Subject>(
    oracle: object | undefined,
    path: string | URL,
    search: Search<Report, P, Subject>,
    options?: SessionOptions<P>,
  ): Session<Report, P, Subject> {
    const { known, store, wait = 0 } = checkedOptions(options, SESSION_OPTIONS, "Session");
    if (!(search instanceof Search)) throw invalid("search", search, "a search, like new RegressionSearch(graph, ...)");
    if (!(Number.isFinite(wait) && wait >= 0)) throw invalid("wait", wait, "seconds, 0 or above");
    const session = new Session(search, pathOf("path", path), wait, oracle);
    try {
      prepare(session, known, store, session.id);
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /**
   * As {@link Search.ask}, with a `lease` for so many seconds, in which an answer is to come: who asks after that gets the
   * same to test once more, under another id. A late answer still counts.
   *
   * @throws {@link FirstbadError} `invalid_argument` for a lease that is not above 0, and as {@link Search.ask} does;
   * `journal` where nothing can be written.
   */
  override ask(k = 1, options?: { lease?: number }): P[] {
    const { lease } = checkedOptions(options, ["lease"]);
    if (lease === undefined) return super.ask(k);
    if (!(Number.isInteger(k) && k >= 1 && k <= 0xffff_ffff)) throw invalid("k", k, "a whole number, at least 1");
    if (typeof lease !== "number" || !(lease > 0 && lease < Number.POSITIVE_INFINITY))
      throw invalid("lease", lease, "seconds, above 0");
    return probesFrom(native(() => Search.bindingOf(this).lend(k, lease))) as P[];
  }

  /** Until when a probe in flight is lent, in seconds since 1970; `null` if it was asked without a lease. */
  leasedUntil(id: number): number | null {
    return native(() => Search.bindingOf(this).leasedUntil(probeId(id)));
  }

  /** Lets others write to the journal. The search can still be looked at, but not go on. May be called again. */
  close(): void {
    native(() => Search.bindingOf(this).close());
    warnOfStore(Search.bindingOf(this));
  }

  /** The same as {@link Session.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * What happened, from the first event in the journal to the last, with what was known at each step. The search itself
   * stays as it is.
   *
   * @throws {@link FirstbadError} `journal`, where it cannot be read any more.
   */
  *replay(): Generator<ReplayStep<Report>, void, undefined> {
    const records: Record[] = JSON.parse(native(() => journalRecords(this.path)));
    const replay = new Replay(Search.bindingOf(this), records);
    for (const [place, { at, until, ...event }] of records.entries()) {
      const then = replay.after(place + 1);
      const search = this.#search;
      yield {
        event: event as SearchEvent,
        at,
        status: then.status() as Status,
        runs: then.runs(),
        get report() {
          return search.reportOf(replay.after(place + 1));
        },
      };
    }
  }

  /** @internal */
  protected override drawn(binding: BindingSearch): string {
    const journal = native(() => journalCard(this.path, this.id, this.events.length));
    return journal + super.drawn(binding);
  }

  /** @internal */
  override reportOf(binding: BindingSearch): Report {
    return this.#search.reportOf(binding);
  }

  override subject(probe: P): Subject {
    return this.#search.subject(probe);
  }

  /** @internal */
  override target(given: unknown, argument?: string): string | Uint32Array {
    return this.#search.target(given, argument);
  }

  /** @internal */
  override get wantsTimes(): boolean {
    return this.#search.wantsTimes;
  }

  /** @internal */
  override digest(): string | null {
    return this.#search.digest();
  }
}

/** @internal Gives a search what it is to know from the start, and where its outcomes are shared under `run`. */
export function prepare<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  known: KnownOutcomes<P> | undefined,
  store: OutcomeStore | undefined,
  run?: string,
): void {
  const binding = Search.bindingOf(search);
  if (known !== undefined) {
    const written = knownJson(known, (given, argument) => search.target(given, argument));
    native(() => binding.assume(written));
  }
  if (store !== undefined) OutcomeStore.share(store, binding, run, search.digest());
}

/** An event as a journal has it. */
type Record = SearchEvent & { at: number; until?: number };

/** A run at any moment that it went through. */
class Replay {
  readonly #original: BindingSearch;
  readonly #records: readonly Record[];
  #search: BindingSearch | undefined;
  #applied = 0;

  constructor(original: BindingSearch, records: readonly Record[]) {
    this.#original = original;
    this.#records = records;
  }

  /** The search as it was after so many events; it is so until the next call. */
  after(count: number): BindingSearch {
    try {
      if (this.#search === undefined || this.#applied > count) {
        this.#search = this.#original.afresh();
        this.#applied = 0;
      }
      for (; this.#applied < count; this.#applied++) {
        this.#search.apply(json("event", this.#records[this.#applied]));
      }
      return this.#search;
    } catch (thrown) {
      throw converted(thrown);
    }
  }
}
