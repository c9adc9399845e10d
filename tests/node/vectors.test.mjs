// The vectors that every language runs: the same asks in the same order, the same reports.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fb, thrownBy } from "./support.mjs";

const folder = new URL("../vectors/", import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const renamed = (object, rename) => Object.fromEntries(Object.entries(object).map(([key, of]) => [rename(key), of]));

const SEARCHES = { regression: fb.RegressionSearch, culprit: fb.CulpritSearch, verification: fb.CulpritVerifier };

/** The report in the JSON form that all languages share; the posterior is no part of it. */
function jsonForm(value) {
  if (Array.isArray(value)) return value.map(jsonForm);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, of]) => !(of instanceof fb.Posterior))
      .map(([key, of]) => [snake(key), jsonForm(of)]),
  );
}

/** Compares as every language does: fractional numbers within 1e-9, all else exactly. */
function assertNear(given, expected, where) {
  if (typeof expected === "number" && typeof given === "number") {
    const exactly = Number.isInteger(expected) && Number.isInteger(given);
    assert.ok(exactly ? given === expected : Math.abs(given - expected) <= 1e-9, `${where}: ${given}, not ${expected}`);
  } else if (expected !== null && given !== null && typeof expected === "object" && typeof given === "object") {
    assert.deepEqual(Object.keys(given).sort(), Object.keys(expected).sort(), where);
    for (const key of Object.keys(expected)) assertNear(given[key], expected[key], `${where}.${key}`);
  } else {
    assert.equal(given, expected, where);
  }
}

/** What the steps of a vector do. */
const PLAY = {
  ask(state, { k, revisions }) {
    const before = state.search.events.filter(({ event }) => event === "asked").length;
    const probes = state.search.ask(k);
    const expected = revisions.map((revision, place) => ({ id: before + place, revision }));
    assert.deepEqual(probes, expected);
  },
  tell: ({ search }, { id, observation }) => search.tell(id, observation),
  abandon: ({ search }, { id }) => search.abandon(id),
  observe: ({ search }, { revision, observation }) => search.observe(revision, observation),
  enqueue: ({ search }, { revision }) => search.enqueue(revision),
  undo: ({ search }, { answers }) => search.undo(answers),
  wanted: ({ search }, { id, is }) => assert.equal(search.wanted(id), is),
  status: ({ search }, { is }) => assert.equal(search.status, is),
  budget: ({ search }, { budget }) => search.setBudget(budget),
  stop: ({ search }, { reason }) => search.stop(reason),
  restore(state) {
    const snapshot = state.search.snapshot();
    state.search = state.search.constructor.restore(state.graph, snapshot);
    assert.deepEqual(JSON.parse(state.search.snapshot()), JSON.parse(snapshot));
  },
  drive({ search }, { k, outcomes, asks }) {
    const asked = [];
    while (!search.done) {
      const probes = search.ask(k ?? 1);
      assert.ok(probes.length > 0, "asks nothing though nothing is in flight");
      for (const { id, revision } of probes) {
        asked.push(revision);
        search.tell(id, answer(outcomes, revision));
      }
    }
    assert.deepEqual(asked, asks);
  },
  posterior({ search }, { is, no_culprit }) {
    const { posterior } = search.report();
    for (const [revision, expected] of Object.entries(is)) assertNear(posterior.get(revision), expected, revision);
    assertNear(posterior.noCulprit, no_culprit, "no culprit");
  },
  reasons({ search }, { are }) {
    assert.deepEqual(
      search.report().reasons.map(({ code, revision }) => [code, revision]),
      are,
    );
  },
  report({ search }, { is }) {
    const report = jsonForm(search.report());
    for (const [key, expected] of Object.entries(is)) assertNear(report[key], expected, key);
  },
};

function answer({ default: otherwise, signatures = {}, ...lists }, revision) {
  const outcome = ["pass", "fail", "unresolved"].find((word) => lists[word]?.includes(revision)) ?? otherwise;
  return revision in signatures ? { outcome, signature: signatures[revision] } : outcome;
}

for (const file of files) {
  const { schema, vectors } = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  if (schema !== 1 || !vectors) continue;
  for (const vector of vectors) {
    test(`${file}: ${vector.name}`, () => {
      const { revisions, times } = vector.graph;
      const start = () => {
        const graph = new fb.CommitGraph(revisions, { times });
        return { graph, search: new SEARCHES[vector.algorithm](graph, renamed(vector.configuration, camel)) };
      };
      if (vector.error) {
        assert.equal(thrownBy(start).code, vector.error);
        return;
      }
      const state = start();
      for (const [place, step] of vector.steps.entries()) {
        try {
          if (step.error) assert.equal(thrownBy(() => PLAY[step.op](state, step)).code, step.error);
          else PLAY[step.op](state, step);
        } catch (error) {
          error.message = `step ${place} (${step.op}): ${error.message}`;
          throw error;
        }
      }
    });
  }
}
