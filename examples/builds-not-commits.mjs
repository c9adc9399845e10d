// Finds the first nightly build that fails: docs/builds-not-commits.md.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { CommitGraph, findRegressions } from "firstbad";

const nights = (month) => Array.from({ length: 30 }, (_, day) => `2026-${month}-${String(day + 1).padStart(2, "0")}`);
const nightlies = [...nights("09"), ...nights("10")];
await mkdir("nightlies"); // in place of a web server
for (const [number, night] of nightlies.entries()) {
  if (night === "2026-10-05") continue; // no build that night
  await writeFile(`nightlies/${night}.txt`, number < 41 ? "total 10.05" : "total 10.20");
}

const oracle = async (night, { signal }) => {
  try {
    return (await readFile(`nightlies/${night}.txt`, { encoding: "utf8", signal })) === "total 10.05";
  } catch (error) {
    if (error.code === "ENOENT") return null; // unresolved
    throw error;
  }
};

const graph = CommitGraph.linear(nightlies);
const { points } = await findRegressions(graph, oracle, { bad: nightlies.at(-1), good: nightlies[0], concurrency: 2 });
console.log(points[0].good, "passes,", points[0].bad, "fails");

// Prints:
// 2026-10-11 passes, 2026-10-12 fails
