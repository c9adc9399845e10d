/** The culprits of a red suite. */

import type { BindingSearch } from "./binding.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { TRIAGE, type TriageOptions } from "./generated/options.js";
import { TRIAGE_FIELDS, type TriageFields } from "./generated/reports.js";
import type { CommitGraph } from "./graph.js";
import { type Answer, type Observation, suiteJson } from "./observation.js";
import type { Callback, OracleContext, SuiteCallback } from "./oracle.js";
import type { SuiteCall, SuiteProbe } from "./probe.js";
import { Search } from "./search.js";
import { drawn, type InWords, readAs, worded } from "./words.js";
import { madeFrom } from "./written.js";

/** The result of a triage, final or the best so far. */
export interface TriageReport extends TriageFields, InWords {}

/**
 * A search for the commits that broke the tests of a red suite, with the ask/tell interface. {@link run} and
 * {@link triage} drive it for you.
 *
 * A probe has a `revision` and `tests`, the ids of the tests to run there, so that one build serves many tests. The
 * tests are `null` for the whole suite, and empty for a build alone. Tell the outcomes by id. The outcomes of other
 * failing tests count as well, unknown tests are ignored, and a missing test is unresolved. A single outcome is that of
 * every test of the probe. If the revision cannot be built, tell `{ outcome: "unresolved", stage: "build" }`.
 *
 * A commit is named only after a test failed there and passed at each parent. A test that does not exist at the good
 * revision need not exist at the parents. The search always ends.
 *
 * If neither `tests` nor `tonight` is given, the search first asks for the whole suite at `bad` and, without `last`, at
 * the first good revision.
 *
 * @example
 * ```ts
 * const search = new TriageSearch(graph, { bad: "main", good: "v1.0", tests: ["test_a", "test_b"] });
 * while (!search.done) {
 *   for (const { id, revision, tests } of search.ask()) search.tell(id, runTests(revision, tests));
 * }
 * for (const { commit, tests } of search.report().culprits) console.log(commit, tests);
 * ```
 */
export class TriageSearch extends Search<TriageReport, SuiteProbe, SuiteCall> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, and `invalid_argument` if a weight, cost,
   * duration or the confidence is out of range, there is not exactly one bad revision, a good revision is neither the
   * bad one nor an ancestor of it, or a test is listed twice.
   */
  constructor(graph: CommitGraph, options: TriageOptions) {
    super(opened(TRIAGE, graph, options));
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a triage, or its history differs.
   */
  static restore(graph: CommitGraph, snapshot: string): TriageSearch {
    return new TriageSearch(graph, restored(TRIAGE, graph, snapshot));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson(text: string): TriageReport {
    return triageReport(readAs(TRIAGE.algorithm, text));
  }

  /** Returns the revision, and the ids of the tests to run there. */
  override subject({ revision, tests }: SuiteProbe): SuiteCall {
    return { revision, tests };
  }

  /** @internal */
  override call(
    oracle: Callback<SuiteCall, SuiteProbe>,
    { revision, tests }: SuiteProbe,
    context: OracleContext<SuiteProbe>,
  ): Answer | PromiseLike<Answer> {
    return (oracle as unknown as SuiteCallback)(revision, tests, context) as Answer | PromiseLike<Answer>;
  }

  /** @internal */
  override written(answer: Answer, argument?: string): string {
    return suiteJson(answer, argument);
  }

  /** @internal */
  override seen(answer: Answer): Observation {
    return JSON.parse(suiteJson(answer));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): TriageReport {
    return triageReport(
      native(() => binding.report()),
      binding,
    );
  }
}

function triageReport(written: string, binding?: BindingSearch): TriageReport {
  return worded(madeFrom(TRIAGE_FIELDS, written), TRIAGE.algorithm, written, undefined, drawn(binding, written));
}
