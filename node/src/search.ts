/** The ask/tell interface that all searches share. */

import { inspect } from "node:util";
import { type BindingSearch, cardPage } from "./binding.js";
import { type Budget, budgetFrom } from "./budget.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { explanations } from "./explanation.js";
import { json } from "./fields.js";
import type { Explanation, SelectionReason, Status } from "./generated/reports.js";
import { type Answer, bareOutcome, type Observation, observationJson, observed } from "./observation.js";
import { text, wholeNumber } from "./options.js";
import type { AnswerOf, Callback, OracleContext } from "./oracle.js";
import { type AnyProbe, type Probe, probesFrom, type TargetOf } from "./probe.js";
import type { Read } from "./reader.js";
import { madeBy } from "./words.js";

/**
 * The subject of an event: the id of a revision, a set of changes in short form (`"0-3,7"`), or changes on a revision.
 * `universe` is the id of the read whose changes they are.
 */
export type EventTarget =
  | { revision: string; changes?: never; universe?: never }
  | { changes: string; revision?: string; universe?: number };

/** An event of a search. The state of a search is its configuration and its events. */
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
 * The ask/tell interface of a search. It is deterministic: the same configuration and the same calls give the same
 * probes, in every language and on every machine.
 *
 * All methods throw {@link FirstbadError}. A call that throws changes nothing.
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

  /** @internal Whether the search uses the order of runs in time. */
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

  /** @internal Returns the report of a search of this kind. */
  abstract reportOf(binding: BindingSearch): Report;

  /** Returns the result so far, which is final when the search is `done`. */
  report(): Report {
    return madeBy(this.reportOf(this.#binding), this.#binding);
  }

  /**
   * Returns why the search tested each revision, and which suspects each outcome ruled out. The array has one entry for
   * each outcome that counts, in the order told. The search is replayed, which takes as long as its decisions took.
   */
  explain(): Explanation[] {
    return explanations(this.#binding);
  }

  /**
   * Returns why the prior prefers a revision, given by its full id. The reasons concern the revision or the one right
   * after it. The result is `null` if the prior gives no reasons. `"changes"` and a {@link CommitRanking} give reasons.
   */
  why(revision: string): SelectionReason | null {
    const id = text("revision", revision);
    return JSON.parse(native(() => this.#binding.why(id)) ?? "null");
  }

  /**
   * Returns a self-contained HTML page with the state of the search: suspects, outcomes, and at the end the result.
   * Notebooks also show it.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the algorithm is from outside this package.
   */
  toHtml(): string {
    return cardPage(this.drawn(this.#binding));
  }

  /** @internal Returns the card as an HTML fragment. */
  protected drawn(binding: BindingSearch): string {
    return native(() => binding.card(binding.report()));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": inspect(this), "text/html": this.drawn(this.#binding) };
  }

  /**
   * Returns the argument of the oracle for a probe: the revision to test, or the kept items in their original order.
   */
  subject(probe: P): Subject {
    return (probe as Probe).revision as Subject;
  }

  /** @internal Calls the oracle for a probe. */
  call(oracle: Callback<Subject, P>, probe: P, context: OracleContext<P>): Answer | PromiseLike<Answer> {
    return oracle(this.subject(probe), context);
  }

  /** @internal The name of the oracle in messages, or undefined for the usual one. */
  get callback(): string | undefined {
    return undefined;
  }

  /** @internal Returns the number of a plain outcome for the binding, or -1 for other values. */
  bare(answer: Answer): number {
    return bareOutcome(answer);
  }

  /** @internal Returns a value of an oracle as the binding takes it. */
  written(answer: Answer, argument?: string): string {
    return observationJson(answer, argument);
  }

  /** @internal Returns the observation of a valid value of an oracle. */
  seen(answer: Answer): Observation {
    return observed(answer);
  }

  /** @internal Returns the subject of an outcome as the binding takes it. */
  target(given: unknown, argument = "revision"): string | Uint32Array {
    return text(argument, given);
  }

  /** @internal Returns the digest of the items, or `null` if there is none. */
  digest(): string | null {
    return null;
  }

  /**
   * Returns at most `k` probes to run next, in parallel with the probes in flight. At most 1,024 probes can be in
   * flight. The array is empty if the search is done, must wait for outcomes in flight, or must read content first
   * ({@link Search.reads}).
   *
   * @throws {@link FirstbadError} `invalid_argument` if `k` is not a whole number, at least 1.
   */
  ask(k = 1): P[] {
    if (!(Number.isInteger(k) && k >= 0 && k <= 0xffff_ffff)) throw invalid("k", k, "a whole number, at least 1");
    return probesFrom(native(() => this.#binding.ask(k))) as P[];
  }

  /**
   * Tells the outcome of a probe, given as the probe or its id, or in a triage the outcomes by test. Outcomes can
   * arrive in any order. You can tell the same outcome again, and the outcome of an abandoned probe counts.
   *
   * @throws {@link FirstbadError} `unknown_probe`, `contradiction` (for sets `non_deterministic`) if the revision or
   * set already has another outcome, or with a flaky test this probe, and `invalid_argument` if the outcome is invalid,
   * a time, cost or count is negative, or the counts do not fit the outcome.
   */
  tell(probe: number | P, answer: AnswerOf<P>): void {
    const [number, told] = [probeId(probe), answer as Answer];
    const outcome = this.bare(told);
    const observation = outcome >= 0 ? "" : this.written(told);
    if (outcome >= 0) native(() => this.#binding.tell(number, outcome));
    else native(() => this.#binding.tellObservation(number, observation));
  }

  /**
   * Abandons a probe without an outcome. The search can ask for its revision or set again. A probe with an outcome
   * keeps it.
   *
   * @throws {@link FirstbadError} `unknown_probe` if the probe does not exist.
   */
  abandon(probe: number | P): void {
    native(() => this.#binding.abandon(probeId(probe)));
  }

  /**
   * Tells an outcome that the search did not ask for. It costs no run.
   *
   * @param target The revision, or the indices of the kept items.
   * @throws {@link FirstbadError} `unknown_revision`, and the errors of {@link Search.tell}.
   */
  observe(target: TargetOf<P>, answer: AnswerOf<P>): void {
    const observation = this.written(answer as Answer);
    native(() => this.#binding.observe(this.target(target), observation));
  }

  /**
   * Moves a suspect or a set to the front of the queue.
   *
   * @param target The revision, or the indices of the kept items.
   * @throws {@link FirstbadError} `unknown_revision` if the revision does not exist, and `invalid_argument` if an index
   * is out of range.
   */
  enqueue(target: TargetOf<P>): void {
    native(() => this.#binding.enqueue(this.target(target)));
  }

  /**
   * Returns whether the outcome of a probe in flight is still useful. If not, a driver can cancel the run.
   *
   * @throws {@link FirstbadError} `unknown_probe` if the probe does not exist.
   */
  wanted(probe: number | P): boolean {
    return native(() => this.#binding.wanted(probeId(probe)));
  }

  /** The content that the search must read before it can continue, oldest first. A read costs no run and no budget. */
  get reads(): Read[] {
    return JSON.parse(native(() => this.#binding.reads()) ?? "[]");
  }

  /**
   * Gives the content for a read. You can give the same content again.
   *
   * @throws {@link FirstbadError} `unknown_read`, `invalid_argument` if the content is too large or not of the
   * requested kind, `contradiction` if the read already has other content.
   */
  give(id: number, content: Uint8Array): void {
    if (!(content instanceof Uint8Array)) throw invalid("content", content, "a Uint8Array");
    native(() => this.#binding.give(probeId(id), content));
  }

  /** Stops the search. Outcomes of probes in flight still count. */
  stop(reason: "stopped" | "budget" = "stopped"): void {
    native(() => this.#binding.stop(text("reason", reason)));
  }

  /** Resumes a stopped search. A search with a final result keeps it. */
  resume(): void {
    native(() => this.#binding.resume());
  }

  /**
   * Limits the budget. A number means runs, and null removes the limits. A larger budget resumes a search that used up
   * its budget. Pass a limit in seconds to {@link run}, because only drivers watch the clock.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the budget is invalid.
   */
  setBudget(budget: number | Omit<Budget, "seconds"> | null | undefined): void {
    const given = budgetFrom(budget);
    native(() => this.#binding.setBudget(json("budget", given)));
  }

  /**
   * Takes back the last `answers` outcomes. Their probes count as abandoned, and you can tell corrected outcomes with
   * the same ids.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the search has fewer outcomes.
   */
  undo(answers = 1): void {
    native(() => this.#binding.undo(wholeNumber("answers", answers, 0)));
  }

  /** The status of the search. */
  get status(): Status {
    return this.#binding.status() as Status;
  }

  /** Whether the search has nothing left to ask or to wait for. */
  get done(): boolean {
    return this.#binding.isDone();
  }

  /** The probes without an outcome, oldest first. */
  get inFlight(): P[] {
    return probesFrom(this.#binding.inFlight()) as P[];
  }

  /** The number of outcomes that cost a run. */
  get runs(): number {
    return this.#binding.runs();
  }

  /** The number of outcomes of probes, including those without a run. */
  get asked(): number {
    return this.#binding.asked();
  }

  /** The events so far. */
  get events(): SearchEvent[] {
    return JSON.parse(native(() => this.#binding.events(0)));
  }

  /** Returns the events from number `from` on, to follow a search. */
  eventsSince(from: number): SearchEvent[] {
    return JSON.parse(native(() => this.#binding.events(wholeNumber("from", from, 0))));
  }

  /**
   * Applies an event of another run of the same search.
   *
   * @throws {@link FirstbadError} `snapshot` if the event does not fit, or an error of the event itself.
   */
  apply(event: SearchEvent): void {
    native(() => this.#binding.apply(json("event", event)));
  }

  /** Returns the configuration and events as JSON, to continue later, on another machine or in another language. */
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
