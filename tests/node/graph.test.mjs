import assert from "node:assert/strict";
import { test } from "node:test";
import { fb, fc, ids, line, thrownBy } from "./support.mjs";

const diamond = { r: [], a: ["r"], b: ["r"], m: ["a", "b"] };

test("a Map, pairs, and an object give the same graph", () => {
  for (const source of [diamond, Object.entries(diamond), new Map(Object.entries(diamond))]) {
    const graph = new fb.CommitGraph(source);
    assert.deepEqual([...graph.ids], ["r", "a", "b", "m"]);
    assert.equal(graph.size, 4);
    assert.equal(graph.length, 4);
    assert.deepEqual(graph.parents("m"), ["a", "b"]);
    assert.deepEqual(graph.children("r"), ["a", "b"]);
    assert.deepEqual(graph.roots, ["r"]);
    assert.deepEqual(graph.leaves, ["m"]);
    assert.equal(graph.isAncestor("r", "m"), true);
    assert.equal(graph.isAncestor("a", "b"), false);
    assert.equal(graph.distance("r", "m"), 2);
    assert.equal(graph.distance("m", "r"), null);
    assert.equal(graph.has("a"), true);
    assert.equal(graph.has("z"), false);
    assert.equal(graph.resolve("a"), "a");
  }
});

test("edges and lists give graphs", () => {
  const edges = [
    ["r", "a"],
    ["r", "b"],
    ["b", "m"],
    ["a", "m"],
  ];
  const graph = fb.CommitGraph.fromEdges(edges);
  assert.deepEqual(graph.parents("m"), ["b", "a"]);
  assert.deepEqual(fb.CommitGraph.linear(new Set(["1.0", "1.1"])).parents("1.1"), ["1.0"]);
});

test("an object with reordered keys is rejected with advice to use a Map", () => {
  const error = thrownBy(() => new fb.CommitGraph({ 2: [], 1: ["2"] }));
  assert.ok(error instanceof fb.FirstbadError);
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /Map/);
  const graph = new fb.CommitGraph(
    new Map([
      ["2", []],
      ["1", ["2"]],
    ]),
  );
  assert.deepEqual(graph.parents("1"), ["2"]);
  assert.equal(new fb.CommitGraph({ "1.0": [], "01": ["1.0"] }).size, 2);
});

test("invalid graphs are rejected with their ids", () => {
  const cases = [
    [() => new fb.CommitGraph([]), "empty_graph", /at least one/],
    [() => new fb.CommitGraph({}), "empty_graph", /at least one/],
    [() => fb.CommitGraph.linear([]), "empty_graph", /at least one/],
    [() => fb.CommitGraph.fromEdges([]), "empty_graph", /at least one/],
    [() => fb.CommitGraph.linear(["a", "b", "a"]), "duplicate_revision", /"a"/],
    [() => new fb.CommitGraph({ a: ["zz"] }), "unknown_parent", /"zz" \(a parent of "a"\)/],
    [() => new fb.CommitGraph({ a: ["b"], b: ["a"] }), "cycle", /a -> b -> a/],
    [() => new fb.CommitGraph(null), "invalid_argument", /Map/],
    [() => new fb.CommitGraph("abc"), "invalid_argument", /"abc"/],
    [() => new fb.CommitGraph({ a: "b" }), "invalid_argument", /parents of "a"/],
    [() => new fb.CommitGraph([["a"]]), "invalid_argument", /pairs/],
    [() => new fb.CommitGraph(new Map([[1, []]])), "invalid_argument", /1/],
    [
      () => new fb.CommitGraph(["a", "b"]),
      "invalid_argument",
      /^graph: "a" .*For a list of ids, use CommitGraph\.linear$/,
    ],
    [() => fb.CommitGraph.linear("abc"), "invalid_argument", /"abc"/],
    [() => fb.CommitGraph.linear(["a\0b"]), "invalid_argument", /U\+0000/],
    [() => new fb.CommitGraph({ a: [] }, { times: [1, 2] }), "invalid_argument", /times/],
    [() => new fb.CommitGraph({ a: [] }, { times: [0.5] }), "invalid_argument", /0\.5/],
    [() => new fb.CommitGraph({ a: [] }, { time: [1] }), "invalid_argument", /"time"/],
    [() => line(3).parents("r9"), "unknown_revision", /"r9"/],
    [() => line(3).distance("r0", "r9"), "unknown_revision", /"r9"/],
    [() => line(3).parents(7), "invalid_argument", /7/],
  ];
  for (const [call, code, words] of cases) {
    const error = thrownBy(call);
    assert.ok(error instanceof fb.FirstbadError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
  }
});

test("a graph can be drawn", () => {
  const graph = new fb.CommitGraph(diamond);
  assert.match(graph.toDot(), /^digraph/);
  assert.match(graph.toMermaid(), /^(flowchart|graph|gitGraph)/);
});

test("times can be in order or by id", () => {
  assert.equal(new fb.CommitGraph(diamond, { times: [1, 2, 3, 4] }).size, 4);
  const times = new Map(Object.keys(diamond).map((id, place) => [id, place]));
  assert.equal(new fb.CommitGraph(diamond, { times }).size, 4);
});

test("ids are a frozen array", () => {
  const graph = line(1000);
  const view = graph.ids;
  assert.equal(view.length, 1000);
  assert.equal(view[999], "r999");
  assert.equal(view[1000], undefined);
  assert.equal(view.at(-1), "r999");
  assert.ok(Array.isArray(view));
  assert.throws(() => {
    view[0] = "x";
  }, TypeError);
  assert.throws(() => view.push("x"), TypeError);
  assert.deepEqual(view, ids(1000));
  assert.deepEqual(JSON.parse(JSON.stringify(view)), ids(1000));
  assert.equal(view.indexOf("r7"), 7);
  assert.equal(graph.ids, view);
});

test("ids and parents are unchanged", () => {
  const id = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 20 }), fc.nat(), (names, salt) => {
      const pairs = names.map((name, place) => [name, names.slice(0, place).filter((_, of) => (of + salt) % 3 === 0)]);
      const graph = new fb.CommitGraph(pairs);
      assert.deepEqual([...graph.ids], names);
      for (const [name, parents] of pairs) assert.deepEqual(graph.parents(name), parents);
    }),
    { seed: 7, numRuns: 200 },
  );
});

test("versions keep their order", () => {
  const came = ["10.0.0-nightly.1", "10.0.0-rc.1", "10.0.0", "10.1.0", "10.10.0"];
  assert.deepEqual([...fb.CommitGraph.fromVersions(came.toSorted(), { scheme: "semver" }).ids], came);
  const python = ["1.0.dev1", "1.0rc1", "1.0", "1.0.post1", "1.10"];
  assert.deepEqual([...fb.CommitGraph.fromVersions(python.toSorted(), { scheme: "pep440" }).ids], python);
  assert.throws(() => fb.CommitGraph.fromVersions(["1.2"], { scheme: "semver" }), /versions: "1\.2" is not valid/);
  assert.throws(() => fb.CommitGraph.fromVersions(["1.2"], { scheme: "calver" }), /scheme: "calver" is not valid/);
  assert.throws(() => fb.CommitGraph.fromVersions(["1.2"]), { code: "invalid_argument" });
});
