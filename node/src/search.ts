/** The waist: every search is asked for probes and told what was seen, and never runs a test itself. */

import { inspect } from "node:util";
import { type BindingSearch, cardPage } from "./binding.js";
import { type Budget, budgetFrom } from "./budget.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { explanations } from "./explanation.js";
import { json } from "./fields.js";
import type { Explanation, SelectionReason, Status } from "./generated/reports.js";
import { type Answer, bareOutcome, type Observation, observationJson } from "./observation.js";
import { text, wholeNumber } from "./options.js";
import { type AnyProbe, type Probe, probesFrom, type TargetOf } from "./probe.js";
import type { Read } from "./reader.js";
import { madeBy } from "./words.js";

/**
 * What an event is about: a revision by its id, or a set of changes in short (`"0-3,7"`), or both: changes on a revision.
 * `universe` is the number of the read whose changes they are.
 */
export type EventTarget =
  | { revision: string; changes?: never; universe?: never }
  | { changes: string; revision?: string; universe?: number };

/** One thing that happened to a search. A search is its configuration and its events. */
export type SearchEvent =
  | ({ event: "asked"; id: number } & EventTarget)
  | { event: "told"; id: number; observation: Observation }
  | { event: "abandoned"; id: number }
  | ({ event: "enqueued" } & EventTarget)
  | ({ event: "observed"; observation: Observation } & EventTarget)
  | { event: "read"; id: number; digest: string; content?: string }
  | { event: "undone"; answers: number }
  | { event: "budgeted"; budget: { runs?: number; cost?: number } }
  | { event: "stopped"; reason: "budget" | "stopped" }
  | { event: "resumed" };

/**
 * Any search. Everything here is deterministic: the same configuration and the same calls give the same probes, in
 * every language and on every machine.
 *
 * All methods throw {@link FirstbadError}; a call that throws changes nothing.
 */
export abstract class Search<Report, P extends AnyProbe = Probe, Subject = string> {
  readonly #binding: BindingSearch;

  /** @internal */
  constructor(binding: BindingSearch) {
    this.#binding = binding;
  }

  /** @internal The path of the search's journal, or undefined if it has none. */
  get keptIn(): string | undefined {
    return undefined;
  }

  /** @internal Whether it reads off the answers which run came before which. */
  get wantsTimes(): boolean {
    return false;
  }

  /** @internal */
  static bindingOf<Report, P extends AnyProbe, Subject>(search: Search<Report, P, Subject>): BindingSearch {
    if (typeof search !== "object" || search === null || !(#binding in search)) {
      throw invalid("search", search, "a search, for instance new RegressionSearch(graph, { bad })");
    }
    return search.#binding;
  }

  /** @internal The report of any search of this kind. */
  abstract reportOf(binding: BindingSearch): Report;

  /** The best answer so far, at any moment. */
  report(): Report {
    const report = this.reportOf(this.#binding);
    const message = native(() => this.#binding.message());
    return madeBy(message === null ? report : (Object.assign(report as object, { message }) as Report), this.#binding);
  }

  /**
   * How the search came to where it stands: what was asked, why that, and what it ruled out. One for each answer that counts,
   * in the order told. Every answer is told to the same search again, which takes as long as it took to decide then.
   */
  explain(): Explanation[] {
    return explanations(this.#binding);
  }

  /**
   * Why a revision, by its full id, is tried early: what speaks for it, or for the one right after it. `null` if the prior
   * does not know (`"changes"` and a {@link CommitRanking} do), or nothing does.
   */
  why(revision: string): SelectionReason | null {
    const id = text("revision", revision);
    return JSON.parse(native(() => this.#binding.why(id)) ?? "null");
  }

  /**
   * What is known so far as a page that needs no other file: who is left to suspect, what was seen and where, and at the end
   * the answer. Notebooks show the same.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the algorithm is none of this package.
   */
  toHtml(): string {
    return cardPage(this.drawn(this.#binding));
  }

  /** @internal Its card, as a piece of HTML. */
  protected drawn(binding: BindingSearch): string {
    return native(() => binding.card(binding.report()));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": inspect(this), "text/html": this.drawn(this.#binding) };
  }

  /**
   * What a probe is about, as {@link run} hands it to the callback: the revision to test, or the items that are kept,
   * in their original order.
   */
  subject(probe: P): Subject {
    return (probe as Probe).revision as Subject;
  }

  /** @internal What a caller names to be tested, as the binding takes it. */
  target(given: unknown, argument = "revision"): string | Uint32Array {
    return text(argument, given);
  }

  /** @internal What the items are that it is about; `null` if it is about none, or none can be told. */
  digest(): string | null {
    return null;
  }

  /**
   * At most `k` probes to run next, useful side by side, given what is in flight already; never more than 1,024 with
   * those. Empty when the search is done, when answers in flight must come first, or when it has to see something first
   * ({@link Search.reads}).
   *
   * @throws {@link FirstbadError} `invalid_argument` unless `k` is a whole number, at least 1.
   */
  ask(k = 1): P[] {
    if (!(Number.isInteger(k) && k >= 0 && k <= 0xffff_ffff)) throw invalid("k", k, "a whole number, at least 1");
    return probesFrom(native(() => this.#binding.ask(k))) as P[];
  }

  /**
   * Answers a probe, given by itself or by its id. In any order; the same answer twice is accepted; one for an abandoned probe counts.
   *
   * @throws {@link FirstbadError} `unknown_probe`; `contradiction` (of a set of changes: `non_deterministic`) where what
   * was tested (with a flaky test: this very probe) is known to be otherwise (the first answer is kept); `invalid_argument` for what is no answer, for times,
   * costs and counts below 0, and for an outcome that its counts do not hold.
   */
  tell(probe: number | P, answer: Answer): void {
    const number = probeId(probe);
    const outcome = bareOutcome(answer);
    const observation = outcome >= 0 ? "" : observationJson(answer);
    if (outcome >= 0) native(() => this.#binding.tell(number, outcome));
    else native(() => this.#binding.tellObservation(number, observation));
  }

  /**
   * Says that a probe will not be answered: what it tests may be asked again, and nothing is concluded. One that was
   * answered already stays answered.
   *
   * @throws {@link FirstbadError} `unknown_probe`.
   */
  abandon(probe: number | P): void {
    native(() => this.#binding.abandon(probeId(probe)));
  }

  /**
   * Tells something known that was never asked. It is no query.
   *
   * @param target The revision, or the indices of the items that are kept.
   * @throws {@link FirstbadError} `unknown_revision`, and those of {@link Search.tell}.
   */
  observe(target: TargetOf<P>, answer: Answer): void {
    const observation = observationJson(answer);
    native(() => this.#binding.observe(this.target(target), observation));
  }

  /**
   * Puts a suspect at the head of what is asked next.
   *
   * @param target The revision, or the indices of the items that are kept.
   * @throws {@link FirstbadError} `unknown_revision`, `invalid_argument`.
   */
  enqueue(target: TargetOf<P>): void {
    native(() => this.#binding.enqueue(this.target(target)));
  }

  /**
   * Whether an answer in flight is still of use; a driver may cancel a probe that is not.
   *
   * @throws {@link FirstbadError} `unknown_probe`.
   */
  wanted(probe: number | P): boolean {
    return native(() => this.#binding.wanted(probeId(probe)));
  }

  /** What the search has to see before it can ask on, oldest first. It costs no run and no budget. */
  get reads(): Read[] {
    return JSON.parse(native(() => this.#binding.reads()) ?? "[]");
  }

  /**
   * Hands over what a read asks for. The same content twice is accepted.
   *
   * @throws {@link FirstbadError} `unknown_read`; `invalid_argument` for a content that is too large or is not what was asked
   * for; `contradiction` for another content than before.
   */
  give(id: number, content: Uint8Array): void {
    if (!(content instanceof Uint8Array)) throw invalid("content", content, "a Uint8Array");
    native(() => this.#binding.give(probeId(id), content));
  }

  /** Ends the search from outside; answers in flight still count when they come. */
  stop(reason: "stopped" | "budget" = "stopped"): void {
    native(() => this.#binding.stop(text("reason", reason)));
  }

  /** Takes up a search that was ended from outside. One that has its answer keeps it. */
  resume(): void {
    native(() => this.#binding.resume());
  }

  /**
   * Limits what may be spent (a number means runs, null takes the limits away); a larger budget resumes a search
   * that ended for want of one. Seconds are the driver's to watch: give them to {@link run}.
   *
   * @throws {@link FirstbadError} `invalid_argument`.
   */
  setBudget(budget: number | Omit<Budget, "seconds"> | null | undefined): void {
    const given = budgetFrom(budget);
    native(() => this.#binding.setBudget(json("budget", given)));
  }

  /**
   * Takes back the last `answers` answers. Their probes count as abandoned: they are asked again, and a corrected
   * answer under the old id is accepted.
   *
   * @throws {@link FirstbadError} `invalid_argument` where there are fewer answers.
   */
  undo(answers = 1): void {
    native(() => this.#binding.undo(wholeNumber("answers", answers, 0)));
  }

  /** Where the search stands. */
  get status(): Status {
    return this.#binding.status() as Status;
  }

  /** Whether there is nothing left to ask or to wait for. */
  get done(): boolean {
    return this.#binding.isDone();
  }

  /** Probes asked and not answered, oldest first. */
  get inFlight(): P[] {
    return probesFrom(this.#binding.inFlight()) as P[];
  }

  /** How many answers of the oracle cost a run. */
  get runs(): number {
    return this.#binding.runs();
  }

  /** How many answers came to probes, those that cost no run included. */
  get asked(): number {
    return this.#binding.asked();
  }

  /** The events so far. */
  get events(): SearchEvent[] {
    return JSON.parse(native(() => this.#binding.events(0)));
  }

  /** The events from number `from` on, for whoever follows a search. */
  eventsSince(from: number): SearchEvent[] {
    return JSON.parse(native(() => this.#binding.events(wholeNumber("from", from, 0))));
  }

  /**
   * Applies one event of another run of the same search.
   *
   * @throws {@link FirstbadError} `snapshot` for an event that does not fit, and what the event itself can raise.
   */
  apply(event: SearchEvent): void {
    native(() => this.#binding.apply(json("event", event)));
  }

  /** Configuration and events as one JSON text, to go on from later, elsewhere or in another language. */
  snapshot(): string {
    return native(() => this.#binding.snapshot());
  }
}

/** @internal */
export function probeId(probe: unknown): number {
  const id = typeof probe === "object" && probe !== null && "id" in probe ? probe.id : probe;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) throw invalid("id", probe, "a probe, or its id");
  return id;
}
