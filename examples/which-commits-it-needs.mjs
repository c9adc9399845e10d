// Finds the commits that a feature needs, and makes a branch of them: docs/which-commits-it-needs.md.

import { Repository, sliceHistory } from "firstbad";

const check = "from shop.prices import price; assert price.__doc__";
const repository = new Repository(".");
const oracle = repository.commandOracle(["python3", "-B", "-c", check]);
const found = await sliceHistory(repository, { base: "v1.0", tip: "main", oracle, paths: ["shop"] });
await oracle.close();
for (const { name } of await found.patches()) console.log(name);
await found.createBranch("described");
console.log(found.commits.length, "of", found.of, found.guarantee);

// Prints:
// 0001-Merge-rounding-into-main.patch
// 0002-Say-what-a-price-is.patch
// 2 of 4 1-minimal
