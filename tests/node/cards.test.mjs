/** Cards in notebooks, which the core draws for all front ends. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fb, removeFolder } from "./support.mjs";

const { cards } = JSON.parse(readFileSync(new URL("../vectors/values/cards.json", import.meta.url), "utf8"));
const searches = { regression: fb.RegressionSearch, culprit: fb.CulpritSearch, verification: fb.CulpritVerifier };
const display = Symbol.for("Jupyter.display");

for (const { name, algorithm, graph, options, answers, page } of cards) {
  test(`vectors: ${name}`, () => {
    const { flake_rate: flakeRate, ...others } = options;
    const bad = algorithm === "regression" ? options.bad : options.bad[0];
    const search = new searches[algorithm](new fb.CommitGraph(graph), {
      ...others,
      bad,
      ...(flakeRate === undefined ? {} : { flakeRate }),
    });
    for (const outcome of answers) {
      const [probe] = search.ask();
      search.tell(probe.id, { outcome, seconds: 1.5 });
    }
    if (name === "a search that runs") search.ask();
    assert.equal(search.report().toHtml(), page);
    assert.equal(search.toHtml(), page);
  });
}

const history = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"]);
const passes = (revision) => revision < "1.2";
const ends = { bad: "1.3", good: "1.0" };

test("reports show their history, and the card is not enumerable", async () => {
  const report = await fb.findRegressions(history, passes, ends);
  assert.match(report.toHtml(), /^<!doctype html>[\s\S]*Broken by[\s\S]*<title>Commit graph/);
  assert.equal(Object.keys(report).includes("toHtml"), false);
  assert.equal(Object.getOwnPropertySymbols({ ...report }).length, 0);
  assert.match(report[display]()["text/html"], /^<section class="fbad"/);
});

test("graphs are pictures", async () => {
  const report = await fb.findRegressions(history, passes, ends);
  assert.match(history.toSvg(), /^<svg xmlns=/);
  assert.match(history.toSvg(report), /1\.2 fails/);
  assert.match(history.toHtml(report), /1\.2 fails/);
  assert.equal(history[display]()["image/svg+xml"], history.toSvg());
  assert.throws(() => history.toSvg({}), { code: "invalid_argument" });
});

test("cards of reductions show their items", async () => {
  const items = await fb.minimize(["<a>", "b", "c"], (kept) => kept.includes("<a>"));
  assert.match(items.toHtml(), /1 of 3 items[\s\S]*&lt;a&gt;/);
  const text = await fb.minimizeText("a\n<b>\nc\n", (kept) => kept.includes("b"));
  assert.match(text.toHtml(), /1 of 3 lines[\s\S]*&lt;b&gt;/);
  const patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n one\n+two\n+three\n");
  assert.match(patch.toHtml(), /2 changes in 1 file/);
});

test("sessions, stores, and rankings have cards", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "firstbad-cards-"));
  t.after(() => removeFolder(folder));
  const session = fb.Session.open(`${folder}/run.jsonl`, new fb.RegressionSearch(history, ends));
  await fb.run(session, passes);
  assert.match(session.toHtml(), /run\.jsonl[\s\S]*Broken by/);
  session.close();
  const store = new fb.OutcomeStore(`${folder}/outcomes.db`, { oracle: "make <test>" });
  await fb.findRegressions(history, passes, { ...ends, store });
  assert.match(store.toHtml(), /outcomes[\s\S]*make &lt;test&gt;/);
  const ranking = fb.rankCommits({ c1: ["a.py"], c2: ["README"] }, { test: "test_a" });
  assert.match(ranking.toHtml(), /Suspected before anything runs/);
});
