// Finds a version that passes a new test, the cause of the failure, and a fix for main: docs/bring-a-fix-forward.md.

import { iterativeDeltaDebugging, Repository } from "firstbad";

const test = `
from shop.prices import price
assert price.__doc__, "a price is not described"
assert price(335) == 335, f"3.35 is printed as {price(335) / 100:.2f}"
`;

const repo = new Repository(".");
const build = ["python3", "-B", "-c", "import shop"];
const oracle = repo.commandOracle(["python3", "-B", "-c", test], { build });
const found = await iterativeDeltaDebugging(repo, oracle, { start: "main", forward: "main" });
await oracle.close();
console.log(
  found.status,
  found.cause.changes.map(({ text }) => text.trim()),
);

// Prints:
// found [ 'return cents', 'return round(cents, -1)' ]
