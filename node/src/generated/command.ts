/** The options of command oracles. Generated from the tables of options by `make generate`; do not edit. */

import {
  aCommand, anEnvironment, type Environment, type EnvironmentPreset, exitCodes, someCarried, somePatches, type Verdict,
  variables,
} from "../command-fields.js";
import { asItIs, type Fields, someIds } from "../fields.js";
import { pathOf, type Several } from "../options.js";
import type { Patch } from "../patch.js";

/** Options of {@link Repository.commandOracle}. */
export interface CommandOptions {
  /**
   * The time limit of the test in seconds, at least 0. The time to prepare the worktree does not count. By default
   * there is no limit.
   */
  timeout?: number | null;
  /**
   * The outcome of a test that exceeds `timeout`. Values other than the default require `timeout`. By default
   * `"unresolved"`.
   */
  onTimeout?: "pass" | "fail" | "unresolved" | "stop" | "retry";
  /**
   * The outcome of a test that a signal kills or that exits with code 128 or above. `"stop"` ends the search with an
   * error. `"retry"` runs the revision again, for crashes that the machine causes. By default `"stop"`.
   */
  onSignal?: "pass" | "fail" | "unresolved" | "stop" | "retry";
  /**
   * The outcomes of individual exit codes, which take precedence over all other rules. A test that signal n kills has
   * the code 128 + n. `"retry"` also applies to the other stages. By default there are none.
   */
  exitCodes?: Readonly<Record<number, Verdict>> | ReadonlyMap<number, Verdict>;
  /**
   * The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved, whatever
   * the exit code. `"none"` uses exit codes alone, as `git bisect run` does. `"auto"` detects the runner in the
   * command, such as `["pytest", "-x"]`. By default `"auto"`.
   */
  preset?: "auto" | "none" | "pytest" | "jest" | "vitest" | "mocha" | "node" | "cargo" | "go" | "ctest";
  /**
   * A regular expression that the output of a failing test must match, in the syntax of Rust's `regex` crate. `^` and
   * `$` match at every line. If the output does not match, the revision is unresolved. By default every failure counts.
   */
  failPattern?: string | null;
  /**
   * A regular expression that the output of a passing test must match, such as "all 12 tests passed". If the output
   * does not match, the revision is unresolved. By default every pass counts.
   */
  passPattern?: string | null;
  /**
   * Whether to record a signature of every failure, as firstbad always does for unresolved runs. Searches for
   * regressions then count failures with another signature as unresolved. A signature says how the command ended and
   * has the part of the output that `signature` matches (its first group, if any). Without `signature`, it has the last
   * line that looks like an error, with `#` for numbers and without folders, addresses, and colors. By default false.
   */
  distinguishFailures?: boolean;
  /**
   * A command (a program and its arguments) that runs first, after all patches are applied, for example to install
   * dependencies. By default there is none.
   */
  setup?: Several<string> | null;
  /** A command that runs after `setup` to configure the build. By default there is none. */
  configure?: Several<string> | null;
  /** A command that runs after `configure` to build the program under test. By default there is none. */
  build?: Several<string> | null;
  /**
   * A command that runs after a failing test to check that nothing else is broken. The failure counts only if this
   * command exits with 0 (Section 5.2). Iterative delta debugging also runs it after a test passes with a patch. By
   * default every failure counts.
   */
  control?: Several<string> | null;
  /**
   * The time limit in seconds, at least 0, of each of `setup`, `configure`, `build`, and `control`, and of creating the
   * environment. By default there is no limit.
   */
  stageTimeout?: number | null;
  /**
   * The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"` (package-lock.json), `"pnpm"`
   * (pnpm-lock.yaml), or a description with files and a command. firstbad creates the environment before `setup`, once
   * for all revisions with the same files, and keeps it for later runs. Stages find its folder in
   * `FIRSTBAD_ENVIRONMENT` and its programs first in `PATH`. If it cannot be created, the revision is unresolved at the
   * stage `setup`. By default the test uses the programs of the machine.
   */
  environment?: EnvironmentPreset | Environment | null;
  /**
   * Patches to apply to every revision, in this order, each as a patch or its text. firstbad skips a patch that the
   * revision already contains. If a patch does not apply, the revision is unresolved. By default there are none.
   */
  applyPatches?: Iterable<Patch | string | Uint8Array>;
  /**
   * The files of your checkout to copy into every worktree whose revision does not have them. Give paths of files or
   * folders relative to the top of the checkout, tracked or not, or false to copy no files. Ignored files in folders
   * are left out. `"auto"` selects the untracked files that the commands name (`["./check.sh"]`), except possible build
   * output such as binaries and files in ignored folders. firstbad copies the contents that the files have at the
   * start, and journals keep them. By default `"auto"`.
   */
  copyFiles?: "auto" | false | Several<string>;
  /**
   * Whether to fill submodules, from the repository if it has their commits, or else from their URLs. If a submodule
   * cannot be filled, the revision is unresolved. If the network is the cause, firstbad runs the revision again. By
   * default false, so submodules are empty.
   */
  submodules?: boolean;
  /**
   * Whether to fetch Git LFS files that the repository does not have, with `git-lfs`, which must be installed. By
   * default false, so only the filters of your own configuration apply.
   */
  lfs?: boolean;
  /**
   * Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By default false, so a
   * repository cannot make firstbad run a program.
   */
  allowFilters?: boolean;
  /**
   * Whether a worktree keeps ignored files (`.gitignore`) between runs, so incremental builds are fast. Before firstbad
   * accepts an unresolved outcome, it repeats the run in a fresh worktree and says so in the note. By default false.
   */
  keepBuild?: boolean;
  /**
   * Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full commit id),
   * `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the lowest number from 0 that no
   * other current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until the first stage
   * passes in the worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is one), and `FIRSTBAD_RUN`.
   * Only the test has `FIRSTBAD_SIGNALS`, a file for a JSON object that becomes the `signals` of the observation. By
   * default there are none.
   */
  env?: Readonly<Record<string, string | undefined>> | ReadonlyMap<string, string>;
  /**
   * The folder for the output of each run, `<sha>.log`. firstbad never removes the folder. By default a new folder in
   * the cache folder.
   */
  outputDir?: string | null;
  /**
   * The number of bytes of output to keep for each stage, at least 4096. Of longer output, firstbad keeps the beginning
   * and the end, in equal parts. `failPattern`, `passPattern`, and `preset` see only the output that is kept. By
   * default 16 MiB.
   */
  outputLimit?: number;
  /**
   * The seconds between SIGTERM and SIGKILL, at least 0. After an interruption, firstbad waits at most 0.5 seconds. By
   * default 2.
   */
  killAfter?: number;
  /**
   * The folder for worktrees, outside the worktree of the repository. By default the cache folder (`$XDG_CACHE_HOME` or
   * `~/.cache`).
   */
  worktrees?: string | null;
  /** The folder for environments, outside the worktree of the repository. By default the cache folder. */
  environments?: string | null;
}

/** @internal */
export const COMMAND: Fields<CommandOptions> = {
  timeout: asItIs,
  onTimeout: asItIs,
  onSignal: asItIs,
  exitCodes: exitCodes,
  preset: asItIs,
  failPattern: asItIs,
  passPattern: asItIs,
  distinguishFailures: asItIs,
  setup: aCommand,
  configure: aCommand,
  build: aCommand,
  control: aCommand,
  stageTimeout: asItIs,
  environment: anEnvironment,
  applyPatches: somePatches,
  copyFiles: someCarried,
  submodules: asItIs,
  lfs: asItIs,
  allowFilters: asItIs,
  keepBuild: asItIs,
  env: variables,
  outputDir: pathOf,
  outputLimit: asItIs,
  killAfter: asItIs,
  worktrees: pathOf,
  environments: pathOf,
};

/** Options of {@link Repository.suiteOracle} about tests. */
export interface SuiteOptions {
  /**
   * The test runner: `"pytest"`, `"jest"`, `"vitest"`, `"mocha"`, `"node"`, `"cargo"`, `"nextest"`, `"go"`, `"ctest"`,
   * `"bazel"`, or `"custom"`. By default, the runner that the command names, or a custom one if there is `results`.
   */
  runner?: string | null;
  /**
   * The place of the results of a custom runner, as `FORMAT:PATH`. The format is `junit`, `tap`, `jest`, `mocha`, `go`,
   * `libtest`, or `jsonl`. The path is relative to the worktree, or `-` for the output. `exit` runs one test at a time
   * and takes its exit code.
   */
  results?: string | null;
  /**
   * Regular expressions for failures of the machine, in the syntax of Rust's `regex` crate. A failure whose message
   * matches is unresolved. They add to a built-in list: no space left, connection reset, name resolution, out of
   * memory, and GPU drivers.
   */
  infra?: string | Iterable<string>;
  /**
   * The number of builds that stay in worktrees, or `"all"`. The default is 2. Tests that run in a kept build see the
   * files that earlier tests left.
   */
  keepBuilds?: number | "all";
}

/** @internal */
export const SUITE: Fields<SuiteOptions> = {
  runner: asItIs,
  results: asItIs,
  infra: someIds,
  keepBuilds: asItIs,
};

/** Options of {@link Repository.measureOracle} about numbers. */
export interface MeasureOptions {
  /**
   * The numbers to measure, one or several. `"seconds"`, `"cpu-seconds"` (with child processes), and `"memory"` (peak,
   * in bytes) are about the test command. `"regex:EXPR"` reads the output: the first group of each match, or the whole
   * match. `"json:PATH"` reads JSON on standard output, and `"json:FILE#PATH"` reads a JSON file of the worktree, with
   * a path as in RFC 9535. `"file-size:GLOB"` is the size in bytes of all matching files of the worktree.
   * `"last-number"` is the last number on standard output.
   */
  metric: string | Iterable<string>;
  /**
   * How several values of one run become one number. The default is `"median"`. `"median"`: the value in the middle.
   * `"min"`: the smallest value. `"mean"`: the arithmetic mean.
   */
  take?: "median" | "min" | "mean";
  /** The number of runs to throw away after each build. The default is 1 if a metric is a time, and 0 otherwise. */
  warmup?: number | null;
  /**
   * The number of builds that stay in worktrees, or `"all"`. The default is 8. A run in a kept build sees the files
   * that earlier runs left.
   */
  keepBuilds?: number | "all";
}

/** @internal */
export const MEASURE: Fields<MeasureOptions> = {
  metric: someIds,
  take: asItIs,
  warmup: asItIs,
  keepBuilds: asItIs,
};
