// Trees of revisions with changes, as the binding creates them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fb, packageFile, rejectionOf } from "./support.mjs";

const { BindingRepository, BindingVariants } = createRequire(packageFile)("./dist/binding.js");

let folder;
let shas;

function git(...words) {
  const config = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", join(folder, "repo"), ...config, ...words], { encoding: "utf8" }).trim();
}

/** A line that the second of two revisions changes, and that differs on a branch. */
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
  const repository = BindingRepository.open(join(folder, "repo"), false);
  const porter = new fb.Porter(fb.CommitGraph.linear([shas.first, shas.second]), { start: shas.second });
  while (porter.reads.length === 0) {
    for (const { id, revision } of porter.ask()) porter.tell(id, revision === shas.first);
  }
  const search = fb.Search.bindingOf(porter);
  const variants = BindingVariants.open(repository, JSON.stringify({ folder: join(folder, "variants"), ...options }));
  const trial = (target) => variants.trial(search, JSON.stringify(target));
  return { search, variants, trial };
}

test("a probe becomes a patch, and its observation an outcome", async () => {
  const { search, variants, trial } = opened();
  const [{ id, ...request }] = JSON.parse(search.reads());
  const content = await variants.read(search, JSON.stringify(request));
  assert.match(String(content), /\n-line 9\n\+new\n/);
  search.give(id, content);
  const on = (revision, changes = "0-1") => ({ revision, changes, universe: 0 });
  const carried = await trial(on(shas.first));
  const { patch, tree, way } = carried;
  assert.deepEqual(
    [Buffer.from(patch).toString(), tree, way],
    [String(content), git("rev-parse", `${shas.second}^{tree}`), "exact"],
  );
  assert.equal((await trial(on(shas.second))).way, "already");
  assert.equal((await trial(on(shas.other, ""))).patch.length, 0);
  const between = { read: "diff", from: shas.second, to: on(shas.first, "1") };
  assert.doesNotMatch(String(await variants.read(search, JSON.stringify(between))), /\n\+new\n/);

  const seen = (said, control) =>
    JSON.parse(
      variants.seen(JSON.stringify(on(shas.first)), carried, JSON.stringify(said), control && JSON.stringify(control)),
    );
  const guarded = seen({ outcome: "fail" }, { outcome: "unresolved", note: "no tool" });
  assert.deepEqual(
    [guarded.outcome, guarded.stage, guarded.signals],
    ["unresolved", "control", { carried: "exact", tree }],
  );
  assert.match(guarded.note, /no tool/);
  // A revision with equal files has the same outcome without a run.
  const again = JSON.parse(await trial(on(shas.second)));
  assert.deepEqual([again.outcome, again.ran, again.signals], ["unresolved", false, { carried: "already", tree }]);
  const refused = JSON.parse(await trial(on(shas.other)));
  assert.deepEqual([refused.outcome, refused.stage, refused.ran], ["unresolved", "patch", false]);
  assert.match(refused.note, /^the patch does not apply to text \(hunk 1\): .*CONFLICT \(content\)/);
  const plain = '{"revision":"main"}';
  const patched = '{"revision":"main","universe":0,"changes":"0"}';
  assert.equal(BindingVariants.wantsControl(plain, '{"outcome":"fail"}'), true);
  assert.equal(BindingVariants.wantsControl(plain, '{"outcome":"unresolved"}'), false);
  assert.equal(BindingVariants.wantsControl(plain, '{"outcome":"pass"}'), false);
  assert.equal(BindingVariants.wantsControl(patched, '{"outcome":"pass"}'), true);
  variants.close();
  variants.close();
  assert.deepEqual(
    readdirSync(join(folder, "variants")).flatMap((name) => readdirSync(join(folder, "variants", name))),
    [],
  );
});

test("invalid arguments are errors", async () => {
  const { search, variants, trial } = opened({ overlay: { revision: shas.second, paths: ["text"] } });
  assert.match(Buffer.from((await trial({ revision: shas.first })).patch).toString(), /\n\+new\n/);
  const wrong = { revision: shas.first, changes: "0", universe: 0 };
  assert.match((await rejectionOf(trial(wrong))).message, /"code":"invalid_argument".*"message":"universe/);
  assert.match((await rejectionOf(trial({ revision: "nothing" }))).message, /"code":"unknown_revision"/);
  assert.throws(() => trial({}), /"code":"invalid_argument".*"message":"target/);
  const plain = '{"revision":"main"}';
  assert.throws(() => BindingVariants.wantsControl(plain, "{}"), /"code":"invalid_argument".*"message":"answer/);
  assert.throws(() => variants.read(search, "{}"), /"code":"invalid_argument".*"message":"request/);
  assert.throws(
    () => opened({ overlay: { revision: "main", paths: ["missing"] } }),
    /"code":"invalid_argument".*"message":"overlay/,
  );
  assert.throws(() => opened({ folders: 1 }), /"code":"invalid_argument".*"message":"options/);
});
