// Facts from `node --import firstbad/facts` about the given definitions.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const FACTS = new URL("../../node/dist/facts/register.js", import.meta.url);
const { facts: vectors } = JSON.parse(readFileSync(new URL("../vectors/values/facts.json", import.meta.url), "utf8"));

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-facts-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node with these definitions traced. Returns its output, its exit code and the facts. */
function run(definitions, args, { file = "shop.mjs", flag = "--import", environment = {} } = {}) {
  const [listed, signals] = [join(folder, "definitions.json"), join(folder, "signals.json")];
  writeFileSync(listed, JSON.stringify(definitions.map((name) => ({ file, name }))));
  rmSync(signals, { force: true });
  const env = { ...process.env, FIRSTBAD_WORKTREE: folder, FIRSTBAD_DEFINITIONS: listed, FIRSTBAD_SIGNALS: signals };
  delete env.NODE_OPTIONS;
  delete env.NODE_TEST_CONTEXT;
  const options = { cwd: folder, encoding: "utf8", env: { ...env, ...environment } };
  const target = flag === "--import" ? FACTS.href : fileURLToPath(FACTS);
  const ended = spawnSync(process.execPath, [flag, target, ...args], options);
  const facts = existsSync(signals) ? JSON.parse(readFileSync(signals, "utf8")).facts : undefined;
  return { code: ended.status, words: ended.stdout + ended.stderr, facts };
}

const write = (name, text) => writeFileSync(join(folder, name), text);
const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();
const rows = (facts) => sorted(facts.map(({ name, variable, kind, values }) => [name, variable, kind, values]));

function expected(vector) {
  const of = ([name, variable, kind, values]) => [
    name,
    variable.replace("OWN", "this"),
    kind,
    Array.isArray(values) ? values : values.javascript,
  ];
  return sorted(vector.facts.map(of));
}

for (const vector of vectors) {
  const text = `${vector.javascript.join("\n")}\n`;

  test(`vectors: ${vector.name}, as an ECMAScript module`, () => {
    write("shop.mjs", text);
    write("test.mjs", 'import "./shop.mjs";');
    const { code, words, facts } = run(vector.definitions, ["test.mjs"]);
    assert.equal(code, 0, words);
    assert.deepEqual([...new Set(facts.map((fact) => fact.file))], ["shop.mjs"]);
    assert.deepEqual(rows(facts), expected(vector));
  });

  test(`vectors: ${vector.name}, as a CommonJS module`, () => {
    write("shop.cjs", `"use strict";\n${text}`);
    write("test.mjs", 'import "./shop.cjs";');
    for (const [flag, file] of [
      ["--import", "test.mjs"],
      ["--require", "shop.cjs"],
    ]) {
      const { code, words, facts } = run(vector.definitions, [file], { file: "shop.cjs", flag });
      assert.equal(code, 0, words);
      assert.deepEqual(rows(facts), expected(vector));
    }
  });
}

test("instrumentation does not change the output", () => {
  const text = `#!/usr/bin/env node
    "use strict";
    function strict() {
      "use strict"
      return this === undefined
    }
    const arrow = (a, { b }, [c] = [3], ...rest) => ({ a, b, c, rest });
    const short = async x => x, sequence = () => (1, 2);
    function bare(x) { if (x) return; return (
      // a comment
      [x, x]
    ) // another
    }
    function ends() { for (;;) { break } }
    class Base { static made = 0; constructor() { Base.made++ } get size() { return this.#hidden() } #hidden() { return 4 } }
    class Derived extends Base {
      field = 1;
      handler = (x) => this.field + x;
      constructor(early) { if (early) return { early }; super() }
      static of() { return new this(false) }
      ["computed"]() { return 1 }
      0() { return 2 }
      async *many() { yield 1; return }
    }
    function line() { return new Error("x").stack.split("\\n")[1].match(/:(\\d+):/)[1] }
    function outer() { function bare() { return 1 } class Inner { m() { return 2 } } return bare() + new Inner().m() }
    label: for (const i of [1]) { continue label }
    console.log(JSON.stringify([strict(), arrow(1, { b: 2 }), sequence(), bare(1), bare(0), ends(), new Base().size,
      new Derived(true), Derived.of(), new Derived(false).handler(2), new Derived()[0](), line(), outer(),
      strict.length, arrow.length, Base.made, strict.name]));
    short(5).then(console.log);
    (async () => { for await (const x of new Derived().many()) console.log(x) })();
  `;
  write("shop.mjs", text);
  write("shop.cjs", text);
  const names = [
    ..."strict arrow short sequence bare ends line outer Base.constructor Base.size Base.#hidden".split(" "),
    ..."Derived.constructor Derived.handler Derived.of Derived.many Derived.computed".split(" "),
  ];
  for (const file of ["shop.mjs", "shop.cjs"]) {
    const plain = spawnSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const { code, words, facts } = run(names, [file], { file });
    assert.equal(plain.stderr, "");
    assert.deepEqual([code, words], [plain.status, plain.stdout]);
    const seen = new Set(facts.map((fact) => fact.name));
    const without = names.filter((name) => !seen.has(name));
    assert.deepEqual(without, ["Derived.computed"]);
    assert.ok(rows(facts).includes('["Derived.handler","this.field","constant",[1]]'));
  }
});

test("no code of the user is called", () => {
  write(
    "shop.mjs",
    `const never = () => { throw new Error("called") };
    const handler = new Proxy({}, { get: () => never });
    export function takes(value) { return value }
    export class Cart {
      get total() { never() }
      add() { Object.defineProperty(this, "own", { get: never, enumerable: true }); this.count = 1; this["\\ud800"] = 1 }
    }
    export class Wide { add() { return 1 } }
    const wide = new Wide();
    for (let i = 0; i < 100; i++) wide[i] = i;
    for (const value of [new Proxy({}, handler), new Proxy([], handler), { toString: never, valueOf: never, toJSON: never },
      Symbol("x"), 10n ** 30n, never, "\\ud800"]) takes(value);
    Cart.prototype.add.call(new Proxy(new Cart(), { ...handler, ownKeys: never, getOwnPropertyDescriptor: never, defineProperty: () => true, set: () => true }));
    new Cart().add();
    wide.add();
    delete globalThis.JSON.stringify;`,
  );
  const { code, words, facts } = run(["takes", "Cart.add", "Wide.add"], ["shop.mjs"]);
  assert.equal(code, 0, words);
  const types = ["bigint", "function", "object", "string", "symbol"];
  assert.ok(rows(facts).includes(JSON.stringify(["takes", "value", "type", types])), words);
  assert.deepEqual(
    facts.filter(({ name }) => name === "Cart.add").map(({ variable, kind }) => `${variable} ${kind}`),
    [
      "return constant",
      "return type",
      ...["constant", "range", "sign", "type", "not_none"].map((kind) => `this.count ${kind}`),
    ],
  );
  assert.ok(!facts.some(({ name, variable }) => name === "Wide.add" && variable !== "return"));
});

test("the processes of a test share a file", () => {
  write("shop.mjs", "export function price(count) { return count * 2 }\n");
  mkdirSync(join(folder, "test"));
  for (const count of [1, 2, 30]) {
    const text = `import test from "node:test"; import { price } from "../shop.mjs"; test("it", () => void price(${count}));`;
    write(`test/a${count}.test.mjs`, text);
  }
  write("alone.mjs", 'for (const a of [1, 2, 30]) (await import("./shop.mjs")).price(a)');
  const files = [1, 2, 30].map((count) => `test/a${count}.test.mjs`);
  const { code, words, facts } = run(["price"], ["--test", ...files]);
  assert.equal(code, 0, words);
  assert.deepEqual(facts, run(["price"], ["alone.mjs"]).facts);
  assert.ok(rows(facts).includes('["price","count","one_of",[1,2,30]]'));
});

test("linked files, other files, and files that are not JavaScript", () => {
  mkdirSync(join(folder, "src"));
  write("src/shop.mjs", "export function price() { return 1 }\n");
  write("src/other.cjs", "exports.price = function price() { return 2 };\n");
  symlinkSync("src", join(folder, "linked"));
  write("test.mjs", 'import { price } from "./linked/shop.mjs"; import "./linked/other.cjs"; price();');
  const { facts } = run(["price"], ["test.mjs"], { file: "src/shop.mjs" });
  assert.deepEqual(rows(facts)[0], '["price","return","constant",[1]]');
  write("shop.cjs", "function price() {");
  const { code, words } = run(["price"], ["shop.cjs"], { file: "shop.cjs" });
  assert.equal(code, 1);
  assert.match(words, /no facts are seen of it[\s\S]*SyntaxError/);
});

test("the number of recorded calls is limited", () => {
  write("shop.mjs", "function price(count) { return count }\nfor (let i = 0; i < 20_000; i++) price(i);\n");
  assert.ok(rows(run(["price"], ["shop.mjs"]).facts).includes('["price","count","range",[0,9999]]'));
});

test("invalid arguments have messages", () => {
  write("shop.mjs", "");
  const words = (environment) => {
    const { code, words } = run([], ["shop.mjs"], { environment });
    assert.equal(code, 1);
    return words;
  };
  const given = (text) => {
    write("given.json", text);
    return words({ FIRSTBAD_DEFINITIONS: join(folder, "given.json") });
  };
  assert.match(words({ FIRSTBAD_DEFINITIONS: "" }), /FIRSTBAD_DEFINITIONS does not name a file/);
  assert.match(words({ FIRSTBAD_SIGNALS: "" }), /FIRSTBAD_SIGNALS does not name a file/);
  assert.match(words({ FIRSTBAD_DEFINITIONS: "missing.json" }), /FIRSTBAD_DEFINITIONS: missing.json: ENOENT/);
  assert.match(given("[{"), /given.json: .*JSON/);
  assert.match(given("{}"), /expected a JSON list/);
  assert.match(given('[{"file": "a", "name": "b"}, {"file": 1}]'), /entry 1 is not valid/);
});
