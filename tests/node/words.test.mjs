// Reports as text, equal in all front ends, and reports from JSON.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import { fb } from "./support.mjs";

const cases = JSON.parse(readFileSync(new URL("../vectors/words.json", import.meta.url), "utf8")).reports;

const ITEMS = [..."abcdefgh"];

const READERS = {
  regression: fb.RegressionSearch.reportFromJson,
  culprit: fb.CulpritSearch.reportFromJson,
  verification: fb.CulpritVerifier.reportFromJson,
  minimize: (text) => fb.Minimizer.reportFromJson(ITEMS, text),
  isolate: (text) => fb.Isolator.reportFromJson(ITEMS, text),
  slice: fb.SlicerReport.fromJson,
  port: fb.PorterReport.fromJson,
};

for (const { name, algorithm, report: written, text, markdown, github, gitlab, rows, page } of cases) {
  test(`${name}: the report matches the vectors and survives JSON`, () => {
    const report = READERS[algorithm](JSON.stringify(written));
    const again = READERS[algorithm](report.toJson());
    for (const one of [report, again]) {
      assert.equal(one.toText(), text);
      assert.equal(`${one}`, text.trimEnd());
      assert.equal(one.toMarkdown(), markdown);
      assert.equal(one.toAnnotations(), github);
      assert.equal(one.toAnnotations("gitlab"), gitlab);
      assert.equal(JSON.stringify(one.toRows()), rows);
      assert.equal(one.toHtml(), page);
    }
    for (const one of [report, again]) assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(one.toJson()));
    // Its methods are not enumerable.
    assert.ok(Object.keys({ ...report }).every((key) => !key.startsWith("to")));
    assert.throws(
      () => report.toAnnotations("jenkins"),
      /service: "jenkins" is not valid; expected "github" or "gitlab"/,
    );
  });
}

test("reports have the subjects of commits", () => {
  const report = READERS.regression(JSON.stringify(cases[0].report));
  const dates = { authorDate: "2026-01-31T00:00:00+01:00", commitDate: "2026-01-31T01:00:00Z" };
  const unknown = { email: "", changed: null, url: null, requestUrl: null, submodules: [] };
  const named = { subject: "Commit 2", author: "A | `B` <b> @all" };
  assert.deepEqual(report.commits["2".repeat(40)], { ...named, ...dates, ...unknown });
  const broken = report.commits["3".repeat(40)];
  assert.deepEqual(broken.changed.largest[1], { path: "a.py", added: 1, deleted: 0 });
  assert.deepEqual([broken.url, broken.requestUrl], ["https://example.org/commit/3", "https://example.org/pull/7"]);
  assert.deepEqual(report.names["5".repeat(40)], ["main", "v2|x"]);
});

test("JSON has only the credible set of a posterior", () => {
  const report = READERS.culprit(JSON.stringify(cases.find(({ algorithm }) => algorithm === "culprit").report));
  assert.deepEqual([...report.posterior], [[report.culprit, report.probability]]);
  assert.deepEqual(report.posterior.credibleSet(0.5), report.credibleSet);
});

test("invalid reports are rejected", () => {
  for (const text of ["", "{}", "[]", "null", "7", JSON.stringify(cases.at(-1).report)]) {
    assert.throws(() => READERS.regression(text), { code: "invalid_argument" }, text);
  }
});

test("repository text has no control sequences", async () => {
  const evil = "\x1b[31m\x9b2J\u202e\n ::error::";
  const ids = [..."012345"].map((number) => number + evil);
  const seen = (id) => ({ outcome: ids.indexOf(id) > 3 ? "fail" : "pass", note: evil });
  const graph = fb.CommitGraph.linear(ids);
  const report = await fb.findRegressions(graph, seen, { bad: ids[5], good: ids[0] });
  const culprit = await fb.findCulprit(graph, seen, { bad: ids[5], good: ids[0], flakeRate: 0.1 });
  const words = [report, culprit].flatMap((one) => [
    `${one}`,
    one.message,
    one.toMarkdown(),
    one.toJson(),
    one.toHtml(),
  ]);
  words.push(inspect(report), inspect(culprit.posterior), ...report.explain().map(({ message }) => message));
  assert.throws(
    () => graph.distance(ids[0], evil),
    ({ message }) => words.push(message) > 0,
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  for (const text of words) assert.doesNotMatch(text, /[\x1b\x9b]/);
  assert.doesNotMatch(`${report}`, /^\s*::/m);
});
