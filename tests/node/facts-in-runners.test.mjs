// Facts from runners that compile modules: the Vitest plugin and the Jest transformer, called by their hooks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../node", import.meta.url));
const packageFile = join(PACKAGE, "package.json");
const SHOP = "function price(count) {\n  return 3 * count;\n}\n";

let folder;

/** A project with this package installed, and the definitions that a command oracle names. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-runners-"));
  const installed = join(folder, "node_modules/firstbad");
  mkdirSync(installed, { recursive: true });
  cpSync(packageFile, join(installed, "package.json"));
  cpSync(join(PACKAGE, "dist/facts"), join(installed, "dist/facts"), { recursive: true });
  symlinkSync(join(PACKAGE, "node_modules/acorn"), join(folder, "node_modules/acorn"));
  write("definitions.json", JSON.stringify([{ file: "shop.ts", name: "price" }]));
  write("package.json", "{}");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Runs a program as the runner. Returns the facts by variable and kind. */
function facts(program, environment = { FIRSTBAD_DEFINITIONS: join(folder, "definitions.json") }) {
  write("runner.mjs", program);
  const signals = join(folder, "signals.json");
  const env = { ...process.env, FIRSTBAD_WORKTREE: folder, FIRSTBAD_SIGNALS: signals, ...environment };
  delete env.NODE_OPTIONS;
  delete env.NODE_TEST_CONTEXT;
  if (environment.FIRSTBAD_DEFINITIONS === undefined) delete env.FIRSTBAD_DEFINITIONS;
  const ended = spawnSync(process.execPath, ["runner.mjs"], { cwd: folder, env, encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
  assert.equal(ended.stderr, "");
  if (!existsSync(signals)) return undefined;
  const found = JSON.parse(readFileSync(signals, "utf8")).facts;
  return Object.fromEntries(found.map(({ name, variable, kind, values }) => [`${name} ${variable} ${kind}`, values]));
}

/** Simulates Vitest: two test files in sequence with the same globals, or in two workers. */
const VITEST = `
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import facts from "firstbad/facts/vitest";
import { hooks } from "vitest";

const plugin = facts();
const [setup] = plugin.config?.().test.setupFiles ?? [];
const compiled = readFileSync("shop.js", "utf8");
const made = plugin.transform?.(compiled, join(process.cwd(), "shop.ts?v=1"))?.code;
if (made?.split("\\n").length !== compiled.split("\\n").length && made !== undefined) throw new Error("lines moved");
if (plugin.transform?.(compiled, join(process.cwd(), "other.ts")) !== undefined) throw new Error("another file");
writeFileSync("made.mjs", made ?? compiled);
for (const count of [1, 2]) {
  if (setup) await import(setup + "?" + count);
  const { price } = await import("./made.mjs");
  if (price(count) !== 3 * count) throw new Error("another price");
  for (const hook of hooks.splice(0)) hook();
}
`;

test("Vitest: facts of all test files, about what was compiled", () => {
  const stub = "export const hooks = [];\nexport const afterAll = (hook) => void hooks.push(hook);\n";
  write("node_modules/vitest/package.json", '{ "type": "module", "exports": "./index.js" }');
  write("node_modules/vitest/index.js", stub);
  write("shop.js", `export ${SHOP}`);
  const found = facts(VITEST);
  assert.deepEqual(found["price count one_of"], [1, 2]);
  assert.deepEqual(found["price return one_of"], [3, 6]);
  rmSync(join(folder, "signals.json"));
  assert.equal(facts(VITEST, {}), undefined, "where no oracle runs the tests, it does nothing");
});

/** Simulates Jest: each test file has separate globals. */
const JEST = `
import { createRequire } from "node:module";
import { join } from "node:path";
import { readFileSync } from "node:fs";

const require = createRequire(import.meta.url);
const path = join(process.cwd(), "shop.ts");
const told = { config: { rootDir: process.cwd() }, configString: "{}", instrument: false, supportsStaticESM: false };
const { createTransformer } = require("firstbad/facts/jest");
for (const [name, options] of [["./sync.cjs", undefined], ["./async.cjs", { suffix: "\\n" }]]) {
  const transformer = createTransformer({ transformer: name, options });
  const text = readFileSync("shop.ts", "utf8");
  const made = await transformer.processAsync(text, path, told);
  if (made.map !== "a map") throw new Error("no map");
  const setup = require.resolve("firstbad/facts/jest-setup");
  delete require.cache[setup];
  const hooks = [];
  globalThis.afterAll = (hook) => void hooks.push(hook);
  require(setup);
  const module = { exports: {} };
  new Function("module", made.code)(module);
  module.exports(name.length);
  for (const hook of hooks) hook();
}
`;

/** A transformer of the project, which removes a type. */
const TRANSFORMER = `const made = (text) => ({ code: text.replace(": number", "") + "module.exports = price;\\n", map: "a map" });\n`;

test("Jest: facts of all test files, about the output of the project's transformer", () => {
  write("shop.ts", SHOP.replace("count)", "count: number)"));
  write("sync.cjs", `${TRANSFORMER}exports.process = made;\n`);
  const factory =
    "exports.createTransformer = ({ suffix }) => ({ processAsync: async (text) => made(text + suffix) });\n";
  write("async.cjs", TRANSFORMER + factory);
  const found = facts(JEST);
  assert.deepEqual(found["price count one_of"], ["./sync.cjs".length, "./async.cjs".length]);
  rmSync(join(folder, "signals.json"));
  assert.equal(facts(JEST, {}), undefined, "where no oracle runs the tests, it does nothing");
});

test("Jest: the transformer can be imported", async () => {
  const { createTransformer } = await import(
    pathToFileURL(createRequire(packageFile).resolve("firstbad/facts/jest")).href
  );
  assert.equal(typeof createTransformer({}).process, "function");
});

test("Jest: the cache depends on the definitions", (t) => {
  const { createTransformer } = createRequire(packageFile)("firstbad/facts/jest");
  const path = join(folder, "shop.ts");
  const told = { config: { rootDir: folder }, configString: "{}", instrument: false };
  write("own.cjs", "exports.process = (code) => ({ code });\n");
  const environment = { ...process.env };
  t.after(() => Object.assign(process.env, environment));
  const key = (definitions, text = SHOP) => {
    write("definitions.json", JSON.stringify(definitions.map((name) => ({ file: "shop.ts", name }))));
    process.env.FIRSTBAD_WORKTREE = folder;
    process.env.FIRSTBAD_SIGNALS = join(folder, "signals.json");
    process.env.FIRSTBAD_DEFINITIONS = join(folder, "definitions.json");
    return createTransformer({ transformer: "./own.cjs" }).getCacheKey(text, path, told);
  };
  assert.equal(key(["price"]), key(["price"]));
  assert.notEqual(key(["price"]), key(["cost", "price"]));
  assert.notEqual(key(["price"]), key(["price"], `${SHOP}\n`));
  delete process.env.FIRSTBAD_DEFINITIONS;
  delete process.env.FIRSTBAD_SIGNALS;
  const wrong = createTransformer({ transformer: "./own.cjs" });
  assert.equal(wrong.process(SHOP, path, told).code, SHOP);
});
