/**
 * A reporter for Vitest 3 or newer: `reporters: ["default", "firstbad/vitest"]`. After a failed run, it prints
 * the command that finds the commits that broke the tests. It only runs git, to find the last tag.
 */

import { type Failure, type ReporterOptions, reporterOptions, suggestions } from "./red-run.js";

class FirstbadReporter {
  readonly #options: ReporterOptions;
  #root = process.cwd();
  #watches = false;

  /** Vitest calls this for `["firstbad/vitest", options]` in the configuration. */
  constructor(options: FirstbadReporter.Options = {}) {
    this.#options = reporterOptions(options);
  }

  /** Vitest calls this when it starts. */
  onInit(vitest: FirstbadReporter.Vitest): void {
    this.#root = vitest.config.root;
    this.#watches = vitest.config.watch ?? false;
  }

  /** Vitest calls this after all tests. */
  onTestRunEnd(modules: Iterable<FirstbadReporter.Module>): void {
    if (this.#watches) return;
    const text = suggestions("vitest", this.#root, [...modules].flatMap(failures), this.#options);
    if (text !== undefined) process.stderr.write(text);
  }
}

function failures(module: FirstbadReporter.Module): Failure[] {
  const failed = [...module.children.allTests("failed")];
  if (failed.length === 0) return module.state() === "failed" ? [{ file: module.moduleId }] : [];
  return failed.map((test) => ({
    file: module.moduleId,
    name: nameOf(test),
    message: test.result?.().errors?.[0]?.message,
  }));
}

/** Returns the name that `-t` matches: the names of the suites and of the test, joined by spaces. */
function nameOf(test: FirstbadReporter.Test): string {
  const names = [test.name];
  for (let above = test.parent; above.type === "suite"; above = above.parent) names.unshift(above.name);
  return names.join(" ");
}

declare namespace FirstbadReporter {
  /** The options of the reporter. */
  interface Options extends ReporterOptions {}
  /** The part of Vitest that the reporter reads. */
  interface Vitest {
    readonly config: { readonly root: string; readonly watch?: boolean };
  }
  /** The part of a test file that the reporter reads. */
  interface Module {
    readonly moduleId: string;
    readonly children: { allTests(state: "failed"): Iterable<Test> };
    state(): string;
  }
  /** The part of a test that the reporter reads. */
  interface Test {
    readonly name: string;
    readonly parent: Suite | { readonly type: "module" };
    result?(): { readonly errors?: readonly { readonly message: string }[] | undefined };
  }
  /** The part of a suite that the reporter reads. */
  interface Suite {
    readonly type: "suite";
    readonly name: string;
    readonly parent: Suite | { readonly type: "module" };
  }
}

export = FirstbadReporter;
