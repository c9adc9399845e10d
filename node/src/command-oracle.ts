/** A command as an oracle: run for a revision in a work tree of its own, outside the user's checkout. */

import type { BindingOracle } from "./binding.js";
import { BindingCancel } from "./binding.js";
import { closeAtExit, forget } from "./cleanup.js";
import { FirstbadError, native, nativePromise } from "./errors.js";
import { fieldsJson } from "./fields.js";
import { COMMAND, type CommandOptions } from "./generated/command.js";
import type { Observation } from "./observation.js";
import { checkedOptions, text } from "./options.js";
import { bytesOf, Patch } from "./patch.js";

/** What a {@link CommandOracle} takes beside the revision. */
export interface CommandContext {
  /** Aborting it ends the command's whole process group. */
  readonly signal?: AbortSignal;
  /**
   * A patch that is applied to the revision's work tree before the command is run. What it changes is in the index and
   * not committed; `FIRSTBAD_PATCH` names a file with it. If it does not apply, nothing is run and the observation is
   * `unresolved` at the stage `patch`, with the file and the hunk in its note. By default none.
   */
  readonly patch?: Patch | string | Uint8Array;
  /** The probe of the run, which searches pass. A probe that confirms a result builds from a clean worktree. */
  readonly probe?: { readonly confirms?: boolean };
}

/**
 * An oracle that runs a command. Close it when done: `await using` does, and so does the end of the process. Should that be
 * killed, or the worker terminated that made it, its commands are ended within a second; work trees that are left then are
 * removed by the next oracle of the same repository.
 */
export interface CommandOracle {
  /**
   * Runs the command for a revision, with a patch over it if one is given. Aborting `signal` ends its whole process group
   * and rejects with the signal's own reason.
   *
   * @throws {@link FirstbadError} `command_not_found`, `command_stopped`, `interrupted`, `git`, `io`; `patch_syntax`
   * if the patch is not one.
   */
  (revision: string, context?: CommandContext): Promise<Observation>;
  /** Where the commands' output is kept. */
  readonly outputDir: string;
  /**
   * Makes a work tree of a revision ready for a run that likely comes: of it, or of one near it. It is one that no run uses, or a
   * new one. Runs nothing. In a large repository it takes seconds, so it is for the time in which something else finds out what
   * to test first; while tests run, searches do so by themselves. What goes wrong is no reason to end anything: the next run makes
   * its own work tree.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `interrupted`, `git`, `io`.
   */
  checkOut(revision: string): Promise<void>;
  /** The paths of the files that are carried ({@link CommandOptions.copyFiles}), from the top of the checkout. */
  readonly carried: readonly string[];
  /** Ends all commands that are running; they reject with `interrupted`, and so do later ones until `resume`. */
  interrupt(): void;
  /** Allows commands again after `interrupt`. */
  resume(): void;
  /**
   * Ends all commands and removes the work trees; very large ones are removed by a process that goes on without this one. What cannot be removed is a process warning (`FirstbadWarning`); the next
   * oracle of the same repository tries again. May be called again.
   */
  close(): Promise<void>;
  /** The same as {@link CommandOracle.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A {@link CommandOracle}, without its call: so a function that is given in its place has the parameters of its own kind. */
export type CommandOf = Pick<CommandOracle, keyof CommandOracle>;

/** @internal The options as the binding takes them. */
export function commandOptions(options: CommandOptions | undefined): string {
  return fieldsJson(checkedOptions(options, Object.keys(COMMAND), "commandOracle"), COMMAND);
}

/** @internal */
export function commandOracle(binding: BindingOracle): CommandOracle {
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
  const oracle = (revision: string, context?: CommandContext) => runCommand(binding, revision, context, false);
  closeAtExit(closeNow);
  const methods = {
    outputDir: binding.outputDir,
    checkOut: (revision: string) => nativePromise(() => binding.checkOut(revision)),
    carried: Object.freeze(binding.carried),
    interrupt: () => native(() => binding.interrupt()),
    resume: () => native(() => binding.resume()),
    close,
    // Node 20 before 20.4 has no such symbol yet.
    [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]: close,
  };
  const made = Object.assign(oracle, methods) as unknown as CommandOracle;
  runBy(made, binding);
  sayWarnings(binding);
  return made;
}

/**
 * @internal Runs a command for a revision. With `signed` a failure has a signature too, whatever the options say: for
 * searches that compare failures.
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
    return JSON.parse(
      await Promise.race([
        nativePromise(() => binding.run(name, cancel, over, signed, probe?.confirms === true)),
        aborted,
      ]),
    );
  } finally {
    signal?.removeEventListener("abort", abort);
    sayWarnings(binding);
  }
}

/** Emits the new warnings that results of a test could be wrong. */
function sayWarnings(binding: BindingOracle): void {
  for (const warning of native(() => binding.takeWarnings())) process.emitWarning(warning, "FirstbadWarning");
}

/** What cannot be removed is removed the next time, and never costs an answer. */
function warn(error: unknown): void {
  if (!(error instanceof FirstbadError && error.code === "io")) throw error;
  process.emitWarning(`${error.message}; the next command oracle of the repository tries again`, "FirstbadWarning");
}

/** The commands that oracles run. */
const commands = new WeakMap<object, BindingOracle>();

/** @internal The command that an oracle runs; undefined if it is a function of the caller's. */
export function commandOf(oracle: object): BindingOracle | undefined {
  return commands.get(oracle);
}

/** @internal Says that an oracle runs a command, and nothing else. */
export function runBy(oracle: object, command: BindingOracle | undefined): void {
  if (command !== undefined) commands.set(oracle, command);
}
