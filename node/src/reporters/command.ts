/** The shell command that finds the commit that broke a test. */

/** @internal A failed test: its file, and its name for the runner's `-t`. Without a name, the file failed to run. */
export interface FailedTest {
  /** The path relative to the top folder of the repository, with `/`. */
  readonly file: string;
  readonly name?: string | undefined;
}

/** @internal The options of the command that all failed tests of a run share. */
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
