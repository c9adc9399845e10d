// The vectors that all languages run: the same asks in the same order, and the same reports.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fb, thrownBy } from "./support.mjs";

const folder = new URL("../vectors/", import.meta.url);
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => /(?<!^(content|suspicion|words))\.json$/.test(name))
  : [];

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const renamed = (object, rename) => Object.fromEntries(Object.entries(object).map(([key, of]) => [rename(key), of]));

const SEARCHES = {
  regression: fb.RegressionSearch,
  culprit: fb.CulpritSearch,
  verification: fb.CulpritVerifier,
  minimize: fb.Minimizer,
  isolate: fb.Isolator,
  port: fb.Porter,
  slice: fb.Slicer,
  triage: fb.TriageSearch,
  change: fb.ChangeSearch,
};

/** Returns the subject of a probe as vectors write it: a revision, maybe with tests, or a set of changes in short form. */
const tested = ({ revision, tests, set }) => (tests ? `${revision}:${set}` : (revision ?? set));

/** Returns the indices of a short form. */
function indices(set) {
  return set.split(",").flatMap((run) => {
    const [first, last = first] = run.split("-").map(Number);
    return set === "" ? [] : Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}

/** Returns the subject of a step, for `observe` and `enqueue`. */
const target = ({ revision, changes }) => revision ?? indices(changes);

/**
 * Returns the JSON form of a report that all languages share, without the posterior and fingerprints, which have
 * separate steps. Sets of changes are in short form.
 */
function jsonForm(value) {
  if (Array.isArray(value)) return value.map(jsonForm);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, of]) => key !== "fingerprint" && !(of instanceof fb.Posterior))
      .map(([key, of]) => [key === "set" ? "changes" : snake(key), jsonForm(of)]),
  );
}

/** Returns whether the core omits this value of a report. */
function isDefault(value) {
  return [null, false, "regression"].includes(value) || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Compares fractional numbers within 1e-9, and other values exactly. */
function assertNear(given, expected, where) {
  if (typeof expected === "number" && typeof given === "number") {
    const exactly = Number.isInteger(expected) && Number.isInteger(given);
    assert.ok(exactly ? given === expected : Math.abs(given - expected) <= 1e-9, `${where}: ${given}, not ${expected}`);
  } else if (expected !== null && given !== null && typeof expected === "object" && typeof given === "object") {
    const told = Object.keys(given).filter((key) => Object.hasOwn(expected, key) || !isDefault(given[key]));
    assert.deepEqual(told.sort(), Object.keys(expected).sort(), where);
    for (const key of Object.keys(expected)) assertNear(given[key], expected[key], `${where}.${key}`);
  } else {
    assert.equal(given, expected, where);
  }
}

/** Calls the binding with its errors converted as in the package. */
const bound = (call) => {
  try {
    return call();
  } catch (error) {
    throw Object.assign(error, { code: JSON.parse(error.message).code });
  }
};

/** Parses the probes of the binding: the subject and the id of each. */
const takenFrom = (joined) =>
  joined === ""
    ? []
    : joined
        .split("\0")
        .flatMap((_, place, parts) =>
          place % 3 === 0 ? [parts[place + 1] === "*" ? parts[place + 2] : parts[place + 1]] : [],
        );

/** The steps of a run. */
const DRIVE = {
  run(state, { jobs, retries, budget }) {
    state.driving = fb.Search.bindingOf(state.search);
    state.driving.beginRun(JSON.stringify({ jobs, retries, budget }));
  },
  take({ driving }, { revisions = [], changes }) {
    assert.deepEqual(takenFrom(bound(() => driving.take())), changes ?? revisions);
  },
  answered({ driving }, { id, observation, counts = false }) {
    assert.equal(
      bound(() => driving.answeredWith(id, JSON.stringify(observation))),
      counts,
    );
    const bare = ["pass", "fail", "unresolved"].indexOf(observation.outcome);
    // The fast path returns the same for a known outcome.
    if (observation.ran !== false && counts) assert.equal(driving.answered(id, bare), true);
  },
  retry: ({ driving }, { id, again }) => assert.equal(driving.retry(id), again),
  useless: ({ driving }, { are }) => assert.deepEqual(driving.useless(), are),
  cancelled: ({ driving }, { id }) => driving.cancelled(id),
  ended: ({ driving }, { id, is }) => assert.equal(driving.ended(id), is),
  over: ({ driving }, { late = false, is }) => assert.equal(driving.over(late), is),
  progress({ driving }, { is }) {
    const { forecast, carrying, ...given } = JSON.parse(driving.progress());
    const [likely, worst] = [forecast?.likely.runs ?? null, forecast?.worst.runs ?? null];
    for (const [key, expected] of Object.entries(is)) {
      assert.equal({ ...given, ...carrying, likely_runs: likely, worst_runs: worst }[key], expected, key);
    }
  },
  give_back: ({ driving }) => driving.giveBack(),
  in_flight({ search }, { are }) {
    assert.deepEqual(
      search.inFlight.map(({ id }) => id),
      are,
    );
  },
  reads: ({ search }, { are }) => assert.deepEqual(search.reads, are),
  give: ({ search }, { id, content }) => search.give(id, new TextEncoder().encode(content)),
};

/** The steps of a vector. */
const PLAY = {
  ...DRIVE,
  ask({ search }, { k, revisions, changes }) {
    const before = search.events.filter(({ event }) => event === "asked").length;
    const probes = search.ask(k);
    assert.deepEqual(probes.map(tested), revisions ?? changes);
    assert.deepEqual(
      probes.map(({ id }) => id),
      probes.map((_, place) => before + place),
    );
    for (const { changes, set } of probes) if (changes !== undefined) assert.deepEqual(changes, indices(set));
  },
  tell: ({ search }, { id, observation }) => search.tell(id, observation),
  abandon: ({ search }, { id }) => search.abandon(id),
  observe: ({ search }, step) => search.observe(target(step), step.observation),
  enqueue: ({ search }, step) => search.enqueue(target(step)),
  undo: ({ search }, { answers }) => search.undo(answers),
  wanted: ({ search }, { id, is }) => assert.equal(search.wanted(id), is),
  status: ({ search }, { is }) => assert.equal(search.status, is),
  budget: ({ search }, { budget }) => search.setBudget(budget),
  stop: ({ search }, { reason }) => search.stop(reason),
  restore(state) {
    const snapshot = state.search.snapshot();
    state.search = state.search.constructor.restore(state.world, snapshot);
    assert.deepEqual(JSON.parse(state.search.snapshot()), JSON.parse(snapshot));
  },
  drive({ search }, { k, outcomes, asks }) {
    const asked = [];
    while (!search.done) {
      const probes = search.ask(k ?? 1);
      assert.ok(probes.length > 0, "asks nothing though nothing is in flight");
      for (const probe of probes) {
        const before = asked.filter((one) => one === tested(probe)).length;
        asked.push(tested(probe));
        search.tell(probe.id, answer(outcomes, probe, before));
      }
    }
    assert.deepEqual(asked, asks);
  },
  posterior({ search }, { is, no_culprit }) {
    const { posterior } = search.report();
    for (const [revision, expected] of Object.entries(is)) assertNear(posterior.get(revision), expected, revision);
    assertNear(posterior.noCulprit, no_culprit, "no culprit");
  },
  fingerprints({ search }, { are }) {
    const report = search.report();
    const given = (report.points ?? report.steps ?? [report]).map(({ fingerprint }) => fingerprint);
    assert.deepEqual(
      given.filter((fingerprint) => fingerprint !== null),
      are,
    );
  },
  reasons({ search }, { are }) {
    assert.deepEqual(
      search.report().reasons.map(({ code, revision }) => [code, revision]),
      are,
    );
  },
  report({ search }, { is }) {
    const given = search.report();
    // Classes of reports write the JSON of the core. For other reports, the properties are compared.
    const report = Object.getPrototypeOf(given) === Object.prototype ? jsonForm(given) : given.toJSON();
    for (const [key, expected] of Object.entries(is)) assertNear(report[key], expected, key);
  },
};

function answer(
  { needed = [], dependencies = {}, tests: suite, numbers, ...outcomes },
  { revision, changes, tests },
  before,
) {
  if (numbers && revision in numbers) return numbers[revision][before % numbers[revision].length];
  if (suite && ofRevision(outcomes, revision) !== "unresolved") {
    const asked = suite.filter(({ id }) => !tests || tests.includes(id));
    return Object.fromEntries(asked.map(({ id, fail }) => [id, !fail.includes(revision)]));
  }
  if (revision !== undefined) return ofRevision(outcomes, revision);
  const has = (index) => changes.includes(index);
  if (!changes.every((index) => (dependencies[index] ?? []).every(has))) return "unresolved";
  return needed.every(has);
}

function ofRevision({ default: otherwise = "pass", signatures = {}, ...lists }, revision) {
  const outcome = ["pass", "fail", "unresolved"].find((word) => lists[word]?.includes(revision)) ?? otherwise;
  return revision in signatures ? { outcome, signature: signatures[revision] } : outcome;
}

/** Returns the world of a search: a history, names or a number of changes, or items. */
function worldOf({ algorithm, graph, items, configuration }) {
  if (graph) return new fb.CommitGraph(graph.revisions, { times: graph.times });
  if (algorithm === "slice") return configuration.changes ?? items;
  return Array.from({ length: items }, (_, index) => index);
}

for (const file of files) {
  const { schema, vectors } = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  if (schema !== 1 || !vectors) continue;
  for (const vector of vectors) {
    test(`${file}: ${vector.name}`, () => {
      const start = () => {
        const world = worldOf(vector);
        const { changes, ...configuration } = vector.configuration;
        const options = renamed(configuration, camel);
        for (const [name, metric] of Object.entries(options.metrics ?? {}))
          options.metrics[name] = renamed(metric, camel);
        return { world, search: new SEARCHES[vector.algorithm](world, options) };
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
