import assert from "node:assert/strict";
import { test } from "node:test";
import { fb, fc, rejectionOf, thrownBy } from "./support.mjs";

const BRACES = ["f() {", "  if (a)", "  {", "    b();", "  }", "}", "", "c();"];
const TEXT = BRACES.join("\n");
const callsB = (text) => text.includes("b()");

test("the tree of lines follows from their indentation", () => {
  const tree = fb.outline(BRACES);
  assert.deepEqual(tree, { parents: [null, 0, 1, 1, 1, 0, null, null], dependencies: { 0: [5], 1: [2, 4] } });
  assert.deepEqual(fb.outline(TEXT), tree);
  assert.deepEqual(fb.outline(new Set(["a", " b"])), { parents: [null, 0], dependencies: {} });
  assert.deepEqual(fb.outline(""), { parents: [], dependencies: {} });
  // Invalid text is a normal line, and only `\n` ends a line.
  assert.deepEqual(fb.outline("a\n \ud800\f\r\n").parents, [null, 0]);
});

test("an outline is a tree for minimize", async () => {
  const line = fc.constantFrom("a", "  b", "    c", "  }", "}", "", "\t", "{", "  {");
  const property = fc.asyncProperty(
    fc.array(line, { minLength: 1, maxLength: 30 }),
    fc.nat(29),
    async (lines, place) => {
      const needed = lines[place % lines.length];
      const tree = fb.outline(lines);
      const { items, kept } = await fb.minimize(lines, (kept) => kept.includes(needed), tree);
      assert.ok(items.includes(needed));
      for (const line of kept) {
        assert.ok(tree.parents[line] === null || kept.includes(tree.parents[line]));
        assert.ok((tree.dependencies[line] ?? []).every((other) => kept.includes(other)));
      }
    },
  );
  await fc.assert(property, { seed: 10, numRuns: 100 });
});

test("a text is reduced to a text", async () => {
  for (const given of [TEXT, TEXT.split(/(?<=\n)/), new Set(TEXT.split(/(?<=\n)/))]) {
    const asked = [];
    const report = await fb.minimizeText(given, (text, { probe }) => {
      asked.push(text);
      assert.ok(probe.changes.every((piece) => piece >= 0));
      return callsB(text);
    });
    assert.deepEqual([report.items, report.kept], ["b();\n", [3]]);
    assert.deepEqual([asked[0], asked.length], [TEXT, report.runs]);
  }
  const { items } = await fb.minimizeText(TEXT, async (text) => callsB(text), { dependencies: { 3: [7] }, jobs: 2 });
  assert.equal(items, "b();\nc();");
  assert.equal((await fb.minimizeText(TEXT, callsB, { depth: 1 })).items, `${BRACES.slice(0, 6).join("\n")}\n`);
  const sign = (text) => text.includes("+");
  assert.equal((await fb.minimizeText("x = one + two(3)\n", sign, { fine: true })).items, "+");
  const failing = await fb.minimizeText(TEXT, (text) => !callsB(text), { depth: 1, keep: "fail" });
  assert.equal(failing.items, `${BRACES.slice(0, 6).join("\n")}\n`);
  const lone = "\ud800a\n\ud800\n";
  assert.equal((await fb.minimizeText(lone, (text) => text.includes("\ud800a"))).items, "\ud800a\n");
});

test("types become int to remove headers", async () => {
  const compiles = (kept) =>
    (kept.includes("word_t total") && kept.includes("#include <b.h>")) || kept.includes("int total");
  const { items } = await fb.minimizeText("#include <b.h>\nword_t total = 12;\n", compiles);
  assert.equal(items, "int total = 0;\n");
});

test("elements and attributes are removed", async () => {
  const page =
    '<html>\n<p class="x">First<br>\n<ul id="a"\n  title="b">\n<li><a href="#1">one</a> <b>two</b></li>\n</ul>\n</html>\n';
  for (const text of [page, page.replaceAll("\n", " ")]) {
    const left = async (wanted) => (await fb.minimizeText(text, (kept) => wanted.test(kept))).items.trim();
    assert.equal(await left(/<b>.*<\/b>/), "<b></b>");
    assert.equal(await left(/<a\b[^>]*>one<\/a>/), "<a>one</a>");
    assert.match(await left(/<ul[^<>]*\stitle\b[^<>]*>[\s\S]*<\/ul>/), /^<ul\s+title="b">\s*<\/ul>$/);
  }
});

test("several files are reduced together", async () => {
  const files = {
    "first.h": "int first(int);\nint second(int);\n",
    "first.c": '#include "first.h"\nint third = first(2);',
  };
  const calls = (kept) => {
    assert.deepEqual(Object.keys(kept), Object.keys(files));
    const name = kept["first.h"].split("(")[0].replace("int ", "");
    return name !== "" && kept["first.c"].includes(`${name}(`);
  };
  const report = await fb.minimizeText(files, calls);
  assert.deepEqual(report.items, { "first.h": "int a();\n", "first.c": "int b = a();" });
  const json = { "a.json": "[1, 2]\n", "b.json": "{}\n" };
  const left = await fb.minimizeText(json, (kept) => kept["a.json"].includes("["), { language: "json" });
  assert.equal(left.items["b.json"], "{}\n");
  assert.match((await rejectionOf(fb.minimizeText({ a: 3 }, () => true))).message, /^text: 3 is not valid/);
});

test("unparsable texts are not tested", async () => {
  const text = '{"a": [1, 2], "b": {"c": [3, 4]}}\n';
  const tested = async (language) => {
    const seen = [];
    const interesting = (kept) => {
      seen.push(kept);
      return kept.includes('"c"') && kept.includes("3");
    };
    const report = await fb.minimizeText(text, interesting, { fine: true, language });
    assert.equal(report.runs, seen.length);
    assert.equal(new Set(seen).size, seen.length, "equal texts are tested once");
    return [report.items, seen];
  };
  const [[withGrammar, asked], [, allAsked]] = [await tested("json"), await tested(undefined)];
  assert.equal(withGrammar, '{"c":3}');
  for (const kept of asked) JSON.parse(kept);
  assert.ok(asked.length < allAsked.length);
  for (const [wrong, words] of [
    ["perl", /language: "perl" .* one of python, javascript/],
    ["python", /does not parse as Python/],
    [3, /language: 3/],
  ]) {
    const error = await rejectionOf(fb.minimizeText(`${text} else`, () => true, { language: wrong }));
    assert.match(error.message, words);
    assert.equal(error.code, "invalid_argument");
  }
});

test("lines are reduced by their outline", async () => {
  const lines = BRACES.map((line) => `${line}\n`);
  const has = (kept) => kept.some((line) => line.includes("b()"));
  for (const given of [lines, [...lines.slice(0, -1), "c();"]]) {
    const report = await fb.minimize(given, has);
    assert.deepEqual([report.kept, report.guarantee], [[3], "1-minimal"]);
  }
  // With these options, or without line ends, all items are equal.
  for (const [given, options] of [
    [lines, { algorithm: "ddmin" }],
    [lines, { parents: lines.map(() => null) }],
    [BRACES, {}],
  ]) {
    assert.deepEqual((await fb.minimize(given, has, options)).kept, [3]);
  }
});

test("lone surrogates are kept", async () => {
  const text = fc.string({ unit: fc.constantFrom("\ud800", "\udc00", "é", "😀", "\n", "a ", "(", ")"), minLength: 1 });
  const property = fc.asyncProperty(text, async (text) => {
    const seen = [];
    const report = await fb.minimizeText(text, (kept) => seen.push(kept) > 0);
    assert.equal(seen[0], text);
    assert.ok(seen.includes(report.items));
  });
  await fc.assert(property, { seed: 21, numRuns: 100 });
});

test("invalid arguments are errors", async () => {
  const never = () => assert.fail("called");
  for (const [given, message] of [
    [5, /^text: 5/],
    [[5], /^text\[0\]: 5/],
    [null, /^text: null/],
  ]) {
    assert.match(thrownBy(() => fb.outline(given)).message, message);
    assert.match((await rejectionOf(fb.minimizeText(given, never))).message, message);
  }
  for (const [given, options, message] of [
    ["", {}, /^text: "" .*at least one line/],
    [TEXT, { parents: [] }, /^options: "parents" .*outline/],
    [TEXT, { later: [] }, /^options: "later" .*outline/],
    [TEXT, { fine: 1 }, /^fine: 1 .*true or false/],
    [TEXT, { dependencies: { 0: [70] } }, /^dependencies\[0\]: 70/],
    [TEXT, { lines: 1 }, /^options: "lines"/],
    [TEXT, 5, /^options: 5/],
  ]) {
    const error = await rejectionOf(fb.minimizeText(given, never, options));
    assert.deepEqual([error.code, message.test(error.message)], ["invalid_argument", true], error.message);
  }
  assert.match((await rejectionOf(fb.minimizeText(TEXT, "true"))).message, /^interesting: "true"/);
  assert.equal((await rejectionOf(fb.minimizeText(TEXT, () => false))).code, "not_reproduced");
});
