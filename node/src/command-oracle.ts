/** Commands that run as oracles, in worktrees outside the user's checkout. */

import type { BindingOracle } from "./binding.js";
import { BindingCancel } from "./binding.js";
import { closeAtExit, forget } from "./cleanup.js";
import { FirstbadError, native, nativePromise } from "./errors.js";
import { fieldsJson } from "./fields.js";
import {
  COMMAND,
  type CommandOptions,
  MEASURE,
  type MeasureOptions,
  SUITE,
  type SuiteOptions,
} from "./generated/command.js";
import type { Observation } from "./observation.js";
import { checkedOptions, severalIds, text } from "./options.js";
import { bytesOf, Patch } from "./patch.js";

/** The context of a {@link CommandOracle}, besides the revision. */
export interface CommandContext {
  /** Aborting this signal stops the process group of the command. */
  readonly signal?: AbortSignal;
  /**
   * A patch to apply to the worktree before the command runs. Its changes are in the index, without a commit, and
   * `FIRSTBAD_PATCH` names a file with the patch. If it does not apply, nothing runs, and the observation is
   * `unresolved` at the stage `patch`, with the file and the hunk in its note. Default: no patch.
   */
  readonly patch?: Patch | string | Uint8Array;
  /** The probe of the run, which searches pass. A probe that confirms a result builds from a clean worktree. */
  readonly probe?: { readonly confirms?: boolean };
}

/**
 * An oracle that runs a command. Close it after use: `await using` and the end of the process do so. If the process or
 * worker is killed, its commands end within a second, and the next oracle of the same repository removes the worktrees.
 */
export interface CommandOracle {
  /**
   * Runs the command for a revision, with an optional patch. Aborting `signal` stops its process group and rejects with
   * the reason of the signal.
   *
   * @throws {@link FirstbadError} `command_not_found`, `command_stopped`, `interrupted`, `git`, `io`, and
   * `patch_syntax` if the patch is invalid.
   */
  (revision: string, context?: CommandContext): Promise<Observation>;
  /** The folder with the output of the commands. */
  readonly outputDir: string;
  /**
   * Prepares a worktree for a likely next run at this revision or a near one, without a run. It takes seconds in a
   * large repository. Searches prepare worktrees while tests run. You can ignore an error, because the next run creates
   * a worktree if necessary.
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find the revision, `interrupted` if the oracle is
   * interrupted, `git` if a Git command fails, and `io` if a file cannot be written.
   */
  checkOut(revision: string): Promise<void>;
  /** The paths of the carried files ({@link CommandOptions.copyFiles}), from the top of the checkout. */
  readonly carried: readonly string[];
  /** Stops all running commands, which reject with `interrupted`. New runs also reject until `resume`. */
  interrupt(): void;
  /** Allows new runs after `interrupt`. */
  resume(): void;
  /**
   * Stops all commands and removes the worktrees. A separate process removes very large ones. If a worktree cannot be
   * removed, you get a process warning (`FirstbadWarning`), and the next oracle of the same repository tries again. You
   * can call it again.
   */
  close(): Promise<void>;
  /** Calls {@link CommandOracle.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A {@link CommandOracle} without its call signature, so that a function in its place keeps its parameters. */
export type CommandOf = Pick<CommandOracle, keyof CommandOracle>;

/** @internal Returns the options as the binding takes them. */
export function commandOptions(options: CommandOptions | undefined): string {
  return fieldsJson(checkedOptions(options, Object.keys(COMMAND), "commandOracle"), COMMAND);
}

/** Options of {@link Repository.suiteOracle}. */
export interface SuiteCommandOptions
  extends SuiteOptions,
    Omit<CommandOptions, "control" | "failPattern" | "passPattern"> {}

/**
 * An oracle that runs chosen tests of a revision with one build. Close it after use: `await using` and the end of the
 * process do so.
 */
export interface SuiteOracle extends CommandOf {
  /**
   * Runs tests of a revision, given by their ids: the whole suite without `tests`, and only a build if there are none.
   * Resolves with an observation with `results`. A test without a result is unresolved. Aborting `signal` stops the
   * process group and rejects with the reason of the signal.
   *
   * @throws {@link FirstbadError} `command_not_found`, `command_stopped`, `interrupted`, `git`, `io`.
   */
  (
    revision: string,
    tests?: Iterable<string> | null,
    context?: { readonly signal?: AbortSignal },
  ): Promise<Observation>;
}

/** @internal Returns the options as the binding takes them. */
export function suiteOptions(options: SuiteCommandOptions | undefined): string {
  const fields = { ...SUITE, ...COMMAND };
  return fieldsJson(checkedOptions(options, Object.keys(fields), "suiteOracle"), fields);
}

/** @internal */
export function suiteOracle(binding: BindingOracle): SuiteOracle {
  const run = (revision: string, tests?: Iterable<string> | null, context?: { readonly signal?: AbortSignal }) => {
    const name = text("revision", revision);
    const wanted = tests === undefined || tests === null ? null : severalIds("tests", tests);
    return untilAborted(binding, context?.signal, (cancel) => binding.runTests(name, wanted, cancel));
  };
  return closeable(async (...given: Parameters<typeof run>) => run(...given), binding) as unknown as SuiteOracle;
}

/** Options of {@link Repository.measureOracle}. */
export interface MeasureCommandOptions
  extends MeasureOptions,
    Omit<CommandOptions, "control" | "distinguishFailures" | "failPattern" | "passPattern"> {}

/**
 * An oracle that measures numbers at revisions. Two commands never run at the same time, so that they do not disturb
 * each other. Close it after use: `await using` and the end of the process do so.
 */
export interface MeasureOracle extends CommandOf {
  /**
   * Measures a revision. Resolves with an observation with a `metric`, or with `metrics` by name if there are several. If
   * there is no number, the observation is unresolved and its note says why. If the command exceeded its time limit, a
   * time is `censored`. Aborting `signal` stops the process group and rejects with the reason of the signal.
   *
   * @throws {@link FirstbadError} `command_not_found`, `command_stopped`, `interrupted`, `git`, `io`.
   */
  (revision: string, context?: { readonly signal?: AbortSignal }): Promise<Observation>;
  /**
   * Measures a revision and then a good revision, as searches with `paired: true` do. Both are built before. Resolves
   * with the observation of the revision, with the number of the good revision in `control`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if there are several metrics, or fewer than two builds are kept, and
   * the errors of a call.
   */
  runPaired(revision: string, control: string, context?: { readonly signal?: AbortSignal }): Promise<Observation>;
}

/** @internal Returns the options as the binding takes them. */
export function measureOptions(options: MeasureCommandOptions): string {
  const fields = { ...MEASURE, ...COMMAND };
  return fieldsJson(checkedOptions(options, Object.keys(fields), "measureOracle"), fields);
}

/** @internal */
export function measureOracle(binding: BindingOracle): MeasureOracle {
  const measure = (revision: string, control: string | null, signal: AbortSignal | undefined) => {
    const name = text("revision", revision);
    return untilAborted(binding, signal, (cancel) => binding.measure(name, control, cancel));
  };
  type Context = { readonly signal?: AbortSignal };
  const oracle = async (revision: string, context?: Context) => measure(revision, null, context?.signal);
  const runPaired = async (revision: string, control: string, context?: Context) =>
    measure(revision, text("control", control), context?.signal);
  return closeable(Object.assign(oracle, { runPaired }), binding) as unknown as MeasureOracle;
}

/** @internal */
export function commandOracle(binding: BindingOracle): CommandOracle {
  const oracle = (revision: string, context?: CommandContext) => runCommand(binding, revision, context, false);
  return closeable(oracle, binding) as unknown as CommandOracle;
}

/** Adds the methods of an oracle with worktrees to its function. */
function closeable(oracle: object, binding: BindingOracle): object {
  let closing: Promise<void> | undefined;
  const closeNow = () => {
    binding.interrupt();
    binding.closeSync();
  };
  const close = (): Promise<void> => {
    closing ??= nativePromise(() => {
      binding.interrupt();
      return binding.close();
    })
      .catch(warn)
      .finally(() => forget(closeNow));
    return closing;
  };
  closeAtExit(closeNow);
  const methods = {
    outputDir: binding.outputDir,
    checkOut: (revision: string) => nativePromise(() => binding.checkOut(revision)),
    carried: Object.freeze(binding.carried),
    interrupt: () => native(() => binding.interrupt()),
    resume: () => native(() => binding.resume()),
    close,
    // Node 20 before 20.4 does not have this symbol.
    [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]: close,
  };
  const made = Object.assign(oracle, methods);
  runBy(made, binding);
  sayWarnings(binding);
  return made;
}

/**
 * @internal Runs a command for a revision. With `signed`, every failure has a signature, for searches that compare
 * failures.
 */
export async function runCommand(
  binding: BindingOracle,
  revision: string,
  context: CommandContext | undefined,
  signed: boolean,
): Promise<Observation> {
  const name = text("revision", revision);
  const { signal, patch, probe } = context ?? {};
  const over = patch instanceof Patch ? patch.bytes : patch === undefined ? null : bytesOf("patch", patch);
  const isFresh = probe?.confirms === true;
  return untilAborted(binding, signal, (cancel) => binding.run(name, cancel, over, signed, isFresh));
}

/** Returns the observation of a run. An aborted signal stops the run. */
async function untilAborted(
  binding: BindingOracle,
  signal: AbortSignal | undefined,
  run: (cancel: BindingCancel) => Promise<string>,
): Promise<Observation> {
  if (signal?.aborted) throw signal.reason;
  const cancel = new BindingCancel();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      cancel.cancel();
      reject(signal?.reason);
    };
  });
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return JSON.parse(await Promise.race([nativePromise(() => run(cancel)), aborted]));
  } finally {
    signal?.removeEventListener("abort", abort);
    sayWarnings(binding);
  }
}

/** Emits the new warnings that results of a test could be wrong. */
function sayWarnings(binding: BindingOracle): void {
  for (const warning of native(() => binding.takeWarnings())) process.emitWarning(warning, "FirstbadWarning");
}

/** A worktree that cannot be removed is removed the next time. */
function warn(error: unknown): void {
  if (!(error instanceof FirstbadError && error.code === "io")) throw error;
  process.emitWarning(`${error.message}. The next command oracle of the repository tries again`, "FirstbadWarning");
}

/** The commands of oracles. */
const commands = new WeakMap<object, BindingOracle>();

/** @internal Returns the command of an oracle, or undefined if the oracle is a function. */
export function commandOf(oracle: object): BindingOracle | undefined {
  return commands.get(oracle);
}

/** @internal Registers the command of an oracle. */
export function runBy(oracle: object, command: BindingOracle | undefined): void {
  if (command !== undefined) commands.set(oracle, command);
}
