/** What a reporter prints after a red run: how to find the commit that broke each test. */

import { execFileSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { invalid } from "../errors.js";
import { commandLine, type Suggested } from "./command.js";

/** What a reporter takes in the configuration of the runner. */
export interface ReporterOptions {
  /** A revision where the tests pass; by default the last tag before the commit that is checked out. */
  good?: string;
  /** For how many failing tests at most a command is printed; by default 3. With 0 nothing is printed. */
  limit?: number;
  /** Whether the tests are flaky, or how often one fails at a healthy revision; by default every answer is trusted. */
  flaky?: boolean | number;
}

/**
 * @internal The options, looked at before the tests run.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
export function reporterOptions(options: ReporterOptions): ReporterOptions {
  const { limit = 0, flaky = false } = options;
  if (!Number.isInteger(limit) || limit < 0) throw invalid("limit", limit, "a whole number, 0 or above");
  if (typeof flaky !== "boolean" && typeof flaky !== "number") throw invalid("flaky", flaky, "true, false or a rate");
  return options;
}

/** @internal A test that failed: the whole path of its file, and its name, without which the file itself failed. */
export interface Failure {
  readonly file: string;
  readonly name?: string | undefined;
}

const UNKNOWN = "REVISION";

/** @internal The text for these failures; `undefined` where there is nothing to say: all passed, or `root` is in no repository. */
export function suggestions(
  runner: Suggested["runner"],
  root: string,
  failures: readonly Failure[],
  options: ReporterOptions = {},
): string | undefined {
  const { limit = 3, flaky } = options;
  // A run that a search made has its search already.
  if (failures.length === 0 || limit === 0 || process.env.FIRSTBAD_RUN !== undefined) return undefined;
  const top = git(root, "rev-parse", "--show-toplevel");
  if (top === undefined) return undefined;
  const good = options.good ?? git(root, "describe", "--tags", "--abbrev=0", "HEAD^");
  const how = { runner, good: good ?? UNKNOWN, flaky, environment: environment(top), folder: within(top, root) };
  const shown = failures.slice(0, limit);
  const lines = ["", "To find the commits that broke these tests:", ""];
  for (const { file, name } of shown) {
    lines.push(`  ${commandLine({ file: within(top, file), name }, how, process.platform)}`);
  }
  if (failures.length > shown.length) lines.push(`  and ${failures.length - shown.length} more`);
  if (good === undefined) lines.push("", `Replace ${UNKNOWN} by the last revision that passed.`);
  if (how.environment === undefined && existsSync(join(root, "node_modules"))) {
    lines.push("", 'Worktrees have no node_modules. Install them with an option such as --setup "npm install".');
  }
  return `${lines.join("\n")}\n\n`;
}

/** What git answers; `undefined` where there is no git, no repository, or no answer. */
function git(folder: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trimEnd();
  } catch {
    return undefined;
  }
}

function environment(top: string): "npm" | "pnpm" | undefined {
  if (existsSync(join(top, "package-lock.json"))) return "npm";
  return existsSync(join(top, "pnpm-lock.yaml")) ? "pnpm" : undefined;
}

/** A path as seen from the repository's folder, which git names without links. */
function within(top: string, path: string): string {
  return relative(real(top), real(path)).replaceAll("\\", "/");
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
