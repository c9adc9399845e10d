/** Finds a good version behind broken ones, and ports the fix (Artho 2011). */

import { aCommand } from "./command-fields.js";
import { type CommandOf, type CommandOracle, commandOf, runBy } from "./command-oracle.js";
import { DRIVE_OPTIONS, type DriveOptions, picked, toEnd } from "./drive.js";
import { invalid, nativePromise } from "./errors.js";
import { aList, aText, fieldsJson } from "./fields.js";
import { PORT, type PorterOptions } from "./generated/options.js";
import { observationJson } from "./observation.js";
import { checkedOptions, type Several, text } from "./options.js";
import type { Callback } from "./oracle.js";
import { OutcomeStore } from "./outcome-store.js";
import { Porter } from "./porter.js";
import type { PorterReport } from "./porter-report.js";
import type { PortProbe, VariantProbe } from "./probe.js";
import type { Read } from "./reader.js";
import { Repository } from "./repository.js";
import { RUN_OPTIONS, runSettings } from "./run.js";
import { Search } from "./search.js";
import { byCommand, type Test, Trials, testOf } from "./trials.js";
import { VARIANTS, Variants } from "./variants.js";

/**
 * A {@link Callback} that tests a revision with a patch. The `signature` and `stage` of an observation identify the
 * failure.
 */
export type PortOracle = Callback<PortProbe, VariantProbe>;

/** How to search, and how to run the search. `signal` is an AbortSignal. */
export interface IterativeDeltaDebuggingOptions
  extends Omit<PorterOptions, "controlled" | "boundary">,
    Omit<DriveOptions<VariantProbe>, "reader"> {
  /**
   * A command, or an oracle like the first. A failure of the test counts only if the control passes, and so does a pass
   * with part of a patch on the way back (IDD, Section 5.2). The `control` of a command oracle runs in the same
   * worktree instead. Default: no control.
   */
  control?: Iterable<string> | CommandOf | PortOracle;
  /**
   * A second command or oracle. It runs at the revision that the fix was ported to, once without the fix and once with
   * it. The report contains both outcomes. Default: no second test.
   */
  also?: Iterable<string> | CommandOf | PortOracle;
}

/**
 * Finds a good version behind broken ones, what broke it, and the fix (Artho, "Iterative Delta Debugging", 2011).
 *
 * Use it if a test fails at `start` and older versions cannot run it. The search walks back through older versions with
 * the smallest patch that lets the test run and fail in the same way. At a version that passes, it finds the changes
 * that the test needs, the smallest change that breaks it, and the smallest change that fixes it. With `forward`, it
 * ports the fix to a newer version.
 *
 * Runs a {@link Porter}. Errors and signals are handled as by {@link run}. The repository is the reader. Equal trees
 * run once. A `store` must not have keys, because outcomes are stored by tree.
 *
 * @example
 * ```ts
 * const repository = new Repository(".");
 * await using oracle = repository.commandOracle(["./run-test"], { build: ["make"] });
 * const report = await iterativeDeltaDebugging(repository, oracle, { start: "main", control: ["./smoke-test"] });
 * console.log(report.toText());
 * ```
 *
 * @param repo The repository, or its path.
 * @param oracle A function that tests a {@link PortProbe}, or a command oracle of the repository, preferably with
 * stages (`build`).
 * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`, `invalid_argument` if `good` is not an
 * ancestor of the start or another argument is invalid, and the errors of {@link Porter} and {@link run}. Errors of the
 * oracle and the control are unchanged.
 */
export async function iterativeDeltaDebugging(
  repo: Repository | string,
  oracle: CommandOracle,
  options: IterativeDeltaDebuggingOptions,
): Promise<PorterReport>;
export async function iterativeDeltaDebugging(
  repo: Repository | string,
  oracle: PortOracle,
  options: IterativeDeltaDebuggingOptions,
): Promise<PorterReport>;
export async function iterativeDeltaDebugging(
  repo: Repository | string,
  oracle: CommandOracle | PortOracle,
  options: IterativeDeltaDebuggingOptions,
): Promise<PorterReport> {
  const { control, also, store, ...given } = checked(options);
  const repository = repo instanceof Repository ? repo : new Repository(text("repo", repo));
  const test = testOf(repository, "oracle", oracle, VARIANTS);
  const guard = secondOf(repository, "control", control);
  const other = secondOf(repository, "also", also);
  try {
    const search = await searchOf(repository, given, guard !== undefined || commandOf(oracle)?.controlled === true);
    const variants = new Variants(repository, Search.bindingOf(search), store);
    const trials = new Trials(variants, test, guard?.test);
    try {
      runBy(trials.answer, commandOf(oracle));
      const reader = (read: Read) => trials.during(() => variants.read(read));
      const how = { ...picked(given, DRIVE_OPTIONS), reader };
      const report = (await toEnd(search, trials.answer, how)).report();
      return other === undefined ? report : await held(report, other.test, given.signal);
    } finally {
      await trials.close();
    }
  } finally {
    await guard?.close();
    await other?.close();
  }
}

/** The options of the search that callers can set. */
const WALK = Object.keys(PORT.fields).filter((name) => name !== "controlled" && name !== "boundary");

interface Given extends Omit<IterativeDeltaDebuggingOptions, "revisions" | "alwaysKeep" | "store"> {
  revisions?: string[] | undefined;
  alwaysKeep?: string[] | undefined;
  store?: OutcomeStore | undefined;
}

/** Returns the options, with each iterable read once. */
function checked(options: IterativeDeltaDebuggingOptions): Given {
  const { reader } = Object(options);
  if (reader !== undefined) throw invalid("reader", reader, "none, because the search reads the repository");
  const known = [...WALK, ...DRIVE_OPTIONS, "control", "also"];
  const { revisions, alwaysKeep, store, ...given } = checkedOptions(options, known, "iterativeDeltaDebugging");
  runSettings(picked(given, RUN_OPTIONS));
  const list = (argument: string, expected: string, value: unknown) =>
    value === undefined ? undefined : (aList(expected, aText)(argument, value) as string[]);
  return {
    ...given,
    start: text("start", given.start),
    store: store === undefined ? undefined : OutcomeStore.forTrees(store),
    revisions: list("revisions", "several revisions, newest first", revisions),
    alwaysKeep: list("alwaysKeep", "several paths", alwaysKeep),
  };
}

/** Adds the outcomes of the second test to the report. */
async function held(report: PorterReport, test: Test<VariantProbe>, signal?: AbortSignal): Promise<PorterReport> {
  const { forward, details, asked } = report;
  if (forward === null || details.forward === undefined) return report;
  const { revision } = details.forward.on;
  const seen: string[] = [];
  for (const [place, patch] of [Buffer.alloc(0), Buffer.from(forward.bytes)].entries()) {
    const probe = { id: asked + place, revision } as VariantProbe;
    const context = { signal: signal ?? new AbortController().signal, probe };
    context.signal.throwIfAborted();
    seen.push(
      observationJson(await test(probe, { patch, tree: "", way: place === 0 ? "none" : "exact" }, context), "also"),
    );
  }
  return report.withAlso(...(seen as [string, string]));
}

/** Returns the second test, and the command oracle to close. */
function secondOf(
  repository: Repository,
  argument: string,
  given: Iterable<string> | CommandOf | PortOracle | undefined,
): { test: Test<VariantProbe>; close: () => Promise<void> } | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "function") {
    return { test: testOf(repository, argument, given, VARIANTS), close: async () => {} };
  }
  const owned = repository.commandOracle(aCommand(argument, given as Several<string>));
  return { test: byCommand(owned, VARIANTS), close: () => owned.close() };
}

/** Creates the search in the history of all named revisions. */
async function searchOf(repository: Repository, given: Given, controlled: boolean): Promise<Porter> {
  const options = fieldsJson({ ...picked(given, WALK), controlled }, PORT.fields);
  return Porter.adopt(await nativePromise(() => Repository.bindingOf(repository).porter(options)));
}
