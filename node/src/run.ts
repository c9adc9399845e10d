/** The driver: a loop of ask and tell. All decisions are those of the search and of `Run` in the core. */

import type { BindingOracle, BindingSearch } from "./binding.js";
import { type Budget, budgetFrom } from "./budget.js";
import type { ChangeReport } from "./change-report.js";
import { sayAtSignal, saySilently } from "./cleanup.js";
import { commandOf } from "./command-oracle.js";
import { invalid, native } from "./errors.js";
import { json } from "./fields.js";
import type { Measure } from "./measured.js";
import { type Answer, noAnswer } from "./observation.js";
import { checkedOptions, isThenable, namesOf, wholeNumber } from "./options.js";
import type { Callback, SuiteCallback } from "./oracle.js";
import { type AnyProbe, type Probe, probesFrom, type SuiteCall, type SuiteProbe } from "./probe.js";
import { type Progress, progressLine } from "./progress.js";
import { type Read, type Reader, reading } from "./reader.js";
import { asksAgain } from "./retry.js";
import { Search } from "./search.js";
import { timed } from "./timed.js";

/** How to run a search. */
export interface RunOptions<P extends AnyProbe = Probe> {
  /** The maximum number of probes in flight. Default: 1. */
  concurrency?: number;
  /** Alias of `concurrency`, as in Python. */
  jobs?: number;
  /** Ends the run immediately, with the reason of the signal. */
  signal?: AbortSignal;
  /**
   * The function to call at every step. An error that it throws stops the run like an oracle's error. True prints a line to
   * stderr for each outcome, and one at the end.
   */
  onProgress?: boolean | ((progress: Progress<P>) => void);
  /** A budget, or a maximum number of runs. It replaces the budget of the search. */
  budget?: number | Budget;
  /** How often in a row a revision or set can run again after {@link Retry}. Default: 3. */
  retries?: number;
  /** A {@link Repository}, or a function that returns the content for a read. Most searches need no reader. */
  reader?: Reader;
}

/** @internal */
export const RUN_OPTIONS = namesOf<RunOptions>({
  concurrency: true,
  jobs: true,
  signal: true,
  onProgress: true,
  budget: true,
  retries: true,
  reader: true,
});

/**
 * Runs the oracle until the search is done, and resolves with its report. The oracle gets {@link Search.subject} of
 * each probe: the revision, or in reductions the kept items. For a {@link TriageSearch}, it gets the revision and the
 * tests. For a {@link ChangeSearch}, it returns a number.
 *
 * - An error of the oracle or the reader rejects the promise, unchanged, after all available outcomes are told.
 * - An aborted `signal` rejects immediately with its reason, even if the oracle never settles.
 * - In both cases, the signals of other probes are aborted, and these probes are abandoned. The search keeps all
 *   outcomes, so you can run it again to continue.
 * - If the outcome of a probe is no longer wanted, its signal is aborted. The run does not wait for the probe, but it
 *   counts toward `concurrency` until its oracle settles.
 * - For a {@link CulpritVerifier}, `started` and `ended` are set, in seconds since 1970, unless the oracle sets one of
 *   them.
 * - Probes of a restored search that were in flight run first, if their outcomes are still wanted.
 * - If a reduction ended because all items together did not have the property, the search tests all items again.
 *
 * @throws {@link FirstbadError} `search_in_use` if another run is driving the search, `invalid_argument` for invalid
 * options or outcomes, or if the search must read content and there is no `reader`, and `journal` for a {@link
 * CommandOracle} if the search is kept in a journal that belongs to another command.
 */
export async function run(search: Search<ChangeReport>, measure: Measure, options?: RunOptions): Promise<ChangeReport>;
export async function run<Report>(
  search: Search<Report, SuiteProbe, SuiteCall>,
  oracle: SuiteCallback,
  options?: RunOptions<SuiteProbe>,
): Promise<Report>;
export async function run<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  oracle: Callback<Subject, P>,
  options?: RunOptions<P>,
): Promise<Report>;
export async function run<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  // biome-ignore lint/suspicious/noExplicitAny: the search calls the oracle with its own arguments
  oracle: any,
  options?: RunOptions<P>,
): Promise<Report> {
  if (typeof oracle !== "function") throw invalid("oracle", oracle, "a function");
  const settings = runSettings(options);
  const driving = Search.bindingOf(search);
  if (settings.signal?.aborted) throw settings.signal.reason;
  const command = commandOf(oracle);
  if (command !== undefined) native(() => driving.testedBy(command));
  const driver = new Driver(search, search.wantsTimes ? timed(oracle) : oracle, settings, command);
  const journal = search.keptIn;
  const interrupted = () => saidOf(journal ?? "", search.runs);
  if (journal !== undefined) sayAtSignal(interrupted);
  try {
    return await driver.run();
  } finally {
    if (journal !== undefined) saySilently(interrupted);
  }
}

/** Returns the message to print if a signal ends the process during a run. */
function saidOf(journal: string, answers: number): string {
  const kept = `all outcomes (${answers})`;
  return `firstbad: the journal ${JSON.stringify(journal)} has ${kept}. The same call with this journal resumes the search`;
}

interface Settings<P extends AnyProbe> {
  concurrency: number;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress<P>) => unknown) | undefined;
  budget: Budget | undefined;
  retries: number;
  reader: ((read: Read) => Uint8Array | PromiseLike<Uint8Array>) | undefined;
}

/** @internal */
export function runSettings<P extends AnyProbe>(options: RunOptions<P> | undefined): Settings<P> {
  const given = checkedOptions(options, RUN_OPTIONS, "run");
  const concurrency = given.concurrency ?? given.jobs ?? 1;
  if (given.jobs !== undefined && given.jobs !== concurrency) {
    throw invalid("jobs", given.jobs, `the same as concurrency, ${concurrency}`);
  }
  if (given.signal !== undefined && typeof given.signal.addEventListener !== "function") {
    throw invalid("signal", given.signal, "an AbortSignal. `signature` is the failure to search for");
  }
  const { onProgress } = given;
  if (onProgress !== undefined && typeof onProgress !== "boolean" && typeof onProgress !== "function") {
    throw invalid("onProgress", onProgress, "true, or a function");
  }
  return {
    concurrency: wholeNumber("concurrency", concurrency, 1),
    signal: given.signal,
    onProgress: onProgress === true ? progressLine : onProgress || undefined,
    budget: given.budget === undefined ? undefined : budgetFrom(given.budget),
    retries: wholeNumber("retries", given.retries ?? 3, 0),
    reader: given.reader === undefined ? undefined : reading(given.reader),
  };
}

/** A running probe. */
interface Flight<P> {
  readonly probe: P;
  readonly controller: AbortController;
}

/** The end of a running probe: an outcome or an error. */
interface Landing<P> {
  readonly probe: P;
  readonly answer?: Answer;
  readonly failure?: Failure;
}

/** The error that ends a run, in a box because any value can be thrown, including undefined. */
interface Failure {
  readonly error: unknown;
}

/** The maximum time in milliseconds without a pause for timers, signals and other work. */
const BREATH = 8;

/** The maximum delay of a timer, in milliseconds. */
const LONGEST_TIMER = 0x7fff_ffff;

class Driver<Report, P extends AnyProbe, Subject> {
  readonly #search: Search<Report, P, Subject>;
  readonly #binding: BindingSearch;
  readonly #oracle: Callback<Subject, P>;
  readonly #settings: Settings<P>;
  /** The running probes whose outcomes count. */
  readonly #flying = new Map<number, Flight<P>>();
  /** Probes that have not started. */
  #waiting: P[] = [];
  #landed: Landing<P>[] = [];
  #failure: Failure | undefined;
  readonly #deadline: number;
  #breathed = performance.now();
  readonly #began = performance.now();
  #wake: () => void = () => {};
  /** The command whose worktrees are prepared ahead, or undefined without a command. */
  readonly #command: BindingOracle | undefined;
  #ahead: NodeJS.Timeout | undefined;

  constructor(
    search: Search<Report, P, Subject>,
    oracle: Callback<Subject, P>,
    settings: Settings<P>,
    command: BindingOracle | undefined,
  ) {
    this.#command = command;
    this.#search = search;
    this.#binding = Search.bindingOf(search);
    this.#oracle = oracle;
    this.#settings = settings;
    const { concurrency: jobs, retries } = settings;
    const { seconds = Number.POSITIVE_INFINITY, ...limits } = settings.budget ?? {};
    this.#deadline = this.#began + seconds * 1000;
    const options = json("options", { jobs, retries, budget: settings.budget && limits });
    native(() => this.#binding.beginRun(options));
  }

  async run(): Promise<Report> {
    const { signal } = this.#settings;
    const onAbort = () => this.#wake();
    signal?.addEventListener("abort", onAbort);
    try {
      return await this.#loop();
    } finally {
      signal?.removeEventListener("abort", onAbort);
      clearTimeout(this.#ahead);
      try {
        this.#giveBack();
      } catch {
        // An error of the journal must not hide the error that ended the run.
      }
    }
  }

  async #loop(): Promise<Report> {
    const { signal } = this.#settings;
    for (;;) {
      this.#tellLanded();
      if (signal?.aborted) throw signal.reason;
      if (this.#failure) {
        // Outcomes that are available now count, in any order.
        await new Promise(setImmediate);
        this.#tellLanded();
        throw this.#failure.error;
      }
      if (this.#isOver()) return this.#finish();
      if (this.#settings.reader && this.#binding.reads() !== null) await this.#read(this.#settings.reader);
      this.#launch();
      await this.#next();
    }
  }

  #isOver(): boolean {
    const isLate = this.#deadline < Number.POSITIVE_INFINITY && performance.now() >= this.#deadline;
    return native(() => this.#binding.over(isLate));
  }

  /** Tells all available outcomes, then cancels the probes that became useless. */
  #tellLanded(): void {
    if (this.#landed.length === 0) return;
    const landed = this.#landed;
    this.#landed = [];
    for (const { probe, answer, failure } of landed) {
      if (!this.#flying.delete(probe.id)) this.#binding.ended(probe.id);
      else if (failure) this.#takeError(probe, failure.error);
      else this.#tell(probe, answer);
    }
    if (this.#flying.size + this.#waiting.length > 0) this.#cancelUseless();
  }

  #cancelUseless(): void {
    for (const id of native(() => this.#binding.useless())) {
      native(() => this.#binding.cancelled(id));
      const flight = this.#flying.get(id);
      if (flight) {
        this.#flying.delete(id);
        flight.controller.abort();
        this.#say("cancelled", flight.probe);
      } else {
        this.#waiting = this.#waiting.filter((probe) => probe.id !== id);
        this.#binding.ended(id);
      }
    }
  }

  #tell(probe: P, answer: Answer): void {
    try {
      const outcome = this.#search.bare(answer);
      const observation = outcome >= 0 ? "" : this.#search.written(answer);
      if (outcome >= 0) native(() => this.#binding.answered(probe.id, outcome));
      else native(() => this.#binding.answeredWith(probe.id, observation));
    } catch (error) {
      this.#fail(noAnswer(error, probe, this.#search.callback));
      return;
    }
    this.#say("told", probe, answer);
  }

  #say(kind: Progress["kind"], probe: P | null, answer?: Answer): void {
    const { onProgress } = this.#settings;
    if (!onProgress) return;
    try {
      const observation = kind === "told" ? this.#search.seen(answer) : null;
      const said = onProgress({ kind, probe, observation, ...this.#standing() });
      if (isThenable(said)) said.then(undefined, (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #standing(): Omit<Progress<P>, "kind" | "probe" | "observation"> {
    const { status, runs, asked, in_flight, carrying, suspects, forecast, best } = JSON.parse(
      native(() => this.#binding.progress()),
    );
    return {
      status,
      runs,
      asked,
      inFlight: in_flight,
      revision: carrying?.revision ?? null,
      patch: carrying?.patch ?? null,
      suspects,
      likelyRuns: forecast?.likely.runs ?? null,
      worstRuns: forecast?.worst.runs ?? null,
      best,
      seconds: (performance.now() - this.#began) / 1000,
    };
  }

  #finish(): Report {
    this.#giveBack();
    this.#say("done", null);
    if (this.#failure) throw this.#failure.error;
    return this.#search.report();
  }

  #takeError(probe: P, error: unknown): void {
    if (!asksAgain(error)) this.#fail(error);
    else if (native(() => this.#binding.retry(probe.id))) this.#say("retried", probe);
    else this.#fail(Object.assign(error, { revision: (probe as Probe).revision, tries: this.#settings.retries + 1 }));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Gives the search its requested content, unless the run ends meanwhile. */
  async #read(reader: (read: Read) => Uint8Array | PromiseLike<Uint8Array>): Promise<void> {
    for (let reads = this.#search.reads; reads.length > 0; reads = this.#search.reads) {
      for (const read of reads) {
        const content = reader(read);
        const given = Promise.resolve(content).then((content) => ({ content }));
        const woken = new Promise<undefined>((resolve) => {
          this.#wake = () => {
            if (this.#settings.signal?.aborted || this.#failure) resolve(undefined);
          };
        });
        if (this.#settings.signal?.aborted) return;
        const there = await Promise.race([given, woken]);
        if (there === undefined) return;
        this.#search.give(read.id, there.content);
      }
    }
  }

  /** Starts probes up to the limit. An immediate outcome is told before the next start. */
  #launch(): void {
    while (this.#landed.length === 0 && !this.#failure && !this.#settings.signal?.aborted) {
      if (this.#waiting.length === 0) this.#waiting = this.#take();
      const probe = this.#waiting.shift();
      if (probe === undefined) break;
      this.#start(probe);
    }
  }

  /** Prepares worktrees for likely next runs, after commands have run for a while without other work. */
  #lookAhead(command: BindingOracle, after = this.#binding.beforeUpcoming): void {
    clearTimeout(this.#ahead);
    const look = () => {
      const testing = command.testingFor ?? 0;
      const left = this.#binding.beforeUpcoming - testing;
      if (left > 0) return this.#lookAhead(command, left);
      // The next run reports the error.
      try {
        const revision = this.#binding.upcoming()[0];
        if (revision !== undefined) command.checkOut(revision).catch(() => {});
      } catch {}
    };
    this.#ahead = setTimeout(look, after);
    this.#ahead.unref();
  }

  #take(): P[] {
    return probesFrom(native(() => this.#binding.take())) as P[];
  }

  #start(probe: P): void {
    const controller = new AbortController();
    const context = {
      // Signals are created on first use, because they are most of the cost of a call.
      get signal() {
        return controller.signal;
      },
      probe,
    };
    this.#flying.set(probe.id, { probe, controller });
    if (this.#command) this.#lookAhead(this.#command);
    this.#say("asked", probe);
    if (this.#failure) return;
    try {
      const answer = this.#search.call(this.#oracle, probe, context);
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
    this.#landed.push(landing);
    this.#wake();
  }

  /** Waits for the next event, and sometimes pauses for the rest of the program. */
  async #next(): Promise<void> {
    if (performance.now() - this.#breathed >= BREATH) {
      await new Promise(setImmediate);
      this.#breathed = performance.now();
    }
    if (this.#landed.length > 0 || this.#failure || this.#settings.signal?.aborted || this.#search.done) return;
    // If no test is running, the search is only recording known outcomes, one slice at a time.
    const { patience } = this.#binding;
    if (this.#flying.size === 0 && patience === null) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const left = Math.min(this.#deadline - performance.now(), patience ?? Number.POSITIVE_INFINITY);
      // With a signal, a timer keeps a program without other work alive.
      if (left < Number.POSITIVE_INFINITY || this.#settings.signal) {
        timer = setTimeout(resolve, Math.min(Math.max(left, 0) + 1, LONGEST_TIMER));
      }
    });
    clearTimeout(timer);
  }

  /** Abandons and aborts all running probes. Their later outcomes do not count. */
  #giveBack(): void {
    const { signal } = this.#settings;
    const flights = [...this.#flying.values()];
    this.#flying.clear();
    this.#waiting = [];
    try {
      native(() => this.#binding.giveBack());
    } finally {
      for (const { controller } of flights) controller.abort(...(signal?.aborted ? [signal.reason] : []));
    }
  }
}
