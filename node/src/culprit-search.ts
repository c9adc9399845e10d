/** One culprit, with a flaky test: FACF (Henderson et al. 2023). */

import type { BindingSearch } from "./binding.js";
import type { Commits } from "./commit.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { reportFrom } from "./fields.js";
import { CULPRIT, type CulpritOptions } from "./generated/options.js";
import type { CommitGraph } from "./graph.js";
import { type Hypothesis, type Posterior, posteriorFrom, posteriorOf } from "./posterior.js";
import type { Ranking } from "./ranking.js";
import type { RevisionObservation } from "./report.js";
import { Search, type Status } from "./search.js";
import type { SelectionReason } from "./why.js";
import { drawn, type InWords, readAs, worded } from "./words.js";

/** An outcome of a revision that was not seen. */
export interface MissingRun {
  /** The revision. */
  revision: string;
  /** The outcome that no run of it had. */
  outcome: "pass" | "fail";
}

/** Runs that passed and runs that failed. */
export interface RunCounts {
  passes: number;
  fails: number;
}

/** The answer of a culprit search, final or the best so far. Where the `conclusion` is `"culprit"`, there is one. */
export type CulpritReport = CulpritFindings &
  ({ conclusion: "culprit"; culprit: string } | { conclusion: "flake" | "inconclusive"; culprit: null });

/** What the answer of a culprit search says, whatever it concludes. */
export interface CulpritFindings extends InWords {
  /** Where the search stands. */
  status: Status;
  /** Who is to blame: one revision, nobody (a flake), or it cannot be said (yet). */
  conclusion: "culprit" | "flake" | "inconclusive";
  /**
   * Why that, or why not more: `confident`; `bisected` with `strategy: "bisect"`, where the probability says how far each
   * outcome is what its reruns make of it; `inseparable` where the suspects left differ only at revisions that cannot
   * be tested: unresolved ones, those inside a block of such, and those whose runs did not settle it; `unproven` where
   * one revision has reached the confidence, and is not named, because the runs in `missing` were not seen and cannot
   * be had, or because it has no parent that could pass; `contradictory` where the answers fit no single culprit at the
   * flake rate given; `good_end_fails`; `too_flaky` where the rates found would take too many runs; `budget` or `stopped`,
   * where that came first; `running`.
   */
  reason:
    | "running"
    | "confident"
    | "bisected"
    | "inseparable"
    | "unproven"
    | "contradictory"
    | "good_end_fails"
    | "too_flaky"
    | "budget"
    | "stopped";
  /** A summary in one or two sentences. */
  message: string;
  /** The culprit; null unless the conclusion is `culprit`. */
  culprit: string | null;
  /**
   * The posterior probability of the conclusion, in [0, 1]: for `culprit` that it is this revision, for `flake` that
   * there is no culprit, for `inconclusive` that of the most probable hypothesis.
   */
  probability: number;
  /** The posterior probability that there is no culprit, in [0, 1]. */
  noCulprit: number;
  /**
   * A name for this finding, 32 hexadecimal digits, as that of a {@link RegressionPoint}: of the culprit, or of all
   * suspects that cannot be told apart; `null` if nobody is to blame (yet).
   */
  fingerprint: string | null;
  /**
   * The fewest hypotheses that reach the confidence together, most probable first, once the search has ended; while it
   * runs only the most probable ones, at most ten.
   */
  credibleSet: Hypothesis[];
  /**
   * Where one suspect has reached the confidence: what was not seen (yet), of a failure of it and a pass of each of its
   * parents. Nobody is named before all of it was. Empty in all other cases.
   */
  missing: MissingRun[];
  /** What is to be known before one believes the answer, or its cost, in sentences. */
  warnings: string[];
  /** The posterior probability of every suspect, as it was when this report was made. */
  posterior: Posterior;
  /** The number of outcomes from the oracle. */
  asked: number;
  /** How many executions of the test all answers stand for, counts included. */
  runs: number;
  /** The flake rate in [0, 1): as given, or its posterior mean where it is estimated. */
  flakeRate: number;
  /** The rate of false passes, likewise. */
  falsePassRate: number;
  /**
   * Whether the rates told fit what was seen; true if none were told. False once what was seen is 1 / (1 - confidence)
   * times as likely with both rates unknown: these are then estimated instead (`verify`).
   */
  ratesConsistent: boolean;
  /** Whether the short verification at the end has confirmed the conclusion (`verify`). */
  verified: boolean;
  /**
   * How many failures came in a row at revisions that are healthy by the most probable hypothesis, by `started` or else
   * in the order told, if chance does not explain that; else null.
   */
  failureStreak: number | null;
  /** Runs at revisions that are healthy by the most probable hypothesis: what was seen of the flake rate. */
  healthyRuns: RunCounts;
  /** All observations, in the order told. */
  observations: RevisionObservation[];
  /** Why revisions were tried, for those that were asked or are to blame and of which the prior knows it (`"changes"`). */
  why: Readonly<Record<string, SelectionReason>>;
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  commits: Commits;
  /** The suspects as the build graph ranks them, where `findCulprit` was given one. */
  ranking?: Ranking;
}

/**
 * A search for the culprit with a flaky test, with the ask/tell interface. {@link run} and {@link findCulprit} drive it
 * for you. A batch can contain a revision several times, with different probe ids.
 *
 * The search reports a culprit only after the culprit failed and each of its parents passed in at least one run.
 * Without these runs the conclusion is `inconclusive` (`missing`). The search always ends. It stops testing a revision
 * after four times the runs that would settle it on average, and reports the suspects together that it cannot separate.
 * For 1,000 suspects the limit is 20 runs with known rates of 0.1 and 0, and about 460 runs with an estimated rate.
 *
 * @example
 * ```ts
 * const search = new CulpritSearch(graph, { bad: "main", good: "v1.0", flakeRate: 0.1 });
 * while (!search.done) {
 *   for (const probe of search.ask(4)) search.tell(probe.id, test(probe.revision));
 * }
 * const { conclusion, culprit, probability } = search.report();
 * ```
 */
export class CulpritSearch extends Search<CulpritReport> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, and `invalid_argument` if a rate,
   * probability, weight or cost is out of range, there is not exactly one bad revision, a good revision is not a proper
   * ancestor of the bad one, or every suspect has the weight 0.
   */
  constructor(graph: CommitGraph, options: CulpritOptions) {
    super(opened(CULPRIT, graph, options));
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of a culprit search, or its history differs.
   */
  static restore(graph: CommitGraph, snapshot: string): CulpritSearch {
    return new CulpritSearch(graph, restored(CULPRIT, graph, snapshot));
  }

  /** The current probabilities of the suspects. */
  get posterior(): Posterior {
    return believed(Search.bindingOf(this));
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`. Its posterior
   * contains only the hypotheses of `credibleSet`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static reportFromJson(text: string): CulpritReport {
    return culpritReport(readAs(CULPRIT.algorithm, text));
  }

  /** @internal */
  override reportOf(binding: BindingSearch): CulpritReport {
    return culpritReport(
      native(() => binding.report()),
      believed(binding),
      binding,
    );
  }
}

function culpritReport(written: string, posterior?: Posterior, binding?: BindingSearch): CulpritReport {
  const report = reportFrom<CulpritReport>(written);
  const { credibleSet, noCulprit } = report;
  const whole = { ...report, posterior: posterior ?? posteriorOf(credibleSet, noCulprit) };
  return worded(whole, CULPRIT.algorithm, written, undefined, drawn(binding, written));
}

function believed(binding: BindingSearch): Posterior {
  return posteriorFrom(native(() => binding.posterior()));
}
