/**
 * A reporter for Vitest (3 or newer): `reporters: ["default", "firstbad/vitest"]`. After a red run it prints, for the tests
 * that failed, the command that finds the commit which broke them. It runs nothing but git, to name the last tag.
 */

import { type Failure, type ReporterOptions, reporterOptions, suggestions } from "./red-run.js";

class FirstbadReporter {
  readonly #options: ReporterOptions;
  #root = process.cwd();
  #watches = false;

  /** `["firstbad/vitest", options]` in the configuration. */
  constructor(options: FirstbadReporter.Options = {}) {
    this.#options = reporterOptions(options);
  }

  /** Called by Vitest as it starts. */
  onInit(vitest: FirstbadReporter.Vitest): void {
    this.#root = vitest.config.root;
    this.#watches = vitest.config.watch ?? false;
  }

  /** Called by Vitest when all tests have run. */
  onTestRunEnd(modules: Iterable<FirstbadReporter.Module>): void {
    if (this.#watches) return;
    const text = suggestions("vitest", this.#root, [...modules].flatMap(failures), this.#options);
    if (text !== undefined) process.stderr.write(text);
  }
}

function failures(module: FirstbadReporter.Module): Failure[] {
  const failed = [...module.children.allTests("failed")];
  if (failed.length === 0) return module.state() === "failed" ? [{ file: module.moduleId }] : [];
  return failed.map((test) => ({ file: module.moduleId, name: nameOf(test) }));
}

/** The name that `-t` is held against: those of the suites and of the test, with spaces between. */
function nameOf(test: FirstbadReporter.Test): string {
  const names = [test.name];
  for (let above = test.parent; above.type === "suite"; above = above.parent) names.unshift(above.name);
  return names.join(" ");
}

declare namespace FirstbadReporter {
  /** What the reporter takes. */
  interface Options extends ReporterOptions {}
  /** What it reads of Vitest. */
  interface Vitest {
    readonly config: { readonly root: string; readonly watch?: boolean };
  }
  /** What it reads of a file with tests. */
  interface Module {
    readonly moduleId: string;
    readonly children: { allTests(state: "failed"): Iterable<Test> };
    state(): string;
  }
  /** What it reads of a test. */
  interface Test {
    readonly name: string;
    readonly parent: Suite | { readonly type: "module" };
  }
  /** What it reads of a suite. */
  interface Suite extends Test {
    readonly type: "suite";
  }
}

export = FirstbadReporter;
