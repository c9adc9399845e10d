/**
 * A reporter for Jest 28 or newer: `reporters: ["default", "firstbad/jest"]`. After a failed run, it prints the
 * command that finds the commits that broke the tests. It only runs git, to find the last tag.
 */

import { type Failure, type ReporterOptions, reporterOptions, suggestions } from "./red-run.js";

class FirstbadReporter {
  readonly #configuration: FirstbadReporter.Configuration;
  readonly #options: ReporterOptions;

  /** Jest calls this for `["firstbad/jest", options]` in the configuration. */
  constructor(configuration: FirstbadReporter.Configuration, options: FirstbadReporter.Options = {}) {
    this.#configuration = configuration;
    this.#options = reporterOptions(options);
  }

  /** Jest calls this after all tests. */
  onRunComplete(_contexts: unknown, results: FirstbadReporter.Results): void {
    const { rootDir, watch, watchAll } = this.#configuration;
    if (watch || watchAll) return;
    const text = suggestions("jest", rootDir, results.testResults.flatMap(failures), this.#options);
    if (text !== undefined) process.stderr.write(text);
  }
}

function failures(file: FirstbadReporter.File): Failure[] {
  const failed = file.testResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return file.testExecError === undefined ? [] : [{ file: file.testFilePath }];
  return failed.map((test) => ({ file: file.testFilePath, name: test.fullName, message: test.failureMessages?.[0] }));
}

declare namespace FirstbadReporter {
  /** The options of the reporter. */
  interface Options extends ReporterOptions {}
  /** The part of Jest's configuration that the reporter reads. */
  interface Configuration {
    readonly rootDir: string;
    readonly watch?: boolean;
    readonly watchAll?: boolean;
  }
  /** The part of the results that the reporter reads. */
  interface Results {
    readonly testResults: readonly File[];
  }
  /** The part of a test file's results that the reporter reads. */
  interface File {
    readonly testFilePath: string;
    /** The error that prevented the file from running. */
    readonly testExecError?: unknown;
    readonly testResults: readonly Test[];
  }
  /** The part of a test that the reporter reads. */
  interface Test {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[];
  }
}

export = FirstbadReporter;
