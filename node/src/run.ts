/** The driver: a loop around ask and tell. It decides nothing; every decision is the search's. */

import { type Budget, budgetFrom } from "./budget.js";
import { FirstbadError, invalid } from "./errors.js";
import { type Answer, type Observation, observed } from "./observation.js";
import { checkedOptions, isThenable, namesOf, wholeNumber } from "./options.js";
import type { Callback } from "./oracle.js";
import { type AnyProbe, type Probe, targetName } from "./probe.js";
import { Retry } from "./retry.js";
import { Search, type Status } from "./search.js";
import { timed } from "./timed.js";

/** One step of a run, as `onProgress` gets it. */
export interface Progress<P extends AnyProbe = Probe> {
  /** What happened to the probe; `done` comes once, at the end of a run that resolves. */
  readonly kind: "asked" | "told" | "retried" | "cancelled" | "done";
  /** The probe; null for `done`. */
  readonly probe: P | null;
  /** What was told; null unless `kind` is `told`. */
  readonly observation: Observation | null;
  /** Where the search stands. */
  readonly status: Status;
  /** How many answers came from the oracle so far. */
  readonly queries: number;
  /** How many probes are running now. */
  readonly inFlight: number;
  /** How long this run has taken so far, in seconds. */
  readonly seconds: number;
}

/** How a search is driven. */
export interface RunOptions<P extends AnyProbe = Probe> {
  /** How many probes may run side by side; by default 1. */
  concurrency?: number;
  /** Another name for `concurrency`, as in Python. */
  jobs?: number;
  /** Ends the run at once, with the signal's own reason. */
  signal?: AbortSignal;
  /** Called at every step. What it throws ends the run like an oracle's error. */
  onProgress?: (progress: Progress<P>) => void;
  /** How much may be spent (a number means runs); takes the place of the search's own budget. */
  budget?: number | Budget;
  /** How often in a row one revision, or one set of items, is asked again after {@link Retry}; by default 3. */
  retries?: number;
}

/** @internal */
export const RUN_OPTIONS = namesOf<RunOptions>({
  concurrency: true,
  jobs: true,
  signal: true,
  onProgress: true,
  budget: true,
  retries: true,
});

/**
 * Drives any search to its end and resolves with its report. The oracle gets what {@link Search.subject} says of each
 * probe: the revision, or in reductions the items that are kept.
 *
 * - What an oracle throws rejects the promise with the very same object, after the answers that had come by then were
 *   told.
 * - An aborted `signal` rejects at once with the signal's own reason, even if the oracle never settles.
 * - Either way other running probes have their own signals aborted and are abandoned, and the search keeps all that was
 *   told: run it again to go on.
 * - A probe whose answer has become useless has its signal aborted and is not awaited; it counts among the `concurrency`
 *   until its oracle settles.
 * - For a {@link CulpritVerifier}, answers get `started` and `ended` from the clock, in seconds since 1970, unless the
 *   oracle gave one of them itself.
 * - Probes that were in flight before (in a restored search) are run first, where their answers are still of use.
 *
 * @throws {@link FirstbadError} `invalid_argument` for options, or for an answer that is none.
 */
export async function run<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  oracle: Callback<Subject, P>,
  options?: RunOptions<P>,
): Promise<Report> {
  if (typeof oracle !== "function") throw invalid("oracle", oracle, "a function");
  const settings = runSettings(options);
  const driving = Search.bindingOf(search);
  if (driven.has(driving)) throw invalid("search", search, "a search that no other run is driving");
  driven.add(driving);
  try {
    return await new Driver(search, search.wantsTimes ? timed(oracle) : oracle, settings).run();
  } finally {
    driven.delete(driving);
  }
}

const driven = new WeakSet<object>();

interface Settings<P extends AnyProbe> {
  concurrency: number;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress<P>) => unknown) | undefined;
  budget: Budget | undefined;
  retries: number;
}

/** @internal */
export function runSettings<P extends AnyProbe>(options: RunOptions<P> | undefined): Settings<P> {
  const given = checkedOptions(options, RUN_OPTIONS);
  const concurrency = given.concurrency ?? given.jobs ?? 1;
  if (given.jobs !== undefined && given.jobs !== concurrency) {
    throw invalid("jobs", given.jobs, `the same as concurrency, ${concurrency}: it is another name for it`);
  }
  if (given.signal !== undefined && typeof given.signal.addEventListener !== "function") {
    throw invalid("signal", given.signal, "an AbortSignal; the failure searched for is `signature`");
  }
  if (given.onProgress !== undefined && typeof given.onProgress !== "function") {
    throw invalid("onProgress", given.onProgress, "a function");
  }
  return {
    concurrency: wholeNumber("concurrency", concurrency, 1),
    signal: given.signal,
    onProgress: given.onProgress,
    budget: given.budget === undefined ? undefined : budgetFrom(given.budget),
    retries: wholeNumber("retries", given.retries ?? 3, 0),
  };
}

/** A probe that the oracle is at. */
interface Flight<P> {
  readonly probe: P;
  readonly controller: AbortController;
}

/** How a flight ended: with an answer, or with what was thrown. */
interface Landing<P> {
  readonly probe: P;
  readonly answer?: Answer;
  readonly failure?: Failure;
}

/** What ends a run, kept in a box because anything can be thrown, undefined too. */
interface Failure {
  readonly error: unknown;
}

/** How long a run may go on without letting timers, signals and other work in, in milliseconds. */
const BREATH = 8;

/** The longest that a timer can wait, in milliseconds. */
const LONGEST_TIMER = 0x7fff_ffff;

class Driver<Report, P extends AnyProbe, Subject> {
  readonly #search: Search<Report, P, Subject>;
  readonly #oracle: Callback<Subject, P>;
  readonly #settings: Settings<P>;
  readonly #flying = new Map<number, Flight<P>>();
  readonly #attempts = new Map<string, number>();
  /** Probes given up whose oracles are still at it: they hold their places until they settle. */
  readonly #lingering = new Set<number>();
  #waiting: P[] = [];
  #landed: Landing<P>[] = [];
  #failure: Failure | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  #breathed = performance.now();
  readonly #began = performance.now();
  #wake: () => void = () => {};

  constructor(search: Search<Report, P, Subject>, oracle: Callback<Subject, P>, settings: Settings<P>) {
    this.#search = search;
    this.#oracle = oracle;
    this.#settings = settings;
  }

  async run(): Promise<Report> {
    const { signal, budget } = this.#settings;
    if (signal?.aborted) throw signal.reason;
    if (budget) {
      const { seconds, ...limits } = budget;
      this.#search.setBudget(limits);
      if (seconds !== undefined) this.#deadline = performance.now() + seconds * 1000;
    }
    const onAbort = () => this.#wake();
    signal?.addEventListener("abort", onAbort);
    try {
      Search.bindingOf(this.#search).takeOver();
      this.#waiting = this.#stillWanted(this.#search.inFlight);
      return await this.#loop();
    } finally {
      signal?.removeEventListener("abort", onAbort);
      try {
        this.#abandonAll();
      } catch {
        // A journal that cannot be written to: it is no news, or no match for what ended the run. Who opens it next finds
        // the probes in flight and starts them anew.
      }
    }
  }

  async #loop(): Promise<Report> {
    const { signal } = this.#settings;
    for (;;) {
      this.#tellLanded();
      if (signal?.aborted) throw signal.reason;
      if (this.#failure) {
        // Answers that are there by now count, whatever came first.
        await new Promise(setImmediate);
        this.#tellLanded();
        throw this.#failure.error;
      }
      if (this.#deadline < Number.POSITIVE_INFINITY && performance.now() >= this.#deadline) this.#search.stop("budget");
      if (this.#search.done) return this.#finish();
      this.#launch();
      await this.#next();
    }
  }

  /** Tells all answers that have come, then lets go of what they made useless. */
  #tellLanded(): void {
    if (this.#landed.length === 0) return;
    const landed = this.#landed;
    this.#landed = [];
    for (const { probe, answer, failure } of landed) {
      if (!this.#flying.delete(probe.id)) continue;
      if (failure) this.#takeError(probe, failure.error);
      else this.#tell(probe, answer);
    }
    for (const { probe, controller } of this.#flying.values()) {
      if (this.#search.wanted(probe.id)) continue;
      this.#flying.delete(probe.id);
      this.#lingering.add(probe.id);
      this.#search.abandon(probe.id);
      controller.abort();
      this.#say("cancelled", probe);
    }
    if (this.#waiting.length > 0) this.#waiting = this.#stillWanted(this.#waiting);
  }

  /** Those of the probes that are still of use; the others are abandoned. */
  #stillWanted(probes: P[]): P[] {
    return probes.filter(({ id }) => {
      const wanted = this.#search.wanted(id);
      if (!wanted) this.#search.abandon(id);
      return wanted;
    });
  }

  #tell(probe: P, answer: Answer): void {
    try {
      this.#search.tell(probe.id, answer);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#attempts.size > 0) this.#attempts.delete(targetName(probe));
    this.#say("told", probe, answer);
  }

  #say(kind: Progress["kind"], probe: P | null, answer?: Answer): void {
    const { onProgress } = this.#settings;
    if (!onProgress) return;
    const { queries, status } = this.#search;
    const observation = kind === "told" ? observed(answer) : null;
    const seconds = (performance.now() - this.#began) / 1000;
    try {
      const said = onProgress({ kind, probe, observation, status, queries, inFlight: this.#flying.size, seconds });
      if (isThenable(said)) said.then(undefined, (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #finish(): Report {
    this.#abandonAll();
    this.#say("done", null);
    if (this.#failure) throw this.#failure.error;
    return this.#search.report();
  }

  #takeError(probe: P, error: unknown): void {
    const target = targetName(probe);
    const attempts = (this.#attempts.get(target) ?? 0) + 1;
    if (error instanceof Retry && attempts <= this.#settings.retries) {
      this.#attempts.set(target, attempts);
      this.#search.abandon(probe.id);
      this.#say("retried", probe);
    } else {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** How many more oracles may start now. Where all that run were given up, one may always. */
  #places(): number {
    const free = this.#settings.concurrency - this.#flying.size - this.#lingering.size;
    return this.#flying.size === 0 ? Math.max(free, 1) : free;
  }

  /** Fills the free places. An answer given at once is told before anything else is started. */
  #launch(): void {
    for (let places = this.#places(); places > 0; places = this.#places()) {
      if (this.#landed.length > 0 || this.#failure) break;
      if (this.#waiting.length === 0) this.#waiting = this.#search.ask(places);
      const probe = this.#waiting.shift();
      if (probe === undefined) break;
      this.#start(probe);
    }
  }

  #start(probe: P): void {
    const controller = new AbortController();
    const context = {
      // Signals are made when first looked at, and are most of what a call costs.
      get signal() {
        return controller.signal;
      },
      probe,
    };
    this.#flying.set(probe.id, { probe, controller });
    this.#say("asked", probe);
    if (this.#failure) return;
    try {
      const answer = this.#oracle(this.#search.subject(probe), context);
      if (isThenable(answer)) {
        answer.then(
          (answer) => this.#land({ probe, answer }),
          (error) => this.#land({ probe, failure: { error } }),
        );
      } else {
        this.#land({ probe, answer });
      }
    } catch (error) {
      this.#land({ probe, failure: { error } });
    }
  }

  #land(landing: Landing<P>): void {
    this.#lingering.delete(landing.probe.id);
    this.#landed.push(landing);
    this.#wake();
  }

  /** Waits until there is something to do, and at times for the rest of the program. */
  async #next(): Promise<void> {
    if (performance.now() - this.#breathed >= BREATH) {
      await new Promise(setImmediate);
      this.#breathed = performance.now();
    }
    if (this.#landed.length > 0 || this.#failure || this.#settings.signal?.aborted || this.#search.done) return;
    if (this.#flying.size === 0) {
      if (this.#search.inFlight.length === 0 && this.#search.status === "running") {
        throw new FirstbadError("internal", "the search is not done, asks nothing and awaits nothing");
      }
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const left = this.#deadline - performance.now();
      if (left < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, Math.min(Math.max(left, 0) + 1, LONGEST_TIMER));
    });
    clearTimeout(timer);
  }

  /** Leaves nothing running and nothing in flight. */
  #abandonAll(): void {
    const { signal } = this.#settings;
    for (const { controller } of this.#flying.values()) {
      controller.abort(...(signal?.aborted ? [signal.reason] : []));
    }
    this.#flying.clear();
    for (const { id } of this.#search.inFlight) this.#search.abandon(id);
  }
}
