// Options: each is written down once, and is what the table of the core says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fb, packageFile } from "./support.mjs";

const TABLE = JSON.parse(readFileSync(new URL("../../crates/firstbad/options.json", import.meta.url), "utf8")).$defs;
const LINE = fb.CommitGraph.linear(["a", "b", "c"]);
const SEARCHES = {
  regression: ["regression-search", ["RegressionOptions"], (options) => new fb.RegressionSearch(LINE, options)],
  culprit: ["culprit-search", ["CulpritOptions"], (options) => new fb.CulpritSearch(LINE, options)],
  verification: ["culprit-verifier", ["VerificationOptions"], (options) => new fb.CulpritVerifier(LINE, options)],
  minimize: ["minimizer", ["MinimizerOptions", "ReductionOptions"], (options) => new fb.Minimizer("abc", options)],
  isolate: ["isolator", ["ReductionOptions"], (options) => new fb.Isolator("abc", options)],
  port: ["porter", ["WalkOptions", "PorterOptions"], (options) => new fb.Porter(LINE, options)],
  slice: ["slicer", ["SlicerOptions"], (options) => new fb.Slicer(3, options)],
};
const NEEDED = {
  regression: { bad: "c" },
  culprit: { bad: "c" },
  verification: { bad: "c", culprit: "c" },
  minimize: {},
  isolate: {},
  port: { start: "c" },
  slice: {},
};
/** Options of the table that are arguments of their own here. */
const ARGUMENTS = { slice: ["changes"] };
const NAMES = new Set(Object.values(TABLE).flatMap(({ properties }) => Object.keys(properties)));

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A description of the table as TSDoc has it: `flake_rate` is `flakeRate`, `find = "fix"` is `find: "fix"`. */
const inNode = (description) =>
  description.replace(/`[^`]*`/g, (code) =>
    code.replaceAll(" = ", ": ").replace(/\w+/g, (word) => (NAMES.has(word) ? camelCase(word) : word)),
  );

/** What the declarations say of each property of an interface, on one line, and whether it may be left out. */
function declared(file, name) {
  const text = readFileSync(new URL(`./dist/${file}.d.ts`, packageFile), "utf8");
  const [, body] = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([^]*?)^\\}`, "m").exec(text);
  const properties = body.matchAll(/\/\*\*(.*?)\*\/\s+(\w+)(\??):/gs);
  return [...properties].map(([, words, property, mark]) => [
    property,
    {
      words: words
        .replace(/^\s*\*/gm, " ")
        .replace(/\s+/g, " ")
        .trim(),
      needed: mark === "",
    },
  ]);
}

for (const [algorithm, { properties: all, required }] of Object.entries(TABLE)) {
  const own = Object.entries(all).filter(([name]) => !ARGUMENTS[algorithm]?.includes(name));
  const properties = Object.fromEntries(own);
  const [module, interfaces, make] = SEARCHES[algorithm];
  const files = { ReductionOptions: "reduction" };

  test(`${algorithm}: names and words are those of the table`, () => {
    const found = Object.fromEntries(interfaces.flatMap((name) => declared(files[name] ?? module, name)));
    const expected = Object.entries(properties).map(([name, { description }]) => [
      camelCase(name),
      { words: inNode(description), needed: required.includes(name) },
    ]);
    assert.deepEqual(found, Object.fromEntries(expected));
  });

  test(`${algorithm}: its options are those of the table, and no others`, () => {
    const names = Object.keys(properties).map(camelCase);
    const refused = (name) => {
      try {
        make({ ...NEEDED[algorithm], [name]: Symbol("nothing that an option can be") });
      } catch (error) {
        return error.message;
      }
    };
    for (const name of names) assert.match(refused(name) ?? "", new RegExp(`^${name}: `), name);
    const [, known] = /expected one of (.*)$/.exec(refused("misspelt"));
    assert.deepEqual(known.split(", ").sort(), names.sort());
  });

  test(`${algorithm}: what is not given is the core's`, () => {
    const { configuration } = JSON.parse(make(NEEDED[algorithm]).snapshot());
    for (const [name, option] of Object.entries(properties)) {
      if (name in NEEDED[algorithm] || name === "good") continue; // the roots, where none is given
      assert.deepEqual(configuration[name] ?? null, option.default, name);
    }
  });
}
