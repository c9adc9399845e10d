/** A command as an oracle: run for a revision in a work tree of its own, outside the user's checkout. */

import type { BindingOracle } from "./binding.js";
import { BindingCancel } from "./binding.js";
import { closeAtExit, forget } from "./cleanup.js";
import { FirstbadError, invalid, native, nativePromise } from "./errors.js";
import { aBoolean, aNumber, aText, type Field, type Fields, json } from "./fields.js";
import type { Observation } from "./observation.js";
import { checkedOptions, isIterable, isRecord, namesOf, pathOf, type Several, severalTexts, text } from "./options.js";
import { bytesOf, Patch } from "./patch.js";

/**
 * What the ending of a command means; `stop` ends the run with a `command_stopped` error. `retry`: the machine failed and
 * not the code, so the revision is asked again, as after {@link Retry}; called by hand it is a `retry` error.
 */
export type Verdict = "pass" | "fail" | "unresolved" | "stop" | "retry";

/**
 * What stays in a work tree from one run to the next: nothing, or what the revision ignores. What is unresolved with what earlier
 * builds left is built anew once, and the note says so.
 */
export type BuildFolders = "fresh" | "warm";

/** A test runner whose exit codes and output are understood. */
export type Preset = "pytest" | "jest" | "vitest" | "mocha" | "node" | "cargo" | "go" | "ctest";

/** What has a name of what tests need installed: requirements.txt, uv.lock, package-lock.json, pnpm-lock.yaml. */
export type EnvironmentPreset = "venv" | "uv" | "npm" | "pnpm";

/**
 * What a test needs installed, and the files that say so: the same environment serves all revisions at which these files are
 * the same. It is kept in the cache folder, where later revisions, runs and processes find it.
 */
export interface Environment {
  /**
   * The files that say what belongs into it, as paths from the revision's root, or patterns of them: `*` stands for anything
   * within a name, two of them and a slash for folders, and a folder for all that it holds. What is not tracked is not seen.
   */
  files: Several<string>;
  /**
   * A program and its arguments, run in the work tree. It fills the folder that `FIRSTBAD_ENVIRONMENT` names, which is empty and
   * outside the work tree. Where it does not end with 0 the revision is unresolved at the stage `setup`.
   */
  command: Several<string>;
  /**
   * Paths that work trees have as links into the environment, such as `node_modules`; what the command leaves there is moved
   * into it. By default none.
   */
  link?: Several<string>;
  /**
   * A program and its arguments, run in each work tree, that prints what else the environment depends on, such as the
   * version of an interpreter. By default nothing else.
   */
  version?: Several<string>;
}

/**
 * How a command is run, and what its ending means. By default what `git bisect run` means: 0 passes, 1 to 124 fail, 125
 * is unresolved, 126 and 127 are a `command_not_found` error, anything else stops.
 *
 * A test may have stages, each a command that is run in the same work tree and whose output goes to the same file: `setup`,
 * `configure`, `build`, the test, and `control` after a test that failed. Where one other than the test does not end with 0
 * the revision is unresolved; {@link Observation.stage} says at which it ended, and {@link Observation.signature} how
 * (Artho, "Iterative Delta Debugging", Section 5.1). A code that `exitCodes` gives as `"retry"` is nobody's outcome at any
 * stage: the machine failed, and the revision is asked again.
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
  /**
   * The test runner that the command is: where it could not build or tested nothing, the revision is unresolved, whatever
   * the exit code is. `exitCodes` takes precedence. By default `"auto"`: the runner that the command names, as
   * `["npx", "jest"]` does. With `"none"`, exit codes mean what they mean to `git bisect run`.
   */
  preset?: Preset | "auto" | "none";
  /**
   * A regular expression (of Rust's crate `regex`; `^` and `$` match at every line) that the command's output must match for
   * a failure to be one; elsewhere it is unresolved.
   */
  signature?: string;
  /**
   * A regular expression that the command's output must match for a pass to be one (such as "all 12 tests passed");
   * elsewhere it is unresolved.
   */
  passed?: string;
  /**
   * Whether the observation of a failure has a signature too, which an unresolved one always has: how the command ended, and
   * what `signature` finds in the output (its first group, or else all that it matches) or, without it, the last line that
   * looks like an error, with `#` for numbers and without folders, addresses and colours. Searches for regressions take
   * another signature than the one searched for as unresolved. By default false.
   */
  signatures?: boolean;
  /** A command that is run first, after all patches: what installs things. The program and its arguments. */
  setup?: Several<string>;
  /** A command that is run after `setup`, and configures the build. */
  configure?: Several<string>;
  /** A command that is run after `configure`, and builds what is tested. */
  build?: Several<string>;
  /**
   * A command that is run after a test that failed, and must end with 0 for the failure to count: it shows that nothing else
   * is broken (Section 5.2). By default every failure counts.
   */
  control?: Several<string>;
  /**
   * How long each of `setup`, `configure`, `build` and `control` may run, and how long it may take to make the environment, or
   * to wait for another run that makes it, in seconds; by default for ever.
   */
  stageTimeout?: number;
  /**
   * What the test needs installed, made once for all revisions whose lock files are the same, before `setup`, and kept for later
   * runs. All stages find its folder in `FIRSTBAD_ENVIRONMENT` and its programs first in `PATH`. By default what the machine
   * has.
   */
  environment?: EnvironmentPreset | Environment;
  /**
   * Patches over every revision, in this order. One that a revision has already is left out there; where one does not apply
   * the revision is unresolved.
   */
  fixups?: Iterable<Patch | string | Uint8Array>;
  /**
   * Which files of your checkout lie in every work tree whose revision has none of that path, as they are now: `"auto"` for the
   * untracked ones that the commands name (`["./check.sh"]`), false for none, or paths, from the top of the checkout, tracked
   * or not; by default `"auto"`. What a build may have left is not carried by itself: programs that are no text, what lies in
   * ignored folders, and ignored files where something is built. Journals keep what the files hold.
   */
  carry?: "auto" | false | Several<string>;
  /**
   * Whether submodules are filled, from what the repository has of them, else from their URLs; by default not. Where that
   * cannot be done the revision is unresolved.
   */
  submodules?: boolean;
  /**
   * Whether the files that Git LFS keeps elsewhere are there, by `git-lfs`, which has to be installed: from what the
   * repository has of them, else from its remote, or from where the revision says. By default what the filters of your own
   * configuration make of them.
   */
  lfs?: boolean;
  /**
   * Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`; by default no.
   */
  allowFilters?: boolean;
  /** What stays in a work tree from one run to the next; by default `fresh`, nothing. */
  buildFolders?: BuildFolders;
  /**
   * Further environment variables of all stages. Always set are `FIRSTBAD_REVISION` (the full sha), `FIRSTBAD_WORKTREE`,
   * `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY` (folders and a file), `FIRSTBAD_JOB` (the least number from 0 that no other run of
   * this process has meanwhile: for ports, databases), and `FIRSTBAD_NEW_WORKTREE`: 1 until the first stage has been through in
   * the work tree, then 0. The test alone has `FIRSTBAD_SIGNALS`: a file into which it may write a JSON object,
   * the `signals` of its observation.
   */
  env?: Readonly<Record<string, string | undefined>> | ReadonlyMap<string, string>;
  /** Where the output goes, one file for each run; by default a new folder under the cache folder. Never removed. */
  outputDir?: string;
  /**
   * How many bytes of what each stage prints are kept: of more, the beginning and the end. `signature`, `passed` and
   * `preset` see what is kept. At least 4,096; by default 16 MiB.
   */
  outputLimit?: number;
  /** How long processes have between SIGTERM and SIGKILL, in seconds; by default 2. After an interruption at most 0.5. */
  grace?: number;
  /** Where the work trees live; must not be inside the repository's own; by default the cache folder. */
  worktrees?: string;
  /** Where environments are kept; must not be inside the repository's own work tree; by default the cache folder. */
  environments?: string;
}

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
  /** The paths of the files that are carried ({@link CommandOptions.carry}), from the top of the checkout. */
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

/** @internal As the binding takes them: what is JSON, and the patches. */
export function commandOptions(options: CommandOptions | undefined): [string, Uint8Array[]] {
  const given = checkedOptions(options, Object.keys(FIELDS), "commandOracle");
  const checked = (name: string, value: unknown) => FIELDS[name as keyof CommandOptions](name, value);
  const { fixups = [], ...rest } = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, checked(name, value)]),
  );
  return [json("options", rest), fixups as Uint8Array[]];
}

const seconds = aNumber("seconds as a number, like 300");

const VERDICTS = namesOf<Record<Verdict, true>>({ pass: true, fail: true, unresolved: true, stop: true, retry: true });

/** What an ending means. */
const aVerdict: Field = (argument, value) => {
  if (!(VERDICTS as readonly unknown[]).includes(value)) {
    throw invalid(argument, value, `one of ${VERDICTS.map((verdict) => JSON.stringify(verdict)).join(", ")}`);
  }
  return value;
};

/** What exit codes mean, in pairs. */
const meanings: Field = (argument, value) =>
  pairs(argument, value).map(([code, verdict]) => [
    exitCode(argument, code),
    aVerdict(`${argument}[${code}]`, verdict),
  ]);

/** Environment variables, in pairs; none for what is undefined, as in an environment that others made. */
const variables: Field = (argument, value) =>
  pairs(argument, value)
    .filter(([, value]) => value !== undefined)
    .map(([given, value]) => {
      const name = withoutZero(argument, text(argument, given), "a name without `=` and zero bytes");
      if (name === "" || name.includes("=")) throw invalid(argument, name, "a name without `=` and zero bytes");
      const place = `${argument}[${JSON.stringify(name)}]`;
      return [name, withoutZero(place, text(place, value), "a string without zero bytes")];
    });

const FIELDS: Fields<CommandOptions> = {
  timeout: seconds,
  onTimeout: aVerdict,
  onSignal: aVerdict,
  exitCodes: meanings,
  env: variables,
  outputDir: pathOf,
  outputLimit: aNumber("a whole number of bytes, at least 4096"),
  grace: seconds,
  worktrees: pathOf,
  buildFolders: aText,
  setup: words,
  configure: words,
  build: words,
  control: words,
  stageTimeout: seconds,
  environment: environmentFields,
  environments: pathOf,
  fixups: patches,
  carry: carried,
  submodules: aBoolean,
  lfs: aBoolean,
  allowFilters: aBoolean,
  signature: aText,
  passed: aText,
  signatures: aBoolean,
  preset: aText,
};

/** @internal A command: a program and its arguments. */
export function words(argument: string, command: unknown): string[] {
  const expected = `an array like ["npm", "test"]; for a shell's line, ["sh", "-c", line]`;
  if (!isIterable(command)) throw invalid(argument, command, expected);
  return Array.from(command, (part) => {
    if (typeof part !== "string") throw invalid(argument, part, 'strings, in an array like ["npm", "test"]');
    return withoutZero(argument, text(argument, part), "strings without zero bytes");
  });
}

function texts(argument: string, value: unknown): string[] {
  if (typeof value === "string") throw invalid(argument, value, "an array of texts");
  return severalTexts(argument, value);
}

/** An environment as the binding takes it: a name, or an object of arrays. */
function environmentFields(argument: string, environment: unknown): unknown {
  if (typeof environment === "string") return text(argument, environment);
  if (!isRecord(environment)) {
    throw invalid(argument, environment, "a preset's name, or an object with files and a command");
  }
  const fields = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, texts(`${argument}.${name}`, value)]));
}

/** The paths of files to carry; undefined for those that the commands name. */
function carried(argument: string, carry: unknown): string[] | undefined {
  if (carry === "auto") return undefined;
  if (carry === false) return [];
  if (!isIterable(carry)) throw invalid(argument, carry, '"auto", false or an array of paths');
  return severalTexts(argument, carry);
}

function patches(argument: string, fixups: unknown): Uint8Array[] {
  if (!isIterable(fixups) || fixups instanceof Uint8Array) throw invalid(argument, fixups, "an array of patches");
  return Array.from(fixups, (fixup, place) =>
    fixup instanceof Patch ? fixup.bytes : bytesOf(`${argument}[${place}]`, fixup),
  );
}

function pairs(argument: string, value: unknown): [unknown, unknown][] {
  if (value instanceof Map) return [...value];
  if (!isRecord(value)) throw invalid(argument, value, "an object or a Map");
  return Object.entries(value);
}

function exitCode(argument: string, code: unknown): number {
  const number = Number(code);
  if (!Number.isInteger(number) || code === "") throw invalid(argument, code, "whole numbers as keys");
  return number;
}

/** No process can be given a zero byte. */
function withoutZero(argument: string, value: string, expected: string): string {
  if (value.includes("\0")) throw invalid(argument, value, expected);
  return value;
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
