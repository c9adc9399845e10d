import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { fb, rejectionOf, thrownBy } from "./support.mjs";

let folder;
let shas;

const path = (...names) => join(folder, ...names);

function git(where, ...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", where, ...config, ...words], { encoding: "utf8" }).trim();
}

/** Ten commits on main. Every other commit touches `lib`, and the seventh adds `lib/broken`. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-clones-"));
  mkdirSync(path("origin", "lib"), { recursive: true });
  git(path("origin"), "init", "-q", "-b", "main");
  git(path("origin"), "config", "uploadpack.allowFilter", "true");
  git(path("origin"), "config", "uploadpack.allowAnySHA1InWant", "true");
  shas = Array.from({ length: 10 }, (_, number) => {
    const name = number === 6 ? "lib/broken" : number % 2 === 0 ? "lib/number" : "notes";
    writeFileSync(path("origin", name), `${number}\n`);
    git(path("origin"), "add", "-A");
    git(path("origin"), "commit", "-q", "-m", String(number));
    return git(path("origin"), "rev-parse", "HEAD");
  });
  git(path("origin"), "tag", "v0", shas[0]);
});

after(() => rmSync(folder, { recursive: true, force: true }));

function cloned(name, how) {
  git(folder, "clone", "-q", how, pathToFileURL(path("origin")).href, name);
  return path(name);
}

const passes = (id) => shas.indexOf(id) < 6;

test("the boundary of a shallow clone is not a root", async () => {
  const graph = await fb.CommitGraph.fromGit(cloned("shallow", "--depth=5"));
  for (const make of [
    () => new fb.RegressionSearch(graph, { bad: "main" }),
    () => new fb.CulpritSearch(graph, { bad: "main", flakeRate: 0.1 }),
  ]) {
    const error = thrownBy(make);
    assert.equal(error.code, "shallow");
    assert.match(error.message, /^good: nothing is given, but this clone is shallow.*\nhelp: .*git fetch --unshallow/);
    assert.ok(error.message.includes(shas[5]));
  }
  const found = await fb.findRegressions(graph, passes, { bad: "main", good: "main~4" });
  assert.equal(found.points[0].bad, shas[6]);
});

test("missing history is fetched if allowed", async () => {
  const clone = cloned("fetched", "--depth=1");
  assert.equal((await new fb.Repository(clone).graph()).size, 1);
  const repository = new fb.Repository(clone, { fetch: true });
  assert.equal(repository.resolve("v0"), shas[0]);
  assert.equal((await fb.findRegressions(await repository.graph(), passes, { bad: "main" })).points[0].bad, shas[6]);
  assert.equal((await fb.CommitGraph.fromGit(cloned("other", "--depth=1"), { fetch: true })).size, 10);
  assert.equal(thrownBy(() => new fb.Repository(clone, { fetch: 1 })).code, "invalid_argument");
  assert.equal(thrownBy(() => fb.Repository.open(clone, { fecth: true })).code, "invalid_argument");
});

test("a partial clone fetches or gives advice", async () => {
  const clone = cloned("partial", "--filter=blob:none");
  const options = { worktrees: path("trees"), outputDir: path("output") };
  const lacking = new fb.Repository(clone).commandOracle(["test", "-e", "lib/number"], options);
  const error = await rejectionOf(lacking(shas[0]));
  await lacking.close();
  assert.equal(error.code, "missing_objects");
  assert.match(error.message, /git fetch --refetch --no-filter/);
  const whole = new fb.Repository(clone, { fetch: true }).commandOracle(["test", "-e", "lib/number"], options);
  assert.equal((await whole(shas[0])).outcome, "pass");
  await whole.close();
});

test("the option for Git LFS is a boolean", () => {
  const repository = new fb.Repository(path("origin"));
  assert.match(thrownBy(() => repository.commandOracle(["true"], { lfs: 1 })).message, /lfs/);
});

test("endpoints outside the paths are reported, and outcomes become a bisect log", async () => {
  const clone = cloned("bisected", "--no-local");
  const graph = await fb.CommitGraph.fromGit(clone, { tips: ["main", "main~8"], paths: "lib" });
  assert.equal(graph.size, 7);
  const report = await fb.findRegressions(graph, passes, { bad: "main", good: "main~8" });
  assert.deepEqual([report.points[0].bad, report.points[0].parentsPass], [shas[6], false]);
  assert.deepEqual([report.paths, report.firstParent], [["lib"], false]);
  assert.equal(
    report.message,
    `among commits that touch these paths, ${shas[6]} is the first that fails, but its parent was not tested`,
  );
  // The text must not present the revision before the culprit as its parent.
  assert.match(
    report.toText(),
    new RegExp(`${report.points[0].good.slice(0, 12)} passes .*; its real parent was not tested`),
  );
  assert.equal(report.toText().match(/parent/g).length, 1);
  const log = report.toBisectLog();
  assert.ok(log.startsWith("git bisect start '--' 'lib'\n"));
  writeFileSync(path("log"), log);
  // Newer versions of Git print 'bad' in quotes.
  assert.match(git(clone, "bisect", "replay", path("log")), new RegExp(`${shas[6]} is the first '?bad'? commit`));
});
