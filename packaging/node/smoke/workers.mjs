// The module in the main thread and two workers, each with a separate search.
import assert from "node:assert/strict";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CommitGraph, findRegressions } from "firstbad";

const revisions = Array.from({ length: 200 }, (_, place) => `r${place}`);

async function found(first) {
  const oracle = async (id) => Number(id.slice(1)) < first;
  const { points } = await findRegressions(CommitGraph.linear(revisions), oracle, { bad: "r199", good: "r0" });
  return points[0].bad;
}

if (isMainThread) {
  const answers = [50, 150].map(
    (first) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: first });
        worker.once("message", resolve);
        worker.once("error", reject);
      }),
  );
  assert.deepEqual(await Promise.all([...answers, found(100)]), ["r50", "r150", "r100"]);
} else {
  parentPort.postMessage(await found(workerData));
}
