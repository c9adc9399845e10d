/** The output of a reporter after a failed run: the command that finds the commits that broke its tests. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { invalid } from "../errors.js";
import { commandLine, type Suggested, triageLine } from "./command.js";

/** The options of a reporter in the configuration of the test runner. */
export interface ReporterOptions {
  /** A revision at which the tests pass. Default: the last tag before `HEAD`. */
  good?: string;
  /** The maximum number of failed tests to search, 0 or above. With 0, the reporter prints nothing. Default: all. */
  limit?: number;
  /** Whether the tests are flaky, or the flake rate of a single test in (0, 1). Default: the tests are reliable. */
  flaky?: boolean | number;
}

/**
 * @internal Checks the options before the tests run.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an option is invalid.
 */
export function reporterOptions(options: ReporterOptions): ReporterOptions {
  const { limit = 0, flaky = false } = options;
  if (!Number.isInteger(limit) || limit < 0) throw invalid("limit", limit, "a whole number, 0 or above");
  if (typeof flaky !== "boolean" && typeof flaky !== "number") throw invalid("flaky", flaky, "true, false or a rate");
  return options;
}

/** @internal A failed test: the full path of its file, and its name. Without a name, the file itself failed. */
export interface Failure {
  readonly file: string;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
}

const UNKNOWN = "REVISION";

/** @internal Returns the text for failed tests, or `undefined` if all tests passed or `root` is not in a repository. */
export function suggestions(
  runner: Suggested["runner"],
  root: string,
  failures: readonly Failure[],
  options: ReporterOptions = {},
): string | undefined {
  const { limit = failures.length, flaky } = options;
  // A search runs these tests already.
  if (failures.length === 0 || limit === 0 || process.env.FIRSTBAD_RUN !== undefined) return undefined;
  const top = git(root, "rev-parse", "--show-toplevel");
  if (top === undefined) return undefined;
  const good = options.good ?? git(root, "describe", "--tags", "--abbrev=0", "HEAD^");
  const how = { runner, good: good ?? UNKNOWN, flaky, environment: environment(top), folder: within(top, root) };
  const shown = failures.slice(0, limit);
  const [first, ...others] = shown.map((one) => ({ ...one, file: within(top, one.file) }));
  const lines = [
    "",
    `To find the ${others.length > 0 ? "commits" : "commit"} that broke ${counted(shown.length)}:`,
    "",
  ];
  if (first !== undefined && others.length === 0) lines.push(`  ${commandLine(first, how, process.platform)}`);
  else lines.push(`  ${triageLine(written(runner, root, top, shown), how, process.platform)}`);
  if (failures.length > shown.length) lines.push(`  and ${failures.length - shown.length} more`);
  if (good === undefined) lines.push("", `Replace ${UNKNOWN} by the last revision that passed.`);
  if (how.environment === undefined && existsSync(join(root, "node_modules"))) {
    lines.push("", 'Worktrees have no node_modules. Install them with an option such as --setup "npm install".');
  }
  return `${lines.join("\n")}\n\n`;
}

function counted(tests: number): string {
  return tests === 1 ? "this test" : `these ${tests} tests`;
}

/** Writes failed tests as JSON lines that firstbad reads, and returns the path relative to the current folder. */
function written(runner: string, root: string, top: string, failures: readonly Failure[]): string {
  const results = failures.map(({ file, name, message }) => {
    const place = within(top, file);
    const scope = name === undefined ? { scope: "file" } : {};
    return { id: name === undefined ? place : `${place}::${name}`, file: place, outcome: "fail", message, ...scope };
  });
  const path = join(cache(root, top), "failed.jsonl");
  writeFileSync(path, [{ runner }, ...results].map((one) => `${JSON.stringify(one)}\n`).join(""));
  return relative(process.cwd(), path).replaceAll("\\", "/");
}

/** Creates a folder for a file that a printed command names. */
function cache(root: string, top: string): string {
  const packages = [root, top].map((folder) => join(folder, "node_modules")).find(existsSync);
  if (packages === undefined) return mkdtempSync(join(tmpdir(), "firstbad-"));
  const folder = join(packages, ".cache/firstbad");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Returns the output of a Git command, or `undefined` if the command fails. */
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

/** Returns a path relative to the top folder of the repository, which Git names without links. */
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
