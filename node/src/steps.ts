/** Runs as async iterators of steps. */

import type { Callback } from "./oracle.js";
import type { AnyProbe, Probe } from "./probe.js";
import type { Progress } from "./progress.js";
import { type RunOptions, run } from "./run.js";
import { Search } from "./search.js";

/** The options of {@link run} without `onProgress`, because the loop gets the steps. */
export type StepOptions<P extends AnyProbe = Probe> = Omit<RunOptions<P>, "onProgress">;

/** The reason to abort a run after its loop was left. */
const LEFT = Symbol("left");

declare module "./search.js" {
  interface Search<Report, P extends AnyProbe = Probe, Subject = string> {
    /**
     * Runs the search as {@link run} does, and yields each step. The iterator ends with the search and returns its report.
     * If you leave the loop early, the run stops: firstbad aborts the other oracles, the search keeps its outcomes, and
     * you can resume it. The loop throws the errors of {@link run}. The run does not wait for the loop, so with a fast
     * oracle it can be several steps ahead. The numbers in a step are from the time of the step.
     *
     * @example
     * ```ts
     * for await (const { probe, observation, suspects } of search.steps(oracle)) {
     *   if (observation) console.log(probe?.revision, observation.outcome, `${suspects} suspects left`);
     * }
     * console.log(search.report().message);
     * ```
     */
    steps(oracle: Callback<Subject, P>, options?: StepOptions<P>): AsyncGenerator<Progress<P>, Report, undefined>;
  }
}

// The method is added here to avoid an import circle, because the driver imports the searches.
Search.prototype.steps = function (this: Search<unknown>, oracle, options) {
  return steps(this, oracle, options);
};

async function* steps<Report, P extends AnyProbe, Subject>(
  search: Search<Report, P, Subject>,
  oracle: Callback<Subject, P>,
  options?: StepOptions<P>,
): AsyncGenerator<Progress<P>, Report, undefined> {
  const ending = new AbortController();
  const given = options?.signal;
  // Not `AbortSignal.any`, which Node 20.0 lacks.
  const onAbort = () => ending.abort(given?.reason);
  if (given?.aborted) onAbort();
  given?.addEventListener("abort", onAbort);
  let waiting: Progress<P>[] = [];
  let wake = () => {};
  const onProgress = (step: Progress<P>) => {
    waiting.push(step);
    wake();
  };
  let isOver = false;
  const running = run(search, oracle, { ...options, signal: ending.signal, onProgress }).finally(() => {
    isOver = true;
    wake();
  });
  // The error is thrown below. Until then, the rejection must not count as unhandled.
  running.catch(() => {});
  try {
    for (;;) {
      const come = waiting;
      waiting = [];
      yield* come;
      if (isOver && waiting.length === 0) return await running;
      if (waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    given?.removeEventListener("abort", onAbort);
    ending.abort(LEFT);
    // Abandon the probes in flight before the loop ends.
    await running.catch(() => {});
  }
}
