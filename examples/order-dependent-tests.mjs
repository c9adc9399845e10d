// Finds the tests that make another test of the same file fail: docs/order-dependent-tests.md.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { minimize } from "firstbad";

const hidden = {
  7: 'shop.currency = "JPY"',
  23: "shop.rounding = shop.currency",
  39: 'assert.notEqual(shop.rounding, "JPY")',
};
const head = ['import assert from "node:assert";', 'import { test } from "node:test";', "const shop = {};"];
const made = Array.from({ length: 40 }, (_, number) => `test("tea ${number}", () => { ${hidden[number] ?? ""} });`);
writeFileSync("shop.test.mjs", [...head, ...made].join("\n"));

const run = promisify(execFile);

async function results(pattern, signal) {
  const command = ["--test", "--test-reporter=tap", `--test-name-pattern=${pattern}`, "shop.test.mjs"];
  const { stdout } = await run(process.execPath, command, { signal }).catch((failed) => {
    if (failed.code === 1) return failed; // a test failed
    throw failed;
  });
  return new Map([...stdout.matchAll(/^(ok|not ok) \d+ - (.*)$/gm)].map(([, result, name]) => [name, result]));
}

const tests = [...(await results(".")).keys()];
const victim = "tea 39";
const before = tests.slice(0, tests.indexOf(victim));

const victimFails = async (kept, { signal }) => {
  const names = [...kept, victim].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const result = (await results(`^(${names.join("|")})$`, signal)).get(victim);
  return result && result === "not ok"; // undefined: the victim did not run
};

const report = await minimize(before, victimFails, { guarantee: "1-minimal", concurrency: 2 });
console.log(report.items, report.guarantee);

// Prints:
// [ 'tea 7', 'tea 23' ] 1-minimal
