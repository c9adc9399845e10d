/** The times of runs. */

import { type Answer, bareOutcome, observed } from "./observation.js";
import { isThenable } from "./options.js";
import type { Callback } from "./oracle.js";
import type { AnyProbe } from "./probe.js";

/**
 * @internal Returns an oracle that adds the times of its runs, unless it sets them. Errors and invalid outcomes pass
 * through.
 */
export function timed<Subject, P extends AnyProbe>(oracle: Callback<Subject, P>): Callback<Subject, P> {
  return (subject, context) => {
    const started = now();
    const answer = oracle(subject, context);
    if (!isThenable(answer)) return stamped(answer, started);
    return new Promise((resolve, reject) => {
      answer.then((answer) => resolve(stamped(answer, started)), reject);
    });
  };
}

function stamped(answer: Answer, started: number): Answer {
  const ended = now();
  if (answer === undefined || bareOutcome(answer) >= 0) return { ...observed(answer), started, ended };
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const known = (time: unknown) => time !== undefined && time !== null;
  return known(answer.started) || known(answer.ended) ? answer : { ...answer, started, ended };
}

/** Returns seconds since 1970, finer than milliseconds, which never decrease within a process. */
function now(): number {
  return (performance.timeOrigin + performance.now()) / 1000;
}
