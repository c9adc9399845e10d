// Slices of a small history in JavaScript, guided by facts and coverage.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fb, rejectionOf, repositoryAt } from "./support.mjs";

const STEPS = 6;
/** The changes that the test needs, and the changes to code that it runs. */
const NEEDED = [1, 4];
const RUN = [0, 1, 2, 4];
const FACTS = new URL("../../node/dist/facts/register.js", import.meta.url).href;

const environment = process.env.XDG_CACHE_HOME;
let folder;
let scene;

/** A module for each step, with a function that the step changes. Half of them are ECMAScript modules. */
const moduleOf = (number) => `shop/m${number}.${number % 2 ? "cjs" : "mjs"}`;
const source = (number, steps) => {
  const body = `function step${number}(count) {\n  return ${number < steps ? "count + 1" : "count"};\n}\n`;
  return number % 2 ? `${body}module.exports = { step${number} };\n` : `export ${body}`;
};

before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-facts-in-slices-"));
  process.env.XDG_CACHE_HOME = join(folder, "cache");
  const numbers = Array.from({ length: STEPS }, (_, number) => number);
  const versions = [...numbers, STEPS].map((steps) =>
    Object.fromEntries(numbers.map((number) => [moduleOf(number), source(number, steps)])),
  );
  const imports = numbers.map((number) => `import { step${number} } from "./${moduleOf(number)}";\n`).join("");
  const calls = RUN.map((number) => `step${number}(1);\n`).join("");
  const wanted = NEEDED.map((number) => `assert.equal(step${number}(1), 2);\n`).join("");
  const text = `import assert from "node:assert";\n${imports}${calls}${wanted}`;
  versions.push({ ...versions.at(-1), "test.mjs": text });
  scene = repositoryAt(join(folder, "shop"), versions);
  scene.git("checkout", "-q", "main");
});

after(() => {
  if (environment === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = environment;
  rmSync(folder, { recursive: true, force: true });
});

const within = () => ({ base: scene.shas[0], tip: "main", paths: ["shop"], tests: ["test.mjs"] });
const commits = (numbers) => numbers.map((number) => scene.shas[number + 1]);

/** Returns the report, and the facts of each run in the journal. */
async function sliced(facts, options) {
  const command = [process.execPath, ...(facts ? ["--import", FACTS] : []), "test.mjs"];
  const journal = join(folder, `${options.algorithm}-${facts}.jsonl`);
  const oracle = scene.repository.commandOracle(command);
  const report = await fb
    .sliceHistory(scene.repository, { ...within(), oracle, journal, ...options })
    .finally(() => oracle.close());
  const events = readFileSync(journal, "utf8").trim().split("\n").map(JSON.parse);
  const written = events.map(({ facts }) => facts).filter((facts) => facts !== undefined);
  const shown = report.observations.map(({ signals }) => signals?.facts).filter((facts) => facts !== undefined);
  assert.equal(written.length, shown.length);
  return { report, facts: shown };
}

for (const options of [{ algorithm: "auto" }, { algorithm: "definer", scheme: "neg" }]) {
  test(`facts arrive and cost no run: ${options.algorithm}`, async () => {
    const without = await sliced(false, options);
    const { report, facts } = await sliced(true, options);
    assert.deepEqual(report.commits, commits(NEEDED));
    assert.deepEqual(without.report.commits, commits(NEEDED));
    assert.deepEqual(without.facts, []);
    assert.ok(report.runs <= without.report.runs, `${report.runs} ${without.report.runs}`);
    assert.equal(facts.length, report.runs);
    const [all] = facts;
    assert.deepEqual([...new Set(all.map(({ file }) => file))], RUN.map(moduleOf).sort());
    const of = (name, variable) => all.find((fact) => fact.name === name && fact.variable === variable);
    assert.deepEqual(of("step1", "return").values, [2]);
    assert.deepEqual(of("step4", "count").values, [1]);
  });
}

test("coverage of V8 and lists of lines are a start", async () => {
  const coverage = join(folder, "coverage");
  mkdirSync(coverage);
  execFileSync(process.execPath, ["test.mjs"], {
    cwd: scene.path,
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const lines = join(folder, "lines.json");
  writeFileSync(lines, JSON.stringify(Object.fromEntries(RUN.map((number) => [moduleOf(number), [2]]))));
  const oracle = ({ patch }) => NEEDED.every((number) => patch.files.some(({ path }) => path === moduleOf(number)));
  for (const given of [coverage, [lines], { paths: new Set([lines]), format: "lines" }]) {
    const options = { ...within(), oracle, coverage: given };
    const alone = await fb.sliceHistory(scene.repository, { ...options, algorithm: "coverage" });
    assert.deepEqual([alone.commits, alone.runs], [commits(RUN), 3]);
    assert.deepEqual((await fb.sliceHistory(scene.repository, options)).commits, commits(NEEDED));
  }
  const errors = [
    [{ coverage: lines, start: [0] }, /^start: \[0\] is not valid; expected either a start or coverage/],
    [{ coverage: 5 }, /coverage: 5 is not valid/],
    [{ coverage: {} }, /coverage.paths: /],
    [{ coverage: { paths: lines, formt: "v8" } }, /coverage: "formt"/],
    [{ coverage: { paths: lines, format: "gcov" } }, /coverage.format: "gcov"/],
    [{ coverage: join(scene.path, "test.mjs") }, /coverage: .*test.mjs/],
  ];
  for (const [options, words] of errors) {
    const error = await rejectionOf(fb.sliceHistory(scene.repository, { ...within(), oracle, ...options }));
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, words);
  }
});
