// The values in `tests/vectors/values`, which all languages must compute.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fb } from "./support.mjs";

const folder = mkdtempSync(join(tmpdir(), "firstbad-values-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, `${files++}.jsonl`);
const header = (path) => JSON.parse(readFileSync(path, "utf8").split("\n")[0]);
const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../vectors/values/${name}.json`, import.meta.url), "utf8"))[name];

function item(written) {
  const [[kind, value]] = Object.entries(written);
  return kind === "bytes" ? new Uint8Array(value) : kind === "patch" ? fb.Patch.parse(value) : value;
}

for (const { name, patch, refused } of vectors("patch-names")) {
  test(`patch names: ${JSON.stringify(name)}`, () => {
    if (refused) {
      assert.throws(() => fb.Patch.parse(patch), { code: "patch_syntax", message: /the name/ });
    } else {
      assert.deepEqual(
        fb.Patch.parse(patch).files.map((file) => file.path),
        [name],
      );
    }
  });
}

for (const { name, items, is } of vectors("digests").filter(({ items }) => items.length > 0)) {
  test(`digests: ${name}`, () => {
    const all = items.map(item);
    const path = fresh();
    fb.Session.open(path, new fb.Minimizer(all[0] instanceof fb.Patch ? all[0] : all)).close();
    assert.equal(header(path).world.items.digest ?? null, is);
  });
}

for (const { name, conclusion, is, ...options } of vectors("samples")) {
  test(`samples: ${name}`, () => {
    assert.deepEqual(fb.sampleForVerification(conclusion, options), is);
  });
}

for (const [wrong, options] of [
  ["conclusion", {}],
  ["culprit", { culprit: 1 }],
  ["earlier", { earlier: [1] }],
  ["share", { share: 2 }],
  ["seed", { seed: 0.5 }],
]) {
  test(`samples: an invalid ${wrong} is rejected`, () => {
    const conclusion = wrong === "conclusion" ? 1 : "a";
    assert.throws(() => fb.sampleForVerification(conclusion, options), {
      code: "invalid_argument",
      message: new RegExp(wrong),
    });
  });
}

for (const { name, of, written, ids } of vectors("graphs")) {
  test(`graphs: ${name}`, () => {
    const graph = (of === "commits" ? fb.CommitGraph : fb.BuildGraph).fromJson(written);
    assert.equal(graph.toJson(), written);
    if (ids !== undefined) assert.deepEqual([...graph.ids], ids);
  });
}

for (const { name, patch, text, granularity, options, is } of vectors("structures")) {
  test(`structures: ${name}`, async () => {
    const path = fresh();
    const given = { ...options, journal: path, budget: 1 };
    if (patch === undefined) await fb.minimizeText(text, () => true, given);
    else await fb.minimizePatch(fb.Patch.parse(patch), () => true, { ...given, granularity });
    const { configuration } = header(path);
    for (const [key, expected] of Object.entries(is)) assert.deepEqual(configuration[key] ?? null, expected, key);
  });
}
