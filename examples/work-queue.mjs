// Tests builds on the workers of a queue: docs/jobs-elsewhere.md.

import { EventEmitter, once } from "node:events";
import { CommitGraph, findRegressions } from "firstbad";

const queue = new EventEmitter(); // replace with your queue and its workers
queue.on("test", ({ job, build }) => setImmediate(() => queue.emit(`done ${job}`, Number(build) < 640)));
const oracle = async (build, { probe, signal }) => {
  const done = once(queue, `done ${probe.id}`, { signal });
  queue.emit("test", { job: probe.id, build });
  const [passed] = await done;
  return passed; // throw new Retry() if the worker failed
};

const graph = CommitGraph.linear(Array.from({ length: 1000 }, (_, build) => String(build)));
const { points } = await findRegressions(graph, oracle, { bad: "999", good: "0", concurrency: 4 });
console.log(points[0].culprit);

// Prints:
// 640
