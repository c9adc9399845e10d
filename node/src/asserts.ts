/** Tests with assertions as oracles. */

import { invalid } from "./errors.js";
import type { Observation } from "./observation.js";
import type { Callback, OracleContext } from "./oracle.js";
import type { AnyProbe, Probe } from "./probe.js";

/**
 * Turns a test with assertions into an oracle. An AssertionError of `node:assert`, Chai, Vitest or Jest is a failure,
 * and its message becomes the note of the observation. Other errors reach the caller, and the return value is ignored.
 *
 * @example
 * ```ts
 * const oracle = asserts((version) => assert.ok(Number(version) < 1.3, "rounds down"));
 * const { points } = await findRegressions(CommitGraph.linear(["1.1", "1.2", "1.3"]), oracle, { bad: "1.3", good: "1.1" });
 * ```
 */
export function asserts<Subject = string, P extends AnyProbe = Probe>(
  test: (subject: Subject, context: OracleContext<P>) => unknown,
): Callback<Subject, P> {
  if (typeof test !== "function") throw invalid("test", test, "a function that asserts");
  return async (subject, context): Promise<Observation> => {
    try {
      await test(subject, context);
    } catch (error) {
      if (!isAssertion(error)) throw error;
      return error.message === "" ? { outcome: "fail" } : { outcome: "fail", note: error.message };
    }
    return { outcome: "pass" };
  };
}

/** Errors of Jest have no special name, but the result of a matcher. */
function isAssertion(error: unknown): error is Error {
  return error instanceof Error && (error.name.startsWith("AssertionError") || "matcherResult" in error);
}
