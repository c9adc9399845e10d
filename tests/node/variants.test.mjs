// The trees of revisions with changes on them, as the binding has them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { packageFile, rejectionOf } from "./support.mjs";

const { BindingRepository, BindingSearch, BindingVariants } = createRequire(packageFile)("./dist/binding.js");

let folder;
let shas;

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", join(folder, "repo"), ...config, ...words], { encoding: "utf8" }).trim();
}

/** A line that is changed on the second of two revisions, and was another on the side. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-variants-"));
  execFileSync("git", ["init", "-q", "-b", "main", join(folder, "repo")]);
  const commit = (line) => {
    const lines = Array.from({ length: 20 }, (_, place) => (place === 9 ? line : `line ${place}`));
    writeFileSync(join(folder, "repo", "text"), `${lines.join("\n")}\n`);
    git("add", "-A");
    git("commit", "-q", "-m", line);
    return git("rev-parse", "HEAD");
  };
  shas = { first: commit("line 9"), second: commit("new") };
  git("checkout", "-q", "--detach", shas.first);
  shas.other = commit("another");
});

after(() => rmSync(folder, { recursive: true, force: true }));

function opened(options = {}) {
  const repository = BindingRepository.open(join(folder, "repo"));
  const graph = repository.graphSync(JSON.stringify({ tips: ["main"] }));
  const search = BindingSearch.open("walk_back", graph, JSON.stringify({ start: shas.second, steps: 1 }));
  const variants = BindingVariants.open(repository, JSON.stringify({ folder: join(folder, "variants"), ...options }));
  const carried = (target) => variants.carried(search, JSON.stringify(target));
  return { search, variants, carried };
}

test("a probe becomes a patch or a conflict", async () => {
  const { search, variants, carried } = opened();
  const [{ id, ...request }] = JSON.parse(search.reads());
  const content = await variants.read(search, JSON.stringify(request));
  assert.match(String(content), /\n-line 9\n\+new\n/);
  search.give(id, content);
  const on = (revision, changes = "0-1") => ({ revision, changes, universe: 0 });
  const { patch, tree, way, conflict } = await carried(on(shas.first));
  assert.deepEqual([String(patch), tree, way], [String(content), git("rev-parse", `${shas.second}^{tree}`), "exact"]);
  assert.equal(conflict, undefined);
  assert.equal((await carried(on(shas.second))).way, "already");
  assert.equal((await carried(on(shas.other, ""))).patch.length, 0);
  const between = { read: "diff", from: shas.second, to: on(shas.first, "1") };
  assert.doesNotMatch(String(await variants.read(search, JSON.stringify(between))), /\n\+new\n/);
  const refused = await carried(on(shas.other));
  assert.deepEqual([refused.patch, refused.conflict.file, refused.conflict.hunk], [undefined, "text", 1]);
  assert.match(refused.conflict.message, /CONFLICT \(content\)/);
  assert.equal(refused.conflict.words, `the patch does not apply to text (hunk 1): ${refused.conflict.message}`);
  variants.close();
  variants.close();
  assert.deepEqual(
    readdirSync(join(folder, "variants")).flatMap((name) => readdirSync(join(folder, "variants", name))),
    [],
  );
});

test("what cannot be meant is an error", async () => {
  const { search, variants, carried } = opened({ overlay: { revision: shas.second, paths: ["text"] } });
  assert.match(String((await carried({ revision: shas.first })).patch), /\n\+new\n/);
  const wrong = { revision: shas.first, changes: "0", universe: 0 };
  assert.match((await rejectionOf(carried(wrong))).message, /^invalid_argument\nuniverse/);
  assert.match((await rejectionOf(carried({ revision: "nothing" }))).message, /^unknown_revision\n/);
  assert.throws(() => carried({}), /^Error: invalid_argument\ntarget/);
  assert.throws(() => variants.read(search, "{}"), /^Error: invalid_argument\nrequest/);
  assert.throws(() => opened({ overlay: { revision: "main", paths: ["missing"] } }), /invalid_argument\noverlay/);
  assert.throws(() => opened({ folders: 1 }), /invalid_argument\noptions/);
});
