/** The options of command oracles. Generated from the tables of options by `make generate`; do not edit. */

import {
  aCommand, anEnvironment, type Environment, type EnvironmentPreset, exitCodes, someCarried, somePatches, type Verdict,
  variables,
} from "../command-fields.js";
import { asItIs, type Fields } from "../fields.js";
import { pathOf, type Several } from "../options.js";
import type { Patch } from "../patch.js";

/** Options of {@link Repository.commandOracle}. */
export interface CommandOptions {
  /** The maximum duration of the command in seconds, without the time to prepare the worktree. By default no limit. */
  timeout?: number | null;
  /** The outcome of a command that exceeds `timeout`. By default `"unresolved"`. */
  onTimeout?: "pass" | "fail" | "unresolved" | "stop" | "retry";
  /**
   * The outcome of a command that dies by a signal or exits with 128 or above. `"stop"`, the default, ends the search
   * with an error. With `"retry"`, the machine failed rather than the revision, so the revision is run again.
   */
  onSignal?: "pass" | "fail" | "unresolved" | "stop" | "retry";
  /**
   * The outcomes of single exit codes, which take precedence over all other rules. A death by signal n has the code 128
   * + n. `"retry"` also counts at other stages. By default there are none.
   */
  exitCodes?: Readonly<Record<number, Verdict>> | ReadonlyMap<number, Verdict>;
  /**
   * The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved, whatever
   * the exit code is. `"none"`: exit codes mean what they mean to `git bisect run`. By default `"auto"`: the runner
   * that the command names, such as `["pytest", "-x"]`.
   */
  preset?: "auto" | "none" | "pytest" | "jest" | "vitest" | "mocha" | "node" | "cargo" | "go" | "ctest";
  /**
   * A regular expression (syntax of Rust's crate `regex`; `^` and `$` match at every line) that the output of a failure
   * must match. If it does not match, the revision is unresolved. By default every failure counts.
   */
  failPattern?: string | null;
  /**
   * A regular expression that the output of a pass must match, such as "all 12 tests passed". If it does not match, the
   * revision is unresolved. By default every pass counts.
   */
  passPattern?: string | null;
  /**
   * Whether the observation of a failure also has a signature, as an unresolved one always has: how the command ended,
   * and the part of the output that `failPattern` matches (its first group, if any). Without `failPattern`, it is the
   * last line that looks like an error, with `#` for numbers and without folders, addresses, and colors. Searches for
   * regressions count failures with another signature as unresolved. By default false.
   */
  distinguishFailures?: boolean;
  /**
   * A command (a program and its arguments) that runs first, after all patches, and installs things. By default none.
   */
  setup?: Several<string> | null;
  /** A command that runs after `setup` and configures the build. By default none. */
  configure?: Several<string> | null;
  /** A command that runs after `configure` and builds the program under test. By default none. */
  build?: Several<string> | null;
  /**
   * A command that runs after a test that failed, and must exit with 0 for the failure to count: it shows that nothing
   * else is broken (Section 5.2). Iterative delta debugging also runs it after a pass with a patch. By default every
   * failure counts.
   */
  control?: Several<string> | null;
  /**
   * The maximum duration in seconds of each of `setup`, `configure`, `build`, and `control`, and of the creation of the
   * environment. By default no limit.
   */
  stageTimeout?: number | null;
  /**
   * The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"` (package-lock.json), `"pnpm"`
   * (pnpm-lock.yaml), or an environment with its files and its command. It is created before `setup`, once for all
   * revisions with the same files, and kept for later runs. Stages find its folder in `FIRSTBAD_ENVIRONMENT` and its
   * programs first in `PATH`. If it cannot be created, the revision is unresolved at the stage `setup`. By default the
   * test uses the programs of the machine.
   */
  environment?: EnvironmentPreset | Environment | null;
  /**
   * Patches that are applied to every revision, in this order: a patch, or the text of one. A patch that a revision
   * already has is left out there. If a patch does not apply, the revision is unresolved. By default there are none.
   */
  applyPatches?: Iterable<Patch | string | Uint8Array>;
  /**
   * The files of your checkout that are copied into every worktree whose revision does not have them, as they are now:
   * false for none, or paths relative to the top of the checkout, tracked or not. By default `"auto"`: the untracked
   * files that the commands name (`["./check.sh"]`), without files that a build may have left, such as binaries and
   * files in ignored folders. Journals keep the contents.
   */
  copyFiles?: "auto" | false | Several<string>;
  /**
   * Whether to fill submodules, from what the repository has of them or else from their URLs. If that fails, the
   * revision is unresolved; if the network is the reason, it is run again. By default they are empty.
   */
  submodules?: boolean;
  /**
   * Whether to fetch the files of Git LFS with `git-lfs`, which must be installed, from what the repository has of them
   * or else from its remote. By default only the filters of your own configuration apply.
   */
  lfs?: boolean;
  /**
   * Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By default no, so a
   * repository cannot make firstbad run a program.
   */
  allowFilters?: boolean;
  /**
   * Whether a worktree keeps the files that the revision ignores (`.gitignore`) from one run to the next, so that
   * incremental builds are fast. An unresolved result is confirmed in a fresh worktree, and its note says so. By
   * default false: a worktree has only tracked files.
   */
  keepBuild?: boolean;
  /**
   * Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full sha),
   * `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the smallest number from 0 that no
   * other current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until the first stage
   * has passed in the worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is one), `FIRSTBAD_RUN`,
   * and, for the test alone, `FIRSTBAD_SIGNALS` (a file into which it can write a JSON object, the `signals` of its
   * observation). By default there are none.
   */
  env?: Readonly<Record<string, string | undefined>> | ReadonlyMap<string, string>;
  /**
   * The folder for the output of each run, `<sha>.log`. It is never removed. By default a new folder in the cache
   * folder.
   */
  outputDir?: string | null;
  /**
   * The number of bytes to keep of the output of each stage, at least 4096: if there are more, the first half and the
   * last half. `failPattern`, `passPattern`, and `preset` see these. By default 16 MiB.
   */
  outputLimit?: number;
  /** The seconds between SIGTERM and SIGKILL; after an interruption at most 0.5. By default 2. */
  killAfter?: number;
  /**
   * The folder for the worktrees, outside the worktree of the repository. By default the cache folder
   * (`$XDG_CACHE_HOME` or `~/.cache`).
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
