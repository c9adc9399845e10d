/** A command as an oracle: run for a revision in a work tree of its own, outside the user's checkout. */

import type { BindingOracle } from "./binding.js";
import { BindingCancel } from "./binding.js";
import { closeAtExit, forget } from "./cleanup.js";
import { invalid, native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import type { Observation } from "./observation.js";
import { checkedOptions, text } from "./options.js";
import { bytesOf, Patch } from "./patch.js";

/** What the ending of a command means; `stop` ends the run with a `command_stopped` error. */
export type Verdict = "pass" | "fail" | "unresolved" | "stop";

/**
 * How a command is run, and what its ending means. By default what `git bisect run` means: 0 passes, 1 to 124 fail, 125
 * is unresolved, 126 and 127 are a `command_not_found` error, anything else stops.
 */
export interface CommandOptions {
  /** How long the command may run, in seconds, without the time to make the work tree; by default for ever. */
  timeout?: number;
  /** What it means that the command took longer than `timeout`; by default `unresolved`. */
  onTimeout?: Verdict;
  /** What it means that the command died by a signal or exited with 128 or above; by default `stop`. */
  onSignal?: Verdict;
  /** What single exit codes mean, whatever the rest says. A death by signal `n` counts as code `128 + n`. */
  exitCodes?: Readonly<Record<number, Verdict>> | ReadonlyMap<number, Verdict>;
  /** Further environment variables. `FIRSTBAD_REVISION` is always set to the full sha. */
  env?: Readonly<Record<string, string | undefined>> | ReadonlyMap<string, string>;
  /** Where the output goes, one file for each run; by default a new folder under the cache folder. Never removed. */
  outputDir?: string;
  /** How long processes have between SIGTERM and SIGKILL, in seconds; by default 2. */
  grace?: number;
  /** Where the work trees live; must not be inside the repository's own; by default the cache folder. */
  worktrees?: string;
}

/** What a {@link CommandOracle} takes beside the revision. */
export interface CommandContext {
  /** Aborting it ends the command's whole process group. */
  readonly signal?: AbortSignal;
  /**
   * A patch that is applied to the revision's work tree before the command is run. What it changes is in the index and
   * not committed; `FIRSTBAD_PATCH` names a file with it. By default none.
   */
  readonly patch?: Patch | string | Uint8Array;
}

/** An oracle that runs a command. Close it when done: `await using` does, and so does the end of the process. */
export interface CommandOracle {
  /**
   * Runs the command for a revision, with a patch over it if one is given. Aborting `signal` ends its whole process group
   * and rejects with the signal's own reason.
   *
   * @throws {@link FirstbadError} `command_not_found`, `command_stopped`, `interrupted`, `git`, `io`; `patch_conflict`
   * where the patch does not apply to the revision, `patch_syntax` where it is none.
   */
  (revision: string, context?: CommandContext): Promise<Observation>;
  /** Where the commands' output is kept. */
  readonly outputDir: string;
  /** Ends all commands that are running; they reject with `interrupted`, and so do later ones until `resume`. */
  interrupt(): void;
  /** Allows commands again after `interrupt`. */
  resume(): void;
  /** Ends all commands and removes the work trees. May be called again. */
  close(): Promise<void>;
  /** The same as {@link CommandOracle.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

const KNOWN: readonly (keyof CommandOptions)[] = [
  "timeout",
  "onTimeout",
  "onSignal",
  "exitCodes",
  "env",
  "outputDir",
  "grace",
  "worktrees",
];

/** @internal As the binding takes them. */
export function commandOptions(options: CommandOptions | undefined): string {
  const { exitCodes, env, ...given }: Record<string, unknown> = checkedOptions(options, KNOWN);
  return json("options", {
    ...given,
    exitCodes: pairs("exitCodes", exitCodes).map(([code, verdict]) => [exitCode(code), verdict]),
    env: pairs("env", env).filter(([, value]) => value !== undefined),
  });
}

function pairs(argument: string, value: unknown): [unknown, unknown][] {
  if (value === undefined) return [];
  if (value instanceof Map) return [...value];
  if (typeof value !== "object" || value === null) throw invalid(argument, value, "an object or a Map");
  return Object.entries(value);
}

function exitCode(code: unknown): number {
  const number = Number(code);
  if (!Number.isInteger(number) || code === "") throw invalid("exitCodes", code, "whole numbers as keys");
  return number;
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
    }).finally(() => forget(closeNow));
    return closing;
  };
  const oracle = async (revision: string, context?: CommandContext): Promise<Observation> => {
    const name = text("revision", revision);
    const { signal, patch } = context ?? {};
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
      return JSON.parse(await Promise.race([nativePromise(() => binding.run(name, cancel, over)), aborted]));
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };
  closeAtExit(closeNow);
  const methods = {
    outputDir: binding.outputDir,
    interrupt: () => native(() => binding.interrupt()),
    resume: () => native(() => binding.resume()),
    close,
    // Node 20 before 20.4 has no such symbol yet.
    [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]: close,
  };
  return Object.assign(oracle, methods) as unknown as CommandOracle;
}
