/** The smallest slice of a history that keeps a behaviour, in one call (DEFINER 2016). */

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

/** Tells whether the base with some of the changes passes, at once or with a promise. A {@link Callback}. */
export type SliceOracle = Callback<SliceProbe, ReductionProbe>;

/** The history, what tests it, how to search, and how to run that. `signal` is the AbortSignal. */
export interface SliceHistoryOptions
  extends SlicedHistory,
    Omit<SlicerOptions, "history" | "dependencies" | "charges" | "warnings">,
    Omit<DriveOptions<ReductionProbe>, "reader"> {
  /**
   * Does the base with these changes pass? A command oracle of the repository, or a function of a {@link SliceProbe}. Facts
   * in the `signals` of its observations say which changes are tried first.
   */
  oracle: CommandOf | SliceOracle;
  /**
   * What changes are thought to rest on. `"hunks"`: where a hunk edits what another one wrote. `"syntax"`: where a definition
   * uses what another change defines, in languages whose grammars are built in. `"auto"`, the default: both. `"none"`: they
   * are taken for independent. Or by index, the indices of changes, all of them; a list among them means any one of its
   * members. It orders what is asked, and forbids nothing: whether git can put changes together, the merge says.
   */
  dependencies?: "auto" | "hunks" | "syntax" | "none" | Dependencies;
  /**
   * Reports of what the test runs at `tip`, to start with the changes to that and what they rest on (CSlicer): tested once,
   * and dropped if that does not hold. The path of a report or several, or a {@link SliceCoverage}: of lcov, coverage.py
   * (`coverage json`), Cobertura, the folder of Node's `NODE_V8_COVERAGE`, or a JSON object with the lines of each file. It
   * takes the place of `start`. By default there are none.
   */
  coverage?: string | Iterable<string> | SliceCoverage;
}

/**
 * Finds the smallest part of a history that keeps a behaviour: the commits that a feature needs, to port it or to split a
 * pull request; with `keep: "fail"` those that together break it (Li, Zhu, Rubin and Chechik, "Precise Semantic History
 * Slicing through Dynamic Delta Refinement", 2016: DEFINER).
 *
 * It makes a {@link Slicer} of the changes between `base` and `tip`, along first parents, and drives it with {@link run},
 * whose promises about errors and signals hold here. Changes are put together by merges, without a checkout: where git
 * cannot merge them, and where the files are equal to others that were tested, the answer costs no run. A test that does
 * not pass at the tip is the status `not_reproduced`.
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
 * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`; `invalid_argument` for a `base` that is not
 * on the line of first parents of the tip, `paths` in which nothing changes, `tests` that the tip does not have, and other
 * arguments that cannot be meant; else as {@link Slicer} and {@link run} do. What the oracle throws, unchanged.
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
    // For tests that make facts of what they run.
    if (command !== undefined) await trials.during(() => slices.trace(command));
    runBy(trials.answer, command);
    return (await toEnd(slicer, trials.answer, driving)).report();
  } finally {
    await trials.close();
  }
}

/** The options of the search beside its history. */
const {
  history: _history,
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
  /** The options of the search, as JSON. */
  search: string;
}

function checked(options: SliceHistoryOptions): Given {
  const { reader } = Object(options);
  if (reader !== undefined) throw invalid("reader", reader, "none: a slice has nothing to see");
  const { oracle, store, ...given } = checkedOptions(options, KNOWN, "sliceHistory");
  runSettings(picked(given, RUN_OPTIONS));
  text("base", given.base);
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

/** Errors about a part of the history name the options of {@link sliceHistory}. */
async function underOwnNames<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FirstbadError)) throw error;
    throw new FirstbadError(error.code, error.message.replace(/^history\./, ""));
  }
}
