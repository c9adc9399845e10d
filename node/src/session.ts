/** Searches that are kept in a journal. */

import { type BindingSearch, journalCard, journalRecords } from "./binding.js";
import { commandOf } from "./command-oracle.js";
import { converted, invalid, native } from "./errors.js";
import { json } from "./fields.js";
import type { Status } from "./generated/reports.js";
import { type KnownOutcomes, knownJson } from "./known.js";
import type { Answer, Observation } from "./observation.js";
import { checkedOptions, namesOf, pathOf } from "./options.js";
import type { Callback, OracleContext } from "./oracle.js";
import { OutcomeStore, warnOfStore } from "./outcome-store.js";
import { type AnyProbe, type Probe, probesFrom } from "./probe.js";
import { probeId, Search, type SearchEvent } from "./search.js";

/** Outcomes that a search has before it starts. */
export interface KnownOptions<P extends AnyProbe = Probe> {
  /** Known outcomes. They cost no runs, and count once even if a journal is opened several times. Default: none. */
  known?: KnownOutcomes<P>;
  /** A store that shares outcomes with other runs. Default: none. */
  store?: OutcomeStore;
}

/** How to open a journal. */
export interface SessionOptions<P extends AnyProbe = Probe> extends KnownOptions<P> {
  /** The seconds to wait for another process that writes to the journal. The wait blocks this process. Default: 0. */
  wait?: number;
}

const SESSION_OPTIONS = namesOf<SessionOptions>({ known: true, store: true, wait: true });

/** A step of a run, from {@link Session.replay}. */
export interface ReplayStep<Report> {
  /** The event. */
  readonly event: SearchEvent;
  /** The time of the event, in seconds since 1970. */
  readonly at: number;
  /** The status of the search after the event. */
  readonly status: Status;
  /** The number of outcomes after the event. */
  readonly runs: number;
  /** The report after the event, computed on first use. */
  readonly report: Report;
}

/**
 * A search that is kept in a journal, a file of JSON lines. Every event is on disk before its call returns, so a killed
 * run can resume in another process, on another machine, or in another language.
 *
 * Use a session as any {@link Search}, with the ask/tell interface or {@link run}. Only one process at a time can write
 * to a journal. Methods such as {@link Search.ask} and {@link Search.tell} write synchronously.
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
  /** The absolute path of the journal, without symbolic links. */
  readonly path: string;
  /** The unique id of the run, which stays the same when the run is resumed. */
  readonly id: string;
  /** Whether the journal existed before. */
  readonly resumed: boolean;
  /**
   * A description of lost events, or `null` if the journal is complete. A crash can tear the last line, and journals of
   * older versions have no checksums to detect losses.
   */
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
   * Opens a journal for a search. If the journal exists, the search is resumed, also after a stop or a used-up budget.
   * Use only the session from then on. The journal records the command of the first {@link CommandOracle} that runs and
   * refuses other commands. It does not compare functions or outcomes that you tell yourself.
   *
   * @param path The file. A history that is not from a repository is kept in a second file next to it.
   * @param search A new search. If the journal exists, with the same history (or items) and options.
   * @throws {@link FirstbadError} `journal_locked` if another process uses the journal, `journal` if it belongs to
   * another search or cannot be read or written, and the errors of {@link Search.observe} for `known`.
   */
  static open<Report, P extends AnyProbe, Subject>(
    path: string | URL,
    search: Search<Report, P, Subject>,
    options?: SessionOptions<P>,
  ): Session<Report, P, Subject> {
    return Session.answeredBy(undefined, path, search, options);
  }

  /** @internal Opens a journal with the oracle that will run, or `undefined` for the ask/tell interface. */
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
   * Returns probes as {@link Search.ask} does, leased for `lease` seconds. If a lease ends without an outcome, a later
   * call returns the same request with another id. Late outcomes still count.
   *
   * @throws {@link FirstbadError} `invalid_argument` if `lease` is not positive, `journal` if the journal cannot be
   * written, and the errors of {@link Search.ask}.
   */
  override ask(k = 1, options?: { lease?: number }): P[] {
    const { lease } = checkedOptions(options, ["lease"]);
    if (lease === undefined) return super.ask(k);
    if (!(Number.isInteger(k) && k >= 1 && k <= 0xffff_ffff)) throw invalid("k", k, "a whole number, at least 1");
    if (typeof lease !== "number" || !(lease > 0 && lease < Number.POSITIVE_INFINITY))
      throw invalid("lease", lease, "seconds, above 0");
    return probesFrom(native(() => Search.bindingOf(this).lend(k, lease))) as P[];
  }

  /** Returns the end of the lease of a probe, in seconds since 1970, or `null` without a lease. */
  leasedUntil(id: number): number | null {
    return native(() => Search.bindingOf(this).leasedUntil(probeId(id)));
  }

  /** Releases the lock of the journal. You can still read the search, but not change it. You can call it again. */
  close(): void {
    native(() => Search.bindingOf(this).close());
    warnOfStore(Search.bindingOf(this));
  }

  /** Calls {@link Session.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Yields the state of the run after each event in the journal. This search does not change.
   *
   * @throws {@link FirstbadError} `journal` if the journal cannot be read.
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
  override call(oracle: Callback<Subject, P>, probe: P, context: OracleContext<P>): Answer | PromiseLike<Answer> {
    return this.#search.call(oracle, probe, context);
  }

  /** @internal */
  override get callback(): string | undefined {
    return this.#search.callback;
  }

  /** @internal */
  override bare(answer: Answer): number {
    return this.#search.bare(answer);
  }

  /** @internal */
  override written(answer: Answer, argument?: string): string {
    return this.#search.written(answer, argument);
  }

  /** @internal */
  override seen(answer: Answer): Observation {
    return this.#search.seen(answer);
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

/** @internal Applies `known` and `store` to a search before it starts. `run` is its name in the store. */
export function prepare<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  known: KnownOutcomes<P> | undefined,
  store: OutcomeStore | undefined,
  run?: string,
): void {
  const binding = Search.bindingOf(search);
  if (known !== undefined) {
    const written = knownJson(known, search);
    native(() => binding.assume(written));
  }
  if (store !== undefined) OutcomeStore.share(store, binding, run, search.digest());
}

/** An event in a journal. */
type Record = SearchEvent & { at: number; until?: number };

/** A replay of a run. */
class Replay {
  readonly #original: BindingSearch;
  readonly #records: readonly Record[];
  #search: BindingSearch | undefined;
  #applied = 0;

  constructor(original: BindingSearch, records: readonly Record[]) {
    this.#original = original;
    this.#records = records;
  }

  /** Returns the search after `count` events, valid until the next call. */
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
