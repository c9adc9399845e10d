/**
 * A reporter for Jest (28 or newer): `reporters: ["default", "firstbad/jest"]`. After a red run it prints, for the tests that
 * failed, the command that finds the commit which broke them. It runs nothing but git, to name the last tag.
 */

import { type Failure, type ReporterOptions, reporterOptions, suggestions } from "./red-run.js";

class FirstbadReporter {
  readonly #configuration: FirstbadReporter.Configuration;
  readonly #options: ReporterOptions;

  /** Called by Jest; `["firstbad/jest", options]` in the configuration. */
  constructor(configuration: FirstbadReporter.Configuration, options: FirstbadReporter.Options = {}) {
    this.#configuration = configuration;
    this.#options = reporterOptions(options);
  }

  /** Called by Jest when all tests have run. */
  onRunComplete(_contexts: unknown, results: FirstbadReporter.Results): void {
    const { rootDir, watch, watchAll } = this.#configuration;
    if (watch || watchAll) return;
    const text = suggestions("jest", rootDir, results.testResults.flatMap(failures), this.#options);
    if (text !== undefined) process.stderr.write(text);
  }
}

function failures(file: FirstbadReporter.File): Failure[] {
  const failed = file.testResults.filter((test) => test.status === "failed");
  if (failed.length > 0) return failed.map((test) => ({ file: file.testFilePath, name: test.fullName }));
  return file.testExecError === undefined ? [] : [{ file: file.testFilePath }];
}

declare namespace FirstbadReporter {
  /** What the reporter takes. */
  interface Options extends ReporterOptions {}
  /** What it reads of Jest's configuration. */
  interface Configuration {
    readonly rootDir: string;
    readonly watch?: boolean;
    readonly watchAll?: boolean;
  }
  /** What it reads of the results. */
  interface Results {
    readonly testResults: readonly File[];
  }
  /** What it reads of a file with tests. */
  interface File {
    readonly testFilePath: string;
    /** Why the file could not be run at all. */
    readonly testExecError?: unknown;
    readonly testResults: readonly { readonly fullName: string; readonly status: string }[];
  }
}

export = FirstbadReporter;
