/** The commit that changed a number. */

import type { BindingSearch } from "./binding.js";
import type { ChangeReport } from "./change-report.js";
import type { MeasureOracle } from "./command-oracle.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { CHANGE, type ChangeOptions } from "./generated/options.js";
import { CHANGE_FIELDS } from "./generated/reports.js";
import type { CommitGraph } from "./graph.js";
import { type Measure, type Measured, measuredJson, needsControl, Pair } from "./measured.js";
import type { Answer, Observation } from "./observation.js";
import type { Callback, OracleContext } from "./oracle.js";
import type { Probe } from "./probe.js";
import { Search } from "./search.js";
import { drawn, readAs, worded } from "./words.js";
import { madeFrom } from "./written.js";

/**
 * A search for the commit that changed a number, with the ask/tell interface. {@link run} and {@link findChange} drive
 * it for you.
 *
 * Tell the number of each probe, or an observation with a `metric`. Tell nothing if a revision cannot be measured. If
 * the search has several `metrics`, tell numbers by name. With `paired: true`, tell an observation with a `metric` and a
 * `control`, which {@link run} does for you. A search can ask for a revision several times, and every number counts.
 *
 * The search names a commit only after it measured the commit and each of its parents, and their numbers differ. If the
 * endpoints do not differ by `atLeast`, the search names no commit. The search always ends.
 *
 * @example
 * ```ts
 * const search = new ChangeSearch(graph, { bad: "main", good: "v1.0", atLeast: "5%" });
 * while (!search.done) {
 *   for (const { id, revision } of search.ask()) search.tell(id, secondsOf(revision));
 * }
 * for (const { commit, before, after } of search.report().steps) console.log(commit, before, after);
 * ```
 */
export class ChangeSearch extends Search<ChangeReport> {
  readonly #metrics: readonly string[];
  readonly #isPaired: boolean;

  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, and `invalid_argument` if a weight, cost or
   * the confidence is out of range, there is not exactly one bad revision, a good revision is not an ancestor of the bad
   * one, or there is no revision between them.
   */
  constructor(graph: CommitGraph, options: ChangeOptions) {
    const binding = opened(CHANGE, graph, options);
    super(binding);
    const { metrics = {}, paired } = JSON.parse(native(() => binding.configuration()));
    this.#metrics = Object.keys(metrics);
    this.#isPaired = paired;
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of such a search, or its history differs.
   */
  static restore(graph: CommitGraph, snapshot: string): ChangeSearch {
    return new ChangeSearch(graph, restored(CHANGE, graph, snapshot));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson(text: string): ChangeReport {
    return changeReport(readAs(CHANGE.algorithm, text));
  }

  /** Tells the number of a probe, or an observation. See {@link Search.tell}. */
  override tell(probe: number | Probe, measured: Measured | Answer): void {
    super.tell(probe, measured as Answer);
  }

  /** Tells a number that the search did not ask for. See {@link Search.observe}. */
  override observe(revision: string, measured: Measured | Answer): void {
    super.observe(revision, measured as Answer);
  }

  /** @internal */
  override get callback(): string {
    return "measure";
  }

  /** @internal */
  override call(oracle: Callback<string, Probe>, probe: Probe, context: OracleContext): Answer | PromiseLike<Answer> {
    if (!this.#isPaired) return super.call(oracle, probe, context);
    const { runPaired } = oracle as Partial<MeasureOracle>;
    const [good = ""] = this.report().good;
    if (runPaired !== undefined) return runPaired(probe.revision, good, context);
    return this.#pair(oracle as unknown as Measure, probe, good, context) as Promise<unknown> as Promise<Answer>;
  }

  /** Measures a revision and then the good revision. */
  async #pair(measure: Measure, probe: Probe, good: string, context: OracleContext): Promise<Measured | Pair> {
    const measured = await measure(probe.revision, context);
    return needsControl(measured) ? new Pair(measured, await measure(good, context)) : measured;
  }

  /** @internal A boolean is most likely the outcome of a test, so only the full conversion takes it. */
  override bare(): number {
    return -1;
  }

  /** @internal */
  override written(answer: Answer, argument?: string): string {
    return measuredJson(answer, this.#metrics, argument);
  }

  /** @internal */
  override seen(answer: Answer): Observation {
    return JSON.parse(this.written(answer));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): ChangeReport {
    return changeReport(
      native(() => binding.report()),
      binding,
    );
  }
}

function changeReport(written: string, binding?: BindingSearch): ChangeReport {
  const report = madeFrom(CHANGE_FIELDS, written) as ChangeReport;
  return worded(report, CHANGE.algorithm, written, undefined, drawn(binding, written));
}
