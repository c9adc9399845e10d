/** A run, step by step. */

import type { Callback } from "./oracle.js";
import type { AnyProbe, Probe } from "./probe.js";
import type { Progress } from "./progress.js";
import { type RunOptions, run } from "./run.js";
import { Search } from "./search.js";

/** How a search is driven step by step: the steps are not called back. */
export type StepOptions<P extends AnyProbe = Probe> = Omit<RunOptions<P>, "onProgress">;

/** What ends a run whose loop was left. */
const LEFT = Symbol("left");

declare module "./search.js" {
  interface Search<Report, P extends AnyProbe = Probe, Subject = string> {
    /**
     * Drives the search as {@link run} does, and hands over every step as it comes; the loop ends with the search, and returns its
     * report. To leave the loop early ends the run: other oracles are aborted, what was told stays in the search, and it can be
     * gone on with. What {@link run} would reject with, the loop throws. The run does not wait for the loop: an oracle that answers
     * at once may be some runs ahead of it, and each step has the numbers of its own moment.
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

// Put in here: what drives searches is made of them.
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
  // What it rejects with is thrown below; until then nobody has heard it.
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
    // What is in flight is given back before the loop is left.
    await running.catch(() => {});
  }
}
