/** The shell commands that find the commits that broke tests. */

/** @internal A failed test: its file, and its name for the runner's `-t`. Without a name, the file failed to run. */
export interface FailedTest {
  /** The path relative to the top folder of the repository, with `/`. */
  readonly file: string;
  readonly name?: string | undefined;
}

/** @internal The options of a command, which all failed tests of a run share. */
export interface Suggested {
  readonly runner: "vitest" | "jest";
  /** A revision that passed, or a placeholder in capitals if none is known. */
  readonly good: string;
  /** Whether the tests are flaky, or their flake rate. */
  readonly flaky?: boolean | number | undefined;
  /** The preset that installs the packages of a revision, if its lock file is known. */
  readonly environment?: "npm" | "pnpm" | undefined;
  /** The folder of the project in the repository, with `/`. Empty for the top folder. */
  readonly folder: string;
}

/** @internal Returns the command for one failed test. */
export function commandLine(test: FailedTest, how: Suggested, platform: NodeJS.Platform): string {
  const words = ["npx", "firstbad", "run", "--good", how.good, "--bad", "HEAD"];
  if (how.flaky === true) words.push("--flaky");
  if (typeof how.flaky === "number") words.push("--flaky", String(how.flaky));
  words.push("--preset", how.runner, ...program(how));
  words.push(...(how.runner === "jest" ? ["--runTestsByPath"] : []), test.file);
  if (test.name !== undefined) words.push("-t", pattern(test.name, platform));
  return line(words, platform);
}

/** @internal Returns the command for all failed tests in a file of results. */
export function triageLine(results: string, how: Suggested, platform: NodeJS.Platform): string {
  const words = ["npx", "firstbad", "triage", "--good", how.good, "--bad", "HEAD", "--bad-results", results];
  // A triage estimates the rates.
  if (how.flaky === true || typeof how.flaky === "number") words.push("--confidence", "0.99");
  return line([...words, ...program(how)], platform);
}

/** Returns the words that run the tests of the project. */
function program({ runner, environment, folder }: Suggested): string[] {
  const start = runner === "jest" ? ["jest"] : ["vitest", "run"];
  const root = folder === "" ? [] : [runner === "jest" ? "--rootDir" : "--root", folder];
  return [...(environment === undefined ? [] : ["--environment", environment]), "--", "npx", ...start, ...root];
}

function line(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === "win32" ? quoteForWindows : quoteForPosix).join(" ");
}

/** Returns a regular expression for a name, with `.` for characters that are not safe in every shell. */
function pattern(name: string, platform: NodeJS.Platform): string {
  const unsafe = platform === "win32" ? /["%!&|<>`^$\p{Cc}]/u : /\p{Cc}/u;
  const signs = [...name].map((sign) => {
    if (unsafe.test(sign)) return /\s/.test(sign) ? "\\s" : ".";
    return /[.*+?^${}()|[\]\\/]/.test(sign) ? `\\${sign}` : sign;
  });
  return `^${signs.join("")}$`;
}

function quoteForPosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for cmd and PowerShell. A backslash at the end would escape the quote. */
function quoteForWindows(word: string): string {
  return /^[\w@+=:./-]+$/.test(word) ? word : `"${word.replaceAll('"', "").replace(/\\+$/, "$&$&")}"`;
}
