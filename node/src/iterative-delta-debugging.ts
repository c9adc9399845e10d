/** A good version behind broken ones, and the fix brought forward, in one call (Artho 2011). */

import { type CommandOf, type CommandOracle, commandOf, runBy, words } from "./command-oracle.js";
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
 * Tells whether a revision with a patch on it passes, at once or with a promise. A {@link Callback}. An observation with a
 * `signature` and a `stage` tells one failure from another.
 */
export type PortOracle = Callback<PortProbe, VariantProbe>;

/** Where to start, how to go on, and how to run that. `signal` is the AbortSignal. */
export interface IterativeDeltaDebuggingOptions
  extends Omit<PorterOptions, "controlled" | "boundary">,
    Omit<DriveOptions<VariantProbe>, "reader"> {
  /**
   * A command, or an oracle like the first: it must pass wherever the test fails, else that failure does not count;
   * nor, going back, does a pass of the test with a part of a patch (IDD, Section 5.2). By default nothing is run. A command oracle's own `control` shares its work tree.
   */
  control?: Iterable<string> | CommandOf | PortOracle;
  /**
   * Another command, or such an oracle: what it says of the revision that the fix was brought to, without the fix and with
   * it, is in the report; two runs more. By default nothing is run.
   */
  also?: Iterable<string> | CommandOf | PortOracle;
}

/**
 * Finds a good version behind broken ones, what broke it, and the fix (Artho, "Iterative Delta Debugging", 2011).
 *
 * A test fails at `start`, and older versions cannot run it. The search walks back, carries along the smallest patch with
 * which the test fails as it does at the start, and makes a new one where the old one does not do. Once a version passes, it
 * finds what the test needs there, the smallest change that brings the failure back, and the one that mends it; with
 * `forward`, it brings that fix to a newer version.
 *
 * It makes a {@link Porter} and drives it with {@link run}, whose promises about errors and signals hold here. The
 * repository shows what has to be seen: there is no `reader`. Equal trees are run once; a `store` files outcomes under trees,
 * so it has no keys of its own.
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
 * @param oracle Does this revision with this patch pass? A command oracle of the repository, best one with stages
 * (`build`), or a function of a {@link PortProbe}.
 * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`; `invalid_argument` for a `good` that is no
 * ancestor of the start, and other arguments that cannot be meant; else as {@link Porter} and {@link run} do. What the
 * oracle or the control throws, unchanged.
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

/** The options of the search that are its caller's. */
const WALK = Object.keys(PORT.fields).filter((name) => name !== "controlled" && name !== "boundary");

interface Given extends Omit<IterativeDeltaDebuggingOptions, "revisions" | "alwaysKeep" | "store"> {
  revisions?: string[] | undefined;
  alwaysKeep?: string[] | undefined;
  store?: OutcomeStore | undefined;
}

/** The options, each list gone through once. */
function checked(options: IterativeDeltaDebuggingOptions): Given {
  const { reader } = Object(options);
  if (reader !== undefined) throw invalid("reader", reader, "none: the repository shows what has to be seen");
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

/** The report with what a second test says of the fix that was brought forward, if there is one. */
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

/** A second test, and what ends with it. */
function secondOf(
  repository: Repository,
  argument: string,
  given: Iterable<string> | CommandOf | PortOracle | undefined,
): { test: Test<VariantProbe>; close: () => Promise<void> } | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "function") {
    return { test: testOf(repository, argument, given, VARIANTS), close: async () => {} };
  }
  const owned = repository.commandOracle(words(argument, given as Several<string>));
  return { test: byCommand(owned, VARIANTS), close: () => owned.close() };
}

/** The search in the history of all revisions that are named. */
async function searchOf(repository: Repository, given: Given, controlled: boolean): Promise<Porter> {
  const options = fieldsJson({ ...picked(given, WALK), controlled }, PORT.fields);
  return Porter.adopt(await nativePromise(() => Repository.bindingOf(repository).porter(options)));
}
