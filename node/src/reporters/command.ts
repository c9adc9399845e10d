/** The command line that finds the commit which broke a test, for a shell to paste. */

/** @internal A test that failed: its file, and the name as the runner's `-t` meets it; without one the file did not run. */
export interface FailedTest {
  /** From the folder of the repository, with `/`. */
  readonly file: string;
  readonly name?: string | undefined;
}

/** @internal What is the same for all failed tests of a run. */
export interface Suggested {
  readonly runner: "vitest" | "jest";
  /** A revision that passed; a word in capitals where none is known. */
  readonly good: string;
  /** Whether the tests are flaky, or at which rate. */
  readonly flaky?: boolean | number | undefined;
  /** What installs a revision's packages, where its lock file is known. */
  readonly environment?: "npm" | "pnpm" | undefined;
  /** The project's folder in the repository, with `/`; empty where it is the repository's own. */
  readonly folder: string;
}

/** @internal The command for one failed test. */
export function commandLine(test: FailedTest, how: Suggested, platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? quoteForWindows : quoteForPosix;
  const words = ["npx", "firstbad", "run", "--good", how.good, "--bad", "HEAD"];
  if (how.flaky === true) words.push("--flaky");
  if (typeof how.flaky === "number") words.push("--flaky", String(how.flaky));
  words.push("--preset", how.runner);
  if (how.environment !== undefined) words.push("--environment", how.environment);
  words.push("--", "npx", ...run[how.runner](test.file, how.folder));
  if (test.name !== undefined) words.push("-t", pattern(test.name, platform));
  return words.map(quote).join(" ");
}

const run = {
  vitest: (file: string, folder: string) => ["vitest", "run", ...(folder === "" ? [] : ["--root", folder]), file],
  jest: (file: string, folder: string) => [
    "jest",
    ...(folder === "" ? [] : ["--rootDir", folder]),
    "--runTestsByPath",
    file,
  ],
};

/** A regular expression for this very name. What cannot go through every shell is any character there. */
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

/** For cmd and PowerShell. A backslash at the end would take the quote with it. */
function quoteForWindows(word: string): string {
  return /^[\w@+=:./-]+$/.test(word) ? word : `"${word.replaceAll('"', "").replace(/\\+$/, "$&$&")}"`;
}
