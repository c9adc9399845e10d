// Options: every search takes the options of the table, with their defaults.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fb } from "./support.mjs";

const TABLE = JSON.parse(readFileSync(new URL("../../crates/firstbad/options.json", import.meta.url), "utf8")).$defs;
const LINE = fb.CommitGraph.linear(["a", "b", "c"]);
const SEARCHES = {
  regression: (options) => new fb.RegressionSearch(LINE, options),
  culprit: (options) => new fb.CulpritSearch(LINE, options),
  verification: (options) => new fb.CulpritVerifier(LINE, options),
  minimize: (options) => new fb.Minimizer("abc", options),
  isolate: (options) => new fb.Isolator("abc", options),
  port: (options) => new fb.Porter(LINE, options),
  slice: (options) => new fb.Slicer(3, options),
  triage: (options) => new fb.TriageSearch(LINE, options),
  change: (options) => new fb.ChangeSearch(LINE, options),
};
const NEEDED = {
  regression: { bad: "c" },
  culprit: { bad: "c" },
  verification: { bad: "c", culprit: "c" },
  minimize: {},
  isolate: {},
  port: { start: "c" },
  slice: {},
  triage: { bad: "c" },
  change: { bad: "c" },
};
/** Options of the table that are separate arguments here. */
const ARGUMENTS = { slice: ["changes"] };
const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

for (const [algorithm, { properties: all }] of Object.entries(TABLE)) {
  const own = Object.entries(all).filter(([name]) => !ARGUMENTS[algorithm]?.includes(name));
  const properties = Object.fromEntries(own);
  const make = SEARCHES[algorithm];
  test(`${algorithm}: the options are exactly those of the table`, () => {
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

  test(`${algorithm}: missing options have the defaults of the core`, () => {
    const { configuration } = JSON.parse(make(NEEDED[algorithm]).snapshot());
    for (const [name, option] of Object.entries(properties)) {
      if (name in NEEDED[algorithm] || name === "good") continue; // the roots, where none is given
      assert.deepEqual(configuration[name] ?? null, option.default, name);
    }
  });
}
