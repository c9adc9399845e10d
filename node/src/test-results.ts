/** Test reports of runners. */

import { readResults as read } from "./binding.js";
import { invalid, nativePromise } from "./errors.js";
import type { TestResult } from "./observation.js";
import { checkedOptions, isIterable, pathOf, text } from "./options.js";

/** How to read test reports. */
export interface ReadResultsOptions {
  /**
   * The test runner that wrote the reports: `"pytest"`, `"jest"`, `"vitest"`, `"mocha"`, `"node"`, `"cargo"`,
   * `"nextest"`, `"go"`, `"ctest"`, `"bazel"`, or `"custom"`. The ids are those that the runner takes. Default: the
   * runner that the content names.
   */
  runner?: string;
  /** The folder that the test command ran in. Ids contain paths relative to it. Default: the current folder. */
  root?: string | URL;
}

/**
 * Reads test reports, and resolves with the results of their tests by id.
 *
 * The format is recognized by the content: JUnit XML, TAP, the JSON of Jest, Vitest and Mocha, the lines of `go test
 * -json` and of Rust test binaries, or JSON lines. Pass the results to {@link triage} as `tonight` or `last`. If several
 * reports have the same test, its runs are added. A file that could not run is a failure under its path.
 *
 * @param reports The path of a report, its content, or several of them.
 * @throws {@link FirstbadError} `empty_report`, `report_too_large`, `too_many_tests`, `report_too_deep`, `long_id`,
 * `long_ids`, `unknown_format`, `report_syntax`, `unknown_outcome`, `io`, and `invalid_argument` if the runner is
 * unknown.
 */
export async function readResults(
  reports: string | URL | Uint8Array | Iterable<string | URL | Uint8Array>,
  options?: ReadResultsOptions,
): Promise<Map<string, TestResult>> {
  const { runner, root = "." } = checkedOptions(options, ["runner", "root"], "readResults");
  const one = typeof reports === "string" || reports instanceof URL || reports instanceof Uint8Array;
  if (!one && !isIterable(reports)) throw invalid("reports", reports, "a path, a Uint8Array, or several");
  const several = (one ? [reports] : reports) as Iterable<string | URL | Uint8Array>;
  const given = Array.from(several, (report) => (report instanceof Uint8Array ? report : pathOf("reports", report)));
  const name = runner === undefined ? undefined : text("runner", runner);
  const written = await nativePromise(() => read(given, name, pathOf("root", root as string | URL)));
  return new Map(Object.entries(JSON.parse(written)));
}
