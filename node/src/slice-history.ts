/** Finds the smallest slice of a history that keeps a behavior (DEFINER 2016). */

import { type CommandOf, commandOf, runBy } from "./command-oracle.js";
import { type SliceCoverage, someCoverage } from "./coverage.js";
import { type Dependencies, someDependencies } from "./dependencies.js";
import { DRIVE_OPTIONS, type DriveOptions, picked, toEnd } from "./drive.js";
import { FirstbadError, invalid } from "./errors.js";
import { fieldsJson } from "./fields.js";
import { SLICE, SLICED_HISTORY, type SlicedHistory, type SlicerOptions } from "./generated/options.js";
import { checkedOptions, text } from "./options.js";
import type { Callback } from "./oracle.js";
import { OutcomeStore } from "./outcome-store.js";
import type { ReductionProbe, SliceProbe } from "./probe.js";
import { Repository } from "./repository.js";
import { RUN_OPTIONS, runSettings } from "./run.js";
import { Slicer } from "./slicer.js";
import type { SlicerReport } from "./slicer-report.js";
import { Slices } from "./slices.js";
import { Trials, testOf } from "./trials.js";

/** A {@link Callback} that tests the base with some of the changes. */
export type SliceOracle = Callback<SliceProbe, ReductionProbe>;

/** The history, its test, how to search, and how to run the search. `signal` is an AbortSignal. */
export interface SliceHistoryOptions
  extends SlicedHistory,
    Omit<SlicerOptions, "history" | "joined" | "merges" | "always" | "dependencies" | "charges" | "warnings">,
    Omit<DriveOptions<ReductionProbe>, "reader"> {
  /**
   * A function that tests a {@link SliceProbe}, or a command oracle of the repository. Facts in the `signals` of its
   * observations decide which changes are tried first.
   */
  oracle: CommandOf | SliceOracle;
  /**
   * The expected dependencies, which decide the order of tests. `"hunks"`: a hunk needs the hunks whose lines it edits.
   * `"syntax"`: a change needs the definitions that it uses, in languages with a built-in grammar. `"auto"` (the
   * default): both. `"none"`: no dependencies. Or indices of changes by index, where a list means any one of its
   * members. Dependencies forbid nothing, because Git decides whether changes merge.
   */
  dependencies?: "auto" | "hunks" | "syntax" | "none" | Dependencies;
  /**
   * Coverage reports of the test at `tip`. The search starts with the changes to covered code and their dependencies
   * (CSlicer), if that slice keeps the behavior. Give paths, or a {@link SliceCoverage}, of lcov, coverage.py
   * (`coverage json`), Cobertura, a folder of Node's `NODE_V8_COVERAGE`, or a JSON object with the lines of each file.
   * It replaces `start`. Default: no reports.
   */
  coverage?: string | Iterable<string> | SliceCoverage;
}

/**
 * Finds the smallest slice of a history that keeps a behavior, such as the commits that a feature needs. With `keep:
 * "fail"`, it finds the commits that together break the test (Li, Zhu, Rubin and Chechik, "Precise Semantic History
 * Slicing through Dynamic Delta Refinement", 2016: DEFINER).
 *
 * Runs a {@link Slicer} of the changes between `base` and `tip`, along first parents. Errors and signals are handled as
 * by {@link run}. A slice is the base with some changes, merged without a checkout. A merge conflict is an unresolved
 * outcome that costs no run. Slices with equal files are tested once. If the test does not pass at the tip, the status
 * is `not_reproduced`. With `onto`, it finds the other commits that `tip` needs for the test to pass on that branch.
 *
 * @example
 * ```ts
 * const repository = new Repository(".");
 * await using oracle = repository.commandOracle(["npm", "test"]);
 * const report = await sliceHistory(repository, { base: "v1.0", tip: "main", oracle, paths: ["src"], tests: ["test"] });
 * console.log(report.toText());
 * await report.createBranch("feature-alone");
 * ```
 *
 * @param repo The repository, or its path.
 * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`, `invalid_argument` if `base` is not a
 * first-parent ancestor of the tip, nothing changes in `paths`, a file in `tests` is not at the tip, or another
 * argument is invalid, and the errors of {@link Slicer} and {@link run}. Errors of the oracle are unchanged.
 */
export async function sliceHistory(repo: Repository | string, options: SliceHistoryOptions): Promise<SlicerReport> {
  const { oracle, store, driving, search } = checked(options);
  const repository = repo instanceof Repository ? repo : new Repository(text("repo", repo));
  const slices = new Slices(repository, store);
  const trials = new Trials(slices, testOf(repository, "oracle", oracle, slices));
  try {
    const made = await underOwnNames(() => trials.during(() => slices.search(search)));
    const slicer = Slicer.adopt(...made);
    const command = commandOf(oracle);
    // Let tests that collect facts write them.
    if (command !== undefined) await trials.during(() => slices.trace(command));
    runBy(trials.answer, command);
    return (await toEnd(slicer, trials.answer, driving)).report();
  } finally {
    await trials.close();
  }
}

/** The options of the search, besides its history. */
const {
  history: _history,
  joined: _joined,
  merges: _merges,
  always: _always,
  charges: _charges,
  warnings: _warnings,
  ...FIELDS
} = {
  ...SLICE.fields,
  dependencies: (argument: string, value: unknown) =>
    typeof value === "string" ? value : someDependencies(argument, value),
  coverage: someCoverage,
};

const KNOWN = [...Object.keys(SLICED_HISTORY), ...Object.keys(FIELDS), ...DRIVE_OPTIONS, "oracle"];

interface Given {
  oracle: CommandOf | SliceOracle;
  store: OutcomeStore | undefined;
  driving: DriveOptions<ReductionProbe>;
  /** The options of the search as JSON. */
  search: string;
}

function checked(options: SliceHistoryOptions): Given {
  const { reader } = Object(options);
  if (reader !== undefined) throw invalid("reader", reader, "none: a slice has nothing to see");
  const { oracle, store, ...given } = checkedOptions(options, KNOWN, "sliceHistory");
  runSettings(picked(given, RUN_OPTIONS));
  if (given.onto === undefined || given.base !== undefined) text("base", given.base);
  if (given.onto !== undefined) text("onto", given.onto);
  text("tip", given.tip);
  const history = JSON.parse(fieldsJson(picked(given, Object.keys(SLICED_HISTORY)), SLICED_HISTORY));
  const rest = JSON.parse(fieldsJson(picked(given, Object.keys(FIELDS)), FIELDS));
  return {
    oracle: oracle as CommandOf | SliceOracle,
    store: store === undefined ? undefined : OutcomeStore.forTrees(store),
    driving: picked(given, DRIVE_OPTIONS),
    search: JSON.stringify({ ...rest, history }),
  };
}

/** Renames the arguments in errors about the history to the options of {@link sliceHistory}. */
async function underOwnNames<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FirstbadError)) throw error;
    throw new FirstbadError(error.code, error.message.replace(/^history\./, ""));
  }
}
